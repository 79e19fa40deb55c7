//! A sub-agent of Claude Code: its body is its whole system prompt.
//!
//! By its documentation; nothing was recorded.

use super::claude_output_style::one_of;
use super::facts::{Basis, Kind, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::{Delivery, Session};

const DOCS: &str = "code.claude.com/docs/en/sub-agents";

/// The facts about sub-agents.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "claude-subagent",
    name: "Claude Code sub-agent",
    basis: Basis::Documented,
    unit: Unit::Utf16,
    soul_at: ".claude/agents/soul.md",
    soul_opening: "---\nname: soul\ndescription: The agent that this soul describes\n---\n",
    memory_at: "",
    versions: &[Version { version: "2.1", source: DOCS }],
    kinds: &[
        Kind { id: "subagent", meaning: "the sub-agent itself", source: DOCS },
        Kind { id: "main", meaning: "the session that delegates: it sees name and description only", source: DOCS },
    ],
    reads: &[Reads { path: ".claude/agents/*.md", meaning: "the one that is delegated to", source: DOCS }],
    limits: &[],
    rules: &[
        Rule {
            id: "subagent-only",
            meaning: "the body is the system prompt of the sub-agent, not of the session that delegates",
            source: DOCS,
        },
        Rule { id: "frontmatter", meaning: "the frontmatter is not part of the prompt", source: DOCS },
        Rule { id: "not-selected", meaning: "another sub-agent has its own file", source: DOCS },
    ],
    settings: &[Setting {
        name: "agent",
        takes: Takes::Text,
        meaning: "the file name of the sub-agent, without `.md`",
        default: "the first",
        source: DOCS,
    }],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let applies = if session.kind == "subagent" {
        Ok(())
    } else {
        Err(("subagent-only", "the session that delegates sees name and description only"))
    };
    one_of(session, ".claude/agents", session.settings.get("agent"), applies)
}
