//! The text that reaches the model: all of it, or the identity alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::formats::soulspec::Profile;
use soul_core::formats::{self, Context, Document, Provenance};
use soul_core::model::Dialect;
use soul_core::prompt::{Layer, LimitSource, Parts, Passage, Persona, Prompt, Slots, agent_body, assemble};
use soul_core::text::Source;

use super::{Error, Grant, Subject, inspect, persona};
use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::ids::SessionId;
use crate::library::chain;
use crate::sessions::{AGENT_FILE, Folder, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, STYLE_FILE, USER_FILE};
use crate::store::{self, Snapshot, SoulSource, Surroundings};
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose prompt, and how much of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Whose.
    pub subject: Subject,
    /// The base prompt, instead of the body of AGENT.md.
    pub base: Option<String>,
    /// How much.
    pub part: Part,
}

/// How much of a prompt is made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Part {
    /// The identity text alone, to the byte as its dialect has it, joined with the base if one is given.
    Identity,
    /// All layers, between markers, with the embedded words around them.
    Full(Box<Now>),
}

/// What only the moment knows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Now {
    /// How things stand.
    pub situation: Option<String>,
    /// What is to be done.
    pub task: Option<String>,
    /// What the system tells of itself.
    pub slots: Slots,
}

/// A prompt, and whose soul it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The layers, in their order. Those that are not omitted, with a blank line between, are the
    /// text.
    pub layers: Vec<Layer>,
    /// The exact text.
    pub text: String,
    /// What in it was escaped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    /// Which soul of the library it is made of, and why, if it is not the agent's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul_source: Option<SoulSource>,
}

/// What a prompt is made of, whether it was read from a directory or from a snapshot.
struct Material {
    /// The soul; none if there is none, or it is switched off.
    soul: Option<Told>,
    /// Where people find it.
    source_path: String,
    /// The authored files beside it.
    files: BTreeMap<String, Vec<u8>>,
    surroundings: Surroundings,
    /// Which soul of the library it is, if it is one.
    source: Option<SoulSource>,
    /// How the agent is disposed, if its soul says anything of it.
    persona: Option<Persona>,
}

struct Told {
    document: Document,
    identity: String,
}

/// Makes the prompt. A soul that is absent or switched off adds nothing, and the rest stands. For a
/// session no file is read.
///
/// # Errors
/// When there is nothing to read, a file that belongs to the prompt cannot be told, or the soul is
/// invalid: an agent never runs on half a persona.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    match request.part {
        Part::Identity => identity(keeper, request.subject, request.base),
        Part::Full(now) => full(&material(keeper, request.subject)?, request.base, *now),
    }
}

/// The full prompt of a target as its author wrote it: without mood, adaptation and overlays.
pub(super) fn as_authored(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<Response, Error> {
    full(&of_target(keeper, target, dialect, true)?, None, Now::default())
}

fn identity(keeper: &Keeper, subject: Subject, base: Option<String>) -> Result<Response, Error> {
    let (text, dialect, source_path, soul_source) = match subject {
        Subject::Target(target, dialect) => {
            let (inspected, source) = valid(keeper, target, dialect)?;
            let told = told(&inspected);
            let dialect = told.as_ref().map(|told| told.document.dialect());
            (told.map(|told| told.identity).unwrap_or_default(), dialect, inspected.source_path, source)
        }
        Subject::Session(id) => {
            let session = super::session::find(keeper, &id)?;
            let snapshot = super::session::snapshot(keeper, &session)?;
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
    let base = base.map(|base| Layer::new("base", "--base", base));
    let mut layers: Vec<Layer> = base.into_iter().chain([Layer::new("identity", source_path, text)]).collect();
    if !dialect.is_some_and(Dialect::base_comes_first) {
        layers.reverse();
    }
    Ok(Response { layers, text: whole, diagnostics: Vec::new(), soul_source })
}

fn full(material: &Material, base: Option<String>, now: Now) -> Result<Response, Error> {
    let given = |text: Option<String>, flag: &str| text.and_then(|text| Passage::new(text, flag).trimmed());
    let base = match base {
        Some(base) => given(Some(base), "--base"),
        None => material.base()?,
    };
    let document = material.soul.as_ref().map(|told| &told.document);
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
        style: material.file(STYLE_FILE)?,
        rules: material.file(RULES_FILE)?,
        soul: soul.as_ref().zip(document).zip(lists.clone()).map(|((soul, document), passage)| LimitSource {
            soul,
            dialect: document.dialect(),
            passage,
        }),
        persona: material.persona.clone().zip(lists),
        procedures: material.file(PROCEDURES_FILE)?,
        user: user.clone().and_then(|user| Passage::new(user, format!("{folder}{USER_FILE}")).trimmed()),
        memory: memory.clone().map(|index| (index, format!("{folder}{MEMORY_FILE}, {folder}memory/"))),
        situation: given(now.situation, "--situation"),
        task: given(now.task, "--task"),
        slots: now.slots,
    });
    Ok(Response { layers, text, diagnostics, soul_source: material.source.clone() })
}

impl Material {
    /// A file beside the soul, as it is.
    fn whole(&self, usual: &str) -> Result<Option<Passage>, Error> {
        let path = self.soul.as_ref().map_or(usual, |told| told.document.path_of(usual));
        let source = format!("{}{path}", self.surroundings.folder);
        let Some(bytes) = self.files.get(path) else { return Ok(None) };
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|_| Error::Layer(source.clone(), "it is not UTF-8 text".to_owned()))?;
        Ok(Some(Passage::new(text, source)))
    }

    /// The same without the white space around it.
    fn file(&self, usual: &str) -> Result<Option<Passage>, Error> {
        Ok(self.whole(usual)?.and_then(Passage::trimmed))
    }

    /// The body of AGENT.md.
    fn base(&self) -> Result<Option<Passage>, Error> {
        let Some(file) = self.whole(AGENT_FILE)? else { return Ok(None) };
        let body = agent_body(&file.text).map(str::to_owned);
        let text = body.map_err(|error| Error::Layer(file.source.clone(), error.to_string()))?;
        Ok(Passage { text, ..file }.trimmed())
    }

    /// The identity text, and the file whose words it is made of.
    fn identity(&self) -> Option<Passage> {
        let Told { document, identity } = self.soul.as_ref()?;
        let path = document.path_of(SOUL_FILE);
        let (source, origin) = match document.source_of(path) {
            Some(origin) => (format!("{}{path}", self.surroundings.folder), origin),
            None => (self.source_path.clone(), document.source()),
        };
        Some(Passage { text: identity.clone(), source, origin: origin.clone() })
    }
}

fn material(keeper: &Keeper, subject: Subject) -> Result<Material, Error> {
    match subject {
        Subject::Target(target, dialect) => of_target(keeper, target, dialect, false),
        Subject::Session(id) => of_session(keeper, &id),
    }
}

fn of_target(keeper: &Keeper, target: Target, dialect: Option<Dialect>, as_authored: bool) -> Result<Material, Error> {
    let agent = match &target {
        Target::Agent(name) | Target::Proposal(name, _) => Some(keeper.agent(name)?),
        Target::Path(_) | Target::Text(_) => None,
    };
    let (inspected, source) = valid(keeper, target, dialect)?;
    let soul = told(&inspected);
    let persona = match (&soul, &agent) {
        (None, _) => None,
        (Some(_), Some(agent)) if !as_authored => persona::of_agent(keeper, agent, &inspected.soul)?,
        (Some(_), _) => Some(Persona::baseline(&inspected.soul)),
    };
    let opened = super::whole::opened(keeper, agent, inspected.place)?;
    let (mut files, mut surroundings) = Default::default();
    if let Some((directory, path)) = &opened {
        let folder = Folder { keeper, directory, path };
        (files, surroundings) = (folder.told(soul.as_ref().map(|told| &told.document))?, folder.surroundings()?);
    }
    Ok(Material { soul, source_path: inspected.source_path, files, surroundings, source, persona })
}

fn of_session(keeper: &Keeper, id: &SessionId) -> Result<Material, Error> {
    let session = super::session::find(keeper, id)?;
    let surroundings = keeper.store()?.surroundings(id)?.unwrap_or_default();
    let snapshot = super::session::snapshot(keeper, &session)?;
    let source = session.soul_source;
    let Some(snapshot) = snapshot else {
        let files = surroundings.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        return Ok(Material { soul: None, source_path: String::new(), files, surroundings, source, persona: None });
    };
    let soul = Some(Told { document: document(&snapshot)?, identity: snapshot.identity() });
    let (source_path, files, persona) = (snapshot.profile.source_path, snapshot.files, session.persona);
    Ok(Material { soul, source_path, files, surroundings, source, persona })
}

/// The document that a snapshot was taken of, from the bytes that it keeps.
fn document(snapshot: &Snapshot) -> Result<Document, Error> {
    let path = &snapshot.profile.source_path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let lost = || store::Error::Damaged(format!("the snapshot {} has lost its {name}", snapshot.id));
    let bytes = snapshot.files.get(name).ok_or_else(lost)?.clone();
    let beside = snapshot.files.iter().filter(|(of, _)| *of != name);
    let files = beside.map(|(name, bytes)| (name.clone(), Source::new(bytes.clone()))).collect();
    let name = (name != SOUL_FILE).then(|| name.to_owned());
    let context = Context { name, files, ..Context::default() };
    Ok(formats::parse(Source::new(bytes), snapshot.profile.dialect, &context).document)
}

/// A soul that may be spoken: the target's own, or the one of the library that its agent takes instead.
fn valid(
    keeper: &Keeper,
    target: Target,
    dialect: Option<Dialect>,
) -> Result<(inspect::Response, Option<SoulSource>), Error> {
    let is_agent = matches!(target, Target::Agent(_));
    let own = inspect::run(keeper, inspect::Request { target, dialect, profile: Profile::Lenient })?;
    if !own.valid {
        return Err(Error::Invalid(Box::new(own)));
    }
    let taken = if is_agent { chain::in_place_of(keeper, &own)? } else { None };
    Ok(taken.map_or((own, None), |taken| (taken.soul, Some(taken.source))))
}

fn told(inspected: &inspect::Response) -> Option<Told> {
    let document = inspected.parsed.as_ref().filter(|_| inspected.active)?;
    let from = Provenance { source_path: &inspected.source_path, snapshot_id: None };
    Some(Told { document: document.clone(), identity: document.identity(from) })
}
