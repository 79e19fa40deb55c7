//! The measuring data: files that are innocent, texts that attack, sentences that only look so.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The directory that a task was given, or the usual one.
pub(crate) fn directory(words: &[String]) -> PathBuf {
    words.iter().find(|word| !word.starts_with("--")).map_or_else(|| "../shared/corpora".into(), PathBuf::from)
}

/// One text and where it is from.
#[derive(Deserialize, Clone)]
pub(crate) struct Row {
    #[serde(alias = "source")]
    pub(crate) set: String,
    #[serde(default)]
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) sha256: String,
}

impl Row {
    /// A number that belongs to the text, for choosing without chance.
    pub(crate) fn number(&self) -> u64 {
        u64::from_str_radix(self.sha256.get(..15).unwrap_or("0"), 16).unwrap_or(0)
    }
}

/// Everything there is to measure with.
pub(crate) struct Corpora {
    pub(crate) benign: Vec<Row>,
    pub(crate) attacks: Vec<Row>,
    pub(crate) near: Vec<Row>,
    /// Ordinary notes, to learn from and not to measure with.
    pub(crate) notes: Vec<String>,
}

impl Corpora {
    pub(crate) fn read(directory: &Path) -> Result<Self, String> {
        Ok(Self {
            benign: rows(&directory.join("benign.jsonl"))?,
            attacks: rows(&directory.join("attacks.jsonl"))?,
            near: rows(&directory.join("near-miss.jsonl"))?,
            notes: notes(&directory.join("memory"))?,
        })
    }
}

fn rows(path: &Path) -> Result<Vec<Row>, String> {
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
