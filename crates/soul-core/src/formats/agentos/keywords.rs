//! Activation keywords that several personas share: which of them answers is then a matter of chance.

use std::collections::BTreeMap;

use super::Document;
use crate::diagnostics::{Code, Diagnostic};
use crate::formats::fields::Fields;
use crate::markup::yaml::Scalar;
use crate::text::{LineIndex, Spanned, shown};

/// The most conflicts that are reported for one persona.
const MOST: usize = 10;

/// The keywords of a persona, with their places.
pub(super) fn keywords(fields: &Fields<'_>, path: &[&str]) -> Vec<Spanned> {
    let list = fields.entry_at(path.iter().copied());
    let items = list.into_iter().flat_map(|list| fields.items(list));
    let keywords = items.filter_map(|item| match fields.scalar(item.value) {
        Some(Scalar::Text(text)) => Some(Spanned { text: text.to_owned(), span: fields.span(item.value) }),
        _ => None,
    });
    keywords.collect()
}

/// Compares personas that are used side by side, each with the path that users know it by. Returns what to report,
/// and of which of them.
#[must_use]
pub fn keyword_conflicts(personas: &[(&str, &Document)]) -> Vec<(usize, Diagnostic)> {
    let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, (_, document)) in personas.iter().enumerate() {
        for keyword in &document.keywords {
            let owners = owners.entry(&keyword.text).or_default();
            if owners.last() != Some(&index) {
                owners.push(index);
            }
        }
    }
    let mut conflicts = Vec::new();
    for (index, (path, document)) in personas.iter().enumerate() {
        let shared = document.keywords.iter().filter_map(|keyword| {
            let other = owners.get(keyword.text.as_str())?.iter().find(|owner| **owner != index)?;
            Some((keyword, personas[*other].0))
        });
        for (keyword, other) in shared.take(MOST) {
            let message = format!("{} is an activation keyword of {other} too", shown(&keyword.text));
            let position = LineIndex::new(&document.source).position(keyword.span.start);
            let diagnostic = Diagnostic::new(Code::ActivationKeywordConflict, message).field("activationKeywords");
            conflicts.push((
                index,
                Diagnostic {
                    line: Some(position.line),
                    column: Some(position.column),
                    path: Some((*path).to_owned()),
                    ..diagnostic.at(keyword.span).help("give each persona its own keywords")
                },
            ));
        }
    }
    conflicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, Context, parse};
    use crate::model::Dialect;
    use crate::text::Source;

    fn persona(keywords: &str) -> Document {
        let text = format!("{{\"activationKeywords\":\n {keywords}}}");
        match parse(Source::from(text.as_str()), Dialect::Agentos, &Context::default()).document {
            formats::Document::Agentos(document) => *document,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_keyword_of_two_personas_is_reported_for_both() {
        let [a, b, c] = [r#"["alpha", "shared"]"#, r#"["beta", "shared"]"#, r#"["Shared", "x", "x"]"#].map(persona);
        let conflicts = keyword_conflicts(&[("a.json", &a), ("b.json", &b), ("c.json", &c)]);
        let told: Vec<_> = conflicts.iter().map(|(of, found)| (*of, found.message.as_str(), found.column)).collect();
        let expected = [
            (0, "`shared` is an activation keyword of b.json too", Some(12)),
            (1, "`shared` is an activation keyword of a.json too", Some(11)),
        ];
        assert_eq!(told, expected);
    }
}
