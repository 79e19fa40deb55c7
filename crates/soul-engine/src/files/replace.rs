use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Puts these bytes in place of a file, or of none, so that at any moment the old or the new file
/// is there and never a part of one. What is no file, such as a terminal, is written to as it is.
///
/// # Errors
/// When the directory cannot be written; then nothing has changed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_all(&[(path.to_path_buf(), bytes)])
}

/// Replaces several files. All of them are written to the side first, so that what can fail has
/// failed before the first one is touched.
///
/// # Errors
/// When any of them cannot be written; then none has changed.
pub fn replace_all(files: &[(PathBuf, &[u8])]) -> io::Result<()> {
    let mut staged = Vec::new();
    for (index, (path, bytes)) in files.iter().enumerate() {
        let existing = fs::metadata(path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            OpenOptions::new().write(true).open(path)?.write_all(bytes)?;
            continue;
        }
        let temporary = Temporary(folder_of(path).join(format!(".soul-{}-{index}.tmp", std::process::id())));
        let mut file = File::create_new(&temporary.0)?;
        file.write_all(bytes)?;
        if let Some(metadata) = existing {
            file.set_permissions(metadata.permissions())?;
        }
        file.sync_all()?;
        staged.push((temporary, path));
    }
    for (temporary, path) in &staged {
        fs::rename(&temporary.0, path)?;
    }
    let folders: BTreeSet<&Path> = staged.iter().map(|(_, path)| folder_of(path)).collect();
    folders.into_iter().try_for_each(|folder| File::open(folder)?.sync_all())
}

/// The folder that a path lies in; a bare name lies in the current one.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two paths lead to one file, by whatever name or link.
#[must_use]
pub fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
        identity(a).is_some_and(|a| Some(a) == identity(b))
    }
    #[cfg(not(unix))]
    {
        a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
    }
}

/// A file that is gone when this is, unless it was renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_file_or_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.md");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(replace(&directory.path().join("none/a.md"), b"x").is_err());
        assert!(replace(directory.path(), b"x").is_err());
        let broken = [(path.clone(), b"three".as_slice()), (directory.path().to_path_buf(), b"x".as_slice())];
        assert!(replace_all(&broken).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let names: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["a.md"]);
    }
}
