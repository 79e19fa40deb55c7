//! The one durable write: replaces files, or a whole directory tree, so that at any moment the old
//! or the new content is in place, complete.
//!
//! 1. **Stage.** The new content is written into a *slot* beside the folder, and synced.
//! 2. **Swap.** It is renamed into place. A soul, or a file of a memory, changes places with the one that is there
//!    instead (`exchange.rs`): then what came out is compared with what was read, and goes back if it is another.
//! 3. **Sync.** The directory that holds it is synced; what was moved aside is removed.
//!
//! # Slots
//!
//! The slot of a folder `coder` is `.coder.soul-staging` in the parent directory, so that not even a
//! crash leaves anything of ours in an agent's folder. A rename works within one file system only:
//! where the parent is on another one, or cannot be written, the slot is `.soul-staging` in the
//! folder itself. The home's `cache/` would help only where the home happens to share the file
//! system with a folder whose parent cannot be written, and would make every write depend on a home;
//! so it is not used. A soul has a slot of its own, `.coder.SOUL.md.soul-staging`: what is left there
//! belongs to that soul, and only who writes it or recovers it may remove it.
//!
//! A slot is the staged file itself. It is a private directory (0700) that holds them where there are
//! several files or a tree, or where others may enter the parent and not the folder: there a text
//! from a private folder must not be readable. The directory costs a third more time.
//!
//! # Crashes
//!
//! A process that uses a slot holds a `flock` on it, which the system releases when the process dies. A slot
//! that is there and not locked is stale: the next write to the same folder removes it. Its name is
//! fixed, so nothing has to be listed to find it. A directory that holds anything but files,
//! `new.soul-staging` and `old.soul-staging` is not ours and is left alone. Names that end with
//! `.soul-staging` are reserved: they are skipped wherever folders are listed, and refused as targets.
//!
//! | a crash | leaves in place | leaves in the slot | the next write |
//! |---|---|---|---|
//! | while staging, or before the swap | the old content | part of the new, or all of it | removes it |
//! | after the swap of a file | the new file | nothing | |
//! | after an exchange | the new file | the old file, as `.out.soul-staging` | its caller reads it first ([`Leftover`]) |
//! | between the two renames of a tree | nothing | the old tree and the new one | moves the old tree back |
//! | after both, before the old tree is removed | the new tree | the old tree, or part of it | removes it |
//!
//! If another program has created a tree in the third case meanwhile, nothing is removed: the write
//! fails and names the slot.
//!
//! Where a file system has no `flock`, slots are used without a lock: two writers at once may make
//! each other fail, but never leave half a file.

mod attributes;
mod exchange;
mod file;
mod renames;
mod slot;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use exchange::{Exchanged, Leftover, Renames};
pub(crate) use file::{Site, Staged};
pub(crate) use slot::{Creation, is_staging};
pub use tree::{StagedTree, SwappedTree};
