//! What changed in a soul, in its text and in its meaning.

use serde::{Deserialize, Serialize};
use similar::TextDiff;
use soul_core::formats::soulspec::Profile;
use soul_core::model::{Change, changes};

use super::inspect::{self, respond};
use super::load::{self, Text};
use super::{Error, Grant};
use crate::Keeper;
use crate::authoring;
use crate::files::{self, SOUL_FILE};
use crate::ids::RevisionId;
use crate::workspace::{Agent, AgentName};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose soul, and which two of its texts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The earlier one; the last revision if nothing is said.
    pub from: Option<Side>,
    /// The later one; the file if nothing is said.
    pub to: Option<Side>,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// What is in the file.
    File,
    /// What a revision holds.
    Revision(RevisionId),
}

/// What lies between two texts of a soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The earlier one.
    pub from: Named,
    /// The later one.
    pub to: Named,
    /// By meaning; limits first, and of those the removed ones.
    pub changes: Vec<Change>,
    /// By lines, as patches are written.
    pub text: String,
}

/// One of the two, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Named {
    /// `file`, or the id of a revision.
    pub name: String,
    /// What it says, if it is valid.
    pub digest: Option<String>,
    /// Whether there is a text.
    pub present: bool,
}

struct Read {
    named: Named,
    text: String,
    soul: inspect::Response,
}

/// Compares the two.
///
/// # Errors
/// When there is no such agent or revision.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let agent = keeper.agent(&request.agent)?;
    let from = match request.from {
        Some(side) => Some(side),
        None => last(keeper, &agent)?.map(Side::Revision),
    };
    let from = read(keeper, &agent, from.as_ref())?;
    let to = read(keeper, &agent, Some(request.to.as_ref().unwrap_or(&Side::File)))?;
    Ok(Response {
        changes: changes(&from.soul.soul, &to.soul.soul),
        text: unified(&from.text, &to.text),
        from: from.named,
        to: to.named,
    })
}

fn last(keeper: &Keeper, agent: &Agent) -> Result<Option<RevisionId>, Error> {
    let (Some(store), Some(key)) = (keeper.existing_store()?, agent.known_key().map_err(Error::workspace)?) else {
        return Ok(None);
    };
    authoring::recover_if_idle(keeper, agent, &key)?;
    Ok(store.tail(&key)?.last.map(|revision| revision.sealed.id))
}

fn read(keeper: &Keeper, agent: &Agent, side: Option<&Side>) -> Result<Read, Error> {
    let pinned = keeper.pinned_dialect(agent)?;
    let (name, bytes, dialect) = match side {
        // An agent without a past began with nothing.
        None => ("nothing".to_owned(), None, None),
        Some(Side::File) => match agent.directory.read(SOUL_FILE) {
            Ok(bytes) => ("file".to_owned(), Some(bytes), pinned),
            Err(files::Error::NotFound) => ("file".to_owned(), None, pinned),
            Err(error) => {
                return Err(Error::Layer(keeper.roots.shown(&agent.path.join(SOUL_FILE)), error.to_string()));
            }
        },
        Some(Side::Revision(id)) => {
            let missing = || Error::RevisionNotFound(id.clone());
            let key = agent.known_key().map_err(Error::workspace)?.ok_or_else(missing)?;
            let store = keeper.existing_store()?.ok_or_else(missing)?;
            let revision = store.revision(&key, id)?.ok_or_else(missing)?;
            (id.to_string(), revision.body, revision.sealed.dialect)
        }
    };
    let text = bytes.as_deref().map_or(Text::Absent, Text::Proposed);
    let soul = respond(keeper, load::of_agent(keeper, agent, dialect, Profile::Lenient, text));
    let digest = soul.digest.filter(|_| bytes.is_some()).map(|digest| digest.to_string());
    let named = Named { name, digest, present: bytes.is_some() };
    Ok(Read { named, text: String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned(), soul })
}

/// The difference of two texts by lines, three lines around each; nothing if they are the same.
pub(super) fn unified(before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(3).to_string()
}
