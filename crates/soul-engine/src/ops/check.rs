//! Validate, scan and test souls in one go.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Severity;
use soul_core::rules::Confidence;
use soul_core::scan::{Baseline, Trust};

use super::{Error as OpError, Hints, Operation, Verdict};
use crate::caller::Grant;
use crate::checks::{self, Checker, Collected, FailOn, Fixed, Found, Problem, Unchecked};
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::{Body, given};
use crate::files::{BadGlob, Walk};
use crate::souls::{self, Target};

/// Validate, scan and test souls, and report everything wrong with them. No model is asked.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// What to check.
    pub targets: Vec<Target>,
    /// Which problems fail the check.
    #[serde(default)]
    pub fail_on: FailOn,
    /// A baseline: problems that are known and do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Body>,
    /// Let nothing in the files suppress a problem, because their author is not trusted.
    #[serde(default)]
    pub untrusted: bool,
    /// Fix what can be fixed, or show how it would be. Default: neither.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixMode>,
    /// Include the texts that the problems are in, with secrets masked.
    #[serde(default)]
    pub sources: bool,
    /// Globs of files and folders to leave out; paths only.
    #[serde(skip)]
    pub exclude: Vec<String>,
    /// Check what `.gitignore` excludes too; paths only.
    #[serde(skip)]
    pub no_ignore: bool,
    /// Scan every file, also those that have not changed since the last check; paths only.
    #[serde(skip)]
    pub no_cache: bool,
}

/// What happens to problems that can be fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum FixMode {
    /// They are fixed; the changes of managed souls are recorded.
    Apply,
    /// The fixes are shown, and nothing is changed.
    Diff,
}

/// Why nothing was checked. What is wrong with one target is part of the answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not a baseline.
    #[error("this is not a baseline: {0}")]
    BadBaseline(String),
    /// A glob cannot be used.
    #[error(transparent)]
    BadGlob(BadGlob),
    /// A soul could not be checked.
    #[error(transparent)]
    Soul(#[from] souls::Error),
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::BadBaseline(_) => {
                Fault::new(Kind::Unreadable, "bad_baseline", "create one with `soul check --write-baseline FILE`")
            }
            Self::BadGlob(_) => {
                Fault::new(Kind::Usage, "bad_glob", "globs are those of `.gitignore`, such as `docs/**`")
            }
            Self::Soul(error) => error.fault(),
        }
    }
}

/// Everything that was found.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CheckReport")]
pub struct Response {
    /// Whether no problem is at the gate, and everything could be checked.
    pub passed: bool,
    /// All of it in numbers.
    pub summary: Summary,
    /// The problems that count, in the order of the files and their text.
    pub problems: Vec<Problem>,
    /// The problems that do not count, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Problem>,
    /// The files that were fixed, or would be, if the request asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fixed>,
    /// What could not be checked, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
    /// The texts that the problems are in, by path, if the request asks for them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
}

/// A check in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CheckSummary")]
pub struct Summary {
    /// How many souls were validated and tested.
    pub souls: usize,
    /// How many files were scanned.
    pub files: usize,
    /// How many problems are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// How many are only worth knowing, findings of low confidence among them.
    pub notes: usize,
    /// How many problems do not count.
    pub suppressed: usize,
    /// How many of the problems can be fixed.
    pub fixable: usize,
}

impl Operation for Request {
    const NAME: &'static str = "check";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.fix == Some(FixMode::Apply) { Grant::Write } else { Grant::Read }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let baseline = self.baseline.as_ref().map(|baseline| Baseline::parse(&baseline.0)).transpose();
        let baseline = baseline.map_err(Error::BadBaseline)?;
        let walk = Walk { ignore: !self.no_ignore, exclude: &self.exclude };
        walk.check().map_err(Error::BadGlob)?;
        let trust = if self.untrusted { Trust::Stranger } else { Trust::Author };
        let checker = Checker { context, walk, trust, cached: !self.no_cache };
        let (mut found, mut unchecked) = self.find(&checker)?;
        let fixes = self.fix.map(|mode| fix(&checker, &found, mode)).unwrap_or_default();
        if fixes.iter().any(|fixed| fixed.written) {
            (found, unchecked) = self.find(&checker)?;
        }
        let summary = Summary {
            souls: found.iter().map(|found| found.souls.len()).sum(),
            files: found.iter().map(Found::files).sum(),
            ..Summary::default()
        };
        let collected = checker.check(found)?;
        unchecked.extend(collected.failed.clone().map(|error| Unchecked {
            path: ".".to_owned(),
            error,
            missing: false,
        }));
        Ok(self.report(collected, baseline.as_ref(), Response { summary, fixes, unchecked, ..Response::default() }))
    }

    fn is_local(&self) -> bool {
        self.targets.iter().any(Target::is_path)
    }

    fn verdict(response: &Response) -> Verdict {
        verdict(response.passed, &response.unchecked)
    }
}

/// What could not be checked comes before what was found: the report is not complete.
pub(super) fn verdict(passed: bool, unchecked: &[Unchecked]) -> Verdict {
    match unchecked {
        [] if passed => Verdict::Passed,
        [] => Verdict::Failed,
        unchecked if unchecked.iter().all(|one| one.missing) => Verdict::Missing,
        _ => Verdict::Unchecked,
    }
}

impl Request {
    fn find(&self, checker: &Checker<'_>) -> Result<(Vec<Found>, Vec<Unchecked>), OpError> {
        let (mut all, mut unchecked) = (Vec::new(), Vec::new());
        for target in &self.targets {
            checker.context.progress.check_awaited()?;
            match checker.find(target) {
                Ok(found) => {
                    let cut = |(path, error): &(String, String)| {
                        let error = format!("could not list `{path}`: {error}");
                        Unchecked { path: path.clone(), error, missing: false }
                    };
                    unchecked.extend(found.unlistable.iter().map(cut));
                    all.push(found);
                }
                // One of many that does not exist does not stop the others.
                Err(error) => {
                    unchecked.push(Unchecked::new(target, &error));
                }
            }
        }
        Ok((all, unchecked))
    }

    /// Sorts what was found into what counts and what does not.
    fn report(&self, collected: Collected, baseline: Option<&Baseline>, mut response: Response) -> Response {
        let Collected { mut problems, sources, .. } = collected;
        problems.sort_by(|a, b| (&a.path, a.line, a.column, &a.code).cmp(&(&b.path, b.line, b.column, &b.code)));
        problems.dedup();
        for problem in &mut problems {
            let known = baseline.and_then(|baseline| baseline.reason(&problem.fingerprint)).map(str::to_owned);
            problem.suppressed = problem.suppressed.take().or(known);
        }
        (response.suppressed, response.problems) =
            problems.into_iter().partition(|problem| problem.suppressed.is_some());
        if self.sources {
            let all = response.problems.iter().chain(&response.suppressed);
            let places = |problem: &'_ Problem| -> Vec<String> {
                problem.places.iter().map(|place| place.file.clone()).chain([problem.path.clone()]).collect()
            };
            let paths: BTreeSet<String> = all.flat_map(places).collect();
            response.sources = sources.into_iter().filter(|(path, _)| paths.contains(path)).collect();
        }
        let Response { summary, problems, suppressed, .. } = &mut response;
        summary.suppressed = suppressed.len();
        for problem in problems {
            *match problem.weight() {
                Severity::Error => &mut summary.errors,
                Severity::Warning => &mut summary.warnings,
                Severity::Info => &mut summary.notes,
            } += 1;
            summary.fixable += usize::from(problem.fix.is_some());
        }
        let fails = |problem: &Problem| self.fail_on.fails(problem.severity, problem.confidence);
        response.passed = response.unchecked.is_empty()
            && match self.fix {
                Some(FixMode::Diff) => response.fixes.is_empty(),
                _ => !response.problems.iter().any(fails),
            };
        response
    }
}

impl Problem {
    /// Whether it is shown as what it is; a doubtful finding is only worth knowing.
    #[must_use]
    pub fn weight(&self) -> Severity {
        if self.confidence == Some(Confidence::Low) { Severity::Info } else { self.severity }
    }
}

impl Response {
    /// Several answers as one.
    #[must_use]
    pub fn joined(responses: Vec<Self>) -> Self {
        let mut all = Self { passed: true, ..Self::default() };
        for response in responses {
            let (total, part) = (&mut all.summary, response.summary);
            for (total, part) in [
                (&mut total.souls, part.souls),
                (&mut total.files, part.files),
                (&mut total.errors, part.errors),
                (&mut total.warnings, part.warnings),
                (&mut total.notes, part.notes),
                (&mut total.suppressed, part.suppressed),
                (&mut total.fixable, part.fixable),
            ] {
                *total += part;
            }
            all.passed &= response.passed;
            all.problems.extend(response.problems);
            all.suppressed.extend(response.suppressed);
            all.fixes.extend(response.fixes);
            all.unchecked.extend(response.unchecked);
            all.sources.extend(response.sources);
        }
        all
    }
}

/// Fixes every soul that can be fixed, or shows how.
fn fix(checker: &Checker<'_>, found: &[Found], mode: FixMode) -> Vec<Fixed> {
    let mut fixes = Vec::new();
    for (place, soul) in found.iter().flat_map(|found| &found.souls) {
        let Some(place) = place else { continue };
        let Some(repaired) = checks::fixed(&checker.loader(), place, soul, checker.trust) else { continue };
        let author = checker.context.author(Request::NAME);
        let written = match mode {
            FixMode::Apply => Some(checks::write(checker.context.keeper, place, soul, &repaired, author)),
            FixMode::Diff => None,
        };
        let is_written = matches!(written, Some(Ok(())));
        fixes.push(repaired.report(&soul.source_path, written.and_then(Result::err).as_ref(), is_written));
    }
    fixes
}
