//! The one way from a target to a resolved soul.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::soulspec::{MANIFESTS, Profile};
use soul_core::formats::{self, Context, Detection, Parsed, Provenance, agentos};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::{Content, Error, Loaded, Resolved, Target, package};
use crate::Keeper;
use crate::files::{self, Directory, PERSONA_FILE, SOUL_FILE, folder_of, is_library};
use crate::workspace::{Agent, AgentName};

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

/// Reads souls: on which keeper, in which dialect if it is not to be detected, and how strictly a package
/// is checked.
#[derive(Clone, Copy)]
pub(crate) struct Loader<'a> {
    pub(crate) keeper: &'a Keeper,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) profile: Profile,
}

/// A file in an open directory, and what of its surroundings counts.
pub(super) struct Location<'a> {
    pub(super) directory: &'a Directory,
    /// The path of the directory.
    pub(super) path: &'a Path,
    pub(super) name: &'a OsStr,
    pub(super) text: Text<'a>,
    /// Whether the files beside it are read too: the target was a directory.
    pub(super) beside: bool,
    /// Whether it belongs to a named agent.
    pub(super) managed: bool,
}

impl<'a> Loader<'a> {
    /// A loader that detects dialects and asks of a package no more than that it can be read.
    pub(crate) const fn new(keeper: &'a Keeper, dialect: Option<Dialect>) -> Self {
        Self { keeper, dialect, profile: Profile::Lenient }
    }

    /// Reads a target: an agent's directory with all that belongs to the soul, a file alone.
    pub(crate) fn target(&self, target: &Target) -> Result<Resolved, Error> {
        let loaded = match target {
            Target::Text(body) => self.text(&body.0),
            Target::Path(path) => self.path(path)?,
            Target::Agent(name) => return self.named(name, Text::OnDisk),
            Target::Proposal(name, body) => return self.named(name, Text::Proposed(&body.0)),
            Target::Library(id) => {
                let folder = self.keeper.library_folder()?;
                let (directory, path) = folder.ok_or_else(|| Error::SoulNotFound(id.clone()))?;
                let soul = self.library(&directory, &path, &id.file(), Text::OnDisk);
                return if soul.is_present() { Ok(soul) } else { Err(Error::SoulNotFound(id.clone())) };
            }
        };
        Ok(loaded.resolve(self.keeper))
    }

    fn text(&self, bytes: &[u8]) -> Loaded {
        let content = if bytes.len() as u64 > files::MAX_BYTES {
            Content::Unreadable(Box::new(unreadable(&files::Error::TooLarge)))
        } else {
            Content::Soul(Box::new(self.parse(bytes.to_vec(), None)))
        };
        Loaded { source_path: "-".into(), content, managed: false, place: None }
    }

    fn path(&self, path: &Path) -> Result<Loaded, Error> {
        let missing = || Error::NotFound(self.keeper.roots.shown(path));
        if let Some(opened) = folder(path) {
            let directory = opened.map_err(|error| Error::Unlistable(self.keeper.roots.shown(path), error))?;
            let found = package::load(self, &directory, path, Text::OnDisk);
            let found = found.or_else(|| self.directory(&directory, path, Text::OnDisk, false));
            return found.ok_or_else(|| Error::NoSoul(self.keeper.roots.shown(path)));
        }
        if package::is_packaged(path, self.dialect) {
            let parent = folder_of(path);
            let directory = Directory::open(parent).map_err(|_| missing())?;
            return package::load(self, &directory, parent, Text::OnDisk).ok_or_else(missing);
        }
        self.file(path).ok_or_else(missing)
    }

    /// The soul of an agent by name. The dialect that is pinned for it comes before the one that its text
    /// shows.
    fn named(&self, name: &AgentName, text: Text<'_>) -> Result<Resolved, Error> {
        let agent = self.keeper.agent(name)?;
        let dialect = match self.dialect {
            Some(dialect) => Some(dialect),
            None => self.keeper.pinned_dialect(&agent)?,
        };
        Ok(Self { dialect, ..*self }.agent(&agent, text))
    }

    /// The soul of an agent, with this text as its SOUL.md.
    pub(crate) fn agent(&self, agent: &Agent, text: Text<'_>) -> Resolved {
        let Agent { path, directory, .. } = agent;
        let found = package::load(self, directory, path, text);
        let found = found.map(|package| Loaded { managed: true, ..package });
        let found = found.or_else(|| self.directory(directory, path, text, true));
        let absent = || {
            let source_path = self.keeper.roots.shown(&path.join(SOUL_FILE));
            Loaded { source_path, content: Content::Absent, managed: true, place: None }
        };
        Resolved { agent: Some(agent.name.clone()), ..found.unwrap_or_else(absent).resolve(self.keeper) }
    }

    /// A soul of the library, with this text in its file.
    pub(crate) fn library(&self, directory: &Directory, path: &Path, file: &str, text: Text<'_>) -> Resolved {
        let location = Location { directory, path, name: file.as_ref(), text, beside: false, managed: false };
        let dagu = Self { dialect: Some(Dialect::Dagu), ..*self };
        let content = dagu.content(&location).unwrap_or(Content::Absent);
        let path = path.join(file);
        let source_path = self.keeper.roots.shown(&path);
        Loaded { source_path, content, managed: false, place: Some(path) }.resolve(self.keeper)
    }

    /// A text that comes with the program, under the name by which users know it.
    pub(crate) fn built_in(&self, name: &str, text: &str) -> Resolved {
        Loaded { source_path: name.to_owned(), ..self.text(text.as_bytes()) }.resolve(self.keeper)
    }

    /// What a walk came upon: a SOUL.md with what stands beside it, any other file alone.
    pub(crate) fn walked(&self, path: &Path) -> Option<Resolved> {
        let name = path.file_name().unwrap_or_default();
        let own = name == SOUL_FILE || MANIFESTS.iter().any(|manifest| name == *manifest);
        let loaded = match path.parent().filter(|_| own).map(|parent| (parent, Directory::open(parent))) {
            Some((parent, Ok(directory))) => {
                let found = package::load(self, &directory, parent, Text::OnDisk);
                found.or_else(|| self.directory(&directory, parent, Text::OnDisk, false))
            }
            _ => self.file(path),
        };
        loaded.map(|loaded| loaded.resolve(self.keeper))
    }

    /// A place where a soul should be and none can be read.
    pub(crate) fn unreadable(&self, path: &Path, diagnostic: Diagnostic) -> Resolved {
        let (source_path, content) = (self.keeper.roots.shown(path), Content::Unreadable(Box::new(diagnostic)));
        Loaded { source_path, content, managed: false, place: None }.resolve(self.keeper)
    }

    /// The file at a path, and nothing beside it; `None` when there is none.
    fn file(&self, path: &Path) -> Option<Loaded> {
        let name = path.file_name().unwrap_or_default();
        let parent = folder_of(path);
        let found = match Directory::open(parent) {
            Ok(directory) => {
                let text = Text::OnDisk;
                self.content(&Location {
                    directory: &directory,
                    path: parent,
                    name,
                    text,
                    beside: false,
                    managed: false,
                })
            }
            Err(files::Error::NotFound) => None,
            Err(error) => Some(Content::Unreadable(Box::new(unreadable(&error)))),
        };
        let place = Some(path.to_path_buf());
        let source_path = || self.keeper.roots.shown(path);
        found.map(|content| Loaded { source_path: source_path(), content, managed: false, place })
    }

    /// The soul of an agent's directory, with what stands beside it.
    fn directory(&self, directory: &Directory, path: &Path, text: Text<'_>, managed: bool) -> Option<Loaded> {
        [(SOUL_FILE, text), (PERSONA_FILE, Text::OnDisk)].into_iter().find_map(|(name, text)| {
            let location = Location { directory, path, name: name.as_ref(), text, beside: true, managed };
            let content = self.content(&location)?;
            let place: Option<PathBuf> = Some(path.to_path_buf());
            Some(Loaded { source_path: self.keeper.roots.shown(&path.join(name)), content, managed, place })
        })
    }

    /// Reads and parses one file; `None` when there is none.
    fn content(&self, location: &Location<'_>) -> Option<Content> {
        let read = match location.text {
            Text::OnDisk => location.directory.read(location.name),
            Text::Proposed(bytes) if bytes.len() as u64 > files::MAX_BYTES => Err(files::Error::TooLarge),
            Text::Proposed(bytes) => Ok(bytes.to_vec()),
            Text::Absent => Err(files::Error::NotFound),
        };
        match read {
            Ok(bytes) => Some(Content::Soul(Box::new(self.parse(bytes, Some(location))))),
            Err(files::Error::NotFound) => None,
            Err(error) => Some(Content::Unreadable(Box::new(unreadable(&error)))),
        }
    }

    fn parse(&self, bytes: Vec<u8>, location: Option<&Location<'_>>) -> Parsed {
        let source = Source::new(bytes);
        // An agent's SOUL.md is named for what it is, not for who it is.
        let name =
            location.map(|location| location.name.to_string_lossy().into_owned()).filter(|name| name != SOUL_FILE);
        // A relative path does not show the name of the folder it starts in.
        let in_library = || {
            let folder = location.filter(|_| name.is_some()).map(|location| std::path::absolute(location.path));
            folder.is_some_and(|folder| folder.is_ok_and(|folder| is_library(&folder)))
        };
        let Detection { dialect, doubt } = match self.dialect {
            Some(dialect) => Detection { dialect, doubt: None },
            None => formats::detect(&source, name.as_deref(), in_library()),
        };
        let (files, mut problems) = match location.filter(|location| location.beside && dialect == Dialect::Agentos) {
            Some(location) => companions(location.directory),
            None => Default::default(),
        };
        let limits = self.keeper.settings.soul.limits;
        let context = Context { limits, profile: self.profile, name, files, ..Context::default() };
        let mut parsed = formats::parse(source, dialect, &context);
        // The agh parser has its own measure, with a position.
        if location.is_some_and(|location| location.managed) && dialect != Dialect::Agh {
            problems.extend(oversized(&parsed, limits.max_body_bytes));
        }
        parsed.diagnostics.extend(problems);
        parsed.diagnostics.extend(doubt.map(|doubt| *doubt));
        parsed
    }
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
pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir() && path.file_name().is_none_or(|name| name != SOUL_FILE)
}

/// The limits of `[agents.soul]` bind a named agent whatever its dialect.
fn oversized(parsed: &Parsed, max: usize) -> Option<Diagnostic> {
    let bytes = parsed.document.identity(Provenance::default()).len();
    let message = format!("the soul has {bytes} bytes of prompt, more than agents.soul.max_body_bytes ({max})");
    (bytes > max).then(|| {
        Diagnostic::new(Code::OversizedBody, message).section("body").help("trim the soul, or raise the limit")
    })
}

/// The files of a workspace beside its SOUL.md; one that exists and cannot be read is a problem.
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

pub(super) fn unreadable(error: &files::Error) -> Diagnostic {
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
