//! Frontmatter as the editors' tools read it: plain `key: value` lines between two fences.

use super::Traced;

/// The value of a key, and the text after the frontmatter.
pub(super) struct Split<'a> {
    block: &'a str,
    pub(super) body: Traced,
}

impl Split<'_> {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let line = self.block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        Some(line.trim())
    }

    /// A value, or a list below the key.
    pub(super) fn has_value(&self, key: &str) -> bool {
        let mut lines = self.block.lines();
        let Some(value) = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')) else { return false };
        let value = value.trim();
        (!value.is_empty() && value != "[]") || lines.next().is_some_and(|line| line.trim_start().starts_with("- "))
    }
}

pub(super) fn split(text: &Traced) -> Split<'_> {
    let source = text.as_str();
    let whole = || Split { block: "", body: text.clone() };
    let opening = source.strip_prefix('\u{feff}').unwrap_or(source);
    let Some(rest) = opening.strip_prefix("---\n").or_else(|| opening.strip_prefix("---\r\n")) else { return whole() };
    let start = source.len() - rest.len();
    let mut at = start;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            let body = text.slice(at + line.len()..source.len());
            return Split { block: &source[start..at], body };
        }
        at += line.len();
    }
    whole()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_follows_the_second_fence() {
        let text = Traced::lossy(b"---\nname: a\nglobs:\n  - b\n---\nBody\n", 0);
        let split = split(&text);
        assert_eq!(split.get("name"), Some("a"));
        assert!(split.has_value("globs") && !split.has_value("paths"));
        assert_eq!(split.body.as_str(), "Body\n");
        assert_eq!(super::split(&Traced::from("---\nnever closed\n")).body.as_str(), "---\nnever closed\n");
    }
}
