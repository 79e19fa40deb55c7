use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use soul_engine::ops::{history, log, session, token};
use soul_engine::store::Role;
use soul_engine::tokens;

use super::*;

/// A writer may have to wait for the lock of another program, or for the disk.
#[test]
fn readers_do_not_wait_for_a_writer() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let made = run(&keeper, token::create::Request { role: Role::Viewer, grants: Vec::new(), name: None, agent: None })
        .unwrap();
    let seen = digest(&keeper);
    let other = Connection::open(home.store_file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(|| put(&keeper, TWO, seen.as_deref()).map(drop));
        thread::sleep(Duration::from_millis(200));
        let readers: Vec<_> = (0..12)
            .map(|_| {
                scope.spawn(|| {
                    let page = history::Request {
                        agent: coder(),
                        limit: Default::default(),
                        cursor: None,
                        bodies: true,
                        diffs: false,
                    };
                    assert_eq!(run(&keeper, page).unwrap().revisions.len(), 1);
                    assert!(!run(&keeper, log::Request::default()).unwrap().events.is_empty());
                    run(&keeper, session::list::Request::default()).unwrap();
                    assert!(tokens::authenticate(&keeper, &made.secret).unwrap().is_some());
                })
            })
            .collect();
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        assert!(!writer.is_finished(), "the readers were done while the writer waited");
        other.execute_batch("ROLLBACK").unwrap();
        writer.join().unwrap().unwrap();
    });
    // What is written is seen by the next who reads.
    assert_eq!(super::super::actions(&keeper), ["put", "put"]);
}
