//! Our own sessions: the full prompt, as `soul prompt` prints it for a folder, without what only a keeper knows.

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Unit, Version};
use super::files::{bytes_of, join};
use super::projected::{Read, stated};
use super::traced::Aligner;
use super::{Delivery, Injected, Loss, Session, Sources, State};
use crate::formats::{Provenance, detect};
use crate::model::Dialect;
use crate::prompt::{LimitSource, Parts, Passage, Persona, agent_body, assemble};

const OURS: &str = "docs/prompt.md of this project";

/// The facts about our own sessions.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "soul",
    name: "Soulkeeper sessions",
    basis: Basis::Own,
    unit: Unit::Bytes,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "MEMORY.md",
    versions: &[Version { version: "1.0", source: OURS }],
    kinds: &[
        Kind { id: "main", meaning: "a session of the agent", source: OURS },
        Kind { id: "subagent", meaning: "a spawned session: it has the soul of its own agent", source: OURS },
    ],
    reads: &[
        Reads { path: "AGENT.md", meaning: "the base prompt: the body", source: OURS },
        Reads { path: "SOUL.md", meaning: "the identity and the limits", source: OURS },
        Reads { path: "IDENTITY.md", meaning: "the card of a plain soul", source: OURS },
        Reads { path: "STYLE.md", meaning: "the style", source: OURS },
        Reads { path: "RULES.md", meaning: "hard limits", source: OURS },
        Reads { path: "AGENTS.md", meaning: "procedures", source: OURS },
        Reads { path: "TOOLS.md", meaning: "notes about tools", source: OURS },
        Reads { path: "USER.md", meaning: "the person", source: OURS },
        Reads { path: "MEMORY.md", meaning: "as an index", source: OURS },
    ],
    limits: &[],
    rules: &[
        Rule { id: "invalid-soul", meaning: "an invalid soul starts no session", source: OURS },
        Rule { id: "memory-index", meaning: "memory is given as an index, and searched", source: OURS },
        Rule {
            id: "not-in-prompt",
            meaning: "the card is for people, unless the soul is plain; metadata reaches no prompt",
            source: OURS,
        },
    ],
    settings: &[],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let detected = |source: &crate::text::Source| detect(source, None, false).dialect;
    let Some(read) = Read::new(session.files, &session.root, "SOUL.md", detected, &mut sources) else {
        return delivery;
    };
    if let Some(reason) = read.refusal() {
        read.refused(&mut delivery, "invalid-soul", &reason);
        delivery.sources = sources.paths();
        return delivery;
    }
    let file = |name: &str| {
        let bytes = bytes_of(session.files, &join(&session.root, name))?;
        Passage::new(String::from_utf8_lossy(&bytes), name).trimmed()
    };
    let base = bytes_of(session.files, &join(&session.root, "AGENT.md")).and_then(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Passage::new(agent_body(&text).ok()?, "AGENT.md").trimmed()
    });
    let document = read.document();
    let plain = document.dialect() == Dialect::Plain;
    let soul = document.soul();
    let identity = Passage {
        text: document.identity(Provenance { source_path: "SOUL.md", snapshot_id: None }),
        source: "SOUL.md".to_owned(),
        origin: read.source.clone(),
    };
    let persona = Persona::baseline(&soul);
    let parts = Parts {
        base,
        identity: Some(identity.clone()),
        card: if plain { file("IDENTITY.md") } else { None },
        style: file("STYLE.md"),
        rules: file("RULES.md"),
        soul: Some(LimitSource { soul: &soul, dialect: document.dialect(), passage: identity.clone() }),
        persona: Some((persona, identity)),
        procedures: file("AGENTS.md"),
        tools: file("TOOLS.md"),
        user: file("USER.md"),
        ..Parts::default()
    };
    let text = assemble(&parts).text;
    let mut aligner = Aligner::new(&text);
    for name in ["AGENT.md", "SOUL.md", "IDENTITY.md", "STYLE.md", "RULES.md", "AGENTS.md", "TOOLS.md", "USER.md"] {
        let path = join(&session.root, name);
        if let Some(bytes) = bytes_of(session.files, &path) {
            let number = sources.number(&path);
            aligner.lines(&String::from_utf8_lossy(&bytes), number);
            let content = String::from_utf8_lossy(&bytes).into_owned();
            delivery.files.push(Injected { path, content: content.as_str().into() });
            let reason = "this is not part of the prompt";
            delivery.losses.push(Loss::file(number, State::Dropped, "not-in-prompt", reason));
        }
    }
    let memory = join(&session.root, "MEMORY.md");
    if bytes_of(session.files, &memory).is_some() {
        let reason = "memory is given as an index, and searched";
        delivery.losses.push(Loss::file(sources.number(&memory), State::Dropped, "memory-index", reason));
    }
    delivery.text = aligner.finish();
    stated(&text, &soul, read.file, &mut delivery);
    delivery.sources = sources.paths();
    delivery
}
