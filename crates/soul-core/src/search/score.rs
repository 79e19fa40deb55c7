use super::hit::{Explained, FileFacts, Hit, Options, Top};
use super::segment::{Postings, Record, Segment, Storage};
use super::{Damaged, Query, Role, Slot};

/// BM25: how soon repeating a word stops to count, and how much a long section is held back.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.6;

/// Weights are kept in quarters.
const QUARTERS: f64 = 4.0;

/// A part of a word that more sections have than this tells nothing, and would cost the most.
const COMMON: u64 = 4096;

/// How much a section of today counts over one that is forgotten.
const RECENCY: f64 = 0.05;

/// What is left of the score of a file that is superseded.
const SUPERSEDED: f64 = 0.5;

const DEAD: u32 = u32::MAX;

/// Several segments searched as one index, with statistics of their live sections.
#[derive(Debug)]
pub struct Searcher<S> {
    parts: Vec<Part<S>>,
    files: Vec<FileFacts>,
    living: u64,
}

#[derive(Debug)]
struct Part<S> {
    segment: Segment<S>,
    /// The file of each section, or that it is dead.
    file_of: Vec<u32>,
    /// How much each section's length holds its terms back.
    slack: Vec<f32>,
    /// Whether all of its sections are alive, so that what the segment counted still holds.
    whole: bool,
    /// How many sections stand in the parts before this one.
    base: usize,
}

impl<S: Storage> Searcher<S> {
    /// `segments` gives for each file of each segment its index in `files`, or `None` if it was replaced. Equal
    /// scores are ordered by file.
    ///
    /// # Errors
    /// If segments and files do not match.
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
            let whole = !file_of.contains(&DEAD);
            parts.push(Part { segment, file_of, slack: Vec::new(), whole, base });
            base += documents;
        }
        let average = if living == 0 { 1.0 } else { (length as f64 / living as f64).max(1.0) };
        let slack = |length: &u32| SATURATION * (1.0 - LENGTH + LENGTH * f64::from(*length) / average) * QUARTERS;
        for part in &mut parts {
            part.slack = part.segment.lengths().iter().map(|length| slack(length) as f32).collect();
        }
        Ok(Self { parts, files, living })
    }

    /// The number of live sections.
    #[must_use]
    pub fn living(&self) -> u64 {
        self.living
    }

    /// The most relevant sections, best first. Files that the filter excludes still count for averages.
    ///
    /// # Errors
    /// If a segment is damaged.
    pub fn search(
        &self,
        query: &Query,
        options: &Options,
        lets_through: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Hit>, Damaged> {
        let slots = self.look_up(query)?;
        let whole = full_share(&slots);
        let total = self.parts.last().map_or(0, |last| last.base + last.file_of.len());
        let mut sums = vec![Sum::default(); total];
        // What each section gained from the slot at hand, where more than one term may fill it.
        let mut best: Vec<Sum> = Vec::new();
        let mut gained: Vec<usize> = Vec::new();
        for slot in &slots {
            for found in &slot.found {
                self.each_living(found, |part, document, gain| {
                    let place = self.parts[part].base + document as usize;
                    if slot.role == Role::Helper && sums[place].share == 0.0 {
                        // Nothing else was found here.
                    } else if slot.found.len() == 1 {
                        sums[place].add(gain, found.share);
                    } else {
                        if best.is_empty() {
                            best.resize(total, Sum::default());
                        }
                        if best[place].share == 0.0 {
                            gained.push(place);
                        }
                        if gain > best[place].score {
                            best[place] = Sum { score: gain, share: found.share };
                        }
                    }
                })?;
            }
            for place in gained.drain(..) {
                let gained = std::mem::take(&mut best[place]);
                sums[place].add(gained.score, gained.share);
            }
        }
        let factor = |file| lets_through(file).then(|| self.recency(file, options) * self.standing(file) / whole);
        let factors: Vec<Option<f64>> = (0..self.files.len()).map(factor).collect();
        let mut top = Top::new(options.limit);
        for (index, part) in self.parts.iter().enumerate() {
            for ((document, file), sum) in (0u32..).zip(&part.file_of).zip(&sums[part.base..]) {
                if sum.share > 0.0
                    && let Some(factor) = factors[*file as usize]
                {
                    let score = sum.score * sum.share * factor;
                    top.offer(Hit { place: (index, document), file: *file as usize, score });
                }
            }
        }
        Ok(top.finish())
    }

    /// The stored record of a result.
    ///
    /// # Errors
    /// If its segment is damaged.
    pub fn record(&self, hit: &Hit) -> Result<Record, Damaged> {
        self.parts.get(hit.place.0).ok_or(Damaged)?.segment.record(hit.place.1)
    }

    /// Explains the score of a result.
    ///
    /// # Errors
    /// If a segment is damaged.
    pub fn explain(&self, query: &Query, options: &Options, hit: &Hit) -> Result<Explained, Damaged> {
        let slots = self.look_up(query)?;
        let mut terms = Vec::new();
        let mut covered = 0.0;
        for (slot, wanted) in slots.iter().zip(query.slots()) {
            let mut best: Option<(&str, f64, f64)> = None;
            for (found, (term, _)) in slot.found.iter().zip(&wanted.terms) {
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
            coverage: covered / full_share(&slots),
            recency: self.recency(hit.file, options),
            standing: self.standing(hit.file),
        })
    }

    /// Where the terms of each slot occur, and how telling each is: the fewer sections have it, the
    /// more.
    fn look_up(&self, query: &Query) -> Result<Vec<Filled>, Damaged> {
        let term = |(term, weight): &(String, u32)| {
            let mut postings = Vec::new();
            for (index, part) in self.parts.iter().enumerate() {
                postings.extend(part.segment.postings(term)?.map(|postings| (index, postings)));
            }
            let having = self.having(&postings)?;
            if *weight < 100 && having > COMMON {
                return Ok(TermPostings { share: 0.0, postings: Vec::new() });
            }
            let (all, having) = (self.living as f64, having as f64);
            let share = (1.0 + (all - having + 0.5) / (having + 0.5)).ln() * f64::from(*weight) / 100.0;
            Ok(TermPostings { share, postings })
        };
        let slot =
            |slot: &Slot| Ok(Filled { role: slot.role, found: slot.terms.iter().map(term).collect::<Result<_, _>>()? });
        query.slots().iter().map(slot).collect()
    }

    /// How many living sections have a term.
    fn having(&self, postings: &[(usize, Postings)]) -> Result<u64, Damaged> {
        let mut having = 0u64;
        for (part, postings) in postings {
            let Part { segment, file_of, whole, .. } = &self.parts[*part];
            if *whole {
                having += u64::from(postings.count);
            } else {
                let living = |document: u32| u64::from(file_of[document as usize] != DEAD);
                postings.each(segment.documents(), |document, _| having += living(document))?;
            }
        }
        Ok(having)
    }

    /// Hands over every living section that has the term, with what it gains.
    fn each_living(&self, found: &TermPostings, mut visit: impl FnMut(usize, u32, f64)) -> Result<(), Damaged> {
        for (index, postings) in &found.postings {
            let Part { segment, file_of, slack, .. } = &self.parts[*index];
            let most = found.share * (SATURATION + 1.0);
            postings.each(segment.documents(), |document, weight| {
                if file_of[document as usize] != DEAD {
                    let weight = f64::from(weight);
                    visit(*index, document, most * weight / (weight + f64::from(slack[document as usize])));
                }
            })?;
        }
        Ok(())
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
struct TermPostings {
    share: f64,
    postings: Vec<(usize, Postings)>,
}

/// A slot and where its terms occur.
struct Filled {
    role: Role,
    found: Vec<TermPostings>,
}

/// What a section shares that has all that was typed.
fn full_share(slots: &[Filled]) -> f64 {
    let typed = slots.iter().filter(|slot| slot.role != Role::Related);
    let whole: f64 = typed.filter_map(|slot| slot.found.first()).map(|found| found.share).sum();
    if whole > 0.0 { whole } else { 1.0 }
}

/// What a section has gathered.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    score: f64,
    share: f64,
}

impl Sum {
    fn add(&mut self, gain: f64, share: f64) {
        self.score += gain;
        self.share += share;
    }
}
