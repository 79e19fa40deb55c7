//! Add a soul to the library.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::model::{Dialect, Field, Item};
use soul_core::text::Span;

use super::{MAX_CONTENT, MAX_DESCRIPTION, MAX_NAME, Soul, check_length, check_name};
use crate::authoring::{Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::library::member::Member;
use crate::library::{Error as LibraryError, Freshness, SoulId};
use crate::ops::{Error, Hints, Operation};
use crate::seed;

/// Add a soul to the library.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the new soul; derived from the name if absent.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub id: Option<SoulId>,
    /// Name of the new soul, which no other soul has.
    #[serde(default)]
    #[schemars(!default)]
    pub name: String,
    /// What the soul is for.
    #[serde(default)]
    pub description: String,
    /// The text that reaches a model.
    #[serde(default)]
    #[schemars(!default)]
    pub content: String,
    /// Why to write the soul although the scanner refuses it (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

impl Operation for Request {
    const NAME: &'static str = "library.create";
    const HINTS: Hints = Hints::ADD;
    type Response = Soul;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Soul, Error> {
        let keeper = context.keeper;
        seed::library(keeper)?;
        let (name, content) = (self.name.trim(), self.content.trim());
        for (what, text, max) in [("name", name, MAX_NAME), ("content", content, MAX_CONTENT)] {
            if text.is_empty() {
                return Err(LibraryError::Required(what).into());
            }
            check_length(what, text, max)?;
        }
        check_length("description", &self.description, MAX_DESCRIPTION)?;

        // The lock is on the folder, whichever soul it is acquired for.
        let member = Member::make(keeper, self.id.clone().unwrap_or_else(SoulId::default_soul))?;
        let lock = member.lock(keeper)?;
        let id = match self.id {
            Some(id) if member.is_taken(id.as_str()) => return Err(LibraryError::IdTaken(id).into()),
            Some(id) => id,
            None => SoulId::for_name(name, |id| member.is_taken(id)),
        };
        check_name(&*keeper.library_as_of(Freshness::Now)?, name, None)?;
        let member = member.beside(id);
        let text = written(name, &self.description, content);
        let now = member.now(keeper);
        let change = Change::new(Intent::Put(text.into_bytes()), context.author(Self::NAME));
        let applied = member.apply(keeper, &lock, &now, Change { force: self.force, ..change })?;
        Soul::changed(keeper, member.id, applied)
    }
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
