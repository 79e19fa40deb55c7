//! The one way from a target to a parsed soul. Every other operation that needs a soul begins here.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::soulspec::{MANIFESTS, Profile};
use soul_core::formats::{self, Context, Detection, Parsed, Provenance, agentos};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::Error;
use super::inspect::Request;
use crate::Keeper;
use crate::files::{self, Contents, Directory, PERSONA_FILE, SOUL_FILE, folder_of, is_library};
use crate::workspace::{Agent, AgentName, Target};

/// What there is at a target.
#[derive(Debug)]
pub struct Response {
    /// As users see it.
    pub source_path: String,
    /// What it is, if anything.
    pub content: Content,
    /// Whether `[agents.soul]` decides over its use: it is a named agent's.
    pub managed: bool,
    /// The directory whose files belong to it, or the file if it stands alone.
    pub place: Option<PathBuf>,
}

/// What was found.
#[derive(Debug)]
pub enum Content {
    /// A soul, valid or not.
    Soul(Box<Parsed>),
    /// There, and not to be read; the diagnostic says why.
    Unreadable(Box<Diagnostic>),
    /// A named agent without a soul.
    Absent,
}

/// Which text of an agent's SOUL.md counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Text<'a> {
    /// The one in the file.
    OnDisk,
    /// This one, as if it were in the file.
    Proposed(&'a [u8]),
    /// None, as if there were no file.
    Absent,
}

/// A file in an open directory, and what of its surroundings counts.
struct Spot<'a> {
    directory: &'a Directory,
    /// The path of the directory.
    path: &'a Path,
    name: &'a OsStr,
    text: Text<'a>,
    /// Whether the files beside it are read too: the target was a directory.
    beside: bool,
    /// Whether it belongs to a named agent.
    managed: bool,
    profile: Profile,
}

/// Reads the target: an agent's directory with all that belongs to the soul, a file alone.
///
/// # Errors
/// When there is nothing to read.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { target, dialect, profile } = request;
    match target {
        Target::Text(bytes) => {
            let content = if bytes.len() as u64 > files::MAX_BYTES {
                Content::Unreadable(Box::new(unreadable(&files::Error::TooLarge)))
            } else {
                Content::Soul(Box::new(parse(keeper, bytes, dialect, profile, None)))
            };
            Ok(Response { source_path: "-".into(), content, managed: false, place: None })
        }
        Target::Path(path) if let Some(opened) = folder(&path) => {
            let directory = opened.map_err(|error| Error::Unlistable(keeper.roots.shown(&path), error.to_string()))?;
            let found = package(keeper, &directory, &path, dialect, profile, Text::OnDisk);
            let found = found.or_else(|| soul_of(keeper, &directory, &path, dialect, Text::OnDisk, false));
            found.ok_or_else(|| Error::NoSoul(keeper.roots.shown(&path)))
        }
        Target::Path(path) if is_packaged(&path, dialect) => {
            let parent = folder_of(&path);
            let directory = Directory::open(parent).map_err(|_| Error::NotFound(keeper.roots.shown(&path)))?;
            let found = package(keeper, &directory, parent, dialect, profile, Text::OnDisk);
            found.ok_or_else(|| Error::NotFound(keeper.roots.shown(&path)))
        }
        Target::Path(path) => {
            file(keeper, &path, dialect, profile).ok_or_else(|| Error::NotFound(keeper.roots.shown(&path)))
        }
        Target::Agent(name) => named(keeper, &name, dialect, profile, Text::OnDisk),
        Target::Proposal(name, bytes) => named(keeper, &name, dialect, profile, Text::Proposed(&bytes)),
    }
}

/// The soul of an agent by name. The dialect that is pinned for it comes before the one that its text
/// shows.
fn named(
    keeper: &Keeper,
    name: &AgentName,
    dialect: Option<Dialect>,
    profile: Profile,
    text: Text<'_>,
) -> Result<Response, Error> {
    let agent = keeper.agent(name)?;
    let dialect = match dialect {
        Some(dialect) => Some(dialect),
        None => keeper.pinned_dialect(&agent)?,
    };
    Ok(of_agent(keeper, &agent, dialect, profile, text))
}

/// The soul of an agent, with this text as its SOUL.md.
pub(crate) fn of_agent(
    keeper: &Keeper,
    agent: &Agent,
    dialect: Option<Dialect>,
    profile: Profile,
    text: Text<'_>,
) -> Response {
    let Agent { path, directory, .. } = agent;
    let found = package(keeper, directory, path, dialect, profile, text);
    let found = found.map(|package| Response { managed: true, ..package });
    let found = found.or_else(|| soul_of(keeper, directory, path, dialect, text, true));
    let absent = || {
        let source_path = keeper.roots.shown(&path.join(SOUL_FILE));
        Response { source_path, content: Content::Absent, managed: true, place: None }
    };
    found.unwrap_or_else(absent)
}

/// A soul of the library, with this text in its file.
pub(crate) fn of_library(keeper: &Keeper, directory: &Directory, path: &Path, file: &str, text: Text<'_>) -> Response {
    let profile = Profile::Lenient;
    let spot = Spot { directory, path, name: file.as_ref(), text, beside: false, managed: false, profile };
    let content = content(keeper, &spot, Some(Dialect::Dagu)).unwrap_or(Content::Absent);
    let path = path.join(file);
    Response { source_path: keeper.roots.shown(&path), content, managed: false, place: Some(path) }
}

/// Whether a file is a manifest, or a SOUL.md with a manifest beside it.
fn is_packaged(path: &Path, dialect: Option<Dialect>) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_manifest = MANIFESTS.iter().any(|manifest| name == *manifest);
    let has_manifest = || MANIFESTS.iter().any(|manifest| path.with_file_name(manifest).is_file());
    match dialect {
        None | Some(Dialect::Soulspec) => is_manifest || (name == SOUL_FILE && path.is_file() && has_manifest()),
        Some(_) => false,
    }
}

/// The package in a directory, if it has a manifest.
fn package(
    keeper: &Keeper,
    directory: &Directory,
    path: &Path,
    dialect: Option<Dialect>,
    profile: Profile,
    text: Text<'_>,
) -> Option<Response> {
    if dialect.is_some_and(|dialect| dialect != Dialect::Soulspec) {
        return None;
    }
    MANIFESTS.into_iter().find_map(|name| {
        let content = match directory.read(name) {
            Ok(bytes) => Content::Soul(Box::new(parse_package(keeper, directory, name, bytes, profile, text))),
            Err(files::Error::NotFound) => return None,
            Err(error) => Content::Unreadable(Box::new(unreadable(&error))),
        };
        let place = Some(path.to_path_buf());
        Some(Response { source_path: keeper.roots.shown(&path.join(name)), content, managed: false, place })
    })
}

fn parse_package(
    keeper: &Keeper,
    directory: &Directory,
    name: &str,
    bytes: Vec<u8>,
    profile: Profile,
    text: Text<'_>,
) -> Parsed {
    let mut contents = directory
        .read_all()
        .unwrap_or_else(|error| Contents { refused: vec![(".".to_owned(), error)], ..Contents::default() });
    match text {
        Text::OnDisk => {}
        Text::Proposed(bytes) => drop(contents.files.insert(SOUL_FILE.to_owned(), bytes.to_vec())),
        Text::Absent => drop(contents.files.remove(SOUL_FILE)),
    }
    let others = contents.files.into_iter().filter(|(path, _)| path != name);
    let files = others.map(|(path, bytes)| (path, Source::new(bytes))).collect();
    let limits = keeper.settings.soul.limits;
    let complete = contents.refused.is_empty() && !contents.too_much;
    let context = Context { limits, profile, name: Some(name.to_owned()), files, complete };
    let mut parsed = formats::parse(Source::new(bytes), Dialect::Soulspec, &context);
    for (path, error) in contents.refused.iter().take(20) {
        let message = match error {
            files::Error::Escapes => format!("{path} is a link, and a package holds files only"),
            error => format!("{path} was not read: {error}"),
        };
        let help = Some("put the file itself into the package, or take it out".to_owned());
        parsed.diagnostics.push(Diagnostic { message, help, ..unreadable(error) });
    }
    if contents.too_much {
        let message = "the package has more files, or larger ones, than a package can have";
        parsed
            .diagnostics
            .push(Diagnostic::new(Code::OversizedPackage, message).help("a package is a few dozen small files"));
    }
    parsed
}

/// The directory at a path, if the path stands for what is in it.
fn folder(path: &Path) -> Option<Result<Directory, files::Error>> {
    if path.file_name().is_some_and(|name| name == SOUL_FILE) {
        return None;
    }
    match Directory::open(path) {
        Err(files::Error::NotFound) => None,
        opened => Some(opened),
    }
}

/// Whether a path stands for what is in it. A directory named SOUL.md is a soul gone wrong.
pub(super) fn is_folder(path: &Path) -> bool {
    path.is_dir() && path.file_name().is_none_or(|name| name != SOUL_FILE)
}

/// Reads what a walk came upon: a SOUL.md with what stands beside it, any other file alone.
pub(super) fn walked(keeper: &Keeper, path: &Path, dialect: Option<Dialect>, profile: Profile) -> Option<Response> {
    let name = path.file_name().unwrap_or_default();
    let own = name == SOUL_FILE || MANIFESTS.iter().any(|manifest| name == *manifest);
    match path.parent().filter(|_| own).map(|parent| (parent, Directory::open(parent))) {
        Some((parent, Ok(directory))) => {
            let found = package(keeper, &directory, parent, dialect, profile, Text::OnDisk);
            found.or_else(|| soul_of(keeper, &directory, parent, dialect, Text::OnDisk, false))
        }
        _ => file(keeper, path, dialect, profile),
    }
}

/// Reads the file at a path, and nothing beside it; `None` when there is none.
fn file(keeper: &Keeper, path: &Path, dialect: Option<Dialect>, profile: Profile) -> Option<Response> {
    let name = path.file_name().unwrap_or_default();
    let parent = folder_of(path);
    let found = match Directory::open(parent) {
        Ok(directory) => {
            let text = Text::OnDisk;
            let spot = Spot { directory: &directory, path: parent, name, text, beside: false, managed: false, profile };
            content(keeper, &spot, dialect)
        }
        Err(files::Error::NotFound) => None,
        Err(error) => Some(Content::Unreadable(Box::new(unreadable(&error)))),
    };
    let place = Some(path.to_path_buf());
    found.map(|content| Response { source_path: keeper.roots.shown(path), content, managed: false, place })
}

/// The soul of an agent's directory, with what stands beside it.
fn soul_of(
    keeper: &Keeper,
    directory: &Directory,
    path: &Path,
    dialect: Option<Dialect>,
    text: Text<'_>,
    managed: bool,
) -> Option<Response> {
    [(SOUL_FILE, text), (PERSONA_FILE, Text::OnDisk)].into_iter().find_map(|(name, text)| {
        let profile = Profile::Lenient;
        let spot = Spot { directory, path, name: name.as_ref(), text, beside: true, managed, profile };
        let content = content(keeper, &spot, dialect)?;
        let place = Some(path.to_path_buf());
        Some(Response { source_path: keeper.roots.shown(&path.join(name)), content, managed, place })
    })
}

/// Reads and parses one file; `None` when there is none.
fn content(keeper: &Keeper, spot: &Spot<'_>, dialect: Option<Dialect>) -> Option<Content> {
    let read = match spot.text {
        Text::OnDisk => spot.directory.read(spot.name),
        Text::Proposed(bytes) if bytes.len() as u64 > files::MAX_BYTES => Err(files::Error::TooLarge),
        Text::Proposed(bytes) => Ok(bytes.to_vec()),
        Text::Absent => Err(files::Error::NotFound),
    };
    match read {
        Ok(bytes) => Some(Content::Soul(Box::new(parse(keeper, bytes, dialect, spot.profile, Some(spot))))),
        Err(files::Error::NotFound) => None,
        Err(error) => Some(Content::Unreadable(Box::new(unreadable(&error)))),
    }
}

fn parse(
    keeper: &Keeper,
    bytes: Vec<u8>,
    dialect: Option<Dialect>,
    profile: Profile,
    spot: Option<&Spot<'_>>,
) -> Parsed {
    let source = Source::new(bytes);
    // An agent's SOUL.md is named for what it is, not for who it is.
    let name = spot.map(|spot| spot.name.to_string_lossy().into_owned()).filter(|name| name != SOUL_FILE);
    // A relative path does not show the name of the folder it starts in.
    let in_library = || {
        let folder = spot.filter(|_| name.is_some()).map(|spot| std::path::absolute(spot.path));
        folder.is_some_and(|folder| folder.is_ok_and(|folder| is_library(&folder)))
    };
    let Detection { dialect, doubt } = match dialect {
        Some(dialect) => Detection { dialect, doubt: None },
        None => formats::detect(&source, name.as_deref(), in_library()),
    };
    let (files, mut problems) = match spot.filter(|spot| spot.beside && dialect == Dialect::Agentos) {
        Some(spot) => companions(spot.directory),
        None => Default::default(),
    };
    let limits = keeper.settings.soul.limits;
    let mut parsed = formats::parse(source, dialect, &Context { limits, profile, name, files, ..Context::default() });
    // The agh parser has its own measure, with a place.
    if spot.is_some_and(|spot| spot.managed) && dialect != Dialect::Agh {
        problems.extend(oversized(&parsed, limits.max_body_bytes));
    }
    parsed.diagnostics.extend(problems);
    parsed.diagnostics.extend(doubt.map(|doubt| *doubt));
    parsed
}

/// The limits of `[agents.soul]` bind a named agent whatever its dialect.
fn oversized(parsed: &Parsed, max: usize) -> Option<Diagnostic> {
    let bytes = parsed.document.identity(Provenance::default()).len();
    let message = format!("the soul has {bytes} bytes of prompt, more than agents.soul.max_body_bytes ({max})");
    (bytes > max).then(|| {
        Diagnostic::new(Code::OversizedBody, message).section("body").help("trim the soul, or raise the limit")
    })
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
        files::Error::Escapes | files::Error::Link | files::Error::HardLink => {
            (Code::PathEscape, "put the file itself there")
        }
        files::Error::TooLarge => (Code::OversizedFile, "a soul is a few pages of text; is this the right file?"),
        files::Error::NotAFile(_) => (Code::ParserIo, "remove it and write a file in its place"),
        files::Error::NotFound | files::Error::Io(_) => {
            (Code::ParserIo, "check the permissions of the file and its directory")
        }
    };
    Diagnostic::new(code, format!("the soul was not read: {error}")).help(help)
}
