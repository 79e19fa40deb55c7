//! The patterns of rules: compiled when they first run, run only where all of their [required](super::required) parts
//! are, with caches that take a bounded amount of memory together.

use std::cell::RefCell;
use std::sync::OnceLock;

use regex_automata::meta::{BuildError, Cache, Config, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::fragments;
use super::matcher::Unusable;
use super::required::{Region, Required};
use super::steps;
use crate::rules::{Matcher, RULES, Rule};

/// The most that the lazily built states of a pattern which is no rule may take; beyond it, slower engines that need no
/// memory run. With two thirds of this the largest patterns have no room for any state.
pub(crate) const STATES: usize = 3 << 15;

/// The same for the pattern of a rule. Patterns with long gaps need much, and [`CACHES`] bounds what all of them take.
const RULE_STATES: usize = 1 << 17;

/// The most that the caches of all patterns take on a thread; beyond it they are dropped and filled again.
const CACHES: usize = 1 << 20;

/// What a rule's pattern reads as.
fn compile(rule: &Rule) -> Option<Result<Regex, Box<BuildError>>> {
    let build = |pattern: &str, lines| {
        // Nobody asks for groups, and its literals have been found before it runs.
        let config = Config::new()
            .utf8_empty(false)
            .auto_prefilter(false)
            .hybrid_cache_capacity(RULE_STATES)
            .which_captures(WhichCaptures::Implicit);
        let syntax = syntax::Config::new().unicode(false).utf8(false).multi_line(lines);
        Regex::builder().configure(config).syntax(syntax).build(pattern).map_err(Box::new)
    };
    match &rule.matcher {
        Matcher::Words { pattern, .. } => Some(build(&fragments::expanded(pattern), false)),
        Matcher::Raw { pattern, .. } => Some(build(pattern, true)),
        Matcher::Frame(_) | Matcher::File(_) | Matcher::Package(_) => None,
    }
}

/// What a rule's pattern cannot match without.
fn required(rule: usize) -> Option<&'static Required> {
    static REQUIRED: [OnceLock<Option<Required>>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];
    let read = || match &RULES[rule].matcher {
        Matcher::Words { pattern, .. } => Required::new(&fragments::expanded(pattern), false),
        Matcher::Raw { pattern, .. } => Required::new(pattern, true),
        Matcher::Frame(_) | Matcher::File(_) | Matcher::Package(_) => None,
    };
    REQUIRED[rule].get_or_init(read).as_ref()
}

#[cfg(test)]
pub(crate) fn compiles(rule: &Rule) -> Result<(), String> {
    compile(rule).transpose().map(|_| ()).map_err(|error| error.to_string())
}

fn compiled(rule: usize) -> Result<&'static Regex, Unusable> {
    static PATTERNS: [OnceLock<Option<Regex>>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];
    let pattern = PATTERNS[rule].get_or_init(|| compile(RULES[rule]).and_then(Result::ok));
    pattern.as_ref().ok_or(Unusable(RULES[rule].id))
}

/// The caches of patterns that have run on this thread, by rule.
struct Caches {
    caches: Vec<Option<Cache>>,
    /// How many bytes they take.
    bytes: usize,
    /// The rule whose cache is the next to go.
    next: usize,
}

thread_local! {
    static USED: RefCell<Caches> = const { RefCell::new(Caches { caches: Vec::new(), bytes: 0, next: 0 }) };
}

impl Caches {
    fn take(&mut self, rule: usize) -> Option<Cache> {
        let cache = self.caches.get_mut(rule).and_then(Option::take);
        self.bytes -= cache.as_ref().map_or(0, Cache::memory_usage);
        cache
    }

    /// Keeps a cache, and drops others in turn while all of them take too much.
    fn keep(&mut self, rule: usize, cache: Cache) {
        self.caches.resize_with(RULES.len(), || None);
        self.bytes += cache.memory_usage();
        self.caches[rule] = Some(cache);
        while self.bytes > CACHES {
            self.next = (self.next + 1) % RULES.len();
            drop(self.take(self.next));
        }
    }
}

/// Runs a search with the cache of a rule.
fn with_cache<T>(rule: usize, pattern: &Regex, search: impl FnOnce(&mut Cache) -> T) -> T {
    let known = USED.with_borrow_mut(|used| used.take(rule));
    let mut cache = known.unwrap_or_else(|| pattern.create_cache());
    let found = search(&mut cache);
    USED.with_borrow_mut(|used| used.keep(rule, cache));
    found
}

/// The first matches of a rule's pattern in a window, as if the pattern had run over all of it. `cased` is the window as
/// the literals of the rule are found in it: in lower case if the rule reads the text as it is written.
pub(super) fn matches_in(
    rule: usize,
    window: &[u8],
    cased: &[u8],
    most: usize,
) -> Result<Vec<(usize, usize)>, Unusable> {
    let whole = || vec![Region { start: 0, end: window.len(), starts: None }];
    let regions = required(rule).map_or_else(whole, |required| required.regions(cased));
    if regions.is_empty() {
        return Ok(Vec::new());
    }
    let pattern = compiled(rule)?;
    Ok(with_cache(rule, pattern, |cache| matches_of(pattern, cache, window, &regions, most)))
}

/// The first matches of a pattern in some regions of a window.
fn matches_of(
    pattern: &Regex,
    cache: &mut Cache,
    window: &[u8],
    regions: &[Region],
    most: usize,
) -> Vec<(usize, usize)> {
    let mut find = |text: &[u8], from: usize, anchored: Anchored| {
        pattern.search_with(cache, &Input::new(text).range(from..).anchored(anchored))
    };
    let mut found = Vec::new();
    let mut at = 0;
    for Region { start, end, starts } in regions {
        // An assertion at the end of a match looks at the byte after it.
        let cut = &window[..(end + 1).min(window.len())];
        at = at.max(*start);
        while at < *end && found.len() < most {
            let hit = match starts {
                // A search that begins everywhere has a state for each set of places where it is in the pattern, and
                // hardly any of them twice; one that begins here has few.
                Some(starts) => starts[starts.partition_point(|start| *start < at)..].iter().find_map(|start| {
                    let hit = find(cut, *start, Anchored::Yes);
                    steps::add(hit.map_or(cut.len(), |hit| hit.end()).saturating_sub(*start));
                    hit
                }),
                None => find(cut, at, Anchored::No),
            };
            let hit = hit.and_then(|hit| {
                // It may end here only because the text was cut here.
                let is_cut = hit.end() == cut.len() && cut.len() < window.len();
                if is_cut { find(window, hit.start(), Anchored::No) } else { Some(hit) }
            });
            steps::add(hit.map_or(*end, |hit| hit.end()).saturating_sub(at));
            let Some(hit) = hit else { break };
            found.push((hit.start(), hit.end()));
            at = hit.end().max(hit.start() + 1);
        }
    }
    found
}
