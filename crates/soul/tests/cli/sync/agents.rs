//! Souls of agents, which are synced only if that is asked for.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Keeper, Remote};

fn text(keeper: &Keeper, name: &str) -> Option<String> {
    fs::read_to_string(keeper.home.join("agents").join(name).join("SOUL.md")).ok()
}

fn put(keeper: &Keeper, name: &str, text: &str) {
    let folder = keeper.home.join("agents").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SOUL.md"), text).unwrap();
}

fn ada(identity: &str, limits: &str) -> String {
    format!("# Identity\n\nYou are Ada, {identity}.\n\n# Limits\n\n- {limits}\n")
}

fn keepers(root: &Path) -> (Remote, [Keeper; 2]) {
    let remote = Remote::new(root);
    let keepers = ["one", "two"].map(|name| {
        let keeper = Keeper::new(root, name);
        keeper.ok(&["sync", "init", "--remote", &remote.url(), "--agents"]);
        keeper
    });
    (remote, keepers)
}

#[test]
fn agents_are_synced_only_on_request() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let remote = Remote::new(&root);
    let keeper = Keeper::connected(&root, "home", &remote);
    put(&keeper, "ada", &ada("calm", "none"));
    assert_eq!(keeper.status()["items"], json!([]));
    assert_eq!(keeper.error(&["sync", "publish", "--all"]), "nothing_to_publish");
    assert_eq!(keeper.error(&["sync", "publish", "agents/ada"]), "item_not_found");
    remote.commit("others", |work| {
        fs::create_dir_all(work.join("agents/eve")).unwrap();
        fs::write(work.join("agents/eve/SOUL.md"), "You are Eve.\n").unwrap();
    });
    keeper.ok(&["sync", "pull"]);
    assert_eq!(text(&keeper, "eve"), None, "nobody asked for agents");
    keeper.ok(&["sync", "init", "--remote", &remote.url(), "--agents"]);
    keeper.ok(&["sync", "pull"]);
    assert_eq!(text(&keeper, "eve").unwrap(), "You are Eve.\n");
}

#[test]
fn agents_are_published_pulled_merged_renamed_and_deleted() {
    let root = tempfile::tempdir().unwrap();
    let (remote, [one, two]) = keepers(&root.path().canonicalize().unwrap());
    put(&one, "ada", &ada("calm", "none"));
    assert_eq!(one.ok(&["sync", "publish", "agents/ada"])["synced"], json!(["agents/ada"]));
    assert_eq!(remote.files(), ["agents/ada/SOUL.md"]);
    assert_eq!(two.ok(&["sync", "pull"])["synced"], json!(["agents/ada"]));
    assert_eq!(text(&two, "ada"), Some(ada("calm", "none")));
    let revision = two.ok(&["history", "ada"])["revisions"][0].clone();
    assert_eq!((&revision["actor"]["kind"], &revision["origin"]["kind"]), (&"sync".into(), &"git".into()));

    // Different sections are merged, the same one is a conflict until it is resolved.
    put(&one, "ada", &ada("calm", "Never guess"));
    one.ok(&["sync", "publish", "--all"]);
    put(&two, "ada", &ada("quick", "none"));
    assert_eq!(two.ok(&["sync", "pull"])["modified"], json!(["agents/ada"]));
    assert_eq!(text(&two, "ada"), Some(ada("quick", "Never guess")));
    two.ok(&["sync", "publish", "agents/ada"]);
    put(&one, "ada", &ada("slow", "Never guess"));
    let (code, pulled) = one.json(&["sync", "pull"]);
    assert_eq!((code, &pulled["conflicts"]), (3, &json!(["agents/ada"])));
    assert_eq!(one.json(&["sync", "pull"]).0, 3, "another pull does not end it");
    assert_eq!(text(&one, "ada"), Some(ada("slow", "Never guess")));
    assert_eq!(one.ok(&["sync", "diff", "agents/ada"])["conflicts"][0]["theirs"], "You are Ada, quick.\n");
    one.ok(&["sync", "resolve", "agents/ada", "--theirs"]);
    assert_eq!(text(&one, "ada"), Some(ada("quick", "Never guess")));
    let history = one.ok(&["history", "ada", "--bodies"]).to_string();
    assert!(history.contains("slow"), "what lost is on record: {history}");

    // A move renames on both sides, and arrives as a rename.
    one.ok(&["sync", "move", "agents/ada", "agents/grace"]);
    assert_eq!(remote.files(), ["agents/grace/SOUL.md"]);
    let renamed = two.ok(&["sync", "pull"])["renamed"].clone();
    assert_eq!(renamed, json!([{ "from": "agents/ada", "to": "agents/grace" }]));
    assert_eq!((text(&two, "ada"), text(&two, "grace")), (None, Some(ada("quick", "Never guess"))));

    // A deletion arrives as a proposal, which a person accepts.
    assert_eq!(one.ok(&["sync", "delete", "agents/grace"])["removed"], json!(["agents/grace"]));
    assert_eq!(text(&one, "grace"), None);
    let (code, pulled) = two.json(&["sync", "pull"]);
    let proposal = pulled["proposals"][0].as_str().unwrap().to_owned();
    assert_eq!((code, &pulled["conflicts"]), (3, &json!(["agents/grace"])));
    assert!(text(&two, "grace").is_some());
    two.ok(&["review", &proposal, "--accept"]);
    assert_eq!(text(&two, "grace"), None);
    two.ok(&["sync", "pull"]);
    assert_eq!((two.status()["items"].clone(), remote.files()), (json!([]), Vec::<String>::new()));
    for keeper in [&one, &two] {
        assert_eq!(keeper.ok(&["audit", "verify"])["ok"], true);
    }
}

#[test]
fn a_kept_agent_is_ours_again_after_the_proposal_was_rejected() {
    let root = tempfile::tempdir().unwrap();
    let (remote, [one, two]) = keepers(&root.path().canonicalize().unwrap());
    put(&one, "ada", &ada("calm", "none"));
    one.ok(&["sync", "publish", "--all"]);
    two.ok(&["sync", "pull"]);
    one.ok(&["sync", "delete", "agents/ada"]);
    let proposal = two.json(&["sync", "pull"]).1["proposals"][0].as_str().unwrap().to_owned();
    two.ok(&["review", &proposal, "--reject", "we need it"]);
    two.ok(&["sync", "pull"]);
    assert_eq!(two.status()["items"][0]["status"], "untracked");
    two.ok(&["sync", "publish", "--all"]);
    assert_eq!(remote.text("agents/ada/SOUL.md"), Some(ada("calm", "none")));
}
