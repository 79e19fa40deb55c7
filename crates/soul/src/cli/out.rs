//! Writing files that a command made: never over a file that is not the same, and never around managed authoring.

use std::fs;
use std::path::{Path, PathBuf};

use soul_core::text::visible;
use soul_engine::fault::Kind;
use soul_engine::files;
use soul_engine::workspace::Managed;

use crate::cli::Global;
use crate::output::Failure;

/// Where the files go.
pub(crate) enum Output {
    /// Into a directory, under their own names.
    Directory(PathBuf),
    /// The soul to this file, the others beside it.
    File(PathBuf),
}

/// Files to write.
pub(crate) struct Files<'a> {
    /// Their paths in the output, and their bytes.
    pub(crate) files: Vec<(&'a str, &'a [u8])>,
    /// Whether they were made of this file.
    pub(crate) is_source: &'a dyn Fn(&Path) -> bool,
    /// What made them, such as `conversion`.
    pub(crate) by: &'static str,
}

/// The files that were written, and those that were there already.
pub(crate) struct Written(Vec<String>);

impl Written {
    pub(crate) fn paths(&self) -> &[String] {
        &self.0
    }
}

impl Output {
    /// A path without an extension, or one that ends in a slash, is a directory.
    pub(crate) fn of(path: &Path) -> Self {
        let is_directory =
            path.is_dir() || path.to_string_lossy().ends_with('/') || (path.extension().is_none() && !path.exists());
        if is_directory { Self::Directory(path.to_path_buf()) } else { Self::File(path.to_path_buf()) }
    }

    pub(crate) fn file_name(&self) -> Option<String> {
        match self {
            Self::Directory(_) => None,
            Self::File(path) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
        }
    }

    pub(crate) fn path_of(&self, name: &str, is_soul: bool) -> PathBuf {
        match self {
            Self::Directory(folder) => folder.join(name),
            Self::File(path) if is_soul => path.clone(),
            Self::File(path) => path.with_file_name("").join(name),
        }
    }

    /// Writes all files or none, the soul's own first. What is there already with the same bytes is left alone.
    pub(crate) fn write(&self, global: &Global, made: &Files<'_>, overwrite: bool) -> Result<Written, Failure> {
        let named = made.files.iter().enumerate();
        let files: Vec<(PathBuf, &[u8])> =
            named.map(|(index, (name, bytes))| (self.path_of(name, index == 0), *bytes)).collect();
        let fresh: Vec<(PathBuf, &[u8])> = files.iter().filter(|(path, bytes)| !holds(path, bytes)).cloned().collect();
        for (path, _) in &fresh {
            refuse_managed(global, path)?;
            self.refuse_links_out(path)?;
        }
        if fresh.iter().any(|(path, _)| (made.is_source)(path)) {
            let failure = Failure::usage("the soul would be written over itself");
            return Err(failure.hint("choose another file; the original contains what the other form cannot express"));
        }
        let taken = fresh.iter().find(|(path, _)| !overwrite && is_taken(path));
        if let Some((path, _)) = taken {
            let message = format!("`{}` exists and is not the result of this {}", shown(path), made.by);
            let failure = Failure::new(Kind::Conflict, "output_exists", message);
            return Err(failure.hint("choose another file, or replace it with `--overwrite`"));
        }
        let failed = |error: std::io::Error| {
            Failure::io("the output", &error).hint("check that its directory exists and is writable")
        };
        for folder in fresh.iter().filter_map(|(path, _)| path.parent()).filter(|folder| self.makes(folder, &files)) {
            fs::create_dir_all(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).map_err(failed)?;
        }
        files::replace_all(&fresh).map_err(failed)?;
        Ok(Written(files.iter().map(|(path, _)| shown(path)).collect()))
    }

    /// A repository may have a link where a folder of the export goes; what is behind it is not the output.
    fn refuse_links_out(&self, path: &Path) -> Result<(), Failure> {
        let Self::Directory(root) = self else { return Ok(()) };
        let Ok(real_root) = root.canonicalize() else { return Ok(()) };
        let below = path.ancestors().skip(1).take_while(|folder| *folder != root && folder.starts_with(root));
        for folder in below.filter(|folder| folder.is_symlink()) {
            if !folder.canonicalize().is_ok_and(|real| real.starts_with(&real_root)) {
                let message = format!("`{}` is a link that leads out of `{}`", shown(folder), shown(root));
                let failure = Failure::new(Kind::Conflict, "output_linked", message);
                return Err(failure.hint("remove the link, or write to another directory"));
            }
        }
        Ok(())
    }

    /// Whether a folder is made if it is not there: one for a single file is not.
    fn makes(&self, folder: &Path, files: &[(PathBuf, &[u8])]) -> bool {
        files.len() > 1 || matches!(self, Self::Directory(made) if folder.starts_with(made))
    }
}

/// Whether a file has exactly these bytes.
pub(crate) fn holds(path: &Path, bytes: &[u8]) -> bool {
    let same_size = path.metadata().is_ok_and(|there| there.is_file() && there.len() == bytes.len() as u64);
    same_size && fs::read(path).is_ok_and(|there| there == bytes)
}

/// Whether a file is there. A terminal or a pipe does not count as one; a broken link does.
fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|there| there.is_file() || there.is_symlink() && !is_device(path))
}

fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn refuse_managed(global: &Global, path: &Path) -> Result<(), Failure> {
    let (message, hint) = match global.managed(path)? {
        None => return Ok(()),
        Some(Managed::Agent(name)) => (
            format!("`{}` belongs to the agent `{name}`, whose changes must be recorded", shown(path)),
            format!(
                "write the result to another file, then run `soul write {name} --file FILE`; `--create` creates a new agent"
            ),
        ),
        Some(Managed::Library) => (
            format!("`{}` belongs to the library, whose changes must be recorded", shown(path)),
            "write the result to another file, then run `soul library create --name NAME --file FILE`".to_owned(),
        ),
    };
    Err(Failure::new(Kind::Usage, "managed_folder", message).hint(hint))
}

/// A path as it was typed; nothing in it moves the cursor.
pub(crate) fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}
