//! Search the sections of a memory.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::search::{Damaged, Day, Hit, Options, Query};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Moment, NonBlank, given};
use crate::index::{self, Index};
use crate::memory::excerpt::{MatchingLine, alike, matching_lines, pairs_of_terms, snippet};
use crate::memory::rerank::{self, Passage};
use crate::memory::{Error as MemoryError, MAX_RESULTS, Memories, MemoryOf, section_name};
use crate::ops::{Error, Hints, Load, Operation};
use crate::souls;
use crate::workspace::{AgentName, Memory};

/// Search the sections of a memory, or of all agents' memories. Every text is a query, in any script.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Whose memory.
    #[serde(flatten)]
    pub memory: Memories,
    /// What to search for.
    pub query: String,
    /// Maximum number of results.
    #[serde(default = "ten")]
    #[schemars(range(min = 0, max = MAX_RESULTS))]
    pub limit: usize,
    /// Search only files of this day or later, as the number of days since 1970-01-01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Day>,
    /// Search only the files of this topic.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub topic: Option<NonBlank>,
    /// Search live state too.
    #[serde(default)]
    pub runtime: bool,
    /// Explain the score of each result.
    #[serde(default)]
    pub explain: bool,
    /// Return only the best of sections that say nearly the same.
    #[serde(default)]
    pub collapse: bool,
    /// Let the model of `[memory.rerank]` order the best results.
    #[serde(default)]
    pub enhanced: bool,
    /// Search as of this time; defaults to the current time. Recent notes count more.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub now: Option<Moment>,
}

const fn ten() -> usize {
    10
}

/// The results of a search, best first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemorySearchPage")]
pub struct Response {
    /// What was searched for.
    pub query: String,
    /// The sections.
    pub results: Vec<SearchResult>,
    /// Number of files that were searched; 0 if there is no memory.
    pub files: usize,
    /// How long the search took, in microseconds, with the update of the index.
    pub took_us: u64,
    /// What kept the search from being complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A section that matches a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemorySearchResult")]
pub struct SearchResult {
    /// The agent whose memory it is, if the memories of all agents were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The file, relative to the memory's directory.
    pub file: String,
    /// Heading of the section.
    pub section: String,
    /// The headings from the outermost to the section's own.
    pub heading_path: Vec<String>,
    /// Line of the heading.
    pub line: u64,
    /// Last line of the section.
    pub end_line: u64,
    /// How well the section matches; comparable within one response only.
    pub score: f64,
    /// Where the section is in the file.
    #[serde(skip)]
    pub span: std::ops::Range<u64>,
    /// The line that matches best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// The lines that match, in their order; where only the heading does, the first line of the section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<MatchingLine>,
    /// How the score came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explanation>,
}

/// How a score came about: the sum of the terms × coverage × recency × standing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ScoreExplanation")]
pub struct Explanation {
    /// What each matching term contributes.
    pub terms: Vec<Term>,
    /// The share of the query that matches, weighted by how telling its terms are.
    pub coverage: f64,
    /// The factor for the file's age.
    pub recency: f64,
    /// The factor for being superseded.
    pub standing: f64,
}

/// What a term contributes to a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TermScore")]
pub struct Term {
    /// The term, as it is in the index.
    pub term: String,
    /// Its part of the sum.
    pub score: f64,
}

impl Operation for Request {
    const NAME: &'static str = "memory.search";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        if self.enhanced { Load::Remote } else { Load::Slow }
    }

    fn is_local(&self) -> bool {
        self.memory.is_path()
    }

    /// Brings the index up to date first, and builds it anew if it is damaged.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let (start, keeper, progress) = (Instant::now(), context.keeper, context.progress);
        if self.limit > MAX_RESULTS {
            return Err(MemoryError::BadLimit(self.limit).into());
        }
        let searched = self.open(context)?;
        let mut files = 0;
        let mut warnings: Vec<String> = Vec::new();
        let mut results: Vec<(usize, SearchResult)> = Vec::new();
        for (number, Searched { agent, memory }) in searched.iter().enumerate() {
            progress.check_awaited()?;
            let (found, index) = self.search(context, memory)?;
            files += index.files().count();
            let of_agent = agent.as_ref().map(|agent| format!(" of `{agent}`")).unwrap_or_default();
            warnings.extend(index.not_kept.iter().map(|why| format!("the index{of_agent} is not stored: {why}")));
            if !index.unread.is_empty() {
                warnings.push(format!("not searched{of_agent}: {}", index.unread.join(", ")));
            }
            let named = |found| (number, SearchResult { agent: agent.as_ref().map(AgentName::to_string), ..found });
            results.extend(found.into_iter().map(named));
        }
        if searched.len() > 1 {
            results.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
        }
        if self.enhanced {
            let passage = |index: usize| {
                let (number, found) = &results[index];
                let text = beginning(&searched[*number].memory, found);
                Passage { file: &found.file, section: &found.section, text }
            };
            let rerank = keeper.settings.memory.rerank.as_ref();
            match rerank::order_by_model(rerank, &self.query, results.len(), &passage) {
                Ok(order) => rerank::reorder(&mut results, &order),
                Err(why) => warnings.push(format!("results are not reranked: {why}")),
            }
        }
        results.truncate(self.limit);
        let results = results.into_iter().map(|(_, found)| found).collect();
        let took_us = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(Response { query: self.query, results, files, took_us, warnings })
    }
}

/// A memory that is searched.
struct Searched {
    /// The agent, if there may be others.
    agent: Option<AgentName>,
    memory: Memory,
}

impl Request {
    fn open(&self, context: &Context<'_>) -> Result<Vec<Searched>, Error> {
        let keeper = context.keeper;
        let of = match &self.memory {
            Memories::Of(of) => return Ok(vec![Searched { agent: None, memory: of.open(keeper)? }]),
            Memories::AllAgents if keeper.keeps_souls_in_database() => return Err(MemoryError::InDatabase.into()),
            Memories::AllAgents => keeper.roots.agent_names(&keeper.settings.discovery),
        };
        let unlistable = |(path, error): (PathBuf, _)| souls::Error::Unlistable(keeper.roots.shown(&path), error);
        let opened = of.map_err(unlistable)?.into_iter().map(|name| {
            let memory = MemoryOf::Agent(name.clone()).open(keeper)?;
            Ok(Searched { agent: Some(name), memory })
        });
        opened.collect()
    }

    fn search(&self, context: &Context<'_>, memory: &Memory) -> Result<(Vec<SearchResult>, Arc<Index>), Error> {
        let (keeper, progress) = (context.keeper, context.progress);
        let home = keeper.roots.home.as_deref();
        let today = Day::of_seconds(super::seconds(keeper, self.now));
        let half_life_days = keeper.settings.memory.half_life_days;
        let unlistable = |error: index::Error| MemoryError::Unlistable(keeper.roots.shown(memory.root()), error.into());
        let advance = |total| progress.advance(super::INDEXED, 1, Some(total));
        let search = || -> Result<_, Error> {
            let index = keeper.indexes.get(memory, home, self.runtime, &advance).map_err(unlistable)?;
            let search = Search { request: self, memory, today, half_life_days };
            Ok((search.run(&index), index))
        };
        let (mut found, mut index) = search()?;
        if found.is_err() {
            keeper.indexes.forget(memory);
            Index::discard(memory, home);
            (found, index) = search()?;
        }
        let results = found.map_err(|Damaged| unlistable(index::Error::Damaged(Damaged)))?;
        Ok((results, index))
    }
}

struct Search<'a> {
    request: &'a Request,
    memory: &'a Memory,
    today: Day,
    half_life_days: f64,
}

impl Search<'_> {
    fn run(&self, index: &Index) -> Result<Vec<SearchResult>, Damaged> {
        let request = self.request;
        let query = Query::new(&request.query);
        // Enough that collapsing and re-ordering have something to choose from.
        let wider = request.collapse || request.enhanced;
        let limit = if wider && request.limit > 0 { request.limit.saturating_mul(4).max(100) } else { request.limit };
        let options = Options { now: self.today, half_life_days: self.half_life_days, limit };
        let topic = request.topic.as_ref().map(NonBlank::as_str);
        let wanted = |path: &str, day: Day| {
            request.since.is_none_or(|since| day >= since)
                && topic.is_none_or(|topic| self.memory.layout().topic_of(path) == Some(topic))
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
            found.matches = matching_lines(&query, &text, found.line);
            results.push(found);
            if results.len() >= request.limit && !request.enhanced {
                break;
            }
        }
        Ok(results)
    }

    fn found(&self, index: &Index, query: &Query, options: &Options, hit: &Hit) -> Result<SearchResult, Damaged> {
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
        Ok(SearchResult {
            agent: None,
            file: index.path(hit).to_owned(),
            section: section_name(&record.heading).to_owned(),
            heading_path,
            line: record.line,
            end_line: record.end_line,
            span: record.span,
            score: hit.score,
            snippet: None,
            matches: Vec::new(),
            explain,
        })
    }
}

/// The beginning of a section's text; nothing if the file has gone meanwhile. Of a file that is not
/// UTF-8 it may be what stands a little before.
fn beginning(memory: &Memory, found: &SearchResult) -> String {
    const LONGEST: u64 = 16 << 10;
    let most = (found.span.end - found.span.start).min(LONGEST);
    let bytes = memory.read_part(&found.file, found.span.start, most).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}
