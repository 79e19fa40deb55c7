use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Severity;
use soul_core::digest::Digest;
use soul_core::formats::{self, Context, Document};
use soul_core::model::Dialect;
use soul_core::sigil::Parts;
use soul_core::text::{Source, visible};

use super::SoulId;
use super::search::{self, BLOCK, Block, Query};
use crate::files::listing::{Difference, Look, Stamp};
use crate::files::{self, Directory};

/// All souls of the library as they were at one look.
#[derive(Debug, Default)]
pub struct Index {
    /// Every file that was looked at: its stamp, and what it turned out to be.
    files: BTreeMap<String, (Stamp, Found)>,
    /// The souls, each at a place that it keeps.
    places: Vec<Option<Arc<Entry>>>,
    /// For every 64 places, what is in the texts; found out by the first search that asks.
    blocks: Vec<Arc<OnceLock<Block>>>,
    /// The places by name, then id.
    order: Vec<usize>,
    /// What is there and cannot be a soul.
    refused: Vec<Skipped>,
}

#[derive(Debug, Clone)]
enum Found {
    Soul(usize),
    Nothing(String),
}

/// One soul, without its content.
#[derive(Debug)]
pub struct Entry {
    /// Its id.
    pub id: SoulId,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its canonical digest.
    pub digest: Digest,
    /// The digest of each part of what it says.
    pub parts: Parts,
    /// When its file was modified, in seconds since 1970.
    pub modified: i64,
    /// All of it, as it is searched.
    pub(super) text: Box<str>,
}

/// A file in the library's folder that is not a valid soul.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SkippedLibraryFile")]
pub struct Skipped {
    /// Name of the file.
    pub file: String,
    /// Why the file was skipped.
    pub reason: String,
}

impl Index {
    /// Looks at the folder and reads what may have changed since the look before.
    pub(super) fn look(directory: &Directory, path: &Path, before: &Arc<Self>) -> Result<Arc<Self>, files::Error> {
        let mut look = Look::default();
        look.below(path, "", &|name| name.ends_with(".md"))?;
        let known = before.files.iter().map(|(name, (stamp, _))| (name.as_str(), *stamp));
        let difference = Difference::between(&look, known);
        let refused = look.refused.iter().map(|name| Skipped::new(name, "it is a link, or not a readable file"));
        let refused: Vec<_> = refused.collect();
        if difference.is_empty() && refused == before.refused {
            return Ok(before.clone());
        }
        let modified = |name: &String| look.files.get(name).map_or(0, |stamp| stamp.modified / 1_000_000_000);
        let read = in_parallel(&difference.suspects, &|name| read(directory, name, modified(name)));
        let mut index = Self { refused, ..before.copy() };
        let mut touched = BTreeSet::new();
        for name in difference.removed.iter().chain(&difference.suspects) {
            if let Some((_, Found::Soul(place))) = index.files.remove(name) {
                index.places[place] = None;
                touched.insert(place / BLOCK);
            }
        }
        let mut free = (0..index.places.len()).filter(|place| index.places[*place].is_none()).collect::<Vec<_>>();
        free.reverse();
        for (name, read) in difference.suspects.iter().zip(read) {
            let found = match read {
                Ok(entry) => {
                    let place = free.pop().unwrap_or(index.places.len());
                    if place == index.places.len() {
                        index.places.push(None);
                    }
                    index.places[place] = Some(Arc::new(entry));
                    touched.insert(place / BLOCK);
                    Found::Soul(place)
                }
                // It was taken away in between.
                Err(None) => continue,
                Err(Some(reason)) => Found::Nothing(reason),
            };
            index.files.insert(name.clone(), (look.files[name], found));
        }
        index.blocks.resize_with(index.places.len().div_ceil(BLOCK), Default::default);
        for block in touched {
            index.blocks[block] = Arc::default();
        }
        index.sort();
        Ok(Arc::new(index))
    }

    fn copy(&self) -> Self {
        Self {
            files: self.files.clone(),
            places: self.places.clone(),
            blocks: self.blocks.clone(),
            order: self.order.clone(),
            refused: Vec::new(),
        }
    }

    fn block(&self, block: usize) -> &Block {
        let places = self.places.iter().skip(block * BLOCK).take(BLOCK).enumerate();
        let souls = places.filter_map(|(place, entry)| entry.as_deref().map(|entry| (place, entry)));
        self.blocks[block].get_or_init(|| Block::new(souls))
    }

    fn sort(&mut self) {
        let mut order: Vec<(&str, &SoulId, usize)> = self
            .places
            .iter()
            .enumerate()
            .filter_map(|(place, entry)| entry.as_deref().map(|entry| (&*entry.name, &entry.id, place)))
            .collect();
        order.sort_unstable();
        self.order = order.into_iter().map(|(.., place)| place).collect();
    }

    /// The souls that hold a text in name, description, id or content, by name and id.
    pub fn search(&self, query: &str) -> Vec<&Entry> {
        let query = Query::new(query);
        if query.is_empty() {
            return self.souls().collect();
        }
        let missing: Vec<_> = (0..self.blocks.len()).filter(|block| self.blocks[*block].get().is_none()).collect();
        in_parallel(&missing, &|block| {
            self.block(*block);
        });
        let mut found = vec![0_u64; self.blocks.len()];
        for (number, found) in found.iter_mut().enumerate() {
            let mut candidates = self.block(number).candidates(&query);
            while candidates != 0 {
                let bit = candidates.trailing_zeros();
                candidates &= candidates - 1;
                let place = number * BLOCK + bit as usize;
                if self.places.get(place).and_then(Option::as_deref).is_some_and(|soul| query.is_in(soul)) {
                    *found |= 1 << bit;
                }
            }
        }
        let is_found = |place: &&usize| found[**place / BLOCK] >> (**place % BLOCK) & 1 == 1;
        self.order.iter().filter(is_found).filter_map(|place| self.places[*place].as_deref()).collect()
    }

    /// Every soul, by name and id.
    pub fn souls(&self) -> impl Iterator<Item = &Entry> {
        self.order.iter().filter_map(|place| self.places[*place].as_deref())
    }

    /// A soul that has a name and is not this one.
    #[must_use]
    pub fn named(&self, name: &str, besides: Option<&SoulId>) -> Option<&Entry> {
        let at = |place: &usize| self.places[*place].as_deref();
        let first = self.order.partition_point(|place| at(place).is_some_and(|entry| *entry.name < *name));
        let mut same = self.order[first..].iter().map_while(|place| at(place).filter(|entry| entry.name == name));
        same.find(|entry| besides != Some(&entry.id))
    }

    /// Every file that was looked at, by name, with its stamp.
    pub(crate) fn stamps(&self) -> impl Iterator<Item = (&str, Stamp)> {
        self.files.iter().map(|(name, (stamp, _))| (name.as_str(), *stamp))
    }

    /// Files that are there and are no souls, in order.
    #[must_use]
    pub fn skipped(&self) -> Vec<Skipped> {
        let broken = self.files.iter().filter_map(|(name, (_, found))| match found {
            Found::Soul(_) => None,
            Found::Nothing(reason) => Some(Skipped::new(name, reason)),
        });
        let mut skipped: Vec<_> = broken.chain(self.refused.iter().cloned()).collect();
        skipped.sort_by(|a, b| a.file.cmp(&b.file));
        skipped
    }
}

impl Skipped {
    fn new(file: &str, reason: &str) -> Self {
        Self { file: visible(file), reason: reason.to_owned() }
    }
}

/// Reads a file; `Err(None)` if there is none any more.
fn read(directory: &Directory, name: &str, modified: i64) -> Result<Entry, Option<String>> {
    let id = SoulId::of_file(name).ok_or_else(|| Some("its name is not the id of a soul".to_owned()))?;
    let bytes = directory.read(name).map_err(|error| match error {
        files::Error::NotFound => None,
        error => Some(error.to_string()),
    })?;
    let context = Context { name: Some(name.to_owned()), ..Context::default() };
    let parsed = formats::parse(Source::new(bytes), Dialect::Dagu, &context);
    let problem = parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    match (&parsed.document, problem) {
        (Document::Dagu(soul), None) => Ok(Entry {
            name: soul.name().to_owned(),
            description: soul.description().to_owned(),
            digest: parsed.document.digest_of(&parsed.document.to_json()),
            parts: Parts::of(&parsed.document.soul()),
            modified,
            text: search::text([soul.name(), id.as_str(), soul.description(), soul.content()]),
            id,
        }),
        (_, problem) => Err(Some(problem.map(|problem| problem.message.clone()).unwrap_or_default())),
    }
}

/// Does the same to many, on all cores if that is worth it.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: &(dyn Fn(&T) -> R + Sync)) -> Vec<R> {
    const WORTH_A_THREAD: usize = 16;
    if items.len() <= WORTH_A_THREAD {
        return items.iter().map(work).collect();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(cores).max(WORTH_A_THREAD);
    std::thread::scope(|scope| {
        let run = |share| scope.spawn(move || <[T]>::iter(share).map(work).collect::<Vec<R>>());
        let running: Vec<_> = items.chunks(share).map(run).collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
