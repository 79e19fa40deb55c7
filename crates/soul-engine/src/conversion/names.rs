use std::path::Path;

use soul_core::formats::dagu;
use soul_core::model::{self, Field, Soul};
use soul_core::text::slug;

use crate::files::{PERSONA_FILE, SOUL_FILE};

/// What files are called rather than souls.
const NO_NAMES: [&str; 6] = ["soul", "soul-md", "persona", "unnamed", "unnamed-agent", "agent"];

/// The ids that a converted soul can have, best first: its own, one made of its name, one made of the folder or file
/// that it was read from. There is always one.
pub(crate) fn candidates(soul: &Soul, place: Option<&Path>) -> Vec<String> {
    let place = place.and_then(name_of_place);
    let name = model::name_of(soul);
    let ids = soul.texts(Field::Id).map(slug);
    let ids = ids.chain(name.and_then(|name| model::id_for(&name, place.as_deref())));
    let mut ids: Vec<String> = ids.chain(place.iter().map(|place| slug(place))).collect();
    ids.retain(|id| dagu::is_id(id) && !NO_NAMES.contains(&id.as_str()));
    ids.dedup();
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
        assert_eq!(candidates(&named("Egon Spengler"), place), ["egon-spengler", "egon"]);
        assert_eq!(candidates(&named("日本"), place), ["egon"]);
        assert_eq!(candidates(&named("SOUL"), Some(Path::new("/packs/ada.md"))), ["ada"]);
        assert_eq!(candidates(&Soul::default(), None), ["soul"]);
    }
}
