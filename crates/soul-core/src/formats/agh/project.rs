use super::{Document, LISTS};
use crate::formats::Provenance;

impl Document {
    /// The `# Agent Soul` block; text is never escaped here.
    pub(crate) fn identity(&self, from: Provenance<'_>) -> String {
        let mut lines = vec!["<agh-agent-soul>".to_owned(), "# Agent Soul".to_owned(), String::new()];
        if let Some(id) = from.snapshot_id {
            lines.push(format!("Snapshot ID: {id}"));
        }
        lines.push(format!("Digest: {}", self.digest()));
        if !from.source_path.trim().is_empty() {
            lines.push(format!("Source: {}", from.source_path));
        }
        if !self.role().is_empty() {
            lines.push(format!("Role: {}", self.role()));
        }
        for (index, (_, _, title)) in LISTS.iter().enumerate() {
            let mut items = self.list(index).into_iter().flatten().peekable();
            if items.peek().is_some() {
                lines.push(format!("{title}:"));
                lines.extend(items.map(|item| format!("- {item}")));
            }
        }
        if !self.body.trim().is_empty() {
            lines.extend([String::new(), "## Body".to_owned(), self.body.trim().to_owned()]);
        }
        lines.push("</agh-agent-soul>".to_owned());
        lines.join("\n")
    }
}
