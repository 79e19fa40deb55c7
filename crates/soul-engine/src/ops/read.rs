//! The one way from a target to a parsed soul.

use std::path::{Path, PathBuf};

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::{self, Context, Parsed};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::Error;
use crate::Keeper;
use crate::files::{self, SOUL_FILE, is_library};
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

pub(super) fn read(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<Found, Error> {
    match target {
        Target::Text(bytes) => {
            let content = if bytes.len() as u64 > files::MAX_BYTES {
                Content::Unreadable(Box::new(unreadable(&files::Error::TooLarge)))
            } else {
                Content::Soul(Box::new(parse(keeper, bytes, dialect, false, None)))
            };
            Ok(Found { source_path: "-".into(), content, managed: false })
        }
        Target::Path(path) if path.is_dir() && path.file_name().is_none_or(|name| name != SOUL_FILE) => {
            let missing = Error::NoSoul(keeper.roots.shown(&path));
            file(keeper, &path.join(SOUL_FILE), dialect, false)?.ok_or(missing)
        }
        Target::Path(path) => {
            file(keeper, &path, dialect, false)?.ok_or_else(|| Error::NotFound(keeper.roots.shown(&path)))
        }
        Target::Agent(name) => {
            let directory = keeper.roots.find_agent(&name).ok_or(Error::AgentNotFound(name))?;
            let path = directory.join(SOUL_FILE);
            let absent = || Found { source_path: keeper.roots.shown(&path), content: Content::Absent, managed: true };
            Ok(file(keeper, &path, dialect, true)?.unwrap_or_else(absent))
        }
    }
}

/// Reads one file; `None` when there is none.
fn file(keeper: &Keeper, path: &Path, dialect: Option<Dialect>, managed: bool) -> Result<Option<Found>, Error> {
    let source_path = keeper.roots.shown(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let content = match files::read(&directory, &name) {
        Ok(bytes) => {
            let id = (name != SOUL_FILE).then(|| name.strip_suffix(".md").unwrap_or(&name).to_owned());
            // A relative path does not show the name of the folder it starts in.
            let in_library =
                name != SOUL_FILE && std::path::absolute(&directory).is_ok_and(|directory| is_library(&directory));
            Content::Soul(Box::new(parse(keeper, bytes, dialect, in_library, id)))
        }
        Err(files::Error::NotFound) => return Ok(None),
        Err(error) => Content::Unreadable(Box::new(unreadable(&error))),
    };
    Ok(Some(Found { source_path, content, managed }))
}

fn parse(keeper: &Keeper, bytes: Vec<u8>, dialect: Option<Dialect>, in_library: bool, id: Option<String>) -> Parsed {
    let source = Source::new(bytes);
    let dialect = dialect.unwrap_or_else(|| formats::detect(&source, in_library));
    formats::parse(source, dialect, &Context { limits: keeper.settings.soul.limits, id })
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
