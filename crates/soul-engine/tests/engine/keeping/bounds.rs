use serde_json::{Value, json};
use soul_engine::fields::{Cursor, Limit};
use soul_engine::ops::{history, task};

use super::super::{send, tester};
use super::*;

/// Pages are bounded in bytes, whatever their limit is, and together they hold everything once.
#[test]
fn a_page_is_bounded_in_bytes() {
    let home = Home::new();
    let text = |n: usize| format!("# {n}\n{}", "word word\n".repeat(90_000));
    fs::write(home.0.path().join("config.toml"), "[agents.soul]\nmax_body_bytes = 1000000\n").unwrap();
    let keeper = home.keeper();
    for n in 0..12 {
        put(&keeper, &text(n), digest(&keeper).as_deref()).unwrap();
    }
    let (mut cursor, mut pages, mut seen): (Option<Cursor>, usize, Vec<i64>) = (None, 0, Vec::new());
    loop {
        let limit = Limit::new(Limit::MAX);
        let request = history::Request { agent: coder(), limit, cursor, bodies: true, diffs: true };
        let page = run(&keeper, request).unwrap();
        let bytes: usize = page.revisions.iter().map(|entry| entry.body.as_ref().unwrap().len()).sum();
        assert!(bytes < 9 << 20, "{bytes}");
        // The first on the next page is compared with, though it is not on this one.
        assert!(
            page.revisions
                .iter()
                .all(|entry| entry.diff.as_ref().unwrap().len() < 1000 || entry.revision.sealed.seq == 1)
        );
        seen.extend(page.revisions.iter().map(|entry| entry.revision.sealed.seq));
        pages += 1;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((pages, seen), (2, (1..=12).rev().collect()));
    assert!(verified(&keeper).unwrap().ok);

    for n in 0..50 {
        run(&keeper, task::add::Request { agent: None, payload: json!([n, "x".repeat(200 << 10)]) }).unwrap();
    }
    let (mut cursor, mut pages, mut seen): (Option<Cursor>, usize, Vec<u64>) = (None, 0, Vec::new());
    loop {
        let request = task::list::Request { state: None, limit: Limit::new(Limit::MAX), cursor };
        let page = run(&keeper, request).unwrap();
        seen.extend(page.tasks.iter().map(|task| task.payload[0].as_u64().unwrap()));
        pages += 1;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((pages, seen), (2, (0..50).collect()));
}

#[test]
fn what_is_too_large_is_refused() {
    let home = Home::new();
    let keeper = home.keeper();
    let payloads =
        [json!("x".repeat(256 << 10)), Value::Array(vec![json!(0); 100_000]), json!({ "x".repeat(300_000): 0 })];
    for payload in payloads {
        assert_eq!(code(run(&keeper, task::add::Request { agent: None, payload })), Some("bad_request"));
    }
    let write = |key: usize| json!({ "agent": "coder", "body": ONE, "idempotency_key": "k".repeat(key) });
    let refused = send(&keeper, &tester(), "write", &write(257)).unwrap_err();
    assert_eq!(refused.fault().code, "bad_request");
    assert!(refused.to_string().contains("longer than 256 bytes"), "{refused}");
    send(&keeper, &tester(), "write", &write(256)).unwrap();
    let renew = json!({ "run_id": "run_1", "lease_seconds": u64::MAX });
    assert_eq!(send(&keeper, &tester(), "task.renew", &renew).unwrap_err().fault().code, "bad_request");
}
