use std::path::Path;

use soul_core::formats::dagu;
use soul_core::model::{self, Dialect, Field, Item, Soul};
use soul_core::text::{Span, slug};

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

/// The soul with a name, for a form that has one: the name of its card, the title of its text, its id, or the folder.
/// Only the form needs it; the soul itself is said to have no more than it has.
pub(crate) fn with_name(mut soul: Soul, to: Dialect, card: Option<String>, place: Option<&Path>) -> Soul {
    if !matches!(to, Dialect::Agentos | Dialect::Dagu | Dialect::Soulspec) {
        return soul;
    }
    let place = place.and_then(name_of_place);
    let given = soul.texts(Field::Name).find(|name| !model::is_nobody(name)).map(str::to_owned);
    let name = given.clone().or(card).or_else(|| {
        let texts = soul.items.iter().filter(|item| matches!(item.field, Field::Preamble | Field::Body));
        let ids = soul.texts(Field::Id).map(str::to_owned);
        let title = model::name_of(&Soul { items: texts.cloned().collect() });
        title.into_iter().chain(ids).chain(place.as_deref().and_then(model::name_of_path)).next()
    });
    let Some(name) = name else { return soul };
    if to == Dialect::Soulspec && soul.texts(Field::Id).next().is_none() {
        let id = model::id_for(&name, place.as_deref());
        soul.items.extend(id.map(|id| Item::text(Field::Id, id, Span::default())));
    }
    if given.is_none() {
        soul.items.retain(|item| item.field != Field::Name);
        soul.items.insert(0, Item::text(Field::Name, name, Span::default()));
    }
    soul
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

    #[test]
    fn what_has_no_name_gets_that_of_its_card_title_or_folder() {
        let role = || Item::text(Field::Role, "dev", Span::default());
        let name = |items: Vec<Item>, card: Option<&str>| {
            let place = Some(Path::new("/packs/bob/SOUL.md"));
            let soul = with_name(Soul { items }, Dialect::Agentos, card.map(str::to_owned), place);
            soul.texts(Field::Name).next().map(str::to_owned)
        };
        let body = Item::passage(Field::Body, "# Grace\n\nKind.", Span::default());
        assert_eq!(name(vec![role()], Some("Robo")).as_deref(), Some("Robo"));
        assert_eq!(name(vec![role(), body], None).as_deref(), Some("Grace"));
        assert_eq!(name(vec![role()], None).as_deref(), Some("bob"));
        let unnamed = Item::text(Field::Name, "Unnamed Agent", Span::default());
        assert_eq!(name(vec![unnamed], None).as_deref(), Some("bob"));
    }

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
