//! How a match is meant: stated, forbidden, reported, introduced as an example, or told in a story.
//!
//! A model obeys an order in a table, a code block, a quoted value of YAML or under a heading "Boundaries" as it obeys
//! any other. So none of these lowers a finding, and no single word ("untrusted", "example") does: an attacker could
//! write it. What lowers a finding is an act of speech about the very words that matched, and it must be found in one of
//! three places:
//!
//! - the clause of the match, which [forbids](negation) it, in the languages that rules read;
//! - its sentence, which [reports](speech) it: as what an attacker writes, as a demand that the same sentence refuses, or
//!   as what a character of a story says; or which [mentions](mention) it as a text without force. If the match is in a
//!   quotation, this is the sentence around the quotation;
//! - the [line directly before](passage) its block: one that ends where the entries of a list go on ("You must
//!   never:"), or one that ends in a colon and says that what follows is an example of an attack, or what attackers
//!   write. It covers that block only, and a heading is never one.
//!
//! A match that begins in one list item or table cell and ends in another is [apart](Context::Apart). Rules about
//! program code are the one exception for code blocks: `import os` in a listing is a listing, unless the line orders the
//! agent to run it. For rules about hidden text, code is where it is not hidden.
//!
//! Context lowers the confidence of a finding and is named in it; it never hides one.

mod envelope;
mod fences;
mod mention;
mod negation;
mod passage;
mod repeated;
mod reply;
mod speech;
mod wording;

use serde::{Deserialize, Serialize};

use crate::text::Span;
pub(crate) use envelope::{has_envelope, has_paired_parts, is_envelope, is_part_mark};
pub(crate) use fences::Fences;
use passage::{Passage, is_inline_code, is_item, is_row, line_of, line_start};
pub(crate) use repeated::Repeated;

/// Why a matched text is probably not meant as an instruction. It lowers the confidence of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FindingContext", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// The clause forbids it.
    Negated,
    /// The sentence reports it, or says to refuse it.
    Defensive,
    /// It is inline code that nobody is told to run.
    Quoted,
    /// It is a line of a program in a code block.
    Fenced,
    /// The line before introduces it as an example of an attack.
    Example,
    /// A character in a story says it.
    Fiction,
    /// The matched words are in different paragraphs, list items or table cells.
    Apart,
    /// The sentence as a whole does not read like an attack.
    Unlikely,
}

impl Context {
    /// The reason, as shown in a finding.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Negated => "the clause forbids it",
            Self::Defensive => "the sentence reports or refuses it",
            Self::Quoted => "it is inline code",
            Self::Fenced => "it is in a code block",
            Self::Example => "it is introduced as an example of an attack",
            Self::Fiction => "a character says it",
            Self::Apart => "its words are in different paragraphs or list items",
            Self::Unlikely => "the sentence as a whole does not read like an attack",
        }
    }
}

/// Whether a text is only shown: in a code block or in inline code, where nothing is rendered or run.
pub(crate) fn as_shown(text: &str, span: Span, fences: &Fences) -> Option<Context> {
    let (start, end) = bounds(text, span);
    if fences.around(span).is_some() {
        return Some(Context::Fenced);
    }
    // A match may take in the mark that opens the code.
    let start = start + usize::from(text[start..end].starts_with('`'));
    is_inline_code(text, start, end).then_some(Context::Quoted)
}

/// What is around the span, if it says that the text is not meant.
pub(crate) fn around(text: &str, span: Span, fences: &Fences, code_counts: bool) -> Option<Context> {
    let (start, end) = bounds(text, span);
    if is_over_items(&text[start..end], line_of(text, start)) {
        return Some(Context::Apart);
    }
    let is_markup = text[start..end].trim_start_matches('`').starts_with('<');
    let (start, end) = without_marks(text, start, end);
    let matched = &text[start..end];
    let passage = Passage::of(text, start, end, fences);
    let [near, near_quotation] = passage.near;
    let readings = [Some((passage.own, near, false)), passage.quotation.map(|sides| (sides, near_quotation, true))];
    for (sides, near, quoted) in readings.into_iter().flatten() {
        if negation::is_forbidden(sides, matched) {
            return Some(Context::Negated);
        }
        if speech::is_fiction(sides) {
            return Some(Context::Fiction);
        }
        if speech::is_reported(sides, matched, quoted)
            || speech::is_subordinate(sides, matched)
            || speech::is_activity(sides, passage.introduction, matched)
            || speech::is_about_foreign_text(sides, matched)
            || speech::is_deed_of_thing(sides, matched)
            || speech::is_question(sides)
            || mention::is_mentioned(sides, near, matched, quoted)
            || mention::is_description(sides)
        {
            return Some(Context::Defensive);
        }
    }
    if is_crossed_out(line_of(text, start), matched) {
        return Some(Context::Negated);
    }
    if reply::is_answered(text, start, end)
        || passage.answer.is_some_and(speech::is_refused_in)
        || passage.value.is_some_and(speech::is_denied_by)
        || passage.key.is_some_and(speech::denies_list)
    {
        return Some(Context::Defensive);
    }
    if passage.label.is_some_and(speech::names_attack) {
        return Some(Context::Example);
    }
    if !code_counts && passage.enumeration.is_some_and(speech::is_only_named) {
        return Some(Context::Quoted);
    }
    let line = &text[line_start(text, start)..start];
    if speech::is_judged(passage::rest_of_line(text, end))
        || as_shown(text, span, fences).is_some() && speech::is_checked(line)
        || passage.code.is_some_and(|code| speech::is_checked_in(line, passage.key, code))
    {
        return Some(Context::Example);
    }
    if let Some(introduction) = passage.introduction {
        if speech::forbids(introduction) {
            return Some(Context::Negated);
        }
        if speech::introduces_attack(introduction) {
            return Some(Context::Example);
        }
    }
    if is_alternative(&text[..start], &text[end..]) {
        return Some(Context::Quoted);
    }
    if is_inside_name(&text[..start], matched) {
        return Some(Context::Quoted);
    }
    // An identifier is not a sentence, where programs are: `delete_logs(`.
    if fences.around(span).is_some() && is_identifier(matched, &text[end..]) {
        return Some(Context::Fenced);
    }
    // A command in inline code is a command; markup there is shown, and nothing renders it.
    let is_shown = fences.around(span).is_some() || is_markup;
    if !code_counts && is_shown && !speech::is_order(line_of(text, start)) {
        let shown = as_shown(text, span, fences);
        if shown.is_some() {
            return shown;
        }
    }
    if is_sample(matched) && as_shown(text, span, fences).is_some() {
        return Some(Context::Example);
    }
    is_apart(matched).then_some(Context::Apart)
}

/// What the sentence or the line before says of a frame, if it reports it. Frames read negation themselves.
pub(crate) fn reported(text: &str, span: Span, fences: &Fences) -> Option<Context> {
    let (start, end) = bounds(text, span);
    let end = start + text[start..end].trim_end_matches([',', ';']).len();
    let (start, end) = without_marks(text, start, end);
    let matched = &text[start..end];
    let passage = Passage::of(text, start, end, fences);
    let readings = [Some((passage.own, false)), passage.quotation.map(|sides| (sides, true))];
    for (sides, quoted) in readings.into_iter().flatten() {
        if speech::is_fiction(sides) {
            return Some(Context::Fiction);
        }
        if speech::is_reported(sides, matched, quoted) {
            return Some(Context::Defensive);
        }
    }
    let introduced = passage.introduction.is_some_and(speech::introduces_attack);
    introduced.then_some(Context::Example)
}

/// Whether a sentence is made up with a word from the name of a variable or function in inline code: `send_mail`.
pub(crate) fn as_name(text: &str, span: Span) -> Option<Context> {
    let (start, end) = bounds(text, span);
    let last = text[start..end].trim_end_matches('`').len() + start;
    let named = |place: usize| passage::inline_code(text, place).is_some_and(is_name);
    (named(start) || named(last.saturating_sub(1).max(start))).then_some(Context::Quoted)
}

fn is_name(code: &str) -> bool {
    let joined = code.split('_').filter(|part| !part.is_empty()).count() > 1;
    joined && !code.contains(char::is_whitespace)
}

/// Whether a match is the rest of a name such as `ACME_UPLOAD_TOKEN`.
fn is_inside_name(before: &str, matched: &str) -> bool {
    let name = matched.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    before.ends_with('_') && name.contains('_') && name.bytes().all(is_name)
}

/// Whether a line is one of what not to do: the sign for it begins the line, and the match comes next.
fn is_crossed_out(line: &str, matched: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*' | '>' | '|'));
    let rest = ['❌', '✗', '✘', '🚫', '⛔'].iter().find_map(|sign| bare.strip_prefix(*sign));
    let words = |text: &'_ str| -> String { text.chars().filter(|c| c.is_alphanumeric()).take(24).collect() };
    let wanted = words(matched);
    rest.is_some_and(|rest| !wanted.is_empty() && words(rest).starts_with(&wanted))
}

/// Whether a match is one of the alternatives of a pattern: `(ignore previous instructions|you are now)`.
fn is_alternative(before: &str, after: &str) -> bool {
    let (opens, goes_on) = (before.ends_with('('), before.ends_with('|'));
    let (closes, is_followed) = (after.starts_with(')'), after.starts_with('|'));
    (opens || goes_on) && (closes || is_followed) && (goes_on || is_followed)
}

fn is_identifier(matched: &str, after: &str) -> bool {
    matched.contains('_') && (!matched.contains(' ') || matched.contains('(') || after.starts_with(['(', '_']))
}

/// A key that calls itself an example; where it is shown as code, the documentation is plain.
fn is_sample(matched: &str) -> bool {
    let is_key = !matched.contains(char::is_whitespace) && !matched.contains("://");
    is_key && matched.to_ascii_lowercase().contains("example")
}

/// A match without the marks of a quotation or of inline code at its ends: they are around the words.
fn without_marks(text: &str, start: usize, end: usize) -> (usize, usize) {
    let marks = ['`', '"', '\''];
    let inner = text[start..end].trim_start_matches(marks);
    let start = end - inner.len();
    (start, start + inner.trim_end_matches(marks).len())
}

fn bounds(text: &str, span: Span) -> (usize, usize) {
    let start = text.floor_char_boundary(span.start.min(text.len()));
    (start, text.ceil_char_boundary(span.end.min(text.len())).max(start))
}

/// Whether a match reaches from one list item, heading or table cell into another.
fn is_over_items(matched: &str, line: &str) -> bool {
    let begins = |line: &str| is_item(line) || line.trim_start().starts_with(['#', '|']);
    matched.lines().skip(1).any(begins) || (matched.contains(" | ") && is_row(line))
}

/// A short phrase may be drawn over paragraphs to hide it; a long match over them is chance.
fn is_apart(matched: &str) -> bool {
    const PHRASE: usize = 90;
    matched.len() > PHRASE && (matched.contains("\n\n") || matched.contains("\n```"))
}

#[cfg(test)]
mod tests;
