use std::fs;

use soul_core::search::{Day, Options, Query};

use super::*;

struct Fixture {
    root: tempfile::TempDir,
    opened: Opened,
}

impl Fixture {
    fn new() -> Self {
        let fixture = Self { root: tempfile::tempdir().unwrap(), opened: Opened::default() };
        fixture.put("MEMORY.md", "# Memory\n\n## Ports\n\nStaging is on 8443.\n");
        fixture.put("memory/2026-03-01.md", "# Day\n\n## Deploys\n\nOn Mondays.\n");
        fixture.put("memory/archive/old.md", "# Old\n\nWe used to deploy by hand.\n");
        fixture
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root.path().join("agent").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn memory(&self) -> Memory {
        Memory::open(&self.root.path().join("agent")).unwrap()
    }

    fn get(&self) -> Arc<Index> {
        self.opened.get(&self.memory(), Some(&self.root.path().join("home")), false, &|_| {}).unwrap()
    }

    /// The hits of an index, to the last bit.
    fn hits(index: &Index, query: &str) -> Vec<(String, u64, u64)> {
        let options = Options { now: Day::parse("2026-03-31").unwrap(), half_life_days: 30.0, limit: 10 };
        let hits = index.search(&Query::new(query), &options, &|_, _| true).unwrap();
        let hit = |hit| (index.path(hit).to_owned(), index.record(hit).unwrap().line, hit.score.to_bits());
        hits.iter().map(hit).collect()
    }

    /// What is open gives what an index gives that is made anew.
    #[track_caller]
    fn check(&self, step: &str) {
        let (opened, new) = (self.get(), Index::open(&self.memory(), None, false, &|_| {}).unwrap());
        for query in ["staging 8443", "deploy", "fresh note", "gone"] {
            assert_eq!(Self::hits(&opened, query), Self::hits(&new, query), "{step}: {query}");
        }
        assert_eq!(opened.files().collect::<Vec<_>>(), new.files().collect::<Vec<_>>(), "{step}");
    }
}

#[test]
fn every_change_is_seen_at_once() {
    let fixture = Fixture::new();
    // Searched often enough that the index is open and its folders are watched.
    let settle = || {
        std::thread::sleep(Duration::from_millis(110));
        (0..3).for_each(|_| fixture.check("settled"));
    };
    let agent = fixture.root.path().join("agent");
    let steps: [(&str, &dyn Fn()); 8] = [
        ("changed", &|| fixture.put("MEMORY.md", "# Memory\n\n## Ports\n\nStaging is on 9443.\n")),
        ("changed below", &|| fixture.put("memory/archive/old.md", "# Old\n\nA fresh note, long ago.\n")),
        ("added", &|| fixture.put("memory/topic-x.md", "# X\n\nA fresh note.\n")),
        ("added in a new folder", &|| fixture.put("memory/new/y.md", "# Y\n\nA fresh note in there.\n")),
        ("changed in the new folder", &|| fixture.put("memory/new/y.md", "# Y\n\nIt is gone from there.\n")),
        ("removed", &|| fs::remove_file(agent.join("memory/topic-x.md")).unwrap()),
        ("moved", &|| fs::rename(agent.join("memory/new/y.md"), agent.join("memory/y.md")).unwrap()),
        ("all removed", &|| fs::remove_dir_all(agent.join("memory")).unwrap()),
    ];
    for (step, change) in steps {
        settle();
        change();
        fixture.check(step);
        // Once more within the same tick of the clock, with the same size.
        fixture.put("MEMORY.md", "# Memory\n\n## Ports\n\nStaging is on 8448.\n");
        fixture.check(step);
    }
}

#[test]
fn an_index_stays_open_while_nothing_changes() {
    let fixture = Fixture::new();
    std::thread::sleep(Duration::from_millis(110));
    let first = fixture.get();
    for _ in 0..5 {
        assert!(Arc::ptr_eq(&first, &fixture.get()));
    }
    fixture.opened.forget(&fixture.memory());
    assert!(!Arc::ptr_eq(&first, &fixture.get()));
}

#[test]
fn few_indexes_are_open() {
    let fixture = Fixture::new();
    for number in 0..2 * MOST {
        let folder = fixture.root.path().join(format!("agent-{number}"));
        fs::create_dir_all(&folder).unwrap();
        fixture.opened.get(&Memory::open(&folder).unwrap(), None, false, &|_| {}).unwrap();
    }
    assert_eq!(fixture.opened.locked().len(), MOST);
}

#[test]
fn many_searchers_and_a_writer_agree() {
    let fixture = Fixture::new();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..200 {
                    fixture.get();
                }
            });
        }
        for round in 0..50 {
            fixture.put("memory/topic-x.md", &format!("# X\n\nA fresh note, {round}.\n"));
            fixture.check("while others search");
        }
    });
    fixture.check("afterwards");
}
