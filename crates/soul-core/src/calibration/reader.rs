//! From what an author wrote to what can be checked: limits, and the rules that stand in prose.

use super::prose::{terms, words};
use super::requirement::{Act, Form, Phrase, What};
use crate::model::is_negative;

/// Which way a rule goes, where the place that it stands in says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// What is not to be done.
    Never,
    /// What is always to be done.
    Always,
    /// Its own words say it.
    Told,
}

/// A rule that is longer says more than can be checked.
const LONGEST: usize = 400;

/// What a rule asks that can be checked. Most rules ask more than that.
pub(super) fn read(rule: &str, sense: Sense) -> Vec<What> {
    let rule = rule.trim().trim_end_matches(['.', '!']);
    if rule.len() > LONGEST {
        return Vec::new();
    }
    let mut asked: Vec<What> = most(rule).into_iter().collect();
    for clause in clauses(rule) {
        let forbids = is_negative(clause) || clause.to_lowercase().starts_with("without ");
        if forbids || (sense == Sense::Never && clause.len() == rule.len()) {
            asked.extend(form(clause).map(What::Without));
        }
    }
    if !asked.is_empty() {
        return asked;
    }
    let negative = is_negative(rule);
    let always = rule.to_lowercase().starts_with("always ");
    match sense {
        Sense::Never => never(rule),
        Sense::Told if negative => never(rule),
        Sense::Always => always_of(rule),
        Sense::Told if always => always_of(rule),
        Sense::Told => Vec::new(),
    }
}

/// The parts of a rule that may forbid by themselves: `Short sentences, no emoji`.
fn clauses(rule: &str) -> impl Iterator<Item = &str> {
    let conditional = [" unless ", " if ", " when ", " except "].iter().any(|word| rule.to_lowercase().contains(word));
    let parts = rule.split([',', ';', ':']).flat_map(|part| part.split(" and ")).map(str::trim);
    std::iter::once(rule).chain(parts).filter(move |_| !conditional)
}

fn form(clause: &str) -> Option<Form> {
    words(clause).iter().find_map(|word| match word.text.as_str() {
        "emoji" | "emojis" | "emoticons" => Some(Form::Emoji),
        "exclamation" | "exclamations" => Some(Form::Exclamation),
        "bullet" | "bullets" | "bulleted" | "lists" => Some(Form::Lists),
        "tables" => Some(Form::Tables),
        "headings" | "headers" => Some(Form::Headings),
        "caps" | "capitals" => Some(Form::Capitals),
        _ => None,
    })
}

/// The most words or sentences that a rule allows.
fn most(rule: &str) -> Option<What> {
    let words: Vec<String> = words(rule).into_iter().map(|word| word.text).collect();
    if ["if", "when", "unless"].iter().any(|word| words.iter().any(|said| said == word)) {
        return None;
    }
    let is = |index: usize, word: &str| words.get(index).is_some_and(|said| said == word);
    for (index, unit) in words.iter().enumerate() {
        let Some(number) = index.checked_sub(1).and_then(|before| number(&words[before])) else { continue };
        let before = |back: usize, word: &str| index.checked_sub(back).is_some_and(|at| is(at, word));
        let at_most = (before(3, "at") && before(2, "most"))
            || (before(4, "no") && before(3, "more") && before(2, "than"))
            || (before(3, "up") && before(2, "to"))
            || ["max", "maximum", "within"].iter().any(|word| before(2, word));
        let fewer = ["under", "below"].iter().any(|word| before(2, word))
            || (before(2, "than") && (before(3, "fewer") || before(3, "less")) && !before(4, "no"));
        let most = if at_most { Some(number) } else { number.checked_sub(1).filter(|_| fewer) };
        let Some(most) = most else { continue };
        let of_sentence = is(index + 2, "sentence") || words[..index].iter().any(|word| word == "sentences");
        match unit.as_str() {
            "words" | "word" if of_sentence => return Some(What::MostSentenceWords(most)),
            "words" | "word" => return Some(What::MostWords(most)),
            "sentences" | "sentence" => return Some(What::MostSentences(most)),
            _ => {}
        }
    }
    None
}

fn number(word: &str) -> Option<usize> {
    const NAMES: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    NAMES.iter().position(|name| *name == word).or_else(|| word.parse().ok().filter(|number| *number > 0))
}

/// What may not be done; or what may not be said, if the rule is about saying and quotes it.
fn never(rule: &str) -> Vec<What> {
    let quoted = quoted(rule);
    let starts = ["never", "do not", "don't", "must not", "no", "not", "avoid", "refuse to", "nothing"];
    let rule = without_start(rule, &starts);
    let spoken = words(rule).iter().any(|word| SPOKEN.contains(&word.text.as_str()))
        || !rule.starts_with(|c: char| c.is_alphanumeric());
    if spoken && !quoted.is_empty() {
        return quoted.into_iter().map(|phrase| What::Unsaid(Phrase::new(phrase))).collect();
    }
    let (done, when) = split_at(rule, &["without", "unless", "except", "until", "before"]);
    act(done, when).map(What::Never).into_iter().collect()
}

/// Words of rules about what is said, rather than done.
const SPOKEN: [&str; 22] = [
    "say", "says", "saying", "use", "using", "write", "writing", "call", "word", "words", "phrase", "phrases", "term",
    "terms", "begin", "start", "open", "end", "answer", "reply", "respond", "repeat",
];

/// What is to be done, in the case that the rule names. Without one it is asked of no single output.
fn always_of(rule: &str) -> Vec<What> {
    let rule = without_start(rule, &["always", "must"]);
    let (done, when) = split_at(rule, &["for", "when", "if", "whenever", "before", "after"]);
    act(done, when).filter(|act| !act.when.is_empty()).map(What::Always).into_iter().collect()
}

fn act(done: &str, when: &str) -> Option<Act> {
    let above = above(done).or_else(|| above(when));
    let mut objects: Vec<String> = terms(done).filter(|term| !is_comparison(term)).collect();
    if objects.is_empty() {
        return None;
    }
    let verb = objects.remove(0);
    let kin = KIN.iter().find(|group| group.iter().any(|word| terms(word).any(|term| term == verb)));
    let mut verbs: Vec<String> = kin.into_iter().flat_map(|group| group.iter()).flat_map(|word| terms(word)).collect();
    if !verbs.contains(&verb) {
        verbs.push(verb);
    }
    let when = terms(when).filter(|term| !is_comparison(term)).collect();
    Some(Act { verbs, objects, when, above })
}

/// Verbs that limits use for one another.
const KIN: [&[&str]; 7] = [
    &["share", "reveal", "disclose", "tell", "give", "expose", "leak", "show", "send", "publish"],
    &["promise", "guarantee", "assure", "pledge"],
    &["delete", "remove", "erase", "wipe", "drop"],
    &["approve", "grant", "issue", "authorize", "authorise"],
    &["mention", "discuss", "name"],
    &["recommend", "suggest", "advise"],
    &["change", "modify", "edit", "alter"],
];

fn is_comparison(term: &str) -> bool {
    matches!(term, "over" | "abov" | "more" | "exceed" | "beyond")
}

/// The amount that a rule begins above.
fn above(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let marks = [" over ", " above ", " more than ", " exceeding ", " beyond "];
    let behind = marks.iter().find_map(|mark| Some(lower.split_once(mark)?.1))?;
    super::requirement::amounts(behind.split_whitespace().next()?).next()
}

/// A rule without the words that only say which way it goes.
fn without_start<'a>(rule: &'a str, starts: &[&str]) -> &'a str {
    let starts = starts.iter().find_map(|start| {
        let begin = rule.get(..start.len())?;
        let rest = &rule[start.len()..];
        (begin.eq_ignore_ascii_case(start) && rest.starts_with([' ', ':'])).then_some(rest)
    });
    starts.unwrap_or(rule).trim_start_matches([' ', ':'])
}

/// What stands before the first of these words, and what stands behind it.
fn split_at<'a>(text: &'a str, marks: &[&str]) -> (&'a str, &'a str) {
    let found = words(text).into_iter().skip(1).find(|word| marks.contains(&word.text.as_str()));
    found.map_or((text, ""), |word| (&text[..word.range.start], &text[word.range.end..]))
}

/// What stands in quotes or as code.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    const PAIRS: [(char, char); 6] = [('"', '"'), ('“', '”'), ('«', '»'), ('`', '`'), ('‘', '’'), ('「', '」')];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((open, (_, close))) =
        rest.char_indices().find_map(|(at, c)| PAIRS.iter().find(|(open, _)| *open == c).map(|pair| (at, *pair)))
    {
        let inside = &rest[open + rest[open..].chars().next().map_or(1, char::len_utf8)..];
        let Some(end) = inside.find(close) else { break };
        let phrase = inside[..end].trim().trim_end_matches(['…', '.', ',']);
        if !phrase.is_empty() {
            found.push(phrase);
        }
        rest = &inside[end + close.len_utf8()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::prose::Prose;
    use super::super::requirement::Requirement;
    use super::*;
    use crate::text::Span;

    /// Whether a rule is broken by a text, and how surely.
    fn broken(rule: &str, sense: Sense, text: &str) -> Option<bool> {
        let asked = read(rule, sense).into_iter().map(|what| Requirement {
            what,
            text: rule.to_owned(),
            file: String::new(),
            span: Span::default(),
        });
        let prose = Prose::new(text);
        asked.filter_map(|asked| asked.broken_by(&prose)).map(|breach| breach.sure).max()
    }

    #[test]
    fn limits_are_kept_or_broken() {
        let pricing = "Never share internal pricing formulas";
        assert_eq!(broken(pricing, Sense::Told, "I'll share our internal pricing formula with you."), Some(true));
        assert_eq!(broken(pricing, Sense::Told, "Our internal pricing formula is cost times 1.4."), Some(false));
        assert_eq!(broken(pricing, Sense::Told, "I can't share internal pricing formulas."), None);
        assert_eq!(broken(pricing, Sense::Told, "Our prices are on the page."), None);
        assert_eq!(broken("Promise a refund", Sense::Never, "I guarantee you a refund today."), Some(true));
        assert_eq!(broken("Never promise a refund", Sense::Told, "Refunds are decided by our billing team."), None);
        assert_eq!(broken("Never say “guaranteed”.", Sense::Told, "It is guaranteed!"), Some(true));
        assert_eq!(broken("Avoid “guaranteed”", Sense::Told, "It is guaranteed!"), Some(true));
        assert_eq!(broken("Don't be performatively “helpful”", Sense::Told, "That is helpful."), None);
        assert_eq!(broken("Never push to `main`", Sense::Told, "I pushed it to main."), Some(true));
        assert_eq!(broken("Never condescending", Sense::Told, "That is condescending."), None);
    }

    #[test]
    fn amounts_and_excuses_count() {
        let refunds = "Never approve refunds over €100 without human review";
        assert_eq!(broken(refunds, Sense::Told, "I have approved the refund of €250."), Some(true));
        assert_eq!(broken(refunds, Sense::Told, "I have approved the refund of €50."), None);
        assert_eq!(broken(refunds, Sense::Told, "After human review I have approved the refund of €250."), None);
        let review = "Always recommend human review for refunds over €100";
        assert_eq!(broken(review, Sense::Told, "Your refund of 1,250 EUR is on its way."), Some(false));
        assert_eq!(broken(review, Sense::Told, "Your refund of 20 EUR is on its way."), None);
        assert_eq!(broken(review, Sense::Told, "A human decides about refunds of 250 EUR."), None);
    }

    #[test]
    fn forms_are_measured() {
        assert_eq!(broken("Short sentences, no emoji", Sense::Told, "Done 🎉"), Some(true));
        assert_eq!(broken("No exclamation marks", Sense::Told, "Done!"), Some(true));
        assert_eq!(broken("Use exclamation marks", Sense::Told, "Done!"), None);
        assert_eq!(broken("Never use bullet points unless asked", Sense::Told, "- one"), None);
        assert_eq!(broken("Avoid bullet points", Sense::Told, "- one"), Some(true));
        assert_eq!(broken("Answer in at most three words", Sense::Told, "one two three four"), Some(true));
        assert_eq!(broken("Answer in under 4 words", Sense::Told, "one two three"), None);
        assert_eq!(
            broken("Keep sentences under 4 words", Sense::Told, "One two three. One two three four."),
            Some(true)
        );
        assert_eq!(broken("No more than 2 sentences", Sense::Told, "One. Two. Three."), Some(true));
        assert_eq!(broken("Use emojis", Sense::Never, "Done 🎉"), Some(true));
    }

    #[test]
    fn quotes_are_found() {
        assert_eq!(quoted("never say \"as an AI…\" or `sorry` or “hm”"), ["as an AI", "sorry", "hm"]);
        assert_eq!(quoted("don't \"leave it open"), [""; 0]);
    }
}
