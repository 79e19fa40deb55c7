//! Show what an agent is started with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::calibration::examples;
use soul_core::diagnostics::{Code, Diagnostic, Quoted};
use soul_core::digest::Digest;
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::model::{Dialect, Field};
use soul_core::text::Source;

use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fault::Cause;
use crate::fields::given;
use crate::files::{Directory, PERSONA_FILE, SOUL_FILE};
use crate::index::Index;
use crate::memory;
use crate::souls::{
    AGENT_FILE, Bundle, CARD_FILE, EXAMPLES, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, STYLE_FILE, Target, USER_FILE,
};
use crate::workspace::Memory;

/// Show what an agent is started with: its files in the order in which they are loaded, and what each is for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent, or a directory or file like one.
    #[serde(flatten)]
    pub target: Target,
    /// The dialect to read the soul in. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
}

/// What an agent is started with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BootReport")]
pub struct Response {
    /// Where its soul is, relative to the workspace or the home.
    pub source_path: String,
    /// The dialect of the soul; none if it was not read.
    pub dialect: Option<Dialect>,
    /// Whether there is a soul.
    pub present: bool,
    /// Whether it has no errors.
    pub valid: bool,
    /// Whether it reaches the prompt.
    pub active: bool,
    /// The digest of its meaning, if it is valid.
    pub digest: Option<Digest>,
    /// The files of the workspace, in the order in which they are loaded.
    pub files: Vec<File>,
    /// Files that belong to the agent and to no step.
    pub beside: Vec<File>,
    /// The card that people see.
    pub identity_card: Card,
    /// What can be searched.
    pub memory: Indexed,
    /// All problems.
    pub diagnostics: Vec<Quoted>,
}

/// One file, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BootFile")]
pub struct File {
    /// The step at which it is loaded, from 1; none for what belongs to no step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// From the agent's directory.
    pub file: String,
    /// What becomes of it.
    pub becomes: Becomes,
    /// Whether it is there.
    pub present: bool,
    /// Its size; 0 if it is not there.
    pub bytes: usize,
    /// How many sections or outputs it has, where that is what counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "BootFilePurpose")]
pub enum Becomes {
    /// Who the agent is, first in the prompt.
    IdentityPrompt,
    /// How it writes, after that.
    StyleLayer,
    /// What people see of it.
    DisplayCard,
    /// What it does, step by step.
    ProceduresLayer,
    /// What it knows from the start.
    MemorySeed,
    /// What its answers are compared with.
    Calibration,
    /// The manifest of its package.
    Manifest,
    /// What the prompt says without a soul.
    BasePrompt,
    /// What it must and must not do.
    LimitsLayer,
    /// Whom it works for; read, never written.
    UserLayer,
}

/// The card that people see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "IdentityCard")]
pub struct Card {
    /// Markdown.
    pub text: String,
    /// Whether it was derived from the soul, because there is no file.
    pub derived: bool,
}

/// What of a memory can be searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BootMemory")]
pub struct Indexed {
    /// How many files.
    pub files: usize,
    /// How many sections.
    pub sections: u64,
    /// What is there and is not searched.
    pub unread: Vec<String>,
}

/// The steps, and what they load.
const ORDER: [(usize, &str, Becomes); 7] = [
    (1, SOUL_FILE, Becomes::IdentityPrompt),
    (2, STYLE_FILE, Becomes::StyleLayer),
    (3, CARD_FILE, Becomes::DisplayCard),
    (4, PROCEDURES_FILE, Becomes::ProceduresLayer),
    (5, MEMORY_FILE, Becomes::MemorySeed),
    (6, EXAMPLES[0], Becomes::Calibration),
    (6, EXAMPLES[1], Becomes::Calibration),
];

/// What is loaded besides.
const BESIDE: [(&str, Becomes); 3] =
    [(AGENT_FILE, Becomes::BasePrompt), (RULES_FILE, Becomes::LimitsLayer), (USER_FILE, Becomes::UserLayer)];

impl Operation for Request {
    const NAME: &'static str = "boot";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// Nothing is written, not even an index.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let name = self.target.agent().map(|name| name.as_str().to_owned());
        let bundle = Bundle::read(keeper, &self.target, self.dialect)?;
        let steps =
            ORDER.iter().map(|(step, name, becomes)| File { step: Some(*step), ..file(&bundle, name, *becomes) });
        let files = steps.collect();
        let manifest = MANIFESTS.iter().find(|manifest| bundle.own == **manifest);
        let manifest = manifest.map(|manifest| file(&bundle, manifest, Becomes::Manifest));
        let beside = BESIDE.iter().map(|(name, becomes)| file(&bundle, name, *becomes)).filter(|file| file.present);
        let beside = manifest.into_iter().chain(beside).collect();
        let soul = &bundle.soul;
        let diagnostics = soul.diagnostics.iter().chain(&bundle.problems).cloned().chain(ignored(&bundle));
        Ok(Response {
            source_path: soul.source_path.clone(),
            dialect: soul.dialect(),
            present: soul.is_present(),
            valid: soul.is_valid(),
            active: soul.is_active(),
            digest: soul.digest,
            files,
            beside,
            identity_card: card(&bundle, name.as_deref()),
            memory: searchable(keeper, &bundle)?,
            diagnostics: bundle.quoted(diagnostics),
        })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }
}

fn file(bundle: &Bundle, usual: &str, becomes: Becomes) -> File {
    // A persona in JSON stands where SOUL.md would, and a soul of another name does too.
    let alone = usual == SOUL_FILE && !bundle.files.contains_key(usual) && bundle.soul.is_present();
    let is_package = MANIFESTS.contains(&bundle.own.as_str());
    let (key, file) = if alone && !is_package { (&*bundle.own, &*bundle.own) } else { (usual, bundle.path_of(usual)) };
    let source = bundle.files.get(key);
    let text = source.and_then(Source::text);
    let count = match becomes {
        Becomes::MemorySeed => text.map(|text| soul_core::search::sections(text).sections.len()),
        Becomes::Calibration => text.map(|text| examples(text).len()),
        _ => None,
    };
    let bytes = source.map_or(0, |source| source.bytes().len());
    File { step: None, file: file.to_owned(), becomes, present: source.is_some(), bytes, count }
}

/// A persona.json that is not read, because SOUL.md stands beside it.
fn ignored(bundle: &Bundle) -> Option<Diagnostic> {
    let path = bundle.path.as_ref().filter(|_| bundle.soul.is_present() && bundle.own != PERSONA_FILE)?;
    let there = Directory::open(path).and_then(|folder| folder.read(PERSONA_FILE)).is_ok();
    let message = format!("{PERSONA_FILE} is ignored: {} is the soul", bundle.own);
    let help = format!("remove it, or convert it with `soul convert {PERSONA_FILE} --to agentos`");
    let found = Diagnostic { file: Some(PERSONA_FILE.to_owned()), ..Diagnostic::new(Code::PersonaIgnored, message) };
    there.then(|| found.help(help))
}

/// The file that holds the card, or one made from what the soul says of itself.
pub(super) fn card(bundle: &Bundle, name: Option<&str>) -> Card {
    if let Some(text) = bundle.files.get(CARD_FILE).and_then(Source::text) {
        return Card { text: text.trim().to_owned(), derived: false };
    }
    // A persona has a card of its own making.
    if let (Some(Dialect::Agentos), Some(text)) = (bundle.soul.dialect(), bundle.soul.json["identity"].as_str()) {
        return Card { text: text.to_owned(), derived: true };
    }
    let first = |field: Field| {
        let text = bundle.soul.soul.texts(field).find_map(|text| text.lines().find(|line| !line.trim().is_empty()));
        text.map(|text| text.trim().to_owned())
    };
    let title = first(Field::Name).or_else(|| name.map(str::to_owned)).or_else(|| first(Field::Role));
    let title = title.or_else(|| first(Field::Id)).unwrap_or_else(|| "Unnamed Agent".to_owned());
    let role = first(Field::Role).or_else(|| first(Field::Description)).filter(|role| *role != title);
    let id = first(Field::Id).or_else(|| name.map(str::to_owned));
    let mut text = format!("# {title}\n");
    text.extend(role.map(|role| format!("\n{role}\n")));
    text.extend(id.map(|id| format!("\n- Agent ID: {id}")));
    Card { text: text.trim_end().to_owned(), derived: true }
}

/// How much of the memory can be searched.
fn searchable(keeper: &Keeper, bundle: &Bundle) -> Result<Indexed, Error> {
    let Some(path) = &bundle.path else { return Ok(Indexed::default()) };
    let unlistable = |error: Cause| memory::Error::Unlistable(keeper.roots.shown(path), error);
    let memory = Memory::open(path).map_err(|error| unlistable(error.into()))?;
    // Without a home the index lives as long as the question.
    let index = Index::open(&memory, None, true, &|_| {}).map_err(|error| unlistable(error.into()))?;
    Ok(Indexed { files: index.files().count(), sections: index.living(), unread: index.unread })
}
