//! RULES.md: what must always, must never, and when to ask.

use pulldown_cmark::HeadingLevel;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::markup::markdown::outline;
use crate::model::Field;
use crate::text::{Span, closest, shown};

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    let Some(source) = document.source_of("RULES.md") else { return };
    let text = source.text().unwrap_or_default();
    let sections: Vec<_> = outline(text).into_iter().filter(|heading| heading.level == HeadingLevel::H2).collect();
    let known = |title: &str| SECTIONS.iter().any(|(name, _)| name.eq_ignore_ascii_case(title.trim()));
    for heading in sections.iter().filter(|heading| !known(&heading.title)) {
        let span = Span::new(heading.range.start, heading.range.end);
        let message =
            format!("{} is none of the three sections of RULES.md, so nothing in it is a rule", shown(&heading.title));
        let diagnostic = Diagnostic::new(Code::RulesSection, message)
            .section(heading.title.clone())
            .in_file("RULES.md", source, span);
        diagnostics.push_with(|| match closest(&heading.title, SECTIONS.iter().map(|(name, _)| *name)) {
            Some(near) => diagnostic.help(format!("did you mean `## {near}`?")),
            None => diagnostic.help("the sections are Must Always, Must Never and Escalation"),
        });
    }
    if !sections.iter().any(|heading| known(&heading.title)) {
        let diagnostic =
            Diagnostic::new(Code::RulesSection, "RULES.md has none of its three sections, so it holds no rule");
        diagnostics.push(
            diagnostic
                .in_file("RULES.md", source, Span::new(0, 0))
                .help("add `## Must Always`, `## Must Never` or `## Escalation`, with a list below"),
        );
    }
}

/// The three sections, and the field that each fills.
pub(crate) const SECTIONS: [(&str, Field); 3] =
    [("Must Always", Field::MustAlways), ("Must Never", Field::MustNever), ("Escalation", Field::Escalation)];

/// The rules of RULES.md: the entries of the three sections, with their places.
pub(crate) fn entries(text: &str) -> Vec<(Field, String, Span)> {
    let headings = outline(text);
    let mut found = Vec::new();
    let ends = headings.iter().skip(1).map(|next| next.range.start).chain([text.len()]);
    for (heading, end) in headings.iter().zip(ends) {
        let Some((_, field)) = SECTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(heading.title.trim())) else {
            continue;
        };
        let mut at = heading.range.end;
        for line in text[at..end].split('\n') {
            let trimmed = line.trim_start();
            if let Some(rule) = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* ")) {
                let start = at + line.len() - rule.len();
                found.push((*field, rule.trim().to_owned(), Span::new(start, start + rule.trim_end().len())));
            }
            at += line.len() + 1;
        }
    }
    found
}
