//! Fresh YAML that every library reads back alike.

use std::fmt::Write;

use serde_json::Value;

/// A scalar that any YAML reader takes for exactly this text.
pub(crate) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// A field of a block mapping, with its line end: scalars behind the key, lists and mappings below
/// it.
pub(crate) fn field(key: &str, value: &Value) -> String {
    let mut out = String::new();
    write_field(key, value, 0, &mut out);
    out
}

fn write_field(key: &str, value: &Value, indent: usize, out: &mut String) {
    let _ = write!(out, "{:indent$}{}:", "", scalar(key));
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            items.iter().for_each(|item| write_item(item, indent + 2, out));
        }
        Value::Object(fields) if !fields.is_empty() => {
            out.push('\n');
            fields.iter().for_each(|(key, value)| write_field(key, value, indent + 2, out));
        }
        Value::String(text) if is_literal(text) => {
            // `|` keeps the last line end, `|-` does not have one.
            out.push_str(if text.ends_with('\n') { " |\n" } else { " |-\n" });
            for line in text.lines() {
                let indent = if line.is_empty() { 0 } else { indent + 2 };
                let _ = writeln!(out, "{:indent$}{line}", "");
            }
        }
        value => {
            let _ = writeln!(out, " {}", leaf(value));
        }
    }
}

/// Whether a text of several lines may stand as a literal block, which shows it as it is.
fn is_literal(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
        && !text.ends_with("\n\n")
        && !text.starts_with([' ', '\t', '\n'])
        && text.chars().all(|c| c == '\n' || is_printable(c))
        && text.lines().all(|line| line.is_empty() || !line.trim().is_empty())
}

fn write_item(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let _ = writeln!(out, "{:indent$}-", "");
            items.iter().for_each(|item| write_item(item, indent + 2, out));
        }
        Value::Object(fields) if !fields.is_empty() => {
            // The first field stands behind the dash, the others align with it.
            let mut block = String::new();
            fields.iter().for_each(|(key, value)| write_field(key, value, indent + 2, &mut block));
            let _ = write!(out, "{:indent$}- {}", "", &block[indent + 2..]);
        }
        value => {
            let _ = writeln!(out, "{:indent$}- {}", "", leaf(value));
        }
    }
}

fn leaf(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(_) => "[]".into(),
        Value::Object(_) => "{}".into(),
        other => other.to_string(),
    }
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
    use super::super::{GOCCY, JS_YAML, NodeKind, Scalar, Tree};
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn people_would_write_it_so() {
        assert_eq!(scalar("Senior Reviewer"), "Senior Reviewer");
        assert_eq!(scalar("Ask: first"), "\"Ask: first\"");
        assert_eq!(scalar("yes"), "\"yes\"");
        assert_eq!(scalar("12"), "\"12\"");
        assert_eq!(scalar(""), "\"\"");
        assert_eq!(field("tone", &json!(["calm", "- dry"])), "tone:\n  - calm\n  - \"- dry\"\n");
        assert_eq!(field("tone", &json!([])), "tone: []\n");
        assert_eq!(field("a", &json!("one\n\ntwo")), "a: |-\n  one\n\n  two\n");
        assert_eq!(
            field("a", &json!({"b": [{"c": 1, "d": {}}], "e": null})),
            "a:\n  b:\n    - c: 1\n      d: {}\n  e: null\n"
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e6..1e6_f64).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[a \n\t#:-]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_value_reads_back(value in any_json()) {
            let yaml = field("a", &value);
            let tree = Tree::parse(&yaml).map_err(|problem| TestCaseError::fail(format!("{problem:?} {yaml}")))?;
            let (_, read) = tree.root_entries().unwrap()[0];
            prop_assert_eq!(tree.to_json(read, &JS_YAML).unwrap(), value, "{}", yaml);
        }

        #[test]
        fn every_text_reads_back(text in any::<String>()) {
            let yaml = format!("a: {}\n", scalar(&text));
            let tree = Tree::parse(&yaml).unwrap();
            let (_, value) = tree.root_entries().unwrap()[0];
            match &tree.node(value).kind {
                NodeKind::Scalar { text: read, plain } => {
                    prop_assert_eq!(read.as_ref(), &text);
                    prop_assert!(!plain || GOCCY.resolve(read) == Scalar::Text(&text));
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
