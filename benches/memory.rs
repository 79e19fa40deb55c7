//! Searching a memory of 50 000 sections, beside SQLite's FTS5 with trigrams.
//!
//! The tree is made here. `SOUL_MEMORY_TREE` names another, with a `queries.txt` of one query a
//! line, perhaps behind a tab.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rusqlite::Connection;
use soul_core::search::{Day, Options, Query, sections};
use soul_engine::index::Index;
use soul_engine::workspace::Memory;

const FILES: usize = 3000;
const SECTIONS: usize = 50_000;

/// A stream of numbers that is the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }

    /// A word: a few are everywhere, most are rare.
    fn word(&mut self) -> String {
        const LATIN: [&str; 12] = ["ka", "ri", "to", "me", "no", "su", "vel", "dor", "an", "pix", "lor", "zen"];
        const HANGUL: [&str; 8] = ["배포", "결제", "서버", "색인", "인증", "오류", "일정", "정책"];
        const HAN: [&str; 8] = ["本番", "環境", "検索", "監視", "認証", "翻訳", "設計", "請求"];
        let draw = self.below(1000);
        let rank = draw * draw * draw / 200_000;
        match self.below(4) {
            0 => format!("{}{}", HANGUL[rank % 8], HANGUL[rank / 8 % 8]),
            1 => format!("{}{}", HAN[rank % 8], HAN[rank / 8 % 8]),
            _ => format!("{}{}{}", LATIN[rank % 12], LATIN[rank / 12 % 12], LATIN[rank / 144 % 12]),
        }
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// The tree, and queries that ask it something.
fn tree(root: &Path) -> (PathBuf, Vec<String>) {
    if let Some(tree) = std::env::var_os("SOUL_MEMORY_TREE").map(PathBuf::from) {
        let text = fs::read_to_string(tree.join("queries.txt")).unwrap();
        let queries = text.lines().map(|line| line.rsplit('\t').next().unwrap_or(line).to_owned()).collect();
        return (tree, queries);
    }
    let mut numbers = Numbers(7);
    fs::create_dir_all(root.join("memory")).unwrap();
    let old = SystemTime::now() - Duration::from_secs(3600);
    for file in 0..FILES {
        let mut text = format!("# Notes {file}\n\n");
        for _ in file * SECTIONS / FILES..(file + 1) * SECTIONS / FILES {
            let _ = writeln!(text, "## {}\n", numbers.words(3));
            for _ in 0..6 {
                let _ = writeln!(text, "- {}.", numbers.words(10));
            }
            text.push('\n');
        }
        let path = root.join(format!("memory/topic-{file:04}.md"));
        fs::write(&path, text).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    }
    (root.to_path_buf(), (0..40).map(|_| numbers.words(3)).collect())
}

fn benches(criterion: &mut Criterion) {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (root, queries) = tree(root.path());
    let memory = Memory::open(&root).unwrap();
    let open = |home: &Path| Index::open(&memory, Some(home), false, &|_| {}).unwrap();
    let options = Options::new(Day::parse("2026-11-15").unwrap());
    let mut group = criterion.benchmark_group("memory of 50 000 sections");
    group.sample_size(10);
    group.bench_function("first index", |bench| {
        bench.iter_batched(|| tempfile::tempdir().unwrap(), |home| open(home.path()).living(), BatchSize::PerIteration);
    });
    let index = open(home.path());
    group.sample_size(40);
    let mut turn = queries.iter().cycle();
    group.bench_function("search, in process", |bench| {
        bench.iter(|| index.search(&Query::new(turn.next().unwrap()), &options, &|_, _| true).unwrap().len());
    });
    group.bench_function("open: list the files, load the index", |bench| bench.iter(|| open(home.path()).living()));
    let file = memory.look().unwrap().files.into_keys().next_back().unwrap();
    let text = fs::read_to_string(root.join(&file)).unwrap();
    let mut round = 0;
    group.bench_function("open after one file changed", |bench| {
        bench.iter_batched(
            || {
                round += 1;
                fs::write(root.join(&file), format!("{text}\nround {round}\n")).unwrap();
            },
            |()| open(home.path()).living(),
            BatchSize::PerIteration,
        );
    });
    fs::write(root.join(&file), &text).unwrap();
    let sqlite = sqlite(&memory);
    let mut turn = queries.iter().cycle();
    group.bench_function("search, FTS5 trigram", |bench| {
        let sql = "SELECT rowid FROM sections WHERE sections MATCH ?1 ORDER BY rank LIMIT 10";
        let mut statement = sqlite.prepare(sql).unwrap();
        bench.iter(|| {
            let rows = statement.query_map([trigrams(turn.next().unwrap())], |row| row.get::<_, i64>(0)).unwrap();
            rows.count()
        });
    });
    group.finish();
}

fn trigrams(query: &str) -> String {
    let quoted = |chars: &[char]| format!("\"{}\"", chars.iter().collect::<String>());
    let of_word = |word: &str| word.chars().collect::<Vec<_>>().windows(3).map(quoted).collect::<Vec<_>>();
    query.split_whitespace().flat_map(of_word).collect::<Vec<_>>().join(" OR ")
}

fn sqlite(memory: &Memory) -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE VIRTUAL TABLE sections USING fts5(text, tokenize='trigram')").unwrap();
    let transaction = connection.transaction().unwrap();
    for file in memory.look().unwrap().files.into_keys() {
        let text = String::from_utf8(memory.read(&file).unwrap()).unwrap();
        for section in sections(&text).sections {
            transaction.execute("INSERT INTO sections VALUES (?1)", [&text[section.span]]).unwrap();
        }
    }
    transaction.commit().unwrap();
    connection
}

criterion_group!(all, benches);
criterion_main!(all);
