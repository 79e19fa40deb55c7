//! Secrets that stand in a file that is imported: they stay behind.

use serde_json::Value;

use super::LeftOut;
use crate::scan::mask_secrets;

/// Masks the secrets of a text, and says where they were.
pub(super) fn masked(path: &str, text: String, left_out: &mut Vec<LeftOut>) -> String {
    let masked = mask_secrets(&text);
    if masked == text {
        return text;
    }
    let changed = text.lines().zip(masked.lines()).enumerate().filter(|(_, (before, after))| before != after);
    for (line, _) in changed {
        left_out.push(LeftOut::new(format!("a secret in {path}, line {}", line + 1), "secrets are never imported"));
    }
    masked.into_owned()
}

/// Masks the secrets in the texts of a value: what another program makes of a file is shown, its secrets are not.
pub(super) fn mask_values(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(masked) = mask_secrets(text) {
                *text = masked;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask_values),
        Value::Object(fields) => {
            let masked = std::mem::take(fields).into_iter().map(|(key, mut value)| {
                mask_values(&mut value);
                (mask_secrets(&key).into_owned(), value)
            });
            *fields = masked.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
