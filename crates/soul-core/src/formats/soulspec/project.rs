use super::Document;
use crate::formats::Provenance;
use crate::formats::agentos;

impl Document {
    /// The body of SOUL.md.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.body().trim().to_owned()
    }

    /// The soul's own text, without frontmatter.
    pub(super) fn body(&self) -> &str {
        let text = self.file(self.soul_file()).unwrap_or_default();
        agentos::split(text).map_or(text, |halves| &text[halves.body])
    }
}
