//! Every field against the table: its shape, its version, its name.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::manifest::{self, field, names_under, plain};
use crate::formats::soulspec::parse::{is_ambiguous, kind};
use crate::formats::soulspec::{Document, FIELDS, FieldSpec, Profile, Shape};
use crate::text::{closest, shown};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    for (name, value) in &document.manifest {
        if is_ambiguous(name) {
            diagnostics.push_with(|| unknown(document, name, name, ""));
        } else {
            walk(document, profile, name, value, diagnostics);
        }
    }
    missing(document, profile, diagnostics);
}

fn walk(document: &Document, profile: Profile, path: &str, value: &Value, diagnostics: &mut Collector) {
    let Some(field) = field(path) else {
        // What an object of unknown fields holds is its own business.
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        let open = |parent: &str| {
            manifest::field(parent).is_some_and(|field| matches!(field.shape, Shape::Any))
                || names_under(&plain(parent)).next().is_none()
        };
        if parent.is_empty() || !open(parent) {
            diagnostics.push_with(|| unknown(document, path, name, &plain(parent)));
        }
        return;
    };
    if value.is_null() {
        return;
    }
    if !fits(field.shape, value) {
        return diagnostics.push_error(|| {
            let wrong = wrong_shape(document, path, field.shape, value);
            match field.shape {
                // The pages of the specification list different words, so another one may well be meant.
                Shape::SomeOf(_) if is_texts(value) => wrong.severity(profile.weight()),
                _ => wrong,
            }
        });
    }
    let later = field.since > document.version && path != "specVersion" && document.value("specVersion").is_some();
    if later {
        diagnostics.push_with(|| {
            let message = format!(
                "`{path}` requires version {} of the specification, but this manifest follows {}",
                field.since, document.version
            );
            let diagnostic = Diagnostic::new(Code::FieldOfLaterVersion, message).field(path).at(document.key_at(path));
            diagnostic.help(format!("raise `specVersion` with `soul migrate --to {}`", field.since))
        });
    }
    match value {
        // Of a block that is too new, the block is enough to say.
        _ if later => {}
        Value::Object(inner) => {
            inner.iter().for_each(|(key, value)| walk(document, profile, &format!("{path}.{key}"), value, diagnostics))
        }
        Value::Array(items) if field.shape == Shape::Objects => {
            for (index, item) in items.iter().enumerate() {
                for (key, value) in item.as_object().into_iter().flatten() {
                    walk(document, profile, &format!("{path}[{index}].{key}"), value, diagnostics);
                }
            }
        }
        _ => {}
    }
}

fn fits(shape: Shape, value: &Value) -> bool {
    let all = |is: fn(&Value) -> bool| value.as_array().is_some_and(|items| items.iter().all(is));
    match shape {
        // Null is nothing in every field, and does not come here.
        Shape::Text | Shape::TextOrNull => value.is_string(),
        Shape::OneOf(values) => value.as_str().is_some_and(|text| values.contains(&text)),
        Shape::TextOrObject => value.is_string() || value.is_object(),
        Shape::Texts => all(Value::is_string),
        Shape::Objects => all(Value::is_object),
        Shape::Object => value.is_object(),
        Shape::Flag => value.is_boolean(),
        Shape::Number => value.is_number(),
        Shape::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Shape::SomeOf(values) => is_texts(value) && texts(value).all(|text| values.contains(&text)),
        Shape::ObjectOrList => value.is_object() || value.is_array(),
        Shape::Any => true,
    }
}

/// Whether a value is a text or a list of texts.
fn is_texts(value: &Value) -> bool {
    value.is_string() || value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn wrong_shape(document: &Document, path: &str, shape: Shape, value: &Value) -> Diagnostic {
    let must = match shape {
        Shape::OneOf(values) => format!("one of {}", values.join(", ")),
        Shape::Text => "a string".to_owned(),
        Shape::TextOrNull => "a string or null".to_owned(),
        Shape::TextOrObject => "a string or an object".to_owned(),
        Shape::Texts => "a list of strings".to_owned(),
        Shape::Objects => "a list of objects".to_owned(),
        Shape::Object => "an object".to_owned(),
        Shape::Flag => "true or false".to_owned(),
        Shape::Number => "a number".to_owned(),
        Shape::Integer => "a whole number".to_owned(),
        Shape::SomeOf(values) => format!("one or several of {}", values.join(", ")),
        Shape::ObjectOrList => "an object or a list".to_owned(),
        Shape::Any => "anything".to_owned(),
    };
    // Of a list, the entry that does not fit is what to look at.
    let wanted: fn(&Value) -> bool = if shape == Shape::Objects { Value::is_object } else { Value::is_string };
    if let (Shape::Texts | Shape::Objects, Value::Array(items)) = (shape, value)
        && let Some((index, item)) = items.iter().enumerate().find(|(_, item)| !wanted(item))
    {
        let message = format!("`{path}` must be {must}, but entry {} is {}", index + 1, kind(item));
        let at = document.at(&format!("{path}[{index}]"));
        return Diagnostic::new(Code::InvalidFieldType, message).field(path).at(at);
    }
    let unknown = |values: &[&str]| texts(value).find(|text| !values.contains(text)).map(shown);
    let is = match (shape, value) {
        (Shape::SomeOf(values), Value::Array(_)) => unknown(values).unwrap_or_else(|| kind(value).to_owned()),
        (_, Value::String(text)) => shown(text),
        (_, other) => kind(other).to_owned(),
    };
    Diagnostic::new(Code::InvalidFieldType, format!("`{path}` must be {must}, but is {is}"))
        .field(path)
        .at(document.at(path))
}

fn unknown(document: &Document, path: &str, name: &str, parent: &str) -> Diagnostic {
    let message = format!("{} is not a field of any version; it is kept but has no effect", shown(path));
    let diagnostic =
        Diagnostic::new(Code::UnknownField, message).severity(Severity::Warning).field(path).at(document.key_at(path));
    let used = |candidate: &&str| {
        document
            .value(&if parent.is_empty() { (*candidate).to_owned() } else { format!("{parent}.{candidate}") })
            .is_none()
    };
    match closest(name, names_under(parent).filter(used)) {
        Some(near) => {
            diagnostic.help(format!("did you mean `{near}`?")).fix(document.key_at(path), format!("\"{near}\""))
        }
        None => diagnostic,
    }
}

/// What a registry would miss: each an error when publishing, one word otherwise.
fn missing(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    // An author who is written as an object has a name, and a name that people see is not empty.
    let is_required = |field: &&FieldSpec| match field.path {
        "specVersion" => false,
        "author.name" => document.value("author").is_some_and(Value::is_object),
        _ => field.required,
    };
    let given = |field: &&FieldSpec| match document.value(field.path) {
        // What a blank name, version or path is, their own rules say.
        Some(Value::String(text)) if !matches!(field.path, "name" | "version" | "files.soul") => {
            !text.trim().is_empty()
        }
        value => value.is_some(),
    };
    let absent: Vec<_> = FIELDS.iter().filter(is_required).filter(|field| !given(field)).collect();
    match profile {
        Profile::Publish => {
            for field in absent {
                let diagnostic = Diagnostic::new(
                    Code::MissingField,
                    format!("a published soul needs `{}`: {}", field.path, field.meaning),
                );
                let help = match document.value(field.path) {
                    Some(_) => format!("fill in `{}`", field.path),
                    None => format!("add `{}` to the manifest", field.path),
                };
                diagnostics.push(diagnostic.field(field.path).at(document.at(field.path)).help(help));
            }
        }
        Profile::Lenient if !absent.is_empty() => {
            let names: Vec<_> = absent.iter().map(|field| field.path).collect();
            let message = format!("registries require {}", names.join(", "));
            diagnostics.push(
                Diagnostic::new(Code::NotPublishable, message)
                    .at(document.first_line())
                    .help("`soul validate --profile publish` checks everything that a registry requires"),
            );
        }
        Profile::Lenient => {}
    }
}
