//! Cantus: the six sections of SOUL.md, in their own order.

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Unit, Version};
use super::projected::{Read, one_file};
use super::{Delivery, Session};
use crate::formats::Provenance;
use crate::model::Dialect;

const RECORDED: &str = "cantus, run on recorded cases: conformance/cantus-parse.json";

/// The facts about Cantus.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "cantus",
    name: "Cantus",
    basis: Basis::Recorded,
    unit: Unit::CodePoints,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version { version: "1.0", source: RECORDED }],
    kinds: &[Kind { id: "main", meaning: "an agent with this soul", source: RECORDED }],
    reads: &[Reads { path: "SOUL.md", meaning: "its six sections", source: RECORDED }],
    limits: &[],
    rules: &[
        Rule { id: "invalid-soul", meaning: "a soul without exactly the six sections is refused", source: RECORDED },
        Rule { id: "not-in-prompt", meaning: "text before the first section is lost", source: RECORDED },
    ],
    settings: &[],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let print = |read: &Read| read.document().identity(Provenance::default());
    one_file(session, "SOUL.md", Dialect::Cantus, None, print)
}
