//! Which files a session gets, by its key and chat type.

use crate::runtimes::files::{join, resolve};
use crate::runtimes::units::js_trim;

use super::budget::BootstrapFile;

/// What sub-agents get.
const SUBAGENT_FILES: &[&str] = &["AGENTS.md"];
/// What scheduled jobs get.
const CRON_FILES: &[&str] = &["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"];

/// The session that files are chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionKey<'a> {
    /// The key, such as `agent:main:telegram:group:7`.
    pub key: &'a str,
    /// The chat type, which overrides what the key says.
    pub chat_type: Option<&'a str>,
    /// The workspace; without one, MEMORY.md is recognised by its name alone.
    pub workspace: Option<&'a str>,
}

/// Why a session does not get a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withheld {
    /// A sub-agent gets AGENTS.md only.
    Subagent,
    /// A scheduled job gets four files.
    Cron,
    /// The memory of a workspace is private.
    Private,
}

impl SessionKey<'_> {
    /// Whether a file is withheld, and why.
    #[must_use]
    pub fn withholds(&self, file: &BootstrapFile) -> Option<Withheld> {
        let subagent = self.is_subagent();
        let cron = self.is_cron();
        let chat = self.chat_type.map_or_else(|| chat_type(self.key), str::to_owned);
        let private = subagent || cron || chat == "group" || chat == "channel";
        if subagent && !SUBAGENT_FILES.contains(&file.name.as_str()) {
            return Some(Withheld::Subagent);
        }
        if cron && !CRON_FILES.contains(&file.name.as_str()) {
            return Some(Withheld::Cron);
        }
        (private && self.is_root_memory(file)).then_some(Withheld::Private)
    }

    fn is_root_memory(&self, file: &BootstrapFile) -> bool {
        let Some(workspace) = self.workspace else { return file.name == "MEMORY.md" };
        let path = file.path.as_deref().map(js_trim).unwrap_or_default();
        !path.is_empty() && resolve(workspace, path) == join(&resolve("/", workspace), "MEMORY.md")
    }

    /// Whether the key is one of a sub-agent.
    #[must_use]
    pub fn is_subagent(&self) -> bool {
        self.begins_with("subagent:", true)
    }

    /// Whether the key is one of a scheduled job, which needs the agent's prefix.
    #[must_use]
    pub fn is_cron(&self) -> bool {
        self.begins_with("cron:", false)
    }

    /// Whether the key is one of an agent client protocol session.
    #[must_use]
    pub fn is_acp(&self) -> bool {
        self.begins_with("acp:", true)
    }

    fn begins_with(&self, kind: &str, bare: bool) -> bool {
        let key = js_trim(self.key).to_lowercase();
        (bare && key.starts_with(kind)) || rest_of_agent_key(&key).is_some_and(|rest| js_trim(rest).starts_with(kind))
    }
}

/// What follows `agent:ID:`.
fn rest_of_agent_key(key: &str) -> Option<&str> {
    let (id, rest) = key.strip_prefix("agent:")?.split_once(':')?;
    (!js_trim(id).is_empty() && !rest.is_empty() && !rest.starts_with(':')).then_some(rest)
}

/// The chat type that a key implies: `direct`, `group`, `channel` or `unknown`.
fn chat_type(key: &str) -> String {
    let key = js_trim(key).to_lowercase();
    let key = rest_of_agent_key(&key).unwrap_or(&key);
    canonical(key).or_else(|| legacy(key)).unwrap_or("unknown").to_owned()
}

fn is_peer_kind(part: Option<&&str>) -> bool {
    matches!(part, Some(&("direct" | "dm" | "group" | "channel")))
}

/// `direct:ID`, `CHANNEL:KIND:ID` or `CHANNEL:ACCOUNT:KIND:ID`; a key that can be read in two ways is neither.
fn canonical(key: &str) -> Option<&'static str> {
    let parts: Vec<&str> = key.split(':').collect();
    if parts[0] == "agent" {
        return None;
    }
    let filled = |index: usize| parts.get(index).is_some_and(|part| !part.is_empty());
    let bare = matches!(parts[0], "direct" | "dm");
    let readings = [
        bare && filled(1),
        filled(0) && is_peer_kind(parts.get(1)) && filled(2),
        filled(0) && filled(1) && is_peer_kind(parts.get(2)) && filled(3),
        legacy(key).is_some(),
    ];
    if readings.iter().filter(|reading| **reading).count() > 1 {
        return None;
    }
    let (kind, id) = if bare {
        (parts[0], 1)
    } else if filled(0) && is_peer_kind(parts.get(1)) {
        (parts[1], 2)
    } else if filled(0) && filled(1) && is_peer_kind(parts.get(2)) {
        (parts[2], 3)
    } else {
        return None;
    };
    filled(id).then_some(match kind {
        "group" => "group",
        "channel" => "channel",
        _ => "direct",
    })
}

/// Keys of older versions.
fn legacy(key: &str) -> Option<&'static str> {
    let opens = |kind: &str| {
        key.strip_prefix(kind).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(':') && one_line(rest))
    };
    if opens("group:") {
        return Some("group");
    }
    if opens("channel:") {
        return Some("channel");
    }
    let peer = key.strip_prefix("whatsapp:").unwrap_or(key);
    if peer.strip_suffix("@g.us").is_some_and(|id| !id.is_empty() && !id.contains(':')) {
        return Some("group");
    }
    let rest = key.strip_prefix("discord:")?;
    let parts: Vec<&str> = rest.split(':').collect();
    let named = |part: &str, kind: &str| part.strip_prefix(kind).is_some_and(|id| !id.is_empty());
    let guild = match parts.as_slice() {
        [guild, channel] => named(guild, "guild-") && named(channel, "channel-"),
        [account, guild, channel] => !account.is_empty() && named(guild, "guild-") && named(channel, "channel-"),
        _ => false,
    };
    guild.then_some("channel")
}

/// `.` of a pattern ends at a line; only what follows the id may matter.
fn one_line(rest: &str) -> bool {
    match rest.split_once(':') {
        Some((_, tail)) => !tail.contains(['\n', '\r', '\u{2028}', '\u{2029}']),
        None => true,
    }
}
