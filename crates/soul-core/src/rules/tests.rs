use std::path::{Path, PathBuf};

use super::*;
use crate::scan::{File, GRADED, Trust, scan_as};

/// The findings of one rule in a text.
fn found(rule: &Rule, text: &str) -> Vec<crate::scan::Finding> {
    let report = scan_as(&[File { path: "SOUL.md", bytes: text.as_bytes() }], Trust::Author);
    report.findings.into_iter().filter(|finding| finding.rule == rule.id).collect()
}

fn families(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
}

/// How many files with a rule a family has, those of its folders too.
fn rules_in(family: &Path) -> usize {
    let files = std::fs::read_dir(family).unwrap().map(|entry| entry.unwrap().path());
    let rules = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rules.filter(|path| !path.ends_with("mod.rs")).count()
        + families(family).map(|folder| rules_in(&folder)).sum::<usize>()
}

#[test]
fn every_file_is_listed() {
    let rules: usize =
        families(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules").as_ref()).map(|family| rules_in(&family)).sum();
    assert_eq!(RULES.len(), rules, "a file of rules/ is not in RULES");
    assert!(RULES.is_sorted_by_key(|rule| rule.id), "RULES are in the order of their ids");
}

#[test]
fn every_hit_hits_and_no_near_miss_does() {
    let mut wrong = Vec::new();
    for rule in RULES {
        if let Err(why) = crate::scan::compiles(rule) {
            wrong.push(format!("{}: {why}", rule.id));
            continue;
        }
        for hit in rule.hits {
            if !found(rule, hit)
                .iter()
                .any(|finding| finding.confidence == rule.confidence || finding.confidence > Confidence::Low)
            {
                wrong.push(format!("{} does not hit {hit:?}: {:?}", rule.id, found(rule, hit)));
            }
        }
        for miss in rule.misses {
            let confident = found(rule, miss).into_iter().find(|finding| finding.confidence > Confidence::Low);
            if let Some(finding) = confident {
                wrong.push(format!("{} hits {miss:?} at {:?}", rule.id, finding.excerpt));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_patterns_can_be_reviewed() {
    for rule in RULES {
        if let Matcher::Words { pattern, .. } | Matcher::Raw { pattern, .. } = rule.matcher {
            let flags = pattern.strip_prefix("(?").and_then(|rest| rest.split(')').next()).unwrap_or_default();
            assert!(pattern.len() < 90 || flags.contains('x'), "{} is not verbose", rule.id);
            for line in pattern.lines() {
                assert!(line.chars().count() <= 120, "{}: {line}", rule.id);
                // An editor that trims lines would make it an escaped line end.
                assert!(!line.ends_with("\\ "), "{}: write the last space as \\x20: {line}", rule.id);
            }
        }
    }
}

#[test]
fn every_rule_is_documented_and_exemplified() {
    for rule in RULES {
        assert!(!rule.why.is_empty() && !rule.fix.is_empty() && !rule.message.is_empty(), "{}", rule.id);
        let is_package = matches!(rule.matcher, Matcher::Package(_));
        assert!(is_package || !rule.hits.is_empty() && !rule.misses.is_empty(), "{} has no examples", rule.id);
    }
}

#[test]
fn literals_are_written_as_they_are_read() {
    for rule in RULES {
        if let Matcher::Words { literals, .. } = rule.matcher {
            for literal in literals {
                let folded = crate::scan::fold::fold(&format!("x {literal}x")).text;
                assert!(folded.contains(literal.trim_end()), "{}: {literal:?} is folded to {folded:?}", rule.id);
            }
        }
    }
}

#[test]
fn the_graded_rules_are_all_there() {
    for id in GRADED {
        assert!(find(id).is_some(), "{id}");
    }
}
