use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

use soul_core::formats::soulspec::MANIFESTS;

use super::{PERSONA_FILE, is_soul_file, is_staging};

/// Folders that are skipped: they hold files of other people.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// Visits every soul below `root` on all cores: each package, each other `SOUL.md` or persona, and
/// each Markdown file of a `souls` folder. Links to folders are not followed. The order is undefined.
///
/// # Errors
/// When the root cannot be listed. `unreadable` is called for folders below it that cannot be.
pub fn souls_below(
    root: &Path,
    visit: &(dyn Fn(&Path) + Sync),
    unreadable: &(dyn Fn(&Path, std::io::Error) + Sync),
) -> std::io::Result<()> {
    fs::read_dir(root)?;
    let queue = Queue::new(root.to_path_buf());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(folder) = queue.take() {
                    list(&folder, &queue, visit, unreadable);
                    queue.done();
                }
            });
        }
    });
    Ok(())
}

fn list(
    folder: &Path,
    queue: &Queue,
    visit: &(dyn Fn(&Path) + Sync),
    unreadable: &(dyn Fn(&Path, std::io::Error) + Sync),
) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return unreadable(folder, error),
    };
    let in_library = is_library(folder);
    let packaged = MANIFESTS.iter().find(|manifest| folder.join(manifest).is_file());
    if let Some(manifest) = packaged {
        return visit(&folder.join(manifest));
    }
    let mut persona = None;
    let mut has_soul = false;
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return unreadable(folder, error),
        };
        let name = entry.file_name();
        has_soul |= name.to_str().is_some_and(is_soul_file);
        if name == PERSONA_FILE {
            persona = Some(entry.path());
        }
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if name.to_str().is_some_and(is_soul_file) {
            visit(&entry.path());
        } else if is_folder {
            if !SKIPPED.iter().any(|skipped| name == *skipped) && !is_staging(&name) {
                queue.add(entry.path());
            }
        } else if in_library && Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            visit(&entry.path());
        }
    }
    // A persona counts where there is no SOUL.md.
    if let Some(persona) = persona.filter(|_| !has_soul) {
        visit(&persona);
    }
}

/// Whether a folder is a library of souls.
fn is_library(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "souls")
}

/// Folders to be listed, and how many are being listed now: the walk ends when both are none.
struct Queue {
    state: Mutex<(Vec<PathBuf>, usize)>,
    changed: Condvar,
}

impl Queue {
    fn new(root: PathBuf) -> Self {
        Self { state: Mutex::new((vec![root], 0)), changed: Condvar::new() }
    }

    fn add(&self, folder: PathBuf) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).0.push(folder);
        self.changed.notify_one();
    }

    fn take(&self) -> Option<PathBuf> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(folder) = state.0.pop() {
                state.1 += 1;
                return Some(folder);
            }
            if state.1 == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1 -= 1;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_agents_and_libraries_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "a/SOUL.md",
            "c/Soul.md",
            "c/persona.json",
            "d/persona.json",
            ".soul/agents/b/SOUL.md",
            "souls/x.md",
            "souls/y.txt",
            "docs/z.md",
            ".git/SOUL.md",
            ".a.soul-staging/SOUL.md",
            "souls/deep/w.md",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = Mutex::new(Vec::new());
        let visit = |path: &Path| found.lock().unwrap().push(path.strip_prefix(root.path()).unwrap().to_path_buf());
        souls_below(root.path(), &visit, &|_, _| {}).unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort();
        assert_eq!(
            found,
            [".soul/agents/b/SOUL.md", "a/SOUL.md", "c/Soul.md", "d/persona.json", "souls/x.md"].map(PathBuf::from)
        );
    }
}
