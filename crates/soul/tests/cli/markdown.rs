//! Markdown whose code blocks are files and commands.

use std::path::Path;

/// A part of a text, in its order.
pub(crate) enum Part<'a> {
    /// A line outside of code.
    Line(&'a str),
    /// A code block: what stands behind its fence, and its lines.
    Block { info: &'a str, lines: &'a [&'a str] },
}

/// The text, with the content of each block replaced by what `visit` answers.
pub(crate) fn rewrite(text: &str, mut visit: impl FnMut(Part) -> Option<String>) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let fence: String = line.chars().take_while(|c| *c == '`').collect();
        if fence.len() < 3 {
            visit(Part::Line(line));
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        let content = visit(Part::Block { info: &line[fence.len()..], lines: &block });
        out.push_str(&content.unwrap_or_else(|| block.iter().map(|line| format!("{line}\n")).collect()));
        out.push_str(&fence);
        out.push('\n');
    }
    out
}

/// Writes the file that a block shows.
pub(crate) fn write_file(path: &Path, lines: &[&str]) {
    use std::os::unix::fs::DirBuilderExt;
    // Private, as the keeper makes its home.
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path.parent().unwrap()).unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(path, text).unwrap();
}

/// The first place where the two part, with a few lines around it.
pub(crate) fn difference(expected: &str, actual: &str) -> String {
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let show = |text: &str, mark: char| -> String {
        text.lines().skip(same).take(6).map(|line| format!("  {mark} {line}\n")).collect()
    };
    format!("line {}:\n{}{}", same + 1, show(expected, '-'), show(actual, '+'))
}
