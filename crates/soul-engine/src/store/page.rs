use serde_json::Value;

use super::{Mutation, Proposal, Revision, Run, Session, Task};

/// The most bytes of text on a page. A page that would have more ends early.
const MOST: usize = 8 << 20;

/// An entry of a list that is read in pages.
pub(crate) trait PageItem {
    /// About how many bytes of text it has, if that can be many.
    fn bytes(&self) -> usize {
        0
    }
}

impl PageItem for Revision {
    fn bytes(&self) -> usize {
        self.body.as_ref().map_or(0, Vec::len)
    }
}

impl PageItem for Task {
    fn bytes(&self) -> usize {
        json_bytes(&self.payload)
    }
}

impl PageItem for Run {
    fn bytes(&self) -> usize {
        json_bytes(&self.payload)
    }
}

impl PageItem for Session {}

impl PageItem for Mutation {
    fn bytes(&self) -> usize {
        self.reason.len() + self.evidence.as_ref().map_or(0, String::len)
    }
}

impl PageItem for Proposal {
    fn bytes(&self) -> usize {
        let texts = [&self.reason, &self.evidence].into_iter().flatten().map(String::len).sum::<usize>();
        texts + self.findings.len() * 256 + self.diagnostics.len() * 256
    }
}

/// Counts what is on a page.
#[derive(Default)]
pub(crate) struct PageBytes {
    items: usize,
    bytes: usize,
}

impl PageBytes {
    /// Counts an item; whether it is one that no longer belongs on the page. The first one always does.
    pub(crate) fn is_full_after(&mut self, item: &impl PageItem) -> bool {
        self.items += 1;
        self.bytes = self.bytes.saturating_add(item.bytes());
        self.items > 1 && self.bytes > MOST
    }
}

/// About how long a value is as JSON.
pub(crate) fn json_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(values) => values.iter().map(|value| json_bytes(value) + 1).sum::<usize>() + 2,
        Value::Object(values) => values.iter().map(|(key, value)| key.len() + json_bytes(value) + 4).sum::<usize>() + 2,
    }
}
