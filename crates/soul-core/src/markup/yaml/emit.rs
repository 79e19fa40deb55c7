//! Fresh YAML that every library reads back alike.

use std::fmt::Write;

/// A scalar that any YAML reader takes for exactly this text.
pub(crate) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// `key:` and its items, one a line.
pub(crate) fn list<'a>(key: &str, items: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = format!("{key}:\n");
    let empty = out.len();
    for item in items {
        let _ = writeln!(out, "  - {}", scalar(item));
    }
    if out.len() == empty { format!("{key}: []\n") } else { out }
}

/// Whether the text may stand without quotes: it begins with a letter, no library takes it for
/// another type, and nothing in it is YAML's.
fn is_plain(text: &str) -> bool {
    const OTHER_TYPES: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(char::is_alphabetic)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !OTHER_TYPES.iter().any(|word| text.eq_ignore_ascii_case(word))
        && text.chars().all(|c| is_printable(c) && c != '\t')
}

/// What YAML lets stand for itself; a break of any kind, a BOM or a control character is not.
fn is_printable(c: char) -> bool {
    matches!(c, '\t' | ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_printable(c) => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::super::{GOCCY, Kind, Scalar, Tree};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn people_would_write_it_so() {
        assert_eq!(scalar("Senior Reviewer"), "Senior Reviewer");
        assert_eq!(scalar("Ask: first"), "\"Ask: first\"");
        assert_eq!(scalar("yes"), "\"yes\"");
        assert_eq!(scalar("12"), "\"12\"");
        assert_eq!(scalar(""), "\"\"");
        assert_eq!(list("tone", ["calm", "- dry"]), "tone:\n  - calm\n  - \"- dry\"\n");
        assert_eq!(list("tone", []), "tone: []\n");
    }

    proptest! {
        #[test]
        fn every_text_reads_back(text in any::<String>()) {
            let yaml = format!("a: {}\n", scalar(&text));
            let tree = Tree::parse(&yaml).unwrap();
            let (_, value) = tree.root_entries().unwrap()[0];
            match &tree.node(value).kind {
                Kind::Scalar { text: read, plain } => {
                    prop_assert_eq!(read.as_ref(), &text);
                    prop_assert!(!plain || GOCCY.resolve(read) == Scalar::Text(&text));
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
