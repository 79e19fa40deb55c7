use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use soul_core::digest::RawDigest;
use soul_core::search::wire::checksum;
use soul_core::search::{Builder, Damaged, Day, Segment, merge, sections};

use super::cache::Cache;
use super::manifest::{Entry, Manifest};
use super::store::Store;
use super::{Error, Progress};
use crate::files::listing::{Difference, Look};
use crate::files::{self};
use crate::workspace::Memory;

/// How large a segment in the making may become before it is put away.
const ROOM: usize = 2 << 20;

/// The most segments that are left beside the largest.
const MOST: usize = 8;

/// The manifest and the segments that it names, in its order.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The checksum of the manifest as it was read, if it was.
    pub(super) origin: Option<[u8; 8]>,
    pub(super) manifest: Manifest,
    pub(super) segments: Vec<Segment<Store>>,
}

/// What was noticed while the index was brought up to date.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) unread: Vec<String>,
    pub(super) not_kept: Option<String>,
}

/// What came of reading the files.
#[derive(Default)]
struct Harvest {
    /// Entries whose place counts the segments made here.
    fresh: Vec<Entry>,
    /// Files that only look changed.
    touched: Vec<Entry>,
    segments: Vec<(u64, Segment<Store>)>,
    unread: Vec<String>,
    not_kept: Option<String>,
}

impl State {
    /// A manifest with its segments, if the two belong together.
    pub(super) fn whole(origin: Option<[u8; 8]>, manifest: Manifest, segments: Vec<Segment<Store>>) -> Option<Self> {
        let state = Self { origin, manifest, segments };
        state.owners(&|_| true).is_ok().then_some(state)
    }

    /// What may have changed since.
    pub(super) fn difference(&self, look: &Look) -> Difference {
        Difference::between(look, self.manifest.files.iter().map(|entry| (entry.path.as_str(), entry.stamp)))
    }

    /// For each file of each segment, the entry that names it, if one does and it counts.
    pub(super) fn owners(&self, counts: &dyn Fn(&Entry) -> bool) -> Result<Vec<Vec<Option<u32>>>, Damaged> {
        let mut owners: Vec<Vec<Option<u32>>> = self.segments.iter().map(|one| vec![None; one.files()]).collect();
        for (index, entry) in self.manifest.files.iter().enumerate() {
            let (segment, file) = (entry.place.0 as usize, entry.place.1 as usize);
            let owner = owners.get_mut(segment).and_then(|files| files.get_mut(file)).ok_or(Damaged)?;
            let sections = self.segments[segment].sections_of_files()[file];
            if owner.is_some() || sections != entry.sections {
                return Err(Damaged);
            }
            *owner = counts(entry).then_some(index as u32);
        }
        Ok(owners)
    }

    /// Reads what may have changed and takes it in. Without a cache, or one that cannot be written,
    /// what is new stays in memory.
    pub(super) fn update(
        &mut self,
        memory: &Memory,
        look: &Look,
        cache: Option<&Cache>,
        progress: Progress<'_>,
    ) -> Result<Done, Error> {
        let difference = self.difference(look);
        let before = self.manifest.clone();
        let harvest = self.harvest(memory, look, &difference.suspects, cache, progress);
        let base = self.segments.len() as u32;
        let mut new: HashMap<String, Entry> = HashMap::new();
        for mut entry in harvest.fresh {
            entry.place.0 += base;
            new.insert(entry.path.clone(), entry);
        }
        new.extend(harvest.touched.into_iter().map(|entry| (entry.path.clone(), entry)));
        let suspects: std::collections::HashSet<&str> = difference.suspects.iter().map(String::as_str).collect();
        let kept = |entry: &Entry| look.files.contains_key(&entry.path) && !suspects.contains(entry.path.as_str());
        self.manifest.files.retain(kept);
        self.manifest.files.extend(new.into_values());
        self.manifest.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        for (name, segment) in harvest.segments {
            self.manifest.segments.push(name);
            self.segments.push(segment);
        }
        let mut done = Done { unread: harvest.unread, not_kept: harvest.not_kept };
        let cache = cache.filter(|_| done.not_kept.is_none());
        self.compact(cache, &mut done)?;
        if let (Some(cache), None) = (cache, &done.not_kept)
            && self.manifest != before
            && let Err(error) = cache.publish(&self.manifest)
        {
            done.not_kept = Some(files::plain(&error));
        }
        Ok(done)
    }

    /// Reads the suspects on all cores.
    fn harvest(
        &self,
        memory: &Memory,
        look: &Look,
        suspects: &[String],
        cache: Option<&Cache>,
        progress: Progress<'_>,
    ) -> Harvest {
        let harvest = Mutex::new(Harvest::default());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut worker = Worker { builder: Builder::default(), entries: Vec::new(), harvest: &harvest, cache };
            while let Some(path) = suspects.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.read(memory, look, path, &mut worker);
                progress(suspects.len());
            }
            worker.put_away();
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if suspects.len() < 16 || cores < 2 {
            work();
        } else {
            std::thread::scope(|scope| (0..cores.min(8)).for_each(|_| drop(scope.spawn(work))));
        }
        harvest.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, memory: &Memory, look: &Look, path: &str, worker: &mut Worker<'_>) {
        let Some(stamp) = look.files.get(path).copied() else { return };
        let bytes = match memory.read(path) {
            Ok(bytes) => bytes,
            Err(files::Error::NotFound) => return,
            Err(error) => {
                return worker.shared(|harvest| harvest.unread.push(format!("{path}: {error}")));
            }
        };
        let digest = RawDigest::of(&bytes);
        if let Some(known) = self.manifest.find(path).filter(|known| known.digest == digest) {
            return worker.shared(|harvest| harvest.touched.push(Entry { stamp, ..known.clone() }));
        }
        let text = String::from_utf8_lossy(&bytes);
        let found = sections(&text);
        let stem = path.get(..path.len().saturating_sub(3)).unwrap_or(path);
        let file = worker.entries.len() as u32;
        worker.builder.add_file(stem, &found.sections, &text);
        worker.entries.push(Entry {
            path: path.to_owned(),
            stamp,
            digest,
            day: Day::within(stem.rsplit('/').next().unwrap_or(stem)).or(found.date),
            superseded: found.superseded,
            place: (0, file),
            sections: found.sections.len() as u32,
        });
        if worker.builder.size() > ROOM {
            worker.put_away();
        }
    }

    /// Merges what has become too scattered: everything when a tenth of it lies beside the largest
    /// segment or a quarter is dead, the small ones when there are too many.
    fn compact(&mut self, cache: Option<&Cache>, done: &mut Done) -> Result<(), Error> {
        let owners = self.owners(&|_| true)?;
        let alive: Vec<Vec<bool>> = owners.iter().map(|files| files.iter().map(Option::is_some).collect()).collect();
        let living = |index: usize| -> u64 {
            let counts = self.segments[index].sections_of_files().iter().zip(&alive[index]);
            counts.filter(|(_, alive)| **alive).map(|(count, _)| u64::from(*count)).sum()
        };
        let all: Vec<u64> = (0..self.segments.len()).map(living).collect();
        let total: u64 = all.iter().sum();
        let Some(largest) = (0..all.len()).max_by_key(|index| all[*index]) else { return Ok(()) };
        let dead: u64 = self.segments.iter().zip(&all).map(|(one, living)| u64::from(one.documents()) - living).sum();
        let useless = |index: usize| !alive[index].contains(&true);
        let merged: Vec<usize> = if (total - all[largest]) * 10 > total || dead * 4 > total {
            (0..all.len()).collect()
        } else if all.len() > MOST {
            (0..all.len()).filter(|index| *index != largest).collect()
        } else {
            (0..all.len()).filter(|index| useless(*index)).collect()
        };
        if merged.is_empty() || (merged.len() == 1 && dead == 0) {
            return Ok(());
        }
        let parts: Vec<_> = merged.iter().map(|index| (&self.segments[*index], alive[*index].clone())).collect();
        let bytes = merge(&parts)?;
        let mut new = Vec::new();
        if parts.iter().any(|(_, alive)| alive.contains(&true)) {
            new.push(keep(bytes, cache, &mut done.not_kept)?);
        }
        // Where each file that was merged went: the new segment is the last.
        let kept: Vec<usize> = (0..all.len()).filter(|index| !merged.contains(index)).collect();
        let mut place = 0;
        for index in &merged {
            for owner in owners[*index].iter().flatten() {
                self.manifest.files[*owner as usize].place = (kept.len() as u32, place);
                place += 1;
            }
        }
        for (new, old) in kept.iter().enumerate() {
            for owner in owners[*old].iter().flatten() {
                self.manifest.files[*owner as usize].place.0 = new as u32;
            }
        }
        let mut segments: Vec<Option<Segment<Store>>> = self.segments.drain(..).map(Some).collect();
        self.segments = kept.iter().filter_map(|index| segments[*index].take()).collect();
        self.manifest.segments = kept.iter().map(|index| self.manifest.segments[*index]).collect();
        for (name, segment) in new {
            self.manifest.segments.push(name);
            self.segments.push(segment);
        }
        Ok(())
    }
}

/// Puts a segment where it is kept, or leaves it in memory and says why.
fn keep(
    bytes: Vec<u8>,
    cache: Option<&Cache>,
    not_kept: &mut Option<String>,
) -> Result<(u64, Segment<Store>), Damaged> {
    match cache.map(|cache| cache.keep(&bytes)) {
        Some(Ok(kept)) => return Ok(kept),
        Some(Err(error)) => *not_kept = Some(files::plain(&error)),
        None => {}
    }
    Ok((checksum(&bytes), Segment::open(Store::Memory(bytes))?))
}

/// One core's share of reading.
struct Worker<'a> {
    builder: Builder,
    entries: Vec<Entry>,
    harvest: &'a Mutex<Harvest>,
    cache: Option<&'a Cache>,
}

impl Worker<'_> {
    fn shared(&self, change: impl FnOnce(&mut Harvest)) {
        change(&mut self.harvest.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Makes a segment of what was read so far.
    fn put_away(&mut self) {
        if self.entries.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.builder).finish();
        let entries = std::mem::take(&mut self.entries);
        let cache = self.cache;
        self.shared(|harvest| {
            // What a builder makes can be opened; were it not so, its files would be read next time.
            let Ok(segment) = keep(bytes, cache, &mut harvest.not_kept) else { return };
            let index = harvest.segments.len() as u32;
            harvest.segments.push(segment);
            harvest.fresh.extend(entries.into_iter().map(|entry| Entry { place: (index, entry.place.1), ..entry }));
        });
    }
}
