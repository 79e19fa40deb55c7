//! From what an author wrote to what can be checked: limits, and the rules that stand in prose.

use super::act::{Act, ActKind};
use super::length::{Length, length};
use super::prose::{terms, words};
use super::quotes::forbidden;
use super::requirement::{Condition, Phrase, amounts};
use super::wording::{self, Way};

/// Which way a rule goes, where the place that it stands in says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// What is not to be done.
    Never,
    /// What is always to be done.
    Always,
    /// A limit, whose own words say which way it goes.
    Limit,
    /// A sentence, which may be no rule at all.
    Sentence,
}

/// A rule that is longer says more than can be checked.
const LONGEST: usize = 400;

/// What a rule asks that can be checked. Most rules ask more than that.
pub(super) fn read(rule: &str, sense: Sense) -> Vec<Condition> {
    let rule = rule.trim();
    if rule.len() > LONGEST {
        return Vec::new();
    }
    let plain = wording::plain(rule);
    let mut conditions: Vec<Condition> = length(&plain).map(most).into_iter().collect();
    for clause in clauses(&plain) {
        let whole = sense == Sense::Never && clause.len() == plain.len();
        let forbidden = match wording::way(clause, sense != Sense::Sentence) {
            Some((Way::Never, rest)) => Some(rest),
            _ => clause.strip_prefix("without ").or(whole.then_some(clause)),
        };
        for form in forbidden.map(wording::forms).unwrap_or_default() {
            let condition = Condition::Without(form);
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
    }
    if !conditions.is_empty() {
        return conditions;
    }
    match (sense, wording::way(&plain, sense != Sense::Sentence)) {
        (Sense::Always, Some((_, rest))) => always(rest),
        (Sense::Always, None) => always(&plain),
        (_, Some((Way::Always, rest))) => always(rest),
        (_, Some((Way::Never, rest))) => never(rule, rest, plain.starts_with("no ") || plain.starts_with("nothing ")),
        (Sense::Never, None) => never(rule, &plain, false),
        (Sense::Limit | Sense::Sentence, None) if wording::forbids_quotes(&plain) => unsaid(rule),
        (Sense::Limit | Sense::Sentence, None) => wording::passive(&plain).and_then(suffered).into_iter().collect(),
    }
}

const fn most(length: Length) -> Condition {
    match length {
        Length::Words(most) => Condition::MostWords(most),
        Length::Sentences(most) => Condition::MostSentences(most),
        Length::SentenceWords(most) => Condition::MostSentenceWords(most),
    }
}

/// The parts of a rule that may forbid by themselves: `Short sentences, no emoji`.
fn clauses(rule: &str) -> impl Iterator<Item = &str> {
    let conditional = [" unless ", " if ", " when ", " except "].iter().any(|word| rule.contains(word));
    let parts = rule.split([',', ';', ':']).flat_map(|part| part.split(" and ")).map(str::trim);
    std::iter::once(rule).chain(parts).filter(move |_| !conditional)
}

/// What may not be done; or what may not be said, if the rule is about saying and quotes it.
fn never(rule: &str, rest: &str, of_things: bool) -> Vec<Condition> {
    let spoken = wording::is_spoken(rest) || !rest.starts_with(char::is_alphanumeric) || wording::forbids_quotes(rest);
    let phrases = if spoken { unsaid(rule) } else { Vec::new() };
    if !phrases.is_empty() {
        return phrases;
    }
    let (done, when) = split_at(rest, &["without", "unless", "except", "until", "before"]);
    // `No financial advice` names no verb; what it forbids is to give it.
    let done = if of_things { format!("give {done}") } else { done.to_owned() };
    act(&done, when).map(Condition::Never).into_iter().collect()
}

fn unsaid(rule: &str) -> Vec<Condition> {
    forbidden(rule).into_iter().map(|phrase| Condition::Unsaid(Phrase::new(phrase))).collect()
}

/// What may not be done to something.
fn suffered((something, done): (&str, &str)) -> Option<Condition> {
    let (verb, rest) = done.split_once(' ').unwrap_or((done, ""));
    let (around, when) = split_at(rest, &["without", "unless", "except", "until", "before"]);
    act(&format!("{verb} {something} {around}"), when).map(Condition::Never)
}

/// What is to be done, in the case that the rule names. Without one it is asked of no single output.
fn always(rule: &str) -> Vec<Condition> {
    let (done, when) = split_at(rule, &["for", "when", "if", "whenever", "before", "after"]);
    act(done, when).filter(|act| !act.when.is_empty()).map(Condition::Always).into_iter().collect()
}

fn act(done: &str, when: &str) -> Option<Act> {
    let above = above(done).or_else(|| above(when));
    let (done, around) = split_at(done, &PREPOSITIONS);
    let mut parts = alternatives(done);
    // The first word is the verb, and what is joined to it at once is another: `delete or modify files`.
    let mut verbs = Vec::new();
    while let Some(first) = parts.first_mut() {
        if first.is_empty() {
            break;
        }
        verbs.push(first.remove(0));
        if !first.is_empty() {
            break;
        }
        parts.remove(0);
    }
    let kin = KIN.iter().find(|(_, group)| group.iter().any(|word| terms(word).any(|term| verbs.contains(&term))));
    verbs.extend(kin.into_iter().flat_map(|(_, group)| group.iter()).flat_map(|word| terms(word)));
    let content_terms = |text: &str| terms(text).filter(|term| !is_comparison(term)).collect::<Vec<_>>();
    let act = Act {
        verbs,
        objects: parts.into_iter().filter(|part| !part.is_empty()).collect(),
        // An amount has a unit, which is written in many ways.
        around: if above.is_some() { Vec::new() } else { content_terms(around) },
        when: content_terms(when)
            .into_iter()
            .filter(|term| above.is_none() || !UNITS.contains(&term.as_str()))
            .collect(),
        above,
        kind: kin.map_or(ActKind::Other, |(kind, _)| *kind),
    };
    act.is_told().then_some(act)
}

/// What is named side by side, each as stems: `passwords, tokens or API keys`.
fn alternatives(text: &str) -> Vec<Vec<String>> {
    let parts = text.split(',').flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" nor "));
    parts.map(|part| terms(part).filter(|term| !is_comparison(term)).collect()).collect()
}

/// Words behind which a rule says with whom, where, or of what.
const PREPOSITIONS: [&str; 18] = [
    "with",
    "to",
    "from",
    "on",
    "in",
    "at",
    "about",
    "of",
    "for",
    "over",
    "above",
    "into",
    "by",
    "during",
    "outside",
    "exceeding",
    "beyond",
    "as",
];

const UNITS: [&str; 8] = ["euro", "eur", "usd", "dollar", "pound", "gbp", "percent", "chf"];

/// Verbs that limits use for one another.
const KIN: [(ActKind, &[&str]); 7] = [
    (
        ActKind::Telling,
        &["share", "reveal", "disclose", "tell", "give", "expose", "leak", "show", "send", "publish", "provide"],
    ),
    (ActKind::Deciding, &["promise", "guarantee", "assure", "pledge"]),
    (ActKind::Other, &["delete", "remove", "erase", "wipe", "drop"]),
    (ActKind::Deciding, &["approve", "grant", "issue", "authorize", "authorise"]),
    (ActKind::Other, &["mention", "discuss", "name"]),
    (ActKind::Other, &["recommend", "suggest", "advise"]),
    (ActKind::Other, &["change", "modify", "edit", "alter"]),
];

fn is_comparison(term: &str) -> bool {
    matches!(term, "over" | "abov" | "more" | "exceed" | "beyond")
}

/// The amount that a rule begins above.
fn above(text: &str) -> Option<f64> {
    let marks = [" over ", " above ", " more than ", " exceeding ", " beyond "];
    let behind = marks.iter().find_map(|mark| Some(text.split_once(mark)?.1))?;
    amounts(behind.split_whitespace().next()?).next()
}

/// What stands before the first of these words, and what stands behind it.
fn split_at<'a>(text: &'a str, marks: &[&str]) -> (&'a str, &'a str) {
    let found = words(text).into_iter().skip(1).find(|word| marks.contains(&word.text.as_str()));
    found.map_or((text, ""), |word| (&text[..word.range.start], &text[word.range.end..]))
}

#[cfg(test)]
mod tests {
    use super::super::prose::Prose;
    use super::super::requirement::Requirement;
    use super::*;
    use crate::text::Span;

    /// Whether a rule is broken by a text, and how surely.
    fn broken(rule: &str, sense: Sense, text: &str) -> Option<bool> {
        let requirements = read(rule, sense).into_iter().map(|condition| Requirement {
            condition,
            text: rule.to_owned(),
            file: String::new(),
            span: Span::default(),
        });
        let prose = Prose::new(text);
        requirements.filter_map(|requirement| requirement.broken_by(&prose)).map(|breach| breach.sure).max()
    }

    #[test]
    fn limits_are_kept_or_broken() {
        let pricing = "Never share internal pricing formulas";
        assert_eq!(broken(pricing, Sense::Sentence, "I'll share our internal pricing formula with you."), Some(true));
        assert_eq!(broken(pricing, Sense::Sentence, "Our internal pricing formula is cost times 1.4."), Some(false));
        assert_eq!(broken(pricing, Sense::Sentence, "I can't share internal pricing formulas."), None);
        assert_eq!(broken(pricing, Sense::Sentence, "Our prices are on the page."), None);
        assert_eq!(broken("Promise a refund", Sense::Never, "I guarantee you a refund today."), Some(true));
        assert_eq!(broken("Never promise a refund", Sense::Sentence, "Refunds are decided by our billing team."), None);
        assert_eq!(broken("Never say “guaranteed”.", Sense::Sentence, "It is guaranteed!"), Some(true));
        assert_eq!(broken("Avoid “guaranteed”", Sense::Sentence, "It is guaranteed!"), Some(true));
        assert_eq!(broken("Don't be performatively “helpful”", Sense::Sentence, "That is helpful."), None);
        assert_eq!(broken("Never push to `main`", Sense::Sentence, "I pushed it to main."), Some(true));
        assert_eq!(broken("Never condescending", Sense::Sentence, "That is condescending."), None);
    }

    #[test]
    fn amounts_and_excuses_count() {
        let refunds = "Never approve refunds over €100 without human review";
        assert_eq!(broken(refunds, Sense::Sentence, "I have approved the refund of €250."), Some(true));
        assert_eq!(broken(refunds, Sense::Sentence, "I have approved the refund of €50."), None);
        assert_eq!(broken(refunds, Sense::Sentence, "After human review I have approved the refund of €250."), None);
        let review = "Always recommend human review for refunds over €100";
        assert_eq!(broken(review, Sense::Sentence, "Your refund of 1,250 EUR is on its way."), Some(true));
        assert_eq!(broken(review, Sense::Sentence, "Your refund of 20 EUR is on its way."), None);
        assert_eq!(broken(review, Sense::Sentence, "A human decides about refunds of 250 EUR."), None);
    }

    #[test]
    fn forms_are_measured() {
        assert_eq!(broken("Short sentences, no emoji", Sense::Sentence, "Done 🎉"), Some(true));
        assert_eq!(broken("No exclamation marks", Sense::Sentence, "Done!"), Some(true));
        assert_eq!(broken("Use exclamation marks", Sense::Sentence, "Done!"), None);
        assert_eq!(broken("Never use bullet points unless asked", Sense::Sentence, "- one"), None);
        assert_eq!(broken("Avoid bullet points", Sense::Sentence, "- one"), Some(true));
        assert_eq!(broken("Answer in at most three words", Sense::Sentence, "one two three four"), Some(true));
        assert_eq!(broken("Answer in under 4 words", Sense::Sentence, "one two three"), None);
        assert_eq!(
            broken("Keep sentences under 4 words", Sense::Sentence, "One two three. One two three four."),
            Some(true)
        );
        assert_eq!(broken("No more than 2 sentences", Sense::Sentence, "One. Two. Three."), Some(true));
        assert_eq!(broken("Use emojis", Sense::Never, "Done 🎉"), Some(true));
    }
}
