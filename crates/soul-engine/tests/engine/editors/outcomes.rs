//! A change is done, not done, or done and not confirmed; and what recovery finds.

use std::sync::Arc;

use rusqlite::Connection;
use soul_core::digest::RawDigest;

use super::*;
use crate::{actions, last, writing};

fn failing_at(step: Step) -> Failpoint {
    Arc::new(move |at| if at == step { Err(std::io::Error::other("injected")) } else { Ok(()) })
}

#[test]
fn a_change_that_was_made_is_never_reported_as_not_done() {
    for step in Step::ALL {
        for delete in [false, true] {
            let home = Home::new();
            let plain = home.keeper();
            put(&plain, OLD, None).unwrap();
            let expected = digest(&plain);
            let keeper = home.keeper().with_failpoint(failing_at(step));
            let failed = match delete {
                true => remove(&keeper, expected.as_deref()),
                false => put(&keeper, NEW, expected.as_deref()),
            };
            let report = failed.unwrap_err().report(&plain);
            let made = home.text().as_deref() != Some(OLD);
            assert_eq!(made, matches!(step, Step::Replaced | Step::Synced | Step::Settled), "{step:?}");
            assert!(report.message.contains("injected"), "{step:?}: {}", report.message);
            if made {
                assert_eq!((&*report.code, report.kind.exit(), report.kind.status()), ("unconfirmed", 5, 500));
                assert!(!report.hint.as_deref().unwrap().contains("try again"));
                let json = serde_json::to_value(&report).unwrap();
                assert_eq!(json["revision"]["id"].as_str(), Some(last(&plain).sealed.id.as_str()), "{step:?}");
                assert_eq!(json["soul"]["present"], !delete, "{step:?}");
            } else {
                assert_eq!((&*report.code, report.kind.exit(), report.kind.status()), ("io", 5, 503), "{step:?}");
                assert_eq!(actions(&plain), ["put"]);
            }
            assert_chain(&plain);
            assert!(listed_clean(&home), "{step:?}");
        }
    }
}

#[test]
fn a_store_that_fails_to_settle_leaves_a_change_unconfirmed() {
    let home = Home::new();
    let plain = home.keeper();
    put(&plain, OLD, None).unwrap();
    let path = home.0.path().join("keeper.db");
    let sql = |path: &Path, sql: &str| Connection::open(path).unwrap().execute_batch(sql).unwrap();
    let store = path.clone();
    let breaks = once_at(Step::Synced, move || {
        sql(&store, "CREATE TRIGGER broken BEFORE UPDATE ON agent_soul_revisions BEGIN SELECT RAISE(ABORT, 'no'); END")
    });
    let failed = put(&home.keeper().with_failpoint(breaks), NEW, digest(&plain).as_deref()).unwrap_err();
    assert_eq!(failed.report(&plain).code, "unconfirmed");
    assert_eq!(home.text().as_deref(), Some(NEW));
    sql(&path, "DROP TRIGGER broken");
    assert_eq!(actions(&home.keeper()), ["put", "put"]);
    assert_chain(&home.keeper());
}

/// A change that is on record and in the file, and not settled: as a power cut may leave it.
fn unsettled(home: &Home) {
    put(&home.keeper(), OLD, None).unwrap();
    put(&home.keeper(), NEW, digest(&home.keeper()).as_deref()).unwrap();
    let store = Connection::open(home.0.path().join("keeper.db")).unwrap();
    let sql = "UPDATE agent_soul_revisions SET state = 'pending' WHERE seq = 2";
    assert_eq!(store.execute(sql, []).unwrap(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_drops_no_revision() {
    let moved = |home: &Home| home.0.path().join("aside.md");
    type Act = fn(&Home);
    let cases: [(&str, Act, Act); 3] = [
        (
            "hard link",
            |home| fs::hard_link(home.soul(), home.0.path().join("aside.md")).unwrap(),
            |home| fs::remove_file(home.0.path().join("aside.md")).unwrap(),
        ),
        (
            "link",
            |home| {
                fs::rename(home.soul(), home.0.path().join("aside.md")).unwrap();
                std::os::unix::fs::symlink("../../aside.md", home.soul()).unwrap();
            },
            |home| fs::rename(home.0.path().join("aside.md"), home.soul()).unwrap(),
        ),
        (
            "too large",
            |home| {
                fs::rename(home.soul(), home.0.path().join("aside.md")).unwrap();
                fs::write(home.soul(), vec![b'x'; 9 << 20]).unwrap();
            },
            |home| fs::rename(home.0.path().join("aside.md"), home.soul()).unwrap(),
        ),
    ];
    for (about, hide, show) in cases {
        let home = Home::new();
        unsettled(&home);
        hide(&home);
        assert_eq!(actions(&home.keeper()), ["put"], "{about}: a reader sees what is done");
        let raw = RawDigest::of(NEW.as_bytes()).to_string();
        let refused = put(&home.keeper(), OLD, Some(&raw)).unwrap_err().report(&home.keeper());
        assert!(matches!(&*refused.code, "soul_invalid" | "too_large_to_adopt"), "{about}: {refused:?}");
        show(&home);
        assert!(!moved(&home).exists());
        assert_eq!(actions(&home.keeper()), ["put", "put"], "{about}: the revision is gone");
        put(&home.keeper(), OLD, Some(&raw)).unwrap();
        assert_chain(&home.keeper());
    }
}

/// A process that ended between the exchange and the comparison has left a text that nobody has seen.
#[test]
fn a_text_that_is_left_in_a_slot_is_adopted() {
    for name in [".coder.SOUL.md.out.soul-staging", ".coder.SOUL.md.soul-staging/out.soul-staging"] {
        for pending in [true, false] {
            let home = Home::new();
            if pending {
                unsettled(&home);
            } else {
                put(&home.keeper(), NEW, None).unwrap();
            }
            let slot = home.0.path().join("agents").join(name);
            let left = |text: &str| {
                fs::create_dir_all(slot.parent().unwrap()).unwrap();
                fs::write(&slot, text).unwrap();
            };
            left(EDIT);
            put(&home.keeper(), OLD, digest(&home.keeper()).as_deref()).unwrap();
            let count = |text: &str| {
                let found = revisions(&home.keeper(), Limit::MAX).into_iter();
                found.filter(|entry| entry.body.as_deref() == Some(text)).count()
            };
            assert_eq!((count(EDIT), home.text().as_deref()), (1, Some(OLD)), "{name}");
            assert!(listed_clean(&home), "{name}: {:?}", home.listed());
            // One that is on record is not recorded again.
            left(EDIT);
            put(&home.keeper(), NEW, digest(&home.keeper()).as_deref()).unwrap();
            assert_eq!(count(EDIT), 1);
            assert!(listed_clean(&home), "{name}: {:?}", home.listed());
            assert_chain(&home.keeper());
        }
    }
}

/// Where nothing can be staged beside the agent's folder, what a crash leaves in it goes with the next use.
#[test]
fn a_slot_in_the_folder_itself_is_tidied() {
    let home = Home::new();
    unsettled(&home);
    fs::write(home.agent().join(".SOUL.md.soul-staging"), "half a te").unwrap();
    fs::write(home.agent().join(".SOUL.md.out.soul-staging"), OLD).unwrap();
    assert_eq!(actions(&home.keeper()), ["put", "put"]);
    assert!(listed_clean(&home), "{:?}", home.listed());
}

#[test]
fn a_rollback_makes_the_directory_of_an_agent_again() {
    let home = Home::new();
    put(&home.keeper(), OLD, None).unwrap();
    let first = last(&home.keeper()).sealed.id.as_str().to_owned();
    put(&home.keeper(), NEW, digest(&home.keeper()).as_deref()).unwrap();
    fs::remove_dir_all(home.agent()).unwrap();
    back(&home.keeper(), &first, None).unwrap();
    assert_eq!(home.text().as_deref(), Some(OLD));
    assert_eq!(actions(&home.keeper()), ["rollback", "adopt", "put", "put"]);
    assert_chain(&home.keeper());
    // One that is refused leaves no directory.
    fs::remove_dir_all(home.agent()).unwrap();
    assert!(back(&home.keeper(), "rev_01ARZ3NDEKTSV4RRFFQ69G5FAV", None).is_err());
    assert!(!home.agent().exists());
    // Without a record there is nothing to go back to.
    assert!(back(&Home::new().keeper(), &first, None).is_err());
}

/// Root gives a file away; others cannot, and skip this.
#[cfg(target_os = "linux")]
#[test]
fn the_owner_and_the_attributes_of_a_file_are_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let home = Home::new();
    put(&home.keeper(), OLD, None).unwrap();
    let soul = home.soul();
    fs::set_permissions(&soul, fs::Permissions::from_mode(0o640)).unwrap();
    let is_root = std::os::unix::fs::chown(&soul, Some(4321), Some(1234)).is_ok();
    let has_attributes = setxattr(&soul, "user.soul", b"kept", XattrFlags::empty()).is_ok();
    put(&home.keeper(), NEW, digest(&home.keeper()).as_deref()).unwrap();
    let metadata = fs::metadata(&soul).unwrap();
    assert_eq!(metadata.mode() & 0o777, 0o640);
    if is_root {
        assert_eq!((metadata.uid(), metadata.gid()), (4321, 1234));
    }
    if has_attributes {
        let mut value = [0; 16];
        assert_eq!(
            getxattr(&soul, "user.soul", &mut value[..]).map(|length| value[..length].to_vec()),
            Ok(b"kept".to_vec())
        );
    }
}

/// What a child process is to look at with no descriptors left.
const STARVED: &str = "SOUL_TEST_STARVED";

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_descriptors_is_no_invalid_soul_and_no_empty_list() {
    let home = Home::new();
    put(&home.keeper(), OLD, None).unwrap();
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["editors::outcomes::the_process_without_descriptors", "--exact", "--nocapture"])
        .env(STARVED, home.0.path())
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
}

/// Not a test by itself: the test above runs it in a process of its own.
#[cfg(target_os = "linux")]
#[test]
fn the_process_without_descriptors() {
    use soul_engine::ops::{inspect, list};
    use soul_engine::souls::Target;
    use soul_engine::workspace::Roots;
    let Some(path) = std::env::var_os(STARVED) else { return };
    let keeper = Keeper::open(Roots { workspace: None, home: Some(path.into()), user: None }).unwrap();
    let expected = digest(&keeper);
    let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.current = Some(64);
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
    let mut held = Vec::new();
    while let Ok(file) = fs::File::open("/dev/null") {
        held.push(file);
    }
    let mut seen = std::collections::BTreeSet::new();
    // With every number of descriptors left, until it works.
    loop {
        let failures = [
            run(&keeper, list::Request::default()).map(drop),
            run(&keeper, inspect::Request::new(Target::Agent(crate::coder()))).map(drop),
            put(&keeper, NEW, expected.as_deref()).map(drop),
        ];
        for failed in failures.into_iter().filter_map(Result::err) {
            let report = failed.report(&keeper);
            assert_eq!(report.kind.status(), 503, "{} descriptors: {report:?}", 64 - held.len());
            seen.insert(report.code);
        }
        if home_is_written(&keeper) || held.pop().is_none() {
            break;
        }
    }
    assert!(home_is_written(&keeper) && seen.contains("io"), "{seen:?}");
}

#[cfg(target_os = "linux")]
fn home_is_written(keeper: &Keeper) -> bool {
    let path = keeper.roots.home.as_ref().unwrap().join("agents/coder/SOUL.md");
    fs::read_to_string(path).is_ok_and(|text| text == NEW)
}

/// Where a child process creates an agent, and the step at which it ends.
const CREATED: &str = "SOUL_TEST_CREATED";

#[test]
fn an_agent_whose_creation_was_cut_off_is_gone_at_the_next_use() {
    use soul_engine::ops::list;
    for (at, step) in Step::ALL.into_iter().enumerate() {
        let home = Home::new();
        fs::remove_dir(home.agent()).unwrap();
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["editors::outcomes::the_process_that_creates", "--exact", "--nocapture"])
            .env(CREATED, format!("{at} {}", home.0.path().display()))
            .output()
            .unwrap();
        assert!(child.status.code().is_none(), "it was to die: {child:?}");
        let made = matches!(step, Step::Replaced | Step::Synced | Step::Settled);
        let listed = run(&home.keeper(), list::Request::default()).unwrap().agents.len();
        assert_eq!((listed, home.agent().exists()), (usize::from(made), made), "{step:?}");
        let request = super::super::write::Request { create: true, ..writing(NEW, None) };
        let done = run(&home.keeper(), request);
        assert_eq!(done.is_ok(), !made, "{step:?}");
        assert_eq!(home.text().as_deref(), Some(NEW), "{step:?}");
        run(&home.keeper(), list::Request::default()).unwrap();
        assert!(listed_clean(&home), "{step:?}: {:?}", home.listed());
        assert_chain(&home.keeper());
    }
}

/// Not a test by itself: the test above runs it in a process of its own.
#[test]
fn the_process_that_creates() {
    use soul_engine::workspace::Roots;
    let Ok(order) = std::env::var(CREATED) else { return };
    let (at, home) = order.split_once(' ').unwrap();
    let step = Step::ALL[at.parse::<usize>().unwrap()];
    let ends: Failpoint = Arc::new(move |at| if at == step { std::process::abort() } else { Ok(()) });
    let keeper = Keeper::open(Roots { workspace: None, home: Some(home.into()), user: None }).unwrap();
    let request = super::super::write::Request { create: true, ..writing(NEW, None) };
    let _ = run(&keeper.with_failpoint(ends), request);
}
