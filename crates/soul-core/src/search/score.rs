use std::collections::HashMap;

use super::segment::{Postings, Record, Segment, Storage};
use super::{Damaged, Day, Query};

/// BM25: how soon repeating a word stops to count, and how much a long section is held back.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.6;

/// How much a section of today counts over one that is forgotten.
const RECENCY: f64 = 0.05;

/// What is left of the score of a file that is superseded.
const SUPERSEDED: f64 = 0.5;

/// What counts for all sections of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileFacts {
    /// When it was written.
    pub day: Day,
    /// Whether something newer took its place.
    pub superseded: bool,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Today.
    pub now: Day,
    /// After how many days half of what is new about a section is gone; 0: age does not count.
    pub half_life_days: f64,
    /// How many results.
    pub limit: usize,
}

impl Options {
    /// Ten results, with the half-life of a month.
    #[must_use]
    pub fn new(now: Day) -> Self {
        Self { now, half_life_days: 30.0, limit: 10 }
    }
}

/// A section that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The segment and the section in it.
    pub place: (usize, u32),
    /// The file, as the searcher was given it.
    pub file: usize,
    /// How well it fits; only to be compared within one answer.
    pub score: f64,
}

/// How a score came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// Each term that was found, and what it brought.
    pub terms: Vec<(String, f64)>,
    /// The share of the query that was found, weighed by how telling its terms are.
    pub coverage: f64,
    /// The factor of the file's age.
    pub recency: f64,
    /// The factor of being superseded.
    pub standing: f64,
}

const DEAD: u32 = u32::MAX;

/// Segments as one index, with the counts of what is alive in them.
#[derive(Debug)]
pub struct Searcher<S> {
    parts: Vec<Part<S>>,
    files: Vec<FileFacts>,
    living: u64,
    average: f64,
}

#[derive(Debug)]
struct Part<S> {
    segment: Segment<S>,
    /// The file of each section, or that it is dead.
    file_of: Vec<u32>,
    /// How many sections stand in the parts before this one.
    base: usize,
}

impl<S: Storage> Searcher<S> {
    /// Takes segments and, for each file in each of them, which of the files it is, or none if it
    /// has been replaced. Equal scores are ordered as the files are.
    ///
    /// # Errors
    /// When the two do not belong together.
    pub fn new(segments: Vec<(Segment<S>, Vec<Option<u32>>)>, files: Vec<FileFacts>) -> Result<Self, Damaged> {
        let mut parts: Vec<Part<S>> = Vec::with_capacity(segments.len());
        let (mut living, mut length, mut base) = (0u64, 0u64, 0);
        for (segment, alive) in segments {
            if alive.len() != segment.files() {
                return Err(Damaged);
            }
            let mut file_of = Vec::with_capacity(segment.documents() as usize);
            for (count, file) in segment.sections_of_files().iter().zip(alive) {
                if file.is_some_and(|file| file as usize >= files.len()) {
                    return Err(Damaged);
                }
                file_of.extend(std::iter::repeat_n(file.unwrap_or(DEAD), *count as usize));
            }
            for (own, file) in segment.lengths().iter().zip(&file_of) {
                if *file != DEAD {
                    living += 1;
                    length += u64::from(*own);
                }
            }
            let documents = file_of.len();
            parts.push(Part { segment, file_of, base });
            base += documents;
        }
        let average = if living == 0 { 1.0 } else { (length as f64 / living as f64).max(1.0) };
        Ok(Self { parts, files, living, average })
    }

    /// How many sections are alive.
    #[must_use]
    pub fn living(&self) -> u64 {
        self.living
    }

    /// The best sections, best first, of the files that `wanted` lets through. Those it does not
    /// count for averages all the same.
    ///
    /// # Errors
    /// When a segment is damaged.
    pub fn search(
        &self,
        query: &Query,
        options: &Options,
        wanted: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Hit>, Damaged> {
        let slots = self.look_up(query)?;
        let whole = whole(&slots);
        let total = self.parts.last().map_or(0, |last| last.base + last.file_of.len());
        let mut sums = vec![Sum::default(); total];
        let mut touched: Vec<(u32, u32)> = Vec::new();
        // What each section gained from the slot at hand, where more than one term may fill it.
        let mut best: HashMap<(u32, u32), Sum> = HashMap::new();
        for slot in &slots {
            for found in slot {
                self.each_living(found, |part, document, gain| {
                    let sum = &mut sums[self.parts[part].base + document as usize];
                    if sum.share == 0.0 {
                        touched.push((part as u32, document));
                    }
                    if slot.len() == 1 {
                        sum.score += gain;
                        sum.share += found.share;
                    } else {
                        // Marks it as touched; settled below.
                        sum.share += f64::MIN_POSITIVE;
                        let best = best.entry((part as u32, document)).or_default();
                        if gain > best.score {
                            *best = Sum { score: gain, share: found.share };
                        }
                    }
                })?;
            }
            for ((part, document), gained) in best.drain() {
                let sum = &mut sums[self.parts[part as usize].base + document as usize];
                sum.score += gained.score;
                sum.share += gained.share;
            }
        }
        let hit = |(part, document): (u32, u32)| {
            let Part { file_of, base, .. } = &self.parts[part as usize];
            let file = file_of[document as usize] as usize;
            let sum = &sums[base + document as usize];
            let score = sum.score * (sum.share / whole) * self.recency(file, options) * self.standing(file);
            Hit { place: (part as usize, document), file, score }
        };
        let mut hits: Vec<Hit> = touched.into_iter().map(hit).filter(|hit| wanted(hit.file)).collect();
        let order =
            |a: &Hit, b: &Hit| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)).then(a.place.1.cmp(&b.place.1));
        if options.limit < hits.len() {
            if options.limit > 0 {
                hits.select_nth_unstable_by(options.limit - 1, order);
            }
            hits.truncate(options.limit);
        }
        hits.sort_unstable_by(order);
        Ok(hits)
    }

    /// What is known of a section that was found.
    ///
    /// # Errors
    /// When its segment is damaged.
    pub fn record(&self, hit: &Hit) -> Result<Record, Damaged> {
        self.parts.get(hit.place.0).ok_or(Damaged)?.segment.record(hit.place.1)
    }

    /// How the score of a hit came about.
    ///
    /// # Errors
    /// When a segment is damaged.
    pub fn explain(&self, query: &Query, options: &Options, hit: &Hit) -> Result<Explained, Damaged> {
        let slots = self.look_up(query)?;
        let mut terms = Vec::new();
        let mut covered = 0.0;
        for (slot, wanted) in slots.iter().zip(query.slots()) {
            let mut best: Option<(&str, f64, f64)> = None;
            for (found, (term, _)) in slot.iter().zip(&wanted.terms) {
                self.each_living(found, |part, document, gain| {
                    let better = best.is_none_or(|(_, known, _)| gain > known);
                    if (part, document) == hit.place && better {
                        best = Some((term, gain, found.share));
                    }
                })?;
            }
            if let Some((term, gain, share)) = best {
                terms.push((term.to_owned(), gain));
                covered += share;
            }
        }
        Ok(Explained {
            terms,
            coverage: covered / whole(&slots),
            recency: self.recency(hit.file, options),
            standing: self.standing(hit.file),
        })
    }

    /// Where the terms of each slot occur, and how telling each is.
    fn look_up(&self, query: &Query) -> Result<Vec<Vec<Found>>, Damaged> {
        let term = |(term, weight): &(String, u32)| {
            let mut postings = Vec::new();
            for (index, part) in self.parts.iter().enumerate() {
                postings.extend(part.segment.postings(term)?.map(|postings| (index, postings)));
            }
            Ok(Found { share: self.share(&postings)? * f64::from(*weight) / 100.0, postings })
        };
        query.slots().iter().map(|slot| slot.terms.iter().map(term).collect()).collect()
    }

    /// How telling a term is: the fewer living sections have it, the more.
    fn share(&self, postings: &[(usize, Postings)]) -> Result<f64, Damaged> {
        let mut having = 0u64;
        for (part, postings) in postings {
            let Part { segment, file_of, .. } = &self.parts[*part];
            postings.each(segment.documents(), |document, _| having += u64::from(file_of[document as usize] != DEAD))?;
        }
        let (all, having) = (self.living as f64, having as f64);
        Ok((1.0 + (all - having + 0.5) / (having + 0.5)).ln())
    }

    /// Hands over every living section that has the term, with what it gains.
    fn each_living(&self, found: &Found, mut visit: impl FnMut(usize, u32, f64)) -> Result<(), Damaged> {
        for (index, postings) in &found.postings {
            let Part { segment, file_of, .. } = &self.parts[*index];
            postings.each(segment.documents(), |document, weight| {
                let file = file_of[document as usize];
                if file != DEAD {
                    let gain = found.share * self.saturated(weight, segment.lengths()[document as usize]);
                    visit(*index, document, gain);
                }
            })?;
        }
        Ok(())
    }

    /// BM25's share of a term that has so much weight in a section of this length.
    fn saturated(&self, weight: u32, length: u32) -> f64 {
        let weight = f64::from(weight) / 4.0;
        let slack = SATURATION * (1.0 - LENGTH + LENGTH * f64::from(length) / self.average);
        weight * (SATURATION + 1.0) / (weight + slack)
    }

    fn recency(&self, file: usize, options: &Options) -> f64 {
        if options.half_life_days <= 0.0 {
            return 1.0;
        }
        let age = f64::from(options.now.0) - f64::from(self.files[file].day.0);
        1.0 + RECENCY * (-age.max(0.0) / options.half_life_days).exp2()
    }

    fn standing(&self, file: usize) -> f64 {
        if self.files[file].superseded { SUPERSEDED } else { 1.0 }
    }
}

/// Where a term occurs in each part, and how telling it is.
struct Found {
    share: f64,
    postings: Vec<(usize, Postings)>,
}

/// What a section shares that has all that was typed.
fn whole(slots: &[Vec<Found>]) -> f64 {
    let whole: f64 = slots.iter().filter_map(|slot| slot.first()).map(|found| found.share).sum();
    if whole > 0.0 { whole } else { 1.0 }
}

/// What a section has gathered.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    score: f64,
    share: f64,
}
