//! One value for everything that a check finds: diagnostics of validation and tests, and findings of the scanner.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::calibration::Material;
use soul_core::diagnostics::{Code, Diagnostic, Severity};
use soul_core::rules::Confidence;
use soul_core::scan::{self, File, Finding, Fingerprints, Place, Suppressions, Trust, mask_secrets};
use soul_core::text::{Edit, LineIndex, Position, Source, Span};

use super::read::unscanned;
use super::{ReadFile, calibrated, scan_files, unasked_probes};
use crate::Keeper;
use crate::souls::{Bundle, Error, Resolved};

/// The check that found a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum CheckKind {
    /// Validation: the soul can be read, and says nothing that its dialect forbids.
    Validate,
    /// The scanner.
    Scan,
    /// The soul against its own examples.
    Test,
}

/// A problem, where it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// The code of the diagnostic, or the id of the scanner's rule. `explain` explains both.
    pub code: String,
    /// The check that found it.
    pub check: CheckKind,
    /// How serious it is.
    pub severity: Severity,
    /// How certain it is; absent for what is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// What is wrong, in one sentence; secrets are masked.
    pub message: String,
    /// The file, as it can be opened from the working directory.
    pub path: String,
    /// The line, from 1; absent for a problem of the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The character in the line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    /// The character after the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
    /// The text that the scanner matched, shortened; secrets are masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// An edit that solves it; `fix` applies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Edit>,
    /// Identifies the problem in baselines and other tools; does not change when lines move.
    pub fingerprint: String,
    /// Why it does not count; absent if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// The other places of a problem that several places make together; absent if one place says it all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The bytes of the file that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// The problems of some files, and the texts that they are in, with secrets masked.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Collected {
    pub(crate) problems: Vec<Problem>,
    pub(crate) sources: BTreeMap<String, String>,
    /// Why not everything was checked.
    pub(crate) failed: Option<String>,
    /// The problems of whole files so far: code and path.
    #[serde(skip)]
    whole: BTreeSet<(String, String)>,
}

impl Collected {
    /// Adds what was found elsewhere. What several checks say of a whole file is said once.
    pub(crate) fn extend(&mut self, other: Self) {
        for problem in other.problems {
            let whole = (problem.code.clone(), problem.path.clone());
            if problem.line.is_some() || self.whole.insert(whole) {
                self.problems.push(problem);
            }
        }
        self.sources.extend(other.sources);
        self.failed = self.failed.take().or(other.failed);
    }
}

/// Everything wrong with a soul: what validation finds, and how it stands its own tests if it is valid.
pub(crate) fn of_soul(keeper: &Keeper, soul: Resolved, trust: Trust) -> Result<Collected, Error> {
    let mut collector = Collector { trust, ..Collector::default() };
    for diagnostic in &soul.diagnostics {
        let source = soul.source_of(diagnostic);
        collector.add(CheckKind::Validate, diagnostic, diagnostic.path.as_deref().unwrap_or(&soul.source_path), source);
    }
    if soul.is_present() && soul.is_valid() && soul.document.is_some() {
        let bundle = Bundle::around(keeper, soul)?;
        let (files, oversized) = bundle.small();
        let material = Material { soul: &bundle.soul.soul, own: &bundle.own, files: &files };
        let (_, mut found) = calibrated(&bundle, &material);
        found.extend(oversized.into_iter().chain(unasked_probes(&material, &files)));
        // A soul without examples has nothing to be tested against, which is no problem of it.
        for diagnostic in found.iter().filter(|found| found.code != Code::ExamplesMissing) {
            let file = diagnostic.file.as_deref().unwrap_or(&bundle.own);
            let path = format!("{}{}", bundle.folder, bundle.path_of(file));
            collector.add(CheckKind::Test, diagnostic, &path, bundle.source_of(file));
        }
    }
    Ok(collector.collected)
}

/// Everything that the scanner finds in files that belong together.
pub(crate) fn of_files(files: &[ReadFile], trust: Trust) -> Collected {
    let mut collector = Collector { trust, ..Collector::default() };
    let read: Vec<File<'_>> = files.iter().filter_map(ReadFile::held).collect();
    let (report, unread) = scan_files(files, &|files| scan::scan_as(files, trust));
    for finding in report.findings.into_iter().chain(report.suppressed) {
        let text_of = |path: &str| read.iter().find(|file| file.path == path).map(File::text);
        for place in &finding.places {
            collector.keep_source(&place.file, text_of(&place.file).as_deref());
        }
        let text = text_of(&finding.file);
        collector.add_finding(finding, text.as_deref());
    }
    let refused = files.iter().filter_map(|file| Some((&file.path, file.bytes.as_ref().err()?)));
    for (path, error) in refused.chain(unread.iter().map(|(path, error)| (path, error))) {
        collector.add(CheckKind::Scan, &unscanned(error), path, None);
    }
    collector.collected.failed = report.failed;
    collector.collected
}

/// The place after the last character. What ends with a line does not touch the next one.
fn end(source: &Source, span: Span) -> Position {
    let bytes = source.bytes().get(span.start..span.end).unwrap_or_default();
    LineIndex::new(source).position(span.start + bytes.trim_ascii_end().len().max(usize::from(!bytes.is_empty())))
}

struct Collector {
    trust: Trust,
    fingerprints: Fingerprints,
    collected: Collected,
}

impl Default for Collector {
    fn default() -> Self {
        Self { trust: Trust::Author, fingerprints: Fingerprints::default(), collected: Collected::default() }
    }
}

impl Collector {
    fn add(&mut self, check: CheckKind, diagnostic: &Diagnostic, path: &str, source: Option<&Source>) {
        let text = source.and_then(Source::text);
        let code = diagnostic.code.as_str();
        let end = diagnostic.span.zip(source).map(|(span, source)| end(source, span));
        // What moves with the lines is no part of what identifies it.
        let marked = text.zip(diagnostic.span).and_then(|(text, span)| text.get(span.start..span.end));
        let suppressions = text.filter(|_| self.trust == Trust::Author).map(Suppressions::find).unwrap_or_default();
        let masked = |text: &String| mask_secrets(text).into_owned();
        self.keep_source(path, text.filter(|_| diagnostic.span.is_some()));
        self.collected.problems.push(Problem {
            code: code.to_owned(),
            check,
            severity: diagnostic.severity,
            confidence: None,
            message: masked(&diagnostic.message),
            path: path.to_owned(),
            line: diagnostic.line,
            column: diagnostic.column,
            end_line: end.map(|end| end.line).filter(|_| diagnostic.line.is_some()),
            end_column: end.map(|end| end.column).filter(|_| diagnostic.line.is_some()),
            excerpt: None,
            help: diagnostic.help.as_ref().map(masked),
            fix: diagnostic.fix.clone(),
            fingerprint: self.fingerprints.next(code, path, marked.unwrap_or(&diagnostic.message)),
            suppressed: suppressions.reason(code, diagnostic.line).map(str::to_owned),
            places: Vec::new(),
            span: diagnostic.span,
        });
    }

    /// Adds a finding, with the text that it is in if that is held.
    fn add_finding(&mut self, finding: Finding, text: Option<&str>) {
        let end = text.map(|text| end(&Source::from(text), finding.span));
        self.keep_source(&finding.file, text);
        self.collected.problems.push(Problem {
            check: CheckKind::Scan,
            severity: finding.severity,
            confidence: Some(finding.confidence),
            message: mask_secrets(&finding.message).into_owned(),
            line: Some(finding.line),
            column: Some(finding.column),
            end_line: end.map(|end| end.line),
            end_column: end.map(|end| end.column),
            excerpt: Some(finding.excerpt),
            help: Some(finding.help.into_owned()),
            fix: None,
            fingerprint: finding.fingerprint,
            suppressed: finding.suppressed,
            places: finding.places,
            span: Some(finding.span),
            path: finding.file,
            code: finding.rule,
        });
    }

    fn keep_source(&mut self, path: &str, text: Option<&str>) {
        if let Some(text) = text.filter(|_| !self.collected.sources.contains_key(path)) {
            self.collected.sources.insert(path.to_owned(), mask_secrets(text).into_owned());
        }
    }
}
