use serde_json::Value as Json;

use super::assemble::{Passage, Spoken};
use crate::formats::soulspec::rule_of;
use crate::model::{At, Dialect, Field, PLACES, Value};

/// What an agent must and must not do, each with where it says so: RULES.md, the list of limits in
/// the soul, the safety laws of a package.
pub(super) fn limits(rules: Option<&Passage>, soul: Option<&Spoken<'_>>) -> Vec<(String, Passage)> {
    let mut found: Vec<(String, Passage)> = Vec::new();
    found.extend(rules.map(|rules| ("From RULES.md:".to_owned(), rules.clone())));
    let Some(spoken) = soul else { return found };
    let mut add = |from: &str, list: Vec<String>| {
        if !list.is_empty() {
            let passage = Passage { text: list.join("\n"), ..spoken.passage.clone() };
            found.push((format!("From `{from}`:"), passage));
        }
    };
    let place = PLACES.iter().find(|place| place.dialect == spoken.dialect && place.field == Field::Limit);
    // Where limits are a section of the text, the identity tells them already.
    if let Some(At::Key(key)) = place.map(|place| place.at) {
        let limits = spoken.soul.texts(Field::Limit).map(str::trim).filter(|limit| !limit.is_empty());
        add(key, limits.map(|limit| entry("- ", limit)).collect());
    }
    if spoken.dialect == Dialect::Soulspec {
        add("safety.laws", laws(spoken));
    }
    found
}

/// The laws of a package, the one that outranks the others first.
fn laws(spoken: &Spoken<'_>) -> Vec<String> {
    let safety = spoken.soul.of(Field::Extra).find_map(|item| match &item.value {
        Value::Entry { key, value } if key == "safety" => value.get("laws")?.as_array(),
        _ => None,
    });
    let rank = |law: &Json| law.get("priority").and_then(Json::as_f64).unwrap_or(f64::MAX);
    let mut laws: Vec<(f64, &Json)> = safety.into_iter().flatten().map(|law| (rank(law), law)).collect();
    laws.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let told = laws.into_iter().filter_map(|(_, law)| {
        let word = |key: &str| law.get(key).and_then(Json::as_str);
        let soft = if word("enforcement") == Some("soft") { " (should, not must)" } else { "" };
        let scope = match word("scope") {
            Some(scope) if scope != "all" => format!(" (concerns: {scope})"),
            _ => String::new(),
        };
        Some(format!("{}{soft}{scope}", rule_of(law)?.trim()))
    });
    told.enumerate().map(|(index, law)| entry(&format!("{}. ", index + 1), &law)).collect()
}

/// An entry of a list; what goes on over lines stays below its mark.
fn entry(mark: &str, text: &str) -> String {
    format!("{mark}{}", text.replace('\n', &format!("\n{}", " ".repeat(mark.len()))))
}
