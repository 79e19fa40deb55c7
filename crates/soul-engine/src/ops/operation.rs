//! Every operation that can be asked for from afar, by name.
//!
//! A request is a value that can be sent, and so is an answer and a failure. Whoever holds a keeper runs
//! the request; whoever does not sends it to one that does, and gets what it would have got here.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{
    Error, Grant, Subject, audit, boot, context, delete, diff, doctor, history, inspect, library, log, memory, persona,
    prompt, rollback, session, task, test, token, validate, write,
};
use crate::Keeper;

/// A request that says which operation it is of.
pub trait Operation: Serialize + DeserializeOwned + Send + 'static {
    /// The name of the operation.
    const NAME: &'static str;
    /// What it needs to be granted.
    const GRANT: Grant;
    /// What it answers.
    type Response: Serialize + DeserializeOwned;

    /// Does it.
    ///
    /// # Errors
    /// Whatever the operation has to say.
    fn run(self, keeper: &Keeper) -> Result<Self::Response, Error>;

    /// What this request needs to be granted: one that only asks needs less than one that changes.
    fn grant(&self) -> Grant {
        Self::GRANT
    }

    /// Whether it is about something that only the machine of whoever asks has, and is done there.
    fn is_here(&self) -> bool {
        false
    }

    /// Makes what is no part of the answer go along with it.
    fn carry(_response: &mut Self::Response) {}
}

/// An operation as those see it who only pass requests on.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    read: fn(Value) -> Result<Ready, serde_json::Error>,
}

type Answering = dyn FnOnce(&Keeper) -> Result<Value, Error> + Send;

/// A request that has been read.
pub struct Ready {
    /// What it needs to be granted.
    pub grant: Grant,
    run: Box<Answering>,
}

impl Ready {
    /// Answers it.
    ///
    /// # Errors
    /// Whatever the operation has to say.
    pub fn run(self, keeper: &Keeper) -> Result<Value, Error> {
        (self.run)(keeper)
    }
}

impl Entry {
    const fn of<O: Operation>() -> Self {
        Self { name: O::NAME, read: read::<O> }
    }

    /// The operation of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        OPERATIONS.iter().find(|entry| entry.name == name)
    }

    /// Reads a request, and gives back what answers it.
    ///
    /// # Errors
    /// When it is not a request of this operation.
    pub fn read(&self, request: Value) -> Result<Ready, serde_json::Error> {
        (self.read)(request)
    }
}

fn read<O: Operation>(request: Value) -> Result<Ready, serde_json::Error> {
    let request: O = serde_json::from_value(request)?;
    let grant = request.grant();
    let run = Box::new(move |keeper: &Keeper| {
        let mut response = request.run(keeper).map_err(Error::carrying)?;
        O::carry(&mut response);
        // Texts, numbers and lists: nothing that could fail to be written.
        Ok(serde_json::to_value(&response).unwrap_or_default())
    });
    Ok(Ready { grant, run })
}

macro_rules! operations {
    ($($name:literal: $($module:ident)::+ => $response:ty, $run:expr $(, { $($more:item)* })?;)+) => {
        $(
            impl Operation for $($module)::+::Request {
                const NAME: &'static str = $name;
                const GRANT: Grant = $($module)::+::GRANT;
                type Response = $response;

                fn run(self, keeper: &Keeper) -> Result<Self::Response, Error> {
                    let run: fn(&Keeper, Self) -> Result<Self::Response, Error> = $run;
                    run(keeper, self)
                }

                $($($more)*)?
            }
        )+

        /// Every operation.
        pub const OPERATIONS: &[Entry] = &[$(Entry::of::<$($module)::+::Request>()),+];
    };
}

operations! {
    "inspect": inspect => inspect::Response, inspect::run, {
        fn is_here(&self) -> bool { self.target.is_here() }
        fn carry(response: &mut Self::Response) { response.carry() }
    };
    "validate": validate => validate::Response, |keeper, request| validate::run(keeper, request, &|| {}), {
        fn is_here(&self) -> bool { self.targets.iter().any(crate::workspace::Target::is_here) }
        fn carry(response: &mut Self::Response) { response.results.iter_mut().for_each(|result| result.carry()) }
    };
    "boot": boot => boot::Response, boot::run, {
        fn is_here(&self) -> bool { self.target.is_here() }
    };
    "test": test => test::Response, test::run, {
        fn is_here(&self) -> bool { self.target.is_here() }
    };
    "prompt": prompt => prompt::Response, prompt::run, {
        fn is_here(&self) -> bool { self.subject.is_here() }
    };
    "context": context => context::Response, context::run, {
        fn is_here(&self) -> bool { Subject::is_here(self) }
    };
    "write": write => write::Response, write::run;
    "delete": delete => delete::Response, delete::run;
    "history": history => history::Response, history::run;
    "diff": diff => diff::Response, diff::run;
    "rollback": rollback => rollback::Response, rollback::run, {
        fn grant(&self) -> Grant { if self.dry_run { Grant::Read } else { Grant::Write } }
    };
    "audit.verify": audit => audit::Response, |keeper, request| audit::run(keeper, request, &|| {});
    "log": log => log::Response, log::run;
    "doctor": doctor => doctor::Response, |keeper, _| Ok(doctor::run(keeper));
    "session.start": session::start => session::Resolved, session::start::run;
    "session.spawn": session::spawn => session::Resolved, session::spawn::run;
    "session.refresh": session::refresh => session::Resolved, session::refresh::run;
    "session.resume": session::resume => session::Response, session::resume::run;
    "session.stop": session::stop => session::Response, session::stop::run;
    "session.show": session::show => session::show::Response, |keeper, request| session::show::run(keeper, &request);
    "session.list": session::list => session::list::Response, |keeper, request| session::list::run(keeper, &request);
    "task.add": task::add => task::add::Response, task::add::run;
    "task.claim": task::claim => task::Response, task::claim::run;
    "task.renew": task::renew => task::Response, task::renew::run;
    "task.finish": task::finish => task::Response, task::finish::run;
    "task.list": task::list => task::list::Response, |keeper, request| task::list::run(keeper, &request);
    "library.list": library::list => library::list::Response, |keeper, request| library::list::run(keeper, &request), {
        fn carry(response: &mut Self::Response) { response.selected.carry() }
    };
    "library.show": library::show => library::Soul, library::show::run;
    "library.create": library::create => library::Soul, library::create::run;
    "library.update": library::update => library::Soul, library::update::run;
    "library.delete": library::delete => library::delete::Response, library::delete::run;
    "library.select": library::select => library::current::Response, library::select::run;
    "library.current": library::current => library::current::Response, |keeper, _| library::current::run(keeper);
    "library.history": library::history => history::Response, library::history::run;
    "library.rollback": library::rollback => library::Soul, library::rollback::run;
    "persona.show": persona::show => persona::show::Response, persona::show::run;
    "persona.adapt": persona::adapt => persona::adapt::Response, persona::adapt::run;
    "persona.drift": persona::drift => persona::drift::Response, persona::drift::run, {
        fn grant(&self) -> Grant { if self.apply.is_none() { Grant::Read } else { Grant::Write } }
    };
    "persona.mood": persona::mood => persona::mood::Response, persona::mood::run, {
        fn grant(&self) -> Grant { if self.change.is_none() { Grant::Read } else { Grant::Write } }
    };
    "persona.overlay": persona::overlay => persona::overlay::Response, persona::overlay::run, {
        fn grant(&self) -> Grant { if self.change.is_none() { Grant::Read } else { Grant::Write } }
    };
    "persona.history": persona::history => persona::history::Response, persona::history::run;
    "persona.revert": persona::revert => persona::revert::Response, persona::revert::run;
    "token.create": token::create => token::create::Response, token::create::run;
    "token.list": token::list => token::list::Response, token::list::run;
    "token.revoke": token::revoke => token::revoke::Response, token::revoke::run;
    "memory.search": memory::search => memory::search::Response, |keeper, request| memory::search::run(keeper, &request, &|_| {}), {
        fn is_here(&self) -> bool { self.whose.is_here() }
    };
    "memory.detail": memory::detail => memory::detail::Response, |keeper, request| memory::detail::run(keeper, &request), {
        fn is_here(&self) -> bool { self.whose.is_here() }
    };
    "memory.status": memory::status => memory::status::Response, |keeper, request| memory::status::run(keeper, &request, &|_| {}), {
        fn is_here(&self) -> bool { self.whose.is_here() }
    };
    "memory.add": memory::add => memory::add::Response, |keeper, request| memory::add::run(keeper, &request), {
        fn is_here(&self) -> bool { self.whose.is_here() }
    };
    "memory.forget": memory::forget => memory::forget::Response, |keeper, request| memory::forget::run(keeper, &request), {
        fn is_here(&self) -> bool { self.whose.is_here() }
    };
}

/// What people need to see an answer, and is no part of it: sent to those who asked from afar, and to
/// nobody else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Carried<T> {
    value: T,
    travels: bool,
}

impl<T> Carried<T> {
    /// It stays, unless it is told to go along.
    pub(crate) const fn new(value: T) -> Self {
        Self { value, travels: false }
    }

    /// What it is.
    pub const fn get(&self) -> &T {
        &self.value
    }

    /// Whether it stays.
    pub(crate) const fn stays(&self) -> bool {
        !self.travels
    }

    /// It goes along.
    pub(crate) const fn along(value: T) -> Self {
        Self { value, travels: true }
    }

    pub(crate) const fn carry(&mut self) {
        self.travels = true;
    }
}

impl<T: Serialize> Serialize for Carried<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// What has arrived stays.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Carried<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}
