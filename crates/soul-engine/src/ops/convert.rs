//! Write a soul in another dialect, and report what was kept, moved, changed or lost.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Diagnostic, Severity};
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::formats::{self, Context as ParseContext, Document, Emitted, Parsed};
use soul_core::model::{self, Body, Dialect, Fate, Field, ItemFate, Soul, Value};
use soul_core::text::Source;

use super::{Error, Hints, Load, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::conversion::{Beside, Carrying, MAIN_FILES, candidates, with_name};
pub use crate::conversion::{Companion, Form};
use crate::fields::{as_text, given};
use crate::files::{PERSONA_FILE, SOUL_FILE};
use crate::souls::{self, Loader, Resolved, Target};

/// Write a soul in another dialect, and say what was kept, moved, changed and lost. Values that validation refuses are
/// kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub target: Target,
    /// The dialect it is in. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub from: Option<Dialect>,
    /// The dialect to write it in, or `persona-json`.
    #[serde(serialize_with = "as_text::serialize", deserialize_with = "as_text::deserialize")]
    pub to: Form,
    /// The name of the file it will have, if that is known: to some dialects it says who it is. A file with a name of
    /// its own stands alone, without companion files.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
}

/// The new text, and what happened to each item and each file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Conversion")]
pub struct Response {
    /// The dialect it was read in.
    pub from: Dialect,
    /// What it was written as.
    pub to: String,
    /// Where it was read.
    pub source_path: String,
    /// The text of the soul's own file.
    pub text: String,
    /// The name that file should have.
    pub file_name: String,
    /// Files that belong beside it.
    pub files: Vec<File>,
    /// What says the same in the same place.
    pub kept: Vec<Outcome>,
    /// What was moved, changed or lost.
    pub losses: Vec<Outcome>,
    /// What happened to each other file of the folder that the soul was read from.
    pub companions: Vec<Companion>,
    /// What is wrong with the fresh text.
    pub diagnostics: Vec<Diagnostic>,
    /// What else there is to know, in sentences.
    pub notes: Vec<String>,
    /// The directory whose files were read, or the file if it stood alone.
    #[serde(skip)]
    pub read_from: Option<PathBuf>,
    /// Files that go along and are not text.
    #[serde(skip)]
    pub copies: Vec<(String, Vec<u8>)>,
    /// The ids that the soul can have, best first.
    #[serde(skip)]
    pub ids: Vec<String>,
}

/// A file beside the soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ConvertedFile")]
pub struct File {
    /// Its path from the soul's directory.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What happened to one item.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ItemOutcome")]
pub struct Outcome {
    /// What it is about.
    pub field: Field,
    /// What it says.
    pub value: Value,
    /// What happened to it.
    pub fate: Fate,
    /// The field it is under now, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Field>,
    /// Where it stands now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl Operation for Request {
    const NAME: &'static str = "convert";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// A text may be large, and is read, written and read again.
    fn load(&self) -> Load {
        Load::Slow
    }

    /// Only what cannot be read at all stops it.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let read = Loader::new(context.keeper, self.from).target(&self.target)?;
        let is_broken = |problem: &Diagnostic| problem.code.is_syntax() && problem.severity == Severity::Error;
        let broken = read.diagnostics.iter().any(is_broken);
        let Some(document) = read.document.clone().filter(|_| !broken) else {
            return Err(souls::Error::Invalid(Box::new(read)).into());
        };
        Ok(convert(context.keeper, &self, &read, &document))
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }
}

fn convert(keeper: &Keeper, request: &Request, read: &Resolved, document: &Document) -> Response {
    let to = request.to;
    let own = read.source_path.rsplit('/').next().unwrap_or_default();
    let is_same = to == Form::Dialect(document.dialect()) && !is_json_persona(document);
    let is_alone = request.file_name.as_deref().is_some_and(|name| !MAIN_FILES.contains(&name));
    let into_folder = (to.is_folder() || is_same) && !is_alone;
    let folder = read.place.as_deref().filter(|place| place.is_dir());
    let whole = is_same && document.dialect() == Dialect::Soulspec;
    let beside = folder.map(|folder| Beside::list(folder, own, whole)).unwrap_or_default();

    let source = document.emission_soul();
    let mut soul = source.clone();
    if into_folder {
        soul = beside.without_files(soul, to.dialect());
    } else {
        soul.items.extend(beside.unread_items(&soul));
    }
    soul = with_name(soul, to.dialect(), beside.card_name(), read.place.as_deref());
    let mut fresh = if is_same { as_it_is(document) } else { write(document, &soul, to) };
    let ids = candidates(&soul, read.place.as_deref());
    let name = match to {
        Form::PersonaJson => Some(PERSONA_FILE.to_owned()),
        Form::Dialect(Dialect::Soulspec) if is_same => Some(own.to_owned()),
        Form::Dialect(Dialect::Soulspec) => request.file_name.clone().or_else(|| Some(MANIFESTS[0].to_owned())),
        Form::Dialect(Dialect::Dagu) => request.file_name.clone().or_else(|| Some(format!("{}.md", ids[0]))),
        Form::Dialect(_) => request.file_name.clone(),
    };
    let main = name.as_deref().unwrap_or(SOUL_FILE);
    let mut again = reread(keeper, &fresh, to, name.as_deref());
    let after = again.document.soul();
    let mut copies = Vec::new();
    let carrying = Carrying { main, into_folder, binary: request.target.is_path() };
    let companions = beside.carry(&carrying, &mut fresh, &after, &mut copies);
    if companions.iter().any(|companion| companion.fate == Fate::Kept) {
        // With its companions it may say more, or have other problems.
        again = reread(keeper, &fresh, to, name.as_deref());
    }
    let mut outcomes = match is_same {
        true => unchanged(document, to),
        false => account(document, &source, &again.document, to, &companions),
    };
    if to == Form::PersonaJson {
        outcomes.iter_mut().for_each(|outcome| find_version(outcome, &fresh.text));
    }
    let mut notes = Vec::new();
    notes.extend(misread(&fresh, to, name.as_deref()));
    if beside.unseen > 0 {
        notes.push(format!("the folder has {} more files that were not read", beside.unseen));
    }
    let (kept, losses) = outcomes.into_iter().partition(|outcome| outcome.fate == Fate::Kept);
    Response {
        from: document.dialect(),
        to: to.as_str().to_owned(),
        source_path: read.source_path.clone(),
        file_name: main.to_owned(),
        kept,
        losses,
        companions,
        diagnostics: again.diagnostics,
        notes,
        read_from: read.place.clone(),
        copies,
        ids,
        text: fresh.text,
        files: fresh.beside.into_iter().map(|(path, text)| File { path, text }).collect(),
    }
}

/// What happens to the items of a soul that stays as it is.
fn unchanged(document: &Document, to: Form) -> Vec<Outcome> {
    let items = document.soul().items.into_iter();
    items.map(|item| outcome(ItemFate { fate: Fate::Kept, to: Some(item.field), item }, to, &[])).collect()
}

/// What happened to each item, with what its file was.
fn account(document: &Document, source: &Soul, again: &Document, to: Form, companions: &[Companion]) -> Vec<Outcome> {
    let structured = [document.dialect(), to.dialect()];
    let structured = structured.iter().any(|of| matches!(of, Dialect::Plain | Dialect::Agh | Dialect::Cantus));
    let before = model::recognised(&document.soul(), to.dialect());
    let (before, after) = match structured {
        true if to == Form::Dialect(Dialect::Plain) => {
            let mut after = again.soul();
            // A title that gives the name is not an item by itself.
            after.items.extend(model::heading_items(&again.emission_soul()));
            (model::divided(&before), after)
        }
        true => (model::divided(&before), model::in_pieces(&again.emission_soul())),
        false => (before, again.soul()),
    };
    let prose = |soul: &Soul| {
        let own = soul.items.iter().filter(|item| item.file.is_none() || item.field == Field::Body);
        own.filter_map(|item| item.value.as_text()).collect::<Vec<_>>().join("\n")
    };
    let body: Vec<&str> = source.texts(Field::Body).collect();
    let prose = Body { before: &body.join("\n"), after: &prose(&again.emission_soul()) };
    let fates = model::fates(&before, &after, prose);
    fates.into_iter().map(|fate| outcome(fate, to, companions)).collect()
}

/// A persona has a version, which no field of a persona's items is.
fn find_version(outcome: &mut Outcome, persona: &str) {
    let version = match &outcome.value {
        Value::Entry { key, value: serde_json::Value::String(text) } if key == "version" => text,
        Value::Text(text) if outcome.field == Field::Version => text,
        _ => return,
    };
    let persona: serde_json::Value = serde_json::from_str(persona).unwrap_or_default();
    if outcome.fate == Fate::Lost && persona["version"] == **version {
        (outcome.fate, outcome.place) = (Fate::Kept, Some("`version`".to_owned()));
    }
}

/// The text of a soul that stays in its dialect.
fn as_it_is(document: &Document) -> Emitted {
    Emitted::from(document.source().text().unwrap_or_default().to_owned())
}

/// Whether an agentos soul is JSON, which SOUL.md is not.
fn is_json_persona(document: &Document) -> bool {
    let text = document.source().text().unwrap_or_default();
    document.dialect() == Dialect::Agentos && text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

/// The fresh text.
fn write(document: &Document, soul: &Soul, to: Form) -> Emitted {
    match (to, document) {
        (Form::Dialect(dialect), _) => formats::emit(&model::divided_for(soul, dialect), dialect),
        (Form::PersonaJson, Document::Agentos(_)) => persona(document, soul),
        (Form::PersonaJson, _) => {
            let fresh = formats::emit(soul, Dialect::Agentos);
            let context = ParseContext { files: sources(&fresh), ..ParseContext::default() };
            persona(&formats::parse(Source::new(fresh.text), Dialect::Agentos, &context).document, soul)
        }
    }
}

fn persona(document: &Document, soul: &Soul) -> Emitted {
    let mut persona = document.to_json()["persona"].take();
    // SOUL.md has no key for the version, so it is kept as an extra one.
    let extra = soul.items_of(Field::Extra).find_map(|item| match &item.value {
        Value::Entry { key, value: serde_json::Value::String(text) } if key == "version" => Some(text.as_str()),
        _ => None,
    });
    if let Some(version) = soul.texts(Field::Version).next().or(extra).filter(|_| !is_json_persona(document)) {
        persona["version"] = version.into();
    }
    let is_named = persona["name"].as_str().is_some_and(|name| !model::is_nobody(name));
    if let Some(name) = soul.texts(Field::Name).next().filter(|_| !is_named) {
        persona["name"] = name.into();
        let id = model::id_for(name, None).filter(|_| soul.texts(Field::Id).next().is_none());
        if let Some(id) = id {
            persona["id"] = id.into();
        }
    }
    Emitted::from(format!("{persona:#}\n"))
}

fn sources(fresh: &Emitted) -> std::collections::BTreeMap<String, Source> {
    fresh.beside.iter().map(|(path, text)| (path.clone(), Source::from(text.as_str()))).collect()
}

/// What to say when the fresh text would be taken for another dialect.
fn misread(fresh: &Emitted, to: Form, name: Option<&str>) -> Option<String> {
    let name = name.filter(|name| *name != SOUL_FILE);
    let detected = formats::detect(&Source::from(fresh.text.as_str()), name, false).dialect;
    let (to, is_dagu) = (to.dialect(), to == Form::Dialect(Dialect::Dagu));
    let place = if is_dagu { "keep it in the library, or " } else { "" };
    (detected != to).then(|| format!("by its text alone it would be read as {detected}: {place}use `--dialect {to}`"))
}

/// What the fresh text says, read as it would be read.
fn reread(keeper: &Keeper, fresh: &Emitted, to: Form, name: Option<&str>) -> Parsed {
    // An agent's SOUL.md is named for what it is, not for who it is.
    let name = name.filter(|name| *name != SOUL_FILE).map(str::to_owned);
    let context =
        ParseContext { limits: keeper.settings.soul.limits, name, files: sources(fresh), ..ParseContext::default() };
    formats::parse(Source::from(fresh.text.as_str()), to.dialect(), &context)
}

fn outcome(fate: ItemFate, to: Form, companions: &[Companion]) -> Outcome {
    let ItemFate { item, mut fate, to: field } = fate;
    let mut place = field.and_then(|field| to.standing(field));
    // What stands in a file that went along is where it was.
    let path = match (&item.file, &item.value) {
        (_, Value::Entry { key, .. }) if item.field == Field::File => key.split(", ").next(),
        (Some(file), _) => Some(&**file),
        (None, _) => None,
    };
    let went = path.and_then(|path| companions.iter().find(|companion| companion.path == path));
    if let Some(companion) = went.filter(|companion| fate == Fate::Lost && companion.fate != Fate::Lost) {
        fate = companion.fate;
        place = Some(companion.to.clone().unwrap_or_else(|| companion.path.clone()));
    }
    Outcome { field: item.field, fate, to: field.filter(|field| *field != item.field), place, value: item.value }
}

impl Response {
    /// Every file there is to write, the soul's own first.
    pub fn all_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let own = std::iter::once((self.file_name.as_str(), self.text.as_bytes()));
        let texts = self.files.iter().map(|file| (file.path.as_str(), file.text.as_bytes()));
        own.chain(texts).chain(self.copies.iter().map(|(path, bytes)| (path.as_str(), &**bytes)))
    }

    /// Whether something was moved, changed or lost.
    #[must_use]
    pub fn has_losses(&self) -> bool {
        !self.losses.is_empty() || self.companions.iter().any(|companion| companion.fate != Fate::Kept)
    }
}
