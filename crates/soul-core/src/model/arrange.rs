use std::collections::HashSet;

use super::{At, Dialect, Field, Item, Occurs, PLACES, Place, Soul, Value, levels, place};

/// The items of a soul whose prose fits a dialect: a key of the source that the dialect reads is its field, and of a
/// passage whose field is a key there, the line that says it is the field and the rest is body.
fn fitted(soul: &Soul, dialect: Dialect) -> Vec<Item> {
    let is_key = |field| {
        place(dialect, field).is_some_and(|place| place.occurs == Occurs::Once && matches!(place.at, At::Key(_)))
    };
    let mut items = Vec::with_capacity(soul.items.len());
    for item in recognised(soul, dialect).items {
        match &item.value {
            Value::Passage(text) if is_key(item.field) => {
                let (line, rest) = introduction(text);
                items.extend(line.map(|line| Item::text(item.field, line, item.span)));
                if !rest.is_empty() {
                    items.push(Item::passage(Field::Body, levels::raised(rest), item.span));
                }
            }
            // A card has no room for a passage, and the text says who the agent is.
            Value::Passage(text) if (item.field, dialect) == (Field::Role, Dialect::Plain) => {
                items.push(Item::passage(Field::Body, levels::raised(text), item.span));
            }
            _ => items.push(item),
        }
    }
    items
}

/// The soul with each value that the source dialect only carried along, and that has a key in this one, as what it is.
#[must_use]
pub fn recognised(soul: &Soul, dialect: Dialect) -> Soul {
    let typed = |item: &Item| -> Option<Vec<Item>> {
        let Value::Entry { key, value } = &item.value else { return None };
        let is_key = |place: &&Place| place.dialect == dialect && matches!(place.at, At::Key(known) if known == key);
        let place = PLACES.iter().find(is_key).filter(|_| item.field == Field::Extra)?;
        let is_free = soul.items_of(place.field).next().is_none();
        let texts: Vec<&str> = match (value, place.occurs) {
            (serde_json::Value::String(text), Occurs::Once | Occurs::List) => vec![text],
            (serde_json::Value::Array(list), Occurs::List) => {
                list.iter().map(serde_json::Value::as_str).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let says_something = !texts.is_empty() && texts.iter().all(|text| !text.trim().is_empty());
        let items = || texts.iter().map(|text| Item::text(place.field, *text, item.span)).collect();
        (is_free && says_something).then(items)
    };
    Soul { items: soul.items.iter().flat_map(|item| typed(item).unwrap_or_else(|| vec![item.clone()])).collect() }
}

/// The first paragraph of a passage, if it is prose, and everything else.
fn introduction(text: &str) -> (Option<&str>, &str) {
    let (first, rest) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
    let is_prose = !first.starts_with(['#', '-', '*', '>', '|', '`']);
    if is_prose { (Some(first.trim()), rest.trim()) } else { (None, text.trim()) }
}

/// The field of an item that spells a name out: in a heading, or as a line of its own.
pub(super) fn spelled_out(name: &str, items: &[Item]) -> Option<Field> {
    let has_word = |line: &str| {
        let around = |text: Option<char>| text.is_none_or(|c| !c.is_alphanumeric());
        let mut found = line.match_indices(name);
        found.any(|(at, _)| around(line[..at].chars().next_back()) && around(line[at + name.len()..].chars().next()))
    };
    let says = |line: &str| {
        let bare = line.trim().trim_start_matches('#').trim();
        bare == name || (line.starts_with('#') && has_word(bare))
    };
    let introduces = |item: &&Item| {
        introduces(item.field) && item.field != Field::Name || item.stands_in_body() || item.field == Field::Card
    };
    let spells = |item: &&Item| {
        item.heading.as_deref().is_some_and(has_word) || item.value.as_text().is_some_and(|text| text.lines().any(says))
    };
    let found = items.iter().filter(introduces).find(spells).filter(|_| !name.is_empty());
    found.map(|item| if item.stands_in_body() { Field::Body } else { item.field })
}

/// The items of a soul at the places that a dialect has for them, in the order of a fresh text.
///
/// An item whose field the dialect lacks goes to the nearest field that it has; one that has no
/// related field there is left out, and so becomes a loss.
pub(crate) fn arrange(soul: &Soul, dialect: Dialect) -> Vec<(&'static Place, Vec<Item>)> {
    let places = PLACES.iter().filter(|place| place.dialect == dialect);
    let mut arranged: Vec<(&'static Place, Vec<Item>)> = places.map(|place| (place, Vec::new())).collect();
    let items = fitted(soul, dialect);
    let is_said = |item: &Item| {
        let name = item.value.as_text().filter(|_| item.field == Field::Name).map(str::trim);
        name.is_some_and(|name| spelled_out(name, &items).is_some())
    };
    let (at_home, strangers): (Vec<&Item>, Vec<&Item>) =
        items.iter().partition(|item| place(dialect, item.field).is_some());
    let strangers = strangers.into_iter().filter(|item| item.value != Value::Empty && !is_said(item));
    for item in at_home.into_iter().chain(strangers).cloned() {
        let homes = std::iter::once(item.field).chain(related_fields(item.field).iter().copied());
        for home in homes {
            let slot = arranged.iter_mut().find(|(place, _)| place.field == home);
            if let Some((_, items)) = slot.filter(|(place, items)| takes(place, items, &item)) {
                items.push(item);
                break;
            }
        }
    }
    arranged
}

/// Whether a place has room for an item. A key that stands once holds one text, and only a line
/// if it belongs elsewhere; a passage holds any number; named values stay with their own field.
fn takes(place: &Place, items: &[Item], item: &Item) -> bool {
    let stranger = place.field != item.field;
    // A boundary says by its own words of which kind it is.
    if (item.field, place.field) == (Field::Limit, Field::MustNever)
        && !entries(&item.value).iter().all(|text| is_negative(text))
    {
        return false;
    }
    match (&item.value, place.occurs) {
        // A section can stand in any prose.
        (Value::Entry { .. }, Occurs::Once) if item.field == Field::Section => !matches!(place.at, At::Key(_)),
        (Value::Entry { .. }, _) | (_, Occurs::Map) => !stranger || is_kept_as_key(item.field, place),
        // A passage is a list only if it is written as one; headings, code and tables are prose.
        (Value::Passage(text), Occurs::List) if !matches!(place.at, At::Section(_)) => list_entries(text).is_some(),
        (_, Occurs::List) => true,
        // A passage of several lines is prose, and a key is no place for prose.
        (value, Occurs::Once) if matches!(place.at, At::Key(_) | At::FileName) => {
            let prose = stranger || matches!(value, Value::Passage(_));
            items.is_empty() && !(prose && is_long(value))
        }
        (_, Occurs::Once) => true,
    }
}

/// Whether a dialect keeps a field of another under a key of its own, unread.
fn is_kept_as_key(field: Field, place: &Place) -> bool {
    match field {
        Field::Manifest => place.field == Field::Extra,
        // Dagu's souls are recognised by having no other key.
        Field::Version | Field::Tag => place.field == Field::Extra && place.dialect == Dialect::Agentos,
        _ => false,
    }
}

/// Whether a rule says of itself what is not to be done.
pub(crate) fn is_negative(rule: &str) -> bool {
    const NEGATIONS: [&str; 10] =
        ["never ", "never: ", "do not ", "don't ", "no ", "not ", "nothing ", "must not ", "avoid ", "refuse "];
    let lower = format!("{} ", rule.trim().to_lowercase());
    NEGATIONS.iter().any(|start| lower.starts_with(start))
}

/// Whether a key has no room for it.
fn is_long(value: &Value) -> bool {
    const LINE: usize = 120;
    value.as_text().is_some_and(|text| text.contains('\n') || text.len() > LINE)
}

/// Where the text of a field goes when its own place is taken or missing, nearest first.
pub(super) const fn related_fields(field: Field) -> &'static [Field] {
    match field {
        Field::Name => &[Field::Body, Field::Role],
        Field::Role => &[Field::Description, Field::Body],
        Field::Description => &[Field::Role, Field::Body],
        Field::Principle => &[Field::Body, Field::Tone, Field::Limit],
        Field::MemoryPolicy => &[Field::Body, Field::Limit],
        Field::Collaboration => &[Field::Handoff, Field::Body],
        Field::Handoff => &[Field::Collaboration, Field::Body],
        Field::Escalation => &[Field::Handoff, Field::Collaboration, Field::Body, Field::Limit],
        Field::MustAlways | Field::MustNever => &[Field::Limit, Field::Body],
        Field::Limit => &[Field::MustNever, Field::MustAlways, Field::Body],
        Field::Body => &[Field::Role],
        Field::Style => &[Field::Body, Field::Tone],
        Field::Section => &[Field::Body, Field::Role],
        Field::Tone | Field::Tool | Field::OutputFormat | Field::Preamble => &[Field::Body],
        Field::Manifest | Field::Version | Field::Tag => &[Field::Extra],
        Field::Extra => &[Field::Manifest, Field::Version, Field::Tag],
        Field::Id
        | Field::Trait
        | Field::DefaultMood
        | Field::Mood
        | Field::Voice
        | Field::Avatar
        | Field::Metadata
        | Field::Persona
        | Field::Card
        | Field::Procedure
        | Field::Memory
        | Field::GoodExample
        | Field::BadExample
        | Field::User
        | Field::File => &[],
    }
}

/// Items as one passage of Markdown. In a body, what introduces the agent comes first, then what
/// belongs there, then each other field under a heading of its own. In a section, statements of
/// any field make one list.
pub(crate) fn passage(place: &Place, items: &[Item]) -> String {
    let in_body = matches!(place.at, At::Body | At::Top) || place.field == Field::Body;
    let group = |item: &Item| match item.field {
        field if field == place.field && in_body => (1, Some(field)),
        // A line that says what the agent is, its name, then the text about it.
        field if field == place.field && introduces(field) => {
            (u8::from(matches!(item.value, Value::Passage(_))), Some(field))
        }
        field if introduces(field) => (u8::from(!in_body), Some(field)),
        _ if !in_body && matches!(item.value, Value::Text(_)) => (2, None),
        field => (2, Some(field)),
    };
    let mut groups: Vec<_> = items.iter().map(group).collect();
    groups.sort();
    groups.dedup();
    let alone = groups.len() == 1;
    let block = |key: (u8, Option<Field>)| {
        let own = key.1 == Some(place.field) && (alone || !in_body);
        let values = items.iter().filter(|item| group(item) == key).map(|item| &item.value);
        let text = match key.1 {
            Some(Field::Name) if in_body && !own || matches!(place.at, At::Section(_)) => {
                values.map(|name| format!("# {}", name.plain_text().trim())).collect()
            }
            _ => joined(&values.collect::<Vec<_>>(), own),
        };
        match key.1.filter(|field| in_body && *field != place.field).and_then(label) {
            // A section that has headings of its own from its first line on needs no other.
            Some(_) if levels::opens_with_subheading(&text) => levels::raised(&text),
            Some(label) => format!("## {label}\n\n{text}"),
            None => text,
        }
    };
    groups.into_iter().map(block).collect::<Vec<_>>().join("\n\n")
}

/// Fields that say in a line who the agent is.
const fn introduces(field: Field) -> bool {
    matches!(field, Field::Name | Field::Role | Field::Description | Field::Preamble)
}

/// One text as it is, passages one after the other, several statements as a list. A place's own
/// text is not touched; text from elsewhere is trimmed to fit in.
fn joined(values: &[&Value], own: bool) -> String {
    let text = |value: &Value| match value {
        Value::Entry { key, value: serde_json::Value::String(text) } => Some(format!("## {key}\n\n{}", text.trim())),
        value => value.as_text().map(|text| if own { text } else { text.trim() }.to_owned()),
    };
    let texts: Vec<String> = values.iter().filter_map(|value| text(value)).collect();
    match texts.as_slice() {
        [text] => text.clone(),
        texts if values.iter().any(|value| matches!(value, Value::Passage(_) | Value::Entry { .. })) => {
            texts.join("\n\n")
        }
        texts => texts.iter().map(|text| format!("- {}", text.replace('\n', "\n  "))).collect::<Vec<_>>().join("\n"),
    }
}

/// The heading for a field that has to stand in prose. None of them is reserved in any dialect.
const fn label(field: Field) -> Option<&'static str> {
    match field {
        Field::Tone => Some("Tone"),
        Field::Principle => Some("Principles"),
        Field::Limit => Some("Boundaries"),
        Field::MustAlways => Some("What you must always do"),
        Field::MustNever => Some("What you must never do"),
        Field::Escalation => Some("When to ask"),
        Field::Collaboration => Some("Working with others"),
        Field::Handoff => Some("Handing over"),
        Field::MemoryPolicy => Some("Memory policy"),
        Field::Tool => Some("What you may use"),
        Field::OutputFormat => Some("Output format"),
        Field::Style => Some("Style"),
        _ => None,
    }
}

/// A value as list entries. A passage comes from where there are no lists: each of its lines is
/// an entry, without the mark of a bullet.
pub(crate) fn entries(value: &Value) -> Vec<String> {
    match value {
        Value::Passage(text) => statements(text).map(|line| bare(&line).to_owned()).collect(),
        value => value.as_text().map(str::to_owned).into_iter().collect(),
    }
}

/// The entries of a passage that is a list: bullets, which may go on in indented lines, and single lines with blank
/// ones between. `None` if it is written in any other way, or says something twice.
pub(super) fn list_entries(text: &str) -> Option<Vec<String>> {
    let is_prose = |line: &str| line.starts_with(['#', '>', '|', '`', '~']) || line.starts_with("---");
    let mut entries: Vec<String> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        let (trimmed, indented) = (line.trim(), line.starts_with([' ', '\t']));
        let is_bullet = bare(trimmed) != trimmed;
        match entries.last_mut() {
            _ if trimmed.is_empty() => {}
            _ if is_prose(trimmed) || (indented && is_bullet) => return None,
            Some(entry) if indented && !before.is_empty() => {
                entry.push(' ');
                entry.push_str(trimmed);
            }
            _ if indented || !(is_bullet || is_numbered(trimmed) || before.is_empty()) => return None,
            _ => entries.push(bare(trimmed).to_owned()),
        }
        before = trimmed;
    }
    let distinct: HashSet<&String> = entries.iter().collect();
    (distinct.len() == entries.len()).then_some(entries)
}

fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(['.', ')'])
}

/// The lines of a passage; a bullet that goes on in indented lines is one.
pub(super) fn statements(text: &str) -> impl Iterator<Item = String> {
    let mut joined: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let goes_on = line.starts_with(char::is_whitespace) && bare(line.trim()) == line.trim();
        match joined.last_mut() {
            Some(bullet) if goes_on && bare(bullet) != bullet.as_str() => {
                bullet.push(' ');
                bullet.push_str(line.trim());
            }
            _ => joined.push(line.trim().to_owned()),
        }
    }
    joined.into_iter()
}

/// A line without the mark of a bullet.
pub(super) fn bare(line: &str) -> &str {
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line)
}
