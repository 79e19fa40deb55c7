use soul_core::digest::RawDigest;
use soul_engine::ops::{backup, restore_backup};

use super::*;

fn back_up(keeper: &Keeper, file: PathBuf) -> Result<backup::Response, Error> {
    run(keeper, backup::Request { file })
}

fn restore(keeper: &Keeper, file: PathBuf) -> Result<restore_backup::Response, Error> {
    run(keeper, restore_backup::Request { file })
}

#[test]
fn a_backup_holds_everything_and_comes_back() {
    let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("one.db");
    assert_eq!(code(back_up(&home.keeper(), file.clone())), Some("not_found"));
    // A service has it open, and has not merged its log.
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    write_next(&keeper, TWO).unwrap();
    let made = back_up(&keeper, file.clone()).unwrap();
    assert_eq!((made.revisions, made.souls, made.snapshots), (2, 1, 2));
    assert_eq!(made.raw_digest, RawDigest::of(&fs::read(&file).unwrap()));
    assert_eq!(made.bytes, file.metadata().unwrap().len());
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(code(back_up(&keeper, file.clone())), Some("file_exists"));
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "nothing is left beside it");

    write_next(&keeper, ONE).unwrap();
    assert_eq!(code(restore(&home.keeper(), file.clone())), Some("store_in_use"));
    assert_eq!(super::super::actions(&keeper).len(), 3);
    drop(keeper);
    let restored = restore(&home.keeper(), file.clone()).unwrap();
    assert_eq!(restored.backup.revisions, 2);
    let keeper = home.keeper();
    keeper.check_record().unwrap();
    assert_eq!(verified(&keeper).unwrap().revisions, 2);
    // What is in the file is kept, and goes on record with the next change.
    assert_eq!(home.text().as_deref(), Some(ONE));
    write_next(&keeper, TWO).unwrap();
    assert_eq!(super::super::actions(&keeper), ["put", "adopt", "put", "put"]);
    // The store that was replaced is complete in one file.
    let kept = home.0.path().join(restored.replaced.unwrap());
    drop(keeper);
    let again = restore(&home.keeper(), kept).unwrap();
    assert_eq!(again.backup.revisions, 3);
    assert!(verified(&home.keeper()).unwrap().ok);
}

#[test]
fn a_backup_replaces_what_is_lost_or_damaged_and_no_log_is_laid_over_it() {
    let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("backup.db");
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    back_up(&keeper, file.clone()).unwrap();
    write_next(&keeper, TWO).unwrap();
    // A process that is killed leaves its log.
    let files = ["keeper.db", "keeper.db-wal", "keeper.db-shm"].map(|name| home.0.path().join(name));
    let [database, log, shared] = files.clone().map(|file| fs::read(file).unwrap());
    drop(keeper);
    let damaged = b"no database at all".repeat(500);
    let leave = |main: Option<&[u8]>| {
        files.iter().for_each(|file| drop(fs::remove_file(file)));
        main.iter().for_each(|main| fs::write(&files[0], main).unwrap());
        fs::write(&files[1], &log).unwrap();
        fs::write(&files[2], &shared).unwrap();
    };
    let ways =
        [("sound", Some(&database[..])), ("damaged", Some(&damaged[..])), ("empty", Some(&[][..])), ("gone", None)];
    for (way, main) in ways {
        leave(main);
        let restored = restore(&home.keeper(), file.clone()).unwrap_or_else(|error| panic!("{way}: {error}"));
        assert_eq!(restored.replaced.is_some(), main.is_some(), "{way}");
        let audit = verified(&home.keeper()).unwrap();
        assert!(audit.ok && audit.revisions == 1, "{way}: {audit:?}");
        let kept = restored.replaced.map(|name| home.0.path().join(name));
        match way {
            // All that was in the log is in the file that is kept.
            "sound" => assert_eq!(restore(&home.keeper(), kept.unwrap()).unwrap().backup.revisions, 2),
            "damaged" => assert!(fs::read(kept.unwrap()).unwrap() == damaged),
            _ => {}
        }
        let names = fs::read_dir(home.0.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let logs = names.filter(|name| name.contains("replaced") && name.ends_with("-wal")).count();
        assert_eq!(logs > 0, way != "sound", "{way}");
        fs::read_dir(home.0.path()).unwrap().map(|entry| entry.unwrap().path()).for_each(|path| {
            if path.to_string_lossy().contains("replaced") {
                fs::remove_file(path).unwrap();
            }
        });
    }
}

#[test]
fn what_is_no_backup_is_refused_and_nothing_changes() {
    let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
    put(&home.keeper(), ONE, None).unwrap();
    let before = fs::read(home.store_file()).unwrap();
    let good = elsewhere.path().join("good.db");
    back_up(&home.keeper(), good.clone()).unwrap();
    let changed = |name: &str, sql: &str| {
        let file = elsewhere.path().join(name);
        fs::copy(&good, &file).unwrap();
        rusqlite::Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        file
    };
    let other = elsewhere.path().join("text.db");
    fs::write(&other, "# Not a backup\n".repeat(100)).unwrap();
    let wrong = [
        (elsewhere.path().join("nowhere.db"), "not_found"),
        (other, "record_damaged"),
        (changed("newer.db", "PRAGMA user_version = 99"), "store_newer"),
        (changed("tampered.db", "UPDATE agent_soul_revisions SET actor_ref = 'ceo'"), "record_damaged"),
        (changed("empty.db", "PRAGMA user_version = 0; DROP TABLE tokens"), "record_damaged"),
    ];
    for (file, expected) in wrong {
        assert_eq!(code(restore(&home.keeper(), file.clone())), Some(expected), "{}", file.display());
        assert!(fs::read(home.store_file()).unwrap() == before);
        home.keeper().check_record().unwrap();
    }
    // A damaged store is not backed up as if it were sound.
    let database = rusqlite::Connection::open(home.store_file()).unwrap();
    database.execute("UPDATE agent_soul_revisions SET actor_ref = 'ceo'", []).unwrap();
    drop(database);
    let bad = elsewhere.path().join("bad.db");
    assert_eq!(code(back_up(&home.keeper(), bad.clone())), Some("record_damaged"));
    assert!(!bad.exists());
}

#[test]
fn a_backup_of_an_earlier_version_is_migrated() {
    let (home, old) = (Home::new(), super::super::compatibility::Old::new());
    let before = fs::read(old.store_file()).unwrap();
    let restored = restore(&home.keeper(), old.store_file()).unwrap();
    assert_eq!((restored.backup.revisions, restored.backup.souls, restored.replaced), (15, 8, None));
    assert!(verified(&home.keeper()).unwrap().ok);
    assert!(fs::read(old.store_file()).unwrap() == before, "the backup itself stays as it is");
}

#[test]
fn a_lost_store_names_its_last_backup() {
    let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
    put(&home.keeper(), ONE, None).unwrap();
    back_up(&home.keeper(), elsewhere.path().join("monday.db")).unwrap();
    home.remove_store();
    let hint = verified(&home.keeper()).unwrap_err().fault().hint.unwrap();
    assert!(hint.contains("`monday.db`") && !hint.contains(&*elsewhere.path().to_string_lossy()), "{hint}");
}
