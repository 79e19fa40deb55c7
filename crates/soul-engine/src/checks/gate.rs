use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Severity;
use soul_core::rules::Confidence;

/// Which problems fail a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum FailOn {
    /// Errors of medium or high confidence.
    #[default]
    Error,
    /// Warnings of that confidence too.
    Warning,
    /// Everything of that confidence.
    Info,
    /// Every problem.
    Any,
}

impl FailOn {
    /// Whether a problem fails the check. What is certain has no confidence.
    #[must_use]
    pub fn fails(self, severity: Severity, confidence: Option<Confidence>) -> bool {
        let confident = confidence.is_none_or(|confidence| confidence >= Confidence::Medium);
        match self {
            Self::Error => confident && severity == Severity::Error,
            Self::Warning => confident && severity <= Severity::Warning,
            Self::Info => confident,
            Self::Any => true,
        }
    }
}
