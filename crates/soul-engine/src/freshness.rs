//! Whether an answer that was made earlier is still true: the files that it was made from are as they were, nothing was
//! recorded about what it depends on, and the time has not come at which it changes by itself.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::Keeper;
use crate::files::witness::Witness;
use crate::ids::{SessionId, TokenId};
use crate::store::{self, Event};
use crate::workspace::{Kind, SoulKey};

/// How many subjects are remembered, and how many events are read, before everything counts as changed.
const SUBJECTS: usize = 10_000;
const EVENTS: usize = 1000;

/// What records are about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A soul: its revisions, its persona, and the dialect that it is pinned to.
    Soul(SoulKey),
    /// A session.
    Session(SessionId),
    /// A token.
    Token(TokenId),
}

/// What an answer depends on.
#[derive(Debug, Default)]
pub struct Sources {
    /// Files and folders; a folder comes before what is in it.
    pub files: Vec<PathBuf>,
    /// What is recorded of it.
    pub records: Vec<Subject>,
}

/// The state of what an answer depends on, taken before it is made.
#[derive(Debug)]
pub struct Freshness {
    files: Witness,
    records: Vec<Subject>,
    /// The look at the store before the answer was made.
    look: u64,
    /// Seconds since 1970 in which the answer holds, if it changes with time.
    seconds: Option<Range<i64>>,
}

impl Freshness {
    /// Looks at the sources. `None` if the store cannot say what has changed in it.
    #[must_use]
    pub fn of(keeper: &Keeper, sources: Sources) -> Option<Self> {
        let files = Witness::of(sources.files);
        let look = if sources.records.is_empty() { 0 } else { keeper.recorded.look(keeper)? };
        Some(Self { files, records: sources.records, look, seconds: None })
    }

    /// The same for an answer that changes with time, and is true until then.
    #[must_use]
    pub(crate) fn until(self, keeper: &Keeper, seconds: i64) -> Self {
        Self { seconds: Some(keeper.now().seconds()..seconds), ..self }
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn weight(&self) -> usize {
        256 * (1 + self.files.len() + self.records.len())
    }

    /// Whether files have had their state for long enough that any later change will show.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.files.is_settled()
    }

    /// Whether the answer is still true.
    #[must_use]
    pub fn holds(&self, keeper: &Keeper) -> bool {
        self.files.holds()
            && self.seconds.as_ref().is_none_or(|seconds| seconds.contains(&keeper.now().seconds()))
            && (self.records.is_empty() || keeper.recorded.are_unchanged(keeper, &self.records, self.look))
    }
}

/// What has been recorded, by subject, as far as somebody has looked. Every change that a reader can see leaves an event in the
/// same transaction, so the events after the last one that was seen name all that has changed.
#[derive(Default)]
pub(crate) struct Recorded(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    /// The version of the store at the last look.
    version: Option<i64>,
    /// The last event that was seen.
    last: Option<Event>,
    /// How many looks have found something.
    looks: u64,
    /// The last look at which everything may have changed.
    everything: u64,
    /// The look at which a subject was last found changed.
    subjects: HashMap<Subject, u64>,
}

impl Recorded {
    /// Looks at the store, and numbers the look. `None` if the store does not say.
    fn look(&self, keeper: &Keeper) -> Option<u64> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.look(keeper).ok()?;
        Some(seen.looks)
    }

    /// Whether nothing was recorded of these subjects since a look.
    fn are_unchanged(&self, keeper: &Keeper, subjects: &[Subject], look: u64) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unchanged = |seen: &Seen, subject| seen.subjects.get(subject).is_none_or(|at| *at <= look);
        seen.look(keeper).is_ok()
            && seen.everything <= look
            && subjects.iter().all(|subject| is_unchanged(&seen, subject))
    }
}

impl Seen {
    fn look(&mut self, keeper: &Keeper) -> Result<(), store::Error> {
        let Some(store) = keeper.existing_store()? else {
            return if self.version.is_none() { Ok(()) } else { Err(store::Error::NoHome) };
        };
        // Before the events are read: whatever comes in between changes it again.
        let version = store.version()?;
        if self.version == Some(version) {
            return Ok(());
        }
        // The last one is read again: in a store that was replaced it is another.
        let mut events = match &self.last {
            Some(last) => store.events(last.seq - 1, EVENTS)?,
            None => Vec::new(),
        };
        self.looks += 1;
        let is_known = self.last.is_some() && events.first() == self.last.as_ref();
        if !is_known || events.len() == EVENTS || self.subjects.len() > SUBJECTS {
            self.everything = self.looks;
            self.subjects.clear();
            events = store.events(store.event_before_last(1)?, 1)?;
        } else {
            for event in &events[1..] {
                self.note(event);
            }
        }
        self.last = events.pop();
        self.version = Some(version);
        Ok(())
    }

    /// Notes what an event is about.
    fn note(&mut self, event: &Event) {
        let event = &event.event;
        let soul = |kind, name: &Option<String>| {
            Some(Subject::Soul(SoulKey { scope: event.scope.clone()?, kind, name: name.clone()? }))
        };
        let subjects = [
            soul(Kind::Agent, &event.agent),
            soul(Kind::Library, &event.soul),
            event.session.clone().map(Subject::Session),
            event.token.clone().map(Subject::Token),
        ];
        let mut is_known = event.task.is_some();
        for subject in subjects.into_iter().flatten() {
            self.subjects.insert(subject, self.looks);
            is_known = true;
        }
        // An event that names nobody may be about everybody.
        if !is_known {
            self.everything = self.looks;
        }
    }
}
