//! Frontmatter fields with their places: what every dialect with YAML frontmatter reads through.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::markup::frontmatter::{self, Opening, Split};
use crate::markup::yaml::{JSON, Node, NodeId, NodeKind, Problem, Scalar, Schema, Tree};
use crate::markup::{json, yaml};
use crate::model::{self, Field, Item};
use crate::text::{Span, Unified, shown};

/// The fields of one frontmatter, or of one JSON file, read by one library's rules.
pub(super) struct Fields<'a> {
    text: &'a Unified<'a>,
    start: usize,
    tree: Tree<'a>,
    entries: Vec<(NodeId, NodeId)>,
    schema: &'static Schema,
    /// What is left of the values that all fields together may become as JSON.
    budget: Cell<usize>,
}

/// One field: its key, where the key stands, and its value.
#[derive(Clone, Copy)]
pub(super) struct Entry<'f> {
    pub(super) key: &'f str,
    pub(super) key_span: Span,
    pub(super) value: &'f Node<'f>,
    id: NodeId,
}

/// A named value that the dialect keeps as it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) span: Span,
}

impl Named {
    /// As an item of a soul, of a field that no dialect shares.
    pub(super) fn item(&self) -> Item {
        Item::entry(Field::Extra, self.key.clone(), self.value.clone(), self.span)
    }
}

impl<'a> Fields<'a> {
    /// Reads the YAML in `range`. What is not a mapping at all gives `None`; a key that stands
    /// twice is reported, and the first one counts.
    pub(super) fn read(
        text: &'a Unified<'a>,
        range: Range<usize>,
        schema: &'static Schema,
        diagnostics: &mut Collector,
    ) -> Option<Self> {
        let tree = Tree::parse(&text.text[range.clone()]);
        Self::of_tree(tree, text, range.start, schema, "frontmatter", diagnostics)
    }

    /// Reads the JSON in `range`; `what` is how messages name it.
    pub(super) fn read_json(
        text: &'a Unified<'a>,
        range: Range<usize>,
        what: &str,
        diagnostics: &mut Collector,
    ) -> Option<Self> {
        let tree = json::parse(&text.text[range.clone()]);
        Self::of_tree(tree, text, range.start, &JSON, what, diagnostics)
    }

    fn of_tree(
        tree: Result<Tree<'a>, Problem>,
        text: &'a Unified<'a>,
        start: usize,
        schema: &'static Schema,
        what: &str,
        diagnostics: &mut Collector,
    ) -> Option<Self> {
        let parsed = tree.and_then(|tree| {
            let entries = if schema.null_is_empty && tree.is_null(schema) { Vec::new() } else { tree.root_entries()? };
            Ok((tree, entries))
        });
        let report = |problem: &Problem| {
            let span = |range: &Range<usize>| text.span(start + range.start..start + range.end);
            let message = format!("{what} {}", problem.message);
            let diagnostic = match what {
                "frontmatter" => malformed(span(&problem.at), message),
                _ => Diagnostic::new(Code::MalformedJson, message).at(span(&problem.at)),
            };
            let diagnostic = problem.help.into_iter().fold(diagnostic, Diagnostic::help);
            problem
                .first
                .iter()
                .fold(diagnostic, |diagnostic, first| diagnostic.related(span(first), "first defined here"))
        };
        match parsed {
            Ok((tree, entries)) => {
                let tab = (!schema.tabs_indent).then(|| tab_before(&tree, &entries, &text.text[start..])).flatten();
                tab.into_iter().for_each(|problem| diagnostics.push(report(&problem)));
                tree.duplicates.iter().for_each(|duplicate| diagnostics.push_error(|| report(duplicate)));
                let budget = Cell::new(tree.budget());
                Some(Self { text, start, tree, entries, schema, budget })
            }
            Err(problem) => {
                diagnostics.push(report(&problem));
                None
            }
        }
    }

    /// The fields in the order of the text, each key once.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.distinct(&self.entries)
    }

    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| self.tree.text(*name) == Some(key))
    }

    /// The field that a path of keys leads to.
    pub(super) fn entry_at<'k>(&self, path: impl IntoIterator<Item = &'k str>) -> Option<Entry<'_>> {
        let mut path = path.into_iter();
        let first = path.next()?;
        let root = self.entries().find(|entry| entry.key == first)?;
        path.try_fold(root, |entry, key| self.mapping(entry)?.find(|inner| inner.key == key))
    }

    fn distinct<'f>(&'f self, entries: &'f [(NodeId, NodeId)]) -> impl Iterator<Item = Entry<'f>> {
        let mut seen = HashSet::new();
        let repeats = !self.tree.duplicates.is_empty();
        entries.iter().filter_map(move |(key, value)| {
            let node = self.tree.node(*key);
            // A key that is null is a key without a name.
            let name = match self.scalar(node)? {
                Scalar::Null => "",
                _ => self.tree.text(*key)?,
            };
            let entry = Entry { key: name, key_span: self.span(node), value: self.tree.node(*value), id: *value };
            (!repeats || seen.insert(entry.key)).then_some(entry)
        })
    }

    /// The fields of a value, if it is a mapping.
    pub(super) fn mapping<'f>(&'f self, entry: Entry<'f>) -> Option<impl Iterator<Item = Entry<'f>>> {
        match &entry.value.kind {
            NodeKind::Mapping(entries) => Some(self.distinct(entries)),
            NodeKind::Scalar { .. } | NodeKind::Sequence(_) => None,
        }
    }

    /// The items of a value, if it is a list.
    pub(super) fn sequence<'f>(&'f self, entry: Entry<'f>) -> Option<impl Iterator<Item = &'f Node<'f>>> {
        match &entry.value.kind {
            NodeKind::Sequence(items) => Some(items.iter().map(|id| self.tree.node(*id))),
            NodeKind::Scalar { .. } | NodeKind::Mapping(_) => None,
        }
    }

    /// The items of a value that is a list, as fields without a key of their own.
    pub(super) fn items<'f>(&'f self, entry: Entry<'f>) -> impl Iterator<Item = Entry<'f>> {
        let ids = if let NodeKind::Sequence(items) = &entry.value.kind { items.as_slice() } else { &[] };
        ids.iter().map(move |id| Entry { value: self.tree.node(*id), id: *id, ..entry })
    }

    /// The text of a scalar as it is written, whatever it means.
    pub(super) fn written(node: &Node<'_>) -> Option<String> {
        match &node.kind {
            NodeKind::Scalar { text, .. } if !node.span.is_empty() => Some(text.trim().to_owned()),
            _ => None,
        }
    }

    /// A field's value as JSON.
    pub(super) fn named(&self, entry: Entry<'_>, diagnostics: &mut Collector) -> Option<Named> {
        let mut left = self.budget.get();
        let value = self.tree.json(entry.id, self.schema, &mut left);
        // What grew too large once leaves nothing for the others.
        self.budget.set(if value.is_ok() { left } else { 0 });
        match value {
            Ok(value) => Some(Named { key: entry.key.to_owned(), value, span: self.span(entry.value) }),
            Err(problem) => {
                let message = format!("`{}` {}", entry.key, problem.message);
                diagnostics.push_error(|| malformed(entry.key_span, message).field(entry.key));
                None
            }
        }
    }

    pub(super) fn span(&self, node: &Node<'_>) -> Span {
        self.text.span(self.start + node.span.start..self.start + node.span.end)
    }

    /// Whether a field's value is a block that runs to the very end of the text.
    pub(super) fn is_last(&self, entry: Entry<'_>) -> bool {
        let last = self.tree.scalars().map(|node| node.span.end).max();
        let end = self.start + entry.value.span.end;
        let quoted = self.text.text[..end].ends_with(['"', '\'']);
        !quoted && last == Some(entry.value.span.end)
    }

    /// Whether a place lies in a scalar without quotes, into which YAML folds lines.
    pub(super) fn in_plain_scalar(&self, at: usize) -> bool {
        self.tree.scalars().any(|node| {
            let plain = matches!(node.kind, NodeKind::Scalar { plain: true, .. });
            plain && (self.start + node.span.start..self.start + node.span.end).contains(&at)
        })
    }

    /// What a scalar node is; a list or a mapping is none.
    pub(super) fn scalar<'n>(&self, node: &'n Node<'_>) -> Option<Scalar<'n>> {
        match &node.kind {
            NodeKind::Scalar { text, plain: true } => Some(self.schema.resolve(text)),
            NodeKind::Scalar { text, plain: false } => Some(Scalar::Text(text)),
            NodeKind::Sequence(_) | NodeKind::Mapping(_) => None,
        }
    }

    /// Says that `node`, which is the field's value or a part of it, has the wrong type.
    pub(super) fn wrong_type(&self, entry: Entry<'_>, node: &Node<'_>, must: &str) -> Diagnostic {
        let span = self.span(node);
        let diagnostic = Diagnostic::new(Code::InvalidFieldType, format!("`{}` {must}", entry.key))
            .field(entry.key)
            .section("frontmatter")
            .at(entry.key_span);
        let NodeKind::Scalar { text, .. } = &node.kind else {
            let found = if matches!(node.kind, NodeKind::Sequence(_)) { "this is a list" } else { "this is a mapping" };
            return diagnostic.related(span, found);
        };
        let found = match self.scalar(node) {
            Some(Scalar::Null) if node.span.is_empty() => {
                return diagnostic.help("give it a value, or delete the line");
            }
            Some(Scalar::Null) => "is null in YAML",
            Some(Scalar::Bool(_)) => "is a boolean in YAML",
            _ => "is a number in YAML",
        };
        if matches!(self.scalar(node), Some(Scalar::Text(_))) {
            return diagnostic.related(span, "this is text");
        }
        let diagnostic = diagnostic.related(span, format!("{} {found}", shown(text)));
        diagnostic.help("put it in quotes to make it text").fix(span, format!("\"{text}\""))
    }
}

/// A key that a tab stands before.
fn tab_before(tree: &Tree<'_>, entries: &[(NodeId, NodeId)], text: &str) -> Option<Problem> {
    let keys = entries.iter().map(|(key, _)| tree.node(*key).span.start);
    let indents = keys.map(|key| text[..key].rfind('\n').map_or(0, |newline| newline + 1)..key);
    let tab = indents
        .filter(|indent| text[indent.clone()].trim().is_empty())
        .find(|indent| text[indent.clone()].contains('\t'))?;
    Some(Problem {
        help: Some("indent with spaces"),
        ..Problem::new("is indented with a tab, which YAML does not allow", tab)
    })
}

/// A diagnostic about the frontmatter as a whole.
pub(super) fn malformed(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::MalformedFrontmatter, message).section("frontmatter").at(span)
}

/// Splits a text that may have frontmatter. `Ok(None)` when it has none; `Err` when it was meant
/// to have some.
pub(super) fn split(text: &Unified<'_>) -> Result<Option<Split>, Box<Diagnostic>> {
    let broken = match frontmatter::opening(&text.text) {
        Opening::Absent => return Ok(None),
        Opening::Misplaced(line) => {
            malformed(text.span(line.clone()), "frontmatter must open with `---` alone on the very first line")
                .help("delete what is before and around the dashes; for a horizontal rule in the text, write `***`")
                .fix(text.span(0..line.end), "---")
        }
        Opening::Fence => match frontmatter::split(&text.text) {
            Some(split) => return Ok(Some(split)),
            None => unclosed(text, Diagnostic::new(Code::MalformedFrontmatter, "frontmatter is never closed")),
        },
    };
    Err(Box::new(broken))
}

/// Points at the fence that is never closed, and at the line that was probably meant to close it.
pub(super) fn unclosed(text: &Unified<'_>, diagnostic: Diagnostic) -> Diagnostic {
    let diagnostic = diagnostic.section("frontmatter").at(text.span(0..3)).help("close it with `---` alone on a line");
    match frontmatter::likely_close(&text.text) {
        Some(line) => {
            let span = text.span(line);
            diagnostic.related(span, "this line was probably meant to close it").fix(span, "---")
        }
        None => diagnostic,
    }
}

/// Fields that the dialect does not read, as fresh frontmatter; a key that means something here is left
/// out, because it meant something else where it came from.
pub(super) fn extras(items: &[Item], known: &[&str]) -> String {
    let texts = |field| items.iter().filter(move |item| item.field == field).filter_map(|item| item.value.as_text());
    let version = texts(Field::Version).next().map(|version| yaml::field("version", &version.into()));
    let tags: Vec<&str> = texts(Field::Tag).collect();
    let tags = (!tags.is_empty()).then(|| yaml::field("tags", &tags.into()));
    let fields = items.iter().filter_map(|item| match &item.value {
        model::Value::Entry { key, value } if !known.contains(&key.as_str()) => Some(yaml::field(key, value)),
        _ => None,
    });
    version.into_iter().chain(tags).chain(fields).collect()
}
