//! How enums with spellings are described in JSON Schema: one `enum`, and what each value means.

use schemars::{Schema, json_schema};
use serde_json::Value;

/// A string that is one of these, each explained.
#[must_use]
pub fn explained<'a>(description: &str, values: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Schema {
    let meanings: Vec<String> = values.clone().map(|(value, meaning)| format!("- `{value}`: {meaning}")).collect();
    let values: Vec<&str> = values.map(|(value, _)| value).collect();
    json_schema!({
        "type": "string",
        "description": format!("{description}\n\n{}", meanings.join("\n")),
        "enum": values,
    })
}

/// Turns the `oneOf` that is derived for an enum with documented variants into one `enum`.
pub fn spellings(schema: &mut Schema) {
    let text = |schema: &Value, key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(variants) = schema.get("oneOf").and_then(Value::as_array) else { return };
    let values: Vec<_> =
        variants.iter().map(|variant| (text(variant, "const"), text(variant, "description"))).collect();
    let description = text(schema.as_value(), "description");
    *schema = explained(&description, values.iter().map(|(value, meaning)| (value.as_str(), meaning.as_str())));
}
