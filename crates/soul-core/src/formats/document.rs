use std::collections::BTreeMap;

use serde_json::Value;

use super::{agentos, agh, cantus, dagu, soulspec};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::digest::Digest;
use crate::model::{Dialect, Field, Soul};
use crate::text::{Edit, Source};

/// What a format needs to know besides the bytes.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Limits for agh texts.
    pub limits: agh::Limits,
    /// How much is asked of a package.
    pub profile: soulspec::Profile,
    /// The file's name, where it means something to a dialect; an agent's SOUL.md has none.
    pub name: Option<String>,
    /// The files beside it, by their path from its directory.
    pub files: BTreeMap<String, Source>,
    /// Whether those are all there are, so that one which is not among them is missing.
    pub complete: bool,
}

/// What a file says in its own dialect. It owns the bytes that it was read from.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// Frontmatter and body.
    Agh(agh::Document),
    /// A persona, and what stands beside it.
    Agentos(Box<agentos::Document>),
    /// Six sections.
    Cantus(cantus::Document),
    /// Name, description, content.
    Dagu(dagu::Document),
    /// A manifest and its files.
    Soulspec(Box<soulspec::Document>),
}

/// A document and everything there is to say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// What could be read.
    pub document: Document,
    /// All problems, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Where a soul comes from, for the dialects whose prompt tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Provenance<'a> {
    /// Where people find the file.
    pub source_path: &'a str,
    /// The snapshot that it was read from, if it was not read from a file.
    pub snapshot_id: Option<&'a str>,
}

/// Calls the same thing on the document of whichever dialect it is.
macro_rules! each {
    ($document:expr, $inner:ident => $call:expr) => {
        match $document {
            Document::Agh($inner) => $call,
            Document::Agentos($inner) => $call,
            Document::Cantus($inner) => $call,
            Document::Dagu($inner) => $call,
            Document::Soulspec($inner) => $call,
        }
    };
}

/// Reads a text in a dialect. Bad content is never an error but a diagnostic.
///
/// ```
/// use soul_core::formats::{Context, parse};
/// use soul_core::model::Dialect;
/// use soul_core::text::Source;
///
/// let source = Source::from("---\nrole: Guide\n---\nYou show the way.\n");
/// let parsed = parse(source, Dialect::Agh, &Context::default());
/// assert!(parsed.is_valid());
/// assert!(parsed.document.digest().to_string().starts_with("sha256:"));
/// ```
#[must_use]
pub fn parse(source: Source, dialect: Dialect, context: &Context) -> Parsed {
    let mut diagnostics = Collector::default();
    if let Some(at) = source.first_invalid_byte() {
        let span = crate::text::Span::new(at, at + 1);
        diagnostics.push(
            Diagnostic::new(Code::InvalidUtf8, format!("byte {} is not UTF-8 text", at + 1))
                .at(span)
                .help("save the file as UTF-8"),
        );
    }
    let document = match dialect {
        Dialect::Agh => Document::Agh(agh::parse(source.clone(), context, &mut diagnostics)),
        Dialect::Agentos => Document::Agentos(Box::new(agentos::parse(source.clone(), context, &mut diagnostics))),
        Dialect::Cantus => Document::Cantus(cantus::parse(source.clone(), context, &mut diagnostics)),
        Dialect::Dagu => Document::Dagu(dagu::parse(source.clone(), context, &mut diagnostics)),
        Dialect::Soulspec => Document::Soulspec(Box::new(soulspec::parse(source.clone(), context, &mut diagnostics))),
    };
    Parsed { document, diagnostics: diagnostics.finish(&source) }
}

/// Fresh text for a soul: the file itself, and what stands beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Emitted {
    /// The text of the soul's own file.
    pub text: String,
    /// Other files, by their path from its directory.
    pub beside: Vec<(String, String)>,
}

impl From<String> for Emitted {
    fn from(text: String) -> Self {
        Self { text, beside: Vec::new() }
    }
}

/// Writes fresh text for a soul in a dialect.
#[must_use]
pub fn emit(soul: &Soul, dialect: Dialect) -> Emitted {
    match dialect {
        Dialect::Agh => agh::emit(soul).into(),
        Dialect::Agentos => agentos::emit(soul),
        Dialect::Cantus => cantus::emit(soul).into(),
        Dialect::Dagu => dagu::emit(soul).into(),
        Dialect::Soulspec => soulspec::emit(soul),
    }
}

impl Parsed {
    /// Whether no diagnostic is an error.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        !crate::diagnostics::has_errors(&self.diagnostics)
    }

    /// The canonical digest, which only a valid soul has.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        self.is_valid().then(|| self.document.digest())
    }
}

impl Document {
    /// The dialect it is written in.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::Agh(_) => Dialect::Agh,
            Self::Agentos(_) => Dialect::Agentos,
            Self::Cantus(_) => Dialect::Cantus,
            Self::Dagu(_) => Dialect::Dagu,
            Self::Soulspec(_) => Dialect::Soulspec,
        }
    }

    /// The bytes it was read from.
    #[must_use]
    pub fn source(&self) -> &Source {
        each!(self, document => &document.source)
    }

    /// A file beside it that it was read with.
    #[must_use]
    pub fn source_of(&self, path: &str) -> Option<&Source> {
        match self {
            Self::Soulspec(package) => package.source_of(path),
            Self::Agentos(workspace) => workspace.source_of(path),
            Self::Agh(_) | Self::Cantus(_) | Self::Dagu(_) => None,
        }
    }

    /// Where the file is that usually has this name: a package may name its files as it likes.
    #[must_use]
    pub fn path_of<'a>(&'a self, usual: &'a str) -> &'a str {
        match self {
            Self::Soulspec(package) => package.path_of(usual),
            _ => usual,
        }
    }

    /// The source with the edits done; without edits, the source to the byte.
    #[must_use]
    pub fn render(&self, edits: &[Edit]) -> Vec<u8> {
        self.source().with_edits(edits)
    }

    /// The same content without the dialect.
    #[must_use]
    pub fn soul(&self) -> Soul {
        let mut soul = each!(self, document => document.soul());
        soul.items.sort_by(|a, b| {
            (a.field == Field::File, &a.file, a.span.start).cmp(&(b.field == Field::File, &b.file, b.span.start))
        });
        soul
    }

    /// The document as JSON, in the shape of its dialect.
    #[must_use]
    pub fn to_json(&self) -> Value {
        each!(self, document => document.to_json())
    }

    /// The digest of what it says. It names a soul only if the document is valid.
    #[must_use]
    pub fn digest(&self) -> Digest {
        match self {
            Self::Agh(document) => document.digest(),
            _ => self.digest_of(&self.to_json()),
        }
    }

    /// The same, for whoever has the document's JSON at hand already.
    #[must_use]
    pub fn digest_of(&self, json: &Value) -> Digest {
        match self {
            Self::Agh(document) => document.digest(),
            Self::Agentos(_) | Self::Cantus(_) | Self::Dagu(_) | Self::Soulspec(_) => {
                Digest::of_json(self.dialect(), json)
            }
        }
    }

    /// The text that tells a model who it is.
    #[must_use]
    pub fn identity(&self, from: Provenance<'_>) -> String {
        each!(self, document => document.identity(from))
    }
}
