//! AGH: a strict SOUL.md, printed as a block after the agent's own prompt.

use super::facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Unit, Version};
use super::files::{bytes_of, join};
use super::projected::{Read, one_file};
use super::{Delivery, Session, Traced};
use crate::formats::Provenance;
use crate::model::Dialect;
use crate::prompt::agent_body;

const RECORDED: &str = "AGH, run on recorded cases: conformance/agh-parse.json and its prompt blocks";
/// Where the section is cut, in code points; the closing tag goes with it.
const SECTION_LIMIT: usize = 16_000;

/// The facts about AGH.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "agh",
    name: "AGH",
    basis: Basis::Recorded,
    unit: Unit::CodePoints,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version { version: "1.0", source: RECORDED }],
    kinds: &[
        Kind { id: "main", meaning: "a session of the agent", source: RECORDED },
        Kind { id: "subagent", meaning: "a spawned session: it has the soul of its own agent", source: RECORDED },
    ],
    reads: &[
        Reads { path: "AGENT.md", meaning: "the agent's prompt: the body", source: RECORDED },
        Reads { path: "SOUL.md", meaning: "the soul, if it is valid", source: RECORDED },
    ],
    limits: &[
        Limit {
            setting: "",
            value: SECTION_LIMIT as u64,
            unit: Unit::CodePoints,
            per: "the block of the soul",
            versions: "1.0",
            source: RECORDED,
        },
        Limit {
            setting: "",
            value: 32_768,
            unit: Unit::Bytes,
            per: "the body, or the soul is invalid",
            versions: "1.0",
            source: RECORDED,
        },
    ],
    rules: &[
        Rule { id: "invalid-soul", meaning: "an invalid soul is not used", source: RECORDED },
        Rule {
            id: "section-limit",
            meaning: "the block is cut after 16,000 code points, without a mark",
            source: RECORDED,
        },
        Rule { id: "not-in-prompt", meaning: "`version` is not printed", source: RECORDED },
    ],
    settings: &[],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let print = |read: &Read| read.document().identity(Provenance { source_path: "SOUL.md", snapshot_id: None });
    let mut delivery = one_file(session, "SOUL.md", Dialect::Agh, Some((SECTION_LIMIT, "section-limit")), print);
    let path = join(&session.root, "AGENT.md");
    let Some(bytes) = bytes_of(session.files, &path) else { return delivery };
    let whole = Traced::lossy(&bytes, delivery.sources.len());
    let length = whole.as_str().len();
    let Ok(start) = agent_body(whole.as_str()).map(|body| length - body.len()) else { return delivery };
    let mut text = whole.slice(start..length).trimmed(str::trim);
    delivery.sources.push(path);
    if !delivery.text.is_empty() {
        text.push_str("\n\n");
    }
    text.push(&delivery.text);
    delivery.text = text;
    delivery
}
