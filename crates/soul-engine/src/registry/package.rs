//! A package that was read: its files, its manifest, and what the scanner says about both.

use std::collections::BTreeMap;

use serde_json::Value;
use soul_core::diagnostics::{Diagnostic, Severity};
use soul_core::formats::soulspec::{self, MANIFESTS, Profile};
use soul_core::formats::{self, Context, Document};
use soul_core::model::Dialect;
use soul_core::scan::{File, Report, Trust, scan_as};
use soul_core::text::{Source, slug};

use super::{Contents, Error, PackageName, Version};

/// The largest manifest.
pub const MAX_MANIFEST: usize = 256 << 10;

/// A package.
#[derive(Debug, Clone)]
pub struct Package {
    /// Who publishes it, and its name.
    pub name: PackageName,
    /// Its version.
    pub version: Version,
    /// Its files.
    pub contents: Contents,
    document: soulspec::Document,
    /// What is wrong with it, by the profile it was read with.
    pub diagnostics: Vec<Diagnostic>,
}

impl Package {
    /// Reads a package. The owner is that of the registry's folder, if it is in one.
    ///
    /// # Errors
    /// When it has no manifest that says what it is.
    pub fn read(contents: Contents, owner: Option<&str>, profile: Profile) -> Result<Self, Error> {
        let (document, diagnostics) = parse(&contents, profile)?;
        let owner = owner.map_or_else(|| own_owner(&document), |owner| Ok(owner.to_owned()))?;
        let field = |key: &'static str| {
            let missing = || Error::BadField(key, "it is missing".to_owned());
            document.text(key).ok_or_else(missing)
        };
        // A name with its owner in it is one that other clients publish.
        let name = field("name")?;
        let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
        let name = PackageName::new(&owner, name)?;
        let version = field("version")?.parse();
        let version = version.map_err(|error: super::BadVersion| Error::BadField("version", error.to_string()))?;
        Ok(Self { name, version, contents, document, diagnostics })
    }

    /// Its manifest.
    #[must_use]
    pub const fn manifest(&self) -> &soulspec::Document {
        &self.document
    }

    /// The text at a path of keys of the manifest; empty if there is none.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        self.document.text(key).unwrap_or_default()
    }

    /// Who the manifest says has written it: the GitHub name, or the name.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        author(&self.document)
    }

    /// The errors among what is wrong with it.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The path of the soul's own text in the package.
    #[must_use]
    pub fn soul_path(&self) -> &str {
        self.document.path("files.soul").unwrap_or("SOUL.md")
    }

    /// Scans all files as a stranger's: nothing in them can suppress a finding.
    #[must_use]
    pub fn scan(&self) -> Report {
        scan(&self.contents)
    }
}

/// Scans files as a stranger's.
pub(crate) fn scan(contents: &Contents) -> Report {
    let files: Vec<File<'_>> = contents.files().map(|(path, bytes)| File { path: path.as_str(), bytes }).collect();
    let mut report = scan_as(&files, Trust::Stranger);
    report.sort();
    report
}

/// Parses the manifest of a package with all its files.
pub(crate) fn parse(contents: &Contents, profile: Profile) -> Result<(soulspec::Document, Vec<Diagnostic>), Error> {
    let found = MANIFESTS.into_iter().find_map(|name| contents.file(name).map(|bytes| (name, bytes)));
    let (manifest, bytes) = found.ok_or(Error::NoManifest)?;
    if bytes.len() > MAX_MANIFEST {
        return Err(Error::HugeManifest);
    }
    let beside = contents.files().filter(|(path, _)| path.as_str() != manifest);
    let files: BTreeMap<String, Source> = beside.map(|(path, bytes)| (path.to_string(), Source::new(bytes))).collect();
    let context = Context { profile, name: Some(manifest.to_owned()), files, complete: true, ..Context::default() };
    let parsed = formats::parse(Source::new(bytes), Dialect::Soulspec, &context);
    match parsed.document {
        Document::Soulspec(document) if !document.manifest().is_empty() => Ok((*document, parsed.diagnostics)),
        _ => Err(Error::Invalid(parsed.diagnostics)),
    }
}

fn author(document: &soulspec::Document) -> Option<&str> {
    let text = |key: &str| document.text(key).map(str::trim).filter(|text| !text.is_empty());
    text("author.github").or_else(|| text("author.name")).or_else(|| document.value("author").and_then(Value::as_str))
}

/// The owner of a package that is in no registry: the author's GitHub name, or the slug of the name.
fn own_owner(document: &soulspec::Document) -> Result<String, Error> {
    if let Some(github) = document.text("author.github").map(str::trim).filter(|github| !github.is_empty()) {
        return Ok(github.to_owned());
    }
    let name = author(document).map(slug).filter(|slug| !slug.is_empty());
    name.ok_or(Error::NoOwner)
}
