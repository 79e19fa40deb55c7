//! Answers that are still true. Each is kept with the state of everything that it was made from, so that a few system
//! calls tell whether any of it has changed, no matter who changed it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::body::Bytes;
use soul_engine::Keeper;
use soul_engine::freshness::Freshness;

/// How many bytes are kept, and how many of one answer.
const MOST: usize = 16 << 20;
const MOST_OF_ONE: usize = 1 << 20;

/// What an entry takes besides: its place in the table.
const OVERHEAD: usize = 256;

/// Answers by question.
#[derive(Default)]
pub(crate) struct Cache(RwLock<Table>);

#[derive(Default)]
struct Table {
    entries: HashMap<String, Arc<Kept>>,
    bytes: usize,
}

struct Kept {
    answer: Bytes,
    freshness: Freshness,
}

impl Cache {
    /// An answer that is still true.
    pub(crate) fn get(&self, keeper: &Keeper, question: &str) -> Option<Bytes> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).entries.get(question).cloned()?;
        kept.freshness.holds(keeper).then(|| kept.answer.clone())
    }

    /// Whether there is an answer, true or not.
    pub(crate) fn has(&self, question: &str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).entries.contains_key(question)
    }

    /// Keeps an answer, unless a file was written so lately that its state proves nothing.
    pub(crate) fn put(&self, question: String, answer: Bytes, freshness: Freshness) {
        if freshness.is_settled() && answer.len() <= MOST_OF_ONE {
            self.0.write().unwrap_or_else(PoisonError::into_inner).put(question, Kept { answer, freshness });
        }
    }
}

impl Table {
    fn put(&mut self, question: String, kept: Kept) {
        self.remove(&question);
        self.bytes += size(&question, &kept);
        self.entries.insert(question, Arc::new(kept));
        if self.bytes > MOST {
            self.evict();
        }
    }

    fn remove(&mut self, question: &str) {
        if let Some((question, kept)) = self.entries.remove_entry(question) {
            self.bytes -= size(&question, &kept);
        }
    }

    /// Drops some entries; which of them is as good as random, and so no pattern of questions defeats it.
    fn evict(&mut self) {
        let mut excess = self.bytes - MOST / 8 * 7;
        let dropped: Vec<String> = self
            .entries
            .iter()
            .take_while(|(question, kept)| {
                let is_wanted = excess > 0;
                excess = excess.saturating_sub(size(question, kept));
                is_wanted
            })
            .map(|(question, _)| question.clone())
            .collect();
        dropped.iter().for_each(|question| self.remove(question));
    }
}

fn size(question: &str, kept: &Kept) -> usize {
    question.len() + kept.answer.len() + kept.freshness.weight() + OVERHEAD
}

#[cfg(test)]
mod tests {
    use soul_engine::Keeper;
    use soul_engine::freshness::Sources;
    use soul_engine::workspace::Roots;

    use super::*;

    #[test]
    fn answers_are_bounded_in_bytes() {
        let keeper = Keeper::open(Roots::default()).unwrap();
        let cache = Cache::default();
        let keep = |number: usize, bytes: usize| {
            let freshness = Freshness::of(&keeper, Sources::default()).unwrap();
            cache.put(format!("/{number}"), vec![b'x'; bytes].into(), freshness);
        };
        for number in 0..2000 {
            keep(number, 28 << 10);
            let table = cache.0.read().unwrap();
            assert!(table.bytes <= MOST);
            let bytes: usize = table.entries.iter().map(|(question, kept)| size(question, kept)).sum();
            assert_eq!(table.bytes, bytes);
        }
        let kept = (0..2000).filter(|number| cache.get(&keeper, &format!("/{number}")).is_some()).count();
        assert!((300..600).contains(&kept), "{kept} answers of 28 KiB are kept");
        keep(5000, MOST_OF_ONE + 1);
        assert!(cache.get(&keeper, "/5000").is_none(), "one answer must not push out the others");
        // The same question again takes no more room.
        let before = cache.0.read().unwrap().bytes;
        keep(6000, 10);
        keep(6000, 10);
        assert!(cache.0.read().unwrap().bytes <= before + 10 + 2 * OVERHEAD + 5);
    }
}
