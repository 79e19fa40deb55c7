//! Editors and keepers at random moments: every text that anybody ever saved is in the file or on record, unless
//! another editor replaced it.
//!
//! A short run unless `SOUL_LONG=1`.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::*;
use crate::{history, rolling_back, writing};

/// How long it runs.
fn duration() -> Duration {
    let long = std::env::var("SOUL_LONG").is_ok_and(|long| long == "1");
    Duration::from_secs(if long { 600 } else { 12 })
}

/// Numbers that nobody has chosen, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn pause(&mut self, below: Duration) {
        std::thread::sleep(Duration::from_nanos(self.next(below.as_nanos() as u64)));
    }
}

/// What editors have saved, and what they have replaced themselves.
#[derive(Default)]
struct Saved {
    texts: Vec<String>,
    replaced: BTreeSet<String>,
}

/// Saves texts until the time is over. Editors take turns, so that each knows what it replaces.
fn edit(path: &Path, saved: &Mutex<Saved>, tag: &str, until: Instant) {
    let mut random = Random(tag.bytes().map(u64::from).sum());
    let beside = path.parent().unwrap().parent().unwrap().join(format!("{tag}.swp"));
    for turn in 0.. {
        if Instant::now() > until {
            return;
        }
        random.pause(Duration::from_millis(30));
        let text = format!("---\nrole: Editor\n---\nSaved by {tag}, turn {turn}.\n");
        let mut saved = saved.lock().unwrap();
        let there = match random.next(2) {
            0 => {
                fs::write(&beside, &text).unwrap();
                exchange(&beside, path)
            }
            _ => {
                let there = fs::read_to_string(path).ok();
                fs::write(path, &text).unwrap();
                there
            }
        };
        saved.texts.push(text);
        saved.replaced.extend(there);
    }
}

/// Saves a file by a rename, and returns what it replaced.
fn exchange(new: &Path, path: &Path) -> Option<String> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, new, CWD, path, RenameFlags::EXCHANGE) {
        Ok(()) => {
            let there = fs::read_to_string(new).unwrap();
            fs::remove_file(new).unwrap();
            Some(there)
        }
        Err(_) => {
            // Nothing is there; someone may put something there before this, and that is not ours.
            let moved = renameat_with(CWD, new, CWD, path, RenameFlags::NOREPLACE);
            moved.map_or_else(|_| exchange(new, path), |()| None)
        }
    }
}

/// Writes, removes and rolls back until the time is over. Returns what was acknowledged.
fn author(home: &Home, tag: &str, until: Instant) -> Vec<String> {
    let keeper = home.keeper();
    let mut random = Random(7 + tag.bytes().map(u64::from).sum::<u64>());
    let mut acknowledged = Vec::new();
    for turn in 0.. {
        if Instant::now() > until {
            break;
        }
        let expected = super::super::look(&keeper).raw_digest.map(|digest| digest.to_string());
        let done = match random.next(6) {
            0 if expected.is_some() => remove(&keeper, expected.as_deref()).map(drop),
            1 => {
                let found = revisions(&keeper, 20);
                let found: Vec<_> = found.iter().filter(|entry| entry.body.is_some()).collect();
                let Some(entry) = found.get(random.next(20) as usize) else { continue };
                run(&keeper, rolling_back(entry.revision.sealed.id.as_str(), expected.as_deref())).map(drop)
            }
            _ => {
                let text = format!("---\nrole: Author\n---\nWritten by {tag}, turn {turn}.\n");
                let done = run(&keeper, writing(&text, expected.as_deref())).map(drop);
                if done.is_ok() {
                    acknowledged.push(text);
                }
                done
            }
        };
        if let Err(error) = done {
            let code = error.report(&keeper).code;
            // A text that is half saved need not be a soul.
            assert!(matches!(&*code, "soul_conflict" | "soul_missing" | "soul_invalid"), "{code}");
        }
        random.pause(Duration::from_millis(5));
    }
    acknowledged
}

/// Every text that was ever on record, and the one in the file.
fn known(home: &Home) -> BTreeSet<String> {
    let keeper = home.keeper();
    let mut texts: BTreeSet<String> = home.text().into_iter().collect();
    let mut cursor = None;
    loop {
        let limit = Limit::new(Limit::MAX);
        let request = history::Request { agent: super::super::coder(), limit, cursor, bodies: true, diffs: false };
        let page = run(&keeper, request).unwrap();
        texts.extend(page.revisions.into_iter().filter_map(|entry| entry.body));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return texts;
        }
    }
}

#[test]
fn no_text_that_anybody_saved_is_lost() {
    let home = Home::new();
    put(&home.keeper(), OLD, None).unwrap();
    let (saved, until) = (Mutex::new(Saved::default()), Instant::now() + duration());
    let path = home.soul();
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        for tag in ["emacs", "vi"] {
            let (path, saved) = (&path, &saved);
            scope.spawn(move || edit(path, saved, tag, until));
        }
        let home = &home;
        let authors: Vec<_> = ["ada", "bob"].map(|tag| scope.spawn(move || author(home, tag, until))).into();
        authors.into_iter().flat_map(|author| author.join().unwrap()).collect()
    });
    let Saved { texts, replaced } = saved.into_inner().unwrap();
    let known = known(&home);
    let lost: Vec<_> = texts.iter().filter(|text| !known.contains(*text) && !replaced.contains(*text)).collect();
    let checked = texts.iter().filter(|text| !replaced.contains(*text)).count();
    println!(
        "editors: {} texts, {checked} of them not replaced by an editor; {} writes",
        texts.len(),
        acknowledged.len()
    );
    assert!(checked > 20 && acknowledged.len() > 20, "too little happened");
    assert!(lost.is_empty(), "{} of {checked} lost: {lost:?}", lost.len());
    assert!(acknowledged.iter().all(|text| known.contains(text)), "an acknowledged text is lost");
    assert_chain(&home.keeper());
    assert!(home.listed().0.iter().all(|name| name == "SOUL.md"), "{:?}", home.listed());
}
