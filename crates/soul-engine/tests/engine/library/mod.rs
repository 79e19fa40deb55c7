//! What the library promises, one promise a test.

mod changes;
mod sessions;
mod souls;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;
use soul_engine::authoring::{self, Conflict};
use soul_engine::fields::{ExpectedDigest, Limit};
use soul_engine::library::Error as LibraryError;
use soul_engine::ops::library::{Soul, create, current, delete, history, list, rollback, select, show, update};
use soul_engine::ops::{Error, prompt, session};
use soul_engine::souls::{Error as SoulError, Subject};
use soul_engine::store::{EventKind, Party, Reason, Session};
use soul_engine::{Keeper, Step};

use super::{Home, POISON, assert_chain, events, non_blank, run, send, tester};

/// A home whose library was begun and is empty: no default soul is put into it.
fn begun() -> Home {
    let home = Home::new();
    drop_in(&home, ".examples-created", "");
    home
}

fn file(home: &Home, name: &str) -> PathBuf {
    home.0.path().join("souls").join(name)
}

fn drop_in(home: &Home, name: &str, text: &str) {
    fs::create_dir_all(home.0.path().join("souls")).unwrap();
    fs::write(file(home, name), text).unwrap();
}

fn creating(name: &str, content: &str) -> create::Request {
    let (name, content) = (name.to_owned(), content.to_owned());
    create::Request { id: None, name, description: String::new(), content, force: None }
}

fn add(keeper: &Keeper, name: &str, content: &str) -> Result<Soul, Error> {
    run(keeper, creating(name, content))
}

fn change(keeper: &Keeper, id: &str, edit: impl FnOnce(&mut update::Request)) -> Result<Soul, Error> {
    let id = id.parse().unwrap();
    let mut request =
        update::Request { id, name: None, description: None, content: None, expected_digest: None, force: None };
    edit(&mut request);
    run(keeper, request)
}

fn remove(keeper: &Keeper, id: &str, force: Option<&str>, expected: Option<&str>) -> Result<delete::Response, Error> {
    let (force, expected_digest) = (force.map(non_blank), expected.map(ExpectedDigest::new));
    run(keeper, delete::Request { id: id.parse().unwrap(), force, expected_digest })
}

fn choose(keeper: &Keeper, id: Option<&str>) -> Result<current::Response, Error> {
    let selection = id.map_or(select::Selection::Default, |id| select::Selection::Soul(id.parse().unwrap()));
    run(keeper, select::Request { id: Some(selection) })
}

fn get(keeper: &Keeper, id: &str) -> Result<Soul, Error> {
    run(keeper, show::Request { id: id.parse().unwrap(), source: false })
}

fn find(keeper: &Keeper, query: &str) -> Vec<String> {
    let request = list::Request { query: query.to_owned(), ..list::Request::default() };
    run(keeper, request).unwrap().souls.into_iter().map(|soul| soul.id.to_string()).collect()
}

/// The revisions of a soul, newest first.
fn revisions(keeper: &Keeper, id: &str) -> Vec<soul_engine::ops::RecordedRevision> {
    let (id, limit) = (id.parse().unwrap(), Limit::new(99));
    let request = history::Request { id, limit, cursor: None, bodies: false, diffs: false };
    run(keeper, request).unwrap().revisions.into_iter().map(|entry| entry.revision).collect()
}

fn actions(keeper: &Keeper, id: &str) -> Vec<&'static str> {
    revisions(keeper, id).iter().map(|revision| revision.sealed.action.as_str()).collect()
}

fn library_error(result: Result<impl Sized, Error>) -> LibraryError {
    match result.err().unwrap() {
        Error::Library(error) => error,
        error => panic!("{error}"),
    }
}

fn is_not_found(result: Result<impl Sized, Error>) -> bool {
    matches!(result, Err(Error::Soul(SoulError::SoulNotFound(_))))
}

fn is_invalid(result: Result<impl Sized, Error>) -> bool {
    matches!(result, Err(Error::Soul(SoulError::Invalid(_))))
}
