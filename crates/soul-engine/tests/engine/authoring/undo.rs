//! Taking changes back, one after the other.

use soul_engine::fields::ExpectedDigest;
use soul_engine::ops::undo;

use super::*;

const THREE: &str = "---\nrole: Three\n---\nThird body.\n";

fn request(expected: Option<&str>) -> undo::Request {
    undo::Request {
        agent: coder(),
        expected_digest: expected.map(ExpectedDigest::new),
        expected_revision: None,
        idempotency_key: None,
        message: None,
        force: None,
        dry_run: false,
    }
}

/// Undoes the last change of the soul as it is now.
fn undo(keeper: &Keeper) -> Result<write::Response, Error> {
    let seen = look(keeper).raw_digest.map(|digest| digest.to_string());
    match run(keeper, request(seen.as_deref()))? {
        rollback::Response::Done(done) => Ok(*done),
        rollback::Response::Plan(_) => panic!("not a dry run"),
    }
}

fn is_nothing_to_undo(result: Result<write::Response, Error>) -> bool {
    matches!(result, Err(Error::Authoring(authoring::Error::NothingToUndo(_))))
}

fn with(texts: &[&str]) -> (Home, Keeper) {
    let home = Home::new();
    let keeper = home.keeper();
    for text in texts {
        put(&keeper, text, digest(&keeper).as_deref()).unwrap();
    }
    (home, keeper)
}

#[test]
fn each_undo_goes_one_change_further_back() {
    let (home, keeper) = with(&[ONE, TWO, THREE]);
    let done = undo(&keeper).unwrap();
    assert_eq!((done.revision.sealed.action.as_str(), done.revision.sealed.origin.name.as_str()), ("rollback", "undo"));
    assert_eq!(home.text().as_deref(), Some(TWO));
    undo(&keeper).unwrap();
    assert_eq!(home.text().as_deref(), Some(ONE));
    assert!(is_nothing_to_undo(undo(&keeper)));
    assert_eq!(home.text().as_deref(), Some(ONE));
    // A change after that is undone like any other, and the one before it again.
    put(&keeper, THREE, digest(&keeper).as_deref()).unwrap();
    undo(&keeper).unwrap();
    assert_eq!(home.text().as_deref(), Some(ONE));
    assert!(is_nothing_to_undo(undo(&keeper)));
    assert_chain(&keeper);
}

#[test]
fn a_text_that_came_twice_is_undone_from_where_it_came_last() {
    let (home, keeper) = with(&[ONE, TWO, ONE, THREE]);
    for text in [ONE, TWO, ONE] {
        undo(&keeper).unwrap();
        assert_eq!(home.text().as_deref(), Some(text));
    }
    assert!(is_nothing_to_undo(undo(&keeper)));
}

#[test]
fn a_rollback_and_a_deletion_are_changes_too() {
    let (home, keeper) = with(&[ONE, TWO, THREE]);
    back(&keeper, "@-2", digest(&keeper).as_deref()).unwrap();
    assert_eq!(home.text().as_deref(), Some(ONE));
    undo(&keeper).unwrap();
    assert_eq!(home.text().as_deref(), Some(THREE));
    remove(&keeper, digest(&keeper).as_deref()).unwrap();
    undo(&keeper).unwrap();
    assert_eq!(home.text().as_deref(), Some(THREE));
}

#[test]
fn a_change_from_outside_is_recorded_and_taken_back() {
    let (home, keeper) = with(&[ONE]);
    fs::write(home.soul(), TWO).unwrap();
    undo(&keeper).unwrap();
    assert_eq!(home.text().as_deref(), Some(ONE));
    assert_eq!(actions(&keeper), ["rollback", "adopt", "put"]);
    assert_eq!(revisions(&keeper, 2)[1].body.as_deref(), Some(TWO));
    // The first text has none before it.
    assert!(is_nothing_to_undo(undo(&keeper)));
    // A file that was removed outside comes back; nothing was seen, so nothing is expected.
    fs::remove_file(home.soul()).unwrap();
    undo(&keeper).unwrap();
    assert_eq!(home.text().as_deref(), Some(ONE));
}

#[test]
fn an_undo_of_a_soul_that_was_not_seen_is_a_conflict() {
    let (home, keeper) = with(&[ONE, TWO]);
    assert_eq!(conflict(run(&keeper, request(None))).0, Conflict::DigestRequired);
    assert_eq!(conflict(run(&keeper, request(Some("sha256:0")))).0, Conflict::Stale);
    assert_eq!(home.text().as_deref(), Some(TWO));
    let plan = run(&keeper, undo::Request { dry_run: true, ..request(None) }).unwrap();
    let rollback::Response::Plan(plan) = plan else { panic!("it was a dry run") };
    assert_eq!(plan.diff.from.raw_digest, look(&keeper).raw_digest);
    assert!(plan.diff.text.contains("+First body."), "{}", plan.diff.text);
    assert_eq!(actions(&keeper), ["put", "put"]);
}
