//! The tools: which operations are offered, under which names, with which of their keys.

use std::str::FromStr;
use std::sync::OnceLock;

use serde_json::{Value, json};
use soul_engine::ops::{self, Entry};
use soul_engine::{Caller, Grant};

use super::{Options, schema};

/// A selection of tools. A model that sees all of them chooses badly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Profile {
    /// To know who one is, and to remember.
    #[default]
    Core,
    /// To search, read and add to memories.
    Memory,
    /// To write and review souls.
    Author,
    /// Every tool.
    All,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 4] = [Self::Core, Self::Memory, Self::Author, Self::All];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Memory => "memory",
            Self::Author => "author",
            Self::All => "all",
        }
    }
}

/// The text is not the name of a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the profiles are core, memory, author and all")]
pub struct UnknownProfile;

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        Self::ALL.into_iter().find(|profile| profile.as_str() == text).ok_or(UnknownProfile)
    }
}

/// How a result is put into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// Each key on a line, lists with their first entries.
    Outline,
    /// The value of this key, whole.
    Text(&'static str),
    /// The hits of a search.
    Hits,
}

/// A tool: an operation, and what of it is offered.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) operation: &'static str,
    profiles: &'static [Profile],
    /// The keys of the request that are arguments, in this order.
    pub(super) keys: &'static [&'static str],
    /// Keys of the response that are left out, because they say again what others say. A dot leads into an object or the
    /// entries of a list.
    pub(super) drops: &'static [&'static str],
    /// Whether the arguments name one target of an operation that takes many.
    pub(super) one_target: bool,
    /// Whether a directory may stand for the agent, as in the peer's tools.
    pub(super) memory_dir: bool,
    /// Whether it only reads, because the keys with which the operation changes something are not arguments.
    reads: bool,
    /// The grant that must be given for it to be offered, besides the one of the operation.
    pub(super) grant: Option<Grant>,
    pub(super) words: Words,
}

const fn tool(
    name: &'static str,
    title: &'static str,
    operation: &'static str,
    profiles: &'static [Profile],
    keys: &'static [&'static str],
) -> Tool {
    Tool {
        name,
        title,
        operation,
        profiles,
        keys,
        drops: &[],
        one_target: false,
        memory_dir: false,
        reads: false,
        grant: None,
        words: Words::Outline,
    }
}

const INSPECTED: &[&str] = &["document", "frontmatter", "config_provenance", "limits", "enabled"];
const VALIDATED: &[&str] = &[
    "results.document",
    "results.frontmatter",
    "results.config_provenance",
    "results.limits",
    "results.enabled",
    "results.soul",
    "results.body",
];
const WRITTEN: &[&str] =
    &["soul.document", "soul.frontmatter", "soul.config_provenance", "soul.limits", "soul.soul", "soul.body"];
const PROPOSED: &[&str] = &["change.soul", "proposal.body"];

use Profile::{Author, Core, Memory};

/// Every tool, in the order of the list.
pub(super) static TOOLS: &[Tool] = &[
    tool("soul_list", "List agents", "list", &[Core, Author], &[]),
    Tool {
        drops: INSPECTED,
        ..tool("soul_inspect", "Inspect a soul", "inspect", &[Core, Author], &["agent", "soul", "body", "dialect"])
    },
    Tool {
        drops: &["layers.text"],
        words: Words::Text("text"),
        ..tool(
            "soul_prompt",
            "Assemble the prompt",
            "prompt",
            &[Core, Author],
            &["agent", "soul", "session_id", "layer", "situation", "task"],
        )
    },
    tool("soul_context", "Show the compact context", "context", &[Core], &["agent", "soul", "session_id"]),
    Tool {
        one_target: true,
        drops: VALIDATED,
        ..tool(
            "soul_validate",
            "Validate a soul",
            "validate",
            &[Core, Author],
            &["agent", "soul", "body", "dialect", "profile"],
        )
    },
    tool("soul_scan", "Scan for poison", "scan", &[Core, Author], &["agent", "soul", "body", "files", "untrusted"]),
    Tool {
        one_target: true,
        reads: true,
        ..tool("soul_check", "Check a soul", "check", &[Author], &["agent", "soul", "body", "fail_on"])
    },
    Tool {
        words: Words::Text("text"),
        ..tool("soul_convert", "Convert a soul", "convert", &[Author], &["agent", "soul", "body", "from", "to"])
    },
    tool("soul_history", "Show the history", "history", &[Author], &["agent", "limit", "cursor", "diffs"]),
    Tool {
        words: Words::Text("text"),
        ..tool("soul_diff", "Compare revisions", "diff", &[Author], &["agent", "from", "to"])
    },
    tool("soul_rollback_check", "Check for drift", "rollback-check", &[Author], &["current_files", "original_files"]),
    Tool {
        drops: PROPOSED,
        ..tool(
            "soul_propose",
            "Propose a change",
            "propose",
            &[Core, Author],
            &["agent", "body", "edits", "reason", "evidence", "session"],
        )
    },
    Tool {
        grant: Some(Grant::Write),
        drops: WRITTEN,
        ..tool(
            "soul_write",
            "Replace a soul",
            "write",
            &[Author],
            &["agent", "body", "expected_digest", "message", "dialect", "create", "idempotency_key"],
        )
    },
    Tool {
        drops: &["query"],
        ..tool("soul_search", "Search packages", "registry.search", &[Author], &["query", "category", "limit"])
    },
    Tool {
        drops: &[
            "author",
            "avgRating",
            "category",
            "contents",
            "digest",
            "displayName",
            "downloads",
            "featured",
            "files",
            "fullName",
            "manifest",
            "path",
            "rating",
            "readme",
            "scanScore",
            "signed",
            "source",
            "submittedAt",
            "tags",
            "type",
        ],
        ..tool("soul_get", "Show a package", "registry.show", &[Author], &["owner", "name"])
    },
    Tool {
        grant: Some(Grant::Write),
        ..tool("soul_install", "Install a package", "install", &[Author], &["owner", "name", "plan_digest"])
    },
    tool("persona_show", "Show traits and mood", "persona.show", &[Author], &["agent"]),
    tool(
        "persona_adapt",
        "Adapt a trait",
        "persona.adapt",
        &[Author],
        &["agent", "trait", "delta", "reason", "session"],
    ),
    Tool {
        memory_dir: true,
        words: Words::Hits,
        ..tool(
            "memory_search",
            "Search memory",
            "memory.search",
            &[Core, Memory],
            &["agent", "all_agents", "query", "limit", "topic", "enhanced"],
        )
    },
    Tool {
        memory_dir: true,
        words: Words::Text("text"),
        ..tool(
            "memory_detail",
            "Read memory",
            "memory.detail",
            &[Core, Memory],
            &["agent", "file", "line", "section", "lines"],
        )
    },
    Tool {
        memory_dir: true,
        ..tool("memory_status", "Show the state of a memory", "memory.status", &[Memory], &["agent"])
    },
    tool("memory_sync", "Sync memory", "memory.sync", &[Memory], &["agent", "action", "remote", "branch", "message"]),
    tool("memory_add", "Add to memory", "memory.add", &[Memory], &["agent", "text", "section", "topic"]),
];

impl Tool {
    /// The tool of this name, offered or not.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    pub(super) fn entry(&self) -> Option<&'static Entry> {
        ops::find(self.operation)
    }

    /// Whether it changes nothing.
    pub(super) fn is_read_only(&self) -> bool {
        self.reads || self.entry().is_some_and(|entry| entry.hints.read_only)
    }

    /// Whether it may replace or remove something, which a client that can is asked to confirm.
    pub(super) fn is_destructive(&self) -> bool {
        !self.is_read_only() && self.entry().is_some_and(|entry| entry.hints.destructive)
    }

    /// Whether a client with these options is offered it.
    pub(super) fn is_offered(&self, options: &Options, caller: &Caller) -> bool {
        let is_selected = options.tools == Profile::All || self.profiles.contains(&options.tools);
        is_selected && self.is_allowed(options, caller)
    }

    /// Whether a client with these options may use it, if its profile has it.
    pub(super) fn is_allowed(&self, options: &Options, caller: &Caller) -> bool {
        let needed = if self.is_read_only() { Grant::Read } else { Grant::Write };
        let is_granted = self.grant.is_none_or(|grant| options.grants.contains(&grant));
        self.entry().is_some() && caller.has(needed) && is_granted && (self.is_read_only() || !options.read_only)
    }

    /// Its definition, as `tools/list` has it.
    fn definition(&self, agent_is_known: bool) -> Value {
        let Some(entry) = self.entry() else { return Value::Null };
        // The other hints mean nothing for a tool that changes nothing.
        let annotations = if self.is_read_only() {
            json!({ "readOnlyHint": true, "openWorldHint": false })
        } else {
            json!({
                "readOnlyHint": false,
                "destructiveHint": self.is_destructive(),
                "idempotentHint": entry.hints.idempotent,
                "openWorldHint": false,
            })
        };
        json!({
            "name": self.name,
            "title": self.title,
            "description": entry.request().description.replace('\n', " "),
            "inputSchema": schema::input(self, entry, agent_is_known),
            "outputSchema": schema::output(self, entry),
            "annotations": annotations,
        })
    }
}

/// The definitions of the tools that a client is offered. They depend on its options alone.
pub(super) fn definitions(options: &Options, caller: &Caller) -> Vec<&'static Value> {
    static KNOWN: OnceLock<Vec<Value>> = OnceLock::new();
    static NAMED: OnceLock<Vec<Value>> = OnceLock::new();
    let agent_is_known = options.agent.is_some();
    let cached = if agent_is_known { &KNOWN } else { &NAMED };
    let all = cached.get_or_init(|| TOOLS.iter().map(|tool| tool.definition(agent_is_known)).collect());
    let offered = TOOLS.iter().zip(all).filter(|(tool, _)| tool.is_offered(options, caller));
    offered.map(|(_, definition)| definition).collect()
}
