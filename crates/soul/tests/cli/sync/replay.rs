//! The steps that were recorded from the peer's running sync, one by one: the same statuses where it is right, and nothing
//! lost where it is not. `docs/sync.md` has the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Keeper, Remote, soul};

/// Names that the peer syncs and its own store then refuses; here they are never taken.
const UNUSABLE: [&str; 4] = ["souls/Bad Name", "souls/sub/deep", "souls/leak", "souls/%2e%2e%2f%2e%2e%2fescaped"];

struct Replay {
    recorded: BTreeMap<String, Value>,
    keeper: Keeper,
    same: BTreeSet<String>,
    other: BTreeSet<String>,
}

impl Replay {
    /// The items stand as they were recorded.
    fn same(&mut self, id: &str) {
        let expect = &self.recorded[id];
        let status = if expect["items"].is_object() { expect } else { &expect["status"] };
        if let Some(items) = status["items"].as_object() {
            let is_ours = |id: &&String| !UNUSABLE.contains(&id.as_str());
            let kept = items.iter().filter(|(id, _)| is_ours(id));
            let recorded: BTreeMap<String, String> =
                kept.map(|(id, said)| (id.clone(), said.as_str().unwrap().replace("/soul", ""))).collect();
            assert_eq!(self.items(), recorded, "{id}");
            assert_eq!(self.keeper.status()["summary"], status["summary"], "{id}");
        }
        self.note(id, true);
    }

    fn other(&mut self, id: &str) {
        self.note(id, false);
    }

    fn note(&mut self, id: &str, is_same: bool) {
        assert!(self.recorded.contains_key(id), "{id} was not recorded");
        if is_same {
            self.same.insert(id.to_owned())
        } else {
            self.other.insert(id.to_owned())
        };
    }

    fn items(&self) -> BTreeMap<String, String> {
        let status = self.keeper.status();
        let items = status["items"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        items.map(|item| (text(&item["itemId"]), text(&item["status"]))).collect()
    }
}

fn conformance() -> BTreeMap<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/dagu-gitsync.json");
    let rows: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    rows.into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row["expect"].clone())).collect()
}

#[test]
fn the_steps_of_the_peer_lead_to_its_statuses_and_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let remote = Remote::new(&root);
    remote.commit("init", |work| {
        fs::write(work.join("README.md"), "# Souls\n").unwrap();
        fs::write(work.join("souls/cook.md"), soul("Cook", "v1")).unwrap();
        fs::write(work.join("souls/pilot.md"), soul("Pilot", "v1")).unwrap();
        fs::write(work.join("souls/Bad Name.md"), soul("Bad", "x")).unwrap();
        fs::create_dir(work.join("souls/sub")).unwrap();
        fs::write(work.join("souls/sub/deep.md"), soul("Deep", "x")).unwrap();
    });
    let keeper = Keeper::new(&root, "home");
    keeper.write("cook", &soul("Cook", "LOCAL COOK"));
    keeper.write("mine", &soul("Mine", "m1"));
    let mut replay = Replay { recorded: conformance(), keeper, same: BTreeSet::new(), other: BTreeSet::new() };
    // Not configured: nothing is known, and everything else says what to do.
    assert_eq!(replay.keeper.status()["enabled"], false);
    assert_eq!(replay.keeper.error(&["sync", "pull"]), "sync_not_configured");
    replay.same("gs2-disabled");
    replay.same("gs2-not-configured");
    let missing = root.join("nowhere.git");
    assert_eq!(replay.keeper.error(&["sync", "init", "--remote", missing.to_str().unwrap()]), "no_repository");
    replay.same("gs2-clone-missing-repo");
    replay.keeper.ok(&["sync", "init", "--remote", &remote.url()]);
    replay.same("gs-status-before-first-pull");
    first_half(&mut replay, &remote);
    second_half(&mut replay, &remote);

    let all: BTreeSet<String> = replay.recorded.keys().cloned().collect();
    let seen: BTreeSet<String> = replay.same.union(&replay.other).cloned().collect();
    assert_eq!(all.difference(&seen).collect::<Vec<_>>(), Vec::<&String>::new(), "steps that were left out");
    assert!(replay.same.is_disjoint(&replay.other));
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sync.md")).unwrap();
    for id in &replay.other {
        assert!(page.contains(&format!("`{id}`")), "docs/sync.md does not say what is different in {id}");
    }
    for id in &replay.same {
        assert!(!page.contains(&format!("`{id}`")), "docs/sync.md says that {id} is different");
    }
}

fn first_half(replay: &mut Replay, remote: &Remote) {
    // The peer overwrites the untracked file; here both sides stay.
    let (code, pulled) = replay.keeper.json(&["sync", "pull"]);
    assert_eq!((code, &pulled["conflicts"]), (3, &serde_json::json!(["souls/cook"])));
    assert_eq!(replay.keeper.text("cook"), Some(soul("Cook", "LOCAL COOK")));
    assert_eq!(pulled["refused"].as_array().unwrap().len(), 2);
    replay.other("gs-first-pull-overwrites-untracked");
    assert_eq!(replay.keeper.ok(&["library", "show", "pilot"])["name"], "Pilot");
    replay.other("gs-pulled-soul-visible-in-running-store");
    let listed = replay.keeper.ok(&["library", "list"]);
    assert_eq!(listed["pagination"]["totalRecords"], 3);
    replay.other("gs-ids-after-restart");
    replay.keeper.ok(&["sync", "resolve", "cook", "--theirs"]);
    let state: Value = serde_json::from_slice(&fs::read(replay.keeper.home.join("sync/souls.json")).unwrap()).unwrap();
    assert_eq!((&state["version"], &state["branch"]), (&1.into(), &"main".into()));
    replay.other("gs-state-file-shape");
    let again = replay.keeper.ok(&["sync", "pull"]);
    assert_eq!((&again["message"], &again["synced"]), (&"already up to date".into(), &serde_json::json!([])));
    replay.same("gs-pull-again");

    replay.keeper.write("pilot", &soul("Pilot", "LOCAL EDIT"));
    replay.same("gs-local-edit-status");
    let diff = replay.keeper.ok(&["sync", "diff", "pilot"]);
    assert_eq!(diff["localContent"], soul("Pilot", "LOCAL EDIT"));
    assert_eq!(diff["remoteContent"], replay.recorded["gs-diff-modified"]["remote"]);
    replay.same("gs-diff-modified");
    assert_eq!(replay.keeper.error(&["sync", "forget", "pilot"]), "not_forgettable");
    replay.same("gs-forget-modified");
    assert_eq!(replay.keeper.error(&["sync", "delete", "pilot"]), "item_modified");
    replay.same("gs-delete-modified-noforce");
    replay.keeper.ok(&["sync", "pull"]);
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "LOCAL EDIT")));
    replay.same("gs-pull-keeps-modified-when-remote-unchanged");

    remote.commit("remote edit", |work| fs::write(work.join("souls/pilot.md"), soul("Pilot", "REMOTE v2")).unwrap());
    let (_, pulled) = replay.keeper.json(&["sync", "pull"]);
    assert_eq!(pulled["conflicts"], replay.recorded["gs-conflict-detected"]["conflicts"]);
    replay.same("gs-conflict-detected");
    let status = replay.keeper.status();
    let item = status["items"].as_array().unwrap().iter().find(|item| item["itemId"] == "souls/pilot").unwrap().clone();
    assert_eq!((&item["remoteAuthor"], &item["remoteMessage"]), (&"Remote".into(), &"remote edit\n".into()));
    assert_ne!(item["baseCommit"], item["remoteCommit"]);
    replay.same("gs-conflict-fields");
    assert_eq!(replay.keeper.error(&["sync", "publish", "pilot"]), "sync_conflict");
    replay.same("gs-publish-conflict-noforce");
    assert_eq!(replay.keeper.error(&["sync", "publish", "pilot", "mine"]), "sync_conflict");
    replay.same("gs-publishall-conflict");

    // The peer's second pull overwrites the local edit; here the conflict stays until it is resolved.
    replay.keeper.json(&["sync", "pull"]);
    assert_eq!(replay.keeper.stands("pilot").as_deref(), Some("conflict"));
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "LOCAL EDIT")));
    replay.other("gs-second-pull-while-in-conflict");
    replay.keeper.ok(&["sync", "resolve", "pilot", "--theirs"]);
    assert!(replay.keeper.recorded("pilot").contains(&soul("Pilot", "LOCAL EDIT")));

    replay.keeper.ok(&["sync", "publish", "mine"]);
    assert!(remote.log().starts_with("Soulkeeper|Update souls/mine\n"), "{}", remote.log());
    replay.same("gs-publish-untracked");
    assert_eq!(replay.keeper.error(&["sync", "publish", "mine"]), "nothing_to_publish");
    replay.same("gs-publish-synced");
    assert_eq!(replay.keeper.error(&["sync", "publish", "none"]), "item_not_found");
    replay.same("gs-publish-unknown");
    replay.same("gs-publishall-souls/none");
    replay.same("gs-publishall-souls/mine");
    for (id, typed) in [
        ("gs-publishall--2", ""),
        ("gs-publishall-souls//mine", "souls//mine"),
        ("gs-publishall-souls/../souls/mine", "souls/../souls/mine"),
        ("gs-publishall-../x", "../x"),
        ("gs-publishall-/etc/passwd", "/etc/passwd"),
        ("gs-publishall-souls%2Fmine", "souls%2Fmine"),
    ] {
        assert_eq!(replay.keeper.run(&["sync", "publish", typed]).status.code(), Some(2), "{id}");
        replay.same(id);
    }
    assert_eq!(replay.keeper.run(&["sync", "publish"]).status.code(), Some(2));
    replay.same("gs-publishall-");

    // The peer wedges itself; here the push goes on top of what others have pushed.
    remote.commit("remote cook", |work| fs::write(work.join("souls/cook.md"), soul("Cook", "REMOTE c2")).unwrap());
    replay.keeper.write("mine", &soul("Mine", "m2"));
    replay.keeper.ok(&["sync", "publish", "mine"]);
    assert_eq!(remote.text("souls/mine.md"), Some(soul("Mine", "m2")));
    replay.other("gs-publish-remote-ahead");
    replay.keeper.ok(&["sync", "pull"]);
    assert_eq!(replay.keeper.text("cook"), Some(soul("Cook", "REMOTE c2")));
    replay.other("gs-pull-after-failed-push");
    replay.other("gs-publish-retry");
}

fn second_half(replay: &mut Replay, remote: &Remote) {
    replay.keeper.ok(&["sync", "pull"]);
    replay.same("gs2-pull");

    // The peer never hears of a remote deletion; here a person is asked.
    remote.commit("remote delete", |work| fs::remove_file(work.join("souls/cook.md")).unwrap());
    let (_, pulled) = replay.keeper.json(&["sync", "pull"]);
    let proposal = pulled["proposals"][0].as_str().unwrap().to_owned();
    assert!(replay.keeper.text("cook").is_some() && replay.keeper.stands("cook").as_deref() == Some("conflict"));
    replay.other("gs2-remote-delete-not-propagated");
    assert_eq!(replay.keeper.error(&["sync", "publish", "cook"]), "sync_conflict");
    replay.other("gs2-publish-remote-deleted");
    replay.keeper.ok(&["review", &proposal, "--reject", "we need it"]);
    replay.keeper.ok(&["sync", "pull"]);
    assert_eq!(replay.keeper.stands("cook").as_deref(), Some("untracked"));
    replay.keeper.ok(&["sync", "publish", "cook"]);
    remote.commit("again", |work| fs::remove_file(work.join("souls/cook.md")).unwrap());
    replay.keeper.json(&["sync", "pull"]);
    replay.keeper.ok(&["sync", "discard", "cook"]);
    assert_eq!(replay.keeper.text("cook"), None);
    replay.other("gs2-discard-remote-deleted");
    remote.commit("back", |work| fs::write(work.join("souls/cook.md"), soul("Cook", "REMOTE c2")).unwrap());
    replay.keeper.ok(&["sync", "pull"]);

    fs::remove_file(replay.keeper.path("pilot")).unwrap();
    replay.same("gs2-local-delete-missing");
    let status = replay.keeper.status();
    let item = status["items"].as_array().unwrap().iter().find(|item| item["itemId"] == "souls/pilot").unwrap().clone();
    assert!(item["missingAt"].is_string() && item["previousStatus"] == "synced", "{item}");
    replay.same("gs2-missing-fields");
    let diff = replay.keeper.ok(&["sync", "diff", "pilot"]);
    assert_eq!((&diff["localContent"], &diff["remoteContent"]), (&"".into(), &soul("Pilot", "REMOTE v2").into()));
    replay.same("gs2-diff-missing");
    assert_eq!(replay.keeper.error(&["sync", "publish", "pilot"]), "item_missing");
    replay.same("gs2-publish-missing");
    replay.keeper.ok(&["sync", "pull"]);
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "REMOTE v2")));
    replay.same("gs2-pull-restores-missing");
    fs::remove_file(replay.keeper.path("pilot")).unwrap();
    replay.keeper.ok(&["sync", "discard", "pilot"]);
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "REMOTE v2")));
    replay.same("gs2-discard-missing");
    fs::remove_file(replay.keeper.path("pilot")).unwrap();
    replay.keeper.ok(&["sync", "forget", "--all-missing"]);
    replay.same("gs2-cleanup");
    replay.keeper.ok(&["sync", "pull"]);
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "REMOTE v2")));
    replay.same("gs2-pull-after-cleanup");

    replay.keeper.write("fresh", &soul("Fresh", "f"));
    assert_eq!(replay.keeper.error(&["sync", "delete", "fresh"]), "item_untracked");
    replay.same("gs2-delete-untracked");
    assert_eq!(replay.keeper.error(&["sync", "discard", "fresh"]), "item_untracked");
    replay.same("gs2-discard-untracked");
    assert_eq!(replay.keeper.error(&["sync", "move", "fresh", "new"]), "item_untracked");
    replay.same("gs2-move-untracked");
    replay.keeper.ok(&["sync", "forget", "fresh"]);
    assert_eq!(replay.keeper.stands("fresh").as_deref(), Some("untracked"));
    replay.same("gs2-forget-untracked");
    assert_eq!(replay.keeper.run(&["sync", "move", "pilot", "docs/pilot"]).status.code(), Some(2));
    assert_eq!(replay.keeper.error(&["sync", "move", "pilot", "agents/pilot"]), "bad_item");
    replay.same("gs2-move-cross-kind");
    assert_eq!(replay.keeper.run(&["sync", "move", "pilot", "souls/../../x"]).status.code(), Some(2));
    replay.same("gs2-move-traversal");
    assert_eq!(replay.keeper.run(&["sync", "move", "pilot", "souls/Not A Slug"]).status.code(), Some(2));
    replay.other("gs2-move-to-invalid-soul-id");
    assert_eq!(replay.keeper.run(&["sync", "move", "pilot", "souls/team/pilot"]).status.code(), Some(2));
    replay.other("gs2-move-nested");
    replay.keeper.ok(&["sync", "move", "pilot", "captain"]);
    assert!(remote.log().starts_with("Soulkeeper|Move souls/pilot to souls/captain\n"));
    replay.keeper.ok(&["sync", "move", "captain", "pilot"]);
    replay.same("gs2-move-back");
    assert_eq!(replay.keeper.error(&["sync", "move", "pilot", "cook"]), "item_taken");
    replay.same("gs2-move-dest-tracked");

    conflicts(replay, remote);
    stamps_and_deletion(replay, remote);
}

fn conflicts(replay: &mut Replay, remote: &Remote) {
    let clash = |replay: &Replay, which: &str| {
        replay.keeper.write("pilot", &soul("Pilot", &format!("LOCAL {which}")));
        let text = soul("Pilot", &format!("REMOTE {which}"));
        remote.commit(&format!("remote {which}"), |work| fs::write(work.join("souls/pilot.md"), text).unwrap());
        replay.keeper.json(&["sync", "pull"]).1
    };
    let pulled = clash(replay, "A");
    assert_eq!(pulled["conflicts"], replay.recorded["gs2-conflict"]["conflicts"]);
    replay.same("gs2-conflict");
    let diff = replay.keeper.ok(&["sync", "diff", "pilot"]);
    let expect = replay.recorded["gs2-diff-conflict"].clone();
    assert_eq!((&diff["localContent"], &diff["remoteContent"]), (&expect["local"], &expect["remote"]));
    assert_eq!((&diff["remoteAuthor"], &diff["remoteMessage"]), (&expect["author"], &expect["message"]));
    replay.same("gs2-diff-conflict");
    assert_eq!(replay.keeper.error(&["sync", "move", "pilot", "captain"]), "sync_conflict");
    replay.same("gs2-move-conflict-noforce");
    assert_eq!(replay.keeper.error(&["sync", "delete", "pilot", "mine"]), "sync_conflict");
    replay.same("gs2-deletebatch-conflict-noforce");
    replay.keeper.ok(&["sync", "publish", "pilot", "--force"]);
    assert_eq!(remote.text("souls/pilot.md"), Some(soul("Pilot", "LOCAL A")));
    replay.same("gs2-publish-conflict-force");
    clash(replay, "B");
    replay.keeper.ok(&["sync", "discard", "pilot"]);
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "REMOTE B")));
    let status = replay.keeper.status();
    let item = status["items"].as_array().unwrap().iter().find(|item| item["itemId"] == "souls/pilot").unwrap().clone();
    assert_eq!(item["baseCommit"].as_str().unwrap(), super::git(&remote.bare(), &["rev-parse", "main"]).trim());
    replay.other("gs2-discard-conflict");
    clash(replay, "C");
    assert_eq!(replay.keeper.error(&["sync", "delete", "pilot"]), "sync_conflict");
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "LOCAL C")));
    replay.other("gs2-delete-conflict-noforce");
    replay.keeper.ok(&["sync", "resolve", "pilot", "--ours"]);
    replay.keeper.ok(&["sync", "publish", "pilot"]);
}

fn stamps_and_deletion(replay: &mut Replay, remote: &Remote) {
    replay.keeper.write("pilot", &soul("Pilot", "AAAA"));
    replay.keeper.ok(&["sync", "publish", "pilot"]);
    std::thread::sleep(std::time::Duration::from_millis(150));
    assert_eq!(replay.keeper.stands("pilot").as_deref(), Some("synced"));
    let path = replay.keeper.path("pilot");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, soul("Pilot", "BBBB")).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert_eq!(replay.keeper.stands("pilot").as_deref(), Some("modified"));
    replay.other("gs2-same-size-same-mtime-edit");
    replay.keeper.ok(&["sync", "pull"]);
    assert_eq!(replay.keeper.text("pilot"), Some(soul("Pilot", "BBBB")));
    replay.other("gs2-same-size-same-mtime-edit-then-pull");
    replay.keeper.ok(&["sync", "publish", "pilot"]);
    replay.keeper.ok(&["sync", "delete", "pilot"]);
    assert!(replay.keeper.text("pilot").is_none() && remote.text("souls/pilot.md").is_none());
    assert!(remote.log().starts_with("Soulkeeper|Delete souls/pilot\n"));
    assert!(replay.keeper.recorded("pilot").contains(&soul("Pilot", "BBBB")));
    replay.same("gs2-delete-synced");
    // `hostile.rs` shows what becomes of such a remote.
    replay.other("gs2-malicious-remote");
    // There is no read-only mode: a token with the role `viewer` cannot change anything.
    replay.other("gs2-push-disabled");
}
