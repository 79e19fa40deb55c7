use super::{Document, Plain};
use crate::formats::Provenance;
use crate::model::Field;

impl Document {
    /// The body of SOUL.md; the style is a layer of its own.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.plain.body.clone()
    }

    /// The card that people see: the file if there is one, else made from the frontmatter.
    pub(super) fn card(&self) -> String {
        if let Some(card) = self.companions.get(Field::Card) {
            return card.to_owned();
        }
        let persona = self.persona();
        let text = |key: &str| persona.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        let mut card = format!("# {}\n", text("name"));
        if !text("description").is_empty() {
            card.push_str(&format!("\n{}\n", text("description")));
        }
        card.push_str(&format!("\n- Agent ID: {}", text("id")));
        let avatar = self.plain.avatar.iter().flat_map(|avatar| &avatar.items).find(|named| named.key == "sourceUrl");
        if let Some(url) = avatar.and_then(|named| named.value.as_str()) {
            card.push_str(&format!("\n- Avatar: {url}"));
        }
        if let Some(mood) = Plain::text(self.plain.default_mood.as_ref()) {
            card.push_str(&format!("\n- Mood: {mood}"));
        }
        card
    }
}
