//! Searching the registries that are configured.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use soul_core::text::visible;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Error;
use super::index::{Depth, Entry, Index, build};
use super::source::{Recency, registries};
use super::tree::Tree;
use crate::Keeper;
use crate::clock::Time;
use crate::context::Silent;

/// How long a catalogue is used before its registries are looked at again.
const BELIEVED: Duration = Duration::from_secs(1);

/// The packages of all registries; of two with one name, that of the first registry.
#[derive(Debug, Default)]
pub struct Catalog {
    listed: Vec<Listed>,
}

/// A package, with what it is searched by.
#[derive(Debug)]
struct Listed {
    entry: Entry,
    source: Arc<str>,
    /// Folded: the name, what people see, the tags, everything else.
    fields: [String; 4],
}

/// What a match in each of the fields counts.
const WEIGHTS: [u32; 4] = [8, 6, 4, 1];

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct Query<'a> {
    /// Words, all of which must be found.
    pub text: &'a str,
    /// The category, or one above it.
    pub category: Option<&'a str>,
    /// A label.
    pub tag: Option<&'a str>,
}

/// The last catalogue, shared by all callers.
#[derive(Debug, Default)]
pub(crate) struct Cached(RwLock<Option<(Instant, Arc<Catalog>)>>);

impl Catalog {
    /// The catalogue of these indexes, each with the name of its registry.
    #[must_use]
    pub fn of(indexes: Vec<(String, Index)>) -> Self {
        let (mut listed, mut known) = (Vec::new(), BTreeSet::new());
        for (source, index) in indexes {
            let source: Arc<str> = source.into();
            for entry in index.souls {
                if known.insert(format!("{}/{}", entry.owner, entry.name).to_lowercase()) {
                    let rest = format!("{} {} {} {}", entry.description, entry.category, entry.owner, entry.author);
                    let fields =
                        [fold(&entry.name), fold(&entry.display_name), fold(&entry.tags.join(" ")), fold(&rest)];
                    listed.push(Listed { entry, source: source.clone(), fields });
                }
            }
        }
        Self { listed }
    }

    /// The packages that fit, the best first; all of them by name if nothing is asked for.
    pub fn search(&self, query: &Query<'_>) -> Vec<(&Entry, &str)> {
        let text = fold(query.text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_below = |category: &str, above: &str| {
            category
                .strip_prefix(above.trim_end_matches('/'))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let fits = |entry: &Entry| {
            query.category.is_none_or(|above| is_below(&entry.category, above))
                && query.tag.is_none_or(|tag| entry.tags.iter().any(|own| own.eq_ignore_ascii_case(tag)))
        };
        let mut found: Vec<(u32, &Listed)> = Vec::new();
        for listed in self.listed.iter().filter(|listed| fits(&listed.entry)) {
            let scores = words.iter().map(|word| score(&listed.fields, word));
            if let Some(score) = scores.sum::<Option<u32>>() {
                // One that is no longer recommended stands behind those that are.
                let score = if listed.entry.deprecated { score / 4 } else { score + u32::from(listed.entry.featured) };
                found.push((score, listed));
            }
        }
        // Equal ones stay in the order of their registry.
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, listed)| (&listed.entry, &*listed.source)).collect()
    }

    /// Every category that is used, with the number of packages in it.
    pub fn categories(&self) -> Vec<(String, usize)> {
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        self.listed.iter().for_each(|listed| *counts.entry(&listed.entry.category).or_default() += 1);
        counts.into_iter().map(|(category, count)| (category.to_owned(), count)).collect()
    }

    /// A package by its name.
    pub fn find(&self, package: &super::PackageName) -> Option<(&Entry, &str)> {
        let is_it = |entry: &Entry| entry.owner == package.owner() && entry.name == package.name();
        self.listed.iter().find(|listed| is_it(&listed.entry)).map(|listed| (&listed.entry, &*listed.source))
    }

    /// How many packages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.listed.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }
}

/// How well a word fits; `None` if it is nowhere.
fn score(fields: &[String; 4], word: &str) -> Option<u32> {
    let found = fields.iter().zip(WEIGHTS).filter_map(|(field, weight)| {
        let at = field.find(word)?;
        let is_start = at == 0 || !field[..at].ends_with(char::is_alphanumeric);
        let is_whole = is_start && !field[at + word.len()..].starts_with(char::is_alphanumeric);
        Some(
            weight
                * if is_whole {
                    4
                } else if is_start {
                    2
                } else {
                    1
                },
        )
    });
    found.reduce(|all, one| all + one)
}

/// A text in lower case, without accents.
fn fold(text: &str) -> String {
    visible(text).nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).nfkc().collect()
}

impl Keeper {
    /// The packages of the registries that are configured. Those elsewhere are fetched if asked for, or if they never
    /// were.
    pub(crate) fn catalog(&self, refresh: bool) -> Result<Arc<Catalog>, Error> {
        let cached = self.catalog.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, catalog)) = cached.filter(|(at, _)| !refresh && at.elapsed() < BELIEVED) {
            return Ok(catalog);
        }
        let recency = if refresh { Recency::Now } else { Recency::Cached };
        let mut indexes = Vec::new();
        for registry in registries(self, recency) {
            let (source, tree) = registry?;
            indexes.push((source, index_of(&tree, self.now())?));
        }
        let catalog = Arc::new(Catalog::of(indexes));
        *self.catalog.0.write().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), catalog.clone()));
        Ok(catalog)
    }
}

/// The index of a registry; from its manifests, if it has none.
fn index_of(tree: &Tree, now: Time) -> Result<Index, Error> {
    match tree.index()? {
        Some(bytes) => Index::read(&bytes),
        None => Ok(build(tree, Depth::Manifests, now, &Silent)?.0),
    }
}
