//! The short form of a soul, for a model whose context was compacted: who it is, and what it must not do.

use crate::model::{Field, Soul};

/// A soul in a few lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The text.
    pub text: String,
    /// What did not go in: field and statement.
    pub left_out: Vec<(Field, String)>,
}

/// The parts of an anchor in the order in which they go in, each with the line that opens it.
const PARTS: [(&[Field], &str); 4] = [
    (&[Field::Limit, Field::MustNever, Field::MustAlways], "These limits always hold:"),
    (&[Field::Principle, Field::Escalation], "Principles:"),
    (&[Field::Tone], "Tone:"),
    (&[Field::Style, Field::OutputFormat], "Style:"),
];

/// Writes the anchor of a soul in at most `tokens` tokens of four bytes: limits first, whole statements only.
///
/// `about` is one line about the agent.
#[must_use]
pub fn anchor(soul: &Soul, name: &str, about: &str, tokens: usize) -> Anchor {
    let room = tokens.saturating_mul(4);
    let about = one_line(about);
    let opening = match about.trim_end_matches('.') {
        "" => format!("You are {name}.\n"),
        same if same == name => format!("You are {name}.\n"),
        about => format!("You are {name}: {about}.\n"),
    };
    let mut text = String::new();
    let mut left_out = Vec::new();
    for (index, (fields, title)) in PARTS.into_iter().enumerate() {
        let mut opened = false;
        let limits_lost = has_limit(&left_out);
        let statements = soul.items.iter().filter(|item| fields.contains(&item.field));
        let statements = statements.filter_map(|item| Some((item.field, item.value.as_text()?)));
        for (field, statement) in statements.flat_map(|(field, text)| statements_of(text).map(move |one| (field, one)))
        {
            let line = format!("- {statement}\n");
            if text.contains(&line) {
                continue;
            }
            let line = if opened { line } else { format!("{title}\n{line}") };
            // While a limit is missing, nothing else takes its room.
            if text.len() + line.len() > room || (index > 0 && limits_lost) {
                left_out.push((field, statement));
                continue;
            }
            opened = true;
            text.push_str(&line);
        }
        // Limits have the first claim on the room, then who the agent is.
        if index == 0 && !has_limit(&left_out) && opening.len() + text.len() <= room {
            text.insert_str(0, &opening);
        } else if index == 0 {
            left_out.push((Field::Role, about.clone()));
        }
    }
    Anchor { text, left_out }
}

fn has_limit(statements: &[(Field, String)]) -> bool {
    statements.iter().any(|(field, _)| PARTS[0].0.contains(field))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statements of a passage: the items of its list, or else the whole.
fn statements_of(text: &str) -> impl Iterator<Item = String> + use<> {
    let item = |line: &str| {
        let line = line.trim();
        line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).map(one_line)
    };
    let items: Vec<String> = text.lines().filter_map(item).collect();
    let statements = if items.is_empty() { vec![one_line(text)] } else { items };
    statements.into_iter().filter(|statement| !statement.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Context, parse};
    use crate::model::Dialect;

    const SOUL: &str = "# Ada\n\nAda guides ships.\n\n## Boundaries\n\n- Never guess a depth.\n- Never sail at night.\n\n## Tone\n\n- calm\n";

    fn of(tokens: usize) -> Anchor {
        let soul = parse(SOUL.into(), Dialect::Plain, &Context::default()).document.soul();
        anchor(&soul, "Ada", "Ada guides ships.", tokens)
    }

    #[test]
    fn limits_come_first_and_nothing_is_cut() {
        let whole = of(400);
        assert_eq!(
            whole.text,
            "You are Ada: Ada guides ships.\nThese limits always hold:\n- Never guess a depth.\n- Never sail at night.\nTone:\n- calm\n"
        );
        assert_eq!(whole.left_out, []);
        for tokens in 0..60 {
            let anchor = of(tokens);
            assert!(anchor.text.len() <= tokens * 4, "{tokens}");
            assert!(anchor.text.lines().all(|line| whole.text.contains(line)), "{tokens}");
            let has_other = anchor.text.contains("calm") || anchor.text.contains("ships");
            let lost_limit = anchor.left_out.iter().any(|(field, _)| *field == Field::Limit);
            assert!(!(has_other && lost_limit), "{tokens}: {anchor:?}");
        }
    }
}
