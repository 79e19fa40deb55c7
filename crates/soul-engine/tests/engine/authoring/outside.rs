//! What is recorded of a file that someone edited, and what is not recorded because nothing changed.

use soul_engine::ops::record;

use super::*;

fn request() -> record::Request {
    record::Request { agent: coder(), dialect: None, message: None, force: None }
}

#[test]
fn an_edit_is_recorded_in_the_name_of_the_caller() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    fs::write(home.soul(), TWO).unwrap();
    let message = Some("Warmer.".parse().unwrap());
    let done = run(&keeper, record::Request { message, ..request() }).unwrap();
    let sealed = &done.revision.sealed;
    assert_eq!((sealed.action.as_str(), sealed.actor.name.as_str(), sealed.seq), ("adopt", "tester", 2));
    assert_eq!(sealed.message.as_ref().map(|message| message.as_str()), Some("Warmer."));
    assert!(sealed.snapshot_id.is_some() && !done.unchanged);
    assert_eq!(home.text().as_deref(), Some(TWO));
    let again = run(&keeper, request()).unwrap();
    assert!(again.unchanged);
    assert_eq!(again.revision.sealed.id, sealed.id);
    assert_eq!(actions(&keeper), ["adopt", "put"]);
    assert_chain(&keeper);
}

#[test]
fn the_first_record_of_a_file_may_be_the_callers() {
    let home = Home::new();
    let keeper = home.keeper();
    fs::write(home.soul(), ONE).unwrap();
    let done = run(&keeper, request()).unwrap();
    assert_eq!((done.revision.sealed.seq, done.revision.sealed.actor.kind.as_str()), (1, "user"));
    // The dialect can be pinned to another one, with the same text.
    let other = run(&keeper, record::Request { dialect: Some(Dialect::Plain), ..request() }).unwrap();
    assert!(!other.unchanged);
    assert_eq!(other.revision.sealed.dialect, Some(Dialect::Plain));
}

#[test]
fn what_may_not_be_written_may_not_be_recorded() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    fs::write(home.soul(), BAD).unwrap();
    assert!(matches!(run(&keeper, request()), Err(Error::Soul(souls::Error::Invalid(_)))));
    fs::write(home.soul(), POISON).unwrap();
    assert!(matches!(run(&keeper, request()), Err(Error::Authoring(authoring::Error::Poisoned(..)))));
    assert_eq!(home.text().as_deref(), Some(POISON));
    assert_eq!(actions(&keeper), ["put"]);
    let forced = record::Request { force: Some(non_blank("a drill")), dialect: Some(Dialect::Plain), ..request() };
    let forced = run(&keeper, forced).unwrap();
    assert_eq!(forced.revision.sealed.reason.as_deref(), Some("a drill"));
    let poison = events(&keeper).pop().unwrap().event;
    assert_eq!(poison.kind, EventKind::Poison);
    assert!(poison.findings.iter().any(|finding| finding.line == 3 && !finding.rule.is_empty()), "{poison:?}");
    fs::remove_file(home.soul()).unwrap();
    assert!(matches!(run(&keeper, request()), Err(Error::Authoring(authoring::Error::NothingToRecord(..)))));
}

#[test]
fn a_text_that_is_there_already_is_not_recorded_again() {
    let home = Home::new();
    let keeper = home.keeper();
    let first = put(&keeper, ONE, None).unwrap();
    let again = put(&keeper, ONE, digest(&keeper).as_deref()).unwrap();
    assert!(again.unchanged && !first.unchanged);
    assert_eq!(again.revision, first.revision);
    assert_eq!(conflict(put(&keeper, ONE, None)).0, Conflict::DigestRequired);
    let back = back(&keeper, first.revision.sealed.id.as_str(), digest(&keeper).as_deref()).unwrap();
    assert!(back.unchanged);
    assert_eq!(actions(&keeper), ["put"]);
    // Another dialect is a change.
    let plain = write::Request { dialect: Some(Dialect::Plain), ..writing(ONE, digest(&keeper).as_deref()) };
    assert!(!run(&keeper, plain).unwrap().unchanged);
    // Of someone's edit, the edit alone is on record.
    fs::write(home.soul(), TWO).unwrap();
    let seen = look(&keeper).raw_digest.unwrap().to_string();
    let same = put(&keeper, TWO, Some(&seen)).unwrap();
    assert!(same.unchanged);
    assert_eq!(same.revision.sealed.actor.kind, "outside");
    assert_eq!(actions(&keeper), ["adopt", "put", "put"]);
}
