//! Parse and digest: an ordinary soul, a large one, the worst legal ones, and bombs.
//!
//! `plain serde` is what one would write without us: split at the fences, a YAML library into a
//! struct, sha-256 over the text. It checks nothing and knows no positions.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use soul_core::formats::{Context, parse};
use soul_core::model::Dialect;
use soul_core::text::Source;

const ORDINARY: &str = "---
version: 1
role: \"Senior Reviewer\"
tone:
  - direct
  - calm
principles:
  - \"Cite the file or symbol when surfacing a defect.\"
  - \"Lead with blocking findings.\"
constraints:
  - \"Do not propose silent rewrites.\"
tags:
  - reviewer
---
You are a senior reviewer who values direct, evidence-backed feedback.
Surface findings first.
";

fn large() -> String {
    let paragraph =
        "You weigh each finding before you speak, and you say what would change your mind.\n\n## A heading\n\n";
    format!("{}{}", &ORDINARY[..ORDINARY.rfind("---\n").unwrap() + 4], paragraph.repeat(30 * 1024 / paragraph.len()))
}

/// A plain soul with sections of every kind, of 30 KiB.
fn plain_soul() -> String {
    let sections = "## Core Truths\n\n**Be useful.** Help, and leave the rest out.\n\n## Boundaries\n\n- Private things stay private.\n- Ask before you act in public.\n\n## Vibe\n\nDry, kind, brief.\n\n## Notes on tides\n\nThe moon pulls twice a day.\n\n";
    format!("# SOUL.md - Ada\n\nYou are Ada.\n\n{}", sections.repeat(30 * 1024 / sections.len()))
}

/// The files beside a soul: ten of them.
fn beside() -> Context {
    let names = [
        "IDENTITY.md",
        "AGENTS.md",
        "USER.md",
        "TOOLS.md",
        "STYLE.md",
        "RULES.md",
        "MEMORY.md",
        "HEARTBEAT.md",
        "BOOTSTRAP.md",
        "memory/2026-11-16.md",
    ];
    let text = "# Card\n\n- Name: Ada\n- Vibe: calm\n\n## Must Never\n\n- Share secrets.\n".repeat(20);
    Context {
        files: names.iter().map(|name| ((*name).to_owned(), Source::from(text.as_str()))).collect(),
        ..Context::default()
    }
}

/// The items of a soul in a dialect that reads prose as one passage, and in the one that reads its headings.
fn items(text: &str, dialect: Dialect, context: &Context) -> usize {
    parse(Source::from(text), dialect, context).document.soul().items.len()
}

/// The most work that a legal text of 32 KiB can be.
fn worst() -> Vec<(&'static str, String)> {
    let words = |count: usize, word: fn(usize) -> String| (0..count).map(word).collect::<Vec<_>>();
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap()).to_string();
    vec![
        ("one long role", format!("---\nrole: \"{}\"\n---\n", "<".repeat(32_700))),
        ("8000 one-letter principles", format!("---\nprinciples: [{}]\n---\n", words(8_000, letter).join(", "))),
        ("16000 entries", format!("---\ntone: [{}]\n---\n", words(16_000, |_| "a".into()).join(","))),
        ("6500 keys", format!("---\n{}\n---\n", words(6_500, key).join("\n"))),
        ("fences and headings", "```\n# x\n```\n# y\n".repeat(2_000)),
        ("reserved headings", "# tools\n".repeat(4_000)),
        // A reserved heading makes the Markdown parser look for code fences.
        ("heading, then brackets", format!("# tools\n\n{}", "[".repeat(32_000))),
        ("heading, then stars", format!("# tools\n\n{}", "*a **b ".repeat(4_600))),
        ("heading, then quotes", format!("# tools\n\n{}", "> ".repeat(16_000))),
        ("fenced headings", "```\n# tools\n```\n".repeat(2_000)),
    ]
}

/// A different key of two or three letters for every number.
fn key(n: usize) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let tail = if n < 62 * 52 { String::new() } else { letters[n / (62 * 52)].to_string() };
    format!("{}{}{tail}:", letters[n % 52], letters[n / 52 % 62])
}

fn bombs() -> Vec<(&'static str, String)> {
    let mut laughs = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for level in 1..20 {
        let below = vec![format!("*a{}", level - 1); 9].join(",");
        laughs.push_str(&format!("a{level}: &a{level} [{below}]\n"));
    }
    let deep = "[".repeat(30_000);
    let repeated = format!("a: &a {}\nb: [{}]", "x".repeat(10_000), vec!["*a"; 5_000].join(","));
    [("nine laughs, twenty levels", laughs), ("30000 brackets", deep), ("10 kB × 5000 aliases", repeated)]
        .map(|(name, yaml)| (name, format!("---\n{yaml}\n---\n")))
        .to_vec()
}

fn ours(text: &str) -> Option<String> {
    let parsed = parse(Source::from(text), Dialect::Agh, &Context::default());
    parsed.digest().map(|digest| digest.to_string())
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Plain {
    version: u32,
    role: String,
    tone: Vec<String>,
    principles: Vec<String>,
    constraints: Vec<String>,
    tags: Vec<String>,
}

fn plain_serde(text: &str) -> Option<[u8; 32]> {
    let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let front: Plain = serde_saphyr::from_str(front).ok()?;
    let mut hash = Sha256::new();
    hash.update(front.role.as_bytes());
    hash.update(body.as_bytes());
    Some(hash.finalize().into())
}

fn benches(criterion: &mut Criterion) {
    for (name, text) in [("ordinary", ORDINARY.to_owned()), ("30 KiB", large())] {
        let mut group = criterion.benchmark_group(format!("parse + digest/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        assert!(ours(&text).is_some() && plain_serde(&text).is_some());
        group.bench_function("ours", |bench| bench.iter(|| ours(black_box(&text))));
        group.bench_function("plain serde", |bench| bench.iter(|| plain_serde(black_box(&text))));
        group.finish();
    }
    let text = plain_soul();
    for (name, context) in [("30 KiB, alone", Context::default()), ("30 KiB, ten files beside it", beside())] {
        let mut group = criterion.benchmark_group(format!("parse + items/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        for dialect in [Dialect::Plain, Dialect::Agentos] {
            group.bench_function(dialect.as_str(), |bench| bench.iter(|| items(black_box(&text), dialect, &context)));
        }
        group.finish();
    }
    for (name, texts) in [("worst legal 32 KiB", worst()), ("bombs", bombs())] {
        let mut group = criterion.benchmark_group(name);
        for (name, text) in texts {
            group.bench_function(name, |bench| bench.iter(|| ours(black_box(&text))));
        }
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
