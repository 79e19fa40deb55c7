use super::{Document, card};
use crate::markup::markdown::outline;
use crate::model::name::{is_nobody, name_in_title};
use crate::model::sections::{Outlined, Section};
use crate::model::{Field, Item};
use crate::text::Span;

impl Document {
    /// What the agent is called: by IDENTITY.md, the frontmatter, the title of the soul or of IDENTITY.md, the file or
    /// the folder.
    pub(super) fn name(&self, labels: &[card::Line], body: &Outlined<'_>) -> Option<Item> {
        let by_card = || card::value(labels, card::NAME).map(|line| beside(Field::Name, &line.value, line.span));
        let is_given = |name: &Item| name.value.as_text().is_some_and(|name| !is_nobody(name));
        by_card()
            .filter(is_given)
            .or_else(|| self.name_in_frontmatter().filter(is_given))
            .or_else(|| self.name_in_unread())
            .or_else(|| self.name_in_title(body))
            .or_else(|| self.name_in_title_of_card())
            .or_else(|| self.fallback_name.as_ref().map(|name| Item::text(Field::Name, name, Span::default())))
    }

    pub(super) fn name_in_frontmatter(&self) -> Option<Item> {
        let named = self.card.iter().find(|named| named.key == "name")?;
        let name = super::project::scalar(&named.value)?;
        (!name.trim().is_empty()).then(|| Item::text(Field::Name, name.trim(), named.span))
    }

    /// The line `name: …` of frontmatter that could not be read as a whole.
    fn name_in_unread(&self) -> Option<Item> {
        let line = self.body[..self.unread].lines().find_map(|line| line.strip_prefix("name:"))?;
        let name = line.trim().trim_matches(['"', '\'']);
        let start = self.body_span.start + (name.as_ptr() as usize - self.body.as_ptr() as usize);
        (!name.is_empty()).then(|| Item::text(Field::Name, name, Span::new(start, start + name.len())))
    }

    fn name_in_title(&self, body: &Outlined<'_>) -> Option<Item> {
        let section = body.title()?;
        let Section { title, range, content, .. } = section;
        let name = name_in_title(&title?)?;
        let base = self.body_span.start + self.unread;
        Some(Item::text(Field::Name, name, Span::new(base + range.start, base + content.start)))
    }

    fn name_in_title_of_card(&self) -> Option<Item> {
        let title = outline(self.file_text("IDENTITY.md")?).into_iter().next()?;
        Some(beside(Field::Name, &name_in_title(&title.title)?, Span::new(title.range.start, title.range.end)))
    }
}

/// A statement of IDENTITY.md.
pub(super) fn beside(field: Field, text: &str, span: Span) -> Item {
    Item { file: Some("IDENTITY.md".into()), ..Item::text(field, text, span) }
}
