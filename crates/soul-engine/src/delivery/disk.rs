//! Files of this machine, for emulators that ask for a few of them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

use soul_core::runtimes::{Files, Node};

use crate::files::MAX_BYTES;

/// Which files may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reach {
    /// Whatever the user can read: the user named the path.
    Machine,
    /// This folder and what is in it, links out of it excluded: a client named an agent.
    Folder(String),
}

/// The disk, each path read once.
#[derive(Debug)]
pub(super) struct Disk {
    reach: Reach,
    /// A folder that is shown at another path, and that path.
    moved: Option<(String, String)>,
    read: RefCell<HashMap<String, Node<'static>>>,
}

impl Disk {
    pub(super) fn new(reach: Reach) -> Self {
        Self { reach, moved: None, read: RefCell::default() }
    }

    /// The same with a folder shown at another path.
    pub(super) fn moved(self, folder: String, shown_at: String) -> Self {
        Self { moved: Some((folder, shown_at)), ..self }
    }

    /// Where a path really is.
    pub(super) fn real<'a>(&self, path: &'a str) -> Cow<'a, str> {
        match &self.moved {
            Some((folder, shown_at)) => match path.strip_prefix(shown_at.as_str()) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => Cow::Owned(format!("{folder}{rest}")),
                _ => Cow::Borrowed(path),
            },
            None => Cow::Borrowed(path),
        }
    }

    fn look(&self, path: &str) -> Node<'static> {
        // The folders above the place where it is shown need not be there.
        if self.moved.as_ref().is_some_and(|(_, shown_at)| is_below(path.trim_end_matches('/'), shown_at)) {
            return Node::Folder;
        }
        let path = &*self.real(path);
        if let Reach::Folder(root) = &self.reach {
            if path == "/" || is_below(path, root) {
                return Node::Folder;
            }
            if path != root && !is_below(root, path) {
                return Node::Missing;
            }
        }
        look(Path::new(path))
    }
}

impl Files for Disk {
    fn node(&self, path: &str) -> Node<'_> {
        if let Some(node) = self.read.borrow().get(path) {
            return node.clone();
        }
        let node = self.look(path);
        self.read.borrow_mut().insert(path.to_owned(), node.clone());
        node
    }

    fn names(&self, folder: &str) -> Vec<String> {
        if self.node(folder) != Node::Folder {
            return Vec::new();
        }
        let entries = std::fs::read_dir(&*self.real(folder)).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

fn is_below(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn look(path: &Path) -> Node<'static> {
    let refused = |error: std::io::Error| match error.kind() {
        ErrorKind::PermissionDenied => Node::Denied,
        _ => Node::Missing,
    };
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) => return refused(error),
    };
    if metadata.is_symlink() {
        return match path.read_link() {
            Ok(target) => Node::Link(Cow::Owned(target.to_string_lossy().into_owned())),
            Err(error) => refused(error),
        };
    }
    if !metadata.is_file() {
        // A pipe or a device is refused by every runtime as a folder is.
        return Node::Folder;
    }
    if metadata.len() > MAX_BYTES {
        return Node::TooLarge;
    }
    match std::fs::read(path) {
        Ok(bytes) if has_other_names(&metadata) => Node::Hardlinked(Cow::Owned(bytes)),
        Ok(bytes) => Node::File(Cow::Owned(bytes)),
        Err(error) => refused(error),
    }
}

#[cfg(unix)]
fn has_other_names(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &std::fs::Metadata) -> bool {
    false
}
