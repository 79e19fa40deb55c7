//! External rules in the public SoulScan format, run with the semantics of JavaScript regular expressions.
//!
//! Only entries with a `pattern` run, and they replace the built-in rules. Files are selected as SoulScan does: hidden
//! files and images are skipped. A pattern that cannot be compiled is an error of the whole set, never a rule that
//! silently finds nothing.

mod automaton;
mod classes;
mod parse;
mod translate;
mod units;

use regex::Regex;
use serde::Deserialize;

use super::report::{self, Finding, Report};
use super::{File, MANIFEST, mask_secrets};
use crate::diagnostics::Severity;
use crate::rules::Confidence;
use crate::text::{LineIndex, Source, Span, visible};

/// A compiled set of external rules.
#[derive(Debug)]
pub struct Rules(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    id: String,
    severity: Severity,
    description: String,
    least: Option<Vec<u64>>,
    pattern: Pattern,
}

#[derive(Debug)]
enum Pattern {
    Plain(Box<Regex>),
    /// Looks around, which the other kind cannot.
    Looking(automaton::Automaton),
}

#[derive(Deserialize)]
struct Stored {
    rules: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    id: String,
    severity: Option<String>,
    pattern: Option<String>,
    description: Option<String>,
    min_spec_version: Option<String>,
}

impl Rules {
    /// Parses a rule file.
    ///
    /// # Errors
    /// If it is not a rule file, or has patterns that cannot be compiled: all problems, one per line.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let stored: Stored = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let mut rules = Vec::new();
        let mut wrong = Vec::new();
        for entry in stored.rules {
            let Some(source) = &entry.pattern else { continue };
            let pattern = Pattern::compile(source);
            let severity = match entry.severity.as_deref() {
                Some("error") | None => Some(Severity::Error),
                Some("warning") => Some(Severity::Warning),
                Some("info") => Some(Severity::Info),
                Some(_) => None,
            };
            match (pattern, severity) {
                (Ok(pattern), Some(severity)) => rules.push(Rule {
                    description: entry.description.unwrap_or_else(|| format!("matches {}", entry.id)),
                    least: entry.min_spec_version.as_deref().map(version),
                    id: entry.id,
                    severity,
                    pattern,
                }),
                (Err(why), _) => wrong.push(format!("the pattern of {} is not supported: {why}", visible(&entry.id))),
                (_, None) => wrong.push(format!("the severity of {} is unknown", visible(&entry.id))),
            }
        }
        match wrong.is_empty() {
            true if rules.is_empty() => Err("it has no rule with a pattern".to_owned()),
            true => Ok(Self(rules)),
            false => Err(wrong.join("\n")),
        }
    }

    /// Scans files that belong together.
    #[must_use]
    pub fn scan(&self, files: &[File<'_>]) -> Report {
        let declared = files.iter().find(|file| file.path == MANIFEST).and_then(|file| {
            let manifest: serde_json::Value = serde_json::from_slice(file.bytes).ok()?;
            Some(version(manifest["specVersion"].as_str()?))
        });
        let applies = |rule: &&Rule| match (&rule.least, &declared) {
            (Some(least), Some(declared)) => declared >= least,
            _ => true,
        };
        let rules: Vec<&Rule> = self.0.iter().filter(applies).collect();
        let mut findings = Vec::new();
        for file in files.iter().filter(|file| is_scanned(file.path)) {
            let text = file.text();
            let units = units::split(&text);
            for rule in &rules {
                if let Some(span) = rule.pattern.find(&units.text) {
                    findings.push(finding(rule, file.path, &text, units.span(span)));
                }
            }
        }
        Report::of_rules(findings, rules.iter().map(|rule| rule.id.clone()).collect())
    }
}

impl Pattern {
    fn compile(source: &str) -> Result<Self, String> {
        let node = parse::parse(source)?;
        if node.looks() {
            return automaton::Automaton::new(&node).map(Self::Looking);
        }
        let plain = translate::translate(&node);
        Regex::new(&plain).map(|regex| Self::Plain(Box::new(regex))).map_err(|_| "it is too large".to_owned())
    }

    fn find(&self, text: &str) -> Option<Span> {
        match self {
            Self::Plain(regex) => regex.find(text).map(|found| Span::new(found.start(), found.end())),
            Self::Looking(automaton) => automaton.find(text),
        }
    }
}

/// Numbers between dots.
fn version(text: &str) -> Vec<u64> {
    text.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

fn is_scanned(path: &str) -> bool {
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    let extension =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, extension)| extension);
    let picture = matches!(extension.to_ascii_lowercase().as_str(), "png" | "jpg" | "jpeg" | "svg");
    !hidden && !picture
}

fn finding(rule: &Rule, path: &str, text: &str, span: Span) -> Finding {
    let source = Source::from(text);
    let position = LineIndex::new(&source).position(span.start);
    let matched = &text[span.start..span.end];
    Finding {
        rule: rule.id.clone(),
        severity: rule.severity,
        confidence: Confidence::High,
        file: path.to_owned(),
        line: position.line,
        column: position.column,
        message: visible(&rule.description),
        excerpt: report::excerpt(&mask_secrets(text)[span.start..span.end]),
        why: "A rule of the given file matches.".into(),
        help: "ask the author of the rule".into(),
        context: None,
        fingerprint: report::Fingerprints::default().next(&rule.id, path, matched),
        suppressed: None,
        places: Vec::new(),
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> Option<String> {
        let units = units::split(text);
        let span = units.span(Pattern::compile(pattern).unwrap().find(&units.text)?);
        Some(text[span.start..span.end].to_owned())
    }

    #[test]
    fn patterns_mean_what_they_mean_in_javascript() {
        for (pattern, text, found) in [
            (r"kill", "\u{212a}ill", None),
            (r"kill", "KILL", Some("KILL")),
            (r"us", "u\u{17f}", None),
            (r"é", "É", Some("É")),
            (r"a\sb", "a\u{feff}b", Some("a\u{feff}b")),
            (r"a\sb", "a\u{85}b", None),
            (r"\bkill", "ékill", Some("kill")),
            (r"a.b", "a\u{2028}b", None),
            (r"a.b", "a\u{85}b", Some("a\u{85}b")),
            (r"^a$", "a\n", None),
            (r"^.{2}$", "😀", Some("😀")),
            (r"[^a]{2}", "😀", Some("😀")),
            (r"[a-z]+", "ABC", Some("ABC")),
            (r"[^a-z]", "K", None),
            (r"a{,2}", "A{,2}", Some("A{,2}")),
            (r"x]", "X]", Some("X]")),
            (r"\u0041\x42\cA\/\-", "ab\u{1}/-", Some("ab\u{1}/-")),
            (r"(?<name>a)(?:b)c", "ABC", Some("ABC")),
            (r"[^]", "\n", Some("\n")),
            (r"[\w-]+", "a-b", Some("a-b")),
            (r"[\d\-x]+", "1-X", Some("1-X")),
        ] {
            assert_eq!(matches(pattern, text).as_deref(), found, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn looking_around_is_understood() {
        for (pattern, text, found) in [
            (r"(?<!not )harm", "do not harm", None),
            (r"(?<!not )harm", "do harm", Some("harm")),
            (r"foo(?!bar)", "foobar foox", Some("foo")),
            (r"foo(?=bar)", "foox foobar", Some("foo")),
            (r"(?<=a{2})b", "ab aab", Some("b")),
            (r"(?=.*z)a.c", "abc", None),
            (r"(?=.*z)a.c", "abcz", Some("abc")),
            (r"\b(?:x(?!y)|z)\b", "xy z", Some("z")),
            (r"^(?!.*stop).*go", "go on", Some("go")),
            (r"^(?!.*stop).*go", "go stop", None),
        ] {
            let matched = matches(pattern, text);
            assert_eq!(matched.is_some(), found.is_some(), "{pattern} in {text:?}: {matched:?}");
            assert!(
                found.is_none_or(|found| matched.as_deref().is_some_and(|matched| matched.starts_with(&found[..1])))
            );
        }
    }

    #[test]
    fn what_cannot_be_run_is_said() {
        let error = |rules: &str| Rules::parse(rules.as_bytes()).unwrap_err();
        let with = |pattern: &str| format!(r#"{{"rules":[{{"id":"A","severity":"error","pattern":"{pattern}"}}]}}"#);
        assert!(error(&with(r"(a)\\1")).contains("back-references"));
        assert!(error(&with("(a")).contains("never closed"));
        assert!(error(&with("((?<")).contains("name of a group"));
        assert!(error(&with("a**")).contains("nothing to repeat"));
        assert!(error(&with("(?:(?:(?:a{1000}){1000}){1000})")).contains("too large"));
        assert!(error(r#"{"rules":[{"id":"A"}]}"#).contains("no rule"));
        assert!(error(r#"{"rules":[{"id":"A","pattern":"a","severity":"x"}]}"#).contains("severity of A"));
        assert!(error("[]").contains("expected"));
    }

    #[test]
    fn hidden_files_and_pictures_are_not_read() {
        let rules = Rules::parse(br#"{"rules":[{"id":"A","pattern":"x","severity":"error"}]}"#).unwrap();
        let file = |path| File { path, bytes: b"x" };
        let report = rules.scan(&[file(".env"), file("a/.b/c.md"), file("p.SVG"), file("d.md")]);
        assert_eq!(report.findings.iter().map(|finding| finding.file.as_str()).collect::<Vec<_>>(), ["d.md"]);
    }
}
