//! Bring a package's manifest to another version of the specification.

use std::io;
use std::path::Path;

use serde::Serialize;
use soul_core::diagnostics::Severity;
use soul_core::formats::soulspec::{self, MANIFESTS, Profile, SpecVersion};
use soul_core::formats::{self, Context, Document};

use soul_core::model::Dialect;
use soul_core::text::Source;

use super::{Error, Grant, inspect};
use crate::Keeper;
use crate::files;
use crate::workspace::Target;

/// It changes files.
pub const GRANT: Grant = Grant::Write;

/// Which package, and to which version.
#[derive(Debug, Clone)]
pub struct Request {
    /// The package.
    pub target: Target,
    /// The version.
    pub to: SpecVersion,
    /// Whether only to tell what would be done.
    pub dry_run: bool,
}

/// The manifest as it will be, and what was done to it.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// The manifest.
    pub source_path: String,
    /// The version it follows afterwards.
    pub to: &'static str,
    /// Whether there is anything to write.
    pub changed: bool,
    /// What is done, and what is left to the author.
    pub changes: Vec<String>,
    /// The new text.
    pub text: String,
    /// The name that the file should have, if it is another.
    pub rename: Option<&'static str>,
}

/// Edits the manifest in place.
///
/// # Errors
/// When there is no package, it already follows a later version, or it cannot be written.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let profile = Profile::Lenient;
    let read = inspect::run(keeper, inspect::Request { target: request.target, dialect: None, profile })?;
    let broken = read.diagnostics.iter().any(|diagnostic| diagnostic.code.is_syntax());
    let package = match &read.parsed {
        _ if broken => return Err(Error::Invalid(Box::new(read))),
        Some(Document::Soulspec(package)) => package,
        _ => return Err(Error::NoPackage(read.source_path)),
    };
    let migration = soulspec::migrate(package, request.to).map_err(Error::CannotMigrate)?;
    let text = read.parsed.as_ref().map(|document| document.render(&migration.edits)).unwrap_or_default();
    let errors = |bytes: &[u8]| {
        let name = Some("soul.json".to_owned());
        let parsed = formats::parse(Source::new(bytes), Dialect::Soulspec, &Context { name, ..Context::default() });
        parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
    };
    let before = read.parsed.as_ref().map_or(0, |document| errors(document.source().bytes()));
    if errors(&text) > before {
        return Err(Error::CannotMigrate("the manifest would gain errors that it does not have now".to_owned()));
    }
    let changed = !migration.edits.is_empty() || migration.rename.is_some();
    if let (Some(folder), true, false) = (&read.place, changed, request.dry_run) {
        let current = read.source_path.rsplit('/').next().unwrap_or(MANIFESTS[0]);
        write(folder, current, migration.rename.unwrap_or(current), &text)
            .map_err(|error| Error::Unwritable(read.source_path.clone(), files::plain(&error)))?;
    }
    Ok(Response {
        source_path: read.source_path,
        to: request.to.as_str(),
        changed,
        changes: migration.notes,
        text: String::from_utf8_lossy(&text).into_owned(),
        rename: migration.rename,
    })
}

/// Puts the manifest in place, under its new name if it has one.
fn write(folder: &Path, current: &str, name: &str, text: &[u8]) -> io::Result<()> {
    files::replace(&folder.join(name), text)?;
    if name == current { Ok(()) } else { std::fs::remove_file(folder.join(current)) }
}
