//! Memory on a disk: an index that follows its files, and a model that orders results.

mod editors;
mod index;
mod rerank;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use soul_engine::Keeper;
use soul_engine::memory::{Memories, MemoryOf};
use soul_engine::ops::memory::search;
use soul_engine::workspace::Roots;

use super::run;

/// Writes a file that is old enough for its stamp to be believed; `age` tells versions apart.
fn put(root: &Path, file: &str, text: &str, age: u64) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    let modified = SystemTime::now() - Duration::from_secs(3600 + age);
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
}

fn keeper(home: &Path) -> Keeper {
    Keeper::open(Roots { workspace: None, home: Some(home.to_path_buf()), user: None }).unwrap()
}

fn request(root: &Path, query: &str) -> search::Request {
    search::Request {
        memory: Memories::Of(MemoryOf::Directory(root.to_path_buf())),
        query: query.to_owned(),
        limit: 10,
        since: None,
        topic: None,
        runtime: false,
        explain: false,
        collapse: false,
        enhanced: false,
        now: Some("2026-11-15".parse().unwrap()),
    }
}

fn find(home: &Path, root: &Path, query: &str) -> search::Response {
    run(&keeper(home), request(root, query)).unwrap()
}

fn files(response: &search::Response) -> Vec<&str> {
    response.results.iter().map(|found| found.file.as_str()).collect()
}
