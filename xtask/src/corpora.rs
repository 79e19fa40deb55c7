//! The measuring data: files that are innocent, texts that attack, personas with and without poison.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The directory that a task was given, or the usual one.
pub(crate) fn directory(words: &[String]) -> PathBuf {
    words.iter().find(|word| !word.starts_with("--")).map_or_else(|| "../shared/corpora".into(), PathBuf::from)
}

/// One text and its source: a repository, or a set of attacks.
#[derive(Deserialize, Clone)]
pub(crate) struct Row {
    #[serde(alias = "set")]
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) path: String,
    /// `agent` is read by an agent, `doc` by people.
    #[serde(default = "agent")]
    pub(crate) kind: String,
    pub(crate) text: String,
}

fn agent() -> String {
    "agent".to_owned()
}

impl Row {
    /// A number that belongs to the text, for choosing without chance.
    pub(crate) fn number(&self) -> u64 {
        number(&self.text)
    }
}

/// A number that belongs to a text.
pub(crate) fn number(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 4
}

/// A persona of some files, poisoned or its innocent twin.
#[derive(Deserialize, Clone)]
pub(crate) struct Persona {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) family: String,
    pub(crate) language: String,
    pub(crate) style: String,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) poison: Vec<Poison>,
}

/// Where the poison is, as it is written there.
#[derive(Deserialize, Clone)]
pub(crate) struct Poison {
    pub(crate) file: String,
    pub(crate) quote: String,
}

impl Persona {
    pub(crate) fn is_poisoned(&self) -> bool {
        self.label == "poisoned"
    }
}

/// Everything there is to measure with.
pub(crate) struct Corpora {
    /// Real files of public repositories, each text of a repository once.
    pub(crate) innocents: Vec<Row>,
    pub(crate) personas: Vec<Persona>,
    pub(crate) attacks: Vec<Row>,
    /// Sentences that only look like attacks.
    pub(crate) near: Vec<Row>,
    /// Ordinary notes, to learn from and not to measure with.
    pub(crate) notes: Vec<String>,
}

impl Corpora {
    pub(crate) fn read(directory: &Path) -> Result<Self, String> {
        let mut innocents: Vec<Row> = rows(&directory.join("innocents-2.jsonl"))?;
        innocents.extend(rows::<Row>(&directory.join("benign.jsonl"))?);
        let mut seen = std::collections::HashSet::new();
        innocents.retain(|row| seen.insert((row.source.clone(), number(&row.text))));
        Ok(Self {
            innocents,
            personas: rows(&directory.join("personas-2.jsonl"))?,
            attacks: rows(&directory.join("attacks.jsonl"))?,
            near: rows(&directory.join("near-miss.jsonl"))?,
            notes: notes(&directory.join("memory"))?,
        })
    }
}

/// The rows of a file, one a line.
pub(crate) fn rows<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let row = |line: &str| serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(row).collect()
}

/// An attack in the middle of an innocent file, as a paragraph of its own.
pub(crate) fn embedded(carrier: &str, attack: &Row) -> String {
    let gaps: Vec<usize> = carrier.match_indices("\n\n").map(|(at, _)| at + 2).collect();
    let at = match gaps.len() {
        0 => carrier.len(),
        count => gaps[usize::try_from(attack.number() / 7 % count as u64).unwrap_or(0)],
    };
    format!("{}\n{}\n\n{}", &carrier[..at], attack.text, &carrier[at..])
}

/// Every Markdown file below a directory, in order.
fn notes(directory: &Path) -> Result<Vec<String>, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .map_err(wrong)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(wrong)?;
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        if path.is_dir() {
            texts.extend(notes(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            texts.push(std::fs::read_to_string(&path).map_err(wrong)?);
        }
    }
    Ok(texts)
}
