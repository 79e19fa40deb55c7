//! Who may send which request, and who goes on record for it.

mod keys;
pub(super) mod requests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use soul_engine::fault::Kind;
use soul_engine::ops::{self, Entry, Error, token};
use soul_engine::store::{EventKind, Party, Role, Token};
use soul_engine::{Caller, Grant, Keeper};

use super::{Home, events, run, send};
use requests::{Row, World, rows};

/// Operations that are about a file of this machine.
const LOCAL: [&str; 8] = [
    "backup",
    "pack",
    "registry.check",
    "registry.index",
    "registry.init",
    "registry.submit",
    "restore-backup",
    "store.migrate",
];

fn entry(name: &str) -> &'static Entry {
    ops::find(name).unwrap_or_else(|| panic!("there is no operation {name}"))
}

/// A token that grants these.
fn token(keeper: &Keeper, grants: &[Grant]) -> Token {
    run(keeper, token::create::Request { role: Role::Admin, grants: grants.to_vec(), name: None, agent: None })
        .unwrap()
        .token
}

/// Every file of a home, to the byte.
fn contents(home: &Home) -> BTreeMap<PathBuf, Vec<u8>> {
    fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => collect(&path, found),
                false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(home.0.path(), &mut found);
    found
}

/// Only the files that people write: agents and library souls.
fn authored(home: &Home) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_authored =
        |path: &Path| ["agents", "souls"].iter().any(|folder| path.starts_with(home.0.path().join(folder)));
    contents(home).into_iter().filter(|(path, _)| is_authored(path)).collect()
}

#[test]
fn every_operation_has_a_row() {
    let listed: BTreeSet<&str> = rows(&World::new()).iter().map(|row| row.operation).collect();
    let all: BTreeSet<&str> = ops::all().map(|entry| entry.name).collect();
    assert_eq!(listed, all, "callers/requests.rs has a request of every operation, and of no other");
}

#[test]
fn a_token_without_the_grant_is_refused_and_nothing_changes() {
    let world = World::new();
    let keeper = world.home.keeper();
    // The most that a token can have besides the grant that is missing.
    let without = |missing: Grant| {
        let others: Vec<Grant> = Grant::ALL.into_iter().filter(|grant| *grant != missing).collect();
        Caller::holder("token", token(&keeper, &others), "test")
    };
    let callers = Grant::ALL.map(|grant| (grant, without(grant)));
    let before = contents(&world.home);
    for row in rows(&world) {
        let Row { operation, grant, request } = &row;
        let ready = entry(operation).read(request.clone()).unwrap();
        assert_eq!(ready.grant, *grant, "{operation} {request}");
        let (_, caller) = callers.iter().find(|(missing, _)| missing == grant).unwrap();
        let refused = send(&keeper, caller, operation, request)
            .err()
            .unwrap_or_else(|| panic!("{operation} {request} was answered"));
        assert!(matches!(&refused, Error::Denied(missing) if missing == grant), "{operation} {request}: {refused}");
        assert_eq!((refused.fault().code, refused.fault().kind), ("not_granted", Kind::Denied), "{operation}");
        assert!(contents(&world.home) == before, "{operation} {request} changed something");
    }
}

#[test]
fn without_a_token_everything_but_administration_is_granted() {
    let world = World::new();
    let keeper = world.home.keeper();
    let anybody = Caller::anybody(Party::new("user", "http"), "test");
    let mut refused = BTreeSet::new();
    for Row { operation, grant, request } in rows(&world) {
        let before = contents(&world.home);
        match send(&keeper, &anybody, operation, &request) {
            Err(Error::NoToken(Grant::Admin)) => {
                assert!(contents(&world.home) == before, "{operation} changed something");
                refused.insert(operation);
            }
            Err(Error::Denied(_) | Error::NoToken(_)) => panic!("{operation} {request} was refused"),
            _ => assert_ne!(grant, Grant::Admin, "{operation} {request}"),
        }
    }
    for operation in ["store.info", "store.migrate", "token.create", "token.list", "token.revoke"] {
        assert!(refused.contains(operation), "{operation}");
    }
}

/// What a request needs is enough: no operation asks for more than its grant, and what only needs `soul.read`
/// leaves souls and record alone.
#[test]
fn the_grant_suffices_and_the_holder_goes_on_record() {
    let shared = World::new();
    for (index, grant) in rows(&shared).iter().map(|row| row.grant).enumerate() {
        let fresh = (grant != Grant::Read).then(World::new);
        let world = fresh.as_ref().unwrap_or(&shared);
        let Row { operation, request, .. } = &rows(world)[index];
        let keeper = world.home.keeper();
        let token = token(&keeper, &[grant]);
        let actor = Party::new("token", &token.label());
        let (before, known) = (authored(&world.home), events(&keeper).len());
        let holder = Caller::holder("token", token, "test");
        match send(&keeper, &holder, operation, request) {
            // Nobody can send a file of this machine.
            Err(error) if LOCAL.contains(operation) => assert_eq!(error.fault().code, "bad_request", "{operation}"),
            answer => drop(answer.unwrap_or_else(|error| panic!("{operation} {request}: {error}"))),
        }
        let new = events(&keeper).split_off(known);
        for event in &new {
            // What others did to a file before is theirs.
            assert_ne!(event.event.kind, EventKind::Adopt, "{operation}");
            assert_eq!(event.event.actor, actor, "{operation} {request}");
            assert_eq!(event.event.origin, Party::new("test", operation), "{operation} {request}");
        }
        if *operation == "propose" {
            // Anyone who may read a soul may propose: the proposal is kept, and the soul stays as it is.
            let kinds: Vec<_> = new.iter().map(|event| event.event.kind).collect();
            assert!(kinds == [EventKind::ProposalCreate] && authored(&world.home) == before, "{kinds:?}");
        } else if grant == Grant::Read {
            assert!(new.is_empty() && authored(&world.home) == before, "{operation} {request} changed something");
        }
    }
}

#[test]
fn no_request_names_who_sends_it() {
    let somebody = json!({ "kind": "user", "ref": "root" });
    let values = [
        somebody.clone(),
        json!([somebody]),
        json!(["user", "root"]),
        json!({ "actor": somebody, "origin": somebody }),
        json!("root"),
        json!(null),
    ];
    for Row { operation, request, .. } in rows(&World::new()) {
        // The log may be asked what an actor did; that says nothing of who asks.
        let names_others = |key: &&str| operation == "log" && *key == "actor";
        for key in
            ["asker", "actor", "authorship", "caller", "author", "origin"].iter().filter(|key| !names_others(key))
        {
            for value in &values {
                let mut request = request.clone();
                request[*key] = value.clone();
                match entry(operation).read(request).err() {
                    Some(Error::UnknownKey { key: unknown, .. }) => assert_eq!(unknown, format!("`{key}`")),
                    Some(error) => panic!("{operation} {key}: {error}"),
                    None => panic!("{operation} was read with {key}: {value}"),
                }
            }
        }
    }
}

#[test]
fn a_request_is_an_object() {
    for Row { operation, request, .. } in rows(&World::new()) {
        let positional: Vec<Value> = request.as_object().unwrap().values().cloned().collect();
        for wrong in
            [json!([]), json!(positional), json!([request]), json!(null), json!("coder"), json!(7), json!(true)]
        {
            let refused = entry(operation).read(wrong.clone()).err();
            assert!(matches!(refused, Some(Error::BadRequest(_))), "{operation} was read from {wrong}");
        }
    }
}

#[test]
fn a_request_that_changes_nothing_needs_only_to_read() {
    let world = World::new();
    let keeper = world.home.keeper();
    let viewer = Caller::holder("token", token(&keeper, &[Grant::Read]), "test");
    let flexible =
        ["library.select", "migrate", "persona.drift", "persona.mood", "persona.overlay", "review", "rollback"];
    for operation in flexible {
        let (asking, changing): (Vec<Row>, Vec<Row>) =
            rows(&world).into_iter().filter(|row| row.operation == operation).partition(|row| row.grant == Grant::Read);
        assert!(!asking.is_empty() && !changing.is_empty(), "{operation}");
        for row in asking {
            assert!(send(&keeper, &viewer, operation, &row.request).is_ok(), "{operation} {}", row.request);
        }
        for row in changing {
            assert!(
                matches!(send(&keeper, &viewer, operation, &row.request), Err(Error::Denied(Grant::Write))),
                "{operation}"
            );
        }
    }
}
