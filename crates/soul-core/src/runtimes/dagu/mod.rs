//! Dagu: the content of a soul between identity tags; name and description reach no model.

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::projected::{Read, one_file};
use super::{Delivery, Session};
use crate::formats::Provenance;
use crate::model::Dialect;

const RECORDED: &str = "Dagu, run on recorded cases: conformance/dagu-parse.json and its prompt template";

/// The facts about Dagu.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "dagu",
    name: "Dagu",
    basis: Basis::Recorded,
    unit: Unit::Bytes,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version { version: "1.0", source: RECORDED }],
    kinds: &[Kind { id: "main", meaning: "a chat, or a step with this soul", source: RECORDED }],
    reads: &[Reads { path: "SOUL.md", meaning: "the content of the selected soul", source: RECORDED }],
    limits: &[],
    rules: &[
        Rule { id: "invalid-soul", meaning: "a soul that cannot be read is not used", source: RECORDED },
        Rule { id: "not-in-prompt", meaning: "name and description never reach the model", source: RECORDED },
    ],
    settings: &[Setting {
        name: "soul",
        takes: Takes::Text,
        meaning: "the file of the soul, relative to the target",
        default: "SOUL.md",
        source: RECORDED,
    }],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let name = session.settings.get("soul").unwrap_or("SOUL.md");
    let print = |read: &Read| {
        let content = read.document().identity(Provenance::default());
        if content.is_empty() { content } else { format!("\n<identity>\n{content}\n</identity>\n") }
    };
    one_file(session, name, Dialect::Dagu, None, print)
}
