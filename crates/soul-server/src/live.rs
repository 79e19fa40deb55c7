//! The keeper with the settings that hold now. `config.toml` is looked at before every request, so that a change of it
//! counts from the next request on, as it does on the command line.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use soul_engine::Keeper;
use soul_engine::files::witness::Witness;

/// A keeper whose settings follow their files.
pub(crate) struct LiveKeeper {
    current: RwLock<Current>,
    /// One request reads the files; the others wait, or they would answer by settings that are gone.
    reading: Mutex<()>,
}

#[derive(Clone)]
struct Current {
    keeper: Arc<Keeper>,
    /// How often the settings have changed. An answer of an earlier generation may no longer be true.
    generation: u64,
    files: Arc<Witness>,
}

impl Current {
    /// Whether the settings are those of the files. A file that was written a moment ago may be written again within
    /// the same tick of the clock.
    fn is_true(&self) -> bool {
        self.files.is_settled() && self.files.holds()
    }
}

impl LiveKeeper {
    pub(crate) fn new(keeper: Keeper) -> Self {
        // The settings were read before: what has changed since is seen by the first request.
        let files = Arc::new(Witness::of(Vec::new()));
        let current = Current { keeper: Arc::new(keeper), generation: 0, files };
        let live = Self { current: RwLock::new(current), reading: Mutex::new(()) };
        live.read_again();
        live
    }

    /// The keeper.
    pub(crate) fn get(&self) -> Arc<Keeper> {
        self.fresh().keeper
    }

    /// The keeper, and a number that changes whenever the settings may have.
    pub(crate) fn with_generation(&self) -> (Arc<Keeper>, u64) {
        let Current { keeper, generation, .. } = self.fresh();
        (keeper, generation)
    }

    fn fresh(&self) -> Current {
        let current = self.current();
        if current.is_true() {
            return current;
        }
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.current().is_true() {
            self.read_again();
        }
        self.current()
    }

    fn current(&self) -> Current {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn read_again(&self) {
        let Current { keeper: before, generation, .. } = self.current();
        // Before they are read, so that a change in between is seen by the next request.
        let files = Arc::new(Witness::of(before.settings_paths()));
        let keeper = before.with_settings_of_files();
        let (problem, known) = (keeper.settings_problem(), before.settings_problem());
        if let Some(problem) = problem.filter(|_| problem != known) {
            tracing::error!(problem, "could not read the settings; the previous ones stay in use");
        }
        let is_same = keeper.settings == before.settings && problem == known;
        let next = match is_same {
            true => Current { keeper: before, generation, files },
            false => Current { keeper: Arc::new(keeper), generation: generation + 1, files },
        };
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use soul_engine::workspace::Roots;

    use super::*;

    #[test]
    fn settings_are_those_of_the_files_and_broken_ones_change_nothing() {
        let root = tempfile::tempdir().unwrap();
        let (home, workspace) = (root.path().join("home"), root.path().join("team"));
        fs::create_dir_all(&home).unwrap();
        fs::create_dir_all(workspace.join(".soul")).unwrap();
        let roots = Roots { workspace: Some(workspace.clone()), home: Some(home.clone()), user: None };
        let live = LiveKeeper::new(Keeper::open(roots).unwrap());
        let is_enabled = || live.get().settings.soul.enabled;
        let first = live.with_generation().1;
        assert!(is_enabled());
        assert_eq!(live.with_generation().1, first, "nothing has changed");
        let (ours, theirs) = (home.join("config.toml"), workspace.join(".soul/config.toml"));
        fs::write(&ours, "[agents.soul]\nenabled = false\n").unwrap();
        assert!(!is_enabled() && live.with_generation().1 > first);
        // Of the same size, within one tick of the clock.
        fs::write(&ours, "[agents.soul]\nenabled = true \n").unwrap();
        assert!(is_enabled());
        fs::write(&theirs, "[agents.soul]\nenabled = false\n").unwrap();
        assert!(!is_enabled());
        fs::write(&theirs, "[agents.soul\n").unwrap();
        assert!(!is_enabled());
        assert!(live.get().settings_problem().unwrap().contains("workspace"));
        fs::remove_file(&theirs).unwrap();
        assert!(is_enabled() && live.get().settings_problem().is_none());
    }
}
