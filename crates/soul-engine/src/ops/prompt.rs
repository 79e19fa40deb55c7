//! The text that reaches the model: all of it, or the identity alone.

use std::collections::BTreeMap;

use soul_core::formats::soulspec::Profile;
use soul_core::formats::{self, Context, Document, Provenance};
use soul_core::model::Dialect;
pub use soul_core::prompt::Prompt as Response;
use soul_core::prompt::{Layer, Parts, Passage, Persona, Slots, Spoken, agent_body, assemble};
use soul_core::text::Source;

use super::{Error, Grant, Subject, inspect, persona};
use crate::Keeper;
use crate::files::{Directory, SOUL_FILE};
use crate::ids::SessionId;
use crate::sessions::{AGENT_FILE, Folder, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, STYLE_FILE, USER_FILE};
use crate::store::{self, Snapshot, Surroundings};
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose prompt, and how much of it.
#[derive(Debug, Clone)]
pub struct Request {
    /// Whose.
    pub subject: Subject,
    /// The base prompt, instead of the body of AGENT.md.
    pub base: Option<String>,
    /// How much.
    pub part: Part,
}

/// How much of a prompt is made.
#[derive(Debug, Clone)]
pub enum Part {
    /// The identity text alone, to the byte as its dialect has it, joined with the base if one is given.
    Identity,
    /// All layers, between markers, with the embedded words around them.
    Full(Box<Now>),
}

/// What only the moment knows.
#[derive(Debug, Clone, Default)]
pub struct Now {
    /// How things stand.
    pub situation: Option<String>,
    /// What is to be done.
    pub task: Option<String>,
    /// What the system tells of itself.
    pub slots: Slots,
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

fn identity(keeper: &Keeper, subject: Subject, base: Option<String>) -> Result<Response, Error> {
    let (text, dialect, source_path) = match subject {
        Subject::Target(target, dialect) => {
            let inspected = valid(keeper, target, dialect)?;
            let told = told(&inspected);
            let dialect = told.as_ref().map(|told| told.document.dialect());
            (told.map(|told| told.identity).unwrap_or_default(), dialect, inspected.source_path)
        }
        Subject::Session(id) => {
            let session = super::session::find(keeper, &id)?;
            match super::session::snapshot(keeper, &session)? {
                Some(snapshot) => (snapshot.identity(), Some(snapshot.profile.dialect), snapshot.profile.source_path),
                None => (String::new(), None, session.id.to_string()),
            }
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
    Ok(Response { layers, text: whole, diagnostics: Vec::new() })
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
    Ok(assemble(&Parts {
        base,
        identity: material.identity(),
        style: material.file(STYLE_FILE)?,
        rules: material.file(RULES_FILE)?,
        soul: soul.as_ref().zip(document).zip(lists.clone()).map(|((soul, document), passage)| Spoken {
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
    }))
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
        Subject::Target(target, dialect) => of_target(keeper, target, dialect),
        Subject::Session(id) => of_session(keeper, &id),
    }
}

fn of_target(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<Material, Error> {
    let agent = match &target {
        Target::Agent(name) | Target::Proposal(name, _) => Some(keeper.agent(name)?),
        Target::Path(_) | Target::Text(_) => None,
    };
    let inspected = valid(keeper, target, dialect)?;
    let soul = told(&inspected);
    let persona = match (&soul, &agent) {
        (None, _) => None,
        (Some(_), Some(agent)) => persona::of_agent(keeper, agent, &inspected.soul)?,
        (Some(_), None) => Some(Persona::baseline(&inspected.soul)),
    };
    // A file that was pointed at stands alone.
    let place = inspected.place.filter(|place| super::load::is_folder(place));
    let opened = match (agent, place) {
        (Some(agent), _) => Some((agent.directory, agent.path)),
        (None, Some(path)) => {
            let unlistable =
                |error: crate::files::Error| Error::Unlistable(keeper.roots.shown(&path), error.to_string());
            Some((Directory::open(&path).map_err(unlistable)?, path))
        }
        (None, None) => None,
    };
    let (mut files, mut surroundings) = Default::default();
    if let Some((directory, path)) = &opened {
        let folder = Folder { keeper, directory, path };
        (files, surroundings) = (folder.told(soul.as_ref().map(|told| &told.document))?, folder.surroundings()?);
    }
    Ok(Material { soul, source_path: inspected.source_path, files, surroundings, persona })
}

fn of_session(keeper: &Keeper, id: &SessionId) -> Result<Material, Error> {
    let session = super::session::find(keeper, id)?;
    let surroundings = keeper.store()?.surroundings(id)?.unwrap_or_default();
    let Some(snapshot) = super::session::snapshot(keeper, &session)? else {
        let files = surroundings.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        return Ok(Material { soul: None, source_path: String::new(), files, surroundings, persona: None });
    };
    let soul = Some(Told { document: document(&snapshot)?, identity: snapshot.identity() });
    let persona = session.persona;
    Ok(Material { soul, source_path: snapshot.profile.source_path, files: snapshot.files, surroundings, persona })
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

fn valid(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<inspect::Response, Error> {
    let inspected = inspect::run(keeper, inspect::Request { target, dialect, profile: Profile::Lenient })?;
    if inspected.valid { Ok(inspected) } else { Err(Error::Invalid(Box::new(inspected))) }
}

fn told(inspected: &inspect::Response) -> Option<Told> {
    let document = inspected.parsed.as_ref().filter(|_| inspected.active)?;
    let from = Provenance { source_path: &inspected.source_path, snapshot_id: None };
    Some(Told { document: document.clone(), identity: document.identity(from) })
}
