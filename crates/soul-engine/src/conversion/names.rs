use std::path::Path;

use soul_core::model::{Field, Soul};
use soul_core::text::slug;

use crate::files::{PERSONA_FILE, SOUL_FILE};

/// What files are called rather than souls.
const NO_NAMES: [&str; 6] = ["soul", "soul-md", "persona", "unnamed", "unnamed-agent", "agent"];

/// The ids that a converted soul can have, best first: its own, one made of its name, one made of the folder or file
/// that it was read from. There is always one.
pub(crate) fn candidates(soul: &Soul, name: Option<&str>, place: Option<&Path>) -> Vec<String> {
    let own = soul.texts(Field::Id).chain(soul.texts(Field::Name)).chain(name).map(slug);
    let mut ids: Vec<String> = own.chain(place.and_then(name_of_place).map(|name| slug(&name))).collect();
    ids.retain(|id| !id.is_empty() && id.len() <= 100 && !NO_NAMES.contains(&id.as_str()));
    if ids.is_empty() {
        ids.push("soul".to_owned());
    }
    ids
}

/// What a folder, or a file that is named for its soul, is called.
fn name_of_place(place: &Path) -> Option<String> {
    let place = std::path::absolute(place).ok()?;
    let own = |name: &str| name != SOUL_FILE && name != PERSONA_FILE;
    let is_named = place.file_name().and_then(|name| name.to_str()).is_some_and(own);
    let named = if is_named { &place } else { place.parent()? };
    let name = if named.is_dir() { named.file_name() } else { named.file_stem() };
    name.map(|name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use soul_core::model::Item;
    use soul_core::text::Span;

    #[test]
    fn a_soul_is_named_for_itself_before_its_folder() {
        let named = |name: &str| Soul { items: vec![Item::text(Field::Name, name, Span::default())] };
        let place = Some(Path::new("/packs/egon/SOUL.md"));
        assert_eq!(candidates(&named("Egon Spengler"), None, place), ["egon-spengler", "egon"]);
        assert_eq!(candidates(&named("日本"), None, place), ["egon"]);
        assert_eq!(candidates(&named("SOUL"), None, Some(Path::new("/packs/ada.md"))), ["ada"]);
        assert_eq!(candidates(&Soul::default(), Some("Unnamed"), None), ["soul"]);
    }
}
