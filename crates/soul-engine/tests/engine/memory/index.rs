use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use soul_core::search::{Day, Options, Query};
use soul_engine::index::Index;
use soul_engine::workspace::Memory;

use super::{files, find, put};

const WORDS: [&str; 12] =
    ["alpha", "beta", "gamma", "deploy", "deploys", "snake_case", "東京", "東京都", "결제", "결제를", "v1.2", "the"];

const QUERIES: [&str; 6] =
    ["alpha", "deploying gamma", "東京の税", "결제", "the snakeCase v1.2", "beta 京都 alpha the"];

/// What can happen to a memory.
#[derive(Debug, Clone)]
enum Change {
    Write(u8, Vec<(u8, Vec<u8>)>),
    Touch(u8),
    Remove(u8),
    Search,
}

fn change() -> impl Strategy<Value = Change> {
    let words = prop::collection::vec(0..WORDS.len() as u8, 0..12);
    let sections = prop::collection::vec((0..WORDS.len() as u8, words), 0..5);
    prop_oneof![
        5 => (0..9u8, sections).prop_map(|(file, sections)| Change::Write(file, sections)),
        1 => (0..9u8).prop_map(Change::Touch),
        2 => (0..9u8).prop_map(Change::Remove),
        3 => Just(Change::Search),
    ]
}

fn name(file: u8) -> String {
    match file {
        0 => "MEMORY.md".into(),
        1..=4 => format!("memory/2026-11-0{file}.md"),
        5..=7 => format!("memory/topic-{file}.md"),
        _ => "memory/archive/old.md".into(),
    }
}

fn text(sections: &[(u8, Vec<u8>)]) -> String {
    let word = |word: &u8| WORDS[*word as usize];
    let section = |(heading, words): &(u8, Vec<u8>)| {
        format!("## {}\n\n{}\n\n", word(heading), words.iter().map(word).collect::<Vec<_>>().join(" "))
    };
    format!("# Notes\n\n{}", sections.iter().map(section).collect::<String>())
}

/// File, line and score to the bit.
type Answer = Vec<(String, u64, u64)>;

fn answers(root: &Path, home: Option<&Path>) -> Vec<Answer> {
    let memory = Memory::open(root).unwrap();
    let index = Index::open(&memory, home, false, &|_| {}).unwrap();
    let options = Options { limit: 50, ..Options::new(Day::parse("2026-11-15").unwrap()) };
    let answer = |query: &&str| {
        let hits = index.search(&Query::new(query), &options, &|_, _| true).unwrap();
        let row = |hit| (index.path(hit).to_owned(), index.record(hit).unwrap().line, hit.score.to_bits());
        hits.iter().map(row).collect()
    };
    QUERIES.iter().map(answer).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn after_any_changes_it_answers_as_one_built_just_now(changes in prop::collection::vec(change(), 1..40)) {
        let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (age, change) in changes.iter().enumerate() {
            match change {
                Change::Write(file, sections) => put(root.path(), &name(*file), &text(sections), age as u64),
                Change::Touch(file) => {
                    if let Ok(text) = fs::read_to_string(root.path().join(name(*file))) {
                        put(root.path(), &name(*file), &text, 7 * age as u64);
                    }
                }
                Change::Remove(file) => drop(fs::remove_file(root.path().join(name(*file)))),
                Change::Search => prop_assert_eq!(answers(root.path(), Some(home.path())), answers(root.path(), None)),
            }
        }
        prop_assert_eq!(answers(root.path(), Some(home.path())), answers(root.path(), None));
    }
}

fn cached(home: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(home.join("cache/memory")).unwrap().next().unwrap().unwrap().path();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn many(root: &Path) {
    for file in 0..40 {
        let sections: String = (0..10).map(|n| format!("## Part {n}\n\nword{n} common{file} 東京{n}\n\n")).collect();
        put(root, &format!("memory/topic-{file:02}.md"), &sections, file);
    }
}

#[test]
fn a_damaged_index_mends_itself() {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    many(root.path());
    let expected = answers(root.path(), None);
    assert_eq!(answers(root.path(), Some(home.path())), expected);
    let whole: Vec<_> = cached(home.path()).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    let folder = whole[0].0.parent().unwrap();
    let with = |path: &Path, damaged: Option<&[u8]>| {
        fs::remove_dir_all(folder).unwrap();
        fs::create_dir(folder).unwrap();
        whole.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
        match damaged {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        let found = find(home.path(), root.path(), "word3 common7");
        assert_eq!(files(&found)[0], "memory/topic-07.md", "{}", path.display());
        assert_eq!(found.warnings, [""; 0]);
        // The next caller finds it repaired, or whole where the damage was not met.
        assert_eq!(find(home.path(), root.path(), "word3 common7").results, found.results);
    };
    for (path, bytes) in &whole {
        for at in (0..bytes.len()).step_by((bytes.len() / 12).max(1)) {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x55;
            with(path, Some(&wrong));
        }
        with(path, Some(&bytes[..bytes.len() / 2]));
        with(path, Some(b""));
        with(path, None);
        assert_eq!(answers(root.path(), Some(home.path())), expected);
    }
}

#[test]
fn a_changed_file_becomes_a_small_segment_and_many_of_them_one() {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // So few files are read by one thread, which makes one segment.
    for file in 0..15 {
        let sections: String = (0..30).map(|n| format!("## Part {n}\n\nword{n} common{file}\n\n")).collect();
        put(root.path(), &format!("memory/topic-{file:02}.md"), &sections, file);
    }
    let segments =
        || cached(home.path()).iter().filter(|path| path.extension().is_some_and(|one| one == "seg")).count();
    answers(root.path(), Some(home.path()));
    assert_eq!(segments(), 1);
    put(root.path(), "memory/topic-00.md", "## New\n\nzebra\n", 500);
    assert_eq!(files(&find(home.path(), root.path(), "zebra")), ["memory/topic-00.md"]);
    assert_eq!(segments(), 2);
    for file in 0..12 {
        put(root.path(), &format!("memory/topic-{file:02}.md"), "## New\n\nyak\n", 600 + file);
        assert_eq!(files(&find(home.path(), root.path(), "yak")).len(), (file as usize + 1).min(10));
    }
    assert!(segments() < 12);
    assert_eq!(answers(root.path(), Some(home.path())), answers(root.path(), None));
}

#[test]
fn many_at_once_see_whole_answers() {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    many(root.path());
    std::thread::scope(|scope| {
        for reader in 0..6 {
            let (root, home) = (root.path(), home.path());
            scope.spawn(move || {
                for round in 0..12 {
                    if reader < 2 {
                        put(
                            root,
                            &format!("memory/2026-10-0{}.md", reader + 1),
                            &format!("## R\n\nround{round}\n"),
                            round,
                        );
                    }
                    assert_eq!(files(&find(home, root, "word3 common7"))[0], "memory/topic-07.md");
                }
            });
        }
    });
    assert_eq!(answers(root.path(), Some(home.path())), answers(root.path(), None));
}

#[cfg(unix)]
#[test]
fn nothing_outside_is_read_and_nothing_stays_inside() {
    use std::os::unix::fs::symlink;
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "# S\n\nhunter2\n").unwrap();
    put(root.path(), "memory/topic-a.md", "# A\n\nalpha\n", 0);
    symlink(outside.path().join("secret.md"), root.path().join("memory/link.md")).unwrap();
    symlink(outside.path(), root.path().join("memory/folder")).unwrap();
    symlink(outside.path().join("secret.md"), root.path().join("MEMORY.md")).unwrap();
    fs::create_dir(root.path().join("memory/x.md")).unwrap();
    let found = find(home.path(), root.path(), "hunter2 alpha");
    assert_eq!(files(&found), ["memory/topic-a.md"]);
    assert_eq!(found.warnings, ["not searched: MEMORY.md, memory/link.md"]);
    let names: Vec<_> = fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2);
    // The folder of the memory itself may be a link, too; then there is none.
    let other = tempfile::tempdir().unwrap();
    symlink(outside.path(), other.path().join("memory")).unwrap();
    assert_eq!(files(&find(home.path(), other.path(), "hunter2")), [""; 0]);
}

#[test]
fn every_text_is_a_query() {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    put(root.path(), "memory/topic-a.md", "# A\n\nconstructor of C++\n", 0);
    for query in ["constructor", "C++", "__proto__ constructor", "\u{0}constructor", "' OR 1=1; DROP constructor --"] {
        assert_eq!(files(&find(home.path(), root.path(), query)), ["memory/topic-a.md"], "{query}");
    }
    for query in ["", " ", "__proto__", "(.*)+$", "\"", "%", "\u{202e}\u{200b}", "\u{10ffff}", "🦀"] {
        assert_eq!(files(&find(home.path(), root.path(), query)), [""; 0], "{query}");
    }
    let long = format!("constructor {}", "x1 ".repeat(350_000));
    assert_eq!(files(&find(home.path(), root.path(), &long)), ["memory/topic-a.md"]);
}

#[test]
fn without_a_place_to_write_it_still_answers() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "memory/topic-a.md", "# A\n\nalpha\n", 0);
    // A file where the home should be: nothing can be made below it.
    let home = root.path().join("memory/topic-a.md");
    let found = find(&home.join("home"), root.path(), "alpha");
    assert_eq!(files(&found), ["memory/topic-a.md"]);
    assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
}
