//! Applying the edits that diagnostics carry.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Diagnostic, Severity};
use soul_core::digest::RawDigest;
use soul_core::scan::{Suppressions, Trust, mask_secrets};
use soul_core::text::{DiffBudget, Edit, Source, unified_diff};

use crate::Keeper;
use crate::authoring::{self, Change, Intent};
use crate::caller::Author;
use crate::files::{self, Directory, folder_of};
use crate::library;
use crate::library::member::Member;
use crate::souls::{self, Loader, Resolved, Target};
use crate::store::Message;
use crate::workspace::{AgentName, Managed, SoulId};

/// At most so many edits of one soul are tried.
const MOST: usize = 200;

/// A file that was fixed, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FixedFile")]
pub struct Fixed {
    /// The file, as it can be opened from the working directory.
    pub path: String,
    /// The codes of the problems that are solved, in the order in which they were.
    pub codes: Vec<String>,
    /// The change as a unified diff; secrets are masked.
    pub diff: String,
    /// Whether the file was written.
    pub written: bool,
    /// Why it could not be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Where a soul is that can be fixed.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// In this file, among others of a tree.
    Walked(PathBuf),
    /// In this file, which the user named.
    File(PathBuf),
    /// It is this agent's.
    Agent(AgentName),
}

impl Place {
    /// The soul as it would be with another text.
    fn read(&self, loader: &Loader<'_>, bytes: &[u8]) -> Option<Resolved> {
        match self {
            Self::Walked(path) => loader.instead(&folder_of(path).join(path.file_name()?), bytes).walked(path),
            Self::File(path) => {
                let path = folder_of(path).join(path.file_name()?);
                loader.instead(&path, bytes).target(&Target::Path(path.clone())).ok()
            }
            Self::Agent(name) => loader.target(&Target::Proposal(name.clone(), bytes.to_vec().into())).ok(),
        }
    }
}

/// A text with its problems fixed.
pub(crate) struct Repaired {
    before: Source,
    after: Source,
    codes: Vec<String>,
}

impl Repaired {
    /// What is reported of it.
    pub(crate) fn report(&self, path: &str, error: Option<&FixError>, written: bool) -> Fixed {
        let masked = |source: &Source| mask_secrets(source.text().unwrap_or_default()).into_owned();
        let diff = unified_diff(&masked(&self.before), &masked(&self.after), &mut DiffBudget::ONE.clone());
        Fixed { path: path.to_owned(), codes: self.codes.clone(), diff, written, error: error.map(ToString::to_string) }
    }
}

/// Applies the edits that the diagnostics of a soul carry, one at a time, each only if the soul has fewer problems
/// afterwards; so edits that overlap or get in each other's way do no harm. Nothing is written.
pub(crate) fn fixed(loader: &Loader<'_>, place: &Place, soul: &Resolved, trust: Trust) -> Option<Repaired> {
    let before = soul.document.as_ref()?.source().clone();
    let suppressions = before.text().filter(|_| trust == Trust::Author).map(Suppressions::find).unwrap_or_default();
    let is_wanted = |found: &&Diagnostic| {
        found.file.is_none() && suppressions.reason(found.code.as_str(), found.line).is_none() && found.fix.is_some()
    };
    let mut state = (before.clone(), soul.diagnostics.clone());
    let (mut codes, mut refused): (Vec<String>, Vec<Edit>) = (Vec::new(), Vec::new());
    for _ in 0..MOST {
        let (source, diagnostics) = &state;
        let edits = diagnostics.iter().filter(is_wanted).filter_map(|found| Some((found.code, found.fix.as_ref()?)));
        let Some((code, edit)) = edits.into_iter().find(|(_, edit)| !refused.contains(edit)) else { break };
        let edited = Source::new(source.with_edits(std::slice::from_ref(edit)));
        let read = place.read(loader, edited.bytes());
        match read.filter(|read| problems(&read.diagnostics) < problems(diagnostics)) {
            Some(read) => {
                codes.push(code.as_str().to_owned());
                refused.clear();
                state = (edited, read.diagnostics);
            }
            None => refused.push(edit.clone()),
        }
    }
    (!codes.is_empty()).then_some(Repaired { before, after: state.0, codes })
}

/// How bad it is: errors first, then warnings, then notes.
fn problems(diagnostics: &[Diagnostic]) -> [usize; 3] {
    [Severity::Error, Severity::Warning, Severity::Info]
        .map(|severity| diagnostics.iter().filter(|found| found.severity == severity).count())
}

/// Why a file was not fixed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FixError {
    #[error("it was changed in the meantime")]
    Changed,
    #[error("it belongs to the agent `{0}`, but another agent of that name takes precedence")]
    AnotherAgent(String),
    #[error("{}", files::plain(.0))]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    File(#[from] files::Error),
    #[error(transparent)]
    Soul(#[from] souls::Error),
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    #[error(transparent)]
    Library(#[from] library::Error),
}

/// Writes a repaired text: a managed soul's through authoring, so that it is recorded; any other file durably, if it
/// still holds what was read.
pub(crate) fn write(
    keeper: &Keeper,
    place: &Place,
    soul: &Resolved,
    repaired: &Repaired,
    author: Author,
) -> Result<(), FixError> {
    let mut codes = repaired.codes.clone();
    codes.dedup();
    let message = Message::try_from(format!("fix {}", codes.join(", "))).ok();
    let (before, after) = (repaired.before.bytes(), repaired.after.bytes());
    let expected = Some(RawDigest::of(before).into());
    let change = Change { expected, message, ..Change::new(Intent::Put(after.to_vec()), author) };
    let path = match place {
        Place::Agent(name) => {
            let agent = keeper.agent(name)?;
            match agent.path.join(soul.own_file()) {
                path if soul.own_file() != agent.soul_file() => path,
                _ => return Ok(authoring::apply(keeper, &agent, change).map(|_| ())?),
            }
        }
        Place::Walked(path) | Place::File(path) => path.clone(),
    };
    match keeper.managed(&path) {
        Some(Managed::Agent(name)) if is_soul_of_agent(keeper, &name, &path)? => {
            let agent = keeper.agent(&name.parse().map_err(souls::Error::from)?)?;
            Ok(authoring::apply(keeper, &agent, change).map(|_| ())?)
        }
        Some(Managed::Library) => {
            let id: SoulId =
                path.file_stem().unwrap_or_default().to_string_lossy().parse().map_err(souls::Error::from)?;
            let member = Member::existing(keeper, id)?;
            let lock = member.lock(keeper)?;
            let now = member.now(keeper);
            Ok(member.apply(keeper, &lock, &now, change).map(|_| ())?)
        }
        _ => {
            authoring::check_not_within_own(keeper, &path, &change.author.actor)?;
            let now = Directory::open(folder_of(&path))?.read(path.file_name().unwrap_or_default())?;
            if now != before {
                return Err(FixError::Changed);
            }
            Ok(files::replace(&path, after)?)
        }
    }
}

/// Whether a file is the one that authoring keeps for the agent of this name.
fn is_soul_of_agent(keeper: &Keeper, name: &str, path: &Path) -> Result<bool, FixError> {
    let agent = keeper.agent(&name.parse().map_err(souls::Error::from)?)?;
    if !files::is_same(&agent.path, folder_of(path)) {
        // A folder below an agent's, such as one of its skills, is nobody's record.
        let is_below = path.canonicalize()?.starts_with(agent.path.canonicalize()?);
        return if is_below { Ok(false) } else { Err(FixError::AnotherAgent(name.to_owned())) };
    }
    Ok(path.file_name().is_some_and(|file| file == agent.soul_file().as_str()))
}
