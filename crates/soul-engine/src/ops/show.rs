//! Show the text of an agent's soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::sigil::Parts;

use super::diff::newest_with_digest;
use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::authoring::{self, Earlier};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{ExpectedDigest, given};
use crate::files::{self, Directory};
use crate::ids::RevisionId;
use crate::souls::{self, Loader, Resolved, Text};
use crate::workspace::{Agent, AgentName};

/// Show the text of an agent's soul, exactly as it is in its file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The revision whose text to show. Default: what is in the file.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<RevisionId>,
    /// The digest of the text to show, of its meaning or its bytes, or the beginning of one: the file if it has it, else
    /// the newest revision that has.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub digest: Option<ExpectedDigest>,
    /// Include the texts of the other files of the agent.
    #[serde(default)]
    pub companions: bool,
}

impl Request {
    /// The text in the file of an agent.
    #[must_use]
    pub const fn new(agent: AgentName) -> Self {
        Self { agent, revision_id: None, digest: None, companions: false }
    }
}

/// The text of a soul, and what names it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SoulText")]
pub struct Response {
    /// The agent.
    pub agent: AgentName,
    /// The file, relative to the workspace or the home.
    pub source_path: String,
    /// The dialect that it is read in; `null` if there is no text.
    pub dialect: Option<Dialect>,
    /// The text; `null` if the agent has no soul.
    pub text: Option<String>,
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes, which a change may give as `expected_digest`; `null` if the agent has no soul.
    pub raw_digest: Option<RawDigest>,
    /// The digest of each part of what it says: what its sigil is drawn from; `null` if there is no text.
    #[serde(default)]
    pub parts: Option<Parts>,
    /// The colour of its sigil, from 0 to 11.
    #[serde(default)]
    pub hue: u8,
    /// The other files of the agent, by path, if the request asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub companions: Vec<CompanionText>,
}

/// A file beside a soul.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompanionText {
    /// Its path, from the directory of the agent.
    pub file: String,
    /// Its text; `null` if it is not UTF-8 text, cannot be read, or is larger than 1 MiB.
    pub text: Option<String>,
    /// Its size; 0 if it cannot be read.
    pub bytes: usize,
    /// The digest of its bytes; `null` if it cannot be read.
    pub raw_digest: Option<RawDigest>,
}

impl Operation for Request {
    const NAME: &'static str = "show";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let agent = keeper.agent(&self.agent)?;
        let file = agent.soul_file();
        let source_path = keeper.roots.shown(&agent.path.join(&file));
        let on_disk = match agent.directory.read(&file) {
            Ok(bytes) => Some(bytes),
            Err(files::Error::NotFound) => None,
            Err(error) => return Err(souls::Error::Layer(source_path, error.into()).into()),
        };
        let current = || -> Result<Resolved, Error> {
            let given = on_disk.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
            Ok(Loader::chosen(keeper, keeper.chosen_dialect(&agent)?).agent(&agent, given))
        };
        let wanted = match (self.revision_id, &self.digest) {
            (Some(_), Some(_)) => return Err(Error::BadRequest("give `revision_id` or `digest`".to_owned())),
            (None, Some(digest)) => with_digest(keeper, &agent, digest, &current()?)?,
            (id, None) => id,
        };
        let (bytes, soul) = match &wanted {
            Some(id) => {
                let Earlier { body, dialect } = recorded(keeper, &agent, id)?;
                let soul = authoring::recorded_soul(keeper, &agent, Some(&body), dialect);
                (Some(body), soul)
            }
            None => {
                let soul = current()?;
                (on_disk, soul)
            }
        };
        let parts = bytes.as_ref().filter(|_| soul.document.is_some()).map(|_| Parts::of(&soul.soul));
        let companions = if self.companions { companions(&agent.directory, &file) } else { Vec::new() };
        let raw_digest = bytes.as_deref().map(RawDigest::of);
        let (dialect, digest) = (soul.dialect(), soul.digest);
        // What is not text cannot be edited as text; its diagnostics say where it is not.
        let text = match bytes.map(String::from_utf8).transpose() {
            Ok(text) => text,
            Err(_) => return Err(souls::Error::Invalid(Box::new(soul)).into()),
        };
        Ok(Response {
            agent: self.agent,
            source_path,
            dialect,
            digest: digest.filter(|_| text.is_some()),
            text,
            raw_digest,
            parts,
            hue: agent.hue(),
            companions,
        })
    }
}

/// The newest revision with this digest; `None` if the file has it.
fn with_digest(
    keeper: &Keeper,
    agent: &Agent,
    digest: &ExpectedDigest,
    current: &Resolved,
) -> Result<Option<RevisionId>, Error> {
    if current.is_present() && digest.matches(current.digest, current.raw_digest) {
        return Ok(None);
    }
    let missing = || authoring::Error::RevisionNotFound(digest.to_string().into());
    let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(missing)?;
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    Ok(Some(newest_with_digest(store, &key, digest)?.ok_or_else(missing)?))
}

/// The most files that are shown, and the largest text.
const MOST_FILES: usize = 64;
const LARGEST: usize = 1 << 20;

/// Folders whose files are authored too.
const FOLDERS: [&str; 3] = ["examples", "hooks", "tools"];

/// The texts beside a soul: what people write into the directory of an agent, and not what it remembers.
fn companions(directory: &Directory, own: &str) -> Vec<CompanionText> {
    let is_text = |name: &String| {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        !name.starts_with('.') && extension.is_some_and(|known| ["md", "json", "yaml", "yml"].contains(&known))
    };
    let top = directory.names().unwrap_or_default().into_iter().filter(is_text).filter(|name| name != own);
    let below = FOLDERS.into_iter().flat_map(|folder| {
        let names = directory.directory(folder).and_then(|inside| inside.names()).unwrap_or_default();
        names.into_iter().filter(is_text).map(move |name| format!("{folder}/{name}")).collect::<Vec<_>>()
    });
    top.chain(below).take(MOST_FILES).map(|file| companion(directory, file)).collect()
}

fn companion(directory: &Directory, file: String) -> CompanionText {
    let read = directory.read(&file).ok();
    let (bytes, raw_digest) = (read.as_ref().map_or(0, Vec::len), read.as_deref().map(RawDigest::of));
    let text = read.filter(|_| bytes <= LARGEST).and_then(|bytes| String::from_utf8(bytes).ok());
    CompanionText { file, text, bytes, raw_digest }
}

/// The text of a revision.
fn recorded(keeper: &Keeper, agent: &Agent, id: &RevisionId) -> Result<Earlier, Error> {
    let missing = || authoring::Error::RevisionNotFound(id.clone());
    let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(missing)?;
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let id = authoring::named(store, &key, id)?;
    Ok(authoring::earlier(store, &key, &id)?)
}
