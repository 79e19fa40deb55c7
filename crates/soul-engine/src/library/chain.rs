//! Which soul of the library is taken: the one that was asked for, or else the selected one, `default`,
//! the one in the program itself. The answer says which, and what was passed over.

use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;

use super::member::{self, Member};
use super::{Error, SoulId, seed};
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::ops::inspect::{self, respond};
use crate::ops::load::{self, Content};
use crate::ops::{Error as OpError, inspect::Request};
use crate::settings::Fallback;
use crate::store::{Reason, SkippedSoul, SoulSource};
use crate::workspace::{SoulKey, Target};

/// What the one in the program itself is called.
const BUILT_IN: &str = "built-in";

/// A soul that was taken.
pub(crate) struct Taken {
    pub(crate) soul: inspect::Response,
    pub(crate) source: SoulSource,
    pub(crate) key: SoulKey,
}

/// Which soul is wanted.
pub(crate) enum Wanted {
    /// This one, and no other.
    Soul(SoulId),
    /// Whichever comes first.
    Chain,
}

/// The soul that an agent without one takes, if such agents are to take one of the library.
pub(crate) fn in_place_of(keeper: &Keeper, own: &inspect::Response) -> Result<Option<Taken>, OpError> {
    let settings = &keeper.settings.soul;
    let is_wanted = !own.present && settings.enabled && settings.fallback == Fallback::Library;
    is_wanted.then(|| take(keeper, Wanted::Chain)).transpose()
}

/// Takes a soul. One that is not there is passed over, unless it was asked for; one that is there and
/// invalid is an error, because nobody runs on another soul than was chosen for him.
pub(crate) fn take(keeper: &Keeper, wanted: Wanted) -> Result<Taken, OpError> {
    let mut passed_over = Vec::new();
    for (id, reason) in candidates(keeper, wanted)? {
        let soul = Member::open(keeper, id.clone())?.map(|member| read(keeper, &member)).transpose()?;
        let why = match soul {
            Some(soul) if soul.present && !soul.valid => return Err(OpError::Invalid(Box::new(soul))),
            Some(soul) if soul.present => match member::parts(&soul) {
                Some(parts) if parts.content().trim().is_empty() && reason != Reason::Requested => "it has no content",
                _ => {
                    let source = SoulSource { id: id.to_string(), reason, passed_over };
                    return Ok(Taken { soul, source, key: member::key(&id) });
                }
            },
            _ if reason == Reason::Requested => return Err(Error::NotFound(id).into()),
            _ => "it is not in the library",
        };
        passed_over.push(SkippedSoul { id: id.to_string(), why: why.to_owned() });
    }
    let source = SoulSource { id: BUILT_IN.to_owned(), reason: Reason::BuiltIn, passed_over };
    let key = SoulKey { name: BUILT_IN.to_owned(), ..member::key(&SoulId::DEFAULT.parse()?) };
    Ok(Taken { soul: built_in(keeper)?, source, key })
}

/// The souls that come into question, in order.
fn candidates(keeper: &Keeper, wanted: Wanted) -> Result<Vec<(SoulId, Reason)>, OpError> {
    let default = || Ok::<_, OpError>((SoulId::DEFAULT.parse()?, Reason::Default));
    match wanted {
        Wanted::Soul(id) => Ok(vec![(id, Reason::Requested)]),
        Wanted::Chain => Ok(match selected(keeper)? {
            Some(id) if id.is_default() => vec![(id, Reason::Selected)],
            Some(id) => vec![(id, Reason::Selected), default()?],
            None => vec![default()?],
        }),
    }
}

/// The soul that is selected.
pub(crate) fn selected(keeper: &Keeper) -> Result<Option<SoulId>, OpError> {
    let selected = keeper.existing_store()?.map(|store| store.selected_soul()).transpose()?.flatten();
    Ok(selected.map(|id| id.parse()).transpose()?)
}

fn read(keeper: &Keeper, member: &Member) -> Result<inspect::Response, OpError> {
    recover_if_idle(keeper, member, &member::key(&member.id))?;
    Ok(member.now(keeper))
}

fn built_in(keeper: &Keeper) -> Result<inspect::Response, OpError> {
    let target = Target::Text(seed::TEXT.as_bytes().to_vec());
    let request = Request { target, dialect: Some(Dialect::Dagu), profile: Profile::Lenient };
    let loaded = load::run(keeper, request)?;
    debug_assert!(matches!(loaded.content, Content::Soul(_)));
    Ok(respond(keeper, load::Response { source_path: BUILT_IN.to_owned(), ..loaded }))
}
