//! Any bytes, in one file and cut in two: no panic, the same answer twice, every place in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soul_core::scan::soulscan::Rules;
use soul_core::scan::{File, scan};

fuzz_target!(|bytes: &[u8]| {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let files = [
        File { path: "SOUL.md", bytes },
        File { path: "a.md", bytes: first },
        File { path: "b.md", bytes: second },
        File { path: "soul.json", bytes },
    ];
    let report = scan(&files);
    assert_eq!(report.failed, None);
    assert_eq!(report, scan(&files));
    for finding in report.findings.iter().chain(&report.suppressed) {
        let file = files.iter().find(|file| file.path == finding.file);
        if let Some(text) = file.map(File::text) {
            assert!(text.get(finding.span.start..finding.span.end).is_some());
        }
    }
    if let Ok(pattern) = std::str::from_utf8(first) {
        let rules = serde_json::json!({ "rules": [{ "id": "X", "pattern": pattern, "severity": "error" }] });
        if let Ok(rules) = Rules::parse(rules.to_string().as_bytes()) {
            let _ = rules.scan(&[File { path: "b.md", bytes: second }]);
        }
    }
});
