use super::{Document, SECTIONS};
use crate::formats::Provenance;

impl Document {
    /// The six sections in canonical order, joined by blank lines; bodies stand as they are.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        let blocks = SECTIONS.iter().enumerate().map(|(index, (title, _))| format!("## {title}\n{}", self.body(index)));
        blocks.collect::<Vec<_>>().join("\n\n")
    }
}
