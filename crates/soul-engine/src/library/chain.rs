//! Which soul of the library a session runs on: the one that was asked for, or else the selected one,
//! `default`, the built-in one. The answer says which, and which were skipped.

use soul_core::model::Dialect;

use super::member::{self, Member};
use super::{Error, SoulId};
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::settings::Fallback;
use crate::souls::built_in::DEFAULT_SOUL;
use crate::souls::{self, Loader, Resolved};
use crate::store::{Reason, SkippedSoul, SoulSource};
use crate::workspace::SoulKey;

/// The name of the built-in soul.
const BUILT_IN: &str = "built-in";

/// A soul of the library that was chosen.
pub(crate) struct Choice {
    pub(crate) soul: Resolved,
    pub(crate) source: SoulSource,
    pub(crate) key: SoulKey,
}

/// Which soul is wanted.
pub(crate) enum Wanted {
    /// This one, and no other.
    Soul(SoulId),
    /// The first of the chain that can be used.
    Chain,
}

/// The soul that an agent without one runs on, if `[agents.soul] fallback` is `library`.
pub(crate) fn fallback(keeper: &Keeper, own: &Resolved) -> Result<Option<Choice>, Error> {
    let settings = &keeper.settings.soul;
    let is_wanted = !own.is_present() && settings.enabled && settings.fallback == Fallback::Library;
    is_wanted.then(|| choose(keeper, Wanted::Chain)).transpose()
}

/// Chooses a soul. One that does not exist is skipped, unless it was asked for; one that exists and is
/// invalid is an error, because nobody runs on another soul than the operator chose.
pub(crate) fn choose(keeper: &Keeper, wanted: Wanted) -> Result<Choice, Error> {
    let mut passed_over = Vec::new();
    for (id, reason) in candidates(keeper, wanted)? {
        let soul = Member::open(keeper, id.clone())?.map(|member| read(keeper, &member)).transpose()?;
        let why = match soul {
            Some(soul) if soul.is_present() => {
                let soul = soul.valid()?;
                match member::parts(&soul) {
                    Some(parts) if parts.content().trim().is_empty() && reason != Reason::Requested => {
                        "it has no content"
                    }
                    _ => {
                        let source = SoulSource { id: id.to_string(), reason, passed_over };
                        return Ok(Choice { soul, source, key: member::key(keeper, &id) });
                    }
                }
            }
            _ if reason == Reason::Requested => return Err(souls::Error::SoulNotFound(id).into()),
            _ => "it is not in the library",
        };
        passed_over.push(SkippedSoul { id: id.to_string(), why: why.to_owned() });
    }
    let source = SoulSource { id: BUILT_IN.to_owned(), reason: Reason::BuiltIn, passed_over };
    let key = SoulKey { name: BUILT_IN.to_owned(), ..member::key(keeper, &SoulId::default_soul()) };
    let soul = Loader::new(keeper, Some(Dialect::Dagu)).built_in(BUILT_IN, DEFAULT_SOUL);
    Ok(Choice { soul, source, key })
}

/// The souls that may be chosen, in order.
fn candidates(keeper: &Keeper, wanted: Wanted) -> Result<Vec<(SoulId, Reason)>, Error> {
    let default = (SoulId::default_soul(), Reason::Default);
    match wanted {
        Wanted::Soul(id) => Ok(vec![(id, Reason::Requested)]),
        Wanted::Chain => Ok(match selected(keeper)? {
            Some(id) if id.is_default() => vec![(id, Reason::Selected)],
            Some(id) => vec![(id, Reason::Selected), default],
            None => vec![default],
        }),
    }
}

/// The soul that is selected.
pub(crate) fn selected(keeper: &Keeper) -> Result<Option<SoulId>, Error> {
    let selected = keeper.existing_store()?.map(|store| store.selected_soul()).transpose()?.flatten();
    Ok(selected.map(|id| id.parse().map_err(souls::Error::from)).transpose()?)
}

fn read(keeper: &Keeper, member: &Member) -> Result<Resolved, Error> {
    recover_if_idle(keeper, member, &member::key(keeper, &member.id))?;
    Ok(member.now(keeper))
}
