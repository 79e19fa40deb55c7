//! Whether an answer that was made earlier is still true: the files that it was made from are as they were, nothing was
//! recorded about what it depends on, and the time has not come at which it changes by itself.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use crate::Keeper;
use crate::files::witness::Witness;
use crate::ids::{SessionId, TokenId};
use crate::store::{self, Event, EventFilter, Store, WINDOWS};
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

/// What has been recorded, by subject, as far as it was read. Every change that a reader can see leaves an event
/// in the same transaction, so the events after the last one that was seen name all that has changed.
///
/// Readers look through windows of their own, so that they do not wait for each other: one whose window shows the
/// version that it showed at its last look knows that everything up to it is noted.
#[derive(Default)]
pub(crate) struct Recorded {
    windows: [Mutex<Option<i64>>; WINDOWS],
    seen: RwLock<Seen>,
}

#[derive(Default)]
struct Seen {
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
        self.look_and(keeper, |seen| seen.looks).ok()
    }

    /// Whether nothing was recorded of these subjects since a look.
    fn are_unchanged(&self, keeper: &Keeper, subjects: &[Subject], look: u64) -> bool {
        let is_unchanged = |seen: &Seen, subject| seen.subjects.get(subject).is_none_or(|at| *at <= look);
        let are_unchanged =
            |seen: &Seen| seen.everything <= look && subjects.iter().all(|subject| is_unchanged(seen, subject));
        self.look_and(keeper, are_unchanged).unwrap_or(false)
    }

    /// Notes what has changed, and reads what is noted.
    fn look_and<T>(&self, keeper: &Keeper, read: impl FnOnce(&Seen) -> T) -> Result<T, store::Error> {
        let (number, mut window) = self.window();
        let Some(store) = keeper.existing_store()? else {
            let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
            return if seen.last.is_none() { Ok(read(&seen)) } else { Err(store::Error::NoHome) };
        };
        // Before the events are read: whatever comes in between changes it again.
        let version = store.version(number)?;
        if *window == Some(version) {
            return Ok(read(&self.seen.read().unwrap_or_else(PoisonError::into_inner)));
        }
        keeper.prepare()?;
        loop {
            let last = self.seen.read().unwrap_or_else(PoisonError::into_inner).last.clone();
            // Read before the lock is taken: nobody waits for the store.
            let news = News::after(store, last.as_ref())?;
            let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
            if seen.last == last {
                seen.catch_up(news);
                *window = Some(version);
                return Ok(read(&seen));
            }
        }
    }

    /// A window that nobody looks through, or else the first that is free again.
    fn window(&self) -> (usize, MutexGuard<'_, Option<i64>>) {
        for (number, window) in self.windows.iter().enumerate() {
            if let Ok(window) = window.try_lock() {
                return (number, window);
            }
        }
        (0, self.windows[0].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What came after an event.
enum News {
    /// These, the last event that was seen before them first.
    Events(Vec<Event>),
    /// Too much, or nobody knows what; the last event now.
    Everything(Option<Box<Event>>),
}

impl News {
    fn after(store: &dyn Store, last: Option<&Event>) -> Result<Self, store::Error> {
        // The last one is read again: in a store that was replaced it is another.
        let events = match last {
            Some(last) => store.events(&EventFilter::default(), last.seq - 1, EVENTS)?,
            None => Vec::new(),
        };
        if last.is_some() && events.first() == last && events.len() < EVENTS {
            return Ok(Self::Events(events));
        }
        Ok(Self::Everything(
            store
                .events(&EventFilter::default(), store.event_before_last(&EventFilter::default(), 1)?, 1)?
                .pop()
                .map(Box::new),
        ))
    }
}

impl Seen {
    fn catch_up(&mut self, news: News) {
        match news {
            News::Events(events) if events.len() == 1 => {}
            News::Events(mut events) if self.subjects.len() <= SUBJECTS => {
                self.looks += 1;
                events[1..].iter().for_each(|event| self.note(event));
                self.last = events.pop();
            }
            News::Events(mut events) => self.forget_all(events.pop()),
            News::Everything(last) => self.forget_all(last.map(|last| *last)),
        }
    }

    /// Everything may have changed.
    fn forget_all(&mut self, last: Option<Event>) {
        self.looks += 1;
        self.everything = self.looks;
        self.subjects.clear();
        self.last = last;
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
