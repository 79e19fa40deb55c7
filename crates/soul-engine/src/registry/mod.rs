//! Packages and registries: packed, planned, installed, used, indexed, checked and submitted.
//!
//! A package is data of strangers. Its paths are checked when they are read ([`PackagePath`]), its size is counted while
//! it is inflated, it is scanned before anything is placed, and it is installed only by the digest of a plan that
//! was shown. Nothing in it is executed.

mod activation;
pub mod archive;
mod capabilities;
mod catalog;
mod check;
mod collation;
mod contents;
mod error;
mod git;
mod index;
mod install;
mod keys;
mod lock;
mod name;
mod package;
mod path;
mod plan;
mod source;
mod starter;
mod submit;
mod tree;

pub(crate) use activation::{Done, activate, heal, in_use, restore, starting_files};
pub use capabilities::Capabilities;
pub(crate) use catalog::{Broken, Cached as CachedCatalog};
pub use catalog::{Catalog, Missing, Query};
pub use check::Checked;
pub(crate) use check::{Report as CheckReport, check, comment, publishing_problems, scan_problems};
pub(crate) use contents::hex as sha256;
pub use contents::{Contents, MAX_BYTES, MAX_FILES, SIGNATURE_FILE, SUMS_FILE};
pub use error::Error;
pub(crate) use index::build as build_index;
pub use index::{Entry, EntryFiles, Index, Skipped};
pub use install::Verified;
pub(crate) use install::{install, verify};
pub use keys::{Key, OwnKey, SignatureState, Signed, TrustedOwner};
pub(crate) use keys::{Trust, create as create_key, own as own_keys, sign};
pub(crate) use lock::{Installed, Packages};
pub use lock::{LOCK_FILE, Locked, PackageStep};
pub(crate) use name::check_owner;
pub use name::{BadPackageName, BadPackageRange, BadRange, BadVersion, PackageName, PackageRange, Range, Version};
pub(crate) use package::parse as parse_manifest;
pub use package::{MAX_MANIFEST, Package};
pub use path::{BadPath, PackagePath};
pub use plan::{FileChange, Plan, PlannedFile};
pub(crate) use source::{Recency, Sourced, contents as read_contents, find, folder_with_files, local};
pub(crate) use submit::{Submitted, init, submit, write_index};
