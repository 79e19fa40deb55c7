use granit_parser::{Event, Parser};

use super::build::MAX_EVENTS;

/// Whether a text uses what JSON has no word for: anchors, aliases, tags or merge keys. `None` if it is not YAML.
pub(crate) fn has_features_beyond_json(text: &str) -> Option<bool> {
    let mut found = false;
    for event in Parser::new_from_str(text).take(MAX_EVENTS) {
        let (event, _) = event.ok()?;
        found |= match event {
            Event::Alias(_) => true,
            Event::Scalar(text, _, anchor, tag) => anchor != 0 || tag.is_some() || text == "<<",
            Event::SequenceStart(_, anchor, tag) | Event::MappingStart(_, anchor, tag) => anchor != 0 || tag.is_some(),
            _ => false,
        };
    }
    Some(found)
}
