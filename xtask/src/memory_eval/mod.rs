//! How well memory search finds what people labelled: nDCG@5 by category and language, beside
//! SQLite's FTS5 with trigrams and a plain BM25, all in one run.
//!
//! `cargo xtask memory-eval [DIR] [--missed]`, where DIR holds `queries.json` and the corpora;
//! `--missed` shows what was found instead of what should have been.

mod peers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use soul_core::search::{Day, Options, Query, sections};
use soul_engine::index::Index;
use soul_engine::workspace::Memory;

/// The corpora, as their folders are named, and what each asks.
const CORPORA: [(&str, &str); 3] =
    [("corpus", "base"), ("corpus-adv", "hard negatives"), ("corpus-hard", "ten times the text")];

const DEPTH: usize = 5;

#[derive(Deserialize)]
struct Labels {
    now: String,
    queries: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    category: String,
    lang: String,
    query: String,
    relevant: Vec<Relevant>,
}

#[derive(Deserialize)]
struct Relevant {
    file: String,
    section: String,
    grade: u32,
}

/// Something that ranks sections, each named by file and heading.
trait Engine {
    fn name(&self) -> &'static str;
    fn search(&self, query: &str) -> Result<Vec<(String, String)>, String>;
}

/// A section of a corpus.
struct Text {
    file: String,
    heading: String,
    text: String,
}

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let missed = words.iter().any(|word| word == "--missed");
    let folder = words.iter().find(|word| !word.starts_with("--"));
    let folder = PathBuf::from(folder.map_or("../shared/corpora/memory", String::as_str));
    let read = std::fs::read(folder.join("queries.json")).map_err(|error| format!("queries.json: {error}"))?;
    let labels: Labels = serde_json::from_slice(&read).map_err(|error| format!("queries.json: {error}"))?;
    let now = labels.now.get(..10).and_then(Day::parse).ok_or("queries.json: `now` is no date")?;
    for (name, what) in CORPORA {
        let corpus = folder.join(name);
        if corpus.is_dir() {
            println!("\n{name} ({what})");
            let engines = engines(&corpus, now)?;
            let asked = asked(&labels, name);
            table(&asked, &engines)?;
            if missed {
                show_missed(&asked, &*engines[0])?;
            }
        }
    }
    Ok(())
}

fn engines(corpus: &Path, now: Day) -> Result<Vec<Box<dyn Engine>>, String> {
    let texts = texts(corpus)?;
    println!("{} sections", texts.len());
    Ok(vec![
        Box::new(Ours::open(corpus, now)?),
        Box::new(peers::Trigrams::new(&texts)?),
        Box::new(peers::PlainBm25::new(&texts)),
    ])
}

fn texts(corpus: &Path) -> Result<Vec<Text>, String> {
    let memory = Memory::open(corpus).map_err(|error| error.to_string())?;
    let look = memory.look().map_err(|error| error.to_string())?;
    let mut texts = Vec::new();
    for file in look.files.into_keys() {
        let bytes = memory.read(&file).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        texts.extend(sections(&text).sections.into_iter().map(|section| Text {
            file: file.clone(),
            text: text[section.span].to_owned(),
            heading: section.heading,
        }));
    }
    Ok(texts)
}

struct Ours {
    index: Index,
    now: Day,
}

impl Ours {
    fn open(corpus: &Path, now: Day) -> Result<Self, String> {
        let memory = Memory::open(corpus).map_err(|error| error.to_string())?;
        let index = Index::open(&memory, None, false, &|_| {}).map_err(|error| error.to_string())?;
        Ok(Self { index, now })
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        "soul"
    }

    fn search(&self, query: &str) -> Result<Vec<(String, String)>, String> {
        let options = Options { limit: DEPTH, ..Options::new(self.now) };
        let hits = self.index.search(&Query::new(query), &options, &|_, _| true).map_err(|error| error.to_string())?;
        let named = hits.iter().map(|hit| {
            let record = self.index.record(hit).map_err(|error| error.to_string())?;
            Ok((self.index.path(hit).to_owned(), record.heading))
        });
        named.collect()
    }
}

/// nDCG@5 with the gain 2^grade − 1.
fn ndcg(found: &[(String, String)], relevant: &[Relevant]) -> f64 {
    let gain = |grade: u32| f64::from((1u32 << grade) - 1);
    let discount = |rank: usize| (rank as f64 + 2.0).log2();
    let grade = |(file, heading): &(String, String)| {
        relevant.iter().find(|one| one.file == *file && one.section == *heading).map_or(0, |one| one.grade)
    };
    let mut best: Vec<u32> = relevant.iter().map(|one| one.grade).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let sum = |grades: &mut dyn Iterator<Item = u32>| -> f64 {
        grades.take(DEPTH).enumerate().map(|(rank, grade)| gain(grade) / discount(rank)).sum()
    };
    sum(&mut found.iter().map(grade)) / sum(&mut best.into_iter())
}

/// The queries that a corpus can answer: a short word alone is truly ambiguous among sections that
/// scatter words.
fn asked<'a>(labels: &'a Labels, corpus: &str) -> Vec<&'a Labelled> {
    let clear = |one: &&Labelled| one.query.split_whitespace().count() > 1 || one.query.chars().count() >= 5;
    labels.queries.iter().filter(|one| corpus != "corpus-adv" || clear(one)).collect()
}

fn show_missed(asked: &[&Labelled], engine: &dyn Engine) -> Result<(), String> {
    for one in asked {
        let found = engine.search(&one.query)?;
        let score = ndcg(&found, &one.relevant);
        if score < 0.999 {
            println!("{score:.2} {} {}: {}", one.category, one.lang, one.query);
            found.iter().for_each(|(file, heading)| println!("       {file} {heading}"));
        }
    }
    Ok(())
}

fn table(asked: &[&Labelled], engines: &[Box<dyn Engine>]) -> Result<(), String> {
    let mut rows: BTreeMap<(u8, &str), Vec<Vec<f64>>> = BTreeMap::new();
    for (number, one) in asked.iter().enumerate() {
        let scores = engines.iter().map(|engine| engine.search(&one.query).map(|found| ndcg(&found, &one.relevant)));
        let scores = scores.collect::<Result<Vec<f64>, String>>()?;
        let half = if number % 2 == 0 { "odd half" } else { "even half" };
        for key in [(0, "all"), (1, half), (2, one.lang.as_str()), (3, one.category.as_str())] {
            rows.entry(key).or_default().push(scores.clone());
        }
    }
    print!("{:<12} {:>4}", "nDCG@5", "n");
    engines.iter().for_each(|engine| print!("  {:>14}", engine.name()));
    println!();
    for ((_, name), scores) in rows {
        print!("{name:<12} {:>4}", scores.len());
        for engine in 0..engines.len() {
            let mean = scores.iter().map(|one| one[engine]).sum::<f64>() / scores.len() as f64;
            print!("  {mean:>14.3}");
        }
        println!();
    }
    Ok(())
}
