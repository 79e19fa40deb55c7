//! What a session was given stays on record, whatever a later version would make of its snapshot.

use soul_engine::ops::receipt::{self, verify::Match};

use super::*;

fn receipt_of(keeper: &Keeper, id: &SessionId) -> receipt::Receipt {
    run(keeper, receipt::Request { session_id: id.clone() }).unwrap()
}

fn verify(keeper: &Keeper, transcript: &str, session_id: Option<&SessionId>) -> receipt::verify::Response {
    let transcript = transcript.to_owned();
    run(keeper, receipt::verify::Request { transcript, session_id: session_id.cloned() }).unwrap()
}

fn full(keeper: &Keeper, id: &SessionId) -> String {
    prompt(keeper, Subject::Session(id.clone()), prompt::Part::Full).unwrap().text
}

fn sql(home: &Home, statement: &str) {
    rusqlite::Connection::open(home.0.path().join("keeper.db")).unwrap().execute_batch(statement).unwrap();
}

#[test]
fn a_receipt_is_the_prompt_that_the_session_gets() {
    let home = Home::new();
    let keeper = home.keeper();
    for (soul, name) in [(ONE, "agh"), ("# Ada\n\nGuides ships.\n", "plain")] {
        put(&keeper, soul, digest(&keeper).as_deref()).unwrap();
        let session = begin(&keeper).response.session;
        let given = receipt_of(&keeper, &session.id);
        let text = full(&keeper, &session.id);
        assert!(given.id.is_some() && given.earlier.is_empty(), "{name}");
        assert_eq!(given.prompt.bytes, text.len());
        assert_eq!(given.prompt.prompt_digest, soul_core::digest::RawDigest::of(text.as_bytes()), "{name}");
        assert_eq!(given.snapshot_id, session.soul_snapshot_id);
    }
}

#[test]
fn a_refreshed_session_keeps_its_earlier_receipt() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let (before, first) = (full(&keeper, &session.id), receipt_of(&keeper, &session.id));
    put(&keeper, TWO, digest(&keeper).as_deref()).unwrap();
    refresh(&keeper, &session.id, None).unwrap();
    let second = receipt_of(&keeper, &session.id);
    assert_ne!(second.prompt.prompt_digest, first.prompt.prompt_digest);
    assert_eq!(second.earlier.iter().map(|one| one.prompt_digest).collect::<Vec<_>>(), [first.prompt.prompt_digest]);
    let found = verify(&keeper, &before, Some(&session.id));
    assert_eq!((found.state, found.receipt.unwrap().id), (Match::Same, first.id));
}

#[test]
fn a_transcript_is_compared_with_the_record_and_not_with_what_this_version_would_make() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let text = full(&keeper, &session.id);
    // As if a later version put the layers together in another way: what it would make is not what was given.
    sql(&home, "UPDATE sessions SET surroundings_json = '{\"user\": \"Somebody else.\"}'");
    assert_ne!(full(&keeper, &session.id), text);
    for (transcript, state) in [
        (text.clone(), Match::Same),
        (format!("{text}\n"), Match::Same),
        (format!("Be brief.\n\n{text}\n\nToday is Monday."), Match::Contained),
        (text.replace("First body.", "Another body."), Match::Different),
        (String::new(), Match::NoPrompt),
    ] {
        for id in [None, Some(&session.id)] {
            assert_eq!(verify(&keeper, &transcript, id).state, state, "{transcript}");
        }
    }
    // A prompt that was asked for with a task has one more layer.
    let subject = Subject::Session(session.id.clone());
    let asked = prompt::Request { task: Some("Moor the ship.".to_owned()), ..prompt::Request::new(subject) };
    sql(&home, "UPDATE sessions SET surroundings_json = '{}'");
    let with_task = run(&keeper, asked).unwrap().text;
    assert!(with_task.contains("Moor the ship.") && !with_task.contains(&text));
    assert_eq!(verify(&keeper, &with_task, None).state, Match::Contained);
    // Another text between its layers is not one of the caller's.
    let inserted = text.replacen("\n\n<<<soul:begin", "\n\nObey.\n\n<<<soul:begin", 1);
    assert_ne!(inserted, text);
    assert_eq!(verify(&keeper, &inserted, None).state, Match::Different);
    let changed = text.replace("First body.", "Another body.");
    assert_eq!(verify(&keeper, &changed, Some(&session.id)).missing_layers, ["identity"]);
}

#[test]
fn a_session_of_an_earlier_version_has_a_computed_receipt() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    let recorded = receipt_of(&keeper, &session.id);
    sql(&home, "DELETE FROM session_receipts");
    let computed = receipt_of(&keeper, &session.id);
    assert_eq!(computed.id, None);
    assert_eq!((&computed.prompt, &computed.caller), (&recorded.prompt, &recorded.caller));
    assert_eq!(verify(&keeper, &full(&keeper, &session.id), None).state, Match::Same);
}

#[test]
fn a_changed_receipt_is_noticed() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let session = begin(&keeper).response.session;
    sql(&home, "UPDATE session_receipts SET actor_ref = 'nobody'");
    let failed = run(&keeper, receipt::Request { session_id: session.id }).unwrap_err();
    assert_eq!(failed.fault().code, "store_damaged");
    let audit = run(&keeper, audit::verify::Request::default()).unwrap();
    assert!(!audit.ok && audit.problems.iter().any(|problem| problem.table == "session_receipts"), "{audit:?}");
}
