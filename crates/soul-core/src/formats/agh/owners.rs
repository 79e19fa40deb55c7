//! What a soul may not declare, and who owns it.

/// The owner as messages name it, the place to put it instead, and the names.
struct Owner {
    name: &'static str,
    belongs_in: &'static str,
    fields: &'static [&'static str],
}

const OWNERS: [Owner; 12] = [
    Owner { name: "AGENT.md", belongs_in: "AGENT.md", fields: &["name", "provider", "command", "model", "prompt"] },
    Owner {
        name: "AGENT.md",
        belongs_in: "AGENT.md or config.toml",
        fields: &["tools", "toolsets", "deny_tools", "permissions", "mcp_servers", "hooks"],
    },
    Owner {
        name: "capabilities",
        belongs_in: "capabilities.toml or capabilities/*",
        fields: &["capabilities", "capability"],
    },
    Owner {
        name: "the task runtime",
        belongs_in: "the runtime's task API",
        fields: &["tasks", "task", "task_runs", "run", "ownership", "claim_token", "claim_token_hash"],
    },
    Owner { name: "runtime state", belongs_in: "the runtime's task API", fields: &["scheduler", "lease"] },
    Owner { name: "runtime state", belongs_in: "HEARTBEAT.md and [agents.heartbeat]", fields: &["heartbeat", "wake"] },
    Owner {
        name: "runtime state",
        belongs_in: "the runtime's session API",
        fields: &["session", "session_liveness", "activity"],
    },
    Owner {
        name: "AGH Network presence",
        belongs_in: "the AGH Network protocol",
        fields: &["network", "channels", "peers", "presence"],
    },
    Owner { name: "session spawn overlays", belongs_in: "the runtime's configuration", fields: &["spawn"] },
    Owner {
        name: "config",
        belongs_in: "the runtime's configuration",
        fields: &["env", "config", "defaults", "settings"],
    },
    Owner { name: "config", belongs_in: "config.toml", fields: &["providers", "sandboxes"] },
    Owner {
        name: "the memory runtime",
        belongs_in: "the runtime's memory store; how the agent treats memory goes into `memory_policy`",
        fields: &["memory", "memory_store", "memory_scope", "memory_type", "memories"],
    },
];

/// The owner of a name that a soul may not declare, and where to declare it instead.
///
/// ```
/// use soul_core::formats::agh::owner;
/// assert_eq!(owner("tools"), Some(("AGENT.md", "AGENT.md or config.toml")));
/// assert_eq!(owner("tone"), None);
/// ```
#[must_use]
pub fn owner(name: &str) -> Option<(&'static str, &'static str)> {
    let owner = OWNERS.iter().find(|owner| owner.fields.contains(&name))?;
    Some((owner.name, owner.belongs_in))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn forty_three_names_are_owned_once() {
        let names: Vec<_> = OWNERS.iter().flat_map(|owner| owner.fields).collect();
        assert_eq!(names.len(), 43);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 43);
    }
}
