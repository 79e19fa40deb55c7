//! The samples that the five systems print in their own documentation: each is valid as it is detected.

use soul_core::formats::{Context, detect, parse};
use soul_core::model::Dialect;
use soul_core::text::Source;

const SAMPLES: [(&str, Option<&str>, Dialect, &str); 5] = [
    (
        "agh",
        None,
        Dialect::Agh,
        "---\nversion: 1\nrole: \"Senior Reviewer\"\ntone:\n- direct\n- calm\nprinciples:\n- \"Cite the file or symbol when \
         surfacing a defect.\"\n- \"Lead with blocking findings.\"\nconstraints:\n- \"Do not propose silent rewrites.\"\n\
         collaboration:\n- \"Ask before expanding scope.\"\nmemory_policy:\n- \"Prefer durable lessons over per-session \
         notes.\"\ntags:\n- reviewer\n---\nYou are a senior reviewer who values direct, evidence-backed feedback.\n",
    ),
    ("agentos, inline", None, Dialect::Agentos, "---\nname: Tester\n---\nYou are a test agent."),
    (
        "cantus",
        None,
        Dialect::Cantus,
        "## Name & Role\nLibrarian assistant for a small public library.\n## Personality\nHelpful, patient, curious \
         about books.\n## Rules\n- Cite catalog IDs when recommending books.\n## Tools\n- search_book(title)\n\
         ## Output format\nPlain prose with bullet points for lists.\n## Handoffs\nEscalate cataloging requests to the \
         head librarian.",
    ),
    (
        "dagu, outside of a library",
        Some("default.md"),
        Dialect::Dagu,
        "---\nname: Dagu Assistant\ndescription: General-purpose workflow automation assistant\n---\n\n# Identity\n\n\
         You are Dagu Assistant.\n\n# Priorities\n\n1. Safety: avoid unintended side effects.\n",
    ),
    (
        "soulspec, minimal",
        Some("soul.json"),
        Dialect::Soulspec,
        "{\n\"specVersion\": \"0.6\",\n\"name\": \"my-agent\",\n\"displayName\": \"My Agent\",\n\"version\": \"1.0.0\",\n\
         \"description\": \"A helpful assistant\"\n}\n",
    ),
];

#[test]
fn every_printed_sample_is_valid_as_it_is_detected() {
    for (sample, name, dialect, text) in SAMPLES {
        for is_agent in [false, true] {
            let source = Source::from(text);
            let detected = detect(&source, name, is_agent);
            assert_eq!(detected.dialect, dialect, "{sample}: {}", detected.reason);
            let context = Context { name: name.map(str::to_owned), ..Context::default() };
            let parsed = parse(source, dialect, &context);
            assert!(parsed.is_valid(), "{sample}: {:?}", parsed.diagnostics);
        }
    }
}
