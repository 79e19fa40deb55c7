//! Frontmatter that lost its indentation: `hexaco:` and nothing under it, and then the traits at top level.

use std::ops::Range;

use super::persona::{AVATAR, VOICE};
use crate::diagnostics::{Code, Diagnostic};
use crate::formats::fields::{Entry, Fields};
use crate::markup::yaml::Scalar;
use crate::persona::Trait;
use crate::text::{Span, shown};

/// The keys that hold a mapping, and which keys stand in it.
type Parent = (&'static str, fn(&str) -> bool);
const PARENTS: [Parent; 3] = [
    ("hexaco", |key| Trait::from_key(key).is_some()),
    ("voice", |key| VOICE.contains(&key)),
    ("avatar", |key| AVATAR.contains(&key)),
];

/// An empty parent with the keys that follow it and belong under it.
pub(super) struct Flattened {
    /// The places of the keys among all entries.
    pub(super) keys: Range<usize>,
    pub(super) diagnostic: Diagnostic,
}

/// Finds them among the entries of YAML frontmatter; `raw` is the whole source.
pub(super) fn flattened(fields: &Fields<'_>, entries: &[Entry<'_>], raw: &str) -> Vec<Flattened> {
    let mut found = Vec::new();
    for (at, parent) in entries.iter().enumerate() {
        let Some((_, belongs)) = PARENTS.iter().find(|(key, _)| *key == parent.key) else { continue };
        if !matches!(fields.scalar(parent.value), Some(Scalar::Null)) {
            continue;
        }
        let column = |entry: &Entry<'_>| indent(raw, entry.key_span);
        let is_child = |entry: &&Entry<'_>| belongs(entry.key) && column(entry).is_some_and(str::is_empty);
        let children = &entries[at + 1..];
        let children = &children[..children.iter().take_while(is_child).count()];
        if let ([first, ..], [.., last]) = (children, children) {
            let end = fields.span(last.value).end.max(last.key_span.end);
            found.push(Flattened {
                keys: at + 1..at + 1 + children.len(),
                diagnostic: diagnostic(*parent, children, Span::new(first.key_span.start, end), raw),
            });
        }
    }
    found
}

fn diagnostic(parent: Entry<'_>, children: &[Entry<'_>], lines: Span, raw: &str) -> Diagnostic {
    let names: Vec<_> = children.iter().map(|child| shown(child.key)).collect();
    let are = if names.len() == 1 { "is" } else { "are" };
    let message =
        format!("`{}` is empty: {} below it {are} not indented and therefore not read", parent.key, names.join(", "));
    // The last value may end with its line, which the edit leaves alone.
    let text = raw[lines.start..lines.end].trim_end();
    let indented =
        text.split('\n').map(|line| if line.trim().is_empty() { line.to_owned() } else { format!("  {line}") });
    Diagnostic::new(Code::LostIndentation, message)
        .field(parent.key)
        .section("frontmatter")
        .at(parent.key_span)
        .help(format!("indent what belongs to `{}`", parent.key))
        .fix(Span::new(lines.start, lines.start + text.len()), indented.collect::<Vec<_>>().join("\n"))
}

/// What stands before a key on its line; `None` if that is more than white space.
fn indent(raw: &str, key: Span) -> Option<&str> {
    let line = raw[..key.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    Some(&raw[line..key.start]).filter(|before| before.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::formats::{Context, Parsed, parse};
    use crate::model::Dialect;
    use crate::text::{Edit, Source};

    fn read(text: &str) -> Parsed {
        parse(Source::from(text), Dialect::Agentos, &Context::default())
    }

    /// The text with every fix applied.
    fn fixed(text: &str) -> String {
        let edits: Vec<Edit> = read(text).diagnostics.into_iter().filter_map(|diagnostic| diagnostic.fix).collect();
        String::from_utf8(Source::from(text).with_edits(&edits)).unwrap()
    }

    #[test]
    fn traits_and_voice_go_back_under_their_keys() {
        let flat = "---\nname: Aria\nhexaco:\nhonesty_humility: 0.85\nopenness: 0.65 # wide\nvoice:\nprovider: piper\n\
                    voiceId: |\n  low\nrole: Support\n---\nYou are Aria.\n";
        for flat in [flat.to_owned(), flat.replace('\n', "\r\n")] {
            let codes: Vec<_> = read(&flat).diagnostics.iter().map(|found| found.code.as_str()).collect();
            assert_eq!(codes, ["lost_indentation"; 2]);
            let fixed = fixed(&flat);
            let parsed = read(&fixed);
            assert!(parsed.diagnostics.is_empty(), "{fixed}\n{:?}", parsed.diagnostics);
            let persona = &parsed.document.to_json()["persona"];
            assert_eq!(persona["personalityTraits"], json!({ "honestyHumility": 0.85, "openness": 0.65 }));
            assert_eq!(persona["voiceConfig"], json!({ "provider": "piper", "voiceId": "low\n" }));
            assert_eq!(persona["description"], "Support");
        }
    }

    #[test]
    fn what_is_not_empty_or_not_below_is_left_alone() {
        for text in [
            "---\nname: A\nhexaco:\n  openness: 0.5\nhonesty: 0.5\n---\n",
            "---\nname: A\nhexaco:\nrole: r\nopenness: 0.5\n---\n",
            "---\n{name: A, hexaco: , openness: 0.5}\n---\n",
            "---json\n{\"name\": \"A\", \"hexaco\": null,\n\"openness\": 0.5}\n---\n",
        ] {
            let found = read(text).diagnostics;
            assert!(found.iter().all(|found| found.code.as_str() != "lost_indentation"), "{text}{found:?}");
        }
    }
}
