//! Findings that count only together: words that are as often innocent as not, and a frame that reads the same sentence
//! as an attack.

use super::report::Finding;
use crate::diagnostics::Severity;
use crate::rules::{Confidence, Matcher, find};

/// Rules that are a warning by themselves. People schedule backups, pass flags, show code and describe precedence.
const IN_DOUBT: [&str; 9] = ["SEC005", "SEC010", "SEC011", "SEC014", "SEC090", "SK209", "SK210", "SK402", "SK403"];

/// Makes a warning an error where a frame finds an attack in the same place.
pub(super) fn raise(findings: &mut [Finding]) {
    let frames: Vec<Finding> =
        findings.iter().filter(|finding| finding.is_confident_error() && is_frame(&finding.rule)).cloned().collect();
    for finding in findings.iter_mut().filter(|finding| IN_DOUBT.contains(&finding.rule.as_str())) {
        let meets = |frame: &Finding| {
            let overlaps = frame.span.start < finding.span.end && finding.span.start < frame.span.end;
            frame.file == finding.file && (overlaps || frame.line == finding.line)
        };
        if finding.confidence >= Confidence::Medium && frames.iter().any(meets) {
            finding.severity = Severity::Error;
        }
    }
}

/// Whether a rule reads a sentence by what it means.
fn is_frame(id: &str) -> bool {
    find(id).is_some_and(|rule| matches!(rule.matcher, Matcher::Frame(_)))
}
