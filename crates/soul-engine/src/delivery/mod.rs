//! A target as a runtime would find it: a folder as it is, or a soul put where the runtime looks for one.

mod disk;

use std::borrow::Cow;
use std::path::Path;

use soul_core::formats::{self, Context};
use soul_core::model::{Dialect, Field, Item};
use soul_core::runtimes::{Authored, Delivery, Files, LostLimit, Node, Runtime, Section, Session, Settings, report};
use soul_core::text::Source;

use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::souls::{Error, Loader, Resolved, Target, is_folder};
use disk::{Disk, Reach};

/// The authored files of a folder, whichever runtime reads them.
const AUTHORED: &[&str] =
    &["SOUL.md", "AGENTS.md", "IDENTITY.md", "STYLE.md", "TOOLS.md", "RULES.md", "USER.md", "MEMORY.md"];

/// A target, ready to be delivered to any number of runtimes.
pub(crate) struct Scene {
    root: String,
    disk: Option<Disk>,
    /// The text that is put where a runtime looks for a soul, unless something is there.
    soul: Option<Vec<u8>>,
    /// The soul's own text, its dialect and its statements.
    own: Option<(Vec<u8>, Dialect, Vec<Item>)>,
    authored: Vec<Authored>,
}

impl Scene {
    /// Reads a target. A folder needs no soul: runtimes read other files too.
    ///
    /// With `at`, runtimes find it at another path than it has here: paths are printed, and count.
    pub(crate) fn new(
        keeper: &Keeper,
        target: &Target,
        dialect: Option<Dialect>,
        at: Option<&str>,
    ) -> Result<Self, Error> {
        let resolved = Loader::new(keeper, dialect).target(target);
        match target {
            Target::Path(path) if is_folder(path) => {
                let resolved = match resolved {
                    Err(Error::NoSoul(_)) => None,
                    resolved => Some(resolved?),
                };
                Ok(Self::folder(path, at, Reach::Machine, resolved.as_ref()))
            }
            Target::Path(path) => {
                let name =
                    path.file_name().map_or_else(|| SOUL_FILE.to_owned(), |name| name.to_string_lossy().into_owned());
                let folder = at.map_or_else(|| absolute(path.parent().unwrap_or(path)), |at| absolute(Path::new(at)));
                Ok(Self::alone(folder, &name, &resolved?))
            }
            Target::Agent(name) => {
                let folder = keeper.agent(name)?.path;
                let resolved = resolved?;
                let mut scene = Self::folder(&folder, at, Reach::Folder(absolute(&folder)), Some(&resolved));
                scene.soul = own_bytes(&resolved);
                Ok(scene)
            }
            Target::Proposal(..) | Target::Library(_) | Target::Text(_) => {
                let folder = at.map_or_else(|| "/soul".to_owned(), |at| absolute(Path::new(at)));
                Ok(Self::alone(folder, SOUL_FILE, &resolved?))
            }
        }
    }

    /// A folder as it is.
    fn folder(path: &Path, at: Option<&str>, reach: Reach, resolved: Option<&Resolved>) -> Self {
        let mut root = absolute(path);
        let mut disk = Disk::new(reach);
        if let Some(at) = at {
            let shown_at = absolute(Path::new(at));
            disk = disk.moved(std::mem::replace(&mut root, shown_at.clone()), shown_at);
        }
        let mut authored = Vec::new();
        for name in AUTHORED {
            let path = join(&root, name);
            let Some(bytes) = bytes(&disk, &path) else { continue };
            authored.push(match resolved.filter(|soul| *name == SOUL_FILE && is_own(soul)) {
                Some(soul) => Authored::soul(path, *name, &bytes, &soul.soul.items),
                None => Authored::new(path, *name, &bytes),
            });
        }
        let own = resolved.filter(|soul| is_own(soul)).and_then(own_soul);
        Self { root, disk: Some(disk), soul: None, own, authored }
    }

    /// A soul without a folder.
    fn alone(root: String, name: &str, resolved: &Resolved) -> Self {
        let bytes = own_bytes(resolved).unwrap_or_default();
        let authored = Authored::soul(join(&root, SOUL_FILE), name, &bytes, &resolved.soul.items);
        Self { root, disk: None, soul: Some(bytes), own: own_soul(resolved), authored: vec![authored] }
    }

    /// What a runtime makes of it.
    pub(crate) fn deliver(
        &self,
        runtime: &Runtime,
        kind: &'static str,
        version: &'static str,
        window: Option<u64>,
        settings: &Settings,
    ) -> Delivered {
        let place = join(&self.root, runtime.soul_at);
        let is_there = self.disk.as_ref().is_some_and(|disk| disk.node(&place) != Node::Missing);
        let placed = self.soul.as_ref().filter(|_| !is_there).map(|soul| {
            let bytes = [runtime.soul_opening.as_bytes(), soul].concat();
            (place.clone(), bytes)
        });
        let files = Placed { disk: self.disk.as_ref(), placed: placed.as_ref() };
        let session = Session { files: &files, root: self.root.clone(), kind, version, window, settings };
        let delivery = (runtime.emulate)(&session);

        let mut authored: Vec<Cow<'_, Authored>> = self.authored.iter().map(Cow::Borrowed).collect();
        if placed.is_some()
            && let Some(soul) = authored.iter_mut().find(|file| file.path == join(&self.root, SOUL_FILE))
        {
            *soul = Cow::Owned(soul.placed(place, runtime.soul_opening.len()));
        }
        // What the runtime read besides: files of its own names, and those of other folders.
        for path in &delivery.sources {
            if authored.iter().any(|file| file.path == *path) {
                continue;
            }
            if let Some(bytes) = bytes(&files, path) {
                let shown = path.strip_prefix(&self.root).map_or(path.as_str(), |rest| rest.trim_start_matches('/'));
                authored.push(Cow::Owned(Authored::new(path.as_str(), shown, &bytes)));
            }
        }
        let (sections, lost_limits) = report(runtime, &delivery, authored.iter().map(|file| &**file));
        Delivered { delivery, sections, lost_limits }
    }
}

impl Scene {
    /// The soul's own text and what it says; `None` for a folder without a soul.
    pub(crate) fn own_soul(&self) -> Option<(String, Vec<Item>)> {
        let (bytes, _, items) = self.own.as_ref()?;
        Some((String::from_utf8_lossy(bytes).into_owned(), items.clone()))
    }

    /// What a runtime makes of another text in the place of the soul, beside the same files.
    pub(crate) fn deliver_text(
        &self,
        text: &str,
        runtime: &Runtime,
        kind: &'static str,
        version: &'static str,
        window: Option<u64>,
        settings: &Settings,
    ) -> Delivered {
        let place = join(&self.root, runtime.soul_at);
        let placed = (place.clone(), format!("{}{text}", runtime.soul_opening).into_bytes());
        let files = Placed { disk: self.disk.as_ref(), placed: Some(&placed) };
        let session = Session { files: &files, root: self.root.clone(), kind, version, window, settings };
        let delivery = (runtime.emulate)(&session);
        let dialect = self.own.as_ref().map_or(Dialect::Plain, |(_, dialect, _)| *dialect);
        let items = formats::parse(Source::from(text), dialect, &Context::default()).document.soul().items;
        let authored = Authored::soul(place.as_str(), SOUL_FILE, text.as_bytes(), &items);
        let authored = authored.placed(place, runtime.soul_opening.len());
        let (sections, lost_limits) = report(runtime, &delivery, [&authored]);
        Delivered { delivery, sections, lost_limits }
    }
}

/// The files of this machine for a path that the user named, and the path as a runtime would print it.
pub(crate) fn machine(path: &Path) -> (impl Files + use<>, String) {
    (Disk::new(Reach::Machine), absolute(path))
}

/// What a model is given, and what it is not.
pub(crate) struct Delivered {
    pub(crate) delivery: Delivery,
    pub(crate) sections: Vec<Section>,
    pub(crate) lost_limits: Vec<LostLimit>,
}

/// Files of the machine with one more among them.
struct Placed<'a> {
    disk: Option<&'a Disk>,
    placed: Option<&'a (String, Vec<u8>)>,
}

impl Files for Placed<'_> {
    fn node(&self, path: &str) -> Node<'_> {
        let node = self.disk.map_or(Node::Missing, |disk| disk.node(path));
        match self.placed {
            Some((place, bytes)) if place == path => Node::File(Cow::Borrowed(bytes)),
            Some((place, _)) if node == Node::Missing && is_above(path, place) => Node::Folder,
            _ => node,
        }
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let mut names = self.disk.map(|disk| disk.names(folder)).unwrap_or_default();
        let inside = self.placed.filter(|(place, _)| is_above(folder, place));
        let name = inside.and_then(|(place, _)| place[folder.trim_end_matches('/').len() + 1..].split('/').next());
        if let Some(name) = name.filter(|name| !names.iter().any(|known| known == name)) {
            names.push(name.to_owned());
        }
        names
    }
}

fn is_above(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
}

fn join(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// The path as runtimes print it: absolute, links not resolved.
fn absolute(path: &Path) -> String {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut parts: Vec<String> = Vec::new();
    for part in absolute.components() {
        match part {
            std::path::Component::ParentDir => {
                parts.pop();
            }
            std::path::Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    format!("/{}", parts.join("/"))
}

/// The bytes of a file. A link is followed as far as the caller may read: some runtimes do, and it is shown for all.
fn bytes(files: &dyn Files, path: &str) -> Option<Vec<u8>> {
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match files.node(&path) {
            Node::File(bytes) | Node::Hardlinked(bytes) => return Some(bytes.into_owned()),
            Node::Link(target) => {
                let folder = Path::new(&path).parent().unwrap_or(Path::new("/"));
                path = absolute(&folder.join(&*target));
            }
            _ => return None,
        }
    }
    None
}

/// Whether the items without a file are those of SOUL.md.
fn is_own(soul: &Resolved) -> bool {
    soul.source_path.rsplit('/').next() == Some(SOUL_FILE)
}

/// The bytes of SOUL.md, or of the file that is the soul.
fn own_bytes(soul: &Resolved) -> Option<Vec<u8>> {
    let document = soul.document.as_ref()?;
    let source = document.source_of(SOUL_FILE).unwrap_or_else(|| document.source());
    Some(source.bytes().to_vec())
}

/// The soul's own text, its dialect, and what the text says without the files beside it.
fn own_soul(soul: &Resolved) -> Option<(Vec<u8>, Dialect, Vec<Item>)> {
    let dialect = soul.document.as_ref()?.dialect();
    let own = soul.soul.items.iter().filter(|item| item.file.is_none() && item.field != Field::Name);
    Some((own_bytes(soul)?, dialect, own.cloned().collect()))
}
