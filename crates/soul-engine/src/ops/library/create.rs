//! Add a soul to the library.

use serde::{Deserialize, Serialize};
use soul_core::model::{Dialect, Field, Item};
use soul_core::text::Span;

use super::{MAX_CONTENT, MAX_DESCRIPTION, MAX_NAME, Soul, bounded, free_name};
use crate::Keeper;
use crate::authoring::Intent;
use crate::library::member::Member;
use crate::library::{Error as LibraryError, Freshness, SoulId};
use crate::ops::payload::{Asker, Authorship};
use crate::ops::{Error, Grant};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// The new soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Its id, if it is not to follow from the name.
    pub id: Option<SoulId>,
    /// What people call it; blanks around it do not count.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The text that reaches a model; blanks around it do not count.
    pub content: String,
    /// Why it is to be done whatever the scanner says; it goes on record.
    pub force: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// Puts the soul into the library.
///
/// # Errors
/// When id or name is another's, name or content is missing, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Soul, Error> {
    let (name, content) = (request.name.trim(), request.content.trim());
    for (what, text, max) in [("name", name, MAX_NAME), ("content", content, MAX_CONTENT)] {
        if text.is_empty() {
            return Err(LibraryError::Required(what.into()).into());
        }
        bounded(what, text, max)?;
    }
    bounded("description", &request.description, MAX_DESCRIPTION)?;

    // The lock is the folder's, whichever soul it is taken for.
    let member = Member::make(keeper, request.id.clone().map_or_else(|| SoulId::DEFAULT.parse(), Ok)?)?;
    let lock = member.hold(keeper)?;
    let id = match request.id {
        Some(id) if member.is_taken(id.as_str()) => return Err(LibraryError::IdTaken(id).into()),
        Some(id) => id,
        None => SoulId::for_name(name, |id| member.is_taken(id)),
    };
    free_name(&*keeper.library_as_of(Freshness::Now)?, name, None)?;
    let member = member.beside(id);
    let text = written(name, &request.description, content);
    let now = member.now(keeper);
    let authorship = Authorship { force: request.force, ..Authorship::plain(request.asker) };
    let applied = member.apply(keeper, &lock, &now, Intent::Put(text.into_bytes()), authorship)?;
    Soul::changed(member.id, applied)
}

fn written(name: &str, description: &str, content: &str) -> String {
    let item = |field, text: &str| Item::text(field, text.to_owned(), Span::default());
    let mut items = vec![item(Field::Name, name)];
    if !description.is_empty() {
        items.push(item(Field::Description, description));
    }
    items.push(Item::passage(Field::Body, content.to_owned(), Span::default()));
    soul_core::formats::emit(&soul_core::model::Soul { items }, Dialect::Dagu).text
}
