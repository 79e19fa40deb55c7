use serde_json::{Map, Value};

use super::card::{self, fits};
use super::project::AVATAR_URL;
use crate::diagnostics::Collector;
use crate::formats::soulspec::RULE_SECTIONS;
use crate::formats::{Context, Emitted};
use crate::markup::yaml;
use crate::model::name::{is_nobody, name_in_title};
use crate::model::negation::under_never;
use crate::model::sections::Outlined;
use crate::model::{
    At, Dialect, Field, Item, Place, Soul, Value as ItemValue, arrange, opens_with_subheading, passage, raised,
    sections,
};
use crate::text::Source;

/// Fresh files: SOUL.md, and each companion that the soul has something for.
///
/// SOUL.md has no frontmatter if another place can hold what it would say. A body is written as it is; what other
/// dialects keep in fields follows under headings that are understood when the file is read again.
pub(crate) fn emit(soul: &Soul) -> Emitted {
    let mut files = Files::default();
    let (in_body, others): (Vec<Item>, Vec<Item>) = soul.items.iter().cloned().partition(stands_in_body);
    let body = body_of(&in_body);
    let level = heading_level(&body);
    let mut after_body = Vec::new();
    let mut card = None;
    for (place, items) in arrange(&Soul { items: others }, Dialect::Plain) {
        let (of_rules, items): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|item| item.file.as_deref() == Some(RULES));
        files.add_rules(place.field, &of_rules);
        if items.is_empty() {
            continue;
        }
        match (place.at, place.field) {
            (At::File(CARD), Field::Card) => card = Some(passage(place, &items) + "\n"),
            (At::File(CARD), field) => after_body.extend(files.add_labels(field, &items)),
            (At::File("*"), _) => files.beside.extend(items.iter().filter_map(file)),
            (At::File(name), _) => files.beside.push((name.to_owned(), passage(place, &items) + "\n")),
            (At::Key("*"), _) => files.front.extend(items.iter().filter_map(entry)),
            (At::Key(key), _) => {
                files.front.insert(key.to_owned(), items[0].value.as_text().unwrap_or_default().into());
            }
            (At::Section(title), _) => after_body.push(section(title, place, items)),
            _ => after_body.insert(0, passage(place, &items)),
        }
    }
    let title = files.title(&body, card.as_deref(), !after_body.is_empty());
    let blocks = title.into_iter().chain((!body.is_empty()).then(|| body.clone()));
    let blocks =
        blocks.chain(after_body.into_iter().map(|block| block.replacen("## ", &format!("{} ", "#".repeat(level)), 1)));
    let text = joined(blocks.collect());
    files.finish(&text, card.as_deref())
}

const CARD: &str = "IDENTITY.md";
const RULES: &str = "RULES.md";

/// Whether an item is part of the text of SOUL.md itself, and not a field that has to find its place there.
fn stands_in_body(item: &Item) -> bool {
    item.file.is_none()
        && (item.heading.is_some() || matches!(item.field, Field::Body | Field::Section | Field::Preamble))
}

/// The text of a body from its passages and statements, in their order.
fn body_of(items: &[Item]) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut heading: Option<&str> = None;
    for item in items {
        let text = item.value.as_text().unwrap_or_default();
        if matches!(item.value, ItemValue::Passage(_))
            && matches!(item.field, Field::Body | Field::Section | Field::Preamble)
        {
            blocks.push(text.to_owned());
        } else {
            if heading != item.heading.as_deref() {
                blocks.extend(item.heading.as_ref().map(|title| format!("## {title}")));
            }
            let text = if item.field == Field::MustNever { under_never(text) } else { text };
            blocks.push(match item.value {
                ItemValue::Passage(_) => text.to_owned(),
                _ => format!("- {}", text.replace('\n', "\n  ")),
            });
        }
        heading = item.heading.as_deref();
    }
    joined(blocks)
}

/// Blocks with a blank line between them; one alone stays as it is.
fn joined(blocks: Vec<String>) -> String {
    let count = blocks.len();
    let mut text = String::new();
    for (index, block) in blocks.into_iter().enumerate() {
        text.push_str(match () {
            () if index == 0 || text.ends_with("\n\n") => "",
            () if text.ends_with('\n') => "\n",
            () => "\n\n",
        });
        text.push_str(if count == 1 { &block } else { block.trim_end_matches('\n') });
    }
    text
}

/// The level of the headings of a body, so that what follows it is not taken for a part of its last section.
fn heading_level(body: &str) -> usize {
    let levels = sections::sections(body).into_iter().filter(|section| section.field != Field::Body);
    levels.map(|section| usize::from(section.level)).filter(|level| *level > 0).min().unwrap_or(2).min(2)
}

fn section(title: &str, place: &Place, mut items: Vec<Item>) -> String {
    for item in items.iter_mut().filter(|_| place.field == Field::MustNever) {
        if let ItemValue::Text(text) = &mut item.value {
            *text = under_never(text).to_owned();
        }
    }
    let text = passage(place, &items);
    if opens_with_subheading(&text) { raised(&text) } else { format!("## {title}\n\n{text}") }
}

fn entry(item: &Item) -> Option<(String, Value)> {
    match &item.value {
        ItemValue::Entry { key, value } => Some((key.clone(), value.clone())),
        _ => None,
    }
}

/// Another file as it was. What has no path, such as a part of a file, is none.
fn file(item: &Item) -> Option<(String, String)> {
    match entry(item)? {
        (path, Value::String(text)) if !path.contains(", ") && path != CARD => Some((path, text)),
        _ => None,
    }
}

/// What is written besides the text of SOUL.md.
#[derive(Default)]
struct Files {
    front: Map<String, Value>,
    labels: Vec<(&'static str, String)>,
    rules: String,
    beside: Vec<(String, String)>,
}

impl Files {
    /// Puts a field on the card. What no line of a card can hold comes back as a section, or goes to the frontmatter.
    fn add_labels(&mut self, field: Field, items: &[Item]) -> Option<String> {
        let text = items.first().and_then(|item| item.value.as_text()).unwrap_or_default();
        match field {
            Field::Avatar => {
                let mut map: Map<String, Value> = items.iter().filter_map(entry).collect();
                let url = map.get(AVATAR_URL).and_then(Value::as_str).filter(|url| fits(url)).map(str::to_owned);
                if let Some(url) = url {
                    map.remove(AVATAR_URL);
                    self.labels.push((card::AVATAR[0], url));
                }
                if !map.is_empty() {
                    self.front.insert("avatar".into(), map.into());
                }
                None
            }
            Field::Tag => {
                let tags: Vec<&str> = items.iter().filter_map(|item| item.value.as_text()).collect();
                let line = tags.join(", ");
                let back: Vec<&str> = line.split(',').map(str::trim).collect();
                match fits(&line) && back == tags {
                    true => self.labels.push((card::TAGS[0], line)),
                    false => drop(self.front.insert("tags".into(), tags.into())),
                }
                None
            }
            Field::Name if is_nobody(text) => None,
            Field::Name if !fits(text) => {
                self.front.insert("name".into(), text.into());
                None
            }
            _ => {
                let label = match field {
                    Field::Name => card::NAME[0],
                    Field::Description => card::DESCRIPTION[0],
                    Field::Id => card::ID[0],
                    _ => card::ROLE[0],
                };
                let mut texts = items.iter().filter_map(|item| item.value.as_text());
                // A line goes on the card, a text of several lines that is no passage into the frontmatter.
                match items.first().map(|item| &item.value) {
                    Some(ItemValue::Text(text)) if fits(text) => {
                        self.labels.push((label, text.clone()));
                        texts.next();
                    }
                    Some(ItemValue::Text(text)) if field != Field::Id => {
                        self.front.insert(label.to_lowercase(), text.as_str().into());
                        texts.next();
                    }
                    _ => {}
                }
                let texts: Vec<&str> = texts.map(str::trim).collect();
                (!texts.is_empty()).then(|| format!("## {label}\n\n{}", texts.join("\n\n")))
            }
        }
    }

    fn add_rules(&mut self, field: Field, items: &[Item]) {
        if items.is_empty() {
            return;
        }
        let title = RULE_SECTIONS.iter().find(|(_, of)| *of == field).map_or("Rules", |(title, _)| title);
        let rule = |item: &Item| {
            let text = item.value.as_text().unwrap_or_default();
            let text = if field == Field::MustNever { under_never(text) } else { text };
            match item.value {
                ItemValue::Passage(_) => format!("\n{text}\n\n"),
                _ => format!("- {}\n", text.replace('\n', "\n  ")),
            }
        };
        let list: String = items.iter().map(rule).collect();
        self.rules.push_str(&format!("\n## {title}\n\n{list}"));
    }

    /// A heading with the name, for a soul that has no text of its own to be called by. A name that the text or the
    /// card gives already is not written again.
    fn title(&mut self, body: &str, card: Option<&str>, has_sections: bool) -> Option<String> {
        let index = self.labels.iter().position(|(label, _)| *label == card::NAME[0])?;
        let name = self.labels[index].1.clone();
        let in_body =
            Outlined::new(body).title().and_then(|section| section.title).and_then(|title| name_in_title(&title));
        let on_card = card.map(card::lines).is_some_and(|lines| card::value(&lines, card::NAME).is_some());
        let title = format!("# {name}");
        let titled =
            has_sections && body.is_empty() && card.is_none() && name_in_title(&title).as_deref() == Some(&name);
        if in_body.as_ref() == Some(&name) && !on_card || titled {
            self.labels.remove(index);
        }
        titled.then_some(title)
    }

    fn finish(mut self, text: &str, card: Option<&str>) -> Emitted {
        let known = card.map(card::lines).unwrap_or_default();
        self.labels.retain(|(label, _)| card::value(&known, &[label]).is_none());
        if card.is_some() || !self.labels.is_empty() {
            let text = if self.labels.is_empty() {
                card.unwrap_or_default().to_owned()
            } else {
                card::with_lines(card, &self.labels)
            };
            self.beside.insert(0, (CARD.into(), text));
        }
        if !self.rules.is_empty() {
            self.beside.push((RULES.into(), format!("# Rules\n{}", self.rules)));
        }
        let front: String = self.front.iter().map(|(key, value)| yaml::field(key, value)).collect();
        // Empty frontmatter keeps a body that begins with dashes from being taken for it.
        let as_read = super::parse(Source::from(text), &Context::default(), &mut Collector::default());
        let ambiguous = as_read.body != text;
        let fence = if front.is_empty() && !ambiguous { "" } else { "---\n" };
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        Emitted { text: format!("{fence}{front}{fence}{text}{end}"), beside: self.beside }
    }
}
