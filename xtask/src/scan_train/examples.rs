//! What the weights are learned from: texts cut into pieces, innocent or not, each with its fold.

use std::collections::{BTreeMap, HashMap};

use soul_core::scan::learned::{self, LENGTHS, Vocabulary, WORDS};

use crate::corpora::{Corpora, Persona, number};
use crate::scan_eval::labels::{Label, is_strong, labels};

/// How many folds there are.
pub(crate) const FOLDS: usize = 5;

/// Sentences written for this purpose: `+` attacks, `-` does not.
const OWN: &str = include_str!("own.txt");

/// How much the poison of personas counts. On families that are left out it taught nothing: with 4, windows of poisoned
/// personas and of their twins were reported equally often at every threshold.
const POISON: f32 = 0.0;

/// A text to learn from.
pub(super) struct Source {
    text: String,
    /// The folds that must not learn it, as bits.
    held: u8,
    /// Whether it attacks.
    pub(super) attacks: bool,
    weight: f32,
}

impl Source {
    fn new(text: impl Into<String>, held: u8, weight: f32) -> Self {
        Self { text: text.into(), held, attacks: false, weight }
    }

    /// Whether weights may be learned from it that judge a fold.
    pub(super) fn may_teach(&self, fold: usize) -> bool {
        self.held >> fold & 1 == 0
    }
}

/// A text cut into pieces: the features of all, and where each piece ends.
pub(super) struct Text {
    pub(super) weight: f32,
    features: Vec<u32>,
    ends: Vec<usize>,
    bytes: Vec<usize>,
    /// Where each piece says itself what is wrong with it.
    strong: Vec<bool>,
}

impl Text {
    fn read(source: &Source, vocabulary: Vocabulary<'_>) -> Self {
        let (features, ends, bytes, strong) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut read = Self { weight: source.weight, features, ends, bytes, strong };
        learned::read(&source.text, vocabulary, |piece, features| {
            read.features.extend_from_slice(features);
            read.ends.push(read.features.len());
            read.bytes.push(piece.len());
            read.strong.push(is_strong(piece));
        });
        read
    }

    pub(super) fn pieces(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.iter().sum()
    }

    pub(super) fn slice(&self, first: usize, end: usize) -> &[u32] {
        let start = if first == 0 { 0 } else { self.ends[first - 1] };
        &self.features[start..self.ends[end - 1]]
    }

    pub(super) fn is_strong(&self, first: usize, end: usize) -> bool {
        self.strong[first..end].iter().any(|strong| *strong)
    }

    /// Where the window ends that begins at a piece and has a length.
    pub(super) fn end(&self, first: usize, length: usize) -> usize {
        let mut bytes = 0;
        let mut end = first;
        while end == first || (end < self.bytes.len() && bytes < length) {
            bytes += self.bytes[end];
            end += 1;
        }
        end
    }

    /// Windows of a length that do not overlap.
    pub(super) fn tiles(&self, length: usize, offset: usize) -> Vec<(usize, usize)> {
        let mut tiles = Vec::new();
        let mut first = offset;
        while first < self.bytes.len() {
            let end = self.end(first, length);
            tiles.push((first, end));
            first = end;
        }
        tiles
    }

    /// The windows of a text that attacks: all of a short one; of a long one those that say what is wrong.
    pub(super) fn attacking(&self, offset: usize) -> Vec<(usize, usize)> {
        const SHORT: usize = 400;
        let short = self.bytes() <= SHORT;
        let tiles = LENGTHS.iter().flat_map(|length| self.tiles(*length, offset));
        tiles.filter(|(first, end)| short || self.is_strong(*first, *end)).collect()
    }
}

/// Everything to learn from.
pub(crate) struct Examples {
    sources: Vec<Source>,
    folds: BTreeMap<String, usize>,
}

impl Examples {
    pub(crate) fn read(corpora: &Corpora) -> Self {
        let folds = folds(corpora);
        let held = |source: &str| 1 << folds.get(source).copied().unwrap_or(0);
        let mut innocents = Vec::new();
        for row in &corpora.innocents {
            innocents.push(Source::new(row.text.as_str(), held(&row.source), 1.0));
        }
        for persona in &corpora.personas {
            for (path, text) in &persona.files {
                innocents.push(Source::new(without_poison(persona, path, text), held(&persona.family), 1.0));
            }
        }
        innocents.extend(corpora.near.iter().map(|row| Source::new(row.text.as_str(), 0, 4.0)));
        innocents.extend(corpora.notes.iter().map(|text| Source::new(text.as_str(), 0, 1.0)));
        let labels = labels(&corpora.attacks);
        let rows = corpora.attacks.iter().zip(labels).filter(|(_, label)| *label == Label::Attack);
        let rows: Vec<(&str, u8)> = rows.map(|(row, _)| (row.text.as_str(), held(&row.source))).collect();
        let copies = Copies::of(&rows);
        let weight = 0.5;
        let mut attacks: Vec<Source> =
            rows.iter().map(|(text, held)| Source::new(*text, held | copies.held(text), weight)).collect();
        if POISON > 0.0 {
            for persona in &corpora.personas {
                let quotes = persona.poison.iter().map(|poison| other_host(&poison.quote));
                attacks.extend(quotes.map(|quote| Source::new(quote, held(&persona.family), POISON)));
            }
        }
        for line in OWN.lines() {
            if let Some(text) = line.strip_prefix("+ ") {
                attacks.push(Source::new(text, 0, 4.0));
            } else if let Some(text) = line.strip_prefix("- ") {
                innocents.push(Source::new(text, 0, 4.0));
            }
        }
        attacks.iter_mut().for_each(|text| text.attacks = true);
        attacks.extend(innocents);
        Self { sources: attacks, folds }
    }

    /// The texts that may be used, cut into pieces: attacks and innocents, and the vocabulary of these attacks.
    pub(super) fn texts(&self, of: impl Fn(&Source) -> bool) -> (Vec<Text>, Vec<Text>, Box<[u8; WORDS / 8]>) {
        let (attacks, innocents): (Vec<&Source>, Vec<&Source>) =
            self.sources.iter().filter(|source| of(source)).partition(|source| source.attacks);
        let vocabulary = vocabulary(&attacks);
        let cut = |sources: Vec<&Source>| {
            sources.into_iter().map(|source| Text::read(source, Vocabulary(&vocabulary))).collect()
        };
        (cut(attacks), cut(innocents), vocabulary)
    }

    /// The fold of a repository, a family or a set.
    pub(super) fn fold(&self, source: &str) -> usize {
        self.folds.get(source).copied().unwrap_or(0)
    }
}

/// A word is known if so many attacks have it, so that a name or a slip in one of them is not.
const KNOWN: u32 = 3;

/// The words of attacks.
fn vocabulary(attacks: &[&Source]) -> Box<[u8; WORDS / 8]> {
    let mut counts: HashMap<usize, u32> = HashMap::new();
    for attack in attacks {
        for place in learned::words(&attack.text) {
            *counts.entry(place).or_default() += 1;
        }
    }
    let mut vocabulary = Box::new([0; WORDS / 8]);
    for (place, _) in counts.into_iter().filter(|(_, count)| *count >= KNOWN) {
        vocabulary[place / 8] |= 1 << (place % 8);
    }
    vocabulary
}

/// Sources to folds, the largest first, each to the fold that has least of its kind.
fn folds(corpora: &Corpora) -> BTreeMap<String, usize> {
    let rows = corpora.innocents.iter().map(|row| (0, &row.source, row.text.len()));
    let attacks = corpora.attacks.iter().map(|row| (1, &row.source, row.text.len()));
    let personas = corpora.personas.iter().map(|persona| (2, &persona.family, 1));
    let mut sizes: BTreeMap<(usize, &String), usize> = BTreeMap::new();
    for (kind, source, size) in rows.chain(attacks).chain(personas) {
        *sizes.entry((kind, source)).or_default() += size;
    }
    let mut sizes: Vec<_> = sizes.into_iter().collect();
    sizes.sort_by_key(|((kind, source), size)| (usize::MAX - size, *kind, (*source).clone()));
    let mut full = [[0; FOLDS]; 3];
    let mut folds = BTreeMap::new();
    for ((kind, source), size) in sizes {
        let fold = (0..FOLDS).min_by_key(|fold| (full[kind][*fold], *fold)).unwrap_or(0);
        full[kind][fold] += size;
        folds.insert(source.clone(), fold);
    }
    folds
}

/// Which folds have a passage of eight words, so that a copy of it in another set is not taken for news.
struct Copies(HashMap<u64, u8>);

impl Copies {
    fn of(rows: &[(&str, u8)]) -> Self {
        let mut copies = Self(HashMap::new());
        for (text, held) in rows {
            passages(text, |hash| *copies.0.entry(hash).or_default() |= held);
        }
        copies
    }

    fn held(&self, text: &str) -> u8 {
        let mut held = 0;
        passages(text, |hash| held |= self.0.get(&hash).copied().unwrap_or(0));
        held
    }
}

fn passages(text: &str, mut found: impl FnMut(u64)) {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for eight in words.windows(8) {
        found(number(&eight.join(" ")));
    }
}

fn without_poison(persona: &Persona, path: &str, text: &str) -> String {
    let quotes = persona.poison.iter().filter(|poison| poison.file == path);
    quotes.fold(text.to_owned(), |text, poison| text.replace(&poison.quote, ""))
}

/// Poison with another host: that all of it names the same reserved one is no sign of poison.
fn other_host(quote: &str) -> String {
    let hash = number(quote);
    let name: String = (0..7).map(|at| char::from(b'a' + u8::try_from(hash >> (5 * at) & 15).unwrap_or(0))).collect();
    let end = ["com", "net", "io", "org", "dev", "app", "de", "cn"][usize::try_from(hash >> 40 & 7).unwrap_or(0)];
    ["example.net", "example.com", "example.org"]
        .iter()
        .fold(quote.to_owned(), |quote, host| quote.replace(host, &format!("{name}.{end}")))
}
