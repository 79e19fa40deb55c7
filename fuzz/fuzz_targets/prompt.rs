//! Any text in any layer: only our lines are markers, and the text comes back from its block.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soul_core::prompt::{MARKER, Parts, Passage, assemble, escape, unescape};

fuzz_target!(|text: &str| {
    let escaped = escape(text);
    assert_eq!(unescape(&escaped), text);
    for line in escaped.lines() {
        assert!(!line.trim_start().starts_with(MARKER), "{line:?}");
    }
    let passage = (!text.is_empty()).then(|| Passage::new(text, "SOUL.md"));
    let prompt = assemble(&Parts { identity: passage.clone(), task: passage.clone(), ..Parts::default() });
    let markers = prompt.text.lines().filter(|line| line.starts_with(MARKER)).count();
    assert_eq!(markers, if passage.is_some() { 4 } else { 0 });
});
