//! Reading files to scan: those of a target by groups that belong together, or one by one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::scan::{File, Report};
use soul_core::text::visible;

use super::parts::scan_in_parts;
use super::selection::{may_be_report, whole_groups};
use crate::Keeper;
use crate::files::{self, Below, Directory, folder_of};
use crate::souls::{self, Target, is_folder};
use crate::workspace::{Agent, openable};

/// A target of at most so many files and bytes is one text; a larger one is scanned by packages, agents and folders.
const SMALL_FILES: usize = 200;
const SMALL_BYTES: u64 = 8 << 20;

/// What is scanned of a target, and why that is not all of it. Files are read when their group is scanned, so that a
/// large tree is never held as a whole.
pub(crate) struct Gathered {
    pub(crate) path: String,
    pub(crate) is_file: bool,
    pub(crate) groups: Vec<Group>,
    pub(crate) error: Option<String>,
}

/// Files that belong together.
pub(crate) enum Group {
    /// Texts of a request, by name.
    Texts(Vec<(String, Vec<u8>)>),
    /// Files of a directory.
    Below(Arc<Directory>, Vec<Below>),
    /// Files that belong together, with a text in place of one of them.
    Draft(Box<Self>, String, Vec<u8>),
}

impl Gathered {
    pub(crate) fn failed(target: &Target, error: String) -> Self {
        let path = match target {
            Target::Path(path) => visible(&path.to_string_lossy()),
            Target::Agent(name) | Target::Proposal(name, _) => name.to_string(),
            Target::Library(id) => id.to_string(),
            Target::Text(_) => "-".to_owned(),
        };
        Self { path, is_file: false, groups: Vec::new(), error: Some(error) }
    }
}

impl Group {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Below(_, files) => files.len(),
            Self::Draft(files, ..) => files.len() + 1,
        }
    }

    /// Reads the files. A link that stays inside leads to what is scanned anyway, or to a file that is read here.
    pub(crate) fn read(&self) -> Vec<ReadFile> {
        match self {
            Self::Texts(texts) => texts
                .iter()
                .map(|(path, bytes)| ReadFile { path: path.clone(), bytes: Ok(Bytes::Held(bytes.clone())) })
                .collect(),
            Self::Below(directory, files) => files
                .iter()
                .filter_map(|file| match read_below(directory, &file.path) {
                    Err(files::Error::NotAFile("directory")) if file.is_link => None,
                    bytes => Some(ReadFile { path: visible(&file.shown()), bytes }),
                })
                .collect(),
            Self::Draft(files, path, bytes) => {
                let draft = ReadFile { path: path.clone(), bytes: Ok(Bytes::Held(bytes.clone())) };
                std::iter::once(draft).chain(files.read()).collect()
            }
        }
    }
}

/// Finds every file of a target.
pub(crate) fn gather(keeper: &Keeper, target: &Target) -> Result<Gathered, souls::Error> {
    let (path, is_file, found) = match target {
        Target::Path(path) if is_empty_folder(path) && keeper.agent_hidden_by(path).is_some() => {
            return gather(keeper, &Target::Agent(path.to_string_lossy().parse()?));
        }
        Target::Path(path) => (visible(&path.to_string_lossy()), !is_folder(path), at_path(path)),
        Target::Agent(name) => (name.to_string(), false, at_path(&keeper.agent(name)?.path)),
        Target::Proposal(name, body) => match keeper.agent(name) {
            Ok(agent) => (name.to_string(), false, draft(&agent, &body.0)),
            // A text for an agent that does not exist yet has nothing beside it.
            Err(_) => (name.to_string(), true, text(&body.0)),
        },
        Target::Text(body) => ("-".to_owned(), true, text(&body.0)),
        Target::Library(id) => {
            let path = keeper.library_path()?.join(id.file());
            if path.symlink_metadata().is_err() {
                return Err(souls::Error::SoulNotFound(id.clone()));
            }
            (id.to_string(), true, at_path(&path))
        }
    };
    let (groups, error) = match found {
        Ok(groups) => (groups, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    Ok(Gathered { path, is_file, groups, error })
}

fn is_empty_folder(path: &Path) -> bool {
    is_folder(path) && std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn text(bytes: &[u8]) -> Result<Vec<Group>, files::Error> {
    if bytes.len() as u64 > files::MAX_BYTES {
        Err(files::Error::TooLarge)
    } else {
        Ok(vec![Group::Texts(vec![("-".to_owned(), bytes.to_vec())])])
    }
}

/// The files of an agent, with a text in place of its soul: what hides in several of them is found only if they are one
/// text.
fn draft(agent: &Agent, bytes: &[u8]) -> Result<Vec<Group>, files::Error> {
    if bytes.len() as u64 > files::MAX_BYTES {
        return Err(files::Error::TooLarge);
    }
    let soul = agent.soul_file();
    let mut groups = at_path(&agent.path)?;
    for group in &mut groups {
        if let Group::Below(_, files) = group {
            files.retain(|file| file.path != Path::new(&soul));
        }
    }
    let beside = groups.iter().position(|group| match group {
        Group::Below(_, files) => files.iter().any(|file| file.path.components().count() == 1),
        _ => false,
    });
    let beside = beside.map_or_else(|| Group::Texts(Vec::new()), |at| groups.swap_remove(at));
    groups.push(Group::Draft(Box::new(beside), soul, bytes.to_vec()));
    Ok(groups)
}

fn at_path(path: &Path) -> Result<Vec<Group>, files::Error> {
    if !is_folder(path) {
        let name = PathBuf::from(path.file_name().ok_or(files::Error::NotFound)?);
        let directory = Directory::open(folder_of(path))?;
        // A file that was named must be there.
        directory.open_large(&name)?;
        let file = Below { path: name, is_link: false, size: 0 };
        return Ok(vec![Group::Below(Arc::new(directory), vec![file])]);
    }
    let directory = Arc::new(Directory::open(path)?);
    let files = directory.list_all()?;
    let is_small = files.len() <= SMALL_FILES && files.iter().map(|file| file.size).sum::<u64>() <= SMALL_BYTES;
    let groups = if is_small { vec![files] } else { whole_groups(files) };
    Ok(groups.into_iter().map(|files| Group::Below(Arc::clone(&directory), files)).collect())
}

/// A file to scan: how it is shown, and its bytes or why it could not be read.
pub(crate) struct ReadFile {
    pub(crate) path: String,
    pub(crate) bytes: Result<Bytes, files::Error>,
}

/// The bytes of a file that is scanned.
pub(crate) enum Bytes {
    Held(Vec<u8>),
    /// Too many to be held.
    Large(std::fs::File),
}

impl ReadFile {
    /// The file, if its bytes are held.
    pub(crate) fn held(&self) -> Option<File<'_>> {
        match &self.bytes {
            Ok(Bytes::Held(bytes)) => Some(File { path: &self.path, bytes }),
            _ => None,
        }
    }
}

/// Scans files that belong together, and those that are too large to be held part by part. Returns what could not be
/// read as well.
pub(crate) fn scan_files(
    files: &[ReadFile],
    scan: &impl Fn(&[File<'_>]) -> Report,
) -> (Report, Vec<(String, files::Error)>) {
    let held: Vec<File<'_>> = files.iter().filter_map(ReadFile::held).collect();
    let mut report = scan(&held);
    let mut unread = Vec::new();
    for file in files {
        if let Ok(Bytes::Large(large)) = &file.bytes {
            match scan_in_parts(&file.path, large, scan) {
                Ok(parts) => report.extend(parts),
                Err(error) => unread.push((file.path.clone(), error.into())),
            }
        }
    }
    (report, unread)
}

/// Reads a file below a directory, or opens it if it is too large to be held.
pub(crate) fn read_below(directory: &Directory, path: &Path) -> Result<Bytes, files::Error> {
    match directory.read(path) {
        Ok(bytes) => Ok(Bytes::Held(bytes)),
        Err(files::Error::TooLarge) => directory.open_large(path).map(Bytes::Large),
        Err(error) => Err(error),
    }
}

/// Reads files one by one. A link is followed if it stays below the root; one that leads to a folder is none.
pub(crate) fn read_files(files: &[&Path], root: &Path) -> Vec<ReadFile> {
    let read = |path: &&Path| {
        let bytes = match read_file(path, root) {
            Err(files::Error::NotAFile("directory")) => return None,
            Ok(Bytes::Held(bytes)) if is_report(&bytes) && may_be_report(path) => return None,
            bytes => bytes,
        };
        Some(ReadFile { path: openable(path), bytes })
    };
    files.iter().filter_map(read).collect()
}

fn read_file(path: &Path, root: &Path) -> Result<Bytes, files::Error> {
    let read =
        |path: &Path| read_below(&Directory::open(folder_of(path))?, Path::new(path.file_name().unwrap_or_default()));
    match read(path) {
        Err(files::Error::Escapes) => match (path.canonicalize(), root.canonicalize()) {
            (Ok(target), Ok(root)) if target.starts_with(&root) && target.is_file() => read(&target),
            (Ok(target), Ok(root)) if target.starts_with(&root) => Err(files::Error::NotAFile("directory")),
            _ => Err(files::Error::Escapes),
        },
        read => read,
    }
}

/// A file that could not be scanned is a problem of its own, and not the end of the run.
pub(super) fn unscanned(error: &files::Error) -> Diagnostic {
    let (code, help) = match error {
        files::Error::TooLarge | files::Error::TooLargeToScan => {
            (Code::OversizedFile, "split it, or skip it with `--exclude`")
        }
        files::Error::Escapes | files::Error::Link | files::Error::HardLink => {
            (Code::PathEscape, "replace the link with the file")
        }
        _ => (Code::ParserIo, "check the permissions of the file"),
    };
    Diagnostic::new(code, format!("could not scan the file: {error}")).help(help)
}

/// Whether a text is a report or a baseline that this program wrote.
fn is_report(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4_096)];
    let Ok(start) = std::str::from_utf8(start).or_else(|error| std::str::from_utf8(&start[..error.valid_up_to()]))
    else {
        return false;
    };
    let start: String = start.chars().filter(|c| !c.is_whitespace()).collect();
    start.starts_with(r#"{"schema":"soul."#)
        || start.starts_with(r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json""#)
            && start.contains(r#""driver":{"name":"soul""#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_reports_are_known_as_such() {
        assert!(is_report(b"{\n  \"schema\": \"soul.check/1\",\n"));
        assert!(is_report(br#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"soul""#));
        assert!(!is_report(
            br#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"tool":{"driver":{"name":"x""#
        ));
        assert!(!is_report(br#"{"name": "soul."}"#) && !is_report(&[0xff, 0xfe]) && !is_report(b""));
    }
}
