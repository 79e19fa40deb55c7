//! The one way from a target to a resolved soul.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::soulspec::{MANIFESTS, Profile};
use soul_core::formats::{self, Context, Detection};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::companions::companions;
use super::problems::{foreign_persona, oversized, unread, unreadable, unusual_name};
use super::{Chosen, ChosenBy, Content, Error, Loaded, Read, Resolved, Target, package};
use crate::Keeper;
use crate::files::{self, Directory, PERSONA_FILE, SOUL_FILE, folder_of, is_soul_file};
use crate::workspace::{Agent, AgentName, openable};

/// Which text of an agent's soul counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Text<'a> {
    /// The one in the file.
    OnDisk,
    /// This one, as if it were in the file of that name.
    Proposed { file: &'a str, bytes: &'a [u8] },
    /// None, as if there were no SOUL.md.
    Absent,
}

/// Reads souls: on which keeper, in which dialect if it is not to be detected, and how strictly a package
/// is checked.
#[derive(Clone, Copy)]
pub(crate) struct Loader<'a> {
    pub(crate) keeper: &'a Keeper,
    pub(crate) chosen: Option<Chosen>,
    pub(crate) profile: Profile,
    /// Whether the user typed a path: then paths are shown as they can be opened from the working directory.
    by_path: bool,
    /// Bytes that stand in for those of the file at this path.
    instead: Option<(&'a Path, &'a [u8])>,
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
    /// What the folder is called, if that is not the name of the directory.
    pub(super) folder: Option<&'a str>,
}

impl<'a> Loader<'a> {
    /// A loader that detects dialects and asks of a package no more than that it can be read.
    pub(crate) fn new(keeper: &'a Keeper, dialect: Option<Dialect>) -> Self {
        Self::chosen(keeper, dialect.map(|dialect| Chosen::new(dialect, ChosenBy::Request)))
    }

    /// The same for a dialect that something else has decided.
    pub(crate) const fn chosen(keeper: &'a Keeper, chosen: Option<Chosen>) -> Self {
        Self { keeper, chosen, profile: Profile::Lenient, by_path: false, instead: None }
    }

    /// The same, as if the file at this path held these bytes.
    pub(crate) const fn instead(self, path: &'a Path, bytes: &'a [u8]) -> Self {
        Self { instead: Some((path, bytes)), ..self }
    }

    /// What a file of an open directory holds.
    pub(super) fn bytes(&self, directory: &Directory, path: &Path, name: &OsStr) -> Result<Vec<u8>, files::Error> {
        match self.instead {
            Some((instead, bytes)) if instead == path.join(name) => Ok(bytes.to_vec()),
            _ => directory.read(name),
        }
    }

    /// A path as users see it.
    pub(super) fn shown(&self, path: &Path) -> String {
        if self.by_path { openable(path) } else { self.keeper.roots.shown(path) }
    }

    /// The same, checking packages by this profile.
    pub(crate) const fn profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Reads a target: an agent's directory with all that belongs to the soul, a file alone.
    /// What the machine cannot read just now is an error, and not a soul that is invalid.
    pub(crate) fn target(&self, target: &Target) -> Result<Resolved, Error> {
        let soul = self.read_target(target)?;
        if soul.is_unavailable { Err(Error::Invalid(Box::new(soul))) } else { Ok(soul) }
    }

    fn read_target(&self, target: &Target) -> Result<Resolved, Error> {
        let loaded = match target {
            Target::Text(body) => self.text(&body.0),
            Target::Path(path) => match self.path(path) {
                Err(Error::NoSoul(shown)) => {
                    let agent = self.keeper.agent_hidden_by(path).ok_or(Error::NoSoul(shown))?;
                    return self.named(&agent, None);
                }
                loaded => loaded?,
            },
            Target::Agent(name) => return self.named(name, None),
            Target::Proposal(name, body) => return self.named(name, Some(&body.0)),
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
        let missing = || Error::NotFound(openable(path));
        // A path inside an agent's directory is that agent, so that a recorded soul is never judged by its text.
        let agent = self.keeper.roots.agent_at(&self.keeper.settings.discovery, path);
        let loader = Self { by_path: true, ..self.for_agent(agent.as_ref())? };
        let folder_name = agent.as_ref().map(|agent| agent.name.as_str());
        let managed = agent.is_some();
        if let Some(opened) = folder(path) {
            let directory = opened.map_err(|error| Error::Unlistable(openable(path), error))?;
            let found = package::load(&loader, &directory, path, Text::OnDisk);
            let found = found.map(|package| Loaded { managed, ..package });
            let found = found.or_else(|| loader.directory(&directory, path, Text::OnDisk, managed, folder_name));
            return found.ok_or_else(|| Error::NoSoul(openable(path)));
        }
        if package::is_packaged(path, loader.dialect()) {
            let parent = folder_of(path);
            let directory = Directory::open(parent).map_err(|_| missing())?;
            let found = package::load(&loader, &directory, parent, Text::OnDisk);
            return found.map(|package| Loaded { managed, ..package }).ok_or_else(missing);
        }
        loader.in_library(path).file(path, managed, folder_name).ok_or_else(missing)
    }

    /// The dialect, if it is not to be detected.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.chosen.map(|chosen| chosen.dialect)
    }

    /// The same loader for an agent's soul: what is pinned, configured or laid out for it comes before what its text
    /// shows, and the caller's word before all of that.
    fn for_agent(&self, agent: Option<&Agent>) -> Result<Self, Error> {
        match agent.filter(|_| self.chosen.is_none()) {
            Some(agent) => Ok(Self { chosen: self.keeper.chosen_dialect(agent)?, ..*self }),
            None => Ok(*self),
        }
    }

    /// The same loader for a file of the library's folder.
    fn in_library(&self, path: &Path) -> Self {
        let is_library = || {
            let library = self.keeper.library_path().ok().and_then(|path| path.canonicalize().ok());
            library.is_some() && folder_of(path).canonicalize().ok() == library
        };
        let is_soul = path.extension().is_some_and(|extension| extension == "md");
        match self.chosen {
            None if is_soul && is_library() => {
                Self { chosen: Some(Chosen::new(Dialect::Dagu, ChosenBy::Library)), ..*self }
            }
            _ => *self,
        }
    }

    /// The soul of an agent by name, with this text if one is proposed.
    fn named(&self, name: &AgentName, proposed: Option<&[u8]>) -> Result<Resolved, Error> {
        let agent = self.keeper.agent(name)?;
        let loader = self.for_agent(Some(&agent))?;
        let file = proposed.map(|bytes| agent.file_for(bytes, loader.dialect()));
        let proposed = proposed.zip(file.as_deref()).map(|(bytes, file)| Text::Proposed { file, bytes });
        Ok(loader.agent(&agent, proposed.unwrap_or(Text::OnDisk)))
    }

    /// The soul of an agent, with this text.
    pub(crate) fn agent(&self, agent: &Agent, text: Text<'_>) -> Resolved {
        let Agent { path, directory, .. } = agent;
        let found = package::load(self, directory, path, text);
        let found = found.map(|package| Loaded { managed: true, ..package });
        let folder_name = Some(agent.name.as_str());
        let found = found.or_else(|| self.directory(directory, path, text, true, folder_name));
        let absent = || {
            let source_path = self.shown(&path.join(SOUL_FILE));
            Loaded { source_path, content: Content::Absent, managed: true, place: None }
        };
        Resolved { agent: Some(agent.name.clone()), ..found.unwrap_or_else(absent).resolve(self.keeper) }
    }

    /// A soul of the library, with this text in its file.
    pub(crate) fn library(&self, directory: &Directory, path: &Path, file: &str, text: Text<'_>) -> Resolved {
        let name = file.as_ref();
        let location = Location { directory, path, name, text, beside: false, managed: false, folder: None };
        let dagu = Self { chosen: Some(Chosen::new(Dialect::Dagu, ChosenBy::Library)), ..*self };
        let content = dagu.content(&location).unwrap_or(Content::Absent);
        let path = path.join(file);
        let source_path = self.shown(&path);
        Loaded { source_path, content, managed: false, place: Some(path) }.resolve(self.keeper)
    }

    /// A text that comes with the program, under the name by which users know it.
    pub(crate) fn built_in(&self, name: &str, text: &str) -> Resolved {
        Loaded { source_path: name.to_owned(), ..self.text(text.as_bytes()) }.resolve(self.keeper)
    }

    /// What a walk came upon: a SOUL.md with what stands beside it, any other file alone.
    pub(crate) fn walked(&self, path: &Path) -> Option<Resolved> {
        let name = path.file_name().unwrap_or_default();
        let is_own = |name: &str| is_soul_file(name) || name == PERSONA_FILE || MANIFESTS.contains(&name);
        let own = name.to_str().is_some_and(is_own);
        // A link to a folder is no soul, whatever it is called.
        let found = match Some(folder_of(path)).filter(|_| own && !path.is_dir()) {
            Some(folder) => match self.path(folder) {
                Err(Error::NoSoul(_) | Error::NotFound(_)) => None,
                Err(error) => {
                    let problem = Diagnostic::new(Code::ParserIo, format!("could not read the soul: {error}"));
                    return Some(self.unreadable(path, problem));
                }
                Ok(loaded) => Some(loaded),
            },
            None => self.in_library(path).file(path, false, None),
        };
        found.map(|loaded| loaded.resolve(self.keeper))
    }

    /// A place where a soul should be and none can be read.
    pub(crate) fn unreadable(&self, path: &Path, diagnostic: Diagnostic) -> Resolved {
        let (source_path, content) = (openable(path), Content::Unreadable(Box::new(diagnostic)));
        Loaded { source_path, content, managed: false, place: None }.resolve(self.keeper)
    }

    /// The file at a path, and nothing beside it; `None` when there is none.
    fn file(&self, path: &Path, managed: bool, folder: Option<&str>) -> Option<Loaded> {
        let name = path.file_name().unwrap_or_default();
        let parent = folder_of(path);
        let found = match Directory::open(parent) {
            Ok(directory) => {
                let (directory, path, text) = (&directory, parent, Text::OnDisk);
                self.content(&Location { directory, path, name, text, beside: false, managed, folder })
            }
            Err(files::Error::NotFound) => None,
            Err(error) => Some(unread(&error)),
        };
        let place = Some(path.to_path_buf());
        let source_path = || openable(path);
        found.map(|content| Loaded { source_path: source_path(), content, managed, place })
    }

    /// The soul of a directory, with what stands beside it: SOUL.md, or else a persona.
    fn directory(
        &self,
        directory: &Directory,
        path: &Path,
        text: Text<'_>,
        managed: bool,
        folder: Option<&str>,
    ) -> Option<Loaded> {
        let own = match text {
            Text::Proposed { file, .. } if file != PERSONA_FILE => file.to_owned(),
            _ => directory.soul_file(),
        };
        let (soul, persona) = match text {
            Text::Proposed { file: PERSONA_FILE, .. } => (Text::Absent, text),
            text => (text, Text::OnDisk),
        };
        [(own.as_str(), soul), (PERSONA_FILE, persona)].into_iter().find_map(|(name, text)| {
            let location = Location { directory, path, name: name.as_ref(), text, beside: true, managed, folder };
            let content = self.content(&location)?;
            let place: Option<PathBuf> = Some(path.to_path_buf());
            Some(Loaded { source_path: self.shown(&path.join(name)), content, managed, place })
        })
    }

    /// Reads and parses one file; `None` when there is none.
    fn content(&self, location: &Location<'_>) -> Option<Content> {
        let read = match location.text {
            Text::OnDisk => self.bytes(location.directory, location.path, location.name),
            Text::Proposed { bytes, .. } if bytes.len() as u64 > files::MAX_BYTES => Err(files::Error::TooLarge),
            Text::Proposed { bytes, .. } => Ok(bytes.to_vec()),
            Text::Absent => Err(files::Error::NotFound),
        };
        match read {
            Ok(bytes) => Some(Content::Soul(Box::new(self.parse(bytes, Some(location))))),
            Err(files::Error::NotFound) => None,
            Err(error) => Some(unread(&error)),
        }
    }

    fn parse(&self, bytes: Vec<u8>, location: Option<&Location<'_>>) -> Read {
        let source = Source::new(bytes);
        let file = location.map(|location| location.name.to_string_lossy());
        // An agent's SOUL.md is named for what it is, not for who it is.
        let name = file.as_deref().filter(|name| !is_soul_file(name));
        let managed = location.is_some_and(|location| location.managed);
        let Detection { dialect, reason } = match self.chosen {
            Some(chosen) => Detection { dialect: chosen.dialect, reason: chosen.reason() },
            None => formats::detect(&source, name, managed),
        };
        let (files, mut problems) = match location.filter(|location| location.beside) {
            Some(location) => companions(location.directory, dialect),
            None => Default::default(),
        };
        let limits = self.keeper.settings.soul.limits;
        let folder = location.and_then(Location::folder_name);
        let name = name.map(str::to_owned);
        let context = Context { limits, profile: self.profile, name, folder, files, ..Context::default() };
        let mut parsed = formats::parse(source, dialect, &context);
        // The agh parser has its own measure, with a position.
        problems.extend(match dialect {
            Dialect::Agh => None,
            _ if managed => oversized(&parsed, limits.max_body_bytes, "agents.soul.max_body_bytes"),
            Dialect::Plain => oversized(&parsed, LARGEST_PLAIN, "the most that is read of one"),
            _ => None,
        });
        problems.extend(file.as_deref().filter(|file| is_soul_file(file)).and_then(unusual_name));
        problems.extend(file.as_deref().filter(|file| *file == PERSONA_FILE).and_then(|_| foreign_persona(dialect)));
        parsed.diagnostics.extend(problems);
        Read { parsed, reason }
    }
}

impl Location<'_> {
    /// What the folder is called, for a soul that gives itself no name.
    fn folder_name(&self) -> Option<String> {
        let named = self.folder.map(str::to_owned);
        named.or_else(|| {
            // A relative path does not show the name of the folder it starts in.
            let path = self.path.canonicalize().ok()?;
            Some(path.file_name()?.to_string_lossy().into_owned())
        })
    }
}

/// The largest plain soul that is read from a path; a named agent's is bound by `[agents.soul]`.
const LARGEST_PLAIN: usize = 1 << 20;

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
