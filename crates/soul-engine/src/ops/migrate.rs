//! Bring a package's manifest to another version of Soul Spec.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Severity;
use soul_core::formats::soulspec::{self, MANIFESTS, SpecVersion};
use soul_core::formats::{self, Context as ParseContext, Document};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::{Error as OpError, Hints, Operation};
use crate::Keeper;
use crate::authoring::{self, Step};
use crate::caller::Grant;
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::as_text;
use crate::files;
use crate::souls::{self, Loader, Target};

/// Bring a package's manifest to another version of Soul Spec, in place.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The package.
    #[serde(flatten)]
    pub target: Target,
    /// The version, from 0.1 to 0.6.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub to: SpecVersion,
    /// Show what would be done, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// Why a manifest was not migrated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The soul is not a package.
    #[error("`{0}` is not a package")]
    NoPackage(String),
    /// The manifest cannot follow that version.
    #[error("{0}")]
    CannotMigrate(String),
    /// The manifest could not be written.
    #[error("could not write `{}`: {}", .0, files::plain(.1))]
    Unwritable(String, #[source] io::Error),
    /// The manifest was saved by another program while it was migrated.
    #[error("another program changed `{0}` at the same time")]
    Changed(String),
    /// There is no soul to work on.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The agent must not be changed, or is being changed.
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::NoPackage(_) => (Kind::NotFound, "not_found", "a package is a folder with a `soul.json`"),
            Self::CannotMigrate(_) => (Kind::Invalid, "cannot_migrate", "choose the same version, or a later one"),
            Self::Unwritable(..) => {
                (Kind::Unable, "io", "check the permissions of the file and its directory, and the free disk space")
            }
            Self::Changed(_) => (Kind::Conflict, "manifest_conflict", "nothing was lost; migrate it again"),
            Self::Soul(error) => return error.fault(),
            Self::Authoring(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}

/// The manifest as it will be, and what was done to it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Migration")]
pub struct Response {
    /// Where the manifest is.
    pub source_path: String,
    /// The version it follows afterwards.
    pub to: String,
    /// Whether there is anything to write.
    pub changed: bool,
    /// What is done, and what is left to the author.
    pub changes: Vec<String>,
    /// The new text.
    pub text: String,
    /// The name that the file should have, if it is another.
    pub rename: Option<String>,
}

/// Refuses an agent that wants to change the manifest of its own package, by name or by path.
fn check_target(context: &Context<'_>, target: &Target) -> Result<(), authoring::Error> {
    let keeper = context.keeper;
    let actor = context.author(Request::NAME).actor;
    if let Some(name) = target.agent() {
        authoring::check_not_own(keeper, &authoring::Owner::Agent(name.clone()), &actor)?;
    }
    if let Target::Path(path) = target {
        authoring::check_not_within_own(keeper, path, &actor)?;
    }
    Ok(())
}

impl Operation for Request {
    const NAME: &'static str = "migrate";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.dry_run { Grant::Read } else { Grant::Write }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let keeper = context.keeper;
        if !self.dry_run {
            check_target(context, &self.target)?;
        }
        let agent = self.target.agent().map(|name| keeper.agent(name)).transpose()?;
        // Nobody writes to a named agent while its manifest changes.
        let agent = agent.filter(|_| !self.dry_run);
        let _lock = agent.as_ref().map(|agent| authoring::lock(keeper, agent)).transpose()?;
        let soul = Loader::new(keeper, None).target(&self.target)?;
        let broken = soul.diagnostics.iter().any(|diagnostic| diagnostic.code.is_syntax());
        let Some(document) = soul.document.clone().filter(|_| !broken) else {
            return Err(if broken {
                souls::Error::Invalid(Box::new(soul)).into()
            } else {
                Error::NoPackage(soul.source_path).into()
            });
        };
        let Document::Soulspec(package) = &document else { return Err(Error::NoPackage(soul.source_path).into()) };
        let migration = soulspec::migrate(package, self.to).map_err(Error::CannotMigrate)?;
        let text = document.render(&migration.edits);
        if errors(&text) > errors(document.source().bytes()) {
            let message = "the migration would add errors to the manifest";
            return Err(Error::CannotMigrate(message.to_owned()).into());
        }
        let changed = !migration.edits.is_empty() || migration.rename.is_some();
        if let (Some(folder), true, false) = (&soul.place, changed, self.dry_run) {
            let current = soul.source_path.rsplit('/').next().unwrap_or(MANIFESTS[0]);
            let failed = |error| Error::Unwritable(soul.source_path.clone(), error);
            // A named agent is locked already.
            let _lock = if agent.is_none() { Some(lock(folder).map_err(failed)?) } else { None };
            keeper.pass(Step::Staged).map_err(failed)?;
            let names = (current, migration.rename.unwrap_or(current));
            if !write(keeper, folder, names, document.source().bytes(), &text).map_err(failed)? {
                return Err(Error::Changed(soul.source_path).into());
            }
        }
        Ok(Response {
            source_path: soul.source_path,
            to: self.to.as_str().to_owned(),
            changed,
            changes: migration.notes,
            text: String::from_utf8_lossy(&text).into_owned(),
            rename: migration.rename.map(str::to_owned),
        })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }
}

/// How many errors a manifest has by itself.
fn errors(bytes: &[u8]) -> usize {
    let name = Some(MANIFESTS[0].to_owned());
    let context = ParseContext { name, ..ParseContext::default() };
    let parsed = formats::parse(Source::new(bytes), Dialect::Soulspec, &context);
    parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}

fn lock(folder: &Path) -> io::Result<File> {
    let directory = File::open(folder)?;
    let is_locked = files::lock(&directory, Some(Instant::now() + files::PATIENCE))?;
    if is_locked { Ok(directory) } else { Err(io::ErrorKind::TimedOut.into()) }
}

/// Writes the manifest, under its new name if it has one; false if it is not the one that was read.
fn write(keeper: &Keeper, folder: &Path, (current, name): (&str, &str), read: &[u8], text: &[u8]) -> io::Result<bool> {
    let open = |name: &str| files::FileBelow::open(folder, name.as_ref(), keeper.renames);
    if name == current {
        return Ok(open(name)?.replace(text, Some(read))?.is_none());
    }
    Ok(files::create_below(folder, name.as_ref(), text)? && open(current)?.remove(read)?.is_none())
}
