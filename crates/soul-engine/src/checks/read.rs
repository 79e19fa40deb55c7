//! Reading files to scan: of a target as a whole, or one by one.

use std::path::Path;

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::text::visible;

use super::selection::may_be_report;
use crate::Keeper;
use crate::files::{self, Contents, Directory, folder_of};
use crate::souls::{self, Target, is_folder};
use crate::workspace::openable;

/// What is scanned of a target, and why that is not all of it.
pub(crate) struct Gathered {
    pub(crate) path: String,
    pub(crate) is_file: bool,
    pub(crate) contents: Contents,
    pub(crate) error: Option<String>,
}

impl Gathered {
    pub(crate) fn failed(target: &Target, error: String) -> Self {
        let path = match target {
            Target::Path(path) => visible(&path.to_string_lossy()),
            Target::Agent(name) | Target::Proposal(name, _) => name.to_string(),
            Target::Library(id) => id.to_string(),
            Target::Text(_) => "-".to_owned(),
        };
        Self { path, is_file: false, contents: Contents::default(), error: Some(error) }
    }
}

/// Reads every file of a target.
pub(crate) fn gather(keeper: &Keeper, target: &Target) -> Result<Gathered, souls::Error> {
    let (path, is_file, (contents, error)) = match target {
        Target::Path(path) if is_empty_folder(path) && keeper.agent_hidden_by(path).is_some() => {
            return gather(keeper, &Target::Agent(path.to_string_lossy().parse()?));
        }
        Target::Path(path) => (visible(&path.to_string_lossy()), !is_folder(path), at_path(path)),
        Target::Agent(name) => (name.to_string(), false, at_path(&keeper.agent(name)?.path)),
        Target::Proposal(name, body) => (name.to_string(), true, text(&body.0)),
        Target::Text(body) => ("-".to_owned(), true, text(&body.0)),
        Target::Library(id) => {
            let path = keeper.library_path()?.join(id.file());
            if path.symlink_metadata().is_err() {
                return Err(souls::Error::SoulNotFound(id.clone()));
            }
            (id.to_string(), true, at_path(&path))
        }
    };
    Ok(Gathered { path, is_file, contents, error })
}

fn is_empty_folder(path: &Path) -> bool {
    is_folder(path) && std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn text(bytes: &[u8]) -> (Contents, Option<String>) {
    if bytes.len() as u64 > files::MAX_BYTES {
        return (Contents::default(), Some(files::Error::TooLarge.to_string()));
    }
    (Contents { files: [("-".to_owned(), bytes.to_vec())].into(), ..Contents::default() }, None)
}

fn at_path(path: &Path) -> (Contents, Option<String>) {
    let failed = |error: files::Error| (Contents::default(), Some(error.to_string()));
    if !is_folder(path) {
        let Some(name) = path.file_name() else { return failed(files::Error::NotFound) };
        return match Directory::open(folder_of(path)).and_then(|folder| folder.read(name)) {
            Ok(bytes) => {
                let files = [(visible(&name.to_string_lossy()), bytes)].into();
                (Contents { files, ..Contents::default() }, None)
            }
            Err(error) => failed(error),
        };
    }
    let opened = Directory::open(path).and_then(|folder| folder.read_all().map(|contents| (folder, contents)));
    let (folder, mut contents) = match opened {
        Ok(opened) => opened,
        Err(error) => return failed(error),
    };
    let mut wrong = Vec::new();
    for (path, error) in std::mem::take(&mut contents.refused) {
        // A link that stays inside leads to what is scanned anyway, or to a file that is read here.
        match folder.read(&path) {
            Ok(bytes) if matches!(error, files::Error::Escapes) => {
                contents.files.insert(path, bytes);
            }
            Err(files::Error::NotAFile("directory")) => {}
            _ => wrong.push(format!("could not read `{}`: {error}", visible(&path))),
        }
    }
    if contents.too_much {
        wrong.push("the folder is too large for a package; scan its folders one by one".to_owned());
    }
    if contents.files.is_empty() && wrong.is_empty() {
        wrong.push("it has no files".to_owned());
    }
    let error = match wrong.len() {
        0 => None,
        1 => wrong.pop(),
        count => Some(format!("{} (and {} more)", wrong[0], count - 1)),
    };
    (contents, error)
}

/// A file to scan: how it is shown, and its bytes or why it could not be read.
pub(crate) struct ReadFile {
    pub(crate) path: String,
    pub(crate) bytes: Result<Vec<u8>, Box<Diagnostic>>,
}

/// Reads files one by one. A link is followed if it stays below the root; one that leads to a folder is none.
pub(crate) fn read_files(files: &[&Path], root: &Path) -> Vec<ReadFile> {
    let read = |path: &&Path| {
        let bytes = match read_file(path, root) {
            Err(files::Error::NotAFile("directory")) => return None,
            Ok(bytes) if is_report(&bytes) && may_be_report(path) => return None,
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(Box::new(unscanned(&error))),
        };
        Some(ReadFile { path: openable(path), bytes })
    };
    files.iter().filter_map(read).collect()
}

fn read_file(path: &Path, root: &Path) -> Result<Vec<u8>, files::Error> {
    let read = |path: &Path| Directory::open(folder_of(path))?.read(path.file_name().unwrap_or_default());
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
        files::Error::TooLarge => (Code::OversizedFile, "split it, or skip it with `--exclude`"),
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
