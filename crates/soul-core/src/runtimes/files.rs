//! The files that an emulator may ask for. Callers bring them: nothing here touches a disk.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is at a path, links not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node<'a> {
    /// Nothing.
    Missing,
    /// A file and its bytes.
    File(Cow<'a, [u8]>),
    /// A file that has other names too; some runtimes refuse these.
    Hardlinked(Cow<'a, [u8]>),
    /// A file that is larger than the caller reads.
    TooLarge,
    /// A file that must not be read.
    Denied,
    /// A folder.
    Folder,
    /// A symbolic link and what it says.
    Link(Cow<'a, str>),
}

/// A tree of files by absolute path with `/`.
pub trait Files {
    /// What is at a path. The path is absolute and has no `.` or `..`.
    fn node(&self, path: &str) -> Node<'_>;

    /// The names in a folder, in any order.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// Files in memory.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    nodes: BTreeMap<String, Node<'static>>,
}

impl Tree {
    #[allow(missing_docs)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Its folders exist because it does.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.set(path, Node::File(Cow::Owned(bytes.into())));
    }

    /// Adds anything else.
    pub fn set(&mut self, path: impl Into<String>, node: Node<'static>) {
        self.nodes.insert(path.into(), node);
    }
}

impl Files for Tree {
    fn node(&self, path: &str) -> Node<'_> {
        match self.nodes.get(path) {
            Some(Node::File(bytes)) => Node::File(Cow::Borrowed(bytes)),
            Some(Node::Hardlinked(bytes)) => Node::Hardlinked(Cow::Borrowed(bytes)),
            Some(Node::Link(target)) => Node::Link(Cow::Borrowed(target)),
            Some(node) => node.clone(),
            None => {
                let below = format!("{}/", path.trim_end_matches('/'));
                let inside =
                    self.nodes.range(below.clone()..).next().is_some_and(|(found, _)| found.starts_with(&below));
                if inside { Node::Folder } else { Node::Missing }
            }
        }
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let below = format!("{}/", folder.trim_end_matches('/'));
        let mut names: Vec<String> = self
            .nodes
            .range(below.clone()..)
            .take_while(|(path, _)| path.starts_with(&below))
            .filter_map(|(path, _)| path[below.len()..].split('/').next().map(str::to_owned))
            .collect();
        names.dedup();
        names
    }
}

/// How many links are followed before a path counts as a loop, as on Linux.
const MAX_LINKS: usize = 40;

/// The path with every link in it resolved; `None` if something is missing or the links form a loop.
pub(crate) fn real_path(files: &dyn Files, path: &str) -> Option<String> {
    let mut rest: Vec<String> = segments(path).rev().map(str::to_owned).collect();
    let mut real = String::new();
    let mut links = 0;
    while let Some(name) = rest.pop() {
        let next = join(&real, &name);
        match files.node(&next) {
            Node::Link(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return None;
                }
                let target = resolve(if real.is_empty() { "/" } else { &real }, &target);
                rest.extend(segments(&target).rev().map(str::to_owned));
                real.clear();
            }
            Node::Missing => return None,
            _ => real = next,
        }
    }
    Some(if real.is_empty() { "/".to_owned() } else { real })
}

/// What is at a path, links followed; the second value is the path that was read.
pub(crate) fn followed<'a>(files: &'a dyn Files, path: &str) -> (Node<'a>, String) {
    match files.node(path) {
        Node::Link(_) => {}
        Node::Missing => match real_path(files, path) {
            Some(real) if real != path => return (files.node(&real), real),
            _ => return (Node::Missing, path.to_owned()),
        },
        node => return (node, path.to_owned()),
    }
    match real_path(files, path) {
        Some(real) => (files.node(&real), real),
        None => (Node::Missing, path.to_owned()),
    }
}

/// The bytes of a file, links followed; `None` if there is no readable file.
pub(crate) fn bytes_of<'a>(files: &'a dyn Files, path: &str) -> Option<Cow<'a, [u8]>> {
    match followed(files, path).0 {
        Node::File(bytes) | Node::Hardlinked(bytes) => Some(bytes),
        _ => None,
    }
}

pub(crate) fn exists(files: &dyn Files, path: &str) -> bool {
    followed(files, path).0 != Node::Missing
}

pub(crate) fn is_file(files: &dyn Files, path: &str) -> bool {
    matches!(followed(files, path).0, Node::File(_) | Node::Hardlinked(_) | Node::TooLarge | Node::Denied)
}

pub(crate) fn is_folder(files: &dyn Files, path: &str) -> bool {
    followed(files, path).0 == Node::Folder
}

fn segments(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

/// A name in a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// A path as it is understood in a folder: absolute, without `.` and `..`.
pub(crate) fn resolve(folder: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in segments(&whole) {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    format!("/{}", parts.join("/"))
}

/// The folder that a path is in.
pub(crate) fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(at) => &path[..at],
    }
}

pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A folder and those above it, up to the root.
pub(crate) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let current = next?;
        next = (current != "/").then(|| parent(current));
        Some(current)
    })
}

/// Whether a path is a folder or something in it.
pub(crate) fn is_within(folder: &str, path: &str) -> bool {
    folder == "/" || path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_like_a_shell_does() {
        assert_eq!(resolve("/a/b", "../c/./d"), "/a/c/d");
        assert_eq!(resolve("/a", "/x/../y"), "/y");
        assert_eq!(resolve("/", "../.."), "/");
        assert_eq!(upwards("/a/b").collect::<Vec<_>>(), ["/a/b", "/a", "/"]);
        assert!(is_within("/a", "/a/b") && !is_within("/a", "/ab"));
    }

    #[test]
    fn links_are_followed_and_loops_end() {
        let mut tree = Tree::new();
        tree.add("/w/real/x.md", "text");
        tree.set("/w/dir", Node::Link("real".into()));
        tree.set("/w/l.md", Node::Link("dir/x.md".into()));
        tree.set("/w/a", Node::Link("b".into()));
        tree.set("/w/b", Node::Link("a".into()));
        assert_eq!(real_path(&tree, "/w/l.md").as_deref(), Some("/w/real/x.md"));
        assert_eq!(bytes_of(&tree, "/w/dir/x.md").as_deref(), Some(&b"text"[..]));
        assert_eq!(real_path(&tree, "/w/a"), None);
        assert!(is_folder(&tree, "/w") && !exists(&tree, "/w/nothing"));
        assert_eq!(tree.names("/w"), ["a", "b", "dir", "l.md", "real"]);
    }
}
