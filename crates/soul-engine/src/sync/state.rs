//! What is remembered between two calls: the remote, and for every item what both sides had in common last. It is kept in
//! the home, not in the cache, and replaced whole, so that it survives whatever happens to the clone or to this process.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use super::Error;
use super::item::ItemId;
use super::objects::Oid;
use super::remote::{Branch, RemoteUrl};
use super::status::{ConflictReason, ItemStatus};
use crate::Keeper;
use crate::clock::Time;
use crate::files;
use crate::ids::ProposalId;
use crate::store;

/// The folder of the home.
const FOLDER: &str = "sync";

/// How the names of memories begin.
const MEMORY: &str = "memory-";

/// How long to wait for another sync.
const PATIENCE: Duration = Duration::from_secs(30);

/// The state of the souls' sync.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct State {
    pub(super) version: u32,
    pub(super) repository: RemoteUrl,
    pub(super) branch: Branch,
    /// Whether souls of agents are synced too.
    #[serde(default)]
    pub(super) agents: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_sync_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_sync_commit: Option<Oid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_error: Option<String>,
    /// Whether the history of the branch was rewritten since the sync before the last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) rewritten: bool,
    #[serde(default)]
    pub(super) items: BTreeMap<ItemId, Tracked>,
    /// What the remote has and we do not take, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) refused: BTreeMap<String, Refused>,
}

/// What is known of an item.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tracked {
    /// What both sides had last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base: Option<Base>,
    /// The digest of a local text that is known to be on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) recorded: Option<RawDigest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) conflict: Option<Conflict>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<Missing>,
    /// A change that is about to be made here, so that one which was cut off can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) intent: Option<Intent>,
}

/// A text that both sides had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Base {
    pub(super) blob: Oid,
    pub(super) hash: RawDigest,
    pub(super) commit: Oid,
    pub(super) at: Time,
}

/// Both sides changed an item; the local side is in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conflict {
    pub(super) reason: ConflictReason,
    /// Why the remote's text is refused, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    /// The remote's text; none if it is deleted there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) theirs: Option<Theirs>,
    pub(super) commit: Oid,
    pub(super) author: String,
    pub(super) message: String,
    pub(super) at: Time,
    /// The proposal to delete it here too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) proposal: Option<ProposalId>,
}

/// The remote's side of a conflict. Its text is kept in the home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Theirs {
    pub(super) blob: Oid,
    pub(super) hash: RawDigest,
}

/// Since when the file of an item is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Missing {
    pub(super) at: Time,
    pub(super) before: ItemStatus,
}

/// A change that is about to be made here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Intent {
    /// The file gets a merged text; then this is what both sides have in common.
    Merge {
        /// The digest of the merged text.
        result: RawDigest,
        base: Base,
    },
    /// The file is deleted once the remote has deleted it.
    Delete {
        /// The digest of the text that is deleted.
        text: RawDigest,
    },
}

/// Something of the remote that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refused {
    pub(super) blob: Oid,
    pub(super) reason: String,
}

impl State {
    pub(super) fn new(repository: RemoteUrl, branch: Branch, agents: bool) -> Self {
        Self {
            version: 1,
            repository,
            branch,
            agents,
            last_sync_at: None,
            last_sync_commit: None,
            last_error: None,
            rewritten: false,
            items: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }
}

/// Where the states, clones and caches of a home are.
#[derive(Debug, Clone)]
pub(super) struct Home {
    folder: PathBuf,
    cache: PathBuf,
    /// Which sync: `souls`, or the key of a memory.
    name: String,
}

impl Home {
    pub(super) fn souls(keeper: &Keeper) -> Result<Self, Error> {
        Self::named(keeper, "souls".to_owned())
    }

    /// That of a memory, by what names it in the home.
    pub(super) fn memory(keeper: &Keeper, name: &str) -> Result<Self, Error> {
        Self::named(keeper, format!("{MEMORY}{name}"))
    }

    /// Whether a remote was named.
    pub(super) fn is_connected(&self) -> bool {
        self.file().is_file()
    }

    fn named(keeper: &Keeper, name: String) -> Result<Self, Error> {
        let home = keeper.home().ok_or(store::Error::NoHome)?;
        Ok(Self { folder: home.join(FOLDER), cache: home.join("cache").join(FOLDER), name })
    }

    fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.name))
    }

    /// The bare clone.
    pub(super) fn clone_path(&self) -> PathBuf {
        self.cache.join(format!("{}.git", self.name))
    }

    /// The listing of local files, which can be made again.
    pub(super) fn listing(&self) -> PathBuf {
        self.cache.join(format!("{}.list", self.name))
    }

    /// What the service did by itself.
    pub(super) fn auto(&self) -> PathBuf {
        self.folder.join(format!("auto-{}.json", self.name))
    }

    /// Where the memories are that were connected with a remote.
    pub(super) fn memories(keeper: &Keeper) -> Vec<Self> {
        let Some(home) = keeper.home() else { return Vec::new() };
        let names = fs::read_dir(home.join(FOLDER)).into_iter().flatten().flatten();
        let names = names.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".json").map(str::to_owned));
        let mut names: Vec<String> = names.filter(|name| name.starts_with(MEMORY)).collect();
        names.sort();
        names.into_iter().filter_map(|name| Self::named(keeper, name).ok()).collect()
    }

    /// The state, if there is one.
    pub(super) fn load<T: DeserializeOwned>(&self) -> Result<Option<T>, Error> {
        match fs::read(self.file()) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| Error::State(error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::Io(FOLDER.to_owned(), error)),
        }
    }

    pub(super) fn save<T: Serialize>(&self, state: &T) -> Result<(), Error> {
        let bytes = serde_json::to_vec(state).map_err(|error| Error::State(error.to_string()))?;
        self.write(&self.file(), &bytes)
    }

    /// Writes a file of the home, for nobody but its owner.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error| Error::Io(FOLDER.to_owned(), error);
        files::create_private(files::folder_of(path)).map_err(failed)?;
        files::replace(path, bytes).map_err(failed)?;
        make_private(path).map_err(failed)
    }

    /// The text of the remote's side of a conflict.
    pub(super) fn keep_theirs(&self, hash: &RawDigest, bytes: &[u8]) -> Result<(), Error> {
        self.write(&self.theirs(hash), bytes)
    }

    pub(super) fn read_theirs(&self, hash: &RawDigest) -> Option<Vec<u8>> {
        fs::read(self.theirs(hash)).ok().filter(|bytes| RawDigest::of(bytes) == *hash)
    }

    /// Removes the texts of conflicts that are over.
    pub(super) fn tidy(&self, state: &State) {
        let conflicts = state.items.values().filter_map(|item| item.conflict.as_ref()?.theirs.as_ref());
        let kept: Vec<PathBuf> = conflicts.map(|theirs| self.theirs(&theirs.hash)).collect();
        for entry in fs::read_dir(self.folder.join("theirs")).into_iter().flatten().flatten() {
            if !kept.contains(&entry.path()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn theirs(&self, hash: &RawDigest) -> PathBuf {
        let name: String = hash.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join("theirs").join(format!("{name}.md"))
    }

    /// Waits until no other sync of this kind is running.
    pub(super) fn lock(&self) -> Result<File, Error> {
        self.try_lock(Some(Instant::now() + PATIENCE))?.ok_or(Error::Busy)
    }

    /// The lock, if nobody has it by then.
    pub(super) fn try_lock(&self, until: Option<Instant>) -> Result<Option<File>, Error> {
        let failed = |error| Error::Io(FOLDER.to_owned(), error);
        files::create_private(&self.folder).map_err(failed)?;
        let path = self.folder.join(format!("{}.lock", self.name));
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(failed)?;
        Ok(files::lock(&file, until).map_err(failed)?.then_some(file))
    }
}

/// The folder is private; what is copied out of it, with the password of a remote in it, is private too.
#[cfg(unix)]
fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let is_private = fs::metadata(path)?.permissions().mode() & 0o077 == 0;
    if is_private { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(0o600)) }
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> std::io::Result<()> {
    Ok(())
}
