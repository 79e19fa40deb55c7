//! Any bytes as soul, style, outputs, probes and answer can be judged, and every place that is named
//! lies in its file.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use soul_core::calibration::{Judge, Material, PROBES_FILE, calibrate, probes};
use soul_core::formats::{Context, parse};
use soul_core::model::Dialect;
use soul_core::text::Source;

const FILES: [&str; 5] =
    ["SOUL.md", "STYLE.md", "RULES.md", "examples/good-outputs.md", "examples/bad-outputs.md"];

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.split(|byte| *byte == 0);
    let mut next = || Source::new(parts.next().unwrap_or_default().to_vec());
    let dialect = Dialect::ALL[bytes.len() % Dialect::ALL.len()];
    let files: BTreeMap<String, Source> = FILES.iter().map(|name| ((*name).to_owned(), next())).collect();
    let soul = parse(files["SOUL.md"].clone(), dialect, &Context::default()).document.soul();
    let material = Material { soul: &soul, own: "SOUL.md", files: &files };
    for found in calibrate(material.clone()).findings {
        if let (Some(file), Some(span)) = (found.file, found.span) {
            let text = files[&file].text().expect("only text is judged");
            assert!(text.get(span.start..span.end).is_some());
        }
    }
    let (source, answer) = (next(), next());
    let judge = Judge::new(material);
    for probe in &probes(PROBES_FILE, &source).probes {
        let text = answer.text().unwrap_or_default();
        let (answer, _) = judge.answer(probe, "m", text, (PROBES_FILE, &source));
        assert!(!judge.drift(probe, &answer, &answer, (PROBES_FILE, &source)).0.drifted);
    }
});
