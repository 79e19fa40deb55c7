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
    /// The word for it: `low`, `medium`, `high`.
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
    /// The word for it, which is also the name of its folder with hyphens.
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

/// One thing that is looked for.
#[derive(Debug)]
pub struct Rule {
    /// Its name for machines; never changes.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it guards.
    pub family: Family,
    /// How much a finding weighs.
    pub severity: Severity,
    /// How sure a finding is when nothing around it says otherwise.
    pub confidence: Confidence,
    /// What a finding says.
    pub message: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do.
    pub fix: &'static str,
    /// Whether code blocks count as much as prose.
    pub code_counts: bool,
    /// How it is found.
    pub matcher: Matcher,
    /// Texts that must be found.
    pub hits: &'static [&'static str],
    /// Texts that look alike and must not be found with any confidence.
    pub misses: &'static [&'static str],
}

/// How a rule finds what it looks for.
#[derive(Debug)]
pub enum Matcher {
    /// In the folded text: one of the literals must be there, the pattern decides around it.
    Words {
        /// In folded form.
        literals: &'static [&'static str],
        /// A pattern over bytes, verbose (`(?x)`, one alternative a line, a literal space as `\ `) unless it is
        /// short; `{name}` stands for a fragment.
        pattern: &'static str,
    },
    /// In the text as it is written; literals match in any case.
    Raw {
        /// In lower case.
        literals: &'static [&'static str],
        /// A pattern over bytes, verbose unless it is short.
        pattern: &'static str,
        /// What a match must fulfil besides.
        keep: fn(&str) -> bool,
    },
    /// By looking at one file.
    File(fn(&Reading<'_>) -> Vec<Hit>),
    /// By looking at a package as a whole.
    Package(fn(&Package<'_>) -> Vec<Hit>),
}

/// Every match is meant.
pub(crate) fn any(_: &str) -> bool {
    true
}
