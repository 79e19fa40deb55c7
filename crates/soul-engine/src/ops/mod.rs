//! One file an operation: its request, its response, and how it is done. This is the roof: nothing below
//! names it, and transports only translate to and from it.
//!
//! The path of a file is the name of its operation: `ops/session/start.rs` is `session.start`, and
//! `ops/restore_backup.rs` is `restore-backup`. A folder beside a file of the same name holds the parts of that
//! operation.

/// The table of the operations of a folder.
macro_rules! operations {
    ($($name:ident),+ $(,)?) => {
        /// The operations of this folder.
        pub(in crate::ops) static OPERATIONS: [$crate::ops::Entry; [$(stringify!($name)),+].len()] =
            [$($crate::ops::Entry::of::<$name::Request>()),+];
    };
}

pub mod anchor;
pub mod audit;
pub mod backup;
pub mod boot;
pub mod check;
pub mod context;
pub mod convert;
pub mod delete;
pub mod deliver;
pub mod diff;
pub mod doctor;
mod error;
pub mod explain;
pub mod export;
pub mod fit;
pub mod history;
pub mod import;
pub mod inspect;
pub mod install;
pub mod installed;
pub mod key;
pub mod library;
pub mod list;
pub mod log;
pub mod memory;
pub mod merge;
pub mod migrate;
mod mismatch;
pub mod new;
mod operation;
pub mod outdated;
pub mod pack;
pub mod persona;
pub mod prompt;
pub mod proposals;
pub mod propose;
pub mod receipt;
pub mod record;
pub mod registry;
pub mod restore;
pub mod restore_backup;
pub mod review;
mod revision;
pub mod rollback;
pub mod rollback_check;
pub mod rule;
pub mod scan;
pub mod session;
mod shape;
pub mod show;
pub mod status;
pub mod store;
pub mod sync;
pub mod task;
pub mod test;
pub mod token;
pub mod undo;
pub mod uninstall;
pub mod update;
pub mod r#use;
pub mod validate;
pub mod verify;
pub mod whoami;
pub mod workspace;
pub mod write;

operations! {
    anchor, backup, boot, check, context, convert, delete, deliver, diff, doctor, explain, export, fit, history, import, inspect, install, installed, list, log, merge, migrate, new, outdated, pack, prompt, proposals, propose, receipt, record, restore, restore_backup, review, rollback, rollback_check, rule, scan, show, status, test, undo, uninstall, update, r#use, validate, verify, whoami, write,
}

pub use error::{Cause, Error, Report};
pub use operation::{Answer, Entry, Hints, Lifetime, Load, Operation, Ready, Verdict};
pub use revision::RecordedRevision;
pub use shape::Shape;

/// The operations of each folder.
static FOLDERS: &[&[Entry]] = &[
    &OPERATIONS,
    &audit::OPERATIONS,
    &key::OPERATIONS,
    &library::OPERATIONS,
    &memory::OPERATIONS,
    &persona::OPERATIONS,
    &receipt::OPERATIONS,
    &registry::OPERATIONS,
    &session::OPERATIONS,
    &store::OPERATIONS,
    &sync::OPERATIONS,
    &task::OPERATIONS,
    &token::OPERATIONS,
    &workspace::OPERATIONS,
];

/// Every operation.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    FOLDERS.iter().copied().flatten()
}

/// The operation of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    all().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Files of `ops/` that are no operation.
    const OTHERS: [&str; 6] = ["mod", "error", "mismatch", "operation", "revision", "shape"];

    fn files(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            // A folder beside a file of its name has parts of that operation, and operations on what it gives.
            let is_part = folder.with_extension("rs").exists()
                && path.is_file()
                && !std::fs::read_to_string(&path).unwrap().contains("impl Operation for Request");
            if is_part {
                continue;
            }
            if path.is_dir() {
                files(&path, &format!("{prefix}{name}."), found);
            } else if !OTHERS.contains(&name.as_str()) {
                found.insert(format!("{prefix}{name}").replace('_', "-"));
            }
        }
    }

    #[test]
    fn every_file_is_an_operation_of_its_name() {
        let mut written = BTreeSet::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ops"), "", &mut written);
        let listed: BTreeSet<String> = all().map(|entry| entry.name.to_owned()).collect();
        assert_eq!(written, listed);
        assert_eq!(all().count(), listed.len(), "a name is listed twice");
    }

    #[test]
    fn every_operation_describes_itself_and_its_keys() {
        for entry in all() {
            let shape = entry.request();
            assert!(!shape.description.is_empty(), "{} has no description", entry.name);
            for (key, schema) in &shape.properties {
                assert!(schema.get("description").is_some(), "{}: `{key}` has no description", entry.name);
            }
        }
    }

    /// Layers point down: what is below knows no operation.
    #[test]
    fn nothing_below_names_the_operations() {
        fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true if path.ends_with("src/ops") => {}
                    true => sources(&path, found),
                    false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
                    false => {}
                }
            }
        }
        let mut found = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        assert!(found.len() > 50);
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap().replace("std::ops::", "");
            assert!(!text.contains("ops::"), "{} names the operations", path.display());
        }
    }
}
