//! Scan files that are sent as a document.

use std::collections::BTreeMap;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Severity;
use soul_core::scan::{File, Grade, Trust, scan_as};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation, Verdict};

/// Scan files that are sent as texts, as clients of the public scan API do. `scan` says more about each finding.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Texts by path.
    pub files: BTreeMap<String, String>,
}

/// What was found, on the scale of the public API.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PublicScan")]
pub struct Response {
    /// Whether the scan was completed.
    pub ok: bool,
    /// `pass`, `warn`, `fail`, or `error` if it could not be completed.
    pub status: String,
    /// 100, less 25 for each error and 5 for each warning, and not below 0.
    pub score: usize,
    /// `Verified` from 90, `Low Risk` from 70, `Medium Risk` from 40, `High Risk` from 1, else `Blocked`.
    pub grade: String,
    /// The grade that registries list, from `A+` to `F`.
    pub scan_grade: Grade,
    /// How many rules found nothing.
    pub scan_score: usize,
    /// The version of the scanner.
    pub scanner_version: String,
    /// How long it took.
    pub scan_duration_ms: u64,
    /// Confident errors.
    pub errors: Vec<Issue>,
    /// Other findings.
    pub warnings: Vec<Issue>,
    /// Remarks.
    pub info: Vec<Issue>,
}

/// A finding.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicScanIssue")]
pub struct Issue {
    /// The rule.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The file.
    pub file: String,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// The line, from 1.
    pub line: usize,
}

impl Operation for Request {
    const NAME: &'static str = "registry.scan";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn verdict(response: &Response) -> Verdict {
        match response.status.as_str() {
            "error" => Verdict::Unchecked,
            "fail" => Verdict::Failed,
            _ => Verdict::Passed,
        }
    }

    fn run(self, _: &Context<'_>) -> Result<Response, Error> {
        if self.files.is_empty() {
            return Err(Error::BadRequest("`files` is empty: there is nothing to scan".to_owned()));
        }
        let begun = Instant::now();
        let files: Vec<File<'_>> =
            self.files.iter().map(|(path, text)| File { path, bytes: text.as_bytes() }).collect();
        let mut report = scan_as(&files, Trust::Stranger);
        report.sort();
        let (mut errors, mut warnings, mut info) = (Vec::new(), Vec::new(), Vec::new());
        for finding in &report.findings {
            let (list, severity) = match finding.severity {
                Severity::Info => (&mut info, "info"),
                Severity::Error if finding.is_confident_error() => (&mut errors, "error"),
                Severity::Error | Severity::Warning => (&mut warnings, "warning"),
            };
            list.push(Issue {
                code: finding.rule.clone(),
                message: finding.message.clone(),
                file: soul_core::text::visible(&finding.file),
                severity: severity.to_owned(),
                line: finding.line,
            });
        }
        let score = 100_usize.saturating_sub(25 * errors.len() + 5 * warnings.len());
        let grade = match score {
            90.. => "Verified",
            70.. => "Low Risk",
            40.. => "Medium Risk",
            1.. => "High Risk",
            0 => "Blocked",
        };
        let status = match (&report.failed, errors.len(), warnings.len()) {
            (Some(_), ..) => "error",
            (None, 1.., _) => "fail",
            (None, 0, 1..) => "warn",
            (None, 0, 0) => "pass",
        };
        Ok(Response {
            ok: report.failed.is_none(),
            status: status.to_owned(),
            score,
            grade: grade.to_owned(),
            scan_grade: report.grade(),
            scan_score: report.score(),
            scanner_version: env!("CARGO_PKG_VERSION").to_owned(),
            scan_duration_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            errors,
            warnings,
            info,
        })
    }
}
