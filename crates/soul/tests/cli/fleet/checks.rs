use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::Fleet;
use super::clients::{AGENTS, Told, soul};

/// The revisions of an agent by number, with their ids and texts.
fn history(fleet: &Fleet, keeper: usize, agent: usize) -> BTreeMap<i64, (String, String)> {
    let (mut found, mut cursor) = (BTreeMap::new(), String::new());
    loop {
        let path = format!("{}/history?bodies=true&limit=1000{cursor}", soul(agent));
        let page = fleet.insist(keeper, "GET", &path, &Value::Null);
        for row in page["revisions"].as_array().unwrap() {
            let text = |key: &str| row[key].as_str().unwrap_or_else(|| panic!("{row}")).to_owned();
            found.insert(row["seq"].as_i64().unwrap(), (text("id"), text("body")));
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

/// Every acknowledged revision is there with its text, and each adds to the one before it.
pub(super) fn nothing_is_lost(fleet: &Fleet, told: &[Told]) {
    for agent in 0..AGENTS {
        let history = history(fleet, agent, agent);
        let numbers: Vec<_> = history.keys().copied().collect();
        assert_eq!(numbers, (1..=history.len() as i64).collect::<Vec<_>>());
        let texts: Vec<_> = history.values().map(|(_, text)| text).collect();
        for pair in texts.windows(2) {
            let added = pair[1].strip_prefix(pair[0].as_str()).expect("a text is not the one before with a line more");
            assert_eq!(added.lines().count(), 1, "{added}");
        }
        let by_id: BTreeMap<_, _> = history.values().map(|(id, text)| (id, text)).collect();
        for (_, id, line) in told.iter().flat_map(|told| &told.written).filter(|(of, ..)| *of == agent) {
            let text = by_id.get(id).unwrap_or_else(|| panic!("{id} was acknowledged and is lost"));
            assert!(text.ends_with(&format!("{line}\n")), "{id} has another text");
        }
        // Every keeper has the text that is on record last.
        for keeper in 0..fleet.keepers.len() {
            let shown = fleet.insist(keeper, "GET", &format!("{}/text", soul(agent)), &Value::Null);
            assert_eq!(shown["text"].as_str(), texts.last().map(|text| text.as_str()), "keeper {keeper}");
        }
        let acknowledged = told.iter().flat_map(|told| &told.written).filter(|(of, ..)| *of == agent).count();
        let unknown: BTreeSet<_> =
            told.iter().flat_map(|told| &told.unknown).filter(|(of, _)| *of == agent).map(|(_, line)| line).collect();
        let lines: Vec<_> = texts[texts.len() - 1].lines().skip(1).collect();
        let found = lines.iter().filter(|line| unknown.contains(&(**line).to_owned())).count();
        assert_eq!(lines.len(), acknowledged + found, "a line is there that nobody has written, or twice");
    }
}

/// No task was claimed twice, and whatever was claimed with an answer is done.
pub(super) fn tasks_are_done_once(fleet: &Fleet, told: &[Told], tasks: usize) {
    let claims: Vec<_> = told.iter().flat_map(|told| &told.claimed).collect();
    let claimed: BTreeSet<_> = claims.iter().map(|(_, task)| task).collect();
    assert_eq!(claimed.len(), claims.len(), "a task was claimed twice");
    let count = |query: &str| -> usize { fleet.psql(query).trim().parse().unwrap() };
    let twice = "SELECT COUNT(*) FROM (SELECT task_id FROM task_runs GROUP BY task_id HAVING COUNT(*) > 1) AS twice";
    assert_eq!(count(twice), 0, "a task has two runs");
    assert_eq!(count("SELECT COUNT(*) FROM tasks WHERE state = 'queued'"), 0);
    let done = count("SELECT COUNT(*) FROM task_runs WHERE state = 'done'");
    assert_eq!(done, told.iter().map(|told| told.finished.len()).sum::<usize>());
    // Where the answer was lost nobody knows of the claim, and its lease ends it.
    let lost = told.iter().map(|told| told.lost_claims).sum::<usize>();
    assert!(done <= tasks && tasks - done <= lost, "{done} of {tasks} done, {lost} claims without an answer");
    let finishes = count(
        "SELECT COUNT(*) FROM (SELECT run_id FROM events WHERE kind = 'task.finish' OR kind = 'run.finish' \
                          GROUP BY run_id HAVING COUNT(*) > 1) AS twice",
    );
    assert_eq!(finishes, 0, "a run was finished twice");
}

/// The chain verifies, as a person at a terminal sees it.
pub(super) fn the_record_is_whole(fleet: &Fleet) {
    let events = fleet.psql("SELECT COUNT(*), COUNT(DISTINCT seq), MAX(seq) FROM events WHERE seq IS NOT NULL");
    let numbers: Vec<&str> = events.trim().split('|').collect();
    assert!(numbers.iter().all(|number| *number == numbers[0]), "{events}");
    for keeper in &fleet.keepers {
        let audit = Command::new(env!("CARGO_BIN_EXE_soul"))
            .args(["audit", "verify"])
            .env("SOUL_HOME", keeper.home.path())
            .env("HOME", keeper.home.path())
            .current_dir(keeper.home.path())
            .output()
            .unwrap();
        assert!(audit.status.success(), "{audit:?}");
    }
}

/// Counts and times.
pub(super) fn print(told: &[Told]) {
    let sum = |of: &dyn Fn(&Told) -> usize| told.iter().map(of).sum::<usize>();
    let mut unavailable: BTreeMap<&str, usize> = BTreeMap::new();
    for (code, count) in told.iter().flat_map(|told| &told.unavailable) {
        *unavailable.entry(code).or_default() += count;
    }
    // The code of an operation that panicked.
    assert!(!unavailable.contains_key("unavailable"), "{unavailable:?}");
    let figures = json!({
        "written": sum(&|told| told.written.len()),
        "unknown": sum(&|told| told.unknown.len()),
        "conflicts": sum(&|told| told.conflicts),
        "claimed": sum(&|told| told.claimed.len()),
        "claims without an answer": sum(&|told| told.lost_claims),
        "503": unavailable,
        "not connected": sum(&|told| told.refused),
        "connections lost": sum(&|told| told.gone),
    });
    println!("fleet: {figures}");
    for name in ["write", "claim", "read"] {
        let of = |told: &'_ Told| match name {
            "write" => told.writes.clone(),
            "claim" => told.claims.clone(),
            _ => told.reads.clone(),
        };
        let mut times: Vec<Duration> = told.iter().flat_map(of).collect();
        times.sort_unstable();
        let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
        let [half, most] = [50, 99].map(|part| at(part).copied().unwrap_or_default());
        println!("fleet: {name}: {} done, p50 {half:.1?}, p99 {most:.1?}", times.len());
    }
}
