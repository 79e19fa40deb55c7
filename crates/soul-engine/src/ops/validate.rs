//! Check many souls at once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Code, Diagnostic, Severity};
use soul_core::formats::soulspec::{MANIFESTS, Profile};
use soul_core::model::Dialect;

use super::load::{self, Content, is_folder, walked};
use super::{Error, Grant, inspect};
use crate::Keeper;
use crate::files::souls_below;
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which souls; a directory stands for every soul below it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The souls.
    pub targets: Vec<Target>,
    /// The dialect, if it is not to be detected.
    pub dialect: Option<Dialect>,
    /// How much is asked of a package.
    pub profile: Profile,
}

/// What was found, in the order of the targets and of the paths below them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// One for each soul.
    pub results: Vec<inspect::Response>,
    /// All of them in numbers.
    pub summary: Summary,
}

/// Many souls in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// How many souls were checked.
    pub checked: usize,
    /// How many of them are valid.
    pub valid: usize,
    /// How many are not.
    pub invalid: usize,
    /// How many errors they have.
    pub errors: usize,
    /// How many warnings they have.
    pub warnings: usize,
}

/// Checks every soul of the request; `progress` hears of each soul that is done.
///
/// # Errors
/// When a target is not there, or has no soul in it.
pub fn run(keeper: &Keeper, request: Request, progress: &(dyn Fn() + Sync)) -> Result<Response, Error> {
    let mut results = Vec::new();
    for target in request.targets {
        match target {
            Target::Path(path) if is_folder(&path) => {
                results.extend(below(keeper, &path, request.dialect, request.profile, progress)?);
            }
            target => {
                results.push(inspect::respond(
                    keeper,
                    load::run(keeper, inspect::Request { target, dialect: request.dialect, profile: request.profile })?,
                ));
                progress();
            }
        }
    }
    Ok(Response::of(results))
}

impl Response {
    fn of(results: Vec<inspect::Response>) -> Self {
        Self { summary: Summary::of(&results), results }
    }

    /// Several answers as one.
    #[must_use]
    pub fn joined(responses: Vec<Self>) -> Self {
        Self::of(responses.into_iter().flat_map(|response| response.results).collect())
    }
}

fn below(
    keeper: &Keeper,
    root: &Path,
    dialect: Option<Dialect>,
    profile: Profile,
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<inspect::Response>, Error> {
    let found: Mutex<Vec<(PathBuf, inspect::Response)>> = Mutex::default();
    let add = |path: &Path, loaded: load::Response| {
        let response = inspect::respond(keeper, loaded);
        found.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_path_buf(), response));
        progress();
    };
    let visit = |path: &Path| {
        let found = match walked(keeper, path, dialect, profile) {
            Some(found) => found,
            // A package that is read in another dialect, and has no soul in that.
            None if MANIFESTS.iter().any(|manifest| path.ends_with(manifest)) => return,
            // Listed and not there to be read: a link that leads nowhere is no soul to trust.
            None => {
                let diagnostic =
                    Diagnostic::new(Code::ParserIo, "the soul was not read: it is a link that leads nowhere");
                let content = Content::Unreadable(Box::new(diagnostic.help("remove the link, or put the file there")));
                load::Response { source_path: keeper.roots.shown(path), content, managed: false, place: None }
            }
        };
        add(path, found);
    };
    let unreadable = |folder: &Path, error: std::io::Error| {
        let diagnostic = Diagnostic::new(Code::ParserIo, format!("the folder could not be listed: {}", error.kind()));
        let content = Content::Unreadable(Box::new(diagnostic.help("check the permissions of the folder")));
        add(folder, load::Response { source_path: keeper.roots.shown(folder), content, managed: false, place: None });
    };
    souls_below(root, &visit, &unreadable)
        .map_err(|error| Error::Unlistable(keeper.roots.shown(root), error.kind().to_string()))?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    if found.is_empty() {
        return Err(Error::NoSoul(keeper.roots.shown(root)));
    }
    Ok(found.into_iter().map(|(_, response)| response).collect())
}

impl Summary {
    fn of(results: &[inspect::Response]) -> Self {
        let of = |severity| {
            results
                .iter()
                .flat_map(|result| &result.diagnostics)
                .filter(|diagnostic| diagnostic.severity == severity)
                .count()
        };
        let valid = results.iter().filter(|result| result.valid).count();
        Self {
            checked: results.len(),
            valid,
            invalid: results.len() - valid,
            errors: of(Severity::Error),
            warnings: of(Severity::Warning),
        }
    }
}
