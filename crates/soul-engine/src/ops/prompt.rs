//! Assemble the text that reaches the model.

mod material;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::formats::Document;
use soul_core::model::Dialect;
use soul_core::prompt::{Layer, LimitSource, Parts, Passage, Prompt, assemble};

use self::material::{Material, Reading, SpokenSoul};
use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::library::chain;
use crate::sessions;
use crate::settings::Slot;
use crate::souls::{
    Loader, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, Resolved, STYLE_FILE, Subject, Target, USER_FILE,
};
use crate::store::{Binding, Snapshot, SoulSource, Surroundings};

/// Assemble the exact text that reaches the model, layer by layer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub subject: Subject,
    /// The dialect to read it in. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// How much of the prompt.
    #[serde(default)]
    pub layer: Part,
    /// The base prompt. Default: the body of AGENT.md.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The situation that the agent is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub situation: Option<String>,
    /// The task that the agent is to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The environment that the agent runs in. Default: `[prompt] environment` of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The tools that the agent can use. Default: `[prompt] tools` of the configuration, or the tools of its pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<String>,
    /// The workflows that the agent should follow. Default: `[prompt] workflows` of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflows: Option<String>,
    /// The schema of the data that the agent reads or returns. Default: `[prompt] schema` of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
}

/// How much of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PromptPart", inline)]
pub enum Part {
    /// All layers, between markers, with the safety rules at the end.
    #[default]
    Full,
    /// The identity text alone, to the byte as its dialect has it, joined with the base if one is given.
    Identity,
}

impl Request {
    /// The full prompt of a soul.
    #[must_use]
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            dialect: None,
            layer: Part::Full,
            base: None,
            situation: None,
            task: None,
            environment: None,
            tools: None,
            workflows: None,
            schema: None,
        }
    }
}

/// A prompt, layer by layer and as one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Prompt")]
pub struct Response {
    /// The layers, in their order. Those that are not omitted, with a blank line between, are the text.
    pub layers: Vec<Layer>,
    /// The exact text.
    pub text: String,
    /// What in it was escaped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    /// Which soul of the library it is made of, and why, if it is not the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
}

impl Operation for Request {
    const NAME: &'static str = "prompt";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// A soul that is absent or switched off adds nothing, and the rest stands. For a session no file is read. An
    /// invalid soul is an error: an agent never runs on half a persona.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let Self { subject, dialect, layer, base, situation, task, environment, tools, workflows, schema } = self;
        match layer {
            Part::Identity => {
                let others = [situation, task, environment, tools, workflows, schema];
                if others.iter().any(Option::is_some) {
                    return Err(Error::BadRequest(ONLY_BASE.to_owned()));
                }
                identity(keeper, subject, dialect, base)
            }
            Part::Full => {
                let mut material = match &subject {
                    Subject::Target(target) => Material::of_target(keeper, target, dialect, Reading::Now)?,
                    Subject::Session(id) => Material::of_session(keeper, id)?,
                };
                material.fill([environment, tools, workflows, schema]);
                full(&material, Given { base, situation, task })
            }
        }
    }

    fn is_local(&self) -> bool {
        self.subject.is_path()
    }
}

const ONLY_BASE: &str = "the identity layer takes only a base prompt";

/// What comes with the request, and not from the soul.
#[derive(Default)]
struct Given {
    base: Option<String>,
    situation: Option<String>,
    task: Option<String>,
}

/// The full prompt of a target as its author wrote it: without mood, adaptation, overlays and what this machine's
/// configuration adds.
pub(super) fn as_authored(keeper: &Keeper, target: &Target, dialect: Option<Dialect>) -> Result<Response, Error> {
    full(&Material::of_target(keeper, target, dialect, Reading::AsAuthored)?, Given::default())
}

/// The full prompt of a session that is being bound.
pub(super) fn of_binding(binding: &Binding, snapshot: Option<&Snapshot>) -> Result<Response, Error> {
    full(&Material::of_binding(binding, snapshot)?, Given::default())
}

fn identity(
    keeper: &Keeper,
    subject: Subject,
    dialect: Option<Dialect>,
    base: Option<String>,
) -> Result<Response, Error> {
    let (text, dialect, source_path, soul_source) = match subject {
        Subject::Target(target) => {
            let (soul, source) = valid(keeper, &target, dialect)?;
            let spoken = SpokenSoul::new(&soul);
            let dialect = spoken.as_ref().map(|spoken| spoken.document.dialect());
            (spoken.map(|spoken| spoken.identity).unwrap_or_default(), dialect, soul.source_path, source)
        }
        Subject::Session(id) => {
            let session = sessions::find(keeper, &id)?;
            let snapshot = sessions::snapshot(keeper, &session)?;
            let (text, dialect, source_path) = match snapshot {
                Some(snapshot) => (snapshot.identity(), Some(snapshot.profile.dialect), snapshot.profile.source_path),
                None => (String::new(), None, session.id.to_string()),
            };
            (text, dialect, source_path, session.soul_source)
        }
    };
    let whole = match (dialect, &base) {
        (Some(dialect), Some(base)) => dialect.join(&text, base),
        (None, Some(base)) => base.clone(),
        (_, None) => text.clone(),
    };
    let base = base.map(|base| Layer::new("base", "base", base));
    let mut layers: Vec<Layer> = base.into_iter().chain([Layer::new("identity", source_path, text)]).collect();
    if !dialect.is_some_and(Dialect::base_comes_first) {
        layers.reverse();
    }
    Ok(Response { layers, text: whole, diagnostics: Vec::new(), soul_source })
}

fn full(material: &Material, given: Given) -> Result<Response, Error> {
    let passage = |text: Option<String>, key: &str| text.and_then(|text| Passage::new(text, key).trimmed());
    let base = match given.base {
        Some(base) => passage(Some(base), "base"),
        None => material.base()?,
    };
    let document = material.soul.as_ref().map(|spoken| &spoken.document);
    let soul = document.map(Document::soul);
    let lists = document.map(|document| Passage {
        text: String::new(),
        source: material.source_path.clone(),
        origin: document.source().clone(),
    });
    let Surroundings { folder, user, memory, .. } = &material.surroundings;
    let Prompt { layers, text, diagnostics } = assemble(&Parts {
        base,
        identity: material.identity(),
        card: material.card()?,
        style: material.file(STYLE_FILE)?,
        rules: material.file(RULES_FILE)?,
        soul: soul.as_ref().zip(document).zip(lists.clone()).map(|((soul, document), passage)| LimitSource {
            soul,
            dialect: document.dialect(),
            passage,
        }),
        persona: material.persona.clone().zip(lists),
        procedures: material.file(PROCEDURES_FILE)?,
        tools: material.tools()?,
        user: user.clone().and_then(|user| Passage::new(user, format!("{folder}{USER_FILE}")).trimmed()),
        memory: memory.clone().map(|index| (index, format!("{folder}{MEMORY_FILE}, {folder}memory/"))),
        situation: passage(given.situation, "situation"),
        task: passage(given.task, "task"),
        environment: material.slot(Slot::Environment),
        workflows: material.slot(Slot::Workflows),
        schema: material.slot(Slot::Schema),
    });
    Ok(Response { layers, text, diagnostics, soul_source: material.source.clone() })
}

/// A valid soul: the target's own, or the one of the library that its agent runs on instead.
fn valid(keeper: &Keeper, target: &Target, dialect: Option<Dialect>) -> Result<(Resolved, Option<SoulSource>), Error> {
    let own = Loader::new(keeper, dialect).target(target)?.valid()?;
    let choice = if matches!(target, Target::Agent(_)) { chain::fallback(keeper, &own)? } else { None };
    Ok(choice.map_or((own, None), |choice| (choice.soul, Some(choice.source))))
}
