//! Writes that end after any of their steps, in a process of their own that dies there.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::{Site, Staged, StagedTree};
use crate::files::{FileBelow, Renames, create_below, replace, replace_all};

/// A folder with a file in it, and the directory that it is in.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.folder()).unwrap();
        fs::write(place.file(), "old").unwrap();
        place
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("coder")
    }

    fn file(&self) -> PathBuf {
        self.folder().join("a.md")
    }

    fn slot(&self) -> PathBuf {
        self.0.path().join(".coder.soul-staging")
    }

    /// What is in the folder, and beside it.
    fn listed(&self) -> (Vec<String>, Vec<String>) {
        (listed(&self.folder()), listed(self.0.path()))
    }

    fn assert_clean(&self) {
        assert_eq!(self.listed(), (vec!["a.md".to_owned()], vec!["coder".to_owned()]));
    }
}

fn listed(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn open(path: &Path) -> Dir {
    Dir::open_ambient_dir(path, ambient_authority()).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// What the child process does, and where.
const ORDER: &str = "SOUL_TEST_DURABLE";

fn child(task: &str, at: usize, root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["files::durable::tests::the_process_that_dies", "--exact", "--nocapture"])
        .env(ORDER, format!("{task} {at} {}", root.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Not a test by itself: the tests below run it in a process of its own.
#[test]
fn the_process_that_dies() {
    let Ok(order) = std::env::var(ORDER) else { return };
    let mut words = order.splitn(3, ' ');
    let (task, at) = (words.next().unwrap(), words.next().unwrap().parse::<usize>().unwrap());
    let root = PathBuf::from(words.next().unwrap());
    let step = |number: usize| {
        if number == at {
            std::process::abort();
        }
    };
    match task {
        "file" => replace_in_steps(&root.join("coder"), &step),
        "tree" => replace_tree_in_steps(&root.join("coder"), &step),
        "files" => (0..1_000_000_u64).for_each(|turn| replace(&root.join("coder/a.md"), &text(turn)).unwrap()),
        "trees" => (0..1_000_000_u64).for_each(|turn| replace_tree(&root.join("coder"), turn)),
        "full" => fill_the_disk(&root),
        _ => {}
    }
}

const FILE_STEPS: usize = 3;

fn replace_in_steps(folder: &Path, step: &dyn Fn(usize)) {
    let (directory, beside) = (open(folder), open(folder.parent().unwrap()));
    let site = Site::new(&directory, &directory, OsStr::new("coder"), Some(&beside));
    let staged = Staged::new(&site, BTreeMap::from([(OsStr::new("a.md"), b"new".as_slice())])).unwrap();
    step(0);
    let swapped = staged.swap().unwrap();
    step(1);
    swapped.sync().unwrap();
    step(2);
}

const TREE_STEPS: usize = 7;

fn replace_tree_in_steps(folder: &Path, step: &dyn Fn(usize)) {
    let mut staged = StagedTree::begin(folder).unwrap();
    step(0);
    staged.write("a.md", b"new").unwrap();
    step(1);
    staged.write("deep/er/b.md", b"new").unwrap();
    step(2);
    staged.finish().unwrap();
    step(3);
    staged.set_aside().unwrap();
    step(4);
    let swapped = staged.move_in().unwrap();
    step(5);
    swapped.sync().unwrap();
    step(6);
}

fn text(turn: u64) -> Vec<u8> {
    turn.to_string().repeat(20_000).into_bytes()
}

fn replace_tree(folder: &Path, turn: u64) {
    let mut staged = StagedTree::begin(folder).unwrap();
    for name in ["a.md", "b.md", "deep/c.md"] {
        staged.write(name, turn.to_string().as_bytes()).unwrap();
    }
    staged.swap().unwrap().sync().unwrap();
}

#[test]
fn a_file_is_whole_wherever_the_process_ends() {
    for at in 0..FILE_STEPS {
        let place = Place::new();
        assert!(child("file", at, place.0.path()).wait().unwrap().code().is_none(), "it was to die");
        assert_eq!(fs::read_to_string(place.file()).unwrap(), if at == 0 { "old" } else { "new" });
        assert_eq!(listed(&place.folder()), ["a.md"], "something of ours is in the folder");
        assert_eq!(place.slot().exists(), at == 0);
        replace(&place.folder().join("a.md"), b"next").unwrap();
        place.assert_clean();
    }
}

#[test]
fn a_tree_is_whole_wherever_the_process_ends() {
    for at in 0..TREE_STEPS {
        let place = Place::new();
        assert!(child("tree", at, place.0.path()).wait().unwrap().code().is_none(), "it was to die");
        let found = fs::read_to_string(place.file()).ok();
        assert_eq!(found.as_deref(), [Some("old"), None, Some("new")][at.clamp(3, 5) - 3], "step {at}");
        // The next use repairs what is left, whatever becomes of it.
        drop(StagedTree::begin(&place.folder()).unwrap());
        let (inside, beside) = place.listed();
        let (text, names) = if at < 5 { ("old", vec!["a.md"]) } else { ("new", vec!["a.md", "deep"]) };
        assert_eq!(
            (inside, beside),
            (names.into_iter().map(String::from).collect(), vec!["coder".into()]),
            "step {at}"
        );
        assert_eq!(fs::read_to_string(place.file()).unwrap(), text);
        replace_tree_in_steps(&place.folder(), &|_| ());
        assert_eq!(fs::read_to_string(place.folder().join("deep/er/b.md")).unwrap(), "new");
        assert_eq!(listed(place.0.path()), ["coder"]);
    }
}

/// Kills a writer at moments that nobody has chosen, after it has begun to write.
fn killed(task: &str, kills: u64, check: &dyn Fn(&Place)) {
    let place = Place::new();
    for kill in 0..kills {
        let before = fs::read(place.file()).unwrap();
        let mut writer = child(task, 0, place.0.path());
        let until = Instant::now() + Duration::from_secs(60);
        while fs::read(place.file()).is_ok_and(|now| now == before) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(kill * 2_711 % 9_000));
        writer.kill().unwrap();
        writer.wait().unwrap();
        check(&place);
    }
}

#[test]
fn files_are_whole_whenever_the_process_is_killed() {
    killed("files", 12, &|place| {
        let found = fs::read_to_string(place.file()).unwrap();
        let turn = &found[..found.len() / 20_000];
        assert!(found == turn.repeat(20_000), "torn after {turn}");
        assert_eq!(listed(&place.folder()), ["a.md"]);
        replace(&place.file(), b"old").unwrap();
        place.assert_clean();
    });
}

#[test]
fn trees_are_whole_whenever_the_process_is_killed() {
    killed("trees", 12, &|place| {
        drop(StagedTree::begin(&place.folder()).unwrap());
        let read = |name: &str| fs::read_to_string(place.folder().join(name)).ok();
        let first = read("a.md");
        // Before the first swap there is one file.
        if first.as_deref() != Some("old") {
            assert_eq!((&read("b.md"), &read("deep/c.md")), (&first, &first));
        }
        assert!(first.is_some());
        assert_eq!(listed(place.0.path()), ["coder"]);
    });
}

#[test]
fn all_files_or_none() {
    let place = Place::new();
    let (a, b) = (place.file(), place.folder().join("b.md"));
    replace(&a, b"one").unwrap();
    assert!(replace(&place.folder().join("none/a.md"), b"x").is_err());
    assert!(replace(&place.folder(), b"x").is_err());
    assert!(replace(&place.folder().join("x.soul-staging"), b"x").is_err());
    assert!(replace_all(&[(a.clone(), b"two".as_slice()), (place.folder(), b"x".as_slice())]).is_err());
    assert_eq!(fs::read(&a).unwrap(), b"one");
    place.assert_clean();
    // Different spellings of one folder.
    let other = place.folder().join("../coder/b.md");
    replace_all(&[(b.clone(), b"1".as_slice()), (a.clone(), b"2".as_slice()), (other, b"3".as_slice())]).unwrap();
    assert_eq!((fs::read(&a).unwrap(), fs::read(&b).unwrap()), (b"2".to_vec(), b"3".to_vec()));
    // What a crash has left of several files.
    fs::create_dir(place.slot()).unwrap();
    fs::write(place.slot().join("b.md"), "left by a crash").unwrap();
    replace(&a, b"4").unwrap();
    replace(Path::new("/dev/null"), b"x").unwrap();
    assert_eq!(place.listed().1, ["coder"]);
}

#[test]
fn deep_files_are_staged_outside_of_the_root() {
    let place = Place::new();
    fs::create_dir(place.folder().join("memory")).unwrap();
    symlink("memory", place.folder().join("link")).unwrap();
    let write = |path: &str| {
        let read = fs::read(place.folder().join(path)).ok();
        let file = FileBelow::open(&place.folder(), Path::new(path), Renames::Exchange)?;
        file.replace(b"new", read.as_deref())
            .and_then(|found| found.map_or(Ok(()), |_| Err(std::io::Error::other("x"))))
    };
    write("memory/b.md").unwrap();
    assert_eq!(fs::read(place.folder().join("memory/b.md")).unwrap(), b"new");
    for refused in ["link/b.md", "../b.md", "memory", "none/b.md", ""] {
        assert!(write(refused).is_err(), "{refused}");
    }
    // Nothing can be staged beside, so it is staged in the root, and tidied up there.
    symlink("nowhere", place.slot()).unwrap();
    fs::write(place.folder().join(".soul-staging"), "left by a crash").unwrap();
    assert!(create_below(&place.folder(), Path::new("memory/c.md"), b"new").unwrap());
    assert!(!create_below(&place.folder(), Path::new("memory/c.md"), b"newer").unwrap());
    assert_eq!(fs::read(place.folder().join("memory/c.md")).unwrap(), b"new");
    assert_eq!(place.listed().0, ["a.md", "link", "memory"]);
    assert!(place.slot().is_symlink());
}

#[test]
fn permissions_are_kept_and_nobody_else_reads_what_is_staged() {
    let place = Place::new();
    chmod(&place.file(), 0o640);
    let (directory, beside) = (open(&place.folder()), open(place.0.path()));
    let site = Site::new(&directory, &directory, OsStr::new("coder"), Some(&beside));
    let staged = Staged::new(&site, BTreeMap::from([(OsStr::new("a.md"), b"new".as_slice())])).unwrap();
    assert_eq!(mode(&place.slot()), 0o640);
    staged.swap().unwrap().sync().unwrap();
    assert_eq!(mode(&place.file()), 0o640);

    // The folder is private, and the directory that it is in is not.
    chmod(place.0.path(), 0o755);
    chmod(&place.folder(), 0o700);
    let site = Site::new(&directory, &directory, OsStr::new("coder"), Some(&beside));
    let staged = Staged::new(&site, BTreeMap::from([(OsStr::new("a.md"), b"new".as_slice())])).unwrap();
    assert_eq!((mode(&place.slot()), mode(&place.slot().join("a.md"))), (0o700, 0o640));
    staged.swap().unwrap().sync().unwrap();
    assert_eq!(mode(&place.file()), 0o640);
    place.assert_clean();

    chmod(&place.folder(), 0o750);
    fs::create_dir(place.folder().join("sealed")).unwrap();
    fs::write(place.folder().join("sealed/b.md"), "old").unwrap();
    chmod(&place.folder().join("sealed"), 0o550);
    let mut staged = StagedTree::begin(&place.folder()).unwrap();
    staged.write("a.md", b"new").unwrap();
    staged.write("sealed/b.md", b"new").unwrap();
    staged.swap().unwrap().sync().unwrap();
    assert_eq!(
        [place.folder(), place.file(), place.folder().join("sealed")].map(|path| mode(&path)),
        [0o750, 0o640, 0o550]
    );
    assert_eq!(place.listed().1, ["coder"]);
}

#[test]
fn a_slot_in_use_is_waited_for_and_never_removed() {
    let place = Place::new();
    let (directory, beside) = (open(&place.folder()), open(place.0.path()));
    let site = Site::new(&directory, &directory, OsStr::new("coder"), Some(&beside));
    let staged = Staged::new(&site, BTreeMap::from([(OsStr::new("a.md"), b"first".as_slice())])).unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| replace(&place.file(), b"second"));
        std::thread::sleep(Duration::from_millis(50));
        site.tidy();
        assert!(place.slot().exists() && !second.is_finished());
        staged.swap().unwrap().sync().unwrap();
        second.join().unwrap().unwrap();
    });
    assert_eq!(fs::read(place.file()).unwrap(), b"second");
    place.assert_clean();
}

#[test]
fn many_writers_do_not_disturb_each_other() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let path = place.folder().join(format!("{thread}.md"));
            scope.spawn(move || (0..20).for_each(|turn| replace(&path, &text(turn)).unwrap()));
        }
    });
    assert_eq!(place.listed().0, ["0.md", "1.md", "2.md", "3.md", "a.md"]);
    assert_eq!(place.listed().1, ["coder"]);
}

#[test]
fn what_is_not_ours_is_left_alone() {
    // A folder with something in it that we never put there: the file is staged inside.
    let place = Place::new();
    fs::create_dir_all(place.slot().join("mine")).unwrap();
    replace(&place.file(), b"new").unwrap();
    assert_eq!((listed(&place.slot()), place.listed().0), (vec!["mine".to_owned()], vec!["a.md".to_owned()]));
    let refused = StagedTree::begin(&place.folder()).err().unwrap().to_string();
    assert!(refused.starts_with("`.coder.soul-staging` is in the way"), "{refused}");

    // A link in place of the slot is not followed.
    let place = Place::new();
    fs::create_dir(place.0.path().join("elsewhere")).unwrap();
    fs::write(place.0.path().join("elsewhere/a.md"), "mine").unwrap();
    symlink("elsewhere", place.slot()).unwrap();
    replace(&place.file(), b"new").unwrap();
    assert_eq!(fs::read_to_string(place.0.path().join("elsewhere/a.md")).unwrap(), "mine");

    // Between the renames of a tree another program creates one: neither is removed.
    let place = Place::new();
    assert!(child("tree", 4, place.0.path()).wait().unwrap().code().is_none());
    fs::create_dir(place.folder()).unwrap();
    fs::write(place.file(), "mine").unwrap();
    assert!(StagedTree::begin(&place.folder()).is_err());
    assert_eq!(fs::read_to_string(place.file()).unwrap(), "mine");
    assert_eq!(fs::read_to_string(place.slot().join("old.soul-staging/a.md")).unwrap(), "old");
}

#[test]
fn a_tree_stays_within_itself() {
    let place = Place::new();
    fs::write(place.0.path().join("secret"), "secret").unwrap();
    symlink("../secret", place.folder().join("link")).unwrap();
    let mut staged = StagedTree::begin(&place.folder()).unwrap();
    for refused in ["../x", "/x", "", ".", "a/../../x", "x.soul-staging/y"] {
        assert!(staged.write(refused, b"x").is_err(), "{refused}");
    }
    staged.write("a.md", b"new").unwrap();
    assert!(staged.write("a.md", b"again").is_err());
    staged.swap().unwrap().sync().unwrap();
    assert_eq!(
        (listed(&place.folder()), listed(place.0.path())),
        (vec!["a.md".into()], vec!["coder".into(), "secret".into()])
    );

    // Neither a link nor a file is replaced by a tree.
    symlink("coder", place.0.path().join("alias")).unwrap();
    assert!(StagedTree::begin(&place.0.path().join("alias")).is_err());
    assert!(StagedTree::begin(&place.file()).is_err());
    assert_eq!((listed(&place.folder()), place.listed().1.len()), (vec!["a.md".into()], 3));

    // One that is not there yet is created, unless another does it first.
    let fresh = place.0.path().join("fresh");
    let mut staged = StagedTree::begin(&fresh).unwrap();
    staged.write("a.md", b"ours").unwrap();
    fs::create_dir(&fresh).unwrap();
    fs::write(fresh.join("a.md"), "theirs").unwrap();
    assert!(staged.swap().is_err());
    assert_eq!((fs::read_to_string(fresh.join("a.md")).unwrap(), place.listed().1.len()), ("theirs".to_owned(), 4));
}

#[test]
fn a_full_or_read_only_disk_changes_nothing() {
    if !Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success()) {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let done = Command::new("unshare")
        .args([
            "-rm",
            "sh",
            "-c",
            "mount -t tmpfs -o size=200k tmpfs \"$1\" && exec \"$2\" \"$3\" --exact --nocapture",
            "sh",
        ])
        .args([root.path().as_os_str(), std::env::current_exe().unwrap().as_os_str()])
        .arg("files::durable::tests::the_process_that_dies")
        .env(ORDER, format!("full 0 {}", root.path().display()))
        .output()
        .unwrap();
    let (told, failed) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && told.contains("1 passed"), "{told}{failed}");
}

fn fill_the_disk(root: &Path) {
    let folder = root.join("coder");
    let run = |line: &str| assert!(Command::new("sh").args(["-c", line]).current_dir(root).status().unwrap().success());
    run("mkdir -p coder/locked coder/mounted && printf old > coder/a.md");
    let clean = || {
        assert_eq!(
            (listed(root), listed(&folder)),
            (vec!["coder".into()], vec!["a.md".into(), "locked".into(), "mounted".into()])
        )
    };

    let large = vec![b'x'; 1 << 20];
    let error = replace(&folder.join("a.md"), &large).unwrap_err();
    assert_eq!(
        (error.kind(), crate::files::plain(&error)),
        (std::io::ErrorKind::StorageFull, "no space left on device".into())
    );
    let mut staged = StagedTree::begin(&folder).unwrap();
    assert_eq!(staged.write("a.md", &large).unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    drop(staged);
    assert_eq!(fs::read_to_string(folder.join("a.md")).unwrap(), "old");
    clean();

    run(
        "mount --bind coder/locked coder/locked && mount -o remount,ro,bind coder/locked && mount --bind coder/mounted coder/mounted",
    );
    let error = replace(&folder.join("locked/a.md"), b"new").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ReadOnlyFilesystem, "{error}");
    // The same file system by another mount: nothing can be renamed into it from beside.
    replace(&folder.join("mounted/a.md"), b"new").unwrap();
    assert!(create_below(&folder, Path::new("mounted/b.md"), b"new").unwrap());
    let mounted = FileBelow::open(&folder, Path::new("mounted/b.md"), Renames::Exchange).unwrap();
    assert!(mounted.replace(b"newer", Some(b"new")).unwrap().is_none());
    assert_eq!(
        (listed(&folder.join("locked")), listed(&folder.join("mounted"))),
        (vec![], vec!["a.md".into(), "b.md".into()])
    );
    clean();
}
