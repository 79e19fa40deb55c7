use super::Error;
use super::remote::{Branch, RemoteUrl};
use super::repository::Repository;
use super::state::{Home, State};
use crate::context::Context;
use crate::store::{EventKind, NewEvent};

/// Names the remote that souls are synced with. What was known of another one is forgotten; no text changes.
pub(crate) fn init(context: &Context<'_>, remote: RemoteUrl, branch: Branch, agents: bool) -> Result<bool, Error> {
    if context.caller.agent().is_some() {
        return Err(Error::ForPeople);
    }
    let keeper = context.keeper;
    keeper.make_home()?;
    let home = Home::souls(keeper)?;
    let _lock = home.lock()?;
    // A state that cannot be read is begun anew.
    let before: Option<State> = home.load().unwrap_or(None);
    let is_same = before.as_ref().is_some_and(|before| before.repository == remote && before.branch == branch);
    let repository = Repository::open(&home.clone_path())?;
    if !is_same {
        repository.remove();
    }
    let repository = Repository::open(&home.clone_path())?;
    let tip = repository.fetch(&remote, &branch)?;
    let state = match before.filter(|_| is_same && tip.is_some()) {
        Some(before) => State { agents, ..before },
        None => State::new(remote, branch, agents),
    };
    home.save(&state)?;
    let author = context.author("sync.init");
    let event = NewEvent {
        scope: Some(keeper.roots.home_scope()),
        ..NewEvent::new(EventKind::SyncInit, &author.actor, &author.origin)
    };
    keeper.store()?.append_event(&event, keeper.now())?;
    Ok(tip.is_some())
}
