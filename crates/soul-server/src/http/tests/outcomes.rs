//! Changes during which another program saves the file, or the machine fails.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use soul_engine::Step;

use super::*;

const OLD: &str = "---\nrole: One\n---\nFirst body.\n";
const EDIT: &str = "---\nrole: Mine\n---\nSaved by an editor.\n";

/// A home with an agent, whose soul's file the test is given between the steps of a change.
fn served(between: impl Fn(&Path, Step) -> io::Result<()> + Send + Sync + 'static) -> (Served, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("agents/coder/SOUL.md");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, OLD).unwrap();
    let roots = Roots { workspace: None, home: Some(home.path().to_path_buf()), user: None };
    let soul = path.clone();
    let keeper = Keeper::open(roots).unwrap().with_failpoint(Arc::new(move |step| between(&soul, step)));
    let (going, gone) = tokio::sync::watch::channel(false);
    let router = super::super::router(App::new(keeper, Hosts::new([127, 0, 0, 1].into(), &[], false), gone));
    (Served { home, router, _going: going }, path)
}

async fn put(served: &Served) -> Reply {
    let seen = served.ask("GET", "/api/agents/coder/soul", "").await.json();
    let digest = seen["digest"].as_str().or(seen["soul"]["digest"].as_str()).unwrap().to_owned();
    let body = serde_json::json!({ "body": "---\nrole: Two\n---\nSecond body.\n", "expected_digest": digest });
    served.ask("PUT", "/api/agents/coder/soul", &body.to_string()).await
}

#[tokio::test]
async fn what_an_editor_saves_during_a_put_is_kept() {
    let (served, path) = served(|path, step| if step == Step::Staged { fs::write(path, EDIT) } else { Ok(()) });
    let reply = put(&served).await;
    let json = reply.json();
    assert_eq!((reply.status, json["error"]["code"].as_str()), (StatusCode::CONFLICT, Some("soul_conflict")));
    assert_eq!(fs::read_to_string(path).unwrap(), EDIT);
    let history = served.ask("GET", "/api/agents/coder/soul/history?bodies=true", "").await;
    assert!(String::from_utf8_lossy(&history.bytes).contains("Saved by an editor."), "{history:?}");
}

#[tokio::test]
async fn a_put_that_was_made_and_not_confirmed_says_so() {
    let failing = |_: &Path, step| if step == Step::Synced { Err(io::Error::other("injected")) } else { Ok(()) };
    let (served, path) = served(failing);
    let reply = put(&served).await;
    let json = reply.json();
    assert_eq!((reply.status.as_u16(), json["error"]["code"].as_str()), (500, Some("unconfirmed")), "{json}");
    assert_eq!(json["error"]["revision"]["action"], "put");
    assert_eq!(json["error"]["soul"]["digest"], json["error"]["revision"]["new_digest"]);
    assert!(fs::read_to_string(path).unwrap().contains("Second body."));
}
