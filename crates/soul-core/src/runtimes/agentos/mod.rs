//! AgentOS: the body of SOUL.md, and STYLE.md under a heading. Frontmatter reaches no prompt, hard limits included.

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Unit, Version};
use super::files::{bytes_of, join};
use super::projected::{Read, aligned};
use super::units::js_trim;
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};
use crate::formats::Provenance;
use crate::model::Dialect;

const RECORDED: &str = "AgentOS, run on recorded cases: conformance/agentos-load.json and its prompt assembly";

/// The facts about AgentOS.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "agentos",
    name: "AgentOS",
    basis: Basis::Recorded,
    unit: Unit::Utf16,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version { version: "1.0", source: RECORDED }],
    kinds: &[Kind { id: "main", meaning: "an agent that is made from a workspace", source: RECORDED }],
    reads: &[
        Reads { path: "SOUL.md", meaning: "the body", source: RECORDED },
        Reads { path: "STYLE.md", meaning: "under `## Style`", source: RECORDED },
    ],
    limits: &[],
    rules: &[
        Rule {
            id: "not-in-prompt",
            meaning: "the frontmatter reaches no prompt: traits, moods and hard limits included",
            source: RECORDED,
        },
        Rule { id: "invalid-soul", meaning: "frontmatter that cannot be read stops the agent", source: RECORDED },
    ],
    settings: &[],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let mut parts = Vec::new();
    if let Some(read) = Read::new(session.files, &session.root, "SOUL.md", |_| Dialect::Agentos, &mut sources) {
        match read.refusal() {
            Some(reason) => read.refused(&mut delivery, "invalid-soul", &reason),
            None => {
                let body = read.document().identity(Provenance::default());
                let content = aligned(js_trim(&body), &read.source, read.file);
                let reason = "frontmatter reaches no prompt of AgentOS";
                delivery.losses.push(Loss::file(read.file, State::Dropped, "not-in-prompt", reason));
                delivery.files.push(Injected { path: read.path.clone(), content: content.clone() });
                parts.push(content);
            }
        }
    }
    let path = join(&session.root, "STYLE.md");
    if let Some(bytes) = bytes_of(session.files, &path) {
        let content = Traced::lossy(&bytes, sources.number(&path)).trimmed(js_trim);
        if !content.is_empty() {
            let mut part = Traced::from("## Style\n\n");
            part.push(&content);
            delivery.files.push(Injected { path, content });
            parts.push(part);
        }
    }
    delivery.text = Traced::joined(&parts, "\n\n").trimmed(js_trim);
    delivery.sources = sources.paths();
    delivery
}
