//! What a value of the wrong type is answered with: the key, in words that a client knows.

use serde_json::{Value, json};
use soul_engine::fault::Kind;

use super::entry;
use super::requests::{Row, World, rows};

/// Words of Rust and serde that mean nothing to a client.
const FOREIGN: [&str; 14] = [
    "struct", "enum", "tuple", "newtype", "variant", "Option", "::", "u8", "u16", "u32", "i64", "u64", "f64",
    "sequence",
];

#[test]
fn a_value_of_the_wrong_type_is_named_by_its_key_in_words_of_json() {
    let wrong =
        [json!(7), json!(-1), json!(1.5), json!(true), json!("x"), json!([]), json!([7]), json!({}), json!([[]])];
    let (mut refused, mut seen) = (0, Vec::new());
    for Row { operation, request, .. } in rows(&World::new()) {
        for key in entry(operation).request().properties.keys() {
            for value in &wrong {
                let mut request = request.clone();
                request[key] = value.clone();
                let Some(error) = entry(operation).read(request).err() else { continue };
                refused += 1;
                let message = error.to_string();
                assert_eq!(error.fault().kind, Kind::Usage, "{operation} {key} {value}: {message}");
                // A name that is none has an error of its own, and a string may be right where it does not fit the others.
                if error.fault().code == "bad_request" && !value.is_string() {
                    assert!(message.contains(&format!("`{key}")), "{operation} {key} {value}: {message}");
                }
                for word in FOREIGN {
                    assert!(!message.contains(word), "{operation} {key} {value}: {message}");
                }
                seen.push(message);
            }
        }
    }
    assert!(refused > 500, "{refused}");
    let says = |text: &str| assert!(seen.iter().any(|message| message.ends_with(text)), "no message ends with {text}");
    says("`dry_run` is not true or false: 7");
    says("`seconds` is not a whole number from 1 to 31622400: true");
    says("`dialect` is not one of agh, agentos, cantus, dagu, soulspec, plain: \"x\"");
    says("`event.valence` is missing");
}

#[test]
fn what_is_missing_is_named() {
    for (operation, request, missing) in [
        ("write", json!({ "agent": "coder" }), "`body` is missing"),
        ("persona.mood", json!({ "agent": "coder", "event": { "valence": 1 } }), "`event.arousal` is missing"),
        ("task.claim", json!({}), "`session_id` is missing"),
    ] {
        let message = entry(operation).read(request).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.ends_with(missing), "{operation}: {message}");
    }
    assert!(entry("scan").read(json!({ "targets": [{ "body": Value::Null }] })).is_err());
}
