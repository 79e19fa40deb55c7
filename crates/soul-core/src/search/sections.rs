use crate::markup::markdown;
use crate::text::BOM;
use crate::time::Day;

/// A section of a memory file: the text from one heading up to the next one of any level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Text of the heading; for the text before the first heading, the title in the front matter or empty.
    pub heading: String,
    /// The parent headings, outermost first.
    pub path: Vec<String>,
    /// The 1-based line of the heading.
    pub line: usize,
    /// The last non-blank line.
    pub end_line: usize,
    /// The bytes of the section, including the heading.
    pub span: std::ops::Range<usize>,
    /// The offset of the text after the heading.
    pub body: usize,
}

/// The sections of a file, and the values of its front matter that apply to all of them.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sections {
    pub sections: Vec<Section>,
    /// The front matter's `date`.
    pub date: Option<Day>,
    /// Whether the front matter marks the file as archived or superseded.
    pub superseded: bool,
}

/// The most sections of a file; what follows belongs to the last.
const MOST: usize = 1 << 16;

/// How many bytes of a heading are repeated in what stands below it.
const LONGEST_ABOVE: usize = 200;

/// Splits a text at its headings, of all levels and both kinds, outside of code, lists and quotes. A heading that
/// only contains deeper headings is not a section; its words are in their paths.
///
/// ```
/// use soul_core::search::sections;
/// let text = "# Deploy\n\n## Rollback\n\n```sh\n# not a heading\n```\n";
/// let found = sections(text).sections;
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].heading.as_str(), found[0].line, found[0].end_line), ("Rollback", 3, 7));
/// assert_eq!(found[0].path, ["Deploy"]);
/// ```
#[must_use]
pub fn sections(text: &str) -> Sections {
    let front = FrontMatter::read(text);
    let lines = Lines::new(text);
    let mut outline = markdown::outline(&text[front.end..]);
    outline.retain(|heading| !heading.nested);
    outline.truncate(MOST);
    let starts = outline.iter().map(|heading| line_start(text, front.end + heading.range.start));
    let starts: Vec<usize> = starts.chain([text.len()]).collect();
    let mut found = Vec::new();
    let mut add = |heading: &str, path: &[(usize, String)], span: std::ops::Range<usize>, body: usize, leads: bool| {
        let content = &text[body..span.end];
        if content.trim().is_empty() && (leads || heading.is_empty()) {
            return;
        }
        let last = span.start + text[span.clone()].trim_end().len().max(1) - 1;
        found.push(Section {
            heading: heading.to_owned(),
            path: path.iter().map(|(_, title)| title.clone()).collect(),
            line: lines.at(span.start),
            end_line: lines.at(last).max(lines.at(span.start)),
            span,
            body,
        });
    };
    let top = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    if starts[0] > top {
        add(front.title, &[], top..starts[0], top, false);
    }
    let mut path: Vec<(usize, String)> = Vec::new();
    for (index, heading) in outline.iter().enumerate() {
        let level = heading.level as usize;
        path.retain(|(above, _)| *above < level);
        let next = &starts[index + 1];
        let body = (front.end + heading.range.end).min(*next);
        let title = heading.title.trim();
        let leads = outline.get(index + 1).is_some_and(|next| next.level > heading.level);
        add(title, &path, starts[index]..*next, body, leads);
        path.push((level, title[..title.floor_char_boundary(LONGEST_ABOVE)].to_owned()));
    }
    Sections { sections: found, date: front.date, superseded: front.superseded }
}

fn line_start(text: &str, at: usize) -> usize {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    if start == 0 && text.starts_with(BOM) { BOM.len_utf8() } else { start }
}

/// Where lines end: `\n`, `\r\n` or a lone `\r`.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Self(ends.map(|(at, _)| at).collect())
    }

    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset) + 1
    }
}

/// What stands between two `---` at the beginning of a file. Only the keys that search asks for are
/// read, each a plain line of its own.
#[derive(Default)]
struct FrontMatter<'a> {
    /// Where the text after it begins.
    end: usize,
    title: &'a str,
    date: Option<Day>,
    superseded: bool,
}

impl<'a> FrontMatter<'a> {
    fn read(text: &'a str) -> Self {
        let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let none = Self { end: start, ..Self::default() };
        let mut lines = text[start..].split_inclusive('\n');
        let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return none };
        let mut front = Self { end: start + first.len(), ..Self::default() };
        for line in lines {
            front.end += line.len();
            if line.trim_end() == "---" {
                return front;
            }
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim().trim_matches(['"', '\'']);
            match key {
                "title" => front.title = value,
                "date" | "updated" => front.date = value.get(..10).and_then(Day::parse).max(front.date),
                "status" => front.superseded |= matches!(value, "archived" | "superseded" | "deprecated" | "obsolete"),
                "superseded_by" => front.superseded |= !value.is_empty(),
                _ => {}
            }
        }
        // What is never closed is text.
        none
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, usize, usize)> {
        sections(text).sections.into_iter().map(|one| (one.heading, one.line, one.end_line)).collect()
    }

    fn one(heading: &str, line: usize, end: usize) -> (String, usize, usize) {
        (heading.to_owned(), line, end)
    }

    #[test]
    fn both_kinds_of_headings_at_all_levels() {
        let text = "# A\na\n\nB\n---\nb\n\n#### C #\nc\n\n###### D\n";
        assert_eq!(found(text), [one("A", 1, 2), one("B", 4, 6), one("C", 8, 9), one("D", 11, 11)]);
        let paths: Vec<_> = sections(text).sections.into_iter().map(|one| one.path.join("/")).collect();
        assert_eq!(paths, ["", "A", "A/B", "A/B/C"]);
    }

    #[test]
    fn code_lists_and_quotes_open_nothing() {
        assert_eq!(found("# A\n```\n# x\n```\n~~~\n## y\n~~~\n    # z\n- # l\n> # q\n"), [one("A", 1, 10)]);
        assert_eq!(found("# A\n<!--\n# x\n-->\n"), [one("A", 1, 4)]);
        assert_eq!(found("#no\n#hash tag\n"), [one("", 1, 2)]);
    }

    #[test]
    fn what_only_leads_on_is_no_section() {
        assert_eq!(found("# A\n\n## B\n\nb\n"), [one("B", 3, 5)]);
        assert_eq!(found("# A\n\n# B\n"), [one("A", 1, 1), one("B", 3, 3)]);
        assert_eq!(found("A\n===\n\nB\n---\n\nb\n"), [one("B", 4, 7)]);
    }

    #[test]
    fn no_text_becomes_more_than_it_is() {
        let wide = format!("# {}\n\n{}", "東".repeat(100_000), "## a\n\nb\n\n".repeat(1000));
        assert!(sections(&wide).sections.iter().all(|section| section.path[0].len() <= LONGEST_ABOVE));
        let many = sections(&"# a\n".repeat(MOST + 10)).sections;
        assert_eq!((many.len(), many[MOST - 1].end_line), (MOST, MOST + 10));
    }

    #[test]
    fn every_line_end_and_a_byte_order_mark() {
        assert_eq!(found("\u{feff}# A\r\na\r\n\r\n## B\r\nb"), [one("A", 1, 2), one("B", 4, 5)]);
        assert_eq!(found("\u{feff}"), []);
        assert_eq!(found(""), []);
        assert_eq!(found("\n \n"), []);
        assert_eq!(found("before\n\n# A\n"), [one("", 1, 1), one("A", 3, 3)]);
    }

    #[test]
    fn front_matter_speaks_for_the_file() {
        let text = "---\ntitle: Old plan\ndate: 2026-01-02\nstatus: archived\n---\n# A\nb\n";
        let all = sections(text);
        assert_eq!((all.date, all.superseded), (Day::parse("2026-01-02"), true));
        assert_eq!(found(text), [one("Old plan", 1, 5), one("A", 6, 7)]);
        assert_eq!(found("---\ntitle: x\n# A\nb\n")[0].1, 1);
        assert!(!sections("---\nstatus: active\nsuperseded_by:\n---\n").superseded);
    }
}
