//! Diagnostics: problems of a text, as values.
//!
//! A diagnostic never prints itself; renderers belong to the surfaces. All codes are in one list, so that each is
//! documented once and none is invented in passing.

mod code;
mod collector;
mod quoted;

use serde::{Deserialize, Serialize};

pub use code::Code;
pub(crate) use collector::Collector;
pub use quoted::Quoted;

use crate::text::{Edit, LineIndex, Source, Span};

/// How serious a diagnostic or finding is. Only errors make a soul invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The soul is invalid.
    Error,
    /// The soul is valid, but probably not what its author meant.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    #[allow(missing_docs)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A problem in a soul, or a remark on it, with its location and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnostic {
    /// The kind of problem; stable across versions.
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The field that has the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The part of the text that has the problem, such as `frontmatter` or a heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Path of the file, as shown to users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The file of a package that it is about, if it is not the soul's own.
    #[serde(skip)]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The character in the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The bytes that have the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Other locations that explain the problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// An edit that solves the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Edit>,
}

/// Another location that explains a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RelatedLocation"))]
pub struct Related {
    /// The bytes of the location.
    pub span: Span,
    /// What the location has to do with the problem.
    pub message: String,
}

impl Diagnostic {
    /// A diagnostic with the default severity of its code.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            field: None,
            section: None,
            path: None,
            file: None,
            line: None,
            column: None,
            span: None,
            related: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Sets the location; line and column are computed when the source is known.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Overrides the severity of the code.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets a location in another file of the package.
    #[must_use]
    pub fn in_file(mut self, path: &str, source: &Source, span: Span) -> Self {
        let position = LineIndex::new(source).position(span.start);
        self.line = Some(position.line);
        self.column = Some(position.column);
        self.span = Some(span);
        self.file = Some(path.to_owned());
        self
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn section(mut self, section: impl Into<String>) -> Self {
        self.section = Some(section.into());
        self
    }

    /// Adds another location that explains the problem.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some(Edit { span, text: text.into() });
        self
    }
}

#[allow(missing_docs)]
#[must_use]
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
