use serde::Serialize;

use super::render::go_string;
use super::{Document, LISTS};

impl Document {
    /// The `# Agent Soul` block; text is never escaped here.
    pub(crate) fn identity(&self, source_path: &str) -> String {
        let mut lines = vec!["<agh-agent-soul>".to_owned(), "# Agent Soul".to_owned(), String::new()];
        lines.push(format!("Digest: {}", self.digest()));
        if !source_path.trim().is_empty() {
            lines.push(format!("Source: {source_path}"));
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

/// A soul in at most so many bytes of JSON: what a context needs, never the body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compact {
    /// The role, as much of it as fits.
    pub role: String,
    /// The tone, as much of it as fits.
    pub tone: Vec<String>,
    /// The principles, as many as fit.
    pub principles: Vec<String>,
    /// Whether anything was left out.
    pub truncated: bool,
}

/// Fits role, tone and principles into `budget` bytes: principles go first, from the end, then
/// tone, then the role by characters. Linear in the size of the soul.
#[must_use]
pub fn compact(document: &Document, budget: usize) -> Compact {
    let texts = |index: usize| document.list(index).into_iter().flatten().map(str::to_owned).collect::<Vec<_>>();
    let mut compact =
        Compact { role: document.role().to_owned(), tone: texts(0), principles: texts(1), truncated: false };
    let cost = |text: &str| {
        let mut json = String::new();
        go_string(text, &mut json);
        json.len()
    };
    let list_cost = |items: &[String]| items.iter().map(|item| cost(item) + 1).sum::<usize>();
    let mut size = cost(&compact.role) + list_cost(&compact.tone) + list_cost(&compact.principles);
    for list in [&mut compact.principles, &mut compact.tone] {
        while size > budget {
            let Some(dropped) = list.pop() else { break };
            size -= cost(&dropped) + 1;
            compact.truncated = true;
        }
    }
    while size > budget {
        let Some(dropped) = compact.role.pop() else { break };
        size -= cost(dropped.encode_utf8(&mut [0; 4])) - 2;
        compact.truncated = true;
    }
    compact
}
