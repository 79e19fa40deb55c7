//! Answers are cached, and are never older than the files they are made from.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use soul_engine::ops::persona::adapt;
use soul_engine::ops::session::refresh;

use super::Served;

/// Longer than a file takes to be believed.
const SETTLED: Duration = Duration::from_millis(150);

impl Served {
    /// The answer, once it is one that may be kept.
    async fn settled(&self, path: &str) -> Value {
        tokio::time::sleep(SETTLED).await;
        let first = self.ask("GET", path, "").await.json();
        assert_eq!(self.ask("GET", path, "").await.json(), first);
        first
    }
}

#[tokio::test]
async fn whatever_changes_a_file_changes_the_answer() {
    let served =
        Served::with(&[("agents/ada/SOUL.md", "---\nname: Ada\nhexaco: {openness: 0.5}\n---\nYou are Ada.\n")]);
    let folder = served.home.path().join("agents/ada");
    let steps: [(&str, &dyn Fn()); 6] = [
        ("its text", &|| {
            fs::write(folder.join("SOUL.md"), "---\nname: Bea\nhexaco: {openness: 0.5}\n---\nX.\n").unwrap()
        }),
        ("a file beside it", &|| fs::write(folder.join("STYLE.md"), "Short.\n").unwrap()),
        ("what that says", &|| fs::write(folder.join("STYLE.md"), "Brief.\n").unwrap()),
        ("an example", &|| {
            fs::create_dir(folder.join("examples")).unwrap();
            fs::write(folder.join("examples/good-outputs.md"), "## A\n\nYes.\n").unwrap();
        }),
        ("what the example says", &|| fs::write(folder.join("examples/good-outputs.md"), "## A\n\nNo!\n").unwrap()),
        ("that it is there", &|| fs::remove_file(folder.join("SOUL.md")).unwrap()),
    ];
    let mut before = served.settled("/api/agents/ada/soul").await;
    for (what, change) in steps {
        change();
        assert_ne!(served.ask("GET", "/api/agents/ada/soul", "").await.json(), before, "{what}");
        before = served.settled("/api/agents/ada/soul").await;
    }
}

/// A file that is written in place, and whose time is set back, has the size, the inode and the time that it had.
#[tokio::test]
async fn a_time_that_is_set_back_hides_no_change() {
    let served = Served::with(&[("agents/ada/SOUL.md", "You are Ada.\n")]);
    let path = served.home.path().join("agents/ada/SOUL.md");
    let old = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set_back = || fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    set_back();
    let before = served.settled("/api/agents/ada/soul").await;
    fs::write(&path, "You are Bea.\n").unwrap();
    set_back();
    assert_ne!(served.ask("GET", "/api/agents/ada/soul", "").await.json()["digest"], before["digest"]);
}

#[tokio::test]
async fn whatever_is_recorded_by_others_changes_the_answer() {
    let soul = "---\nrole: Guide\n---\nYou are Ada.\n";
    let served = Served::with(&[("agents/ada/SOUL.md", soul)]);
    let context = "/api/agent/context?agent=ada";
    assert_eq!(served.settled(context).await["soul"].get("persona"), None);
    let (agent, of) = ("ada".parse().unwrap(), "openness".to_owned());
    served.run(adapt::Request { agent, of, delta: 0.1, reason: "x".into(), session: None });
    let adapted = served.ask("GET", context, "").await.json();
    assert_eq!(adapted["soul"]["persona"]["traits"]["openness"], json!(0.6));

    let started = served.ask("POST", "/api/sessions", r#"{"agent":"ada"}"#).await.json();
    let id = started["session"]["id"].as_str().unwrap().to_owned();
    let context = format!("/api/agent/context?session={id}");
    let before = served.settled(&context).await;
    fs::write(served.home.path().join("agents/ada/SOUL.md"), soul.replace("You are", "You were")).unwrap();
    assert_eq!(served.ask("GET", &context, "").await.json(), before);
    served.run(refresh::Request { session_id: id.into(), expected_digest: None });
    assert_ne!(served.ask("GET", &context, "").await.json()["soul"]["digest"], before["soul"]["digest"]);
}
