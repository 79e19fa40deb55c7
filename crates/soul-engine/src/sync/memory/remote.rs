//! What a remote has of a memory. Names that come from it are checked here and nowhere else.

use std::collections::{BTreeMap, HashSet};

use crate::files;
use crate::sync::Error;
use crate::sync::item::is_portable;
use crate::sync::objects::{Entry, EntryKind, Oid};
use crate::sync::repository::Repository;
use crate::sync::status::Refusal;
use crate::workspace::Layout;

/// The file that keeps others from committing live state.
pub(super) const IGNORE: &str = ".gitignore";

/// The deepest path.
const DEEPEST: usize = 8;

/// What the remote has.
#[derive(Default)]
pub(super) struct Remote {
    pub(super) tip: Option<Oid>,
    pub(super) files: BTreeMap<String, (Oid, u64)>,
    pub(super) refused: Vec<Refusal>,
    pub(super) ignore: Option<Oid>,
}

/// What a commit has.
pub(super) fn remote(repository: &Repository, tip: Option<Oid>, layout: &Layout) -> Result<Remote, Error> {
    let mut remote = Remote::default();
    let Some(tip) = tip else { return Ok(remote) };
    let mut spelled = HashSet::new();
    for entry in repository.tree(&tip)? {
        let path = entry.path.as_ref().unwrap_or_else(|lossy| lossy).clone();
        if path == IGNORE && entry.kind == EntryKind::File && entry.size <= files::MAX_BYTES {
            remote.ignore = Some(entry.blob);
            continue;
        }
        let reason = match is_synced(layout, &path) {
            Err(None) => continue,
            Err(Some(reason)) => Some(reason),
            Ok(()) => why_not(&entry).or_else(|| {
                let is_new = spelled.insert(path.to_lowercase());
                (!is_new).then_some("its name differs from another one only in case")
            }),
        };
        match reason {
            None => drop(remote.files.insert(path, (entry.blob, entry.size))),
            Some(reason) => {
                remote.refused.push(Refusal { path: soul_core::text::visible(&path), reason: reason.to_owned() });
            }
        }
    }
    remote.tip = Some(tip);
    Ok(remote)
}

/// Whether a path is one of the memory that is synced, or why not.
pub(super) fn is_synced(layout: &Layout, path: &str) -> Result<(), Option<&'static str>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_markdown = name.to_ascii_lowercase().ends_with(".md");
    let folder = |pattern: &str| pattern.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let is_below = |pattern: &str| match folder(pattern) {
        folder if folder.is_empty() => {
            !path.contains('/') && (layout.is_daily(path) || layout.topic_of(path).is_some())
        }
        folder => path.starts_with(&folder),
    };
    let plain = path.replace('\\', "/").to_lowercase();
    let is_ours = path == layout.long_term || is_below(&layout.daily) || is_below(&layout.topics);
    if !is_ours {
        let is_near = plain.starts_with(&folder(&layout.daily).to_lowercase()) && !folder(&layout.daily).is_empty()
            || plain == layout.long_term.to_lowercase();
        return Err(is_near.then_some("its name differs from one of the memory only in case or by a backslash"));
    }
    if layout.is_runtime(path) || !is_markdown {
        return Err(None);
    }
    if path.split('/').count() > DEEPEST {
        return Err(Some("it is too deep in folders"));
    }
    if !path.split('/').all(is_portable) {
        return Err(Some("its name is not a safe one"));
    }
    Ok(())
}

fn why_not(entry: &Entry) -> Option<&'static str> {
    match entry.kind {
        EntryKind::Link => Some("it is a link"),
        EntryKind::Submodule => Some("it is a submodule"),
        EntryKind::Other => Some("it is not a regular file"),
        EntryKind::File if entry.path.is_err() => Some("its name is not UTF-8"),
        EntryKind::File if entry.size > files::MAX_BYTES => Some("it is larger than 8 MiB"),
        EntryKind::File => None,
    }
}
