//! What the scanner says of texts, on all cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use soul_core::rules::Confidence;
use soul_core::scan::{File, Report, Trust, scan_as};

/// The rule that has weights.
const LEARNED: &str = "SK110";

/// A finding that fails the gate.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Why {
    pub(super) rule: String,
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) excerpt: String,
    #[serde(skip)]
    high: bool,
}

/// What the scanner said of one target.
#[derive(Debug, Clone, Default)]
pub(super) struct Judged {
    pub(super) why: Vec<Why>,
    failed: bool,
    /// Whether weights report it that have not seen its source, if that was measured.
    pub(super) held: Option<bool>,
}

impl Judged {
    /// Whether the gate fails: an error with confidence medium or high, or no complete scan.
    pub(super) fn flagged(&self) -> bool {
        self.failed || !self.why.is_empty()
    }

    /// Whether it would without the learned rule.
    pub(super) fn by_rules(&self) -> bool {
        self.failed || self.why.iter().any(|why| why.rule != LEARNED)
    }

    /// Whether it would with a learned rule that has not seen its source.
    pub(super) fn unseen(&self) -> bool {
        self.by_rules() || self.held == Some(true)
    }

    /// Whether the gate for a person's own writes fails: an error with high confidence.
    pub(super) fn certain(&self) -> bool {
        self.failed || self.why.iter().any(|why| why.high)
    }

    /// The rules that fail the gate, each once.
    pub(super) fn rules(&self) -> Vec<&str> {
        let mut rules: Vec<&str> = self.why.iter().map(|why| why.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

/// Scans files that belong together, as those of strangers.
pub(super) fn judge<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Judged {
    let files: Vec<File<'_>> = files.map(|(path, text)| File { path, bytes: text.as_bytes() }).collect();
    let Report { findings, failed, .. } = scan_as(&files, Trust::Stranger);
    let why = findings.into_iter().filter(soul_core::scan::Finding::is_confident_error).map(|finding| Why {
        high: finding.confidence == Confidence::High,
        rule: finding.rule,
        file: finding.file,
        line: finding.line,
        excerpt: finding.excerpt,
    });
    Judged { why: why.collect(), failed: failed.is_some(), held: None }
}

/// Scans one text.
pub(super) fn judge_one(path: &str, text: &str) -> Judged {
    judge([(path, text)].into_iter())
}

/// Applies a function to every item, on all cores, in order.
pub(crate) fn parallel<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return done };
                done.push((at, of(item)));
            }
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// How many targets each rule fails, and how many it alone fails; most first.
pub(super) fn by_rule<'a>(judged: impl Iterator<Item = &'a Judged>) -> Vec<(String, usize, usize)> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for judged in judged {
        let rules = judged.rules();
        for rule in &rules {
            let count = counts.entry((*rule).to_owned()).or_default();
            count.0 += 1;
            count.1 += usize::from(rules.len() == 1);
        }
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(rule, (all, alone))| (rule, all, alone)).collect();
    counts.sort_by_key(|(rule, all, _)| (usize::MAX - all, rule.clone()));
    counts
}
