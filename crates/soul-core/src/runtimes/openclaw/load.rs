//! The files of a workspace, read with the runtime's guards.

use super::budget::BootstrapFile;
use super::glob;
use crate::runtimes::files::{Files, Node, base_name, is_within, join, parent, real_path, resolve};
use crate::runtimes::{Sources, Traced};

/// The files of a workspace in the order of the budget.
pub const NAMES: &[&str] = &["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md"];
/// Those of versions before 2026.8.1.
pub const NAMES_WITH_TOOLS: &[&str] =
    &["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md"];
/// Those that are skipped, not reported as missing.
const OPTIONAL: &[&str] = &["USER.md", "MEMORY.md"];
/// A larger file is unreadable.
const MAX_BYTES: usize = 2_097_152;

/// A file that was not read, and the runtime's own words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The absolute path.
    pub path: String,
    /// The reason, as it stands in the prompt.
    pub reason: String,
}

/// What was loaded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Loaded {
    /// The files, missing ones included.
    pub files: Vec<BootstrapFile>,
    /// Those that exist and could not be read.
    pub unreadable: Vec<Unreadable>,
    /// The runtime's own warnings.
    pub warnings: Vec<String>,
}

enum Read<'a> {
    Content(std::borrow::Cow<'a, [u8]>),
    Missing,
    Refused(String),
}

/// Reads one file: no links, no hard links, no folders, at most 2 MiB.
fn read<'a>(files: &'a dyn Files, path: &str) -> Read<'a> {
    let refused = |reason: &str| Read::Refused(reason.to_owned());
    match files.node(path) {
        Node::Missing => Read::Missing,
        Node::File(bytes) if bytes.len() <= MAX_BYTES => Read::Content(bytes),
        Node::File(_) | Node::TooLarge => Read::Refused(format!("File exceeds {MAX_BYTES} bytes")),
        Node::Hardlinked(_) => refused("path must not be hardlinked"),
        Node::Folder => refused("path does not have the required file type"),
        Node::Link(_) => refused("symlink path component not allowed"),
        Node::Denied => Read::Refused(format!("EACCES: permission denied, open '{path}'")),
    }
}

/// The files at the root of a workspace.
pub fn workspace(files: &dyn Files, root: &str, names: &[&str], sources: &mut Sources) -> Loaded {
    let mut loaded = Loaded::default();
    for name in names {
        let path = join(root, name);
        let content = match read(files, &path) {
            Read::Missing if OPTIONAL.contains(name) => continue,
            Read::Missing => None,
            Read::Content(bytes) => Some(Traced::lossy(&bytes, sources.number(&path))),
            Read::Refused(reason) => {
                let text = Traced::from(format!("[UNREADABLE: {reason}]").as_str());
                loaded.unreadable.push(Unreadable { path: path.clone(), reason });
                Some(text)
            }
        };
        let source = content.is_some().then(|| sources.number(&path));
        loaded.files.push(BootstrapFile {
            name: (*name).to_owned(),
            path: Some(path),
            content,
            personal: false,
            source,
        });
    }
    loaded
}

/// Adds the session owner's own USER.md after the shared one.
pub fn add_personal(files: &dyn Files, root: &str, profile: &str, loaded: &mut Loaded, sources: &mut Sources) {
    let mut letters = profile.chars();
    let valid = letters.next().is_some_and(|c| c.is_ascii_alphanumeric())
        && profile.len() <= 128
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !valid {
        return;
    }
    let folder = join(&join(root, "users"), profile);
    let path = join(&folder, "USER.md");
    let linked = real_path(files, &folder).is_some_and(|real| real != folder);
    match read(files, &path) {
        Read::Content(bytes) if !linked => {
            let source = sources.number(&path);
            let file = BootstrapFile {
                name: "USER.md".to_owned(),
                path: Some(path),
                content: Some(Traced::lossy(&bytes, source)),
                personal: true,
                source: Some(source),
            };
            let shared = loaded.files.iter().position(|file| file.name == "USER.md");
            loaded.files.insert(shared.map_or(loaded.files.len(), |at| at + 1), file);
        }
        Read::Missing if !linked => {}
        _ => {
            loaded.warnings.push("Personal USER.md could not be read safely; using shared defaults.".to_owned());
        }
    }
}

/// The list as a hook on `agent:bootstrap` leaves it: these files in this order, whatever was loaded.
pub fn as_hooked(files: &dyn Files, root: &str, listed: &[String], loaded: &mut Loaded, sources: &mut Sources) {
    let mut before = std::mem::take(&mut loaded.files);
    loaded.unreadable.clear();
    for path in listed.iter().map(|path| resolve(root, path)) {
        if let Some(at) = before.iter().position(|file| file.path.as_ref() == Some(&path)) {
            loaded.files.push(before.swap_remove(at));
            continue;
        }
        let mut added = workspace(files, parent(&path), &[base_name(&path)], sources);
        if added.files.is_empty() {
            let name = base_name(&path).to_owned();
            added.files.push(BootstrapFile { name, path: Some(path), ..BootstrapFile::default() });
        }
        loaded.files.append(&mut added.files);
        loaded.unreadable.append(&mut added.unreadable);
    }
}

/// The files that the hook `bootstrap-extra-files` adds, by paths and patterns in the workspace.
pub fn extra(files: &dyn Files, root: &str, patterns: &[String], sources: &mut Sources) -> Vec<BootstrapFile> {
    let mut paths: Vec<String> = Vec::new();
    for pattern in patterns {
        let found = if glob::is_pattern(pattern) { glob::matches(files, root, pattern) } else { vec![pattern.clone()] };
        for path in found {
            let path = resolve(root, &path);
            if is_within(root, &path) && !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    let mut added = Vec::new();
    for path in paths.into_iter().filter(|path| NAMES.contains(&base_name(path))) {
        // A linked folder is followed as long as it stays in the workspace; a linked file is not.
        let Some(folder) = real_path(files, parent(&path)).filter(|folder| is_within(root, folder)) else { continue };
        if let Read::Content(bytes) = read(files, &join(&folder, base_name(&path))) {
            let source = sources.number(&path);
            added.push(BootstrapFile {
                name: base_name(&path).to_owned(),
                path: Some(path),
                content: Some(Traced::lossy(&bytes, source)),
                personal: false,
                source: Some(source),
            });
        }
    }
    added
}
