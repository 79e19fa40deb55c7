//! What an error keeps for the one who has to act on it: its source, and what clients need besides the message.

use std::error::Error as _;
use std::fs;
use std::io;
use std::sync::Arc;

use soul_engine::authoring;
use soul_engine::files;
use soul_engine::ops::test::{Answers, Probing};
use soul_engine::ops::{Error, Report, test};
use soul_engine::souls::{self, Target};
use soul_engine::workspace::Roots;
use soul_engine::{Keeper, Step, chat};

use super::{Home, POISON, coder, digest, put, run};

const SOUL: &str = "---\nrole: One\n---\nFirst body.\n";

/// The nearest cause of this type.
fn cause<T: std::error::Error + 'static>(error: &Error) -> Option<&T> {
    std::iter::successors(error.source(), |error| (*error).source()).find_map(|error| error.downcast_ref())
}

#[test]
fn the_error_of_the_system_is_kept_when_a_soul_cannot_be_written() {
    for step in [Step::Locked, Step::Staged, Step::Settled] {
        let home = Home::new();
        let full = io::ErrorKind::StorageFull;
        let failpoint = move |at| if at == step { Err(full.into()) } else { Ok(()) };
        let error = put(&home.keeper().with_failpoint(Arc::new(failpoint)), SOUL, None).unwrap_err();
        let is_made = matches!(error, Error::Authoring(authoring::Error::Unconfirmed(..)));
        assert_eq!(is_made, step == Step::Settled, "{step:?}");
        assert!(is_made || matches!(error, Error::Authoring(authoring::Error::Unwritable(..))), "{step:?}");
        assert_eq!(cause::<io::Error>(&error).map(io::Error::kind), Some(full), "{step:?}");
    }
}

#[test]
fn the_error_of_the_system_is_kept_when_a_workspace_has_no_id() {
    let root = tempfile::tempdir().unwrap();
    let workspace = root.path().join("team");
    fs::create_dir_all(workspace.join(".soul/agents/coder")).unwrap();
    // A directory where the id would be.
    fs::create_dir(workspace.join(".soul/id")).unwrap();
    let home = Some(root.path().join("home"));
    let keeper = Keeper::open(Roots { workspace: Some(workspace), home, user: None }).unwrap();
    let error = put(&keeper, SOUL, None).unwrap_err();
    assert!(matches!(error, Error::Soul(souls::Error::WorkspaceId(_))), "{error}");
    assert!(cause::<io::Error>(&error).is_some());
}

#[cfg(unix)]
#[test]
fn the_reason_why_a_directory_was_not_opened_is_kept() {
    let home = Home::new();
    fs::rename(home.agent(), home.0.path().join("agents/real")).unwrap();
    std::os::unix::fs::symlink("real", home.agent()).unwrap();
    let error = put(&home.keeper(), SOUL, None).unwrap_err();
    assert!(matches!(cause(&error), Some(files::Error::Link)), "{error:?}");
}

#[test]
fn the_reason_why_a_model_was_not_tested_is_kept() {
    let home = Home::new();
    put(&home.keeper(), SOUL, None).unwrap();
    fs::write(home.agent().join("soul.test.yaml"), "probes:\n  - name: a\n    ask: Who are you?\n").unwrap();
    let probe = |answers, probes| {
        let probing = Probing { probes, model: "m".to_owned(), against: None, answers };
        run(&home.keeper(), test::Request { target: Target::Agent(coder()), dialect: None, probing: Some(probing) })
            .unwrap_err()
    };
    let (url, key_env) = ("http://127.0.0.1:9/v1".to_owned(), Some("SOUL_NO_SUCH_KEY".to_owned()));
    let without_key = Answers::Endpoint { url, key_env, record: None };
    assert!(matches!(cause(&probe(without_key, None)), Some(chat::Error::NoKey(_))));
    let folder = home.agent();
    let error = probe(Answers::Recorded(folder.clone()), Some(folder));
    assert!(cause::<files::Error>(&error).is_some(), "{error:?}");
}

#[test]
fn a_report_has_what_a_client_needs_to_act() {
    let home = Home::new();
    let keeper = home.keeper();
    let report = |error: Error| error.report(&keeper);
    // `null` stands for a soul that does not exist, and the key is there.
    let absent = report(put(&keeper, SOUL, Some("sha256:0")).unwrap_err());
    assert_eq!(absent.current_digest, Some(None));
    let sent = serde_json::to_value(&absent).unwrap();
    assert!(sent["current_digest"].is_null() && sent.as_object().unwrap().contains_key("current_digest"));
    assert_eq!(serde_json::from_value::<Report>(sent).unwrap().current_digest, Some(None));

    put(&keeper, SOUL, None).unwrap();
    let stale = report(put(&keeper, SOUL, None).unwrap_err());
    assert_eq!(stale.current_digest, Some(digest(&keeper)));
    assert!(stale.hint.unwrap().contains(&digest(&keeper).unwrap()));
    let poisoned = report(put(&keeper, POISON, digest(&keeper).as_deref()).unwrap_err());
    assert!(!poisoned.findings.unwrap().is_empty());
    let invalid = report(put(&keeper, "---\ntools: x\n---\n", digest(&keeper).as_deref()).unwrap_err());
    assert!(!invalid.diagnostics.unwrap().is_empty() && !invalid.sources.is_empty());
    assert_eq!(invalid.soul.unwrap().agent_name.as_deref(), Some("coder"));
}
