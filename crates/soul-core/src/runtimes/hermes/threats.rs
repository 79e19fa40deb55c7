//! The runtime's scan for injected instructions: a hit replaces the whole file, or the whole memory entry.
//!
//! These are its own patterns, as facts about what it blocks; our scanner is in `scan`.

use unicode_normalization::UnicodeNormalization;

use super::pattern::Step::{self, Any, Blank, Border, Either, Filler, Gap, Is, Maybe, OneSpace, Space, Token, Word};
use super::pattern::Text;

/// Only this much of a text is scanned.
const MAX_CHARS: usize = 65_536;

/// How much is forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Everywhere.
    All,
    /// In files of the context.
    Context,
    /// In memory.
    Strict,
}

struct Threat {
    id: &'static str,
    scope: Scope,
    steps: &'static [Step],
}

const F: Step = Filler(8);
const SECRET_NAMES: &[&str] = &["key", "token", "secret", "password", "credential", "api"];
const CHANGES: Step = Either(&[
    &[Is("update")],
    &[Is("modify")],
    &[Is("edit")],
    &[Is("write")],
    &[Is("change")],
    &[Is("append")],
    &[Is("add"), Space, Is("to")],
]);

/// In the runtime's order, which is the order of the ids in its placeholder.
const THREATS: &[Threat] = &[
    Threat {
        id: "prompt_injection",
        scope: Scope::All,
        steps: &[Is("ignore"), Space, F, Any(&["previous", "all", "above", "prior"]), Space, F, Is("instructions")],
    },
    Threat {
        id: "sys_prompt_override",
        scope: Scope::All,
        steps: &[Is("system"), Space, Is("prompt"), Space, Is("override")],
    },
    Threat {
        id: "disregard_rules",
        scope: Scope::All,
        steps: &[
            Is("disregard"),
            Space,
            F,
            Any(&["your", "all", "any"]),
            Space,
            F,
            Any(&["instructions", "rules", "guidelines"]),
        ],
    },
    Threat {
        id: "bypass_restrictions",
        scope: Scope::All,
        steps: &[
            Is("act"),
            Space,
            Is("as"),
            Space,
            Any(&["if", "though"]),
            Space,
            F,
            Is("you"),
            Space,
            F,
            Either(&[&[Is("have"), Space, Is("no")], &[Is("don't"), Space, Is("have")]]),
            Space,
            F,
            Any(&["restrictions", "limits", "rules"]),
        ],
    },
    Threat {
        id: "html_comment_injection",
        scope: Scope::All,
        steps: &[
            Is("<!--"),
            Gap('>', 512),
            Any(&["ignore", "override", "system", "secret", "hidden"]),
            Gap('>', 512),
            Is("-->"),
        ],
    },
    Threat {
        id: "hidden_div",
        scope: Scope::All,
        steps: &[
            Is("<"),
            Blank,
            Is("div"),
            Space,
            Is("style"),
            Blank,
            Is("="),
            Blank,
            Any(&["\"", "'"]),
            Gap('>', 2048),
            Is("display"),
            Blank,
            Is(":"),
            Blank,
            Is("none"),
        ],
    },
    Threat {
        id: "translate_execute",
        scope: Scope::All,
        steps: &[
            Is("translate"),
            Space,
            Gap('\n', 512),
            Space,
            Is("into"),
            Space,
            Gap('\n', 512),
            Space,
            Is("and"),
            Space,
            Any(&["execute", "run", "eval"]),
        ],
    },
    Threat {
        id: "deception_hide",
        scope: Scope::All,
        steps: &[Is("do"), Space, Is("not"), Space, F, Is("tell"), Space, F, Is("the"), Space, Is("user")],
    },
    Threat {
        id: "role_hijack",
        scope: Scope::Context,
        steps: &[Is("you"), Space, Is("are"), Space, F, Is("now"), Space, Any(&["a", "an", "the"]), Space],
    },
    Threat {
        id: "role_pretend",
        scope: Scope::Context,
        steps: &[
            Is("pretend"),
            Space,
            F,
            Either(&[&[Is("you"), Space, Is("are")], &[Is("to"), Space, Is("be")]]),
            Space,
        ],
    },
    Threat {
        id: "leak_system_prompt",
        scope: Scope::Context,
        steps: &[Is("output"), Space, F, Any(&["system", "initial"]), Space, Is("prompt")],
    },
    Threat {
        id: "remove_filters",
        scope: Scope::Context,
        steps: &[
            Any(&["respond", "answer", "reply"]),
            Space,
            Is("without"),
            Space,
            F,
            Any(&["restrictions", "limitations", "filters", "safety"]),
        ],
    },
    Threat {
        id: "fake_update",
        scope: Scope::Context,
        steps: &[
            Is("you"),
            Space,
            Is("have"),
            Space,
            Is("been"),
            Space,
            F,
            Any(&["updated", "upgraded", "patched"]),
            Space,
            Is("to"),
        ],
    },
    Threat {
        id: "identity_override",
        scope: Scope::Context,
        steps: &[Border, Is("name"), Space, Is("yourself"), Space, Word(1)],
    },
    Threat {
        id: "c2_node_registration",
        scope: Scope::Context,
        steps: &[Is("register"), Space, Maybe(&[Is("as"), Space]), Maybe(&[Is("a")]), Blank, Is("node")],
    },
    Threat {
        id: "c2_heartbeat",
        scope: Scope::Context,
        steps: &[
            Either(&[
                &[Is("heartbeat")],
                &[Is("beacon")],
                &[Is("check"), Maybe(&[Either(&[&[Is("-")], &[OneSpace]])]), Is("in")],
            ]),
            Space,
            Any(&["to", "with"]),
            Space,
        ],
    },
    Threat {
        id: "c2_task_pull",
        scope: Scope::Context,
        steps: &[
            Is("pull"),
            Space,
            Maybe(&[Is("down"), Space]),
            Maybe(&[Is("new"), Space]),
            Is("task"),
            Maybe(&[Any(&["ing", "s"])]),
            Border,
        ],
    },
    Threat {
        id: "c2_network_connect",
        scope: Scope::Context,
        steps: &[Is("connect"), Space, Is("to"), Space, Is("the"), Space, Is("network"), Border],
    },
    Threat {
        id: "forced_action",
        scope: Scope::Context,
        steps: &[
            Is("you"),
            Space,
            Is("must"),
            Space,
            Filler(3),
            Any(&["register", "connect", "report", "beacon"]),
            Border,
        ],
    },
    Threat {
        id: "anti_forensic_oneliner",
        scope: Scope::Context,
        steps: &[
            Is("only"),
            Space,
            Is("use"),
            Space,
            Is("one"),
            Maybe(&[Either(&[&[Is("-")], &[OneSpace]])]),
            Is("liner"),
            Maybe(&[Is("s")]),
            Border,
        ],
    },
    Threat {
        id: "anti_forensic_disk",
        scope: Scope::Context,
        steps: &[
            Is("never"),
            Space,
            F,
            Any(&["create", "write"]),
            Space,
            F,
            Any(&["script", "file"]),
            Space,
            F,
            Is("disk"),
        ],
    },
    Threat {
        id: "env_var_unset_agent",
        scope: Scope::Context,
        steps: &[Is("unset"), Space, Word(0), Any(&["claude", "codex", "hermes", "agent", "openai", "anthropic"])],
    },
    Threat {
        id: "known_c2_framework",
        scope: Scope::Context,
        steps: &[
            Border,
            Either(&[
                &[Is("cobalt"), Blank, Is("strike")],
                &[Is("sliver")],
                &[Is("havoc")],
                &[Is("mythic")],
                &[Is("metasploit")],
                &[Is("brainworm")],
            ]),
            Border,
        ],
    },
    Threat {
        id: "c2_explicit",
        scope: Scope::Context,
        steps: &[Border, Is("c2"), Space, Any(&["server", "channel", "infrastructure", "beacon"]), Border],
    },
    Threat {
        id: "c2_explicit_long",
        scope: Scope::Context,
        steps: &[Border, Is("command"), Space, Is("and"), Space, Is("control"), Border],
    },
    Threat {
        id: "exfil_curl",
        scope: Scope::All,
        steps: &[Is("curl"), Space, Gap('\n', 2048), Is("$"), Maybe(&[Is("{")]), Word(0), Any(SECRET_NAMES)],
    },
    Threat {
        id: "exfil_wget",
        scope: Scope::All,
        steps: &[Is("wget"), Space, Gap('\n', 2048), Is("$"), Maybe(&[Is("{")]), Word(0), Any(SECRET_NAMES)],
    },
    Threat {
        id: "read_secrets",
        scope: Scope::All,
        steps: &[
            Is("cat"),
            Space,
            Gap('\n', 2048),
            Any(&[".env", "credentials", ".netrc", ".pgpass", ".npmrc", ".pypirc"]),
        ],
    },
    Threat {
        id: "send_to_url",
        scope: Scope::Strict,
        steps: &[
            Any(&["send", "post", "upload", "transmit"]),
            Space,
            Gap('\n', 2048),
            Space,
            Any(&["to", "at"]),
            Space,
            Is("http"),
            Maybe(&[Is("s")]),
            Is("://"),
        ],
    },
    Threat {
        id: "context_exfil",
        scope: Scope::Strict,
        steps: &[
            Any(&["include", "output", "print", "share"]),
            Space,
            F,
            Either(&[
                &[Is("conversation")],
                &[Is("chat"), Space, Is("history")],
                &[Is("previous"), Space, Is("messages")],
                &[Is("full"), Space, Is("context")],
                &[Is("entire"), Space, Is("context")],
            ]),
        ],
    },
    Threat { id: "ssh_backdoor", scope: Scope::Strict, steps: &[Is("authorized_keys")] },
    Threat { id: "ssh_access", scope: Scope::Strict, steps: &[Any(&["$home/.ssh", "~/.ssh"])] },
    Threat { id: "hermes_env", scope: Scope::Strict, steps: &[Any(&["$home/.hermes/.env", "~/.hermes/.env"])] },
    Threat {
        id: "agent_config_mod",
        scope: Scope::Strict,
        steps: &[CHANGES, Space, Gap('\n', 2048), Any(&["agents.md", "claude.md", ".cursorrules", ".clinerules"])],
    },
    Threat {
        id: "hermes_config_mod",
        scope: Scope::Strict,
        steps: &[CHANGES, Space, Gap('\n', 2048), Any(&[".hermes/config.yaml", ".hermes/soul.md"])],
    },
    Threat {
        id: "hardcoded_secret",
        scope: Scope::Strict,
        steps: &[
            Either(&[
                &[Is("api"), Maybe(&[Any(&["_", "-"])]), Is("key")],
                &[Is("token")],
                &[Is("secret")],
                &[Is("password")],
            ]),
            Blank,
            Any(&["=", ":"]),
            Blank,
            Any(&["\"", "'"]),
            Token(20),
        ],
    },
];

const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{2062}'..='\u{2064}' | '\u{feff}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// The ids of what a text contains: invisible characters first, in the order of their code points (the runtime has no
/// order for them), then patterns.
#[must_use]
pub fn scan(text: &str, scope: Scope) -> Vec<String> {
    let text: Vec<char> = text.chars().take(MAX_CHARS).collect();
    let mut invisible: Vec<char> = text.iter().copied().filter(|c| is_invisible(*c)).collect();
    invisible.sort_unstable();
    invisible.dedup();
    let mut found: Vec<String> =
        invisible.into_iter().map(|c| format!("invisible_unicode_U+{:04X}", u32::from(c))).collect();
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let folded: Vec<char> = if text.iter().all(char::is_ascii) {
        text.iter().map(char::to_ascii_lowercase).collect()
    } else {
        text.into_iter().nfkc().map(lower).collect()
    };
    let folded = Text::new(folded);
    found.extend(
        THREATS
            .iter()
            .filter(|threat| threat.scope <= scope && folded.has(threat.steps))
            .map(|threat| threat.id.to_owned()),
    );
    found
}
