//! Findings that were there before and are known: a file of fingerprints.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::report::{Finding, Report};

/// The fingerprints of findings that the operator has accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeSet<String>);

#[derive(Serialize, Deserialize)]
struct Stored {
    schema: String,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    fingerprint: String,
    rule: String,
    file: String,
}

const SCHEMA: &str = "soul.scan-baseline/1";

impl Baseline {
    /// Parses a baseline file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let stored: Stored = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if stored.schema != SCHEMA {
            return Err(format!("its schema is `{}`, not `{SCHEMA}`", crate::text::visible(&stored.schema)));
        }
        Ok(Self(stored.findings.into_iter().map(|entry| entry.fingerprint).collect()))
    }

    /// Renders a baseline file that accepts these findings.
    #[must_use]
    pub fn render<'a>(findings: impl Iterator<Item = &'a Finding>) -> String {
        let entry = |finding: &Finding| Entry {
            fingerprint: finding.fingerprint.clone(),
            rule: finding.rule.clone(),
            file: finding.file.clone(),
        };
        let stored = Stored { schema: SCHEMA.to_owned(), findings: findings.map(entry).collect() };
        serde_json::to_string_pretty(&stored).map(|text| text + "\n").unwrap_or_default()
    }

    /// Suppresses the findings that are in the baseline.
    pub fn apply(&self, report: &mut Report) {
        report.suppress(|finding| self.0.contains(&finding.fingerprint).then(|| "in the baseline".to_owned()));
    }
}
