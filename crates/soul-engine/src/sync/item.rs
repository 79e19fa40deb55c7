//! What is synced, and where it is in the repository. Names that come from a remote are checked here and nowhere else.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Error;
use super::objects::{Entry, EntryKind};
use super::repository::MAX_BLOB;
use crate::files::SOUL_FILE;
use crate::workspace::{AgentName, SoulId};

/// The id of an item: `souls/ID` for a soul of the library, `agents/NAME` for an agent's. An id alone is one of the
/// library.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum ItemId {
    /// The soul of an agent of the home.
    Agent(AgentName),
    /// A soul of the library.
    Soul(SoulId),
}

const SOULS: &str = "souls/";
const AGENTS: &str = "agents/";

impl ItemId {
    /// The path in the repository.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Agent(name) => format!("{AGENTS}{}/{SOUL_FILE}", name.as_str()),
            Self::Soul(id) => format!("{SOULS}{}", id.file()),
        }
    }

    /// Whether both are of one kind.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl FromStr for ItemId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |why| Err(Error::BadItem(text.to_owned(), why));
        if text.is_empty() {
            return bad("it is empty");
        }
        if text.starts_with('/') {
            return bad("absolute paths are not allowed");
        }
        if text.split(['/', '\\']).any(|part| part == "..") {
            return bad("path traversal is not allowed");
        }
        if let Some(name) = text.strip_prefix(AGENTS) {
            return match name.parse() {
                Ok(name) if is_portable(AgentName::as_str(&name)) => Ok(Self::Agent(name)),
                _ => bad("it is not `agents/NAME`"),
            };
        }
        match text.strip_prefix(SOULS).unwrap_or(text).parse::<SoulId>() {
            Ok(id) if is_portable(id.as_str()) => Ok(Self::Soul(id)),
            Ok(_) => bad("its name is reserved on some systems"),
            Err(_) => bad("an id has lower-case letters, digits and single hyphens, as in `souls/concise-ops`"),
        }
    }
}

impl TryFrom<String> for ItemId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<ItemId> for String {
    fn from(id: ItemId) -> Self {
        match id {
            ItemId::Agent(name) => format!("{AGENTS}{}", name.as_str()),
            ItemId::Soul(id) => format!("{SOULS}{id}"),
        }
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(name) => write!(f, "{AGENTS}{name}"),
            Self::Soul(id) => write!(f, "{SOULS}{id}"),
        }
    }
}

/// Whether a name is one file on every system: no device of Windows, nothing that a shell or a terminal obeys, no dot or
/// blank at an end.
pub(super) fn is_portable(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    let is_numbered = |device: &str| {
        let parts = stem.split_at_checked(device.len());
        parts.is_some_and(|(name, rest)| name.eq_ignore_ascii_case(device) && rest.len() == 1 && rest != "0")
    };
    if ["con", "prn", "aux", "nul"].into_iter().any(is) || ["com", "lpt"].into_iter().any(is_numbered) {
        return false;
    }
    // Most names: thousands of them are checked for each status.
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return true;
    }
    let is_plain = |c: char| !c.is_control() && !"/\\:*?\"<>|".contains(c);
    let has_escape =
        name.as_bytes().windows(3).any(|part| part[0] == b'%' && part[1..].iter().all(u8::is_ascii_hexdigit));
    !has_escape
        && name.chars().all(is_plain)
        && soul_core::text::visible(name) == name
        && !name.starts_with(['.', ' ', '-'])
        && !name.ends_with(['.', ' '])
}

/// What an entry of the remote's tree is to us: an item, nothing, or something that is refused, and why.
pub(super) fn item_of(entry: &Entry, with_agents: bool) -> Result<Option<ItemId>, &'static str> {
    let path = entry.path.as_ref().unwrap_or_else(|lossy| lossy);
    let plain = path.replace('\\', "/");
    let top = plain.split('/').next().unwrap_or_default();
    let is_souls = top.eq_ignore_ascii_case(SOULS.trim_end_matches('/'));
    let is_agents = with_agents && top.eq_ignore_ascii_case(AGENTS.trim_end_matches('/'));
    if !is_souls && !is_agents {
        return Ok(None);
    }
    match entry.kind {
        EntryKind::Link => return Err("it is a link"),
        EntryKind::Submodule => return Err("it is a submodule"),
        EntryKind::Other => return Err("it is not a regular file"),
        EntryKind::File => {}
    }
    if entry.path.is_err() {
        return Err("its name is not UTF-8");
    }
    if path.contains('\\') {
        return Err("its name has a backslash");
    }
    if !path.starts_with(SOULS) && !path.starts_with(AGENTS) {
        return Err("its folder differs from ours only in case");
    }
    let id = if let Some(name) = path.strip_prefix(SOULS) {
        if !name.to_ascii_lowercase().ends_with(".md") {
            return Ok(None);
        }
        if name.contains('/') {
            return Err("souls are files in `souls/` itself, not in a folder below it");
        }
        let id = SoulId::of_file(name).ok_or("its name is not the id of a soul")?;
        if !is_portable(id.as_str()) {
            return Err("its name is reserved on some systems");
        }
        ItemId::Soul(id)
    } else {
        let rest = path.strip_prefix(AGENTS).unwrap_or_default();
        let Some(name) = rest.strip_suffix(SOUL_FILE).and_then(|rest| rest.strip_suffix('/')) else { return Ok(None) };
        if name.contains('/') {
            return Ok(None);
        }
        let name: AgentName = name.parse().map_err(|_| "its name is not that of an agent")?;
        if !is_portable(name.as_str()) {
            return Err("its name is not a safe one for an agent");
        }
        ItemId::Agent(name)
    };
    if entry.size > MAX_BLOB { Err("it is larger than 1 MiB") } else { Ok(Some(id)) }
}

/// Whether a text has conflict markers, as a merge tool leaves them.
pub(super) fn has_markers(bytes: &[u8]) -> bool {
    let begins = |marker: &[u8]| bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(marker));
    begins(b"<<<<<<< ") && begins(b">>>>>>> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_souls_and_agents() {
        for (typed, id) in [("ops", "souls/ops"), ("souls/ops", "souls/ops"), ("agents/ada", "agents/ada")] {
            assert_eq!(typed.parse::<ItemId>().unwrap().to_string(), id);
        }
        let bad = [
            "",
            "souls//ops",
            "souls/../souls/ops",
            "../x",
            "/etc/passwd",
            "souls%2Fops",
            "souls/Not A Slug",
            "souls/team/ops",
            "docs/ops",
            "souls/con",
            "agents/..",
            "agents/a/b",
            "agents/.git",
            "agents/nul",
            "agents/%2e%2e",
            "agents/a\nb",
        ];
        for bad in bad {
            assert!(bad.parse::<ItemId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn markers_are_found_where_a_merge_tool_leaves_them() {
        assert!(has_markers(b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"));
        assert!(!has_markers(b"a\n=======\n> >>>>>>> quoted\n<<<<<<<\n"));
    }
}
