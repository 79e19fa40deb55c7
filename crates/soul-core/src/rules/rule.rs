//! What a rule is: identity, documentation, matcher, and examples that prove it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diagnostics::Severity;
use crate::scan::{Hit, Package, Reading};

/// How certain a finding is. Only `medium` and `high` findings fail a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The text matches, but its context says that it is not meant as an instruction.
    Low,
    /// Probably meant.
    Medium,
    /// There is hardly another reading.
    High,
}

impl Confidence {
    #[allow(missing_docs)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// The group of a scanner rule: the kind of risk that it detects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RuleFamily", transform = crate::schema::spellings))]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Text that takes control of the agent.
    PromptInjection,
    /// Text that gives the agent, or someone through it, access that it should not have.
    PermissionEscalation,
    /// Text that removes the agent's limits.
    SafetyBoundary,
    /// Text that changes who the agent is, now or later.
    IdentityConsistency,
    /// Text that asks for harm.
    HarmfulInstruction,
    /// Keys and passwords.
    Secrets,
    /// Characters that hide text or change how it looks.
    Unicode,
    /// A package that differs from what its manifest declares.
    PackageStructure,
}

impl Family {
    /// The spelling in JSON, which is also the name of its folder with hyphens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PromptInjection => "prompt-injection",
            Self::PermissionEscalation => "permission-escalation",
            Self::SafetyBoundary => "safety-boundary",
            Self::IdentityConsistency => "identity-consistency",
            Self::HarmfulInstruction => "harmful-instruction",
            Self::Secrets => "secrets",
            Self::Unicode => "unicode",
            Self::PackageStructure => "package-structure",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A scanner rule.
#[allow(missing_docs)]
#[derive(Debug)]
pub struct Rule {
    /// Stable identifier.
    pub id: &'static str,
    /// Human-readable name, in kebab case.
    pub name: &'static str,
    pub family: Family,
    pub severity: Severity,
    /// Confidence of a finding whose context does not lower it.
    pub confidence: Confidence,
    /// The message of a finding.
    pub message: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// Whether a match in a code block counts as much as one in prose. Only rules about program code, and about text
    /// that a rendered page hides, can say no: a sentence is an order wherever it stands.
    pub code_counts: bool,
    pub matcher: Matcher,
    /// Texts that the rule must match.
    pub hits: &'static [&'static str],
    /// Similar texts that the rule must not match, except with low confidence.
    pub misses: &'static [&'static str],
}

/// How a rule matches.
#[derive(Debug)]
pub enum Matcher {
    /// In the folded text: the pattern runs around each occurrence of a literal.
    Words {
        /// In folded form.
        literals: &'static [&'static str],
        /// A pattern over bytes, verbose (`(?x)`, one alternative a line, a literal space as `\ `) unless it is
        /// short; `{name}` stands for a fragment.
        pattern: &'static str,
    },
    /// In the original text; literals match in any case.
    Raw {
        /// In lower case.
        literals: &'static [&'static str],
        /// A pattern over bytes, verbose unless it is short.
        pattern: &'static str,
        /// A further condition on the matched text.
        keep: fn(&str) -> bool,
    },
    /// One sentence that fills the roles of one of these ways, in any language with a lexicon: see `scan/frames/ways.rs`.
    Frame(&'static [&'static str]),
    /// A function over one file.
    File(fn(&Reading<'_>) -> Vec<Hit>),
    /// A function over a package.
    Package(fn(&Package<'_>) -> Vec<Hit>),
}

/// Every match is meant.
pub(crate) fn any(_: &str) -> bool {
    true
}
