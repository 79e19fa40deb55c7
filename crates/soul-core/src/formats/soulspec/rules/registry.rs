//! The registry block: what a registry writes, and nobody else.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    const GRADES: [&str; 10] = ["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "D", "F"];
    let wrong = |path: &'static str, message: String| {
        Diagnostic::new(Code::RegistryValue, message).field(path).at(document.at(path))
    };
    if let Some(grade) = document.text("registry.scanGrade").filter(|grade| !GRADES.contains(grade)) {
        diagnostics.push(
            wrong("registry.scanGrade", format!("{} is not a grade", shown(grade)))
                .help(format!("the grades are {}", GRADES.join(", "))),
        );
    }
    // Rules passed; the public set has 58, and older scanners counted down from 100.
    let count = document.value("registry.scanScore").and_then(Value::as_f64);
    if let Some(score) = count.filter(|score| !(0.0..=100.0).contains(score) || score.fract() != 0.0) {
        diagnostics.push(
            wrong("registry.scanScore", format!("{score} is not a scan score"))
                .help("a score is a whole number from 0 to 100"),
        );
    }
    if let Some(time) = document.text("registry.submittedAt").filter(|time| !is_time(time)) {
        diagnostics.push(
            wrong("registry.submittedAt", format!("{} is not a time", shown(time)))
                .help("write it as `2026-03-31T09:59:00Z`"),
        );
    }
}

/// A date, or a date and time, as RFC 3339 writes them.
fn is_time(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>, most: u32| {
        text.get(range).and_then(|digits| digits.parse::<u32>().ok()).is_some_and(|number| number <= most)
    };
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let date = shape.starts_with("0000-00-00") && number(5..7, 12) && number(8..10, 31);
    let clock =
        || shape[10..].starts_with("T00:00:00") && number(11..13, 23) && number(14..16, 59) && number(17..19, 60);
    let zone = || {
        let rest = shape[19..].trim_start_matches(['.', '0']);
        matches!(rest, "Z" | "") || shape[19..].ends_with("+00:00") || shape[19..].ends_with("-00:00")
    };
    date && (text.len() == 10 || (clock() && zone()))
}
