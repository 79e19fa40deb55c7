use super::{At, Dialect, Field, Item, Occurs, PLACES, Place, Soul, Value, place};

/// The items of a soul at the places that a dialect has for them, in the order of a fresh text.
///
/// An item whose field the dialect lacks goes to the nearest field that it has; one that has no
/// kin there is left out, and so becomes a loss.
pub(crate) fn arrange(soul: &Soul, dialect: Dialect) -> Vec<(&'static Place, Vec<&Item>)> {
    let places = PLACES.iter().filter(|place| place.dialect == dialect);
    let mut arranged: Vec<(&'static Place, Vec<&Item>)> = places.map(|place| (place, Vec::new())).collect();
    let (at_home, strangers): (Vec<&Item>, Vec<&Item>) =
        soul.items.iter().partition(|item| place(dialect, item.field).is_some());
    for item in at_home.into_iter().chain(strangers.into_iter().filter(|item| item.value != Value::Empty)) {
        let homes = std::iter::once(item.field).chain(kin(item.field).iter().copied());
        for home in homes {
            let slot = arranged.iter_mut().find(|(place, _)| place.field == home);
            if let Some((_, items)) = slot.filter(|(place, items)| takes(place, items, item)) {
                items.push(item);
                break;
            }
        }
    }
    arranged
}

/// Whether a place has room for an item. A key that stands once holds one text, and only a line
/// if it belongs elsewhere; a passage holds any number; named values stay with their own field.
fn takes(place: &Place, items: &[&Item], item: &Item) -> bool {
    let stranger = place.field != item.field;
    match (&item.value, place.occurs) {
        (Value::Entry { .. }, _) | (_, Occurs::Map) => !stranger,
        (_, Occurs::List) => true,
        (value, Occurs::Once) if matches!(place.at, At::Key(_) | At::FileName) => {
            items.is_empty() && !(stranger && is_long(value))
        }
        (_, Occurs::Once) => true,
    }
}

fn is_long(value: &Value) -> bool {
    const LINE: usize = 120;
    value.as_text().is_some_and(|text| text.contains('\n') || text.len() > LINE)
}

/// Where the text of a field goes when its own place is taken or missing, nearest first.
const fn kin(field: Field) -> &'static [Field] {
    match field {
        Field::Name => &[Field::Role, Field::Body],
        Field::Role => &[Field::Name, Field::Description, Field::Body],
        Field::Description => &[Field::Role, Field::Body],
        Field::Principle | Field::MemoryPolicy => &[Field::Body, Field::Limit],
        Field::Collaboration => &[Field::Handoff, Field::Body],
        Field::Handoff => &[Field::Collaboration, Field::Body],
        Field::Escalation => &[Field::Handoff, Field::Collaboration, Field::Limit, Field::Body],
        Field::MustAlways | Field::MustNever => &[Field::Limit, Field::Body],
        Field::Limit => &[Field::MustAlways, Field::Body],
        Field::Body => &[Field::Role],
        Field::Style => &[Field::Body, Field::Tone],
        Field::Tone | Field::Tool | Field::OutputFormat | Field::Preamble => &[Field::Body],
        Field::Id
        | Field::Version
        | Field::Trait
        | Field::DefaultMood
        | Field::Mood
        | Field::Voice
        | Field::Avatar
        | Field::Tag
        | Field::Metadata
        | Field::Extra
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
pub(crate) fn passage(place: &Place, items: &[&Item]) -> String {
    let in_body = matches!(place.at, At::Body | At::Top) || place.field == Field::Body;
    let group = |item: &Item| match item.field {
        field if field == place.field && (in_body || introduces(field)) => (1, Some(field)),
        field if introduces(field) => (0, Some(field)),
        _ if !in_body && matches!(item.value, Value::Text(_)) => (1, None),
        field => (2, Some(field)),
    };
    let mut groups: Vec<_> = items.iter().map(|item| group(item)).collect();
    groups.sort();
    groups.dedup();
    let block = |key: (u8, Option<Field>)| {
        let texts = items.iter().filter(|item| group(item) == key).filter_map(|item| item.value.as_text());
        let text = match key.1 {
            // A place's own text stays as it is; text from elsewhere fits in.
            Some(field) if field == place.field => lines(&texts.collect::<Vec<_>>()),
            _ => lines(&texts.map(str::trim).collect::<Vec<_>>()),
        };
        match key.1.filter(|field| in_body && *field != place.field).and_then(label) {
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

/// One text as it is, several as a list.
fn lines(texts: &[&str]) -> String {
    match texts {
        [text] => (*text).to_owned(),
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
pub(crate) fn entries(value: &Value) -> Vec<&str> {
    let Value::Passage(text) = value else { return value.as_text().into_iter().collect() };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line)).collect()
}
