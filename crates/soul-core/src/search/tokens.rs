use super::fold::{is_dense, normalised, push_folded};
use super::stem::stem;
use crate::text::characters::is_ignored_in_words;

/// The kind of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    /// A stemmed word.
    Word,
    /// An identifier of several parts, as a whole.
    Whole,
    /// A part of an identifier.
    Part,
    /// Two adjacent characters of a script without spaces.
    Pair,
    /// One character of such a script, in addition to its pairs.
    Single,
    /// One character of such a script without a neighbour.
    Lone,
}

/// Splits a text into terms. Case, width and composition of characters do not matter.
///
/// ```
/// use soul_core::search::tokens;
/// let mut terms = Vec::new();
/// tokens("Deploys to Fly.io: 東京", &mut |term, _| terms.push(term.to_owned()));
/// assert_eq!(terms, ["deploy", "to", "flyio", "fly", "io", "東", "東京", "京"]);
/// ```
pub fn tokens(text: &str, emit: &mut dyn FnMut(&str, TermKind)) {
    let text = normalised(text);
    let mut unit = Unit::default();
    let mut run = Run::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_ignored_in_words(c) {
            continue;
        }
        if is_dense(c) {
            unit.finish(emit);
            run.push(c, emit);
            continue;
        }
        run.finish(emit);
        let next = chars.peek().copied();
        if c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) {
            unit.push(c);
        } else if unit.is_open() && joins(c, next) && next.is_some_and(|next| next.is_alphanumeric() && !is_dense(next))
        {
            unit.join(c);
        } else if unit.is_letter() && (c == '#' || (c == '+' && next == Some('+'))) {
            unit.finish_marked(if c == '#' { "#" } else { "++" }, emit);
        } else {
            unit.finish(emit);
        }
    }
    unit.finish(emit);
    run.finish(emit);
}

/// Whether a mark between two letters holds an identifier together.
pub(super) fn joins(c: char, next: Option<char>) -> bool {
    match c {
        '_' | '-' | '.' | '\'' | '’' | '+' | '@' | '&' | '\u{2010}' | '\u{2011}' => true,
        ',' => next.is_some_and(|next| next.is_ascii_digit()),
        _ => false,
    }
}

/// A word or identifier in the making: folded text, and where its parts begin.
#[derive(Default)]
struct Unit {
    text: String,
    /// Where each part after the first begins, and whether a mark stands there in the text.
    starts: Vec<usize>,
    /// The identifier with nothing between its parts but what tells numbers apart.
    whole: String,
    last: Option<char>,
    /// Whether the text was last joined by a mark that has not been followed yet.
    joined: Option<char>,
    /// Whether the last two letters were capitals, and where the last of them begins.
    capitals: Option<usize>,
}

/// The longest term in bytes; what is longer is no word that anyone types.
const LONGEST: usize = 64;

impl Unit {
    fn is_open(&self) -> bool {
        self.last.is_some()
    }

    /// Whether it is one letter so far, which `++` or `#` may follow.
    fn is_letter(&self) -> bool {
        self.text.len() == 1 && self.text.as_bytes()[0].is_ascii_alphabetic()
    }

    fn push(&mut self, c: char) {
        if let Some(mark) = self.joined.take() {
            if self.last.is_some_and(|last| last.is_ascii_digit()) && c.is_ascii_digit() && mark != ',' {
                self.whole.push(mark);
            }
            if mark != ',' {
                self.starts.push(self.text.len());
            }
            self.capitals = None;
        } else if let Some(last) = self.last {
            let before = self.text.len();
            if (last.is_lowercase() && c.is_uppercase()) || last.is_ascii_digit() != c.is_ascii_digit() {
                self.starts.push(before);
                self.capitals = None;
            } else if last.is_uppercase() && c.is_lowercase() {
                // `HTTPServer` is HTTP and Server: the last capital belongs to what follows.
                self.starts.extend(self.capitals.take());
            }
            self.capitals = (last.is_uppercase() && c.is_uppercase()).then_some(before);
        }
        let before = self.text.len();
        push_folded(&mut self.text, c);
        self.whole.push_str(&self.text[before..]);
        self.last = Some(c);
    }

    fn join(&mut self, mark: char) {
        self.joined = Some(mark);
    }

    fn finish(&mut self, emit: &mut dyn FnMut(&str, TermKind)) {
        if self.last.take().is_none() || self.text.is_empty() {
            return self.clear();
        }
        if self.starts.is_empty() {
            term(&self.text, TermKind::Word, emit);
        } else {
            term(&self.whole, TermKind::Whole, emit);
            let ends = self.starts.iter().copied().chain([self.text.len()]);
            let mut start = 0;
            for end in ends {
                let part = &self.text[start..end];
                // A lone letter or the `s` of a genitive says nothing.
                if part.len() > 1 || part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty() {
                    term(part, TermKind::Part, emit);
                }
                start = end;
            }
        }
        self.clear();
    }

    /// A letter that is another name with its mark: `C++`, `C#`.
    fn finish_marked(&mut self, mark: &str, emit: &mut dyn FnMut(&str, TermKind)) {
        self.whole.push_str(mark);
        emit(&self.whole, TermKind::Whole);
        emit(&self.text, TermKind::Part);
        self.clear();
    }

    fn clear(&mut self) {
        self.text.clear();
        self.whole.clear();
        self.starts.clear();
        self.last = None;
        self.joined = None;
        self.capitals = None;
    }
}

fn term(text: &str, kind: TermKind, emit: &mut dyn FnMut(&str, TermKind)) {
    let text = if text.len() > LONGEST { &text[..text.floor_char_boundary(LONGEST)] } else { text };
    emit(&stem(text), kind);
}

/// A run of a script without spaces: each character, and each with its neighbour.
#[derive(Default)]
struct Run {
    pair: String,
    length: usize,
}

impl Run {
    fn push(&mut self, c: char, emit: &mut dyn FnMut(&str, TermKind)) {
        let before = self.pair.len();
        self.pair.push(c);
        self.length += 1;
        if self.length > 1 {
            if self.length == 2 {
                emit(&self.pair[..before], TermKind::Single);
            }
            emit(&self.pair, TermKind::Pair);
            emit(&self.pair[before..], TermKind::Single);
            self.pair.drain(..before);
        }
    }

    fn finish(&mut self, emit: &mut dyn FnMut(&str, TermKind)) {
        if self.length == 1 {
            emit(&self.pair, TermKind::Lone);
        }
        self.pair.clear();
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        tokens(text, &mut |term, _| terms.push(term.to_owned()));
        terms
    }

    #[test]
    fn identifiers_come_whole_and_in_parts() {
        assert_eq!(cut("snake_case"), ["snakecas", "snake", "case"]);
        assert_eq!(cut("snakeCase"), ["snakecas", "snake", "case"]);
        assert_eq!(cut("HTTPServer2"), ["httpserver2", "http", "server", "2"]);
        assert_eq!(cut("--dry-run"), ["dryrun", "dry", "run"]);
        assert_eq!(cut("C++ C# R."), ["c++", "c", "c#", "c", "r"]);
        assert_eq!(cut("v1.2.3."), ["v1.2.3", "1", "2", "3"]);
        assert_eq!(cut("2026-11-15"), ["2026-11-15", "2026", "11", "15"]);
        assert_eq!(cut("1,000,000"), ["1000000"]);
        assert_eq!(cut("KX-9910-B"), ["kx9910b", "kx", "9910"]);
        assert_eq!(cut("user's"), ["user", "user"]);
    }

    #[test]
    fn a_full_stop_belongs_to_the_sentence() {
        assert_eq!(cut("end. (end) *end* `end`"), ["end"; 4]);
    }

    #[test]
    fn scripts_without_spaces_come_in_pairs() {
        assert_eq!(cut("税"), ["税"]);
        assert_eq!(cut("東京都"), ["東", "東京", "京", "京都", "都"]);
        assert_eq!(cut("ภา"), ["ภ", "ภา", "า"]);
        assert_eq!(cut("Unityの入力"), ["uniti", "の", "の入", "入", "入力", "力"]);
    }

    #[test]
    fn nothing_seen_is_nothing_found() {
        assert_eq!(cut("  --- ... 。、 \u{200b}\u{feff}"), [""; 0]);
        assert_eq!(cut("de\u{ad}ploy"), cut("deploy"));
        assert_eq!(cut(&"a".repeat(500))[0].len(), LONGEST);
        assert_eq!(cut("\u{301}"), [""; 0]);
    }
}
