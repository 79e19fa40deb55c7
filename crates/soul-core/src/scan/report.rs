//! What a scan says: findings with their places, what was suppressed and why, score and grade.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Hit;
use super::context::Context;
use super::fold::fold;
use super::grade::{GRADED, Grade};
use super::secrets::mask_secrets;
use super::suppress::suppressions;
use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, RULES, Rule};
use crate::text::{LineIndex, Source, Span, visible};

/// Who wrote the scanned files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The caller: suppressions are honoured.
    Author,
    /// Someone else: suppressions are ignored.
    Stranger,
}

/// A match of a scanner rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Identifier of the rule.
    pub rule: String,
    /// How serious the finding is.
    pub severity: Severity,
    /// How certain the finding is.
    pub confidence: Confidence,
    /// The file, as it was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was found, with details in parentheses.
    pub message: String,
    /// The matched text on one line, shortened; secrets are masked.
    pub excerpt: String,
    /// Why it matters.
    pub why: Cow<'static, str>,
    /// How to fix it.
    pub help: Cow<'static, str>,
    /// The context that lowered the confidence; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Identifies the finding in baselines and other tools; does not change when lines move.
    pub fingerprint: String,
    /// Why the finding was suppressed; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// The other places of a finding that several places make together; absent if one place says it all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The matched bytes of the scanned text.
    #[serde(skip)]
    pub span: Span,
}

/// A further place of a finding, in the same file or in another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FindingPlace"))]
pub struct Place {
    /// The file, as it was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// The character after the last one.
    pub end_column: usize,
    /// The text of the place on one line, shortened; secrets are masked.
    pub excerpt: String,
    /// What the place adds to the finding.
    pub note: String,
    /// The bytes of the file.
    pub span: Span,
}

impl Place {
    /// A place in a file.
    pub(super) fn new(path: &str, text: &str, span: Span, note: &str) -> Self {
        let start = text.floor_char_boundary(span.start.min(text.len()));
        let span = Span::new(start, text.ceil_char_boundary(span.end.min(text.len())).max(start));
        let source = Source::from(text);
        let lines = LineIndex::new(&source);
        let (start, end) = (lines.position(span.start), lines.position(span.end));
        Self {
            file: path.to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            excerpt: excerpt(&mask_secrets(text)[span.start..span.end]),
            note: note.to_owned(),
            span,
        }
    }
}

impl Finding {
    /// Whether it fails the scan: an error with at least medium confidence.
    #[must_use]
    pub fn is_confident_error(&self) -> bool {
        self.severity == Severity::Error && self.confidence >= Confidence::Medium
    }
}

/// The result of scanning files that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScanReport"))]
pub struct Report {
    /// The findings that count, in the order of the files and their text.
    pub findings: Vec<Finding>,
    /// The findings that were suppressed, each with its reason.
    pub suppressed: Vec<Finding>,
    /// Why the scan could not be completed; null if it was.
    pub failed: Option<String>,
    /// Identifiers of the rules that ran.
    ran: Vec<Cow<'static, str>>,
    /// Identifiers of the rules that the grade is computed from.
    graded: Vec<Cow<'static, str>>,
}

impl Report {
    /// A report of all rules, or of all but those for packages.
    pub(super) fn new(findings: Vec<Finding>, is_package: bool, failed: Option<String>) -> Self {
        let (ran, graded) = rules_that_run(is_package).clone();
        let (suppressed, findings) = findings.into_iter().partition(|finding: &Finding| finding.suppressed.is_some());
        Self { findings, suppressed, failed, ran, graded }
    }

    /// A report of rules that are not ours: all of them are graded.
    pub(super) fn of_rules(findings: Vec<Finding>, ran: Vec<String>) -> Self {
        let ran: Vec<Cow<'static, str>> = ran.into_iter().map(Cow::Owned).collect();
        Self { findings, suppressed: Vec::new(), failed: None, graded: ran.clone(), ran }
    }

    /// Adds the report of other files of the same target.
    pub fn extend(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.suppressed.extend(other.suppressed);
        self.failed = self.failed.take().or(other.failed);
        for (all, more) in [(&mut self.ran, other.ran), (&mut self.graded, other.graded)] {
            let new: Vec<Cow<'static, str>> = more.into_iter().filter(|id| !all.contains(id)).collect();
            all.extend(new);
        }
    }

    /// Puts the findings into the order of the files and their text.
    pub fn sort(&mut self) {
        for findings in [&mut self.findings, &mut self.suppressed] {
            findings.sort_by(|a, b| (&a.file, a.span.start, &a.rule).cmp(&(&b.file, b.span.start, &b.rule)));
        }
    }

    /// Whether the scan was completed without a confident error.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failed.is_none() && !self.findings.iter().any(Finding::is_confident_error)
    }

    /// The number of rules that ran.
    #[must_use]
    pub fn total(&self) -> usize {
        self.ran.len()
    }

    /// The number of rules without findings.
    #[must_use]
    pub fn score(&self) -> usize {
        self.clean(&self.ran)
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn grade(&self) -> Grade {
        let grade = Grade::from_score(self.clean(&self.graded), self.graded.len());
        if self.findings.iter().any(Finding::is_confident_error) { grade.min(Grade::D) } else { grade }
    }

    fn clean(&self, rules: &[Cow<'static, str>]) -> usize {
        rules.iter().filter(|id| !self.findings.iter().any(|finding| finding.rule == **id)).count()
    }

    /// Moves findings for which there is a reason to those that do not count.
    pub(super) fn suppress(&mut self, reason: impl Fn(&Finding) -> Option<String>) {
        let mut kept = Vec::new();
        for mut finding in std::mem::take(&mut self.findings) {
            finding.suppressed = reason(&finding);
            if finding.suppressed.is_some() { self.suppressed.push(finding) } else { kept.push(finding) }
        }
        self.findings = kept;
    }
}

type Ids = Vec<Cow<'static, str>>;

/// The rules that run, and those of them that are graded.
fn rules_that_run(is_package: bool) -> &'static (Ids, Ids) {
    static FILES: OnceLock<(Ids, Ids)> = OnceLock::new();
    static PACKAGE: OnceLock<(Ids, Ids)> = OnceLock::new();
    if is_package { &PACKAGE } else { &FILES }.get_or_init(|| {
        let runs = |rule: &&&Rule| is_package || !matches!(rule.matcher, Matcher::Package(_));
        let ran: Ids = RULES.iter().filter(runs).map(|rule| Cow::Borrowed(rule.id)).collect();
        let graded = ran.iter().filter(|id| GRADED.binary_search(&id.as_ref()).is_ok()).cloned().collect();
        (ran, graded)
    })
}

/// The longest excerpt, in characters.
const EXCERPT: usize = 120;

/// Hits as findings: with line and column, suppressed or not, each rule once at each place.
pub(super) fn placed(path: &str, text: &str, hits: Vec<(&'static Rule, Hit)>, trust: Trust) -> Vec<Finding> {
    if hits.is_empty() {
        return Vec::new();
    }
    let allowed = if trust == Trust::Author { suppressions(text) } else { Vec::new() };
    let source = Source::from(text);
    let lines = LineIndex::new(&source);
    let masked = mask_secrets(text);
    let mut fingerprints = Fingerprints::default();
    let mut findings = Vec::new();
    for (rule, hit) in hits {
        let span =
            Span::new(text.floor_char_boundary(hit.span.start), text.ceil_char_boundary(hit.span.end.min(text.len())));
        let span = Span::new(span.start, span.end.max(span.start));
        let position = lines.position(span.start);
        let mut message = rule.message.to_owned();
        for note in hit.note.as_deref().into_iter().chain(hit.context.map(Context::as_str)) {
            message.push_str(&format!(" ({note})"));
        }
        let fingerprint = fingerprints.next(rule.id, path, &text[span.start..span.end]);
        findings.push(Finding {
            rule: rule.id.to_owned(),
            severity: rule.severity,
            confidence: hit.confidence.unwrap_or(rule.confidence),
            file: path.to_owned(),
            line: position.line,
            column: position.column,
            message,
            excerpt: match rule.family {
                Family::Secrets => first_characters(&text[span.start..span.end]),
                _ => excerpt(&masked[span.start..span.end]),
            },
            why: rule.why.into(),
            help: rule.fix.into(),
            context: hit.context,
            fingerprint,
            suppressed: None,
            places: Vec::new(),
            span,
        });
    }
    findings.sort_by(|a, b| (a.span, &a.rule).cmp(&(b.span, &b.rule)));
    // The same place for the same rule says no more the second time.
    findings.dedup_by(|later, first| {
        later.rule == first.rule && later.span.start < first.span.end.max(first.span.start + 1)
    });
    for finding in &mut findings {
        let covers = allowed.iter().find(|own| own.reason.is_some() && own.covers(&finding.rule, finding.line));
        finding.suppressed = covers.and_then(|own| own.reason.as_deref()).map(visible);
    }
    findings
}

/// Makes fingerprints: of the same problem in the same file the same, wherever it moves; of the second one like it
/// another.
#[derive(Debug, Default)]
pub struct Fingerprints(BTreeMap<String, usize>);

impl Fingerprints {
    /// The fingerprint of the next problem, with the text that it is about.
    pub fn next(&mut self, rule: &str, path: &str, about: &str) -> String {
        let folded = fold(&about[..about.floor_char_boundary(4_096.min(about.len()))]).text;
        let mut hash = Sha256::new();
        for part in [rule, path, folded.trim()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let digest: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let count = self.0.entry(digest.clone()).or_default();
        *count += 1;
        if *count == 1 { digest } else { format!("{digest}-{count}") }
    }
}

/// Text for people: short and on one line. Secrets in it are masked before, in the whole text, where they are known.
pub(super) fn excerpt(masked: &str) -> String {
    let cut: String = masked.trim().chars().take(EXCERPT).collect();
    let more = if cut.len() < masked.trim().len() { "…" } else { "" };
    format!("{}{more}", visible(&cut.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Of a secret, enough to know which one it is.
fn first_characters(secret: &str) -> String {
    let shown: String = secret.chars().take(4).collect();
    format!("{}… ({} characters)", visible(&shown), secret.chars().count())
}
