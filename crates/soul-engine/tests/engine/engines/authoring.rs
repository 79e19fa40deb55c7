use serde_json::json;

use super::*;
use crate::{actions, digest, last, revisions};

pub(super) fn souls_are_changed_on_record(fleet: &Fleet) {
    let keeper = fleet.keeper(1);
    let write = |body: &str, expected: Option<&str>| {
        fleet.ask(2, "write", json!({ "agent": "coder", "body": body, "expected_digest": expected }))
    };
    assert_eq!(fleet.text(1).as_deref(), Some(ONE));
    for expected in [None, Some("sha256:0")] {
        assert_eq!(code(&keeper, write(TWO, expected)), "soul_conflict");
    }
    let seen = digest(&keeper);
    write(TWO, seen.as_deref()).unwrap();
    assert_eq!(code(&keeper, write(ONE, seen.as_deref())), "soul_conflict");
    assert_eq!(actions(&keeper), ["put", "put"]);

    // The same request under the same key is done once, no matter which keeper is asked.
    let expected = digest(&keeper);
    let once = |number: usize, body: &str| {
        let request = json!({ "agent": "coder", "body": body, "expected_digest": expected, "idempotency_key": "k" });
        fleet.ask(number, "write", request)
    };
    let three = "---\nrole: Three\n---\nThird body.\n";
    let made: Vec<_> = (0..3).map(|number| once(number, three).unwrap()["revision"]["id"].clone()).collect();
    assert!(made.iter().all(|id| id.as_str() == Some(last(&keeper).sealed.id.as_str())), "{made:?}");
    assert_eq!(code(&keeper, once(1, ONE)), "soul_conflict");

    let first = revisions(&keeper, 9).pop().unwrap().revision.sealed.id.as_str().to_owned();
    let back = json!({ "agent": "coder", "revision_id": first, "expected_digest": digest(&keeper) });
    fleet.ask(0, "rollback", back).unwrap();
    assert_eq!(fleet.text(2).as_deref(), Some(ONE));
    let undo = json!({ "agent": "coder", "expected_digest": digest(&keeper) });
    fleet.ask(2, "undo", undo).unwrap();
    assert!(fleet.text(0).unwrap().contains("Third body."));
    fleet.ask(1, "delete", json!({ "agent": "coder", "expected_digest": digest(&keeper) })).unwrap();
    for number in 0..3 {
        assert_eq!(fleet.text(number), None);
    }
    write(ONE, None).unwrap();
    assert_eq!(actions(&fleet.keeper(2)), ["put", "delete", "rollback", "rollback", "put", "put", "put"]);
    let texts: Vec<_> = revisions(&keeper, 9).into_iter().map(|entry| entry.body.is_some()).collect();
    assert_eq!(texts, [true, false, true, true, true, true, true]);
    assert_chain(&keeper);
}

pub(super) fn changes_from_outside_are_adopted(fleet: &Fleet) {
    let keeper = fleet.keeper(1);
    let (seen, known) = (digest(&keeper), actions(&keeper).len());
    fleet.change_outside(TWO);
    assert_eq!(fleet.text(2).as_deref(), Some(TWO));
    // Nobody has seen it, so nobody replaces it; it is on record from then on.
    let write = |expected: Option<String>| {
        fleet.ask(0, "write", json!({ "agent": "coder", "body": ONE, "expected_digest": expected }))
    };
    assert_eq!(code(&keeper, write(seen)), "soul_conflict");
    assert_eq!(actions(&keeper)[..actions(&keeper).len() - known], ["adopt"]);
    assert_eq!(revisions(&keeper, 1)[0].body.as_deref(), Some(TWO));
    write(digest(&keeper)).unwrap();
    assert_eq!(fleet.text(2).as_deref(), Some(ONE));
}
