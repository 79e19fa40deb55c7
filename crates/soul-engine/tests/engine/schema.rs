//! The JSON Schemas of what is stored: one map with those of the core, each described, and true of real values.

use std::collections::BTreeMap;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;
use soul_engine::clock::Time;
use soul_engine::settings::{ConfigProvenance, OnWrite, Origin, Setting, Settings};
use soul_engine::store::{
    ChainVersion, Event, EventFilter, EventKind, Message, Mutation, NewEvent, Outcome, Party, Profile, Reason,
    Revision, Role, Run, Sealed, Session, SessionState, SkippedSoul, SoulSource, Sqlite, Store, Surroundings, Task,
    Token,
};
use soul_engine::workspace::{AgentName, Kind, SoulKey};

use super::compatibility::{Old, agent};

fn generator() -> SchemaGenerator {
    SchemaSettings::openapi3().for_serialize().into_generator()
}

/// The names of these types, and their definitions.
fn definitions() -> BTreeMap<String, Value> {
    let mut generator = generator();
    macro_rules! add {
        ($($type:ty),+ $(,)?) => { $(generator.subschema_for::<$type>();)+ };
    }
    add!(
        Event,
        NewEvent,
        EventKind,
        Mutation,
        Party,
        Sealed,
        Revision,
        Message,
        ChainVersion,
        Session,
        SoulSource,
        Reason,
        SkippedSoul,
        Surroundings,
        Profile,
        Task,
        Run,
        Outcome,
        Role,
        Token,
        ConfigProvenance,
        OnWrite,
        Origin,
        Setting,
        SoulKey,
        Kind,
        AgentName,
        Time,
    );
    // The core's, which share one map with them in an API description.
    add!(
        soul_core::diagnostics::Diagnostic,
        soul_core::digest::RawDigest,
        soul_core::model::Soul,
        soul_core::persona::State,
        soul_core::persona::Mutation,
        soul_core::persona::Adapted,
        soul_core::prompt::Persona,
        soul_core::prompt::Prompt,
        soul_core::scan::Report,
        soul_core::formats::soulspec::Profile,
    );
    generator.take_definitions(true).into_iter().collect()
}

#[test]
fn names_are_unique_and_everything_is_described() {
    let definitions = definitions();
    // A second type of the same name would get a number.
    let numbered: Vec<_> =
        definitions.keys().filter(|name| name.ends_with(|last: char| last.is_ascii_digit())).collect();
    assert_eq!(numbered, [""; 0]);
    for name in
        ["Event", "EventKind", "RevisionAction", "Session", "SoulSourceReason", "SkippedSoul", "TokenRole", "SoulKind"]
    {
        assert!(definitions.contains_key(name), "{name} is missing: {:?}", definitions.keys());
    }
    for (name, schema) in &definitions {
        let has_text = |schema: &Value| schema["description"].as_str().is_some_and(|text| !text.trim().is_empty());
        assert!(has_text(schema), "{name} is not described");
        // Their names say it all.
        if name == "Traits" {
            continue;
        }
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(has_text(property) || property.get("$ref").is_some(), "{name}.{key} is not described: {property}");
        }
    }
    let kinds = &definitions["EventKind"];
    assert_eq!(kinds["enum"].as_array().map(Vec::len), Some(EventKind::ALL.len()));
    assert!(kinds["description"].as_str().unwrap().contains("- `soul.put`: A soul was written."));
}

/// A value has the keys that its schema has, and those that are required.
fn assert_described<T: JsonSchema + Serialize>(value: &T) {
    let mut generator = generator();
    let schema: Schema = T::json_schema(&mut generator);
    let written = serde_json::to_value(value).unwrap();
    let keys = written.as_object().unwrap();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap();
    for key in keys.keys() {
        assert!(properties.contains_key(key), "{}: {key} is not described", T::schema_name());
    }
    for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        assert!(keys.contains_key(required.as_str().unwrap()), "{}: {required} is required", T::schema_name());
    }
}

#[test]
fn real_values_are_as_they_are_described() {
    let old = Old::new();
    let store = Sqlite::open(&old.store_file()).unwrap();
    store.events(&EventFilter::default(), 0, 99).unwrap().iter().for_each(assert_described);
    store.history(&agent("ada"), None, 9, true).unwrap().iter().for_each(assert_described);
    store.sessions(None, None, None, 9).unwrap().iter().for_each(assert_described);
    store.tasks(None, None, 9).unwrap().unwrap().iter().for_each(assert_described);
    store.tokens().unwrap().iter().for_each(assert_described);
    store.mutations(&agent("muse"), None, 9).unwrap().iter().for_each(assert_described);
    let session = &store.sessions(None, Some(SessionState::Active), None, 9).unwrap()[0];
    let (actor, origin) = (Party::new("user", "max"), Party::new("test", "schema"));
    let run =
        store.claim_run(&session.id, std::time::Duration::from_secs(1), &actor, &origin, session.created_at.into());
    assert_described(&run.unwrap().unwrap().unwrap());
    assert_described(&agent("ada"));
    assert_described(&Settings::default().soul.provenance());
    assert_described(&Settings::parse("[agents.soul]\nenabled = false\n").unwrap().origins[0]);
}
