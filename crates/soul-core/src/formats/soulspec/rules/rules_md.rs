//! RULES.md: what must always, must never, and when to ask.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::markup::markdown::outline;
use crate::model::Field;
use crate::text::{BOM, Span, closest, shown};

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    let Some(source) = document.source_of("RULES.md") else { return };
    let Some(text) = source.text() else { return };
    let sections: Vec<_> = outline(text).into_iter().filter(|heading| heading.level == HeadingLevel::H2).collect();
    let rules = entries(text);
    for heading in &sections {
        let at = |message: String| {
            let span = Span::new(heading.range.start, heading.range.end);
            Diagnostic::new(Code::RulesSection, message)
                .section(heading.title.clone())
                .in_file("RULES.md", source, span)
        };
        match section(&heading.title) {
            None => diagnostics.push_with(|| {
                let message = format!(
                    "{} is not one of the three sections of RULES.md; its rules are ignored",
                    shown(&heading.title)
                );
                match closest(&heading.title, SECTIONS.iter().map(|(name, _)| *name)) {
                    Some(near) => at(message).help(format!("did you mean `## {near}`?")),
                    None => at(message).help("the sections are Must Always, Must Never and Escalation"),
                }
            }),
            Some(field) if !rules.iter().any(|(of, ..)| *of == field) => {
                let message = format!("{} has no list, so it has no rules", shown(&heading.title));
                diagnostics.push_with(|| at(message).help("write each rule as a list item"));
            }
            Some(_) => {}
        }
    }
    if !sections.iter().any(|heading| section(&heading.title).is_some()) {
        let diagnostic =
            Diagnostic::new(Code::RulesSection, "RULES.md has none of the three sections, so it has no rules");
        let diagnostic = diagnostic.in_file("RULES.md", source, Span::new(0, 0));
        diagnostics
            .push(diagnostic.help("add `## Must Always`, `## Must Never` or `## Escalation`, with a list below"));
    }
}

/// The three sections, and the field that each fills.
pub(crate) const SECTIONS: [(&str, Field); 3] =
    [("Must Always", Field::MustAlways), ("Must Never", Field::MustNever), ("Escalation", Field::Escalation)];

fn section(title: &str) -> Option<Field> {
    SECTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(title.trim())).map(|(_, field)| *field)
}

/// What RULES.md holds, in the order of the text.
enum Part {
    Rule(Field, String, Span),
    Prose(String),
}

/// The rules of RULES.md: the entries of lists in the three sections, with their places.
pub(crate) fn entries(text: &str) -> Vec<(Field, String, Span)> {
    let rule = |part| match part {
        Part::Rule(field, rule, span) => Some((field, rule, span)),
        Part::Prose(_) => None,
    };
    let mut rules: Vec<_> = parts(text).into_iter().filter_map(rule).collect();
    rules.sort_by_key(|(_, _, span)| *span);
    rules
}

/// What RULES.md says besides its rules, if anything.
pub(crate) fn beside_rules(text: &str) -> Option<String> {
    let prose = |part| match part {
        Part::Prose(prose) => Some(prose),
        Part::Rule(..) => None,
    };
    let prose: Vec<String> = parts(text).into_iter().filter_map(prose).collect();
    (!prose.is_empty()).then(|| prose.join("\n"))
}

fn parts(text: &str) -> Vec<Part> {
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let headings = outline(&text[start..]);
    let mut parts = Vec::new();
    let mut current: Option<Field> = None;
    // Where each open entry begins, and where its own text ends.
    let mut items: Vec<(usize, usize)> = Vec::new();
    let mut in_heading = false;
    for (event, range) in Parser::new(&text[start..]).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                in_heading = true;
                let title = headings
                    .iter()
                    .find(|heading| heading.range.start == range.start)
                    .map_or("", |heading| &heading.title);
                if level <= HeadingLevel::H2 {
                    current = section(title).filter(|_| level == HeadingLevel::H2);
                }
                // The title of the file is usual, every other heading says something.
                if level > HeadingLevel::H1 && section(title).is_none() {
                    parts.push(Part::Prose(title.to_owned()));
                }
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Item) => items.push((range.start, range.end)),
            Event::Start(Tag::List(_)) => items.iter_mut().for_each(|(_, end)| *end = range.start.min(*end)),
            Event::End(TagEnd::Item) => {
                if let Some((at, end)) = items.pop() {
                    let statement = unmarked(&text[start + at..start + end]);
                    let span =
                        Span::new(start + at, start + at + text[start + at..].lines().next().map_or(0, str::len));
                    parts.push(match current {
                        Some(field) if !statement.is_empty() => Part::Rule(field, statement, span),
                        _ => Part::Prose(statement),
                    });
                }
            }
            Event::Text(piece) | Event::Code(piece) | Event::Html(piece) | Event::InlineHtml(piece)
                if !in_heading && items.is_empty() && !piece.trim().is_empty() =>
            {
                parts.push(Part::Prose(piece.into_string()));
            }
            _ => {}
        }
    }
    parts
}

/// An entry of a list on one line, without its mark; what is marked inside it stays so.
fn unmarked(entry: &str) -> String {
    let entry = entry.trim_start();
    let number = entry.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match number.strip_prefix(['.', ')']) {
        Some(rest) if number.len() < entry.len() => rest,
        _ => entry.strip_prefix(['-', '*', '+']).unwrap_or(entry),
    };
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_kind_are_rules_and_code_is_not() {
        let text = "\u{feff}## Must Never\n1. one\n2. two\n   goes on\n### Files\n+ three `x`\n\n  four\n  - nested\n\n```\n- code\n```\n<!--\n- hidden\n-->\n## Escalation\n- ask\n# Must Always\n- not here\n";
        let rules: Vec<_> = entries(text).into_iter().map(|(field, rule, _)| (field, rule)).collect();
        let never = Field::MustNever;
        assert_eq!(
            rules,
            [
                (never, "one".into()),
                (never, "two goes on".into()),
                (never, "three `x` four".into()),
                (never, "nested".into()),
                (Field::Escalation, "ask".into())
            ]
        );
        assert!(beside_rules(text).unwrap().contains("not here"));
        assert_eq!(beside_rules("# Rules\n\n## Must Never\n- a\n"), None);
    }
}
