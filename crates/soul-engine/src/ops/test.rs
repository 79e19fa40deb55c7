//! Test a soul against its own examples, and models against the soul.

use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::calibration::{Answer, Drift, Figures, Judge, Material, PROBES_FILE, Probe, Probes, probes};
use soul_core::diagnostics::{Diagnostic, Quoted, Severity, has_errors};
use soul_core::digest::RawDigest;
use soul_core::model::Dialect;
use soul_core::text::{Source, shown};

use super::{Error as OpError, Hints, Operation, Verdict, prompt};
use crate::Keeper;
use crate::caller::Grant;
use crate::cassette::{self, Cassette};
use crate::chat::{self, Endpoint};
use crate::checks::{calibrated, unasked_probes};
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::given;
use crate::files::{self, Directory, folder_of};
use crate::souls::{self, Bundle, Target};

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Test a soul against its own examples. No model is asked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent, or a directory or file like one.
    #[serde(flatten)]
    pub target: Target,
    /// The dialect to read the soul in. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Which models to ask. It never travels: it reads and writes files where it says.
    #[serde(skip)]
    pub probing: Option<Probing>,
}

/// Why a soul was not tested.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no soul.
    #[error("there is no soul at `{0}`")]
    SoulMissing(String),
    /// There is no file of probes.
    #[error("there are no probes at `{0}`")]
    NoProbes(String),
    /// The file of probes could not be read.
    #[error("could not read `{0}`: {1}")]
    Unreadable(String, #[source] files::Error),
    /// The text cannot be the address of an endpoint. It may hold a secret, so it is not repeated.
    #[error("this is not the URL of an endpoint")]
    BadAddress,
    /// A model was asked, and did not answer.
    #[error("could not test the model {}: {}", shown(.0), .1)]
    Model(String, #[source] chat::Error),
    /// An answer was never recorded, or to another prompt.
    #[error("the answer of {} to {} is not recorded in `{}`", shown(.model), shown(.probe), .directory)]
    NoCassette {
        /// The model.
        model: String,
        /// The probe.
        probe: String,
        /// The folder of recorded answers.
        directory: String,
    },
    /// A recorded answer that cannot be read.
    #[error("`{0}` is not a recorded answer: {1}")]
    BadCassette(String, String),
    /// An answer could not be recorded.
    #[error("could not write `{}`: {}", .0, files::plain(.1))]
    Unwritable(String, #[source] std::io::Error),
    /// There is no soul to work on.
    #[error(transparent)]
    Soul(#[from] souls::Error),
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::SoulMissing(_) => {
                (Kind::NotFound, "soul_missing", "`soul history` shows when it was deleted, and its text")
            }
            Self::NoProbes(_) => (
                Kind::NotFound,
                "not_found",
                "write probes into `soul.test.yaml` of the agent, or name a file with `--probes`",
            ),
            Self::Unreadable(..) => (Kind::Unable, "io", "check the path and its permissions"),
            Self::BadAddress => (
                Kind::Usage,
                "bad_address",
                "give the part before `/chat/completions`, as in `http://127.0.0.1:8080/v1`",
            ),
            Self::Model(_, chat::Error::NoKey(_)) => {
                (Kind::Unable, "model_unavailable", "set the variable, or leave `--key-env` out if no key is needed")
            }
            Self::Model(..) => (
                Kind::Unable,
                "model_unavailable",
                "check that the endpoint is running and has the model; `--replay DIR` needs neither",
            ),
            Self::NoCassette { .. } => (
                Kind::Unable,
                "cassette_missing",
                "a recording belongs to one prompt and one question; record it again with `--model URL --record DIR`",
            ),
            Self::BadCassette(..) => {
                (Kind::Unable, "bad_cassette", "remove it, and record it again with `--model URL --record DIR`")
            }
            Self::Unwritable(..) => {
                (Kind::Unable, "io", "check the permissions of the file and its directory, and the free disk space")
            }
            Self::Soul(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}

/// Which models are asked which questions.
#[derive(Debug, Clone)]
pub struct Probing {
    /// The questions, if they are not in the agent's directory.
    pub probes: Option<PathBuf>,
    /// The model.
    pub model: String,
    /// Another one to compare it with: the one that is more likely to drift.
    pub against: Option<String>,
    /// Where answers come from.
    pub answers: Answers,
}

/// Where answers come from.
#[derive(Debug, Clone)]
pub enum Answers {
    /// An endpoint that speaks OpenAI's protocol for chats.
    Endpoint {
        /// Where it is, up to `/v1`.
        url: String,
        /// The environment variable that holds the key, if one is needed.
        key_env: Option<String>,
        /// The folder to record the answers in, if they are to be kept.
        record: Option<PathBuf>,
    },
    /// A folder of recorded answers; nobody is asked.
    Recorded(PathBuf),
}

/// How a soul did in its test.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TestReport")]
pub struct Response {
    /// Where the soul is, relative to the workspace or the home.
    pub source_path: String,
    /// Its dialect.
    pub dialect: Option<Dialect>,
    /// Whether no finding is an error.
    pub passed: bool,
    /// What there is to test with, and how it measures.
    #[serde(flatten)]
    pub figures: Figures,
    /// The answers of models, by probe, if models were tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<Vec<Probed>>,
    /// Everything that was found, file by file.
    pub findings: Vec<Quoted>,
}

/// One question and its answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ProbeResult")]
pub struct Probed {
    /// What it is called.
    pub name: String,
    /// The question.
    pub ask: String,
    /// The answers, one of each model.
    pub answers: Vec<Answer>,
    /// How their answers differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
}

impl Operation for Request {
    const NAME: &'static str = "test";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// Without a network, unless the request names a model, and then to no other address.
    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let keeper = context.keeper;
        let Self { target, dialect, probing } = self;
        if let Some(Probing { answers: Answers::Endpoint { url, .. }, .. }) = &probing
            && !chat::is_address(url)
        {
            return Err(Error::BadAddress.into());
        }
        let bundle = Bundle::read(keeper, &target, dialect)?;
        if !bundle.soul.is_present() {
            return Err(Error::SoulMissing(bundle.soul.source_path).into());
        }
        if bundle.soul.document.is_none() {
            return Err(souls::Error::Invalid(Box::new(bundle.soul)).into());
        }
        let (files, oversized) = bundle.small();
        let material = Material { soul: &bundle.soul.soul, own: &bundle.own, files: &files };
        let (figures, calibrated) = calibrated(&bundle, &material);
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let mut found: Vec<Diagnostic> = bundle.soul.diagnostics.iter().filter(is_error).cloned().collect();
        found.extend(oversized.into_iter().chain(calibrated));
        let (mut findings, mut probed) = (Vec::new(), None);
        match probing {
            None => found.extend(unasked_probes(&material, &files)),
            Some(probing) => {
                let (file, shown, source) = questions(keeper, &bundle, probing.probes.as_deref())?;
                let Probes { probes, diagnostics } = probes(&file, &source);
                let mut problems = diagnostics;
                problems.extend(material.without_section(&probes, (&file, &source)));
                if !has_errors(&problems) {
                    // Without what the persona has become since, so that a recording depends on files only.
                    let system = prompt::as_authored(keeper, &target, dialect)?.text;
                    let examiner = Examiner { keeper, probing: &probing, system: &system };
                    let judge = Judge::new(material);
                    let mut all = Vec::new();
                    for probe in &probes {
                        let (one, wrong) = examiner.put(&judge, probe, (&file, &source))?;
                        all.push(one);
                        problems.extend(wrong);
                    }
                    probed = Some(all);
                }
                // What is wrong with the probes is reported in their own file, wherever that is.
                let (here, elsewhere): (Vec<_>, Vec<_>) =
                    problems.into_iter().partition(|found| found.file.as_deref() == Some(&*file));
                findings.extend(here.into_iter().map(|mut found| {
                    found.path = Some(shown.clone());
                    Quoted::new(found, &file, Some(&source))
                }));
                found.extend(elsewhere);
            }
        }
        findings.splice(0..0, bundle.quoted(found));
        let passed = !findings.iter().any(|found| found.diagnostic.severity == Severity::Error);
        let (dialect, source_path) = (bundle.soul.dialect(), bundle.soul.source_path);
        Ok(Response { source_path, dialect, passed, figures, probes: probed, findings })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.passed { Verdict::Passed } else { Verdict::Failed }
    }
}

/// The questions: the name of their file, how people see it, and what it holds.
fn questions(keeper: &Keeper, bundle: &Bundle, named: Option<&Path>) -> Result<(String, String, Source), Error> {
    let Some(path) = named else {
        let shown = format!("{}{PROBES_FILE}", bundle.folder);
        let source = bundle.files.get(PROBES_FILE).cloned();
        return Ok((PROBES_FILE.to_owned(), shown.clone(), source.ok_or(Error::NoProbes(shown))?));
    };
    let shown = keeper.roots.shown(path);
    let name = path.file_name().unwrap_or_default();
    let read = Directory::open(folder_of(path)).and_then(|folder| folder.read(name));
    match read {
        Ok(bytes) => Ok((name.to_string_lossy().into_owned(), shown, Source::new(bytes))),
        Err(files::Error::NotFound) => Err(Error::NoProbes(shown)),
        Err(error) => Err(Error::Unreadable(shown, error)),
    }
}

/// Asks the models.
struct Examiner<'a> {
    keeper: &'a Keeper,
    probing: &'a Probing,
    system: &'a str,
}

impl Examiner<'_> {
    /// Puts a question to each model, and judges the answers.
    fn put(&self, judge: &Judge<'_>, probe: &Probe, file: (&str, &Source)) -> Result<(Probed, Vec<Diagnostic>), Error> {
        let mut answers: Vec<Answer> = Vec::new();
        let mut findings = Vec::new();
        for model in std::iter::once(&self.probing.model).chain(&self.probing.against) {
            let (answer, wrong) = judge.answer(probe, model, &self.answer(model, probe)?, file);
            answers.push(answer);
            findings.extend(wrong);
        }
        let drift = match answers.as_slice() {
            [first, second] => {
                let (drift, wrong) = judge.drift(probe, first, second, file);
                findings.extend(wrong);
                Some(drift)
            }
            _ => None,
        };
        Ok((Probed { name: probe.name.clone(), ask: probe.ask.clone(), answers, drift }, findings))
    }

    fn answer(&self, model: &str, probe: &Probe) -> Result<String, Error> {
        let request = chat::request(model, self.system, &probe.ask);
        match &self.probing.answers {
            Answers::Recorded(folder) => {
                let path = cassette::place(folder, &request);
                let kept = cassette::read(&path);
                let kept = kept.map_err(|why| Error::BadCassette(self.keeper.roots.shown(&path), why))?;
                let missing = || Error::NoCassette {
                    model: model.to_owned(),
                    probe: probe.name.clone(),
                    directory: self.keeper.roots.shown(folder),
                };
                kept.map(|cassette| cassette.answer).ok_or_else(missing)
            }
            Answers::Endpoint { url, key_env, record } => {
                let endpoint = Endpoint { url, key_env: key_env.as_deref(), timeout: PATIENCE };
                let answer = chat::ask(&endpoint, &request);
                let answer = answer.map_err(|error| Error::Model(model.to_owned(), error))?;
                if let Some(folder) = record {
                    let path = cassette::place(folder, &request);
                    let system = RawDigest::of(self.system.as_bytes()).to_string();
                    let kept =
                        Cassette { model: model.to_owned(), ask: probe.ask.clone(), system, answer: answer.clone() };
                    let unwritable = |error| Error::Unwritable(self.keeper.roots.shown(&path), error);
                    cassette::write(&path, &kept).map_err(unwritable)?;
                }
                Ok(answer)
            }
        }
    }
}
