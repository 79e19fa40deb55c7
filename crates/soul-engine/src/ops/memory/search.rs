//! Find sections of a memory.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use soul_core::search::{Damaged, Day, Hit, Options, Query, TermKind, tokens};

use super::{Whose, rerank};
use crate::Keeper;
use crate::index::{self, Index, Progress};
use crate::ops::{Error, Grant};
use crate::workspace::Memory;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// What to look for, and where.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Whose memory.
    pub whose: Whose,
    /// What to look for; every text is a query.
    pub query: String,
    /// How many results at most.
    pub limit: usize,
    /// Only files that speak of this day or a later one.
    pub since: Option<Day>,
    /// Only the files of this topic.
    pub topic: Option<String>,
    /// Whether live state is searched too.
    pub runtime: bool,
    /// Whether each result tells how its score came about.
    pub explain: bool,
    /// Whether of sections that say nearly the same only the best is shown.
    pub collapse: bool,
    /// Whether the configured model puts the best in another order.
    pub enhanced: bool,
    /// Today.
    pub now: Day,
}

/// What was found, best first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// What was looked for.
    pub query: String,
    /// The sections.
    pub results: Vec<Found>,
    /// How long it took, in microseconds, with bringing the index up to date.
    pub took_us: u64,
    /// What the user should know about this answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A section that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The file, from the memory's directory.
    pub file: String,
    /// The heading's text.
    pub section: String,
    /// The headings from the outermost to its own.
    pub heading_path: Vec<String>,
    /// The line of the heading.
    pub line: u64,
    /// The last line.
    pub end_line: u64,
    /// How well it fits; only to be compared within one answer.
    pub score: f64,
    /// Where its text lies in the file's.
    #[serde(skip)]
    pub span: std::ops::Range<u64>,
    /// The line that fits best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// How the score came about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explanation>,
}

/// How a score came about: the sum of the terms × coverage × recency × standing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// What each term that was found brought.
    pub terms: Vec<Term>,
    /// The share of the query that was found, weighed by how telling its terms are.
    pub coverage: f64,
    /// The factor of the file's age.
    pub recency: f64,
    /// The factor of being superseded.
    pub standing: f64,
}

/// A term and what it brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// As it is in the index.
    pub term: String,
    /// Its part of the sum.
    pub score: f64,
}

/// Searches. The index is brought up to date first, and built anew if it is damaged.
///
/// # Errors
/// When there is no such memory, or it cannot be listed.
pub fn run(keeper: &Keeper, request: &Request, progress: Progress<'_>) -> Result<Response, Error> {
    let start = Instant::now();
    let memory = super::open(keeper, &request.whose)?;
    let settings = &keeper.settings.memory;
    let home = keeper.roots.home.as_deref();
    let unlistable = |error: index::Error| Error::Unlistable(keeper.roots.shown(memory.root()), error.to_string());
    let search = || -> Result<_, Error> {
        let index = Index::open(&memory, home, request.runtime, progress).map_err(unlistable)?;
        Ok((Search { request, memory: &memory, half_life_days: settings.half_life_days }.run(&index), index))
    };
    let (mut found, mut index) = search()?;
    if found.is_err() {
        Index::discard(&memory, home);
        (found, index) = search()?;
    }
    let mut results = found.map_err(|Damaged| unlistable(index::Error::Damaged(Damaged)))?;
    let mut warnings: Vec<String> = Vec::new();
    warnings.extend(index.not_kept.iter().map(|why| format!("the index is not kept: {why}")));
    if !index.unread.is_empty() {
        warnings.push(format!("not searched: {}", index.unread.join(", ")));
    }
    if request.enhanced {
        let text = |found: &Found| beginning(&memory, found);
        if let Err(why) = rerank::run(settings.rerank.as_ref(), &request.query, &mut results, &text) {
            warnings.push(format!("the order is the plain one: {why}"));
        }
    }
    results.truncate(request.limit);
    let took_us = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Response { query: request.query.clone(), results, took_us, warnings })
}

struct Search<'a> {
    request: &'a Request,
    memory: &'a Memory,
    half_life_days: f64,
}

impl Search<'_> {
    fn run(&self, index: &Index) -> Result<Vec<Found>, Damaged> {
        let request = self.request;
        let query = Query::new(&request.query);
        // Enough that collapsing and re-ordering have something to choose from.
        let wider = request.collapse || request.enhanced;
        let limit = if wider && request.limit > 0 { request.limit.saturating_mul(4).max(100) } else { request.limit };
        let options = Options { now: request.now, half_life_days: self.half_life_days, limit };
        let wanted = |path: &str, day: Day| {
            request.since.is_none_or(|since| day >= since)
                && request.topic.as_deref().is_none_or(|topic| self.memory.layout().topic_of(path) == Some(topic))
        };
        let hits = index.search(&query, &options, &wanted)?;
        let mut shingles: Vec<HashSet<String>> = Vec::new();
        let mut results = Vec::new();
        for hit in &hits {
            let mut found = self.found(index, &query, &options, hit)?;
            let text = beginning(self.memory, &found);
            if request.collapse {
                let own = pairs_of_terms(&text);
                if shingles.iter().any(|known| alike(known, &own)) {
                    continue;
                }
                shingles.push(own);
            }
            found.snippet = snippet(&query, &text);
            results.push(found);
            if results.len() >= request.limit && !request.enhanced {
                break;
            }
        }
        Ok(results)
    }

    fn found(&self, index: &Index, query: &Query, options: &Options, hit: &Hit) -> Result<Found, Damaged> {
        let record = index.record(hit)?;
        let explain = if self.request.explain {
            let why = index.explain(query, options, hit)?;
            let terms = why.terms.into_iter().map(|(term, score)| Term { term, score }).collect();
            Some(Explanation { terms, coverage: why.coverage, recency: why.recency, standing: why.standing })
        } else {
            None
        };
        let mut heading_path = record.path;
        if !record.heading.is_empty() {
            heading_path.push(record.heading.clone());
        }
        Ok(Found {
            file: index.path(hit).to_owned(),
            section: super::named(&record.heading).to_owned(),
            heading_path,
            line: record.line,
            end_line: record.end_line,
            span: record.span,
            score: hit.score,
            snippet: None,
            explain,
        })
    }
}

/// The beginning of a section's text; nothing if the file has gone meanwhile. Of a file that is not
/// UTF-8 it may be what stands a little before.
fn beginning(memory: &Memory, found: &Found) -> String {
    const LONGEST: u64 = 16 << 10;
    let most = (found.span.end - found.span.start).min(LONGEST);
    let bytes = memory.read_part(&found.file, found.span.start, most).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}

/// The line that has most of the query, cut to what can be read at a glance.
fn snippet(query: &Query, text: &str) -> Option<String> {
    const WIDTH: usize = 160;
    let wanted: HashMap<&str, u32> =
        query.slots().iter().flat_map(|slot| &slot.terms).map(|(term, weight)| (term.as_str(), *weight)).collect();
    let fits = |line: &str| {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut sum = 0;
        tokens(line, &mut |term, _| {
            if let Some((term, weight)) = wanted.get_key_value(term)
                && seen.insert(term)
            {
                sum += weight;
            }
        });
        sum
    };
    let (heading, body) = text.split_once('\n').unwrap_or(("", text));
    let filled = body.lines().chain([heading]).map(str::trim).filter(|line| !line.is_empty());
    // The first of the best.
    let best = filled.rev().max_by_key(|line| fits(line))?;
    let cut: String = best.chars().take(WIDTH).collect();
    Some(if cut.len() < best.len() { format!("{cut}…") } else { cut })
}

/// Neighbouring terms of a text, by which two texts are compared.
fn pairs_of_terms(text: &str) -> HashSet<String> {
    let mut terms = Vec::new();
    tokens(text, &mut |term, kind| {
        if !matches!(kind, TermKind::Single | TermKind::Whole) {
            terms.push(term.to_owned());
        }
    });
    terms.windows(2).map(|pair| pair.join(" ")).chain(terms.first().cloned()).collect()
}

/// Whether two texts have four of five pairs in common.
fn alike(a: &HashSet<String>, b: &HashSet<String>) -> bool {
    let both = a.intersection(b).count();
    both * 5 >= (a.len() + b.len() - both) * 4
}
