//! `kill -9` under load: whatever was acknowledged is there when the service comes back.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Random, Service};
use crate::processes::times;

const WRITERS: usize = 4;

/// What one writer was told before the service was gone.
#[derive(Default)]
struct Acknowledged {
    revisions: Vec<String>,
    last: Value,
}

fn path(writer: usize) -> String {
    format!("/api/agents/writer-{writer}/soul")
}

/// Writes one text after the other until nobody answers.
fn write(service: &Service, writer: usize, round: usize, mut seen: Value) -> Acknowledged {
    let mut told = Acknowledged { last: seen.clone(), ..Acknowledged::default() };
    for number in 0.. {
        let body = json!({
            "body": format!("You are writer {writer}, in round {round}, for the time {number}.\n"),
            "expected_digest": seen,
            "create": true,
        });
        let Some((status, answer)) = service.ask("PUT", &path(writer), &body) else { break };
        assert_eq!(status, 200, "{answer}");
        told.revisions.push(answer["revision"]["id"].as_str().unwrap().to_owned());
        seen = answer["soul"]["digest"].clone();
        told.last = seen.clone();
    }
    told
}

/// Every revision that is on record.
fn revisions(service: &Service, writer: usize) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let mut page = format!("{}/history?limit=1000", path(writer));
    loop {
        let history = service.ask("GET", &page, &Value::Null).unwrap().1;
        let rows = history["revisions"].as_array().unwrap();
        known.extend(rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()));
        let Some(cursor) = history["next_cursor"].as_str() else { return known };
        page = format!("{}/history?limit=1000&cursor={cursor}", path(writer));
    }
}

#[test]
fn a_service_that_is_killed_loses_nothing_that_it_acknowledged() {
    let home = tempfile::tempdir().unwrap();
    let mut random = Random(11);
    let mut kept = vec![Vec::new(); WRITERS];
    let kills = times(100);
    let mut service = Service::start(home.path());
    let mut digests = vec![Value::Null; WRITERS];
    for round in 0..kills {
        let told: Vec<Acknowledged> = std::thread::scope(|scope| {
            let (service, digests) = (&service, &digests);
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| scope.spawn(move || write(service, writer, round, digests[writer].clone())))
                .collect();
            std::thread::sleep(Duration::from_millis(20 + random.next() % 150));
            // The kill that nothing can catch or put off.
            let killed = std::process::Command::new("kill").args(["-9", &service.process.id().to_string()]).status();
            assert!(killed.unwrap().success());
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        service.kill();
        service = Service::start(home.path());
        for (writer, told) in told.into_iter().enumerate() {
            let soul = service.ask("GET", &path(writer), &Value::Null).unwrap().1;
            let history = service.ask("GET", &format!("{}/history?limit=2", path(writer)), &Value::Null).unwrap().1;
            let rows = history["revisions"].as_array().cloned().unwrap_or_default();
            if let Some(newest) = rows.first() {
                assert_eq!(newest["raw_digest"], soul["raw_digest"], "the record ends with what is in the file");
                // The file is what was acknowledged last, or what was under way.
                let is_last = rows.iter().any(|row| row["new_digest"] == told.last);
                assert!(told.last.is_null() || is_last, "{} is lost", told.last);
            }
            kept[writer].extend(told.revisions);
            digests[writer] = soul["digest"].clone();
        }
    }
    let audit = service.ask("GET", "/api/audit/verify", &Value::Null).unwrap().1;
    assert_eq!(audit["ok"], true, "{audit}");
    for (writer, acknowledged) in kept.iter().enumerate() {
        let known = revisions(&service, writer);
        let lost: Vec<_> = acknowledged.iter().filter(|revision| !known.contains(*revision)).collect();
        assert!(lost.is_empty(), "{lost:?}");
        let folder = home.path().join(format!("agents/writer-{writer}"));
        let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(files, ["SOUL.md"]);
    }
    let acknowledged: usize = kept.iter().map(Vec::len).sum();
    assert!(acknowledged > kills, "{acknowledged} writes in {kills} rounds");
    println!("service: killed {kills} times under {WRITERS} writers, {acknowledged} writes acknowledged, none lost");
}
