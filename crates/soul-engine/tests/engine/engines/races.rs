use std::collections::BTreeSet;
use std::sync::Barrier;

use serde_json::json;

use super::*;
use crate::{digest, revisions};

const THREADS: usize = 8;

/// Runs it in many threads, each with a keeper of its own, that begin together.
pub(super) fn at_once<T: Send>(fleet: &Fleet, work: impl Fn(usize, &Keeper) -> T + Sync) -> Vec<T> {
    let (begin, work) = (Barrier::new(THREADS), &work);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                let begin = &begin;
                scope.spawn(move || {
                    let keeper = fleet.keeper(number);
                    begin.wait();
                    work(number, &keeper)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

pub(super) fn of_many_changes_to_one_text_one_is_made(fleet: &Fleet) {
    for round in 0..4 {
        let (seen, known) = (digest(&fleet.keeper(0)), revisions(&fleet.keeper(0), 1000).len());
        let made = at_once(fleet, |number, keeper| {
            let body = format!("---\nrole: Racer\n---\nThread {number} in round {round}.\n");
            let request = json!({ "agent": "coder", "body": body, "expected_digest": seen });
            match send(keeper, &tester(), "write", &request) {
                Ok(_) => Some(body),
                Err(error) => {
                    assert_eq!(error.report(keeper).code, "soul_conflict");
                    None
                }
            }
        });
        let made: Vec<_> = made.into_iter().flatten().collect();
        let [winner] = &made[..] else { panic!("{} of {THREADS} were made", made.len()) };
        assert_eq!(fleet.text(round).as_ref(), Some(winner));
        assert_eq!(revisions(&fleet.keeper(1), 1000).len(), known + 1);
    }
}

/// Everybody adds lines to what the others have written.
pub(super) fn no_update_is_lost(fleet: &Fleet) {
    const LINES: usize = 4;
    let added = at_once(fleet, |number, keeper| {
        (0..LINES)
            .map(|line| {
                let line = format!("Line {line} of thread {number}.");
                loop {
                    let shown = send(keeper, &tester(), "show", &json!({ "agent": "coder" })).unwrap();
                    let body = format!("{}{line}\n", shown["text"].as_str().unwrap());
                    let request = json!({ "agent": "coder", "body": body, "expected_digest": shown["raw_digest"] });
                    match send(keeper, &tester(), "write", &request) {
                        Ok(_) => break line,
                        Err(error) => assert_eq!(error.report(keeper).code, "soul_conflict"),
                    }
                }
            })
            .collect::<Vec<_>>()
    });
    let added: BTreeSet<_> = added.into_iter().flatten().collect();
    for number in 0..fleet.homes.len() {
        let text = fleet.text(number).unwrap();
        let found: Vec<_> = text.lines().filter(|line| line.starts_with("Line ")).collect();
        assert_eq!(found.len(), THREADS * LINES);
        assert_eq!(found.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), added);
    }
    assert_chain(&fleet.keeper(0));
}
