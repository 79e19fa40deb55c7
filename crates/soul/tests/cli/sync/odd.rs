//! Repositories and files that are unusual but honest: links, large files, working copies, shallow clones, other ways to
//! name objects, and settings of the user that are about something else.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::{Keeper, Remote, git, soul};

fn world() -> (tempfile::TempDir, Remote, Keeper) {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().canonicalize().unwrap();
    let remote = Remote::new(&path);
    remote.commit("one", |work| fs::write(work.join("souls/a.md"), soul("A", "one")).unwrap());
    let keeper = Keeper::connected(&path, "home", &remote);
    (root, remote, keeper)
}

#[test]
fn a_link_in_the_library_blocks_only_itself_and_only_while_it_is_there() {
    let (_root, remote, keeper) = world();
    symlink("/etc/passwd", keeper.path("a")).unwrap();
    fs::create_dir(keeper.path("b")).unwrap();
    remote.commit("two", |work| {
        for id in ["b", "c"] {
            fs::write(work.join(format!("souls/{id}.md")), soul(id, "one")).unwrap();
        }
    });
    let pulled = keeper.ok(&["sync", "pull"]);
    assert_eq!(pulled["synced"], json!(["souls/c"]));
    let blocked: Vec<_> = pulled["errors"].as_array().unwrap().iter().map(|error| error["itemId"].clone()).collect();
    assert_eq!(blocked, ["souls/a", "souls/b"], "{pulled}");
    assert_eq!(pulled["errors"][0]["message"], "it is a link, or not a readable file");
    assert_eq!(keeper.ok(&["sync", "pull"])["message"], "2 souls could not be synced");
    assert!(fs::symlink_metadata(keeper.path("a")).unwrap().is_symlink());
    fs::remove_file(keeper.path("a")).unwrap();
    fs::remove_dir(keeper.path("b")).unwrap();
    assert_eq!(keeper.ok(&["sync", "pull"])["synced"], json!(["souls/a", "souls/b"]));

    // What is synced and cannot be read is not missing: nobody deletes it on the remote for that.
    fs::remove_file(keeper.path("c")).unwrap();
    symlink("a.md", keeper.path("c")).unwrap();
    assert_eq!(keeper.stands("c").as_deref(), Some("modified"));
    assert_eq!(keeper.ok(&["sync", "delete", "--all-missing"])["message"], "deleted 0 souls");
    assert_eq!(keeper.error(&["sync", "publish", "c"]), "item_unreadable");
    assert_eq!(keeper.error(&["sync", "publish", "--all"]), "nothing_to_publish");
    assert!(remote.text("souls/c.md").is_some());
}

#[test]
fn what_no_home_would_take_is_not_published() {
    let (_root, remote, keeper) = world();
    keeper.ok(&["sync", "pull"]);
    let before = remote.log();
    keeper.write("a", &"x".repeat(2 << 20));
    fs::write(keeper.path("latin"), b"---\nname: Latin\n---\ncaf\xe9\n").unwrap();
    keeper.write("marked", &soul("Marked", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs"));
    for (id, code) in [("a", "item_unsendable"), ("latin", "item_unsendable"), ("marked", "conflict_markers")] {
        assert_eq!(keeper.error(&["sync", "publish", id]), code);
    }
    let published = keeper.ok(&["sync", "publish", "--all"]);
    assert_eq!((&published["synced"], &published["message"]), (&json!([]), &"nothing was published".into()));
    assert_eq!(remote.log(), before, "nothing was sent");
    keeper.write("fine", &soul("Fine", "one"));
    let published = keeper.ok(&["sync", "publish", "--all"]);
    assert_eq!(published["synced"], json!(["souls/fine"]), "the others do not wait");
    let skipped: Vec<_> = published["refused"].as_array().unwrap().iter().map(|skip| skip["path"].clone()).collect();
    assert_eq!(skipped, ["souls/a.md", "souls/latin.md", "souls/marked.md"]);
    assert_eq!(remote.text("souls/a.md"), Some(soul("A", "one")));
}

#[test]
fn a_diff_disturbs_no_sync_and_needs_no_clone() {
    let (_root, _, keeper) = world();
    keeper.ok(&["sync", "pull"]);
    keeper.write("a", &soul("A", "mine"));
    let clone = keeper.home.join("cache/sync/souls.git");
    for leftover in ["HEAD.lock", "objects/pack/tmp_pack_1"] {
        fs::create_dir_all(clone.join(leftover).parent().unwrap()).unwrap();
        fs::write(clone.join(leftover), "somebody is at work").unwrap();
    }
    let diff = keeper.ok(&["sync", "diff", "a"])["diff"].as_str().unwrap().to_owned();
    assert!(diff.contains("-one\n+mine"), "{diff}");
    assert!(clone.join("HEAD.lock").exists() && clone.join("objects/pack/tmp_pack_1").exists());
    fs::remove_dir_all(&clone).unwrap();
    assert_eq!(keeper.ok(&["sync", "diff", "a"])["diff"], diff.as_str(), "the text is on record");
}

#[test]
fn working_copies_and_clashing_branches_are_explained() {
    let (root, remote, keeper) = world();
    let copy = root.path().join("copy");
    git(root.path(), &["clone", "-q", &remote.url(), "copy"]);
    keeper.ok(&["sync", "init", "--remote", copy.to_str().unwrap()]);
    keeper.ok(&["sync", "pull"]);
    keeper.write("a", &soul("A", "mine"));
    let output = keeper.run(&["sync", "publish", "--all"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("is checked out") && said.contains("git init --bare"), "{said}");
    git(&copy, &["checkout", "-q", "--detach"]);
    keeper.ok(&["sync", "publish", "--all"]);
    keeper.ok(&["sync", "init", "--remote", &remote.url(), "--branch", "main/souls"]);
    let output = keeper.run(&["sync", "publish", "--all"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("branch `main/souls` cannot be created"), "{said}");
}

#[test]
fn shallow_and_sha256_repositories_are_synced() {
    let (root, remote, keeper) = world();
    remote.commit("two", |work| fs::write(work.join("souls/b.md"), soul("B", "one")).unwrap());
    let url = format!("file://{}", remote.url());
    git(root.path(), &["clone", "-q", "--bare", "--depth", "1", &url, "shallow.git"]);
    git(root.path(), &["init", "-q", "--bare", "-b", "main", "--object-format=sha256", "long.git"]);
    let at = |name: &str| root.path().canonicalize().unwrap().join(name).to_str().unwrap().to_owned();
    assert_eq!(keeper.ok(&["sync", "init", "--remote", &at("shallow.git")])["branchExists"], true);
    assert_eq!(keeper.ok(&["sync", "pull"])["synced"], json!(["souls/a", "souls/b"]));
    keeper.write("c", &soul("C", "one"));
    keeper.ok(&["sync", "publish", "--all"]);
    keeper.ok(&["sync", "init", "--remote", &at("long.git")]);
    keeper.ok(&["sync", "publish", "--all"]);
    let other = Keeper::new(root.path(), "other");
    other.ok(&["sync", "init", "--remote", &at("long.git")]);
    assert_eq!(other.ok(&["sync", "pull"])["synced"], json!(["souls/a", "souls/b", "souls/c"]));
    other.ok(&["sync", "init", "--remote", &remote.url()]);
    other.ok(&["sync", "pull"]);
    assert_eq!(other.ok(&["sync", "publish", "--all"])["synced"], json!(["souls/c"]), "and back again");
}

#[test]
fn settings_of_the_user_that_are_about_another_remote_do_not_count() {
    let (root, remote, _) = world();
    let keeper = Keeper::new(root.path(), "configured");
    let config = "[remote \"origin\"]\n\turl = /nowhere\n\tpushurl = /nowhere\n\tmirror = true\n";
    fs::write(keeper.home.join(".gitconfig"), config).unwrap();
    keeper.ok(&["sync", "init", "--remote", &remote.url()]);
    keeper.ok(&["sync", "pull"]);
    keeper.write("b", &soul("B", "one"));
    keeper.ok(&["sync", "publish", "--all"]);
    assert_eq!(remote.text("souls/b.md"), Some(soul("B", "one")));
}

#[test]
fn what_the_home_knows_of_a_remote_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_root, _, keeper) = world();
    keeper.ok(&["sync", "pull"]);
    let files = fs::read_dir(keeper.home.join("sync")).unwrap().map(|entry| entry.unwrap());
    let states: Vec<_> = files.filter(|entry| entry.file_name().to_str().unwrap().ends_with(".json")).collect();
    assert!(!states.is_empty());
    for state in states {
        assert_eq!(state.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", state.file_name());
    }
}
