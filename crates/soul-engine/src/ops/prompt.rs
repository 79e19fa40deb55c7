//! Assemble the text that reaches the model.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::formats::{self, Context as ParseContext, Document, Provenance};
use soul_core::model::Dialect;
use soul_core::prompt::{Layer, LimitSource, Parts, Passage, Persona, Prompt, Slots, agent_body, assemble};
use soul_core::text::Source;

use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::files::{SOUL_FILE, is_soul_file};
use crate::ids::SessionId;
use crate::library::chain;
use crate::persona;
use crate::sessions;
use crate::souls::{
    self, AGENT_FILE, CARD_FILE, Folder, Loader, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, Resolved, STYLE_FILE,
    Subject, TOOLS_FILE, Target, USER_FILE,
};
use crate::store::{self, Snapshot, SoulSource, Surroundings};

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
    /// What the system says of itself in the safety rules.
    #[serde(default)]
    pub slots: Slots,
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
            slots: Slots::default(),
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
        match self.layer {
            Part::Identity if self.situation.is_some() || self.task.is_some() => {
                Err(Error::BadRequest("the identity has no place for a situation or a task".to_owned()))
            }
            Part::Identity => identity(keeper, self.subject, self.dialect, self.base),
            Part::Full => {
                let material = match &self.subject {
                    Subject::Target(target) => of_target(keeper, target, self.dialect, false)?,
                    Subject::Session(id) => of_session(keeper, id)?,
                };
                let Self { base, situation, task, slots, .. } = self;
                full(&material, Given { base, situation, task, slots })
            }
        }
    }

    fn is_local(&self) -> bool {
        self.subject.is_path()
    }
}

/// What comes with the request, and not from the soul.
#[derive(Default)]
struct Given {
    base: Option<String>,
    situation: Option<String>,
    task: Option<String>,
    slots: Slots,
}

/// What a prompt is made of, whether it was read from a directory or from a snapshot.
struct Material {
    /// The soul; `None` if there is none, or it is switched off.
    soul: Option<SpokenSoul>,
    /// Where users find it.
    source_path: String,
    /// The authored files beside it.
    files: BTreeMap<String, Vec<u8>>,
    surroundings: Surroundings,
    /// Which soul of the library it is, if it is one.
    source: Option<SoulSource>,
    /// Traits and mood, if the soul has any.
    persona: Option<Persona>,
}

/// A soul that reaches the prompt.
struct SpokenSoul {
    document: Document,
    identity: String,
}

impl SpokenSoul {
    fn new(soul: &Resolved) -> Option<Self> {
        let document = soul.document.as_ref().filter(|_| soul.is_active())?;
        let from = Provenance { source_path: &soul.source_path, snapshot_id: None };
        Some(Self { document: document.clone(), identity: document.identity(from) })
    }
}

/// The full prompt of a target as its author wrote it: without mood, adaptation and overlays.
pub(super) fn as_authored(keeper: &Keeper, target: &Target, dialect: Option<Dialect>) -> Result<Response, Error> {
    full(&of_target(keeper, target, dialect, true)?, Given::default())
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
        slots: given.slots,
    });
    Ok(Response { layers, text, diagnostics, soul_source: material.source.clone() })
}

impl Material {
    /// A file beside the soul, as it is.
    fn whole(&self, usual: &str) -> Result<Option<Passage>, Error> {
        let path = self.soul.as_ref().map_or(usual, |spoken| spoken.document.path_of(usual));
        let source = format!("{}{path}", self.surroundings.folder);
        let Some(bytes) = self.files.get(path) else { return Ok(None) };
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|_| souls::Error::Layer(source.clone(), "it is not UTF-8 text".into()))?;
        Ok(Some(Passage::new(text, source)))
    }

    /// The same without the white space around it.
    fn file(&self, usual: &str) -> Result<Option<Passage>, Error> {
        Ok(self.whole(usual)?.and_then(Passage::trimmed))
    }

    /// The card of a plain soul, whose runtimes show it to the model; elsewhere it is for people.
    fn card(&self) -> Result<Option<Passage>, Error> {
        match self.soul.as_ref().map(|spoken| spoken.document.dialect()) {
            Some(Dialect::Plain) => self.file(CARD_FILE),
            _ => Ok(None),
        }
    }

    /// TOOLS.md, then the tools that a package brings.
    fn tools(&self) -> Result<Option<Passage>, Error> {
        let notes = self.file(TOOLS_FILE)?;
        let listed = self.soul.as_ref().map(|spoken| spoken.document.tools()).unwrap_or_default();
        let listed = Passage::new(listed, format!("{}tools/", self.surroundings.folder)).trimmed();
        Ok(match (notes, listed) {
            (Some(notes), Some(listed)) => {
                let source = format!("{}, {}", notes.source, listed.source);
                Some(Passage { text: format!("{}\n\n{}", notes.text, listed.text), source, ..notes })
            }
            (notes, listed) => notes.or(listed),
        })
    }

    /// The body of AGENT.md.
    fn base(&self) -> Result<Option<Passage>, Error> {
        let Some(file) = self.whole(AGENT_FILE)? else { return Ok(None) };
        let body = agent_body(&file.text).map(str::to_owned);
        let text = body.map_err(|error| souls::Error::Layer(file.source.clone(), error.to_string().into()))?;
        Ok(Passage { text, ..file }.trimmed())
    }

    /// The identity text, and the file whose words it is made of.
    fn identity(&self) -> Option<Passage> {
        let SpokenSoul { document, identity } = self.soul.as_ref()?;
        let path = document.path_of(SOUL_FILE);
        let (source, origin) = match document.source_of(path) {
            Some(origin) => (format!("{}{path}", self.surroundings.folder), origin),
            None => (self.source_path.clone(), document.source()),
        };
        Some(Passage { text: identity.clone(), source, origin: origin.clone() })
    }
}

fn of_target(keeper: &Keeper, target: &Target, dialect: Option<Dialect>, as_authored: bool) -> Result<Material, Error> {
    let agent = target.agent().map(|name| keeper.agent(name)).transpose()?;
    let (resolved, source) = valid(keeper, target, dialect)?;
    let soul = SpokenSoul::new(&resolved);
    let persona = match (&soul, &agent) {
        (None, _) => None,
        (Some(_), Some(agent)) if !as_authored => persona::effective(keeper, agent, &resolved.soul)?,
        (Some(_), _) => Some(Persona::baseline(&resolved.soul)),
    };
    let opened = souls::opened(keeper, agent, resolved.place)?;
    let (mut files, mut surroundings) = Default::default();
    if let Some((directory, path)) = &opened {
        let folder = Folder { keeper, directory, path };
        files = folder.prompt_files(soul.as_ref().map(|spoken| &spoken.document))?;
        surroundings = folder.surroundings()?;
    }
    Ok(Material { soul, source_path: resolved.source_path, files, surroundings, source, persona })
}

fn of_session(keeper: &Keeper, id: &SessionId) -> Result<Material, Error> {
    let session = sessions::find(keeper, id)?;
    let surroundings = keeper.store()?.surroundings(&session.id)?.unwrap_or_default();
    let snapshot = sessions::snapshot(keeper, &session)?;
    let source = session.soul_source;
    let Some(snapshot) = snapshot else {
        let files = surroundings.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        return Ok(Material { soul: None, source_path: String::new(), files, surroundings, source, persona: None });
    };
    let soul = Some(SpokenSoul { document: document(&snapshot)?, identity: snapshot.identity() });
    let (source_path, files, persona) = (snapshot.profile.source_path, snapshot.files, session.persona);
    Ok(Material { soul, source_path, files, surroundings, source, persona })
}

/// The document that a snapshot was taken of, from the bytes that it keeps.
fn document(snapshot: &Snapshot) -> Result<Document, Error> {
    let path = &snapshot.profile.source_path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let lost = || store::Error::Damaged(format!("the snapshot {} has lost its {name}", snapshot.id).into());
    let bytes = snapshot.files.get(name).ok_or_else(lost)?.clone();
    let beside = snapshot.files.iter().filter(|(of, _)| *of != name);
    let files = beside.map(|(name, bytes)| (name.clone(), Source::new(bytes.clone()))).collect();
    let name = (!is_soul_file(name)).then(|| name.to_owned());
    let context = ParseContext { name, files, ..ParseContext::default() };
    Ok(formats::parse(Source::new(bytes), snapshot.profile.dialect, &context).document)
}

/// A valid soul: the target's own, or the one of the library that its agent runs on instead.
fn valid(keeper: &Keeper, target: &Target, dialect: Option<Dialect>) -> Result<(Resolved, Option<SoulSource>), Error> {
    let own = Loader::new(keeper, dialect).target(target)?.valid()?;
    let choice = if matches!(target, Target::Agent(_)) { chain::fallback(keeper, &own)? } else { None };
    Ok(choice.map_or((own, None), |choice| (choice.soul, Some(choice.source))))
}
