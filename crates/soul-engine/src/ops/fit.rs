//! Make a soul fit a runtime.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::fit::{Outcome, fit};
use soul_core::model::Dialect;
use soul_core::runtimes::{Settings, State};

use super::deliver::{self, Error};
use super::{Error as OpError, Hints, Load, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::delivery::{Delivered, Scene};
use crate::fields::given;
use crate::souls::{self, Target};

/// Shorten a soul until a runtime gives the model all of it: limits stay first, then identity, principles, tone, style,
/// examples and prose. Whole sentences and list items are left out, never cut, and listed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub target: Target,
    /// The runtime, such as `openclaw`; `@` and a version take the newest known version that is not above it.
    pub runtime: String,
    /// The kind of session. Default: the runtime's ordinary one.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session_kind: Option<String>,
    /// The model's context window in tokens, which some limits depend on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Settings by the runtime's own names, such as `maxChars`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// The dialect of the soul. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
}

/// The soul as it fits.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Fit")]
pub struct Response {
    /// The runtime and its version.
    pub runtime: String,
    /// The kind of session.
    pub session: String,
    /// The soul, as much of it as fits.
    pub text: String,
    /// Its length in the runtime's unit.
    pub chars: usize,
    /// The length of the soul before.
    pub chars_before: usize,
    /// The runtime's unit: UTF-16 units, code points or bytes.
    pub unit: String,
    /// What was left out, in the order of the soul.
    pub left_out: Vec<Piece>,
    /// Whether every limit is still there.
    pub keeps_limits: bool,
}

/// A piece that was left out.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PieceLeftOut")]
pub struct Piece {
    /// `limit`, `identity`, `principle`, `tone`, `style`, `example` or `prose`.
    pub priority: String,
    /// Its first and last line.
    pub lines: [usize; 2],
    /// The piece.
    pub text: String,
    /// Why it was left out.
    pub reason: String,
}

impl Operation for Request {
    const NAME: &'static str = "fit";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// Candidates are delivered until one fits.
    fn load(&self) -> Load {
        Load::Slow
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let Self { target, runtime, session_kind, window, set, dialect } = self;
        let asked = deliver::Request {
            target,
            runtime: Some(runtime),
            session_kind,
            all: false,
            at: None,
            window,
            set,
            fail_on: None,
            dialect,
        };
        let (runtime, version, kind) = asked.choice()?;
        let scene = Scene::new(context.keeper, &asked.target, dialect, None).map_err(Error::from)?;
        let Some((text, items)) = scene.own_soul() else {
            return Err(Error::Soul(souls::Error::NoSoul("the folder".to_owned())).into());
        };
        let settings: Settings = asked.set.clone().into_iter().collect();
        let outcome = |text: &str| outcome(&scene.deliver_text(text, runtime, kind, version, window, &settings));
        let fitted = fit(&text, &items, runtime.unit, outcome);
        let keeps_limits = fitted.keeps_limits();
        let reason = |why: Outcome| match why {
            Outcome::TooLong => format!("there is no room for it in {}", runtime.name),
            _ => format!("{} does not give it to the model", runtime.name),
        };
        let piece = |piece: soul_core::fit::LeftOut| Piece {
            priority: piece.priority.as_str().to_owned(),
            lines: piece.lines,
            text: piece.text,
            reason: reason(piece.why),
        };
        Ok(Response {
            runtime: format!("{}@{version}", runtime.id),
            session: kind.to_owned(),
            chars: runtime.unit.count(&fitted.text),
            chars_before: runtime.unit.count(&text),
            unit: runtime.unit.as_str().to_owned(),
            text: fitted.text,
            left_out: fitted.left_out.into_iter().map(piece).collect(),
            keeps_limits,
        })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.keeps_limits { Verdict::Passed } else { Verdict::Failed }
    }
}

/// Whether the soul's own text was delivered as a whole.
fn outcome(delivered: &Delivered) -> Outcome {
    if delivered.sections.iter().all(|section| section.state == State::Delivered) {
        Outcome::Whole
    } else if delivered.delivery.losses.iter().any(|loss| loss.state == State::Cut) {
        Outcome::TooLong
    } else {
        Outcome::Refused
    }
}
