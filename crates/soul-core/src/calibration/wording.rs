//! The words by which rules say what they want: which way they go, how much is allowed, of which form. In
//! English, and as far as quoted phrases, forms and lengths go, in German, French and Spanish.

use super::form::Form;
use super::prose::{Word, words};

/// Which way a rule goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Never,
    Always,
}

/// Whom a rule speaks to.
const ADDRESSED: [&str; 12] = [
    "please ",
    "you ",
    "i ",
    "we ",
    "it ",
    "the agent ",
    "the assistant ",
    "this agent ",
    "agents ",
    "should you ",
    "ever ",
    "must you ",
];

/// How rules begin that forbid.
const NEVER: [&str; 62] = [
    "under no circumstances ",
    "in no case ",
    "at no time ",
    "must never ",
    "must not ",
    "mustn't ",
    "should never ",
    "should not ",
    "shouldn't ",
    "shall never ",
    "shall not ",
    "will never ",
    "can never ",
    "may never ",
    "do not ",
    "don't ",
    "never: ",
    "never ",
    "no ",
    "not ",
    "nothing ",
    "avoid: ",
    "avoid ",
    "refuse to ",
    "refuse ",
    "refrain from ",
    "is not allowed to ",
    "are not allowed to ",
    "is forbidden to ",
    "are forbidden to ",
    "sage nie ",
    "sag nie ",
    "nie ",
    "niemals ",
    "sage niemals ",
    "verwende nie ",
    "verwende keine ",
    "verwende niemals ",
    "benutze nie ",
    "benutze keine ",
    "nutze keine ",
    "kein ",
    "keine ",
    "keinen ",
    "vermeide ",
    "vermeiden sie ",
    "ohne ",
    "ne dis jamais ",
    "ne dites jamais ",
    "jamais ",
    "pas de ",
    "pas d'",
    "aucun ",
    "aucune ",
    "évite ",
    "évitez ",
    "sans ",
    "nunca ",
    "jamás ",
    "evita ",
    "evite ",
    "sin ",
];

/// How limits begin that forbid, and sentences that only tell: `you may not know`.
const NEVER_IN_LIMITS: [&str; 8] =
    ["may not ", "can not ", "cannot ", "can't ", "will not ", "won't ", "do not ever ", "is never "];

/// How rules begin that demand.
const ALWAYS: [&str; 4] = ["always ", "must always ", "should always ", "shall always "];

/// A rule in lower case with plain apostrophes, without its last mark.
pub(super) fn plain(rule: &str) -> String {
    rule.trim().trim_end_matches(['.', '!']).to_lowercase().replace('’', "'")
}

/// Which way a rule goes, by how it begins, and what follows that. In a limit more beginnings are plain.
pub(super) fn way(plain: &str, is_limit: bool) -> Option<(Way, &str)> {
    let mut rest = unaddressed(plain);
    let limits: &[&str] = if is_limit { &NEVER_IN_LIMITS } else { &[] };
    if let Some(found) = NEVER.iter().chain(limits).find_map(|start| rest.strip_prefix(start)) {
        rest = unaddressed(found.trim_start());
        return Some((Way::Never, rest.trim_start_matches([':', ' '])));
    }
    ALWAYS.iter().find_map(|start| rest.strip_prefix(start)).map(|rest| (Way::Always, rest))
}

fn unaddressed(mut rest: &str) -> &str {
    while let Some(behind) = ADDRESSED.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = behind.trim_start();
    }
    rest
}

/// What a rule forbids to be done to something that it begins with: `passwords must never be shared`. The
/// something, and what is done.
pub(super) fn passive(plain: &str) -> Option<(&str, &str)> {
    const MARKS: [&str; 12] = [
        " must never be ",
        " must not be ",
        " may never be ",
        " may not be ",
        " should never be ",
        " should not be ",
        " shall never be ",
        " shall not be ",
        " can never be ",
        " are never to be ",
        " is never to be ",
        " are not to be ",
    ];
    MARKS.iter().find_map(|mark| plain.split_once(mark))
}

/// Words of rules about what is said, rather than done.
const SPOKEN: [&str; 36] = [
    "say", "says", "saying", "use", "using", "write", "writing", "call", "word", "words", "phrase", "phrases", "term",
    "terms", "begin", "start", "open", "end", "answer", "reply", "respond", "repeat", "sage", "sag", "verwende",
    "benutze", "wort", "wörter", "dis", "dites", "mot", "mots", "digas", "diga", "palabra", "palabras",
];

/// Whether a rule is about what is said.
pub(super) fn is_spoken(plain: &str) -> bool {
    words(plain).iter().any(|word| SPOKEN.contains(&word.text.as_str()))
}

/// Whether a rule of another language than English forbids what it quotes.
pub(super) fn forbids_quotes(plain: &str) -> bool {
    const FORBIDDING: [&str; 14] = [
        "nie",
        "niemals",
        "vermeide",
        "vermeiden",
        "jamais",
        "évite",
        "évitez",
        "éviter",
        "nunca",
        "jamás",
        "evita",
        "evite",
        "evitar",
        "kein",
    ];
    words(plain).iter().take(4).any(|word| FORBIDDING.contains(&word.text.as_str()))
}

/// What a clause that forbids may hold besides a form, and still be about every output.
const FILLING: [&str; 62] = [
    "a",
    "all",
    "and",
    "any",
    "at",
    "ever",
    "in",
    "letters",
    "mark",
    "markdown",
    "marks",
    "of",
    "or",
    "output",
    "outputs",
    "point",
    "points",
    "please",
    "replies",
    "reply",
    "answers",
    "responses",
    "prose",
    "put",
    "send",
    "signs",
    "symbols",
    "text",
    "the",
    "to",
    "use",
    "using",
    "words",
    "write",
    "writing",
    "your",
    "add",
    "adding",
    "include",
    "numbered",
    "characters",
    "messages",
    "with",
    "nor",
    "und",
    "oder",
    "et",
    "ou",
    "ni",
    "y",
    "o",
    "de",
    "d",
    "des",
    "les",
    "los",
    "las",
    "in",
    "points",
    "signos",
    "uses",
    "utilise",
];

/// The forms that a clause forbids; none if it says more than that: how many, or where.
pub(super) fn forms(rest: &str) -> Vec<Form> {
    let mut found = Vec::new();
    for Word { text, .. } in words(rest) {
        match form(&text) {
            Some(form) if found.contains(&form) => {}
            Some(form) => found.push(form),
            None if FILLING.contains(&text.as_str()) => {}
            None => return Vec::new(),
        }
    }
    found
}

fn form(word: &str) -> Option<Form> {
    Some(match word {
        "emoji" | "emojis" | "émojis" | "emoticons" | "smileys" => Form::Emoji,
        "exclamation" | "exclamations" | "ausrufezeichen" | "ausrufungszeichen" | "d'exclamation" | "exclamación"
        | "exclamaciones" => Form::Exclamation,
        "bullet" | "bullets" | "bulleted" | "lists" | "aufzählungen" | "listen" | "listes" | "puces" | "listas"
        | "viñetas" => Form::Lists,
        "tables" | "tabellen" | "tableaux" | "tablas" => Form::Tables,
        "headings" | "headers" | "überschriften" | "titres" | "encabezados" => Form::Headings,
        "caps" | "capitals" | "großbuchstaben" | "majuscules" | "mayúsculas" => Form::Capitals,
        _ => return None,
    })
}
