//! Any text is cut into sections that lie in it, any bytes are a segment or damaged, and a segment
//! with a changed byte never says anything that is not so.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soul_core::search::{Builder, Day, FileFacts, Options, Query, Searcher, Segment, merge, sections};

fn search(bytes: Vec<u8>, query: &str) -> Option<Vec<(u32, u64)>> {
    let segment = Segment::open(bytes).ok()?;
    let owners = (0..segment.files() as u32).map(Some).collect();
    let facts = vec![FileFacts::default(); segment.files()];
    let searcher = Searcher::new(vec![(segment, owners)], facts).ok()?;
    let hits = searcher.search(&Query::new(query), &Options::new(Day(0)), &|_| true).ok()?;
    for hit in &hits {
        searcher.record(hit).ok()?;
    }
    Some(hits.iter().map(|hit| (hit.place.1, hit.score.to_bits())).collect())
}

fuzz_target!(|bytes: &[u8]| {
    let _ = search(bytes.to_vec(), "a");
    let text = String::from_utf8_lossy(bytes);
    let found = sections(&text).sections;
    let mut end = 0;
    for section in &found {
        assert!(section.span.start >= end && text.get(section.span.clone()).is_some());
        assert!(section.span.contains(&section.body) || section.body == section.span.end);
        assert!(section.line <= section.end_line);
        end = section.span.end;
    }
    let mut builder = Builder::default();
    builder.add_file("fuzz", &found, &text);
    builder.add_file("again", &found, &text);
    let built = builder.finish();
    let query: String = text.chars().take(40).collect();
    let right = search(built.clone(), &query).expect("what was built can be searched");
    let segment = Segment::open(built.clone()).expect("what was built can be opened");
    assert_eq!(merge(&[(&segment, vec![true, true])]).expect("and merged"), built);
    if let [at, flip @ 1..=255, ..] = bytes {
        let mut wrong = built;
        let at = usize::from(*at) * wrong.len() / 256;
        wrong[at] ^= flip;
        if let Some(said) = search(wrong, &query) {
            assert_eq!(said, right);
        }
    }
});
