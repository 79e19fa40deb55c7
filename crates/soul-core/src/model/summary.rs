use super::{Change, ChangeKind, Field, Value};

/// The most clauses of a summary, and the most characters of a value that is quoted in one.
const MAX_CLAUSES: usize = 3;
const MAX_QUOTED: usize = 32;

/// How a field is spoken of.
enum Noun {
    /// A soul has one: `role: Guide → Pilot`.
    One(&'static str),
    /// A soul has any number: `added 2 limits`.
    Many(&'static str, &'static str),
    /// Prose: `reworded the body`.
    Prose(&'static str),
}

/// The changes of a soul in one line, the most important first: `removed a limit; tone: calm → gentle`. Empty if
/// nothing changed.
#[must_use]
pub fn summary(changes: &[Change]) -> String {
    let mut groups: Vec<Vec<&Change>> = Vec::new();
    for change in changes {
        let same = |group: &&mut Vec<&Change>| {
            group.first().is_some_and(|first| first.field == change.field && first.change == change.change)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    let mut clauses: Vec<String> = Vec::new();
    let pairs: Vec<String> = pairs(&mut groups);
    let (limits, others): (Vec<_>, Vec<_>) = groups.iter().partition(|group| is_limit(group[0].field));
    let clause_of = |group: &Vec<&Change>| clause(group);
    for clause in limits.into_iter().map(clause_of).chain(pairs).chain(others.into_iter().map(clause_of)) {
        // Several groups of prose say the same.
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    let more = clauses.len().saturating_sub(MAX_CLAUSES);
    clauses.truncate(MAX_CLAUSES);
    let summary = clauses.join("; ");
    if more == 0 { summary } else { format!("{summary}; {more} more") }
}

/// One short value that made way for another, as in `tone: calm → gentle`. A limit that is gone is never said to have
/// become another.
fn pairs(groups: &mut Vec<Vec<&Change>>) -> Vec<String> {
    let alone = |groups: &[Vec<&Change>], field: Field, kind: ChangeKind| {
        groups.iter().position(|group| matches!(group[..], [one] if one.field == field && one.change == kind))
    };
    let mut pairs = Vec::new();
    let fields: Vec<Field> = groups.iter().filter_map(|group| group.first()).map(|first| first.field).collect();
    for field in fields {
        let Noun::Many(name, _) = noun(field) else { continue };
        if is_limit(field) {
            continue;
        }
        let found = (alone(groups, field, ChangeKind::Removed), alone(groups, field, ChangeKind::Added));
        let (Some(removed), Some(added)) = found else { continue };
        let value =
            |group: usize, side: fn(&Change) -> &Option<Value>| side(groups[group][0]).as_ref().and_then(quoted);
        let values = (value(removed, |change| &change.before), value(added, |change| &change.after));
        if let (Some(before), Some(after)) = values {
            pairs.push(format!("{name}: {before} → {after}"));
            groups.remove(removed.max(added));
            groups.remove(removed.min(added));
        }
    }
    pairs
}

const fn is_limit(field: Field) -> bool {
    matches!(field, Field::Limit | Field::MustAlways | Field::MustNever)
}

/// Changes of one kind and field.
fn clause(group: &[&Change]) -> String {
    let Some(first) = group.first() else { return String::new() };
    let verb = match first.change {
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "reworded",
        ChangeKind::Added => "added",
        ChangeKind::Moved => "moved",
    };
    match noun(first.field) {
        _ if first.change == ChangeKind::Moved => {
            format!("moved {} to {}", counted(group.len(), "statement", "statements"), plural(first.field))
        }
        Noun::Prose(name) if first.change == ChangeKind::Changed => format!("reworded {name}"),
        Noun::Prose(name) if first.change == ChangeKind::Added => format!("added to {name}"),
        Noun::Prose(name) => format!("{verb} part of {name}"),
        Noun::One(name) | Noun::Many(name, _) if group.len() == 1 => single(first, name, verb),
        Noun::One(name) => format!("{verb} {name}"),
        Noun::Many(one, many) => format!("{verb} {}", counted(group.len(), one, many)),
    }
}

/// One change: with its values if they are short.
fn single(change: &Change, name: &str, verb: &str) -> String {
    let quoted = |value: &Option<Value>| value.as_ref().and_then(quoted);
    match (noun(change.field), quoted(&change.before), quoted(&change.after)) {
        (_, Some(before), Some(after)) if before != after => format!("{name}: {before} → {after}"),
        (Noun::One(_), None, Some(after)) if change.before.is_none() => format!("{name}: {after}"),
        (Noun::One(_), ..) if change.change == ChangeKind::Changed => format!("changed the {name}"),
        (Noun::One(_), ..) => format!("{verb} the {name}"),
        _ => format!("{verb} {}", counted(1, name, name)),
    }
}

/// A value as it is quoted, unless it is too long for a line.
fn quoted(value: &Value) -> Option<String> {
    let text = match value {
        Value::Entry { key, value } => {
            format!("{key} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        }
        value => value.plain_text(),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty() && text.chars().count() <= MAX_QUOTED).then_some(text)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    if count == 1 { format!("{article} {one}") } else { format!("{count} {many}") }
}

fn plural(field: Field) -> &'static str {
    match noun(field) {
        Noun::One(name) | Noun::Many(_, name) | Noun::Prose(name) => name,
    }
}

const fn noun(field: Field) -> Noun {
    match field {
        Field::Id => Noun::One("id"),
        Field::Name => Noun::One("name"),
        Field::Role => Noun::One("role"),
        Field::Description => Noun::One("description"),
        Field::Version => Noun::One("version"),
        Field::DefaultMood => Noun::One("default mood"),
        Field::Tone => Noun::Many("tone", "tones"),
        Field::Principle => Noun::Many("principle", "principles"),
        Field::Limit | Field::MustAlways | Field::MustNever => Noun::Many("limit", "limits"),
        Field::Escalation => Noun::Many("escalation", "escalations"),
        Field::Collaboration => Noun::Many("collaboration rule", "collaboration rules"),
        Field::Handoff => Noun::Many("handoff", "handoffs"),
        Field::MemoryPolicy => Noun::Many("memory rule", "memory rules"),
        Field::Tool => Noun::Many("tool", "tools"),
        Field::OutputFormat => Noun::Many("output rule", "output rules"),
        Field::Trait => Noun::Many("trait", "traits"),
        Field::Mood => Noun::Many("mood", "moods"),
        Field::Voice => Noun::Many("voice setting", "voice settings"),
        Field::Avatar => Noun::Many("avatar setting", "avatar settings"),
        Field::Tag => Noun::Many("tag", "tags"),
        Field::Metadata => Noun::Many("metadata field", "metadata fields"),
        Field::Persona => Noun::Many("persona field", "persona fields"),
        Field::Manifest => Noun::Many("manifest field", "manifest fields"),
        Field::Extra => Noun::Many("extra field", "extra fields"),
        Field::GoodExample | Field::BadExample => Noun::Many("example", "examples"),
        Field::File => Noun::Many("file", "files"),
        Field::Preamble | Field::Section | Field::Body => Noun::Prose("the text"),
        Field::Style => Noun::Prose("the style"),
        Field::Card => Noun::Prose("the card"),
        Field::Procedure => Noun::Prose("the procedures"),
        Field::Memory => Noun::Prose("the memory"),
        Field::User => Noun::Prose("the user's file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Context, parse};
    use crate::model::{Dialect, Soul, changes};
    use crate::text::Source;

    fn soul(text: &str) -> Soul {
        parse(Source::from(text), Dialect::Agh, &Context::default()).document.soul()
    }

    fn summarised(before: &str, after: &str) -> String {
        summary(&changes(&soul(before), &soul(after)))
    }

    #[test]
    fn a_summary_says_what_matters_first_and_quotes_what_is_short() {
        let before = "---\nrole: Guide\ntone: [calm]\nconstraints: [Never push to main., Ask first.]\n---\nBody.\n";
        let after = "---\nrole: Guide\ntone: [gentle]\nconstraints: [Ask first.]\n---\nBody.\nYou sing.\n";
        assert_eq!(summarised(before, after), "removed a limit; tone: calm → gentle; added to the text");
        assert_eq!(summarised(before, before), "");
        let of_two = |tone: &str| format!("---\nrole: Guide\ntone: [clear, {tone}]\n---\n");
        assert_eq!(summarised(&of_two("calm"), &of_two("gentle")), "tone: calm → gentle");
        assert_eq!(summarised("---\ntone: [a]\n---\n", "---\nrole: Pilot\ntone: [a]\n---\n"), "role: Pilot");
    }

    #[test]
    fn many_changes_are_counted() {
        let before = "---\nprinciples: [One thing., Two birds., Be brief.]\n---\n";
        let after = "---\nrole: A role that is much too long to be quoted in a line of a history\n---\nText.\n";
        assert_eq!(summarised(before, after), "removed 3 principles; added the role; added to the text");
    }

    #[test]
    fn a_summary_is_one_line() {
        let fields = "name: {}\nrole: {}\ntags: [{}]\ntone: [{}]\nprinciples: [{}]\nconstraints: [{}]\n";
        let [before, after] = ["a", "b"].map(|word| format!("---\n{}---\n", fields.replace("{}", word)));
        let line = summarised(&before, &after);
        assert!(line.ends_with("more") && !line.contains('\n'), "{line}");
    }
}
