//! Whether an agent's soul has changed since a session was bound to it.

use std::collections::{BTreeMap, HashMap};

use soul_core::sigil::Parts;

use crate::Keeper;
use crate::ids::SnapshotId;
use crate::souls::{self, Loader, Text, capture};
use crate::store::{self, Session};
use crate::workspace::SoulKey;

/// Compares sessions with the souls of their agents. Each soul is read once and each snapshot is compared once, so
/// that a list of many sessions costs little more than one of them.
pub(crate) struct Behind<'a> {
    keeper: &'a Keeper,
    souls: HashMap<SoulKey, Current>,
    snapshots: HashMap<SnapshotId, Option<bool>>,
}

/// What an agent's soul is now.
enum Current {
    /// The authored files of a valid soul, and its parts.
    Valid(BTreeMap<String, Vec<u8>>, Box<Parts>),
    /// The soul is gone or invalid.
    Unusable,
    /// The agent is gone, or cannot be read just now.
    Unknown,
}

impl<'a> Behind<'a> {
    pub(crate) fn new(keeper: &'a Keeper) -> Self {
        Self { keeper, souls: HashMap::new(), snapshots: HashMap::new() }
    }

    /// Decided by the authored bytes: a digest that an earlier version made may differ where no file does. `None` if
    /// there is no soul of the agent's own to compare.
    pub(crate) fn of(&mut self, session: &Session) -> Result<Option<bool>, store::Error> {
        let own = session.key().filter(|_| session.soul_source.is_none());
        let Some((key, id)) = own.zip(session.soul_snapshot_id.as_ref()) else { return Ok(None) };
        if let Some(known) = self.snapshots.get(id) {
            return Ok(*known);
        }
        let keeper = self.keeper;
        let current = self.souls.entry(key).or_insert_with_key(|key| current(keeper, key));
        let is_behind = match current {
            Current::Unknown => None,
            Current::Unusable => Some(true),
            Current::Valid(files, _) => keeper.store()?.snapshot(id)?.map(|snapshot| snapshot.files != *files),
        };
        self.snapshots.insert(id.clone(), is_behind);
        Ok(is_behind)
    }

    /// The parts of the agent's soul as it is now, if it is valid.
    pub(crate) fn current_parts(&mut self, session: &Session) -> Option<Parts> {
        let keeper = self.keeper;
        let current = self.souls.entry(session.key()?).or_insert_with_key(|key| current(keeper, key));
        if let Current::Valid(_, parts) = current { Some(**parts) } else { None }
    }
}

fn current(keeper: &Keeper, key: &SoulKey) -> Current {
    let read = || -> Result<Current, souls::Error> {
        let agent = keeper.agent_of(key)?;
        let soul = Loader::chosen(keeper, keeper.chosen_dialect(&agent)?).agent(&agent, Text::OnDisk);
        if soul.is_unavailable {
            return Ok(Current::Unknown);
        }
        if !soul.is_valid() || !soul.is_present() {
            return Ok(Current::Unusable);
        }
        Ok(Current::Valid(capture(keeper, Some(&agent), key, &soul)?.files, Box::new(Parts::of(&soul.soul))))
    };
    read().unwrap_or(Current::Unknown)
}
