use serde_json::Value as Json;

use super::assemble::{LimitSource, Passage};
use crate::formats::soulspec::rule_of;
use crate::model::{At, Dialect, Field, PLACES, Value};

/// Stands before the limits, whatever they are: what comes after them in a prompt was written by others
/// too.
pub(super) const RANK: &str = "These limits override everything below.";

/// What an agent must and must not do, each with where it says so: RULES.md, the list of limits in
/// the soul, the safety laws of a package.
pub(super) fn limits(rules: Option<&Passage>, soul: Option<&LimitSource<'_>>) -> Vec<(String, Passage)> {
    let mut found: Vec<(String, Passage)> = Vec::new();
    found.extend(rules.map(|rules| ("From RULES.md:".to_owned(), rules.clone())));
    let Some(source) = soul else { return found };
    let mut add = |from: &str, list: Vec<String>| {
        if !list.is_empty() {
            let passage = Passage { text: list.join("\n"), ..source.passage.clone() };
            found.push((format!("From `{from}`:"), passage));
        }
    };
    let place = PLACES.iter().find(|place| place.dialect == source.dialect && place.field == Field::Limit);
    // Where limits are a section of the text, the identity tells them already.
    if let Some(At::Key(key)) = place.map(|place| place.at) {
        let limits = source.soul.texts(Field::Limit).map(str::trim).filter(|limit| !limit.is_empty());
        add(key, limits.map(|limit| entry("- ", limit)).collect());
    }
    if source.dialect == Dialect::Soulspec {
        add("safety.laws", laws(source));
    }
    found
}

/// The limits one by one: the lines of the layer, and the entries of a section of limits in the soul's text.
#[must_use]
pub fn hard_limits(rules: Option<&Passage>, soul: Option<&LimitSource<'_>>) -> Vec<String> {
    let layer = limits(rules, soul);
    let mut found: Vec<String> = layer.iter().flat_map(|(_, passage)| entries(&passage.text)).collect();
    let is_section = |dialect: Dialect| {
        let place = PLACES.iter().find(|place| place.dialect == dialect && place.field == Field::Limit);
        !matches!(place.map(|place| place.at), Some(At::Key(_)))
    };
    if let Some(source) = soul.filter(|source| is_section(source.dialect)) {
        found.extend(source.soul.texts(Field::Limit).flat_map(entries));
    }
    found
}

/// The entries of a Markdown text: each item of a list and each paragraph, on one line. Headings name
/// what follows and are none.
fn entries(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let words = line.trim();
        let item = item(words);
        if words.is_empty() || words.starts_with('#') {
            goes_on = false;
        } else if let Some(last) = found.last_mut().filter(|_| goes_on && item.is_none()) {
            last.push(' ');
            last.push_str(words);
        } else {
            found.push(item.unwrap_or(words).to_owned());
            goes_on = true;
        }
    }
    found
}

/// What a line says that begins with the mark of a list.
fn item(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '+']),
    };
    rest?.strip_prefix(' ').map(str::trim_start)
}

/// The laws of a package, the one that outranks the others first.
fn laws(source: &LimitSource<'_>) -> Vec<String> {
    let safety = source.soul.items_of(Field::Manifest).find_map(|item| match &item.value {
        Value::Entry { key, value } if key == "safety" => value.get("laws")?.as_array(),
        _ => None,
    });
    let rank = |law: &Json| law.get("priority").and_then(Json::as_f64).unwrap_or(f64::MAX);
    let mut laws: Vec<(f64, &Json)> = safety.into_iter().flatten().map(|law| (rank(law), law)).collect();
    laws.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let texts = laws.into_iter().filter_map(|(_, law)| {
        let word = |key: &str| law.get(key).and_then(Json::as_str);
        let soft = if word("enforcement") == Some("soft") { " (should, not must)" } else { "" };
        let scope = match word("scope") {
            Some(scope) if scope != "all" => format!(" (concerns: {scope})"),
            _ => String::new(),
        };
        Some(format!("{}{soft}{scope}", rule_of(law)?.trim()))
    });
    texts.enumerate().map(|(index, law)| entry(&format!("{}. ", index + 1), &law)).collect()
}

/// An entry of a list; what goes on over lines stays below its mark.
fn entry(mark: &str, text: &str) -> String {
    format!("{mark}{}", text.replace('\n', &format!("\n{}", " ".repeat(mark.len()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_told_one_by_one() {
        let text = "# Rules\n\n- Never guess,\n  ever.\n* 1st things first\n\nAsk.\nThen act.\n\n1. One\n10) Ten\n-5 degrees\n";
        let texts = ["Never guess, ever.", "1st things first", "Ask. Then act.", "One", "Ten -5 degrees"];
        assert_eq!(entries(text), texts);
    }
}
