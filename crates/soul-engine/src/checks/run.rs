//! From targets to the souls and files that are checked, and from those to problems.

use std::path::{Path, PathBuf};

use soul_core::formats::soulspec::MANIFESTS;
use soul_core::scan::Trust;

use super::cached::Scanned;
use super::{
    Bytes, Collected, Place, ReadFile, compare_personas, is_companion, load_souls, of_files, of_soul, read_below,
    read_files, scan_groups,
};
use crate::context::Context;
use crate::files::{
    self, Below, Directory, PERSONA_FILE, Walk, check_listable, folder_of, is_named, is_soul_file, on_all_cores,
};
use crate::souls::{Error, Loader, Resolved, Target, is_folder};
use crate::workspace::openable;

/// How targets are checked.
pub(crate) struct Checker<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) walk: Walk<'a>,
    pub(crate) trust: Trust,
    /// Whether what was found in files before need not be found again.
    pub(crate) cached: bool,
}

/// What is checked of a target.
#[derive(Default)]
pub(crate) struct Found {
    /// Souls, and where each can be fixed.
    pub(crate) souls: Vec<(Option<Place>, Resolved)>,
    /// Files that are scanned, in groups that belong together.
    groups: Vec<Group>,
    /// The folder that they are below, if all of them are.
    root: Option<PathBuf>,
    /// Folders that could not be listed, and why.
    pub(crate) unlistable: Vec<(String, String)>,
}

enum Group {
    /// On disk, below this root.
    Listed(PathBuf, Vec<PathBuf>),
    /// The files of an agent, in its directory, which is shown as this.
    Agent(Directory, String, Vec<Below>),
    Read(Vec<ReadFile>),
}

impl Group {
    fn len(&self) -> usize {
        match self {
            Self::Listed(_, files) => files.len(),
            Self::Agent(_, _, files) => files.len(),
            Self::Read(files) => files.len(),
        }
    }
}

impl Found {
    /// How many files are scanned.
    pub(crate) fn files(&self) -> usize {
        self.groups.iter().map(Group::len).sum()
    }
}

impl Checker<'_> {
    pub(crate) fn loader(&self) -> Loader<'_> {
        Loader::new(self.context.keeper, None)
    }

    /// What there is to check of a target.
    pub(crate) fn find(&self, target: &Target) -> Result<Found, Error> {
        match target {
            Target::Path(path) if is_folder(path) => self.folder(path),
            Target::Path(path) => self.file(path),
            Target::Agent(name) => {
                let (agent, soul) = (self.context.keeper.agent(name)?, self.loader().target(target)?);
                let folder = soul.source_path.strip_suffix(soul.own_file()).unwrap_or_default().to_owned();
                let unlistable = |error| Error::AgentUnreadable(name.clone(), error);
                let files = agent.directory.list_all().map_err(unlistable)?;
                let groups = vec![Group::Agent(agent.directory, folder, files)];
                Ok(Found { souls: vec![(Some(Place::Agent(name.clone())), soul)], groups, ..Found::default() })
            }
            Target::Proposal(..) | Target::Library(_) | Target::Text(_) => {
                let soul = self.loader().target(target)?;
                let bytes = soul.document.as_ref().map(|document| document.source().bytes().to_vec());
                let file =
                    bytes.map(|bytes| ReadFile { path: soul.source_path.clone(), bytes: Ok(Bytes::Held(bytes)) });
                let groups = vec![Group::Read(file.into_iter().collect())];
                Ok(Found { souls: vec![(None, soul)], groups, ..Found::default() })
            }
        }
    }

    fn folder(&self, root: &Path) -> Result<Found, Error> {
        check_listable(root).map_err(|error| Error::Unlistable(openable(root), files::Error::Io(error)))?;
        let listing = self.walk.list(root).map_err(|error| Error::Unlistable(openable(root), error.into()))?;
        let loaded = load_souls(&self.loader(), &listing, self.context.progress);
        let owned = |group: Vec<&Path>| group.into_iter().map(Path::to_path_buf).collect();
        let groups =
            scan_groups(&listing.files).into_iter().map(|group| Group::Listed(root.to_path_buf(), owned(group)));
        let groups: Vec<_> = groups.collect();
        if loaded.is_empty()
            && groups.is_empty()
            && let Some(agent) = self.context.keeper.agent_hidden_by(root)
        {
            return self.find(&Target::Agent(agent));
        }
        let unlistable = listing.unlistable.iter().map(|(folder, error)| (openable(folder), files::plain(error)));
        Ok(Found {
            souls: loaded.into_iter().map(placed).collect(),
            groups,
            root: Some(root.to_path_buf()),
            unlistable: unlistable.collect(),
        })
    }

    /// A file that was named is scanned whatever it is, and checked as a soul if it may be one; one that stands beside a
    /// soul stands for that too.
    fn file(&self, path: &Path) -> Result<Found, Error> {
        let missing = || Error::NotFound(openable(path));
        path.symlink_metadata().map_err(|_| missing())?;
        let loader = self.loader();
        let is_own = |name: &str| is_soul_file(name) || name == PERSONA_FILE || MANIFESTS.contains(&name);
        let souls = if is_named(path, is_own) {
            vec![placed(loader.walked(path).ok_or_else(missing)?)]
        } else if is_companion(path) {
            let beside = loader.target(&Target::Path(folder_of(path).to_path_buf())).ok().map(placed);
            // JSON with no soul beside it is a persona, or should be one.
            match beside {
                None if path.extension().is_some_and(|extension| extension == "json") => {
                    vec![(Some(Place::File(path.to_path_buf())), loader.target(&Target::Path(path.to_path_buf()))?)]
                }
                beside => beside.into_iter().collect(),
            }
        } else {
            vec![(Some(Place::File(path.to_path_buf())), loader.target(&Target::Path(path.to_path_buf()))?)]
        };
        let groups = vec![Group::Listed(folder_of(path).to_path_buf(), vec![path.to_path_buf()])];
        Ok(Found { souls, groups, ..Found::default() })
    }

    /// Checks what was found.
    pub(crate) fn check(&self, found: Vec<Found>) -> Result<Collected, Error> {
        let mut souls: Vec<Resolved> = Vec::new();
        let mut scanned = Vec::new();
        for found in found {
            souls.extend(found.souls.into_iter().map(|(_, soul)| soul));
            scanned.push((found.root, found.groups));
        }
        compare_personas(&mut souls);
        let mut all = Collected::default();
        for collected in on_all_cores(&souls, |soul| of_soul(self.context.keeper, soul.clone(), self.trust)) {
            all.extend(collected?);
        }
        for (root, groups) in scanned {
            self.scan(root.as_deref(), &groups).into_iter().for_each(|collected| all.extend(collected));
        }
        Ok(all)
    }

    /// Scans files. Of those below a folder, what was found before is known.
    fn scan(&self, root: Option<&Path>, groups: &[Group]) -> Vec<Collected> {
        let home = self.context.keeper.roots.home.as_deref();
        let known = root.filter(|_| self.cached).and_then(|root| Scanned::of(home, root));
        let of_files = |files: &[ReadFile]| match &known {
            Some(known) => known.of_files(files, self.trust),
            None => of_files(files, self.trust),
        };
        let found = on_all_cores(groups, |group| match group {
            Group::Listed(root, files) => {
                let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
                of_files(&read_files(&files, root))
            }
            Group::Agent(directory, folder, files) => of_files(&read_agent(directory, folder, files)),
            Group::Read(files) => of_files(files),
        });
        if let Some(known) = known {
            known.save();
        }
        found
    }
}

/// Reads the files of an agent. Links are refused.
fn read_agent(directory: &Directory, folder: &str, files: &[Below]) -> Vec<ReadFile> {
    let read = |file: &Below| {
        let bytes = if file.is_link { Err(files::Error::Escapes) } else { read_below(directory, &file.path) };
        ReadFile { path: format!("{folder}{}", file.shown()), bytes }
    };
    files.iter().map(read).collect()
}

/// A soul of a tree, and the file that it can be fixed in.
fn placed(soul: Resolved) -> (Option<Place>, Resolved) {
    let path =
        soul.place.as_ref().map(|place| if is_folder(place) { place.join(soul.own_file()) } else { place.clone() });
    (path.map(Place::Walked), soul)
}
