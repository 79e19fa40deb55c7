//! What a runtime gives the model of a soul's files, and what it does not.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;
use soul_core::runtimes::{LostLimit, RUNTIMES, Runtime, Section, Settings, State, runtime};
use soul_core::text::closest;

use super::{Error as OpError, Hints, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::delivery::{Delivered, Scene};
use crate::fault::{Fault, Kind};
use crate::fields::given;
use crate::souls::{self, Target};

/// Show the exact text that a runtime gives the model, and which sections and limits of the soul are delivered, cut,
/// dropped or blocked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul. A directory is delivered as it is; a single soul is put where the runtime looks for one.
    #[serde(flatten)]
    pub target: Target,
    /// The runtime, such as `openclaw`; `@` and a version take the newest known version that is not above it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// The kind of session, such as `main`, `subagent` or `cron`. Default: the runtime's ordinary one.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session_kind: Option<String>,
    /// Every runtime and every kind of session, as a matrix.
    #[serde(default)]
    pub all: bool,
    /// The absolute path that the runtime finds it at, if it is not where the target is: runtimes print paths, and some
    /// count them.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The model's context window in tokens, which some limits depend on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Settings by the runtime's own names, such as `maxChars`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// What fails: `limit`, a limit that is not delivered as a whole, or `loss`, any section that is not. Default:
    /// `limit`; with `all`, nothing.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<FailOn>,
    /// The dialect of the soul. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
}

/// What fails a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum FailOn {
    /// A section that is not delivered as a whole.
    Loss,
    /// A limit that is not delivered as a whole.
    Limit,
}

/// Why nothing was delivered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No runtime was named.
    #[error("no runtime is named")]
    NoRuntime,
    /// The runtime is not known.
    #[error("unknown runtime `{0}`{1}")]
    UnknownRuntime(String, String),
    /// No version that old is known.
    #[error("no version of {0} up to `{1}` is known; the oldest is `{2}`")]
    UnknownVersion(&'static str, String, &'static str),
    /// The runtime has no such kind of session.
    #[error("unknown session kind `{1}` of {0}")]
    UnknownKind(&'static str, String, String),
    /// The runtime has no such setting.
    #[error("unknown setting `{1}` of {0}{2}")]
    UnknownSetting(&'static str, String, String),
    /// A setting cannot be that.
    #[error("`{0}` cannot be `{1}`")]
    BadSetting(String, String, String),
    /// The path that the runtime finds it at is not an absolute one.
    #[error("`{0}` is not an absolute path")]
    NotAbsolute(String),
    /// There is no soul to deliver.
    #[error(transparent)]
    Soul(#[from] souls::Error),
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        let ids = || RUNTIMES.iter().map(|runtime| runtime.id).collect::<Vec<_>>().join(", ");
        match self {
            Self::NoRuntime => {
                Fault::new(Kind::Usage, "bad_request", "name one with `--runtime`, or use `--all` for every runtime")
            }
            Self::UnknownRuntime(..) => {
                Fault::new(Kind::Usage, "unknown_runtime", format!("the runtimes are {}", ids()))
            }
            Self::UnknownVersion(..) => {
                Fault::new(Kind::Usage, "unknown_version", "leave `@VERSION` out to take the newest one")
            }
            Self::UnknownKind(_, _, kinds) => {
                Fault::new(Kind::Usage, "unknown_session_kind", format!("the session kinds are {kinds}"))
            }
            Self::UnknownSetting(..) => {
                Fault::new(Kind::Usage, "unknown_setting", "`soul deliver --runtime RUNTIME --settings` lists them")
            }
            Self::BadSetting(.., must_be) => Fault::new(Kind::Usage, "bad_setting", format!("give {must_be}")),
            Self::NotAbsolute(_) => Fault::new(Kind::Usage, "bad_request", "begin it with `/`"),
            Self::Soul(error) => error.fault(),
        }
    }
}

/// What the model is given; with `all`, a matrix instead.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryReport")]
pub struct Response {
    /// One runtime and one kind of session.
    #[serde(flatten)]
    pub delivery: Option<Report>,
    /// Every runtime and every kind of session, if the request asks for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matrix: Vec<Row>,
    /// Whether nothing was lost that fails it.
    pub passed: bool,
}

/// What one kind of session of one runtime is given.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Delivery")]
pub struct Report {
    /// The runtime and the version whose behaviour is known, such as `openclaw@2026.9`.
    pub runtime: String,
    /// `recorded` from the running program, `documented` by its documentation, or our `own`.
    pub basis: String,
    /// The kind of session.
    pub session: String,
    /// The files as they are injected, in the runtime's order.
    pub files: Vec<File>,
    /// The exact text.
    pub text: String,
    /// The runtime's own warnings.
    pub warnings: Vec<String>,
    /// Size of the text in bytes.
    pub bytes: usize,
    /// Length of the text in the runtime's unit.
    pub chars: usize,
    /// The runtime's unit: UTF-16 units, code points or bytes.
    pub unit: String,
    /// Estimated number of tokens, at four bytes each.
    pub est_tokens: usize,
    /// The share of the context window, from 0 to 1, if the request names its size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_share: Option<f64>,
    /// Every section of every authored file, and whether it is delivered.
    pub sections: Vec<Section>,
    /// The limits that the model is not given as a whole.
    pub lost_limits: Vec<LostLimit>,
}

/// A file as it is injected.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InjectedFile")]
pub struct File {
    /// The path as the runtime prints it.
    pub path: String,
    /// What is injected of it.
    pub content: String,
}

/// One row of the matrix.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryRow")]
pub struct Row {
    /// The runtime and its version.
    pub runtime: String,
    /// `recorded`, `documented` or `own`.
    pub basis: String,
    /// The kind of session.
    pub session: String,
    /// Size of the text in bytes.
    pub bytes: usize,
    /// Length of the text in the runtime's unit.
    pub chars: usize,
    /// Estimated number of tokens, at four bytes each.
    pub est_tokens: usize,
    /// Sections that are delivered.
    pub delivered: usize,
    /// Sections that are cut.
    pub cut: usize,
    /// Sections that are dropped.
    pub dropped: usize,
    /// Sections that are blocked.
    pub blocked: usize,
    /// The limits that the model is not given as a whole.
    pub lost_limits: Vec<LostLimit>,
}

impl Operation for Request {
    const NAME: &'static str = "deliver";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let settings: Settings = self.set.clone().into_iter().collect();
        if self.all {
            let runtimes = self.runtimes()?;
            self.check_settings(&runtimes)?;
            self.check_kind(&runtimes)?;
            let scene = Scene::new(context.keeper, &self.target, self.dialect, self.at()?)?;
            let mut matrix = Vec::new();
            for (runtime, version) in runtimes {
                for kind in runtime.kinds.iter().filter(|kind| self.wants(kind.id)) {
                    let delivered = scene.deliver(runtime, kind.id, version, self.window, &settings);
                    matrix.push(row(runtime, version, kind.id, delivered));
                }
            }
            let lost = |row: &Row| match self.fail_on {
                Some(FailOn::Loss) => row.cut + row.dropped + row.blocked > 0,
                Some(FailOn::Limit) => !row.lost_limits.is_empty(),
                None => false,
            };
            let passed = !matrix.iter().any(lost);
            return Ok(Response { delivery: None, matrix, passed });
        }
        let (runtime, version, kind) = self.choice()?;
        let scene = Scene::new(context.keeper, &self.target, self.dialect, self.at()?)?;
        let report = self.report(runtime, version, kind, scene.deliver(runtime, kind, version, self.window, &settings));
        let passed = report.lost_limits.is_empty()
            && (self.fail_on != Some(FailOn::Loss)
                || report.sections.iter().all(|section| section.state == State::Delivered));
        Ok(Response { delivery: Some(report), matrix: Vec::new(), passed })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.passed { Verdict::Passed } else { Verdict::Failed }
    }
}

impl Request {
    /// With `all`, a kind of session must be one of some runtime.
    fn check_kind(&self, runtimes: &[(&'static Runtime, &'static str)]) -> Result<(), Error> {
        let Some(typed) = self.session_kind.as_ref().filter(|_| self.all) else { return Ok(()) };
        let mut kinds: Vec<&str> =
            runtimes.iter().flat_map(|(runtime, _)| runtime.kinds.iter().map(|kind| kind.id)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let known = kinds.contains(&typed.as_str());
        if known { Ok(()) } else { Err(Error::UnknownKind("any runtime", typed.clone(), kinds.join(", "))) }
    }

    pub(super) fn at(&self) -> Result<Option<&str>, Error> {
        match self.at.as_deref() {
            Some(at) if !at.starts_with('/') || at.contains('\0') => Err(Error::NotAbsolute(at.to_owned())),
            at => Ok(at),
        }
    }

    fn wants(&self, kind: &str) -> bool {
        self.session_kind.as_deref().is_none_or(|wanted| wanted == kind)
    }

    /// The runtimes in question, each with its version.
    fn runtimes(&self) -> Result<Vec<(&'static Runtime, &'static str)>, Error> {
        let Some(typed) = &self.runtime else {
            let newest = |runtime: &'static Runtime| Some((runtime, runtime.version(None)?));
            return if self.all { Ok(RUNTIMES.iter().filter_map(newest).collect()) } else { Err(Error::NoRuntime) };
        };
        let (id, wanted) = typed.split_once('@').map_or((typed.as_str(), None), |(id, wanted)| (id, Some(wanted)));
        let found = runtime(id).ok_or_else(|| {
            let meant = closest(id, RUNTIMES.iter().map(|runtime| runtime.id));
            Error::UnknownRuntime(id.to_owned(), did_you_mean(meant))
        })?;
        let version = found.version(wanted).ok_or_else(|| {
            let oldest = found.versions.last().map_or("", |version| version.version);
            Error::UnknownVersion(found.name, wanted.unwrap_or_default().to_owned(), oldest)
        })?;
        Ok(vec![(found, version)])
    }

    /// The one runtime in question, with its version and the kind of session.
    pub(super) fn choice(&self) -> Result<(&'static Runtime, &'static str, &'static str), Error> {
        let runtimes = self.runtimes()?;
        self.check_settings(&runtimes)?;
        let Some((runtime, version)) = runtimes.into_iter().next() else { return Err(Error::NoRuntime) };
        Ok((runtime, version, self.kind_of(runtime)?))
    }

    fn kind_of(&self, runtime: &'static Runtime) -> Result<&'static str, Error> {
        let Some(typed) = &self.session_kind else {
            return Ok(runtime.kinds.first().map_or("main", |kind| kind.id));
        };
        runtime.kind(typed).ok_or_else(|| {
            let kinds: Vec<&str> = runtime.kinds.iter().map(|kind| kind.id).collect();
            Error::UnknownKind(runtime.name, typed.clone(), kinds.join(", "))
        })
    }

    /// Every setting must be one of a runtime in question.
    fn check_settings(&self, runtimes: &[(&'static Runtime, &'static str)]) -> Result<(), Error> {
        for (name, value) in &self.set {
            let settings = runtimes.iter().flat_map(|(runtime, _)| runtime.settings);
            if let Some(must_be) =
                settings.filter(|setting| setting.name == name).find_map(|setting| setting.takes.refuses(value))
            {
                return Err(Error::BadSetting(name.clone(), value.clone(), must_be));
            }
            let known = || runtimes.iter().flat_map(|(runtime, _)| runtime.settings.iter().map(|setting| setting.name));
            if !known().any(|setting| setting == name) {
                let runtime = if let [(runtime, _)] = runtimes { runtime.name } else { "any runtime" };
                return Err(Error::UnknownSetting(runtime, name.clone(), did_you_mean(closest(name, known()))));
            }
        }
        Ok(())
    }

    fn report(&self, runtime: &Runtime, version: &str, kind: &str, delivered: Delivered) -> Report {
        let Delivered { delivery, sections, lost_limits } = delivered;
        let text = delivery.text.as_str().to_owned();
        let est_tokens = text.len().div_ceil(4);
        let share = |window: u64| if window == 0 { 1.0 } else { est_tokens as f64 / window as f64 };
        Report {
            runtime: format!("{}@{version}", runtime.id),
            basis: runtime.basis.as_str().to_owned(),
            session: kind.to_owned(),
            files: delivery
                .files
                .into_iter()
                .map(|file| File { path: file.path, content: file.content.as_str().to_owned() })
                .collect(),
            warnings: delivery.warnings,
            bytes: text.len(),
            chars: runtime.unit.count(&text),
            unit: runtime.unit.as_str().to_owned(),
            est_tokens,
            window_share: self.window.map(share),
            text,
            sections,
            lost_limits,
        }
    }
}

fn row(runtime: &Runtime, version: &str, kind: &str, delivered: Delivered) -> Row {
    let Delivered { delivery, sections, lost_limits } = delivered;
    let text = delivery.text.as_str();
    let count = |state: State| sections.iter().filter(|section| section.state == state).count();
    Row {
        runtime: format!("{}@{version}", runtime.id),
        basis: runtime.basis.as_str().to_owned(),
        session: kind.to_owned(),
        bytes: text.len(),
        chars: runtime.unit.count(text),
        est_tokens: text.len().div_ceil(4),
        delivered: count(State::Delivered),
        cut: count(State::Cut),
        dropped: count(State::Dropped),
        blocked: count(State::Blocked),
        lost_limits,
    }
}

fn did_you_mean(meant: Option<&str>) -> String {
    meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}
