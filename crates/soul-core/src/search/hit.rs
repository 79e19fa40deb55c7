use crate::time::Day;

/// Facts about a file that all its sections share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileFacts {
    /// The day it was last changed.
    pub day: Day,
    /// Whether a newer file replaces it.
    pub superseded: bool,
}

/// Search options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The current day.
    pub now: Day,
    /// The number of days after which the bonus for recency has halved; 0 ignores age.
    pub half_life_days: f64,
    /// The largest number of results.
    pub limit: usize,
}

impl Options {
    /// Ten results, with the half-life of a month.
    #[must_use]
    pub fn new(now: Day) -> Self {
        Self { now, half_life_days: 30.0, limit: 10 }
    }
}

/// A search result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Segment number, and section number in it.
    pub place: (usize, u32),
    /// Index into the files that the searcher was given.
    pub file: usize,
    /// Relevance; only comparable within one result list.
    pub score: f64,
}

/// The explanation of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// Each matching term and its contribution.
    pub terms: Vec<(String, f64)>,
    /// The share of the query that matches, weighted by the rarity of its terms.
    pub coverage: f64,
    /// The factor for the file's age.
    pub recency: f64,
    /// The factor for superseded files.
    pub standing: f64,
}

/// What has less than this share of the best score has hardly anything to do with the query.
const WORTH_SHOWING: f64 = 0.05;

/// The best hits so far, and sometimes a few more.
pub(super) struct Top {
    hits: Vec<Hit>,
    limit: usize,
    /// What a hit must have to be among the best.
    floor: f64,
}

impl Top {
    pub(super) fn new(limit: usize) -> Self {
        Self { hits: Vec::new(), limit, floor: f64::MIN }
    }

    pub(super) fn offer(&mut self, hit: Hit) {
        if hit.score >= self.floor {
            self.hits.push(hit);
            if self.hits.len() > 2 * self.limit + 64 {
                self.shrink();
            }
        }
    }

    /// Equal scores are ordered as the files are.
    fn order(a: &Hit, b: &Hit) -> std::cmp::Ordering {
        b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)).then(a.place.1.cmp(&b.place.1))
    }

    fn shrink(&mut self) {
        if self.limit < self.hits.len() {
            if let Some(last) = self.limit.checked_sub(1) {
                self.floor = self.hits.select_nth_unstable_by(last, Self::order).1.score;
            }
            self.hits.truncate(self.limit);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Hit> {
        self.shrink();
        self.hits.sort_unstable_by(Self::order);
        let least = self.hits.first().map_or(0.0, |best| best.score * WORTH_SHOWING);
        self.hits.retain(|hit| hit.score >= least);
        self.hits
    }
}
