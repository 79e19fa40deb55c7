//! A body in parts: for dialects that have places for parts of it, and for comparing two bodies part by part.

use super::arrange::{is_negative, list_entries};
use super::headings::folded;
use super::sections::{self, Section, sections};
use super::{Dialect, Field, Item, Soul, Value, levels};
use crate::text::Span;

/// The soul with its body divided for a dialect that it is converted to.
#[must_use]
pub fn divided_for(soul: &Soul, dialect: Dialect) -> Soul {
    let parts = |item: &Item| match &item.value {
        Value::Passage(text) if item.field == Field::Body => for_dialect(text, dialect, item.span),
        _ => vec![item.clone()],
    };
    Soul { items: soul.items.iter().flat_map(parts).collect() }
}

/// The parts of a body for a dialect. Where it has a body, the text stays as it is; agh has keys for what is written
/// as a list, cantus has sections and no body.
fn for_dialect(body: &str, dialect: Dialect, span: Span) -> Vec<Item> {
    match dialect {
        Dialect::Agh => with_lists(body, span),
        Dialect::Cantus => in_sections(body, span),
        Dialect::Agentos | Dialect::Soulspec | Dialect::Dagu | Dialect::Plain => {
            vec![Item::passage(Field::Body, body, span)]
        }
    }
}

/// The lists of agh, and the body without them.
fn with_lists(body: &str, span: Span) -> Vec<Item> {
    let sections = sections(body);
    let mut rest = String::with_capacity(body.len());
    let mut items = Vec::new();
    let mut below_another_title = false;
    for (index, section) in sections.iter().enumerate() {
        let is_leaf = sections.get(index + 1).is_none_or(|next| next.level <= section.level);
        let on_top = section.level <= 2 && !below_another_title;
        below_another_title |= index > 0 && section.level <= 1;
        let entries = Some(&body[section.content.clone()]).filter(|_| is_leaf && on_top).and_then(list_entries);
        match entries.filter(|entries| !entries.is_empty() && stand_alone(section, entries)) {
            Some(entries) => items.extend(entries.into_iter().map(|entry| Item::text(section.field, entry, span))),
            None => rest.push_str(&body[section.range.clone()]),
        }
    }
    if items.is_empty() {
        return vec![Item::passage(Field::Body, body, span)];
    }
    if !rest.trim().is_empty() {
        items.push(Item::passage(Field::Body, rest.trim_end(), span));
    }
    items
}

/// Whether the entries of a section mean the same in a list of agh, without their heading. `Share secrets` under
/// "Never" does not.
fn stand_alone(section: &Section, entries: &[String]) -> bool {
    const NEUTRAL: [&str; 14] = [
        "boundaries",
        "boundary",
        "rules",
        "rule",
        "constraints",
        "constraint",
        "guidelines",
        "limits",
        "hard",
        "core",
        "my",
        "the",
        "safety",
        "operating",
    ];
    match section.field {
        Field::Tone | Field::Principle | Field::Collaboration | Field::MemoryPolicy => true,
        Field::Limit => {
            let title = section.title.as_deref().map(folded).unwrap_or_default();
            title.split(' ').all(|word| NEUTRAL.contains(&word)) || entries.iter().all(|entry| is_negative(entry))
        }
        _ => false,
    }
}

/// The sections of cantus: each part goes where its heading says, with its heading one level lower.
fn in_sections(body: &str, span: Span) -> Vec<Item> {
    let mut parts: Vec<(Field, String)> = Vec::new();
    let mut level = 0;
    for section in sections(body) {
        let text = &body[section.range.clone()];
        // What stands under a heading goes with it.
        if let Some((_, part)) = parts.last_mut().filter(|_| level > 1 && section.level > level) {
            part.push_str(&levels::lowered(text));
            continue;
        }
        level = section.level;
        let field = home(section.field);
        // A section of cantus need not repeat its own title.
        let content = &body[section.content.clone()];
        let is_own = home_title(field) == section.title.as_deref() && !content.trim().is_empty();
        let text = if is_own { content } else { text };
        parts.push((field, levels::lowered(text)));
    }
    let parts = parts.into_iter().filter(|(_, text)| !text.trim().is_empty());
    parts.map(|(field, text)| Item::passage(field, text.trim_matches('\n'), span)).collect()
}

/// The field of the cantus section that a part of a body belongs in.
const fn home(field: Field) -> Field {
    match field {
        Field::Tone | Field::Style | Field::Principle => Field::Tone,
        Field::Limit | Field::MustAlways | Field::MustNever => Field::Limit,
        Field::Handoff | Field::Escalation | Field::Collaboration => Field::Handoff,
        Field::Tool => Field::Tool,
        Field::OutputFormat => Field::OutputFormat,
        _ => Field::Role,
    }
}

fn home_title(field: Field) -> Option<&'static str> {
    super::place(Dialect::Cantus, field).and_then(|place| match place.at {
        super::At::Section(title) => Some(title),
        _ => None,
    })
}

/// The soul with its body divided by headings, each part under the field that its heading gives it, and every other
/// passage of its own file in pieces.
#[must_use]
pub fn divided(soul: &Soul) -> Soul {
    let parts = |item: &Item| match &item.value {
        Value::Passage(text) if item.field == Field::Body && item.heading.is_none() => {
            let mut parts = sections::items(text, 0);
            parts.iter_mut().for_each(|part| part.span = item.span);
            parts
        }
        _ if item.stands_in_body() => vec![item.clone()],
        _ => pieces(item),
    };
    Soul { items: soul.items.iter().flat_map(parts).collect() }
}

/// The soul with each passage of its own file in pieces and headings, all under the field of the passage.
#[must_use]
pub fn in_pieces(soul: &Soul) -> Soul {
    Soul { items: soul.items.iter().flat_map(pieces).chain(heading_items(soul)).collect() }
}

/// The headings of a soul's passages, each as a statement of its own.
#[must_use]
pub fn heading_items(soul: &Soul) -> Vec<Item> {
    let headings = |item: &Item| -> Vec<Item> {
        let Value::Passage(text) = &item.value else { return Vec::new() };
        let titles = sections(text).into_iter().filter_map(|section| section.title);
        let heading = |title| Item {
            field: item.field,
            value: Value::Text(title),
            span: item.span,
            file: item.file.clone(),
            heading: item.heading.clone(),
        };
        titles.map(heading).collect()
    };
    soul.items.iter().flat_map(headings).collect()
}

fn pieces(item: &Item) -> Vec<Item> {
    let Value::Passage(text) = &item.value else { return vec![item.clone()] };
    if item.file.is_some() && item.field != Field::Body {
        return vec![item.clone()];
    }
    let mut pieces = sections::items(text, 0);
    for piece in &mut pieces {
        (piece.field, piece.span) = (item.field, item.span);
        // Only a body is a body.
        piece.heading = piece.heading.take().filter(|_| item.stands_in_body());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "# Ada\n\nYou are Ada.\n\n## Vibe\n- warm\n- dry\n\n## Rules\n- Cite sources.\n\n## Never\n- Share secrets\n\n## Cats\n### Names\nMany.\n";

    fn shown(items: &[Item]) -> Vec<String> {
        items.iter().map(|item| format!("{} {}", item.field, item.value.plain_text().replace('\n', "|"))).collect()
    }

    #[test]
    fn lists_of_agh_leave_the_body() {
        let items = for_dialect(BODY, Dialect::Agh, Span::default());
        let body = "body # Ada||You are Ada.||## Never|- Share secrets||## Cats|### Names|Many.";
        assert_eq!(shown(&items), ["tone warm", "tone dry", "limit Cite sources.", body]);
    }

    #[test]
    fn sections_go_to_their_places_in_cantus() {
        let items = for_dialect(BODY, Dialect::Cantus, Span::default());
        assert_eq!(
            shown(&items),
            [
                "role # Ada||You are Ada.",
                "tone ### Vibe|- warm|- dry",
                "limit - Cite sources.",
                "limit ### Never|- Share secrets",
                "role ### Cats|#### Names|Many.",
            ]
        );
    }

    #[test]
    fn other_dialects_keep_the_body_as_it_is() {
        for dialect in [Dialect::Agentos, Dialect::Soulspec, Dialect::Dagu, Dialect::Plain] {
            assert_eq!(
                for_dialect(BODY, dialect, Span::default()),
                [Item::passage(Field::Body, BODY, Span::default())]
            );
        }
    }
}
