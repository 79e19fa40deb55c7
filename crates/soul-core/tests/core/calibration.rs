//! Calibration of any material: it ends, it never panics, and every place that it names is there.

use std::collections::BTreeMap;

use proptest::prelude::*;
use soul_core::calibration::{Judge, Material, PROBES_FILE, calibrate, examples, probes};
use soul_core::diagnostics::Diagnostic;
use soul_core::formats::{Context, parse};
use soul_core::model::{Dialect, Soul};
use soul_core::text::Source;

/// Text that looks like outputs, rules and lists more often than chance would have it.
fn written() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop_oneof![Just("\n"), Just("\n\n"), Just("\r\n"), Just("\r"), Just(" "), Just(". "), Just("! ")],
        2 => prop_oneof![Just("## Words to avoid\n"), Just("# A\n"), Just("---\n"), Just("- "), Just("> "), Just("1. "), Just("| a |"), Just("|--|\n")],
        2 => prop_oneof![Just("```\n"), Just("~~~"), Just("**User:** "), Just("Output: "), Just("Why: "), Just("\""), Just("“"), Just("`"), Just(":")],
        2 => prop_oneof![Just("Never share "), Just("always "), Just("over €100"), Just("at most 3 words"), Just("no emoji"), Just("refund"), Just("etc")],
        1 => prop_oneof![Just("\u{feff}"), Just("\u{202e}"), Just("🎉"), Just("東京"), Just("İ"), Just("ß"), Just("\0"), Just("e\u{301}")],
    ];
    let piece =
        prop_oneof![6 => piece.prop_map(str::to_owned), 1 => "[ -~]{0,12}", 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => written().prop_map(String::into_bytes), 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

fn soul_of(source: &Source, dialect: Dialect) -> Soul {
    parse(source.clone(), dialect, &Context::default()).document.soul()
}

fn assert_placed(findings: &[Diagnostic], files: &BTreeMap<String, Source>) {
    for found in findings {
        let file = found.file.as_ref().unwrap();
        if let Some(span) = found.span {
            let text = files[file].text().unwrap();
            assert!(text.get(span.start..span.end).is_some(), "{found:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_material_can_be_judged(
        soul in bytes(), style in bytes(), rules in bytes(), good in bytes(), bad in bytes(), answer in written(),
        dialect in prop::sample::select(Dialect::ALL.to_vec()),
    ) {
        let source = Source::new(soul);
        let files = BTreeMap::from([
            ("SOUL.md".to_owned(), source.clone()),
            ("STYLE.md".to_owned(), Source::new(style)),
            ("RULES.md".to_owned(), Source::new(rules)),
            ("examples/good-outputs.md".to_owned(), Source::new(good)),
            ("examples/bad-outputs.md".to_owned(), Source::new(bad)),
        ]);
        let soul = soul_of(&source, dialect);
        let material = Material { soul: &soul, own: "SOUL.md", files: &files };
        let report = calibrate(material.clone());
        assert_placed(&report.findings, &files);
        let figures = serde_json::to_value(&report.figures).unwrap();
        prop_assert!(!figures.to_string().contains("null"), "{figures}");
        let file = Source::from("- ask: x\n  contains: a\n");
        let probe = &probes(PROBES_FILE, &file).probes[0];
        let judge = Judge::new(material);
        let (first, _) = judge.answer(probe, "m", &answer, (PROBES_FILE, &file));
        let (drift, _) = judge.drift(probe, &first, &first, (PROBES_FILE, &file));
        prop_assert!((0.0..=1.0).contains(&drift.overlap) && drift.style == 0.0 && !drift.drifted);
    }

    #[test]
    fn any_text_has_outputs_that_lie_in_it(text in written()) {
        let mut end = 0;
        for example in examples(&text) {
            prop_assert!(example.range.start >= end && text.get(example.range.clone()).is_some());
            prop_assert!(example.range.start <= example.spoken.start && example.spoken.end <= example.range.end);
            prop_assert!(!text[example.spoken.clone()].trim().is_empty(), "{example:?}");
            end = example.range.end;
        }
    }

    #[test]
    fn any_bytes_are_probes_or_told_why_not(bytes in prop::collection::vec(any::<u8>(), 0..200), text in written()) {
        for source in [Source::new(bytes), Source::from(format!("probes:\n{text}").as_str())] {
            let read = probes(PROBES_FILE, &source);
            let files = BTreeMap::from([(PROBES_FILE.to_owned(), source)]);
            for found in &read.diagnostics {
                prop_assert!(found.line.is_some(), "{found:?}");
            }
            if files[PROBES_FILE].text().is_some() {
                assert_placed(&read.diagnostics, &files);
            }
        }
    }
}
