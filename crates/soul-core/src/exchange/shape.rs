//! Shapes of JSON values as zod 4 checks them, which OpenClaw and ElizaOS read their files with.
//!
//! What matters is which issues there are, where, and which of them keep later checks from running: an issue about a
//! type or an unknown key does, one about the content of a text does not.

use serde_json::{Map, Value};

/// One step of the way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    Name(String),
    Index(usize),
}

impl From<&Key> for Value {
    fn from(key: &Key) -> Self {
        match key {
            Key::Name(name) => name.as_str().into(),
            Key::Index(index) => (*index).into(),
        }
    }
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Issue {
    pub(super) code: &'static str,
    pub(super) path: Vec<Key>,
    /// The keys that are not known.
    pub(super) keys: Vec<String>,
    /// Whether checks of what is around it are skipped.
    aborts: bool,
}

impl Issue {
    fn aborting(code: &'static str) -> Self {
        Self { code, path: Vec::new(), keys: Vec::new(), aborts: true }
    }

    /// An issue about a content of the right type.
    pub(super) fn content(code: &'static str, path: Vec<Key>) -> Self {
        Self { code, path, keys: Vec::new(), aborts: false }
    }
}

/// What a text must be.
pub(super) struct Check {
    pub(super) code: &'static str,
    pub(super) holds: fn(&str) -> bool,
}

/// What a value must be.
pub(super) enum Shape {
    Text(&'static [Check]),
    /// A text with checks, whose backslashes are written as slashes.
    Path(&'static [Check]),
    Number(fn(f64) -> bool),
    Bool,
    /// The number one.
    One,
    Literal(&'static str),
    True,
    OneOf(&'static [&'static str]),
    List(&'static Shape, usize),
    Map(&'static [Check], &'static Shape),
    Object(&'static Object),
    /// The first that fits, or the only one whose content alone is at fault.
    Union(&'static [Shape]),
    Anything,
}

pub(super) struct Object {
    pub(super) fields: &'static [Field],
    pub(super) others: Others,
    /// Runs if everything has its type.
    pub(super) refine: fn(&Map<String, Value>, &mut Vec<Issue>),
}

/// What happens to keys that an object does not know.
pub(super) enum Others {
    Refused,
    Dropped,
    Kept,
}

pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) need: Need,
    pub(super) shape: Shape,
}

pub(super) enum Need {
    Required,
    Optional,
    /// Optional, with a default as JSON.
    Or(&'static str),
}

pub(super) const fn required(name: &'static str, shape: Shape) -> Field {
    Field { name, need: Need::Required, shape }
}

pub(super) const fn optional(name: &'static str, shape: Shape) -> Field {
    Field { name, need: Need::Optional, shape }
}

/// An object needs no more than its fields say.
pub(super) fn unrefined(_: &Map<String, Value>, _: &mut Vec<Issue>) {}

impl Shape {
    /// The value as it is read, or what is wrong with it.
    pub(super) fn read(&self, value: &Value) -> Result<Value, Vec<Issue>> {
        let (value, issues) = self.run(Some(value));
        if issues.is_empty() { Ok(value) } else { Err(issues) }
    }

    fn run(&self, value: Option<&Value>) -> (Value, Vec<Issue>) {
        let wrong = |code| (Value::Null, vec![Issue::aborting(code)]);
        match (self, value) {
            (Self::Anything, Some(value)) => (value.clone(), Vec::new()),
            (Self::Text(checks), Some(Value::String(text))) => (text.as_str().into(), failed(checks, text)),
            (Self::Path(checks), Some(Value::String(text))) => (text.replace('\\', "/").into(), failed(checks, text)),
            (Self::Number(holds), Some(Value::Number(number))) => {
                let bad = !holds(number.as_f64().unwrap_or(f64::NAN));
                let issue = bad.then(|| Issue::content("too_small", Vec::new()));
                (Value::Number(number.clone()), issue.into_iter().collect())
            }
            (Self::Bool, Some(Value::Bool(value))) => ((*value).into(), Vec::new()),
            (Self::One, Some(Value::Number(number))) if number.as_f64() == Some(1.0) => (1.into(), Vec::new()),
            (Self::Literal(word), Some(Value::String(text))) if text == word => (text.as_str().into(), Vec::new()),
            (Self::True, Some(Value::Bool(true))) => (true.into(), Vec::new()),
            (Self::OneOf(words), Some(Value::String(text))) if words.contains(&text.as_str()) => {
                (text.as_str().into(), Vec::new())
            }
            (Self::One | Self::Literal(_) | Self::True | Self::OneOf(_), _) => wrong("invalid_value"),
            (Self::List(of, min), Some(Value::Array(items))) => {
                let mut issues = Vec::new();
                let read = |(index, item)| within(of.run(Some(item)), Key::Index(index), &mut issues);
                let items: Vec<Value> = items.iter().enumerate().map(read).collect();
                if items.len() < *min {
                    issues.push(Issue::content("too_small", Vec::new()));
                }
                (Value::Array(items), issues)
            }
            (Self::Map(checks, of), Some(Value::Object(entries))) => {
                let mut issues = Vec::new();
                let mut map = Map::new();
                for (name, value) in entries {
                    if !failed(checks, name).is_empty() {
                        let path = vec![Key::Name(name.clone())];
                        issues.push(Issue { path, ..Issue::aborting("invalid_key") });
                        continue;
                    }
                    let value = within(of.run(Some(value)), Key::Name(name.clone()), &mut issues);
                    map.insert(name.clone(), value);
                }
                (Value::Object(map), issues)
            }
            (Self::Object(object), Some(Value::Object(entries))) => object.run(entries),
            (Self::Union(shapes), value) => union(shapes, value),
            _ => wrong("invalid_type"),
        }
    }
}

impl Object {
    fn run(&self, entries: &Map<String, Value>) -> (Value, Vec<Issue>) {
        let mut issues = Vec::new();
        let mut read = Map::new();
        for field in self.fields {
            let given = entries.get(field.name);
            let result = match (&field.need, given) {
                (Need::Optional, None) => continue,
                (Need::Or(default), None) => (serde_json::from_str(default).unwrap_or_default(), Vec::new()),
                _ => field.shape.run(given),
            };
            let value = within(result, Key::Name(field.name.to_owned()), &mut issues);
            read.insert(field.name.to_owned(), value);
        }
        let unknown = || entries.iter().filter(|(name, _)| !self.fields.iter().any(|field| field.name == *name));
        match self.others {
            Others::Dropped => {}
            Others::Kept => read.extend(unknown().map(|(name, value)| (name.clone(), value.clone()))),
            Others::Refused => {
                let keys: Vec<String> = unknown().map(|(name, _)| name.clone()).collect();
                if !keys.is_empty() {
                    issues.push(Issue { keys, ..Issue::aborting("unrecognized_keys") });
                }
            }
        }
        if !issues.iter().any(|issue| issue.aborts) {
            (self.refine)(&read, &mut issues);
        }
        (Value::Object(read), issues)
    }
}

fn union(shapes: &[Shape], value: Option<&Value>) -> (Value, Vec<Issue>) {
    let results: Vec<(Value, Vec<Issue>)> = shapes.iter().map(|shape| shape.run(value)).collect();
    if let Some(fits) = results.iter().find(|(_, issues)| issues.is_empty()) {
        return fits.clone();
    }
    let mut close = results.into_iter().filter(|(_, issues)| !issues.iter().any(|issue| issue.aborts));
    match (close.next(), close.next()) {
        (Some(only), None) => only,
        _ => (Value::Null, vec![Issue::aborting("invalid_union")]),
    }
}

fn failed(checks: &[Check], text: &str) -> Vec<Issue> {
    checks.iter().filter(|check| !(check.holds)(text)).map(|check| Issue::content(check.code, Vec::new())).collect()
}

/// Adds the issues of a value, each with the way to it.
fn within((value, found): (Value, Vec<Issue>), key: Key, issues: &mut Vec<Issue>) -> Value {
    for mut issue in found {
        issue.path.insert(0, key.clone());
        issues.push(issue);
    }
    value
}
