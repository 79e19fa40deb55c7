use std::collections::BTreeMap;

use serde_json::Value;

use super::{agentos, agh, cantus, dagu, plain, soulspec};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::digest::Digest;
use crate::model::{Dialect, Field, Soul};
use crate::text::{Edit, Source};

/// What a parser needs besides the bytes.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Size limits for `agh`.
    pub limits: agh::Limits,
    /// How strictly a package is checked.
    pub profile: soulspec::Profile,
    /// The file name, if it is significant for the dialect; `None` for an agent's SOUL.md.
    pub name: Option<String>,
    /// The name of the folder, for a soul that gives itself no name.
    pub folder: Option<String>,
    /// The companion files by path, relative to the soul's directory.
    pub files: BTreeMap<String, Source>,
    /// Whether `files` is complete, so that any other file is missing.
    pub complete: bool,
}

/// A parsed file of some dialect. It owns the bytes that it was parsed from.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    Agh(agh::Document),
    Agentos(Box<agentos::Document>),
    Cantus(cantus::Document),
    Dagu(dagu::Document),
    Soulspec(Box<soulspec::Document>),
    Plain(Box<plain::Document>),
}

/// A document and its diagnostics.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// What could be parsed, even if there are errors.
    pub document: Document,
    /// All diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// The origin of a soul, for dialects that mention it in the identity text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Provenance<'a> {
    /// Path of the file, as shown to users.
    pub source_path: &'a str,
    /// The snapshot it was read from; `None` for a file.
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
            Document::Plain($inner) => $call,
        }
    };
}

/// Parses a text. Invalid content is never an error but a diagnostic.
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
        Dialect::Plain => Document::Plain(Box::new(plain::parse(source.clone(), context, &mut diagnostics))),
    };
    Parsed { document, diagnostics: diagnostics.finish(&source) }
}

/// Files emitted for a soul.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Emitted {
    /// The text of the soul's own file.
    pub text: String,
    /// Companion files with their paths, relative to the soul's directory.
    pub beside: Vec<(String, String)>,
}

impl From<String> for Emitted {
    fn from(text: String) -> Self {
        Self { text, beside: Vec::new() }
    }
}

/// Writes a soul in a dialect.
#[must_use]
pub fn emit(soul: &Soul, dialect: Dialect) -> Emitted {
    match dialect {
        Dialect::Agh => agh::emit(soul).into(),
        Dialect::Agentos => agentos::emit(soul),
        Dialect::Cantus => cantus::emit(soul).into(),
        Dialect::Dagu => dagu::emit(soul).into(),
        Dialect::Soulspec => soulspec::emit(soul),
        Dialect::Plain => plain::emit(soul),
    }
}

/// The authored parts of a document: who the agent is, and neither what it remembers nor whom it works for. Authored
/// files that the document does not hold are in it by their digests.
fn authored(document: &Value, files: &BTreeMap<String, Source>) -> Value {
    let mut document = document.clone();
    if let Some(parts) = document.as_object_mut() {
        parts.remove("memory");
        parts.remove("user");
        let digests = files.iter().filter(|(path, _)| is_authored(path));
        let digests = digests.map(|(path, source)| (path.clone(), Digest::of([source.bytes()]).to_string().into()));
        parts.insert("files".to_owned(), Value::Object(digests.collect()));
    }
    document
}

/// The files that say who an agent is, besides those that its manifest names.
pub(crate) fn is_authored(path: &str) -> bool {
    const FILES: [&str; 6] = ["SOUL.md", "IDENTITY.md", "STYLE.md", "AGENTS.md", "RULES.md", "TOOLS.md"];
    AUTHORED_FOLDERS.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        || FILES.contains(&path)
}

/// The folders whose files say who an agent is.
pub const AUTHORED_FOLDERS: [&str; 4] = ["examples", "hooks", "skills", "tools"];

impl Parsed {
    /// Whether no diagnostic is an error.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        !crate::diagnostics::has_errors(&self.diagnostics)
    }

    /// The canonical digest; `None` if the soul is invalid.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        self.is_valid().then(|| self.document.digest())
    }
}

impl Document {
    #[allow(missing_docs)]
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::Agh(_) => Dialect::Agh,
            Self::Agentos(_) => Dialect::Agentos,
            Self::Cantus(_) => Dialect::Cantus,
            Self::Dagu(_) => Dialect::Dagu,
            Self::Soulspec(_) => Dialect::Soulspec,
            Self::Plain(_) => Dialect::Plain,
        }
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn source(&self) -> &Source {
        each!(self, document => &document.source)
    }

    /// A companion file that the document was parsed with.
    #[must_use]
    pub fn source_of(&self, path: &str) -> Option<&Source> {
        match self {
            Self::Soulspec(package) => package.source_of(path),
            Self::Agentos(workspace) => workspace.source_of(path),
            Self::Plain(folder) => folder.source_of(path),
            Self::Agh(_) | Self::Cantus(_) | Self::Dagu(_) => None,
        }
    }

    /// Whether the document was parsed with files of folders, other than the two files of examples.
    #[must_use]
    pub fn reads_folders(&self) -> bool {
        let deep = |files: &BTreeMap<String, Source>| {
            let known = |path: &str| plain::COMPANIONS.iter().any(|(name, ..)| *name == path);
            files.keys().any(|path| path.contains('/') && !known(path))
        };
        match self {
            Self::Soulspec(_) => true,
            Self::Agentos(workspace) => deep(&workspace.others),
            Self::Plain(folder) => deep(&folder.files),
            Self::Agh(_) | Self::Cantus(_) | Self::Dagu(_) => false,
        }
    }

    /// The path of the file that usually has this name; a package may use other names.
    #[must_use]
    pub fn path_of<'a>(&'a self, usual: &'a str) -> &'a str {
        match self {
            Self::Soulspec(package) => package.path_of(usual),
            _ => usual,
        }
    }

    /// The source with edits applied; without edits, the exact source.
    #[must_use]
    pub fn render(&self, edits: &[Edit]) -> Vec<u8> {
        self.source().with_edits(edits)
    }

    /// The content independent of the dialect.
    #[must_use]
    pub fn soul(&self) -> Soul {
        in_order(each!(self, document => document.soul()))
    }

    /// The content for a conversion: like [`soul`](Self::soul), but the body of a plain soul is one passage, so that
    /// it can be carried over byte for byte.
    #[must_use]
    pub fn emission_soul(&self) -> Soul {
        match self {
            Self::Plain(document) => in_order(document.whole_body_soul()),
            _ => self.soul(),
        }
    }

    /// The document as JSON, in the shape of its dialect.
    #[must_use]
    pub fn to_json(&self) -> Value {
        each!(self, document => document.to_json())
    }

    /// The digest of the document's meaning. It identifies a soul only if the document is valid.
    #[must_use]
    pub fn digest(&self) -> Digest {
        match self {
            Self::Agh(document) => document.digest(),
            _ => self.digest_of(&self.to_json()),
        }
    }

    /// Like [`digest`](Self::digest), if the document's JSON is at hand already.
    #[must_use]
    pub fn digest_of(&self, json: &Value) -> Digest {
        match self {
            Self::Agh(document) => document.digest(),
            Self::Cantus(_) | Self::Dagu(_) => Digest::of_json(self.dialect(), 1, json),
            Self::Agentos(workspace) => Digest::of_json(self.dialect(), 2, &authored(json, &workspace.others)),
            Self::Plain(folder) => Digest::of_json(self.dialect(), 2, &authored(json, &folder.files)),
            Self::Soulspec(package) => Digest::of_json(self.dialect(), 2, &package.authored_json()),
        }
    }

    /// The tools that a package brings, as a list for the prompt; empty for everything else.
    #[must_use]
    pub fn tools(&self) -> String {
        match self {
            Self::Soulspec(package) => package.tools(),
            _ => String::new(),
        }
    }

    /// The text that tells a model who it is.
    #[must_use]
    pub fn identity(&self, from: Provenance<'_>) -> String {
        each!(self, document => document.identity(from))
    }
}

/// A soul with its items in the order of the source; other files come last.
fn in_order(mut soul: Soul) -> Soul {
    soul.items.sort_by(|a, b| {
        (a.field == Field::File, &a.file, a.span.start).cmp(&(b.field == Field::File, &b.file, b.span.start))
    });
    soul
}
