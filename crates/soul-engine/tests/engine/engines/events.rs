//! Readers that go on after the last number that they have seen miss nothing and see nothing twice, in whatever order
//! transactions end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use super::*;

const WRITERS: usize = 6;
const HELD: usize = 4;
const READERS: usize = 3;

/// Reads until the writers are done and nothing more comes. Returns numbers and what the events are about.
fn follow(keeper: &Keeper, are_done: &AtomicBool, limit: usize) -> Vec<(i64, String)> {
    let (mut after, mut seen) = (0, Vec::new());
    loop {
        let is_last = are_done.load(Ordering::SeqCst);
        let page = send(keeper, &tester(), "log", &json!({ "after": after, "limit": limit })).unwrap();
        for event in page["events"].as_array().unwrap() {
            after = event["seq"].as_i64().unwrap();
            seen.push((after, event.to_string()));
        }
        if is_last && page["events"].as_array().unwrap().is_empty() {
            return seen;
        }
    }
}

#[test]
fn readers_miss_no_event_and_see_none_twice() {
    let fleet = Fleet::new(Engine::PostgresAlone);
    let each = if std::env::var("SOUL_LONG").is_ok_and(|long| long == "1") { 250 } else { 25 };
    let are_done = AtomicBool::new(false);
    let seen: Vec<_> = std::thread::scope(|scope| {
        let (fleet, are_done) = (&fleet, &are_done);
        let readers: Vec<_> = (0..READERS)
            .map(|number| scope.spawn(move || follow(&fleet.keeper(number), are_done, [1, 7, 1000][number])))
            .collect();
        // Those who begin first, and commit long after others that began later.
        let held: Vec<_> = (0..HELD)
            .map(|number| {
                scope.spawn(move || {
                    let mut random = number as u64;
                    for round in 0..each / 5 {
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let pause = (random >> 33) as f64 / f64::from(1_u32 << 31) * 0.08;
                        let event = |part: &str| {
                            format!(
                                "INSERT INTO events (time, kind, actor_kind, actor_ref, origin_kind, origin_ref, agent) \
                                 VALUES ('2026-11-16T09:56:59.000000Z', 'soul.adopt', 'user', 'held', 'test', 'raw', \
                                 'held-{number}-{round}-{part}')"
                            )
                        };
                        let end = if round % 4 == 3 { "ROLLBACK" } else { "COMMIT" };
                        let held = format!(
                            "BEGIN; {}; SELECT pg_sleep({pause}); {}; {end}",
                            event("first"),
                            event("second")
                        );
                        Server::shared().psql(&fleet.database, &held);
                    }
                })
            })
            .collect();
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| {
                scope.spawn(move || {
                    let keeper = fleet.keeper(number);
                    for round in 0..each {
                        let payload = format!("{number}-{round}");
                        send(&keeper, &tester(), "task.add", &json!({ "payload": payload })).unwrap();
                    }
                })
            })
            .collect();
        held.into_iter().chain(writers).for_each(|thread| thread.join().unwrap());
        std::thread::sleep(Duration::from_millis(20));
        are_done.store(true, Ordering::SeqCst);
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    let stored: usize = Server::shared().psql(&fleet.database, "SELECT COUNT(*) FROM events").trim().parse().unwrap();
    for seen in &seen {
        let numbers: Vec<_> = seen.iter().map(|(seq, _)| *seq).collect();
        assert_eq!(numbers, (1..=i64::try_from(stored).unwrap()).collect::<Vec<_>>(), "a number is missing or twice");
    }
    assert!(seen.iter().all(|other| *other == seen[0]), "an event has two numbers");
    println!("events: {stored} read by {READERS} readers in one order");
}
