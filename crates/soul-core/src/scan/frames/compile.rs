//! From the text files of the lexicons to `lexicon.bin`, which the scanner reads in place. `cargo xtask lexicon` runs this.

use std::collections::BTreeMap;

use super::concept::{self, Concepts};
use super::keys::{self, Kind, SIZES, bucket};
use super::lexicon::{ALL, BUCKETS, LANGUAGES, Languages, STEM_BIT};
use crate::scan::fold::fold;

/// An entry of a text file: folded word, concept, whether it is a stem.
pub(super) type Line = (String, Concepts, bool);

/// The bytes of `lexicon.bin`, given the text of each language's file by its name. The same texts give the same bytes.
///
/// # Errors
///
/// What `source` returns, and the first line that cannot be read.
#[doc(hidden)]
pub fn compile_lexicon(source: impl Fn(&str) -> Result<String, String>) -> Result<Vec<u8>, String> {
    let mut entries: Vec<(String, Concepts, Languages, bool)> = Vec::new();
    for (at, language) in LANGUAGES.iter().enumerate() {
        let languages = if at == 0 { ALL } else { 1 << at };
        let lines = parse(&source(language)?).map_err(|why| format!("{language}: {why}"))?;
        entries.extend(lines.into_iter().map(|(word, concepts, stem)| (word, concepts, languages, stem)));
    }
    entries.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    let mut compiler = Compiler::default();
    for same in entries.chunk_by(|(a, ..), (b, ..)| a == b) {
        compiler.add(same)?;
    }
    compiler.finish()
}

/// The entries of a text file, or the line that cannot be read.
pub(super) fn parse(text: &str) -> Result<Vec<Line>, String> {
    let mut entries = Vec::new();
    for line in text.lines() {
        let line = line.split(" # ").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, words) = line.split_once(':').ok_or_else(|| format!("no colon: {line}"))?;
        let concept = concept::bit(name.trim()).ok_or_else(|| format!("unknown concept `{name}`"))?;
        for (at, part) in words.split('"').enumerate() {
            // Between quotation marks is one entry, outside each word is.
            let quoted = at % 2 == 1;
            let words: Vec<&str> = if quoted { vec![part] } else { part.split_whitespace().collect() };
            for word in words {
                let (bare, stem) = word.strip_suffix('*').map_or((word, false), |bare| (bare, true));
                let folded = fold(bare).text.trim().to_owned();
                if folded.len() < 2 {
                    return Err(format!("{name}: `{word}` is too short"));
                }
                entries.push((folded, concept, stem));
            }
        }
    }
    Ok(entries)
}

/// The sections of the file while they are made.
#[derive(Default)]
struct Compiler {
    /// Keys by kind, and the first words of phrases.
    keys: [Vec<u64>; 5],
    /// The entries of each bucket.
    buckets: BTreeMap<usize, Vec<u8>>,
    /// Lists of meanings, each once: the number of a set of concepts with [`STEM_BIT`], and the languages.
    lists: Numbered<Vec<(u16, Languages)>>,
    sets: Numbered<Concepts>,
    longest: u8,
}

impl Compiler {
    /// Adds entries of the same word as one with several meanings.
    fn add(&mut self, same: &[(String, Concepts, Languages, bool)]) -> Result<(), String> {
        let mut known: Vec<(Concepts, Languages, bool)> = Vec::new();
        for (_, concepts, languages, stem) in same {
            match known.iter_mut().find(|(_, of, is_stem)| of == languages && is_stem == stem) {
                Some((all, ..)) => *all |= concepts,
                None => known.push((*concepts, *languages, *stem)),
            }
        }
        let word = same[0].0.as_bytes();
        let is_stem = known.iter().any(|(.., stem)| *stem);
        let (kind, key, first) = keys::key(word, is_stem);
        self.keys[kind as usize].push(key);
        self.keys[FIRSTS].extend(first);
        let mut meanings = Vec::new();
        for (concepts, languages, stem) in known {
            meanings.push((self.sets.number(concepts)? | if stem { STEM_BIT } else { 0 }, languages));
        }
        let meanings = self.lists.number(meanings)? | if is_stem { STEM_BIT } else { 0 };
        let length = u8::try_from(word.len()).map_err(|_| format!("too long: {}", same[0].0))?;
        self.longest = self.longest.max(length);
        let bucket = self.buckets.entry(bucket(key)).or_default();
        bucket.push(length);
        bucket.extend(meanings.to_le_bytes());
        bucket.extend(word);
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, String> {
        let mut file = Vec::new();
        for (keys, size) in self.keys.iter().zip(SIZES) {
            let mut filter = vec![0; size];
            keys.iter().for_each(|key| keys::add(&mut filter, *key));
            file.extend(filter);
        }
        let mut entries: Vec<u8> = Vec::new();
        for number in 0..=BUCKETS {
            file.extend(length(entries.len())?.to_le_bytes());
            entries.extend(self.buckets.get(&number).into_iter().flatten());
        }
        let (mut firsts, mut meanings) = (vec![0, 0], Vec::new());
        let mut count = 0;
        for list in &self.lists.values {
            count += list.len();
            firsts.extend(u16::try_from(count).map_err(|_| "too many meanings")?.to_le_bytes());
            for (set, languages) in list {
                meanings.extend(set.to_le_bytes());
                meanings.extend(languages.to_le_bytes());
            }
        }
        let sets: Vec<u8> = self.sets.values.iter().flat_map(|set| set.to_le_bytes()).collect();
        let sections = [entries, firsts, meanings, sets];
        for section in &sections {
            file.extend(length(section.len())?.to_le_bytes());
        }
        file.extend(sections.concat());
        file.push(self.longest);
        Ok(file)
    }
}

/// The place of the first words of phrases among the keys.
const FIRSTS: usize = Kind::Wide as usize + 1;

fn length(bytes: usize) -> Result<u32, String> {
    u32::try_from(bytes).map_err(|_| "the lexicons are too large".to_owned())
}

/// Values with numbers, in the order in which they come up.
struct Numbered<T> {
    values: Vec<T>,
    numbers: BTreeMap<T, u16>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Numbered<T> {
    fn number(&mut self, value: T) -> Result<u16, String> {
        if let Some(number) = self.numbers.get(&value) {
            return Ok(*number);
        }
        let number = u16::try_from(self.values.len()).ok().filter(|number| number & STEM_BIT == 0);
        let number = number.ok_or("too many different meanings")?;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        Ok(number)
    }
}

#[cfg(test)]
pub(super) mod tests;
