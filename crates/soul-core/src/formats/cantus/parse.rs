use std::ops::Range;

use super::{Document, SECTIONS, Section};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::{Context, control};
use crate::text::{BOM, LineEnds, Source, Span, Unified, closest, python_strip, shown};

/// Reads a cantus soul.
pub(crate) fn parse(source: Source, _context: &Context, diagnostics: &mut Collector) -> Document {
    let mut document = Document::default();
    if let Some(text) = source.text() {
        let text = Unified::new(text, 0, LineEnds::All);
        read(&text, &mut document, diagnostics);
        missing(&text, &document, diagnostics);
        control::check(&source, 0..source.bytes().len(), diagnostics);
    }
    document.source = source;
    document
}

fn read(text: &Unified<'_>, document: &mut Document, diagnostics: &mut Collector) {
    let headers: Vec<(Range<usize>, &str)> = headers(&text.text).collect();
    let bodies_end = headers.iter().skip(1).map(|(line, _)| line.start).chain([text.text.len()]);
    let preamble = section(text, 0..headers.first().map_or(text.text.len(), |(line, _)| line.start));
    document.preamble = Some(preamble).filter(|section| !section.body.is_empty());
    let mut first_seen: [Option<Span>; 6] = [None; 6];
    let mut strangers = Vec::new();
    for ((line, title), end) in headers.iter().zip(bodies_end) {
        let span = text.span(line.clone());
        let section = section(text, (line.end + 1).min(end)..end);
        let index = SECTIONS.iter().position(|(known, _)| known == title);
        match index.map(|index| (index, first_seen[index])) {
            Some((index, None)) => {
                first_seen[index] = Some(span);
                document.sections[index] = Some(section);
                continue;
            }
            Some((_, Some(first))) => {
                document.duplicates.push((*title).to_owned());
                diagnostics.push_error(|| duplicate(title, span, first));
            }
            None => {
                document.unexpected.push((*title).to_owned());
                strangers.push((*title, span));
            }
        }
        document.others.push(((*title).to_owned(), section));
    }
    // Only a section that is missing can have been meant.
    let missing: Vec<_> = document.missing().collect();
    strangers.into_iter().for_each(|(title, span)| diagnostics.push_error(|| unexpected(title, span, &missing)));
}

fn duplicate(title: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateSection, format!("duplicate section `{title}`"))
        .section(title)
        .at(span)
        .related(first, "first defined here; this one counts")
        .help("merge the two; headings inside code blocks count too, so indent those")
}

fn section(text: &Unified<'_>, range: Range<usize>) -> Section {
    let whole = &text.text[range.clone()];
    let body = python_strip(whole);
    let start = range.start + (body.as_ptr() as usize - whole.as_ptr() as usize);
    Section { body: body.to_owned(), span: text.span(start..start + body.len()) }
}

/// Header lines with their stripped titles.
fn headers(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    lines(text).filter_map(|(range, line)| Some((range, python_strip(line.strip_prefix("## ")?))))
}

fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        (range, line)
    })
}

/// How many of the six titles a text, with `\n` for line ends, has as headers.
pub(crate) fn known_titles(text: &str) -> usize {
    let mut found = [false; SECTIONS.len()];
    for (_, header) in headers(text) {
        found.iter_mut().zip(SECTIONS).for_each(|(found, (title, _))| *found |= header == title);
    }
    found.into_iter().filter(|found| *found).count()
}

fn unexpected(title: &str, span: Span, missing: &[&'static str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(Code::UnexpectedSection, format!("{} is not one of the six sections", shown(title)))
            .section(title)
            .at(span);
    match closest(title, missing.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `## {near}`?")).fix(span, format!("## {near}")),
        None => diagnostic
            .help("use `### …` for a heading inside a section; headings inside code blocks count too, so indent those"),
    }
}

/// Reports what is missing, and the line that was probably meant.
fn missing(text: &Unified<'_>, document: &Document, diagnostics: &mut Collector) {
    for title in document.missing() {
        let diagnostic =
            Diagnostic::new(Code::MissingSection, format!("the section `{title}` is missing")).section(title);
        let near = lines(&text.text).find_map(|(range, line)| near_miss(line, title).map(|why| (range, why)));
        diagnostics.push(match near {
            Some((range, why)) => {
                let span = text.span(range);
                diagnostic.at(span).help(format!("{why}; write `## {title}`")).fix(span, format!("## {title}"))
            }
            None => diagnostic.help(format!("add `## {title}` on a line of its own; the section may be empty")),
        });
    }
}

/// Why a line that names the section is not its header. A header with another title is reported
/// as unexpected instead.
fn near_miss(line: &str, title: &str) -> Option<&'static str> {
    let bare =
        line.trim_start_matches([BOM, ' ', '\t', '#', '>', '*', '_']).trim_end_matches([':', '#', '*', '_', ' ', '\t']);
    if python_strip(bare) != title || line.starts_with("## ") {
        return None;
    }
    let hashes = line.trim_start_matches([BOM, ' ', '\t', '>']);
    Some(match hashes.len() - hashes.trim_start_matches('#').len() {
        _ if line.starts_with(BOM) => "a byte order mark hides this header",
        0 => "this line names it but is not a header",
        2 if hashes.len() < line.len() => "this header is indented or quoted",
        2 => "a header needs exactly one space after `##`",
        _ => "this header has a different level",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse as parse_any;
    use crate::model::Dialect;

    fn six(replace: &str, with: &str) -> String {
        let text: String = SECTIONS.iter().map(|(title, _)| format!("## {title}\ntext\n\n")).collect();
        text.replace(replace, with)
    }

    fn helps(text: &str) -> Vec<(String, Option<usize>, String)> {
        let parsed = parse_any(Source::from(text), Dialect::Cantus, &Context::default());
        parsed.diagnostics.into_iter().map(|d| (d.code.to_string(), d.line, d.help.unwrap_or_default())).collect()
    }

    #[test]
    fn near_misses_say_what_to_write() {
        for (wrong, why) in [
            ("##Rules", "space"),
            ("### Rules", "level"),
            ("  ## Rules", "indented"),
            ("**Rules**", "no header"),
            ("Rules:", "no header"),
            ("##\tRules", "space"),
        ] {
            let found = helps(&six("## Rules", wrong));
            assert_eq!(found.len(), 1, "{wrong}: {found:?}");
            assert_eq!(found[0].1, Some(7));
            assert!(found[0].2.contains(why), "{wrong}: {found:?}");
        }
        let bom = helps(&format!("\u{feff}{}", six("", "")));
        assert!(bom[0].2.contains("byte order mark"), "{bom:?}");
    }

    #[test]
    fn unexpected_titles_get_a_suggestion() {
        let found = helps(&six("## Output format", "## Output Format:"));
        assert!(
            found.iter().any(|(code, line, help)| code == "unexpected_section"
                && *line == Some(13)
                && help.contains("`## Output format`")),
            "{found:?}"
        );
    }

    #[test]
    fn fixes_lead_to_a_valid_soul() {
        for wrong in ["##Rules", "## rules", "## **Rules**", "# Rules"] {
            let parsed = parse_any(Source::from(six("## Rules", wrong).as_str()), Dialect::Cantus, &Context::default());
            let fixes: Vec<_> = parsed.diagnostics.iter().filter_map(|d| d.fix.clone()).collect();
            let again = parse_any(Source::new(parsed.document.render(&fixes)), Dialect::Cantus, &Context::default());
            assert_eq!(again.diagnostics, [], "{wrong}");
        }
    }
}
