//! What changed between two texts of a soul.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::{Change, Soul, changes};
use soul_core::sigil::{Part, Parts};
use soul_core::text::{DiffBudget, unified_diff};

use super::{Error, Hints, Operation, history};
use crate::Keeper;
use crate::authoring::{self, Subject};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Body, ExpectedDigest, given, wire_schema};
use crate::files;
use crate::ids::{RevisionId, SnapshotId};
use crate::souls::{self, Text, captured};
use crate::store::Store;
use crate::workspace::{AgentName, SoulKey};

/// Compare two texts of an agent's soul, by meaning and line by line.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The earlier text: a revision by its id, the beginning of it, `@`, `@-` or `@-2`; a snapshot by its id; a digest; or
    /// `file`. Default: the last revision, or the file if there is a draft.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub from: Option<Side>,
    /// The later text, named in the same way, or `draft`. Default: the draft if there is one, else the file.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub to: Option<Side>,
    /// A text that is not saved yet: `draft`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

impl Request {
    /// The last revision and the file.
    #[must_use]
    pub const fn new(agent: AgentName) -> Self {
        Self { agent, from: None, to: None, body: None }
    }
}

/// One of the two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// The text in the file.
    File,
    /// The text of the request.
    Draft,
    /// The text of a revision.
    Revision(RevisionId),
    /// The text that a snapshot was taken of.
    Snapshot(SnapshotId),
    /// The file or the newest revision with this digest.
    Digest(ExpectedDigest),
}

impl From<String> for Side {
    fn from(text: String) -> Self {
        match text.as_str() {
            "file" => Self::File,
            "draft" => Self::Draft,
            id if id.starts_with("snap_") => Self::Snapshot(text.into()),
            digest if digest.contains("sha256:") => Self::Digest(ExpectedDigest::new(digest)),
            _ => Self::Revision(text.into()),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::Draft => f.write_str("draft"),
            Self::Revision(id) => id.fmt(f),
            Self::Snapshot(id) => id.fmt(f),
            Self::Digest(digest) => digest.fmt(f),
        }
    }
}

impl Serialize for Side {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

wire_schema!(Side, { "type": "string", "examples": ["file", "rev_01M7GVG0TYK2D49F5V98J74R1N"] });

/// The difference between two texts of a soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SoulDiff")]
pub struct Response {
    /// The earlier text.
    pub from: Compared,
    /// The later text.
    pub to: Compared,
    /// What changed in meaning; limits first, and of those the removed ones.
    pub changes: Vec<Change>,
    /// What changed line by line, as a unified diff.
    pub text: String,
    /// The same meaning in a line.
    #[serde(default)]
    pub summary: String,
    /// The parts of the soul that differ.
    #[serde(default)]
    pub changed_parts: Vec<Part>,
    /// Whether the later text loosens the soul: what bounds the agent was removed or changed, or a tool was added.
    #[serde(default)]
    pub loosens: bool,
    /// The colour of the soul's sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
}

/// One of the two texts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiffSide")]
pub struct Compared {
    /// `file`, `draft`, or the id of a revision or a snapshot.
    pub name: String,
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes; `null` if there is no text.
    #[serde(default)]
    pub raw_digest: Option<RawDigest>,
    /// Whether there is a text.
    pub present: bool,
    /// The digest of each part of what it says.
    #[serde(default)]
    pub parts: Parts,
}

struct Read {
    compared: Compared,
    text: String,
    soul: Soul,
}

impl Operation for Request {
    const NAME: &'static str = "diff";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, from, to, body } = self;
        let agent = context.keeper.agent(&agent)?;
        let key = agent.known_key().map_err(souls::Error::WorkspaceId)?;
        let texts = Texts { keeper: context.keeper, subject: &agent, key, draft: body.map(|body| body.0) };
        Ok(Response { hue: agent.hue(), ..texts.compare(from, to)? })
    }
}

/// The texts of a soul that can be compared.
pub(super) struct Texts<'a> {
    pub(super) keeper: &'a Keeper,
    pub(super) subject: &'a dyn Subject,
    /// The key of its record, if it has one.
    pub(super) key: Option<SoulKey>,
    /// A text that is not saved yet.
    pub(super) draft: Option<Vec<u8>>,
}

impl Texts<'_> {
    /// Compares two of them.
    pub(super) fn compare(&self, from: Option<Side>, to: Option<Side>) -> Result<Response, Error> {
        let from = match (from, &self.draft) {
            (Some(side), _) => Some(side),
            (None, Some(_)) => Some(Side::File),
            (None, None) => self.last()?.map(Side::Revision),
        };
        let default = if self.draft.is_some() { Side::Draft } else { Side::File };
        let (from, to) = (self.read(from.as_ref())?, self.read(Some(&to.unwrap_or(default)))?);
        let changes = changes(&from.soul, &to.soul);
        Ok(Response {
            summary: history::meaning(&from.soul, &to.soul),
            changed_parts: to.compared.parts.changed_since(&from.compared.parts),
            loosens: changes.iter().any(Change::loosens),
            changes,
            text: unified_diff(&from.text, &to.text, &mut DiffBudget::ONE.clone()),
            from: from.compared,
            to: to.compared,
            hue: self.key.as_ref().map_or(0, SoulKey::hue),
        })
    }

    fn last(&self) -> Result<Option<RevisionId>, Error> {
        let (Some(store), Some(key)) = (self.keeper.existing_store()?, &self.key) else { return Ok(None) };
        authoring::recover_if_idle(self.keeper, self.subject, key)?;
        Ok(store.tail(key)?.last.map(|revision| revision.sealed.id))
    }

    fn read(&self, side: Option<&Side>) -> Result<Read, Error> {
        match side {
            // A soul without a history began with nothing.
            None => Ok(shown("nothing".to_owned(), None, None, None)),
            Some(Side::File) => self.file(),
            Some(Side::Draft) => {
                let missing = || Error::BadRequest("give the draft as `body`".to_owned());
                self.unsaved("draft", self.draft.clone().ok_or_else(missing)?)
            }
            Some(Side::Revision(id)) => self.revision(id),
            Some(Side::Snapshot(id)) => self.snapshot(id),
            Some(Side::Digest(digest)) => self.with_digest(digest),
        }
    }

    fn file(&self) -> Result<Read, Error> {
        let file = self.subject.file();
        match self.subject.directory().read(&file) {
            Ok(bytes) => self.unsaved("file", bytes),
            Err(files::Error::NotFound) => Ok(shown("file".to_owned(), None, None, None)),
            Err(error) => {
                let shown = self.keeper.roots.shown(&self.subject.path().join(file));
                Err(souls::Error::Layer(shown, error.into()).into())
            }
        }
    }

    /// A text as if it were in the file.
    fn unsaved(&self, name: &str, bytes: Vec<u8>) -> Result<Read, Error> {
        let pinned = match (self.keeper.existing_store()?, &self.key) {
            (Some(store), Some(key)) => store.pinned_dialect(key)?,
            _ => None,
        };
        let file = if name == "file" { self.subject.file() } else { self.subject.file_for(&bytes, pinned) };
        let text = Text::Proposed { file: &file, bytes: &bytes };
        let soul = self.subject.resolve(self.keeper, self.subject.chosen(self.keeper, pinned), text);
        Ok(shown(name.to_owned(), Some(bytes), Some(soul.soul), soul.digest))
    }

    fn revision(&self, id: &RevisionId) -> Result<Read, Error> {
        let missing = || authoring::Error::RevisionNotFound(id.clone());
        let (key, store) = self.record().map_err(|error| error.unwrap_or_else(|| missing().into()))?;
        let id = authoring::named(store, key, id)?;
        let revision = store.revision(key, &id)?.ok_or_else(missing)?;
        let (body, dialect) = (revision.body, revision.sealed.dialect);
        let soul = authoring::recorded_soul(self.keeper, self.subject, body.as_deref(), dialect);
        // A digest that is on record stays as it is, whatever the files beside the soul and this program say today.
        let digest = revision.sealed.new_digest.or(soul.digest);
        Ok(shown(id.to_string(), body, Some(soul.soul), digest))
    }

    fn snapshot(&self, id: &SnapshotId) -> Result<Read, Error> {
        let missing = || authoring::Error::RevisionNotFound(id.to_string().into());
        let (key, store) = self.record().map_err(|error| error.unwrap_or_else(|| missing().into()))?;
        let snapshot = store.snapshot(id)?.filter(|snapshot| snapshot.key == *key).ok_or_else(missing)?;
        let document = captured(&snapshot)?;
        let bytes = document.source_of(files::SOUL_FILE).unwrap_or_else(|| document.source()).bytes().to_vec();
        Ok(shown(id.to_string(), Some(bytes), Some(document.soul()), Some(snapshot.digest)))
    }

    fn with_digest(&self, digest: &ExpectedDigest) -> Result<Read, Error> {
        let file = self.file()?;
        if digest.matches(file.compared.digest, file.compared.raw_digest) {
            return Ok(file);
        }
        let missing = || authoring::Error::RevisionNotFound(digest.to_string().into());
        let (key, store) = self.record().map_err(|error| error.unwrap_or_else(|| missing().into()))?;
        self.revision(&newest_with_digest(store, key, digest)?.ok_or_else(missing)?)
    }

    /// The key and the store, if anything is recorded; the error if the store does not say.
    fn record(&self) -> Result<(&SoulKey, &dyn Store), Option<Error>> {
        let store = self.keeper.existing_store().map_err(|error| Some(error.into()))?;
        self.key.as_ref().zip(store).ok_or(None)
    }
}

/// How many revisions are looked through at once.
const PAGE: usize = 500;

/// The newest revision with this digest.
pub(super) fn newest_with_digest(
    store: &dyn Store,
    key: &SoulKey,
    digest: &ExpectedDigest,
) -> Result<Option<RevisionId>, Error> {
    let mut before = None;
    loop {
        let page = store.history(key, before, PAGE, false)?;
        let Some(last) = page.last().map(|last| last.sealed.seq) else { return Ok(None) };
        let mut found = page.into_iter().map(|revision| revision.sealed);
        if let Some(sealed) = found.find(|sealed| digest.matches(sealed.new_digest, sealed.raw_digest)) {
            return Ok(Some(sealed.id));
        }
        before = Some(last);
    }
}

fn shown(name: String, bytes: Option<Vec<u8>>, soul: Option<Soul>, digest: Option<Digest>) -> Read {
    let soul = soul.filter(|_| bytes.is_some()).unwrap_or_default();
    let (raw_digest, present) = (bytes.as_deref().map(RawDigest::of), bytes.is_some());
    let compared = Compared { name, digest: digest.filter(|_| present), raw_digest, present, parts: Parts::of(&soul) };
    Read { compared, text: String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned(), soul }
}
