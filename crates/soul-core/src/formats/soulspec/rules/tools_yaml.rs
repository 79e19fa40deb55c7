//! Each tool: an MCP tool with a JSON Schema for its input.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::parse::kind;
use crate::formats::soulspec::{Document, Profile};
use crate::markup::yaml::{Tree, YAML2};
use crate::text::{Span, shown};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    for (path, source) in &document.files {
        let Some(file) = path
            .strip_prefix("tools/")
            .and_then(|rest| rest.strip_suffix(".yaml").or_else(|| rest.strip_suffix(".yml")))
        else {
            continue;
        };
        let wrong = |message: String| {
            Diagnostic::new(Code::InvalidTool, message).severity(profile.weight()).in_file(
                path,
                source,
                Span::new(0, 0),
            )
        };
        let text = source.text().unwrap_or_default();
        let tree = match Tree::parse(text) {
            Ok(tree) => tree,
            Err(problem) => {
                let span = Span::new(problem.at.start, problem.at.end);
                let diagnostic = Diagnostic::new(Code::InvalidTool, format!("the tool {}", problem.message));
                let diagnostic = diagnostic.severity(profile.weight()).in_file(path, source, span);
                diagnostics.push_error(|| problem.help.into_iter().fold(diagnostic, Diagnostic::help));
                continue;
            }
        };
        let tool = tree.root_id().and_then(|root| tree.to_json(root, &YAML2).ok());
        let Some(Value::Object(tool)) = tool else {
            diagnostics.push_error(|| {
                wrong("the tool is not a YAML mapping".to_owned()).help("write `name`, `description` and `inputSchema`")
            });
            continue;
        };
        match tool.get("name").and_then(Value::as_str) {
            None => diagnostics.push_error(|| wrong("the tool has no `name`".to_owned()).help("add `name: …`")),
            Some(name) if name.replace('_', "-") != file.replace('_', "-") => {
                diagnostics.push_error(|| {
                    wrong(format!("the tool is called {}, but its file {}", shown(name), shown(file)))
                        .severity(Severity::Warning)
                        .help("give both the same name; `_` and `-` are equal")
                });
            }
            Some(_) => {}
        }
        if tool.get("description").and_then(Value::as_str).is_none_or(|text| text.trim().is_empty()) {
            diagnostics.push_error(|| {
                wrong("the tool has no `description`".to_owned())
                    .help("say what it does: models choose tools by their description")
            });
        }
        match tool.get("inputSchema") {
            None => diagnostics.push_error(|| {
                wrong("the tool has no `inputSchema`".to_owned()).help("add a JSON Schema with `type: object`")
            }),
            Some(schema) => {
                if let Some(why) = schema_problem(schema, 0) {
                    diagnostics.push_error(|| {
                        wrong(format!("the tool's `inputSchema` is not a JSON Schema: {why}"))
                            .help("see json-schema.org; the root has `type: object`")
                    });
                } else if schema.get("type").and_then(Value::as_str) != Some("object") {
                    diagnostics.push_error(|| {
                        wrong("the tool's `inputSchema` is not of `type: object`".to_owned())
                            .help("MCP passes arguments by name, so the root must be an object, so the root must be an object")
                    });
                }
            }
        }
    }
}

/// What is wrong with a schema, as far as the shape of its keywords goes.
fn schema_problem(schema: &Value, depth: usize) -> Option<String> {
    const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];
    let Value::Object(schema) = schema else {
        return (!schema.is_boolean()).then(|| format!("{} is not a schema", kind(schema)));
    };
    if depth > 32 {
        return Some("it is nested too deep".to_owned());
    }
    let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
    if let Some(of) = schema.get("type")
        && !(known(of) || of.as_array().is_some_and(|of| !of.is_empty() && of.iter().all(known)))
    {
        return Some(format!("`type` is {of}"));
    }
    if schema.get("enum").is_some_and(|values| !values.is_array()) {
        return Some("`enum` is not a list".to_owned());
    }
    let properties = match schema.get("properties") {
        None => None,
        Some(Value::Object(properties)) => Some(properties),
        Some(_) => return Some("`properties` is not a mapping".to_owned()),
    };
    let names = |required: &Value| required.as_array().is_some_and(|names| names.iter().all(Value::is_string));
    if schema.get("required").is_some_and(|required| !names(required)) {
        return Some("`required` is not a list of names".to_owned());
    }
    let inner = properties
        .into_iter()
        .flat_map(|properties| properties.values())
        .chain(schema.get("items").filter(|items| !items.is_array()));
    inner.into_iter().find_map(|schema| schema_problem(schema, depth + 1))
}
