//! Searching the registries that are configured.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::text::visible;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Error;
use super::git::fetched_at;
use super::index::{Entry, Index, Skipped, from_manifests};
use super::source::{Recency, cache, tree};
use super::tree::{INDEX_FILE, SOULS, Tree};
use crate::Keeper;
use crate::context::Progress;
use crate::files::witness::Witness;
use crate::settings::RegistrySource;

/// The packages of all registries; of two with one name, that of the first registry.
#[derive(Debug, Default)]
pub struct Catalog {
    listed: Vec<Listed>,
    missing: Vec<Missing>,
}

/// What is not in the result: a registry that could not be read, or a package of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SkippedByRegistry")]
pub struct Missing {
    /// The registry, as it is configured.
    pub registry: String,
    /// The folder of the package; absent if it is the whole registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Why it is not there.
    pub reason: String,
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

/// The last catalogue, shared by all callers, and what shows whether it is still current.
#[derive(Debug, Default)]
pub(crate) struct Cached(RwLock<Option<(Vec<State>, Arc<Catalog>)>>);

/// The state of a registry when it was read.
#[derive(Debug)]
enum State {
    /// It comes with this program.
    Same,
    /// Files on this machine.
    Files(Witness),
    /// The commit that was fetched.
    Fetched(PathBuf, Option<String>),
}

impl State {
    /// Looks at a registry before it is read, so that a change in between is noticed.
    fn of(keeper: &Keeper, source: &RegistrySource) -> Result<Self, Error> {
        Ok(match source {
            RegistrySource::Starter => Self::Same,
            RegistrySource::Folder(_, folder) => Self::Files(Witness::of(witnesses(folder))),
            RegistrySource::Git(remote) => {
                let cache = cache(keeper)?;
                let commit = fetched_at(&cache, remote);
                Self::Fetched(cache, commit)
            }
        })
    }

    /// Whether the registry is as it was.
    fn is_current(&self, source: &RegistrySource) -> bool {
        match (self, source) {
            (Self::Same, RegistrySource::Starter) => true,
            (Self::Files(witness), RegistrySource::Folder(..)) => witness.is_settled() && witness.holds(),
            (Self::Fetched(cache, Some(commit)), RegistrySource::Git(remote)) => {
                fetched_at(cache, remote).as_ref() == Some(commit)
            }
            _ => false,
        }
    }
}

/// The files that show whether a registry has changed: its index, or every manifest if it has none; of a bare repository,
/// its references.
fn witnesses(folder: &Path) -> Vec<PathBuf> {
    let index = folder.join(INDEX_FILE);
    if index.is_file() {
        return vec![index];
    }
    let below = |folder: &PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let mut seen = vec![folder.to_path_buf(), index, folder.join("HEAD"), folder.join("packed-refs")];
    for root in [SOULS, "refs/heads"] {
        let mut level = vec![folder.join(root)];
        // As deep as the files of a package: its folder shows what comes and goes, its manifest what it says.
        for _ in 0..3 {
            let next = level.iter().filter(|path| path.is_dir()).flat_map(below).collect();
            seen.extend(std::mem::replace(&mut level, next));
        }
        seen.extend(level.into_iter().filter(|path| path.ends_with("soul.json")));
    }
    seen
}

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
        Self { listed, missing: Vec::new() }
    }

    /// What is not in it, although a registry has it.
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.missing
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

/// What to do about a registry that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// Nothing is answered.
    Fails,
    /// The others answer, and it is named.
    IsNamed,
}

impl Keeper {
    /// The packages of the registries that are configured. Those elsewhere are fetched if asked for, or if they never
    /// were.
    pub(crate) fn catalog(
        &self,
        recency: Recency,
        broken: Broken,
        progress: &dyn Progress,
    ) -> Result<Arc<Catalog>, Error> {
        let sources = &self.settings.registry.sources;
        if recency == Recency::Cached
            && let Some(catalog) = self.current_catalog(sources)
        {
            return Ok(catalog);
        }
        let (mut states, mut indexes, mut missing, mut failed) = (Vec::new(), Vec::new(), Vec::new(), None);
        for source in sources {
            let registry = source.to_string();
            let read = self.index_of(source, recency, progress);
            match read {
                Ok((state, index, skipped)) => {
                    states.push(state);
                    let of =
                        |Skipped { path, reason }| Missing { registry: registry.clone(), path: Some(path), reason };
                    missing.extend(skipped.into_iter().map(of));
                    indexes.push((registry, index));
                }
                Err(error) if broken == Broken::Fails => return Err(error),
                Err(error) => {
                    missing.push(Missing { registry, path: None, reason: error.to_string() });
                    failed.get_or_insert(error);
                }
            }
        }
        if let Some(error) = failed.filter(|_| indexes.is_empty()) {
            return Err(error);
        }
        let catalog = Arc::new(Catalog { missing, ..Catalog::of(indexes) });
        // One that lacks a registry is made again by the next caller.
        let kept = (states.len() == sources.len()).then(|| (states, catalog.clone()));
        *self.catalog.0.write().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(catalog)
    }

    /// The last catalogue, if no registry has changed since.
    fn current_catalog(&self, sources: &[RegistrySource]) -> Option<Arc<Catalog>> {
        let cached = self.catalog.0.read().unwrap_or_else(PoisonError::into_inner);
        let (states, catalog) = cached.as_ref()?;
        let is_current =
            states.len() == sources.len() && states.iter().zip(sources).all(|(state, source)| state.is_current(source));
        is_current.then(|| catalog.clone())
    }

    /// The index of a registry, and what is not in it; from its manifests, if it has none.
    fn index_of(
        &self,
        source: &RegistrySource,
        recency: Recency,
        progress: &dyn Progress,
    ) -> Result<(State, Index, Vec<Skipped>), Error> {
        let mut state = State::of(self, source)?;
        let tree = tree(self, source, recency, progress)?;
        if let (State::Fetched(_, commit), Tree::Commit(_, head)) = (&mut state, &tree) {
            *commit = Some(head.clone());
        }
        let (index, skipped) = match tree.index()? {
            Some(bytes) => Index::read(&bytes)?,
            None => from_manifests(&tree, self.now())?,
        };
        Ok((state, index, skipped))
    }
}
