use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Puts these bytes in place of a file, or of none, so that at any moment the old or the new file
/// is there and never a part of one. What is no file, such as a terminal, is written to as it is.
///
/// # Errors
/// When the directory cannot be written; then nothing has changed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = Temporary(directory.join(format!(".soul-{}.tmp", std::process::id())));
    let mut file = File::create_new(&temporary.0)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary.0, path)?;
    File::open(directory)?.sync_all()
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
        let names: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["a.md"]);
    }
}
