//! The store, its revisions, and the workspaces that they belong to.

use super::{Check, Group, RESTORE, many};
use crate::Keeper;
use crate::context::Context;
use crate::files;
use crate::ops::workspace::list;
use crate::ops::{Error, Operation, audit};
use crate::places;
use crate::store::{self, Store};

const RECORD: Group = Group::Record;

pub(super) fn check(context: &Context<'_>, store: Result<&Option<&dyn Store>, &store::Error>) -> Vec<Check> {
    let mut checks: Vec<Check> = workspace(context.keeper).into_iter().collect();
    match store {
        Ok(None) => checks.push(RECORD.ok("store", "nothing is recorded yet")),
        Err(error) => checks.push(RECORD.unusable("store", error)),
        Ok(Some(store)) => {
            checks.push(database(*store));
            checks.push(chain(context));
            match orphans(context.keeper, *store) {
                Ok(found) => checks.extend(found),
                Err(error) => checks.push(RECORD.broken("records", error.to_string(), RESTORE)),
            }
        }
    }
    checks
}

/// How the workspace stands to its record.
fn workspace(keeper: &Keeper) -> Option<Check> {
    let root = keeper.roots.workspace.as_deref()?;
    // A workspace whose id is damaged has lost its name, and with it its record.
    if let Err(error) = keeper.roots.check_workspace() {
        let help = "put `.soul/id` back as it was, from version control or a backup, or remove it and run `soul \
                    workspace adopt`; `soul workspace list` shows every record";
        return Some(RECORD.broken("workspace", files::plain(&error), help));
    }
    match places::status(keeper, root) {
        Ok(places::Status::Unrecorded | places::Status::Bound) => None,
        Ok(places::Status::Lost(scope)) => Some(RECORD.warning(
            "workspace",
            format!("`.soul/id` is missing, so the agents have no history; it was `{scope}`"),
            "run `soul workspace adopt`; the next change does the same",
        )),
        Ok(places::Status::Copy(other)) => Some(RECORD.warning(
            "workspace",
            format!("it is a copy of `{other}`: both have the same id and share one record"),
            "`soul workspace fork` gives it its own record, `soul workspace share` lets both use one",
        )),
        // Whatever is wrong with the store has a check of its own.
        Err(places::Error::Store(_)) => None,
        Err(error) => Some(RECORD.warning("workspace", error.to_string(), error.fault().hint.unwrap_or_default())),
    }
}

/// Records of workspaces whose directory is gone.
fn orphans(keeper: &Keeper, store: &dyn Store) -> Result<Option<Check>, Error> {
    let mut lost = Vec::new();
    for record in store.scopes()? {
        let entry = list::entry(keeper, store, record)?;
        // A record of an earlier version that was not used since has no place yet; nobody knows whether it is lost.
        // What this workspace has lost is told by its own check.
        let is_elsewhere = entry.last_place.as_deref().is_some_and(|place| place != ".");
        if entry.revisions > 0 && entry.places.is_empty() && is_elsewhere {
            lost.push(entry.scope);
        }
    }
    Ok((!lost.is_empty()).then(|| {
        let message = format!("no workspace uses {}: {}", many(lost.len(), "record"), lost.join(", "));
        let help = "`soul workspace list` shows what is in them; `soul workspace adopt RECORD` reconnects a workspace";
        RECORD.warning("records", message, help)
    }))
}

fn database(store: &dyn Store) -> Check {
    match store.check() {
        Ok(problems) if problems.is_empty() => RECORD.ok("store", "the database is intact"),
        Ok(problems) => RECORD.broken("store", problems.join("; "), RESTORE),
        Err(error) => RECORD.unusable("store", &error),
    }
}

fn chain(context: &Context<'_>) -> Check {
    match audit::verify::Request::default().run(context) {
        Ok(audit::verify::Response { ok: true, revisions, heads, .. }) => {
            RECORD.ok("chain", format!("{} of {} verified", many(revisions, "revision"), many(heads.len(), "soul")))
        }
        Ok(audit::verify::Response { first_broken, problem, .. }) => {
            let id = first_broken.map(|id| format!("{id}: ")).unwrap_or_default();
            let message = format!("{id}{}", problem.unwrap_or_default());
            let help = "`soul audit repair --dry-run` shows what can be repaired; \
                        `soul restore-backup FILE` brings back the record of a backup";
            RECORD.broken("chain", message, help)
        }
        Err(Error::Store(error)) => RECORD.unusable("chain", &error),
        Err(error) => RECORD.broken("chain", error.to_string(), RESTORE),
    }
}
