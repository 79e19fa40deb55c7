//! What a soul should say and does not: who the agent is, how it sounds, what it must not do; and the
//! outputs to test it against.

use crate::calibration::Case;
use crate::calibration::material::{BAD, GOOD, STYLE};
use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::markup::markdown;
use crate::model::{Field, heading_field};

/// A part: what it is, the fields and the headings that hold it, and what to do.
const PARTS: [(&str, &[Field], &[&str], &str); 3] = [
    (
        "who the agent is",
        &[Field::Name, Field::Role, Field::Description],
        &["who", "identity", "role", "about"],
        "begin SOUL.md with `You are …`, or give it a role",
    ),
    (
        "how the agent sounds",
        &[Field::Tone, Field::Style],
        &["tone", "voice", "style", "personality", "communication", "manner", "sound"],
        "add a section `## Tone`, or a STYLE.md",
    ),
    (
        "what the agent must not do",
        &[Field::Limit, Field::MustNever, Field::MustAlways],
        &["limit", "boundar", "never", "rule", "constraint", "must", "guardrail", "don't", "do not", "safety"],
        "list the hard limits; otherwise the model decides",
    ),
];

pub(in crate::calibration) fn check(case: &Case<'_>, diagnostics: &mut Collector) {
    let material = &case.material;
    let body = material.body();
    let headings = body.map(|body| markdown::outline(body.text)).unwrap_or_default();
    let said: Vec<Field> = headings.iter().filter_map(|heading| heading_field(&heading.title)).collect();
    let titles: Vec<String> = headings.into_iter().map(|heading| heading.title.to_lowercase()).collect();
    for (index, (what, fields, words, help)) in PARTS.into_iter().enumerate() {
        let field = material.soul.items.iter().any(|item| fields.contains(&item.field));
        // In any language that the table of headings knows, and by the English words above.
        let heading = said.iter().any(|field| fields.contains(field))
            || titles.iter().any(|title| words.iter().any(|word| title.contains(word)));
        let is_present = match index {
            0 => body.is_some_and(|body| body.text.to_lowercase().contains("you are ")),
            1 => material.files.contains_key(STYLE),
            _ => material.files.contains_key("RULES.md") || !case.requirements.is_empty(),
        };
        if !field && !heading && !is_present {
            let found = Diagnostic::new(Code::PartMissing, format!("the soul does not say {what}"));
            diagnostics.push(named(found.help(help), material.soul_file()));
        }
    }
    for (file, kind, none, severity) in
        [(GOOD, "good", case.good.is_empty(), Severity::Warning), (BAD, "bad", case.bad.is_empty(), Severity::Info)]
    {
        if none {
            let there =
                if material.files.contains_key(file) { "the file has no outputs" } else { "there is no such file" };
            let message = format!("there are no {kind} outputs to test against: {there}");
            let help = format!("write a few {kind} answers into {file}, each under a heading");
            diagnostics
                .push(named(Diagnostic::new(Code::ExamplesMissing, message).severity(severity).help(help), file));
        }
    }
}

/// A diagnostic about a file as a whole.
fn named(diagnostic: Diagnostic, file: &str) -> Diagnostic {
    Diagnostic { file: Some(file.to_owned()), ..diagnostic }
}
