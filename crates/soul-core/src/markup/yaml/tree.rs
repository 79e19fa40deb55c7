use std::borrow::Cow;
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::ops::Range;

use serde_json::Value;

use super::build::Builder;
use super::{Scalar, Schema};
use crate::text::shown;

/// The most values, or 64-byte pieces of text, that a tree with aliases may become as JSON.
const MAX_VALUES: usize = 20_000;
/// So many keys are compared one by one sooner than hashed.
const FEW: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(usize);

#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: NodeKind<'a>,
    /// Bytes of the text that was parsed.
    pub(crate) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) enum NodeKind<'a> {
    /// `plain` scalars are open to a schema's reading; quoted and `!!str` ones are text.
    Scalar {
        text: Cow<'a, str>,
        plain: bool,
    },
    Sequence(Vec<NodeId>),
    Mapping(Vec<(NodeId, NodeId)>),
}

/// Why a text is not a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) at: Range<usize>,
    /// An earlier place that the problem is about.
    pub(crate) first: Option<Range<usize>>,
    /// The next step.
    pub(crate) help: Option<&'static str>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        Self { message: message.into(), at, first: None, help: None }
    }
}

/// One YAML document: an arena of nodes.
#[derive(Debug, Default)]
pub(crate) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    root: Option<NodeId>,
    /// Keys that stand twice in one mapping. The tree has both.
    pub(crate) duplicates: Vec<Problem>,
    /// Whether any node stands in several places.
    pub(super) has_aliases: bool,
}

impl<'a> Tree<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, Problem> {
        Builder::default().run(text)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn add(&mut self, kind: NodeKind<'a>, span: Range<usize>) -> NodeId {
        self.nodes.push(Node { kind, span });
        NodeId(self.nodes.len() - 1)
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = Some(root);
    }

    pub(crate) fn root_id(&self) -> Option<NodeId> {
        self.root
    }

    /// The root node; a text of blanks and comments has none.
    pub(crate) fn root(&self) -> Option<&Node<'a>> {
        self.root.map(|id| self.node(id))
    }

    pub(crate) fn scalars(&self) -> impl Iterator<Item = &Node<'a>> {
        self.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Scalar { .. }))
    }

    /// Whether the whole document is a null.
    pub(crate) fn is_null(&self, schema: &Schema) -> bool {
        let null = |text: &str| schema.resolve(text) == Scalar::Null;
        matches!(self.root().map(|root| &root.kind), Some(NodeKind::Scalar { text, plain: true }) if null(text))
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node<'a> {
        &mut self.nodes[id.0]
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0]
    }

    /// The entries of the root mapping, with a root `<<` merged as if its keys were written there:
    /// a key that is written out wins over a merged one, an earlier merge over a later one.
    pub(crate) fn root_entries(&self) -> Result<Vec<(NodeId, NodeId)>, Problem> {
        let Some(root) = self.root() else { return Ok(Vec::new()) };
        let NodeKind::Mapping(entries) = &root.kind else {
            let help = Some("write a `key: value` for each entry");
            return Err(Problem { help, ..Problem::new("must be keys with values", root.span.clone()) });
        };
        let is_merge =
            |key: NodeId| matches!(&self.node(key).kind, NodeKind::Scalar { text, plain: true } if text == "<<");
        if !entries.iter().any(|(key, _)| is_merge(*key)) {
            return Ok(entries.clone());
        }
        let written = entries.iter().filter(|(key, _)| !is_merge(*key));
        let mut merged: Vec<(NodeId, NodeId)> = written.copied().collect();
        let mut seen: HashSet<&str> = merged.iter().filter_map(|(key, _)| self.text(*key)).collect();
        let mut done = HashSet::new();
        for (_, value) in entries.iter().filter(|(key, _)| is_merge(*key)) {
            let sources = match &self.node(*value).kind {
                NodeKind::Sequence(items) => items.as_slice(),
                _ => std::slice::from_ref(value),
            };
            // A mapping adds nothing the second time, so repeating an alias costs nothing.
            for source in sources.iter().filter(|source| done.insert(**source)) {
                let NodeKind::Mapping(entries) = &self.node(*source).kind else {
                    return Err(Problem::new("`<<` must merge a mapping", self.node(*value).span.clone()));
                };
                merged.extend(entries.iter().filter(|(key, _)| self.text(*key).is_some_and(|key| seen.insert(key))));
            }
        }
        Ok(merged)
    }

    /// Notes the keys that stand twice in a mapping.
    pub(crate) fn find_duplicates(&mut self, id: NodeId) {
        let NodeKind::Mapping(entries) = &self.node(id).kind else { return };
        let key = |index: usize| self.text(entries[index].0);
        let mut found = Vec::new();
        let mut note = |first: usize, second: usize| {
            let span = |index: usize| self.node(entries[index].0).span.clone();
            found.push(Problem {
                first: Some(span(first)),
                help: Some("keep one of the two"),
                ..Problem::new(format!("has the key {} twice", shown(key(second).unwrap_or_default())), span(second))
            });
        };
        if entries.len() <= FEW {
            for second in 1..entries.len() {
                (0..second).find(|first| key(*first) == key(second)).into_iter().for_each(|first| note(first, second));
            }
        } else {
            let mut seen = HashMap::with_capacity(entries.len());
            for second in 0..entries.len() {
                match seen.entry(key(second)) {
                    Entry::Vacant(entry) => {
                        entry.insert(second);
                    }
                    Entry::Occupied(first) => note(*first.get(), second),
                }
            }
        }
        self.duplicates.extend(found);
    }

    /// A node as a JSON value. Aliases are copied here, so the size is bounded.
    pub(crate) fn to_json(&self, id: NodeId, schema: &Schema) -> Result<Value, Problem> {
        self.json(id, schema, &mut self.budget())
    }

    /// How many values the whole of it may become. Without aliases it becomes no larger than it is.
    pub(crate) fn budget(&self) -> usize {
        if self.has_aliases { MAX_VALUES } else { usize::MAX }
    }

    /// The same, within what is left of a budget.
    pub(crate) fn json(&self, id: NodeId, schema: &Schema, budget: &mut usize) -> Result<Value, Problem> {
        let node = self.node(id);
        let size = if let NodeKind::Scalar { text, .. } = &node.kind { 1 + text.len() / 64 } else { 1 };
        *budget = budget
            .checked_sub(size)
            .ok_or_else(|| Problem::new("is too large when its aliases are expanded", node.span.clone()))?;
        Ok(match &node.kind {
            NodeKind::Scalar { text, plain: false } => text.as_ref().into(),
            NodeKind::Scalar { text, plain: true } => schema.resolve(text).into(),
            NodeKind::Sequence(items) => {
                items.iter().map(|item| self.json(*item, schema, budget)).collect::<Result<Vec<_>, _>>()?.into()
            }
            NodeKind::Mapping(entries) => {
                let mut map = serde_json::Map::new();
                for (key, value) in entries {
                    let value = self.json(*value, schema, budget)?;
                    let name = self.key(*key, schema);
                    // The same text twice is reported where it stands; two ways to write one key are not.
                    if map.contains_key(&name) && self.text(*key) != Some(&name) {
                        let message = format!("has the key {} in two spellings", shown(&name));
                        return Err(Problem::new(message, self.node(*key).span.clone()));
                    }
                    map.entry(name).or_insert(value);
                }
                map.into()
            }
        })
    }

    /// A key as JSON has it: a number or null by its value, not by how it is written.
    fn key(&self, id: NodeId, schema: &Schema) -> String {
        match &self.node(id).kind {
            NodeKind::Scalar { text, plain: true } => match schema.resolve(text) {
                Scalar::Null => "null".to_owned(),
                Scalar::Int(value) => value.to_string(),
                Scalar::Float(value) => value.to_string(),
                Scalar::Bool(_) | Scalar::Text(_) => text.clone().into_owned(),
            },
            _ => self.text(id).unwrap_or_default().to_owned(),
        }
    }

    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match &self.node(id).kind {
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::MAX_EVENTS;
    use super::*;

    fn problem(text: &str) -> String {
        match Tree::parse(text) {
            Ok(tree) => tree.root_entries().unwrap_err().message,
            Err(problem) => problem.message,
        }
    }

    fn keys(text: &str) -> Vec<String> {
        let tree = Tree::parse(text).unwrap();
        let entries = tree.root_entries().unwrap();
        entries.iter().map(|(key, _)| tree.text(*key).unwrap().to_owned()).collect()
    }

    #[test]
    fn bombs_stay_small() {
        let mut text = String::from("a0: &a0 [x, x, x]\n");
        for level in 1..60 {
            let below = level - 1;
            text.push_str(&format!("a{level}: &a{level} [*a{below}, *a{below}, *a{below}]\n"));
        }
        let tree = Tree::parse(&text).unwrap();
        assert!(tree.nodes.len() < 400, "{}", tree.nodes.len());
    }

    #[test]
    fn budgets_end_the_parse() {
        assert!(problem(&"[".repeat(100_000)).contains("recursion limit"));
        let wide = format!("a: [{}]", "x,".repeat(MAX_EVENTS));
        assert!(problem(&wide).contains("more than"));
        let deep: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert!(problem(&deep).contains("nested"));
    }

    #[test]
    fn cycles_and_foreign_tags_are_refused() {
        assert!(problem("a: &a [*a]").contains("alias inside"));
        assert!(problem("a: *b").contains("reference"));
        assert!(problem("a: !!python/object x").contains("tag"));
        assert!(problem("a: !custom x").contains("tag"));
        assert!(problem("a: !!str [x]").contains("does not fit"));
        assert!(problem("%YAML 1.2\n---\na: b").contains("directive"));
        assert!(problem("a: b\n...\nc: d").contains("second"));
        assert!(problem("? [a]\n: b").contains("key"));
        assert!(problem("- a").contains("keys with values"));
    }

    #[test]
    fn duplicates_name_both_places() {
        let tree = Tree::parse("role: A\n\"role\": B\n").unwrap();
        assert_eq!(tree.duplicates.len(), 1);
        assert_eq!(tree.duplicates[0].at, 8..14);
        assert_eq!(tree.duplicates[0].first, Some(0..4));
    }

    #[test]
    fn the_root_merges_once() {
        assert_eq!(keys("<<: {role: A, tone: b}\nrole: C\n"), ["role", "tone"]);
        assert_eq!(keys("x: &x {a: 1}\n<<: [*x, *x, {a: 2, b: 3}]\n"), ["x", "a", "b"]);
        assert!(problem("<<: text\n").contains("merge"));
    }
}
