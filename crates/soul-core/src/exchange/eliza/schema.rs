use serde_json::{Map, Value, json};

use crate::exchange::shape::{Check, Issue, Object, Others, Shape, optional, required, unrefined};

const TEXT: Shape = Shape::Text(&[]);
const TEXTS: Shape = Shape::List(&TEXT, 0);
const NUMBER: Shape = Shape::Number(f64::is_finite);
const UUID: Shape = Shape::Text(&[Check { code: "invalid_format", holds: is_uuid }]);

macro_rules! object {
    ($others:ident; $($field:expr),* $(,)?) => {
        Shape::Object(&Object { fields: &[$($field),*], others: Others::$others, refine: unrefined })
    };
}

const ATTACHMENT: Shape = object!(Kept;
    required("id", TEXT),
    required("url", TEXT),
    optional("title", TEXT),
    optional("source", TEXT),
    optional("description", TEXT),
    optional("text", TEXT),
    optional("contentType", Shape::OneOf(&["image", "video", "audio", "document", "link"])),
);

const CHANNELS: &[&str] =
    &["SELF", "DM", "GROUP", "VOICE_DM", "VOICE_GROUP", "FEED", "THREAD", "WORLD", "FORUM", "API"];

const MESSAGE: Shape = object!(Dropped;
    required("name", TEXT),
    required("content", object!(Kept;
        optional("text", TEXT),
        optional("thought", TEXT),
        optional("actions", TEXTS),
        optional("providers", TEXTS),
        optional("source", TEXT),
        optional("target", TEXT),
        optional("url", TEXT),
        optional("inReplyTo", UUID),
        optional("attachments", Shape::List(&ATTACHMENT, 0)),
        optional("channelType", Shape::OneOf(CHANNELS)),
    )),
);

const KNOWLEDGE: Shape = Shape::Union(&[
    TEXT,
    object!(Dropped; required("path", TEXT), optional("shared", Shape::Bool)),
    object!(Dropped; required("directory", TEXT), optional("shared", Shape::Bool)),
]);

const CHARACTER: Shape = object!(Refused;
    optional("id", UUID),
    required("name", Shape::Text(&[Check { code: "too_small", holds: |name| !name.is_empty() }])),
    optional("username", TEXT),
    optional("system", TEXT),
    optional("templates", Shape::Map(&[], &Shape::Union(&[TEXT]))),
    required("bio", Shape::Union(&[TEXT, TEXTS])),
    optional("messageExamples", Shape::List(&Shape::List(&MESSAGE, 0), 0)),
    optional("postExamples", TEXTS),
    optional("topics", TEXTS),
    optional("adjectives", TEXTS),
    optional("knowledge", Shape::List(&KNOWLEDGE, 0)),
    optional("plugins", TEXTS),
    optional("settings", Shape::Map(&[], &Shape::Union(&[
        TEXT,
        Shape::Bool,
        NUMBER,
        object!(Kept; ),
        Shape::List(&Shape::Anything, 0),
    ]))),
    optional("secrets", Shape::Map(&[], &Shape::Union(&[TEXT, Shape::Bool, NUMBER]))),
    optional("style", object!(Dropped; optional("all", TEXTS), optional("chat", TEXTS), optional("post", TEXTS))),
);

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// What ElizaOS makes of a character: `{valid, data}` or `{valid, issues}`.
#[must_use]
pub fn read(json: &str) -> Value {
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return json!({ "valid": false, "issues": [], "error": "json" });
    };
    match CHARACTER.read(&value) {
        Ok(data) => json!({ "valid": true, "data": data }),
        Err(issues) => json!({ "valid": false, "issues": issues.iter().map(issue).collect::<Vec<_>>() }),
    }
}

fn issue(issue: &Issue) -> Value {
    let mut shown = Map::new();
    shown.insert("code".to_owned(), issue.code.into());
    shown.insert("path".to_owned(), issue.path.iter().map(Value::from).collect());
    if !issue.keys.is_empty() {
        shown.insert("keys".to_owned(), issue.keys.clone().into());
    }
    Value::Object(shown)
}
