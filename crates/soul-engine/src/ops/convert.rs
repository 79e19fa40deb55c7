//! Write a soul in another dialect, and say what became of each thing it says.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::formats::{self, Context as ParseContext, Document, Emitted, Parsed, dagu};
use soul_core::model::{At, Dialect, Field, Item, LossKind, Soul, Value, losses, place};
use soul_core::text::{Source, slug};

use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{as_text, given};
use crate::files::{PERSONA_FILE, SOUL_FILE};
use crate::souls::{self, Loader, Target};

/// Write a soul in another dialect, and say what was kept, moved and lost. Values that validation refuses are
/// carried over.
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
    /// The name of the file it will have, if that is known: to some dialects it says who it is.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
}

/// What a soul can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A dialect of SOUL.md.
    Dialect(Dialect),
    /// The persona of an agentos soul, as JSON.
    PersonaJson,
}

impl Form {
    /// The name, as it is typed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dialect(dialect) => dialect.as_str(),
            Self::PersonaJson => "persona-json",
        }
    }

    /// The dialect whose fields it has.
    const fn dialect(self) -> Dialect {
        match self {
            Self::Dialect(dialect) => dialect,
            Self::PersonaJson => Dialect::Agentos,
        }
    }
}

impl JsonSchema for Form {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Form".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).chain(["persona-json"]).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The new text, and what became of each item.
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
    /// What is where it was.
    pub kept: Vec<Outcome>,
    /// What is elsewhere, or gone.
    pub losses: Vec<Outcome>,
    /// What is wrong with the fresh text.
    pub diagnostics: Vec<Diagnostic>,
    /// What else there is to know, in sentences.
    pub notes: Vec<String>,
    /// The directory whose files were read, or the file if it stood alone.
    #[serde(skip)]
    pub read_from: Option<PathBuf>,
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

/// What became of one item.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ItemOutcome")]
pub struct Outcome {
    /// What it is about.
    pub field: Field,
    /// What it says.
    pub value: Value,
    /// `kept`, `moved` or `gone`.
    pub fate: String,
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

    /// Only what cannot be read at all stops it.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let read = Loader::new(keeper, self.from).target(&self.target)?;
        let broken = read.diagnostics.iter().any(|diagnostic| diagnostic.code.is_syntax());
        let Some(document) = read.document.clone().filter(|_| !broken) else {
            return Err(souls::Error::Invalid(Box::new(read)).into());
        };
        let (fresh, usual) = write(&document, &read.soul, self.to);
        let name = self.file_name.filter(|_| self.to != Form::PersonaJson).or(usual);
        let again = reread(keeper, &fresh, self.to, name.as_deref());
        let after = again.document.soul();
        let lost = losses(&read.soul, &after);
        let is_kept = |item: &&Item| !lost.iter().any(|loss| loss.item == **item);
        let doubts = read.diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::DialectDetected);
        let mut notes: Vec<String> = doubts.map(|diagnostic| diagnostic.message.clone()).collect();
        notes.extend(misread(&fresh, self.to, name.as_deref()));
        Ok(Response {
            from: document.dialect(),
            to: self.to.as_str().to_owned(),
            source_path: read.source_path,
            file_name: name.unwrap_or_else(|| SOUL_FILE.to_owned()),
            kept: read.soul.items.iter().filter(is_kept).map(|item| outcome(item, None, self.to)).collect(),
            losses: lost.iter().map(|loss| outcome(&loss.item, Some(loss.fate), self.to)).collect(),
            diagnostics: again.diagnostics,
            notes,
            read_from: read.place,
            text: fresh.text,
            files: fresh.beside.into_iter().map(|(path, text)| File { path, text }).collect(),
        })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }
}

/// The fresh text, and the name of its file where that means something.
fn write(document: &Document, soul: &Soul, to: Form) -> (Emitted, Option<String>) {
    match to {
        Form::Dialect(Dialect::Soulspec) => (formats::emit(soul, Dialect::Soulspec), Some(MANIFESTS[0].to_owned())),
        Form::Dialect(Dialect::Dagu) => {
            let fresh = formats::emit(soul, Dialect::Dagu);
            // A library knows a soul by its file: by its id, or by what its name makes of one.
            let parsed = formats::parse(Source::from(fresh.text.as_str()), Dialect::Dagu, &ParseContext::default());
            let named = parsed.document.to_json()["name"].as_str().map(slug);
            let id =
                soul.texts(Field::Id).next().map(str::to_owned).into_iter().chain(named).find(|id| dagu::is_id(id));
            (fresh, id.map(|id| format!("{id}.md")))
        }
        Form::Dialect(dialect) => (formats::emit(soul, dialect), None),
        Form::PersonaJson => {
            let persona = match document {
                Document::Agentos(_) => document.to_json()["persona"].take(),
                _ => {
                    let fresh = formats::emit(soul, Dialect::Agentos);
                    let files = fresh.beside.iter().map(|(path, text)| (path.clone(), Source::from(text.as_str())));
                    let context = ParseContext { files: files.collect(), ..ParseContext::default() };
                    let parsed = formats::parse(Source::new(fresh.text), Dialect::Agentos, &context);
                    parsed.document.to_json()["persona"].take()
                }
            };
            (Emitted::from(format!("{persona:#}\n")), Some(PERSONA_FILE.to_owned()))
        }
    }
}

/// What to say when the fresh text would be taken for another dialect.
fn misread(fresh: &Emitted, to: Form, name: Option<&str>) -> Option<String> {
    let name = name.filter(|name| *name != SOUL_FILE);
    let detected = formats::detect(&Source::from(fresh.text.as_str()), name, false).dialect;
    let (to, is_dagu) = (to.dialect(), to == Form::Dialect(Dialect::Dagu));
    let place = if is_dagu { "put it into a `souls` folder, or " } else { "" };
    (detected != to).then(|| format!("by its text alone it would be read as {detected}: {place}say `--dialect {to}`"))
}

/// What the fresh text says, read as it would be read.
fn reread(keeper: &Keeper, fresh: &Emitted, to: Form, name: Option<&str>) -> Parsed {
    let files = fresh.beside.iter().map(|(path, text)| (path.clone(), Source::from(text.as_str()))).collect();
    // An agent's SOUL.md is named for what it is, not for who it is.
    let name = name.filter(|name| *name != SOUL_FILE).map(str::to_owned);
    let context = ParseContext { limits: keeper.settings.soul.limits, name, files, ..ParseContext::default() };
    formats::parse(Source::from(fresh.text.as_str()), to.dialect(), &context)
}

fn outcome(item: &Item, fate: Option<LossKind>, to: Form) -> Outcome {
    let (fate, field) = match fate {
        None => ("kept", Some(item.field)),
        Some(LossKind::Moved(field)) => ("moved", Some(field)),
        Some(LossKind::Gone) => ("gone", None),
    };
    Outcome {
        field: item.field,
        value: item.value.clone(),
        fate: fate.to_owned(),
        to: field.filter(|field| *field != item.field),
        place: field.and_then(|field| standing(field, to)),
    }
}

/// Where a field stands, in a few words.
fn standing(field: Field, to: Form) -> Option<String> {
    if to == Form::PersonaJson {
        let key = match field {
            Field::Id => "id",
            Field::Name => "name",
            Field::Role => "description",
            Field::Trait => "personalityTraits",
            Field::DefaultMood | Field::Mood => "moodAdaptation",
            Field::Voice => "voiceConfig",
            Field::Avatar => "avatarConfig",
            Field::Limit => "hardLimits",
            Field::Metadata => "metadata",
            Field::Body => "baseSystemPrompt",
            Field::Extra | Field::Manifest | Field::Persona => return Some("its own fields".to_owned()),
            _ => return None,
        };
        return Some(format!("`{key}`"));
    }
    Some(match place(to.dialect(), field)?.at {
        At::Key("*") => "its own key".to_owned(),
        At::Key(key) if to == Form::Dialect(Dialect::Soulspec) => format!("`{key}`"),
        At::Key(key) => format!("`{key}:`"),
        At::Section(title) => format!("`## {title}`"),
        At::Top => "before the sections".to_owned(),
        At::Body => "the body".to_owned(),
        At::File("*") => "a file of its own".to_owned(),
        At::File(name) => name.to_owned(),
        At::FileName => "the file's name".to_owned(),
    })
}

impl Response {
    /// Every file there is to write, the soul's own first.
    pub fn all_files(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = std::iter::once((self.file_name.as_str(), self.text.as_str()));
        own.chain(self.files.iter().map(|file| (file.path.as_str(), file.text.as_str())))
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        if typed == Self::PersonaJson.as_str() {
            return Ok(Self::PersonaJson);
        }
        typed.parse().map(Self::Dialect).map_err(|_| {
            let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).collect();
            format!("a soul can become {} or persona-json", names.join(", "))
        })
    }
}
