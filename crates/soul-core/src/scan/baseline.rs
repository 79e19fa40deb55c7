//! Findings that were there before and are known: a file of fingerprints.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::report::Report;

/// The fingerprints of findings that the operator has accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeSet<String>);

#[derive(Serialize, Deserialize)]
struct Stored {
    schema: String,
    findings: Vec<BaselineEntry>,
}

/// A problem that is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineEntry {
    /// What identifies it.
    pub fingerprint: String,
    /// The rule or the code, for people.
    pub rule: String,
    /// The file, for people.
    pub file: String,
}

const SCHEMA: &str = "soul.baseline/1";
/// What files of earlier versions say.
const EARLIER: &str = "soul.scan-baseline/1";

/// Why a problem of a baseline does not count.
pub(super) const REASON: &str = "in the baseline";

impl Baseline {
    /// Parses a baseline file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let stored: Stored = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if ![SCHEMA, EARLIER].contains(&stored.schema.as_str()) {
            return Err(format!("its schema is `{}`, not `{SCHEMA}`", crate::text::visible(&stored.schema)));
        }
        Ok(Self(stored.findings.into_iter().map(|entry| entry.fingerprint).collect()))
    }

    /// Renders a baseline file that accepts these problems.
    #[must_use]
    pub fn render(entries: Vec<BaselineEntry>) -> String {
        let stored = Stored { schema: SCHEMA.to_owned(), findings: entries };
        serde_json::to_string_pretty(&stored).map(|text| text + "\n").unwrap_or_default()
    }

    /// Why a problem with this fingerprint does not count, if it does not.
    #[must_use]
    pub fn reason(&self, fingerprint: &str) -> Option<&'static str> {
        self.0.contains(fingerprint).then_some(REASON)
    }

    /// Suppresses the findings that are in the baseline.
    pub fn apply(&self, report: &mut Report) {
        report.suppress(|finding| self.reason(&finding.fingerprint).map(str::to_owned));
    }
}
