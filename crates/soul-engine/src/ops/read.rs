//! The one way from a target to a parsed soul.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::{self, Context, Detection, Parsed, agentos};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::Error;
use crate::Keeper;
use crate::files::{self, Directory, PERSONA_FILE, SOUL_FILE, is_library};
use crate::workspace::Target;

/// What was found for a target.
pub(super) struct Found {
    /// As users see it.
    pub(super) source_path: String,
    /// What it is, if anything.
    pub(super) content: Content,
    /// Whether `[agents.soul]` decides over its use: it is a named agent's.
    pub(super) managed: bool,
}

pub(super) enum Content {
    Soul(Box<Parsed>),
    /// There, and not to be read; the diagnostic says why.
    Unreadable(Box<Diagnostic>),
    /// A named agent without a soul.
    Absent,
}

/// Where a file is looked for, and what of its surroundings counts.
struct Place {
    directory: PathBuf,
    name: String,
    /// Whether the files beside it are read too: the target was a directory.
    beside: bool,
    managed: bool,
}

pub(super) fn read(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<Found, Error> {
    match target {
        Target::Text(bytes) => {
            let content = if bytes.len() as u64 > files::MAX_BYTES {
                Content::Unreadable(Box::new(unreadable(&files::Error::TooLarge)))
            } else {
                Content::Soul(Box::new(parse(keeper, bytes, dialect, None, None)))
            };
            Ok(Found { source_path: "-".into(), content, managed: false })
        }
        Target::Path(path) if path.is_dir() && path.file_name().is_none_or(|name| name != SOUL_FILE) => {
            directory(keeper, &path, dialect, false)?.ok_or_else(|| Error::NoSoul(keeper.roots.shown(&path)))
        }
        Target::Path(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let directory = parent.map_or_else(|| PathBuf::from("."), Path::to_path_buf);
            let place = Place { directory, name, beside: false, managed: false };
            file(keeper, place, dialect)?.ok_or_else(|| Error::NotFound(keeper.roots.shown(&path)))
        }
        Target::Agent(name) => {
            let path = keeper.roots.find_agent(&name).ok_or(Error::AgentNotFound(name))?;
            let source_path = keeper.roots.shown(&path.join(SOUL_FILE));
            let absent = Found { source_path, content: Content::Absent, managed: true };
            Ok(directory(keeper, &path, dialect, true)?.unwrap_or(absent))
        }
    }
}

/// The soul of an agent's directory, with what stands beside it.
fn directory(keeper: &Keeper, path: &Path, dialect: Option<Dialect>, managed: bool) -> Result<Option<Found>, Error> {
    let place = |name: &str| Place { directory: path.to_path_buf(), name: name.to_owned(), beside: true, managed };
    match file(keeper, place(SOUL_FILE), dialect)? {
        Some(found) => Ok(Some(found)),
        None => file(keeper, place(PERSONA_FILE), dialect),
    }
}

/// Reads one file; `None` when there is none.
fn file(keeper: &Keeper, place: Place, dialect: Option<Dialect>) -> Result<Option<Found>, Error> {
    let shown = place.directory.join(&place.name);
    let shown = shown.strip_prefix(".").unwrap_or(&shown);
    let opened = Directory::open(&place.directory).and_then(|directory| Ok((directory.read(&place.name)?, directory)));
    let content = match opened {
        Ok((bytes, directory)) => {
            let directory = place.beside.then_some(&directory);
            Content::Soul(Box::new(parse(keeper, bytes, dialect, Some(&place), directory)))
        }
        Err(files::Error::NotFound) => return Ok(None),
        Err(error) => Content::Unreadable(Box::new(unreadable(&error))),
    };
    Ok(Some(Found { source_path: keeper.roots.shown(shown), content, managed: place.managed }))
}

fn parse(
    keeper: &Keeper,
    bytes: Vec<u8>,
    dialect: Option<Dialect>,
    place: Option<&Place>,
    beside: Option<&Directory>,
) -> Parsed {
    let source = Source::new(bytes);
    // An agent's SOUL.md is named for what it is, not for who it is.
    let name = place.map(|place| place.name.clone()).filter(|name| name != SOUL_FILE);
    // A relative path does not show the name of the folder it starts in.
    let in_library = || {
        let folder = place.filter(|_| name.is_some()).map(|place| std::path::absolute(&place.directory));
        folder.is_some_and(|folder| folder.is_ok_and(|folder| is_library(&folder)))
    };
    let Detection { dialect, doubt } = match dialect {
        Some(dialect) => Detection { dialect, doubt: None },
        None => formats::detect(&source, name.as_deref(), in_library()),
    };
    let (files, problems) = match beside.filter(|_| dialect == Dialect::Agentos) {
        Some(directory) => companions(directory),
        None => Default::default(),
    };
    let mut parsed = formats::parse(source, dialect, &Context { limits: keeper.settings.soul.limits, name, files });
    parsed.diagnostics.extend(problems);
    parsed.diagnostics.extend(doubt.map(|doubt| *doubt));
    parsed
}

/// The files of a workspace beside its SOUL.md; one that is there and cannot be read is a problem.
fn companions(directory: &Directory) -> (BTreeMap<String, Source>, Vec<Diagnostic>) {
    let mut found = BTreeMap::new();
    let mut problems = Vec::new();
    for (name, ..) in agentos::COMPANIONS {
        match directory.read(name) {
            Ok(bytes) => {
                found.insert(name.to_owned(), Source::new(bytes));
            }
            Err(files::Error::NotFound) => {}
            Err(error) => {
                let diagnostic = unreadable(&error);
                problems.push(Diagnostic { message: format!("{name} was not read: {error}"), ..diagnostic });
            }
        }
    }
    (found, problems)
}

fn unreadable(error: &files::Error) -> Diagnostic {
    let (code, help) = match error {
        files::Error::Escapes => {
            (Code::PathEscape, "put the file itself there; a link may point only within the directory")
        }
        files::Error::TooLarge => (Code::OversizedFile, "a soul is a few pages of text; is this the right file?"),
        files::Error::NotAFile(_) => (Code::ParserIo, "remove it and write a file in its place"),
        files::Error::NotFound | files::Error::Io(_) => {
            (Code::ParserIo, "check the permissions of the file and its directory")
        }
    };
    Diagnostic::new(code, format!("the soul was not read: {error}")).help(help)
}
