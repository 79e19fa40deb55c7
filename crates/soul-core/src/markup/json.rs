//! JSON as the same bounded tree with spans that YAML gives. Strict: no comments, no trailing
//! commas, no NaN; what people get wrong is named.

use std::borrow::Cow;
use std::ops::Range;

use super::yaml::{NodeKind, Problem, Tree};

/// Budgets that end the parse of a text no person wrote.
const MAX_NODES: usize = 200_000;
const MAX_DEPTH: usize = 64;

/// Parses one JSON value.
pub(crate) fn parse(text: &str) -> Result<Tree<'_>, Problem> {
    let mut parser = Parser { text, at: 0, tree: Tree::default(), depth: 0 };
    let root = parser.value()?;
    parser.tree.set_root(root);
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.problem("has text after its end", "delete it"));
    }
    Ok(parser.tree)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    tree: Tree<'a>,
    depth: usize,
}

type NodeId = super::yaml::NodeId;

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// A problem at the next character.
    fn problem(&self, message: &str, help: &'static str) -> Problem {
        let end = self.text[self.at..].chars().next().map_or(self.at, |c| self.at + c.len_utf8());
        Problem { help: Some(help), ..Problem::new(message, self.at..end) }
    }

    fn add(&mut self, kind: NodeKind<'a>, span: Range<usize>) -> Result<NodeId, Problem> {
        if self.tree.len() >= MAX_NODES {
            return Err(Problem::new(format!("has more than {MAX_NODES} values"), span));
        }
        Ok(self.tree.add(kind, span))
    }

    fn value(&mut self) -> Result<NodeId, Problem> {
        self.blanks();
        let start = self.at;
        match self.peek() {
            Some(b'{') => self.collection(Self::object),
            Some(b'[') => self.collection(Self::array),
            Some(b'"') => {
                let text = self.string()?;
                self.add(NodeKind::Scalar { text, plain: false }, start..self.at)
            }
            Some(b'\'') => Err(self.problem("has a single quote", "JSON needs double quotes")),
            Some(b'/') => Err(self.problem("has a comment", "JSON has none; delete it")),
            Some(_) => self.word(),
            None => Err(self.problem("ends too early", "a value is missing")),
        }
    }

    fn collection(&mut self, inside: fn(&mut Self, usize) -> Result<NodeId, Problem>) -> Result<NodeId, Problem> {
        let start = self.at;
        if self.depth == MAX_DEPTH {
            return Err(Problem::new(format!("is nested more than {MAX_DEPTH} levels deep"), start..start + 1));
        }
        self.depth += 1;
        self.at += 1;
        let id = inside(self, start)?;
        self.depth -= 1;
        Ok(id)
    }

    fn object(&mut self, start: usize) -> Result<NodeId, Problem> {
        let mut entries = Vec::new();
        while !self.eat(b'}') {
            if !entries.is_empty() {
                self.comma(b'}')?;
            }
            self.blanks();
            self.check_closed(b'}')?;
            let key_start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.problem("has a key that is not a string", "put the key in double quotes"));
            }
            let text = self.string()?;
            let key = self.add(NodeKind::Scalar { text, plain: false }, key_start..self.at)?;
            if !self.eat(b':') {
                return Err(self.problem("has a key without a value", "write `:` and a value after the key"));
            }
            entries.push((key, self.value()?));
        }
        let id = self.add(NodeKind::Mapping(entries), start..self.at)?;
        self.tree.find_duplicates(id);
        Ok(id)
    }

    fn array(&mut self, start: usize) -> Result<NodeId, Problem> {
        let mut items = Vec::new();
        while !self.eat(b']') {
            if !items.is_empty() {
                self.comma(b']')?;
            }
            self.check_closed(b']')?;
            items.push(self.value()?);
        }
        self.add(NodeKind::Sequence(items), start..self.at)
    }

    /// What ends inside an object or array most likely lost its end, whatever may come next.
    fn check_closed(&self, close: u8) -> Result<(), Problem> {
        match (self.peek(), close) {
            (Some(_), _) => Ok(()),
            (None, b'}') => Err(self.problem("is missing a `}`", "close the object with `}`")),
            (None, _) => Err(self.problem("is missing a `]`", "close the array with `]`")),
        }
    }

    fn comma(&mut self, close: u8) -> Result<(), Problem> {
        if !self.eat(b',') {
            self.check_closed(close)?;
            return Err(self.problem("lacks a comma", "write `,` between two entries"));
        }
        self.blanks();
        if self.peek() == Some(close) {
            return Err(self.problem("has a comma after the last entry", "delete the comma"));
        }
        Ok(())
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<NodeId, Problem> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        let word = &rest[..length];
        if !(matches!(word, "true" | "false" | "null") || is_number(word)) {
            return Err(self.problem("has something that is not a JSON value", "text needs double quotes"));
        }
        let start = self.at;
        self.at += length;
        self.add(NodeKind::Scalar { text: Cow::Borrowed(word), plain: true }, start..self.at)
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Problem> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut escaped = false;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(0..=0x1f) => {
                    self.at = at;
                    return Err(
                        self.problem("has a control character in a string", "write it as an escape, such as \\n")
                    );
                }
                Some(_) => at += 1,
                None => return Err(self.problem("has a quote that is never closed", "close the quote")),
            }
        }
        let quoted = self.at..at + 1;
        self.at = at + 1;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start..at]));
        }
        let text = serde_json::from_str::<String>(&self.text[quoted.clone()]);
        text.map(Cow::Owned).map_err(|_| Problem {
            help: Some("write `\\\\` for a backslash"),
            ..Problem::new("has an escape that means nothing", quoted)
        })
    }
}

/// Whether a word is a number as JSON writes them, and a finite one.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let leading_zero = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    digits.starts_with(|c: char| c.is_ascii_digit())
        && !leading_zero
        && serde_json::from_str::<serde_json::Number>(word)
            .is_ok_and(|number| number.as_f64().is_some_and(f64::is_finite))
}

#[cfg(test)]
mod tests {
    use super::super::yaml::JSON;
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn read(text: &str) -> Result<Value, String> {
        let tree = parse(text).map_err(|problem| problem.message)?;
        let root = tree.root_id().ok_or("no root")?;
        tree.to_json(root, &JSON).map_err(|problem| problem.message)
    }

    #[test]
    fn reads_what_json_is() {
        let text = r#" {"a": [1, -2.5e3, true, null], "b\u00e9\n": {"c": ""}} "#;
        assert_eq!(read(text).unwrap(), json!({"a": [1, -2.5e3, true, null], "bé\n": {"c": ""}}));
    }

    #[test]
    fn names_what_people_get_wrong() {
        for (text, why) in [
            ("{\"a\": 1,}", "after the last"),
            ("{\"a\": 1 \"b\": 2}", "comma"),
            ("{a: 1}", "not a string"),
            ("{\"a\"}", "without a value"),
            ("['a']", "single quote"),
            ("[NaN]", "not a JSON value"),
            ("[1e999]", "not a JSON value"),
            ("[01]", "not a JSON value"),
            ("{\"a\": 1} x", "after its end"),
            ("\"a", "never closed"),
            ("\"a\nb\"", "control"),
            ("\"\\q\"", "escape"),
            ("// x", "comment"),
            ("", "too early"),
            ("{\"a\": ", "too early"),
            ("{\"a\":1", "missing a `}`"),
            ("{", "missing a `}`"),
            ("{\"a\": [1]\n", "missing a `}`"),
            ("[1", "missing a `]`"),
            ("[1,", "missing a `]`"),
            ("{\"a\": [", "missing a `]`"),
        ] {
            assert!(read(text).unwrap_err().contains(why), "{text}");
        }
        assert!(read(&"[".repeat(100_000)).unwrap_err().contains("nested"));
        assert_eq!(parse("{\"a\": 1, \"a\": 2}").unwrap().duplicates.len(), 1);
    }

    proptest! {
        #[test]
        fn agrees_with_serde(text in "[\\[\\]{}\",:0-9a-z\\\\ .eE+-]{0,24}") {
            let theirs = serde_json::from_str::<Value>(&text);
            match read(&text) {
                Ok(ours) => prop_assert_eq!(Some(ours), theirs.ok()),
                Err(_) => prop_assert!(theirs.is_err(), "{}", text),
            }
        }
    }
}
