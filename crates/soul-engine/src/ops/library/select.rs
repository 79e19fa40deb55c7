//! Select the soul for sessions and agents that have none.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::current;
use crate::authoring;
use crate::caller::Grant;
use crate::context::Context;
use crate::library::member::Member;
use crate::library::{Error as LibraryError, SoulId};
use crate::ops::{Error, Hints, Operation};
use crate::seed;
use crate::workspace::BadSoulId;

/// Select the soul for sessions and agents that have none, or show which one is selected.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Id of the soul to select; an empty text goes back to the default soul. Without it nothing changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Selection>,
}

/// What to select. On the wire it is the id of a soul, or an empty text for the default soul.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Selection {
    /// No soul, so that the default soul is used.
    Default,
    /// This soul.
    Soul(SoulId),
}

impl TryFrom<String> for Selection {
    type Error = BadSoulId;

    fn try_from(id: String) -> Result<Self, BadSoulId> {
        if id.is_empty() { Ok(Self::Default) } else { id.try_into().map(Self::Soul) }
    }
}

impl From<Selection> for String {
    fn from(selection: Selection) -> Self {
        match selection {
            Selection::Default => Self::new(),
            Selection::Soul(id) => id.to_string(),
        }
    }
}

impl JsonSchema for Selection {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Selection".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([a-z0-9]+(-[a-z0-9]+)*)?$", "maxLength": 128 })
    }
}

impl Operation for Request {
    const NAME: &'static str = "library.select";
    const HINTS: Hints = Hints::REPLACE.idempotent();
    type Response = current::Response;

    fn grant(&self) -> Grant {
        if self.id.is_some() { Grant::Write } else { Grant::Read }
    }

    fn run(self, context: &Context<'_>) -> Result<current::Response, Error> {
        let keeper = context.keeper;
        let Some(selection) = self.id else { return current::Request {}.run(context) };
        seed::library(keeper)?;
        let author = context.author(Self::NAME);
        authoring::check_not_living_on_library(keeper, &author.actor)?;
        match selection {
            Selection::Soul(id) => {
                let missing = || LibraryError::SelectedNotFound(id.clone());
                let member = Member::open(keeper, id.clone())?.ok_or_else(missing)?;
                // Nobody deletes it in between.
                let _lock = member.lock(keeper)?;
                let now = member.now(keeper);
                if !now.is_present() {
                    return Err(missing().into());
                }
                now.valid()?;
                keeper.store()?.select_soul(Some(id.as_str()), &author.actor, &author.origin, keeper.now())?;
            }
            Selection::Default => keeper.store()?.select_soul(None, &author.actor, &author.origin, keeper.now())?,
        }
        current::Response::read(keeper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_an_id_or_nothing() {
        let read = |text: &str| serde_json::from_str::<Request>(text).map(|request| request.id);
        for absent in ["{}", r#"{"id":null}"#] {
            assert_eq!(read(absent).unwrap(), None, "{absent}");
        }
        assert_eq!(read(r#"{"id":""}"#).unwrap(), Some(Selection::Default));
        let soul = Some(Selection::Soul("concise-ops".parse().unwrap()));
        assert_eq!(read(r#"{"id":"concise-ops"}"#).unwrap(), soul);
        assert!(read(r#"{"id":" "}"#).is_err() && read(r#"{"id":"../etc"}"#).is_err());
        for sent in ["{}", r#"{"id":""}"#, r#"{"id":"concise-ops"}"#] {
            let request: Request = serde_json::from_str(sent).unwrap();
            assert_eq!(serde_json::to_string(&request).unwrap(), sent);
            assert_eq!(request.grant(), if sent == "{}" { Grant::Read } else { Grant::Write });
        }
    }
}
