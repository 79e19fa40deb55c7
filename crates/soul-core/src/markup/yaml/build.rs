//! From the parser's events to the tree, within budgets.

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use super::explain::{explain, is_unclosed_quote};
use super::{NodeId, NodeKind, Problem, Tree};
use crate::text::shown;

/// Budgets that end the parse of a text no person wrote.
pub(super) const MAX_EVENTS: usize = 20_000;
const MAX_DEPTH: usize = 64;

#[derive(Default)]
pub(super) struct Builder<'a> {
    tree: Tree<'a>,
    /// Collections that are not closed yet, and for a mapping the key that waits for its value.
    open: Vec<(NodeId, Option<NodeId>)>,
    anchors: HashMap<usize, NodeId>,
    documents: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn run(mut self, text: &'a str) -> Result<Tree<'a>, Problem> {
        // A key may be as long as its text, so that a long one is reported as such.
        let mut options = granit_parser::options! { disallow_directives: true, simple_key_max_lookahead: 1 << 16 };
        options.set_emit_comments(false);
        for (count, event) in Parser::new_from_str_with_options(text, options).enumerate() {
            let (event, span) = event.map_err(|error| scan_problem(&error, text))?;
            let span = span.byte_range().unwrap_or_default();
            if count >= MAX_EVENTS {
                return Err(Problem::new(format!("has more than {MAX_EVENTS} YAML nodes"), span));
            }
            self.take(event, span)?;
        }
        Ok(self.tree)
    }

    fn take(&mut self, event: Event<'a>, span: Range<usize>) -> Result<(), Problem> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Problem::new("contains a second YAML document", span));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let plain = match core_tag(tag.as_deref(), &span)? {
                    None => style == ScalarStyle::Plain,
                    Some("str") => false,
                    Some("map" | "seq") => return Err(Problem::new("has a tag that does not match its value", span)),
                    Some(_) => true,
                };
                self.add(NodeKind::Scalar { text, plain }, span, anchor)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.enter(NodeKind::Sequence(Vec::new()), span, anchor, tag.as_deref())?
            }
            Event::MappingStart(_, anchor, tag) => {
                self.enter(NodeKind::Mapping(Vec::new()), span, anchor, tag.as_deref())?
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((id, _)) = self.open.pop() {
                    self.tree.node_mut(id).span.end = span.end;
                    self.tree.find_duplicates(id);
                }
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor) {
                Some(id) if self.open.iter().any(|(open, _)| open == id) => {
                    return Err(Problem::new("has an alias inside the node that it refers to", span));
                }
                Some(id) => {
                    self.tree.has_aliases = true;
                    self.place(*id)?;
                }
                None => return Err(Problem::new("has an alias without its anchor", span)),
            },
            _ => {}
        }
        Ok(())
    }

    fn enter(
        &mut self,
        kind: NodeKind<'a>,
        span: Range<usize>,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<(), Problem> {
        let fitting = if matches!(kind, NodeKind::Sequence(_)) { "seq" } else { "map" };
        if core_tag(tag, &span)?.is_some_and(|tag| tag != fitting) {
            return Err(Problem::new("has a tag that does not match its value", span));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Problem::new(format!("is nested more than {MAX_DEPTH} levels deep"), span));
        }
        let id = self.add(kind, span, anchor)?;
        self.open.push((id, None));
        Ok(())
    }

    fn add(&mut self, kind: NodeKind<'a>, span: Range<usize>, anchor: usize) -> Result<NodeId, Problem> {
        let id = self.tree.add(kind, span);
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        self.place(id)?;
        Ok(id)
    }

    /// Gives a node its place in the innermost open collection, or makes it the root.
    fn place(&mut self, id: NodeId) -> Result<(), Problem> {
        let Some((parent, key)) = self.open.last_mut() else {
            self.tree.set_root(id);
            return Ok(());
        };
        let parent = *parent;
        let is_scalar = matches!(self.tree.node(id).kind, NodeKind::Scalar { .. });
        match &mut self.tree.node_mut(parent).kind {
            NodeKind::Sequence(items) => items.push(id),
            NodeKind::Mapping(entries) => match key.take() {
                Some(key) => entries.push((key, id)),
                None if is_scalar => *key = Some(id),
                None => {
                    let span = self.tree.node(id).span.clone();
                    return Err(Problem::new("has a list or a mapping as a key", span));
                }
            },
            NodeKind::Scalar { .. } => {}
        }
        Ok(())
    }
}

/// The tag of YAML's core schema that a node has, if any; another tag is a problem. A bare `!`
/// says that a scalar is text.
fn core_tag<'t>(tag: Option<&'t Tag>, span: &Range<usize>) -> Result<Option<&'t str>, Problem> {
    let Some(tag) = tag else { return Ok(None) };
    match tag.core_suffix() {
        Some(suffix) => Ok(Some(suffix)),
        None if tag.original() == "!" => Ok(Some("str")),
        None => {
            let message = format!("has the tag {}, which means nothing here", shown(&tag.original()));
            Err(Problem { help: Some("delete the tag"), ..Problem::new(message, span.clone()) })
        }
    }
}

fn scan_problem(error: &ScanError, text: &str) -> Problem {
    let mut at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
    if is_unclosed_quote(error.kind()) {
        at = text[..at].rfind(['"', '\'']).unwrap_or(at);
    }
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    match explain(error.kind()) {
        Some((message, help)) => Problem { help: Some(help), ..Problem::new(message, at..end) },
        None => Problem::new(format!("is not valid YAML: {}", error.info()), at..end),
    }
}
