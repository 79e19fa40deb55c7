use std::sync::Arc;

use serde_json::json;
use soul_core::digest::RawDigest;
use soul_engine::{Failpoint, Step};

use super::*;
use crate::{digest, last};

/// A change stops after each of its steps, by an error and by the end of the process; the next keeper, wherever it
/// is, ends it or takes it back, and goes on.
pub(super) fn any_keeper_ends_what_another_has_begun(fleet: &Fleet) {
    for (number, step) in Step::ALL.into_iter().enumerate() {
        let before = fleet.text(number).unwrap();
        let body = format!("---\nrole: Failing\n---\nStopped at step {number}.\n");
        let failpoint: Failpoint =
            Arc::new(move |at| if at == step { Err(std::io::Error::other("injected")) } else { Ok(()) });
        let keeper = fleet.keeper(number).with_failpoint(failpoint);
        let request = json!({ "agent": "coder", "body": body, "expected_digest": digest(&keeper) });
        let failed = send(&keeper, &tester(), "write", &request).unwrap_err();
        assert!(failed.to_string().contains("injected"), "{step:?}: {failed}");
        check(fleet, number, step, &before, &body);

        let before = fleet.text(number).unwrap();
        crate::failpoints::die_at(&fleet.homes[number % fleet.homes.len()], step);
        check(fleet, number, step, &before, crate::failpoints::NEW);
    }
}

fn check(fleet: &Fleet, number: usize, step: Step, before: &str, after: &str) {
    let is_made = matches!(step, Step::Replaced | Step::Synced | Step::Settled);
    let next = fleet.keeper(number + 1);
    let text = fleet.text(number + 1).unwrap();
    assert_eq!(text, if is_made { after } else { before }, "{step:?}");
    assert_eq!(last(&next).sealed.raw_digest, Some(RawDigest::of(text.as_bytes())), "{step:?}");
    let body = format!("---\nrole: Next\n---\nAfter step {number}, {is_made}, {}.\n", text.len());
    let request = json!({ "agent": "coder", "body": body, "expected_digest": digest(&next) });
    send(&next, &tester(), "write", &request).unwrap();
    assert_eq!(fleet.text(number + 2), Some(body));
}
