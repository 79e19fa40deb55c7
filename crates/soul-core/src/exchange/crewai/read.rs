//! What CrewAI makes of agents.yaml: YAML 1.1, then a model that wants texts.

use serde_json::{Map, Value, json};

use crate::markup::yaml::{NodeKind, PYYAML, Problem, Tree};

/// The texts that an agent needs.
pub(super) const TEXTS: [&str; 3] = ["role", "goal", "backstory"];

/// What CrewAI makes of a file and one of its agents: `{loaded, out, system}`, or why it fails.
///
/// `inputs` replace `{name}` in the texts; without any, braces stay.
#[must_use]
pub fn read(bytes: &[u8], agent: &str, inputs: &Map<String, Value>) -> Value {
    let (loaded, dates) = match load(bytes) {
        Ok(loaded) => loaded,
        Err(class) => return json!({ "load_error": class }),
    };
    let Some(entry) = loaded.get(agent).and_then(Value::as_object) else {
        return json!({ "loaded": loaded, "error": "no such agent" });
    };
    let is_text = |key: &str| {
        let is_date = dates.iter().any(|(name, field)| name == agent && field == key);
        entry.get(key).is_some_and(Value::is_string) && !is_date
    };
    let mut failed: Vec<&str> = TEXTS.into_iter().filter(|key| !is_text(key)).collect();
    let mut out = Map::new();
    for key in TEXTS {
        out.insert(key.to_owned(), entry.get(key).cloned().unwrap_or_default());
    }
    let number = entry.get("max_iter").map_or(Some(25), as_integer);
    failed.extend(number.is_none().then_some("max_iter"));
    out.insert("max_iter".to_owned(), number.into());
    for (key, default) in [("verbose", false), ("allow_delegation", false), ("cache", true)] {
        let value = entry.get(key).map_or(Some(default), as_bool);
        failed.extend(value.is_none().then_some(key));
        out.insert(key.to_owned(), value.into());
    }
    if !failed.is_empty() {
        let fields: Vec<Vec<&str>> = failed.into_iter().map(|key| vec![key]).collect();
        return json!({ "loaded": loaded, "error": "ValidationError", "fields": fields });
    }
    for key in TEXTS {
        match interpolated(out[key].as_str().unwrap_or_default(), inputs) {
            Ok(text) => out[key] = text.into(),
            Err(_) => return json!({ "loaded": loaded, "error": "KeyError" }),
        }
    }
    let text = |key: &str| out[key].as_str().unwrap_or_default();
    let system = format!("You are {}. {}\nYour personal goal is: {}", text("role"), text("backstory"), text("goal"));
    json!({ "loaded": loaded, "out": out, "system": system })
}

/// The agents, and the fields that YAML 1.1 takes for dates: agent and key.
type Loaded = (Value, Vec<(String, String)>);

/// Loads the file as PyYAML does.
fn load(bytes: &[u8]) -> Result<Loaded, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "UnicodeDecodeError")?;
    let text = text.strip_prefix(crate::text::BOM).unwrap_or(text);
    let tree = Tree::parse(text).map_err(|problem| class(&problem, text))?;
    let Some(root) = tree.root_id() else { return Ok((json!({}), Vec::new())) };
    let mut value = tree.to_json(root, &PYYAML).map_err(|_| "ConstructorError")?;
    if !value.is_object() {
        return Ok((json!({}), Vec::new()));
    }
    merge(&mut value);
    Ok((value, dates(&tree)))
}

fn class(problem: &Problem, text: &str) -> &'static str {
    let line = text.get(problem.at.start..).unwrap_or_default();
    if problem.message.contains("second YAML document") {
        "ComposerError"
    } else if line.starts_with('\t') || problem.message.contains("tab") {
        "ScannerError"
    } else {
        "ParserError"
    }
}

/// Puts the keys of `<<` into the mapping that it stands in; keys that are written out win.
fn merge(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.values_mut().for_each(merge);
            let merged = match entries.shift_remove("<<") {
                Some(Value::Object(merged)) => vec![merged],
                Some(Value::Array(list)) => list.into_iter().filter_map(|entry| entry.as_object().cloned()).collect(),
                _ => Vec::new(),
            };
            for (key, value) in merged.into_iter().flatten() {
                entries.entry(key).or_insert(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(merge),
        _ => {}
    }
}

fn dates(tree: &Tree<'_>) -> Vec<(String, String)> {
    let mut dates = Vec::new();
    let text = |id| match &tree.node(id).kind {
        NodeKind::Scalar { text, plain } => Some((text.as_ref(), *plain)),
        _ => None,
    };
    let entries = |id| match &tree.node(id).kind {
        NodeKind::Mapping(entries) => entries.clone(),
        _ => Vec::new(),
    };
    for (name, agent) in tree.root_id().map(entries).unwrap_or_default() {
        for (key, value) in entries(agent) {
            if let (Some((name, _)), Some((key, _)), Some((value, true))) = (text(name), text(key), text(value))
                && is_date(value)
            {
                dates.push((name.to_owned(), key.to_owned()));
            }
        }
    }
    dates
}

/// `2026-01-02`, alone or with a time.
fn is_date(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = date.split('-').collect();
    matches!(parts.as_slice(), [year, month, day] if year.len() == 4 && digits(year) && digits(month) && digits(day))
        && (rest.is_empty() || rest.starts_with(['T', 't', ' ']) && rest.contains(':'))
}

fn as_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() < 1e15).then_some(float as i64)
        }),
        Value::Bool(value) => Some(i64::from(*value)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn as_bool(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::Number(number) => match number.as_f64()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "on" | "1" => Some(true),
            "false" | "f" | "no" | "n" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The text with its variables replaced, one after the other, so that braces that come with a value can be replaced too.
///
/// # Errors
/// The name of a variable for which there is no input, with which CrewAI fails.
pub fn interpolated(text: &str, inputs: &Map<String, Value>) -> Result<String, String> {
    if inputs.is_empty() {
        return Ok(text.to_owned());
    }
    let names = variables(text);
    if let Some(missing) = names.iter().find(|name| !inputs.contains_key(**name)) {
        return Err((*missing).to_owned());
    }
    let mut out = text.to_owned();
    for name in names {
        if let Some(value) = inputs.get(name) {
            out = out.replace(&format!("{{{name}}}"), &python(value, false));
        }
    }
    Ok(out)
}

/// The names in braces that CrewAI replaces.
pub(super) fn variables(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        rest = &rest[start + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        let starts = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if starts && rest[end..].starts_with('}') {
            names.push(&rest[..end]);
            rest = &rest[end + 1..];
        }
    }
    names
}

/// A value as Python's `str` writes it; inside of a list, texts are quoted.
fn python(value: &Value, quoted: bool) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if !quoted => text.clone(),
        Value::String(text) if text.contains('\'') && !text.contains('"') => format!("\"{text}\""),
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| python(item, true)).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                format!("{}: {}", python(&key.as_str().into(), true), python(value, true))
            };
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}
