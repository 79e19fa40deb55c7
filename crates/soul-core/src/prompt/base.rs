use std::fmt;

use crate::text::BOM;

/// The frontmatter of an AGENT.md is never closed, so that the prompt cannot be separated from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed;

impl fmt::Display for Unclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its frontmatter is not closed")
    }
}

impl std::error::Error for Unclosed {}

/// The base prompt in an AGENT.md: the text after the frontmatter, which belongs to the runtime and may contain
/// what no model should read.
///
/// # Errors
/// If the frontmatter is not closed.
pub fn agent_body(text: &str) -> Result<&str, Unclosed> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let is_fence = |line: &str| line.trim_end() == "---";
    let Some(first) = lines.next().filter(|line| is_fence(line)) else { return Ok(text) };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if is_fence(line) {
            return Ok(&text[at..]);
        }
    }
    Err(Unclosed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontmatter_never_reaches_the_prompt() {
        assert_eq!(agent_body("---\nname: a\n---\nYou help.\n"), Ok("You help.\n"));
        assert_eq!(agent_body("\u{feff}---\r\nname: a\r\n--- \r\nYou\r\n---\r\n"), Ok("You\r\n---\r\n"));
        assert_eq!(agent_body("You help.\n---\n"), Ok("You help.\n---\n"));
        assert_eq!(agent_body("---\nkey: secret\n"), Err(Unclosed));
        assert_eq!(agent_body("---"), Err(Unclosed));
        assert_eq!(agent_body(""), Ok(""));
    }
}
