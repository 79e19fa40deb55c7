use super::{At, Dialect, Field, Item, Occurs, PLACES, Place, Soul, Value, place};

/// The items of a soul whose prose fits a dialect: of a passage whose field is a key there, the first paragraph
/// is the field and the rest is body.
fn fitted(soul: &Soul, dialect: Dialect) -> Vec<Item> {
    let is_key = |field| {
        place(dialect, field).is_some_and(|place| place.occurs == Occurs::Once && matches!(place.at, At::Key(_)))
    };
    let mut items = Vec::with_capacity(soul.items.len());
    for item in &soul.items {
        match &item.value {
            Value::Passage(text) if is_key(item.field) => {
                let (first, rest) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
                items.push(Item::text(item.field, first.trim(), item.span));
                if !rest.trim().is_empty() {
                    items.push(Item::passage(Field::Body, rest.trim(), item.span));
                }
            }
            _ => items.push(item.clone()),
        }
    }
    items
}

/// The items of a soul at the places that a dialect has for them, in the order of a fresh text.
///
/// An item whose field the dialect lacks goes to the nearest field that it has; one that has no
/// related field there is left out, and so becomes a loss.
pub(crate) fn arrange(soul: &Soul, dialect: Dialect) -> Vec<(&'static Place, Vec<Item>)> {
    let places = PLACES.iter().filter(|place| place.dialect == dialect);
    let mut arranged: Vec<(&'static Place, Vec<Item>)> = places.map(|place| (place, Vec::new())).collect();
    let (at_home, strangers): (Vec<Item>, Vec<Item>) =
        fitted(soul, dialect).into_iter().partition(|item| place(dialect, item.field).is_some());
    for item in at_home.into_iter().chain(strangers.into_iter().filter(|item| item.value != Value::Empty)) {
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
    let value_text = item.value.as_text().unwrap_or_default();
    match (item.field, place.field) {
        // A boundary says by its own words of which kind it is.
        (Field::Limit, Field::MustNever) if !entries(&item.value).iter().all(|text| is_negative(text)) => return false,
        // A sentence says what an agent is, not what it is called.
        (Field::Role | Field::Description, Field::Name) if value_text.len() > 40 || value_text.contains(['.', ',']) => {
            return false;
        }
        _ => {}
    }
    match (&item.value, place.occurs) {
        (Value::Entry { .. }, _) | (_, Occurs::Map) => !stranger || is_kept_as_key(item.field, place),
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

fn is_long(value: &Value) -> bool {
    const LINE: usize = 120;
    value.as_text().is_some_and(|text| text.contains('\n') || text.len() > LINE)
}

/// Where the text of a field goes when its own place is taken or missing, nearest first.
pub(super) const fn related_fields(field: Field) -> &'static [Field] {
    match field {
        Field::Name => &[Field::Role, Field::Body],
        Field::Role => &[Field::Name, Field::Description, Field::Body],
        Field::Description => &[Field::Role, Field::Body],
        Field::Principle | Field::MemoryPolicy => &[Field::Body, Field::Limit],
        Field::Collaboration => &[Field::Handoff, Field::Body],
        Field::Handoff => &[Field::Collaboration, Field::Body],
        Field::Escalation => &[Field::Handoff, Field::Collaboration, Field::Body, Field::Limit],
        Field::MustAlways | Field::MustNever => &[Field::Limit, Field::Body],
        Field::Limit => &[Field::MustNever, Field::MustAlways, Field::Body],
        Field::Body => &[Field::Role],
        Field::Style => &[Field::Body, Field::Tone],
        Field::Tone | Field::Tool | Field::OutputFormat | Field::Preamble | Field::Section => &[Field::Body],
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
        field if field == place.field && introduces(field) => (0, Some(field)),
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
            Some(Field::Name) if in_body && !own => {
                values.map(|name| format!("# {}", name.plain_text().trim())).collect()
            }
            _ => joined(&values.collect::<Vec<_>>(), own),
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

/// One text as it is, passages one after the other, several statements as a list. A place's own
/// text is not touched; text from elsewhere is trimmed to fit in.
fn joined(values: &[&Value], own: bool) -> String {
    let texts = values.iter().filter_map(|value| value.as_text()).map(|text| if own { text } else { text.trim() });
    let texts: Vec<&str> = texts.collect();
    match texts.as_slice() {
        [text] => (*text).to_owned(),
        texts if values.iter().any(|value| matches!(value, Value::Passage(_))) => texts.join("\n\n"),
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
fn bare(line: &str) -> &str {
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line)
}
