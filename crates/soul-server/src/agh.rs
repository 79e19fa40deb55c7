//! What AGH's clients mean without saying it.

use serde_json::{Map, Value};

/// Reads a text that comes without an agent as AGH's own: its clients validate nothing else.
pub(crate) fn assume_dialect(request: &mut Map<String, Value>) {
    let is_given = |key: &str| request.get(key).is_some_and(|value| !value.is_null() && value != "");
    if !is_given("agent") && !is_given("dialect") {
        request.insert("dialect".to_owned(), "agh".into());
    }
}
