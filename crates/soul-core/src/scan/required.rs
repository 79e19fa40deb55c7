//! What a pattern cannot match without: literals in an order, read off the pattern itself.
//!
//! A pattern with gaps such as `[^.]{0,80}` has more states than fit a cache, and reads ordinary text slowly. So it runs
//! only where all of its fixed parts stand in their order and near enough. That is a necessary condition, never a
//! sufficient one: the pattern still decides.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, packed};
use regex_syntax::hir::{Class, Hir, HirKind};

/// How far an unbounded repetition reaches, at most.
const UNBOUNDED: usize = super::matcher::AROUND;

/// Whether a literal selects anything: short words are everywhere, and so are the marks of sentences.
fn is_telling(literal: &[u8]) -> bool {
    literal.len() >= 3 || literal.iter().any(|byte| byte.is_ascii_punctuation() && !b".,-_".contains(byte))
}

/// The most literals of one part; what has more is a gap.
const MOST: usize = 64;

/// The fixed parts of a pattern; a match has all parts of one branch.
#[derive(Debug)]
pub(super) struct Required {
    branches: Vec<Branch>,
    /// Whether case is ignored: then the text is compared in lower case.
    lower: bool,
}

#[derive(Debug)]
struct Branch {
    steps: Vec<Step>,
    /// How far a match may reach after the place of the last step.
    tail: usize,
}

#[derive(Debug)]
struct Step {
    literals: Literals,
    longest: usize,
    /// How far the place of this step may be from that of the step before, or from the start of the match.
    reach: usize,
}

/// One of several literals, found fast.
#[derive(Debug)]
enum Literals {
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
}

impl Literals {
    fn new(literals: &[Vec<u8>]) -> Option<Self> {
        if let Some(searcher) = packed::Searcher::new(literals) {
            return Some(Self::Packed(searcher));
        }
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::ContiguousNFA)).match_kind(MatchKind::LeftmostFirst);
        builder.build(literals).ok().map(Self::Automaton)
    }

    /// Where the first literal begins.
    fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Packed(searcher) => searcher.find(text).map(|found| found.start()),
            Self::Automaton(automaton) => automaton.find(text).map(|found| found.start()),
        }
    }
}

impl Required {
    /// None if the pattern has no fixed parts.
    pub(super) fn new(pattern: &str, lower: bool) -> Option<Self> {
        let mut parser = regex_syntax::ParserBuilder::new();
        let hir = parser.unicode(false).utf8(false).multi_line(lower).build().parse(pattern).ok()?;
        let reader = Reader { lower };
        let branches = alternatives(&hir).into_iter().map(|branch| reader.branch(branch)).collect::<Option<_>>()?;
        Some(Self { branches, lower })
    }

    /// The parts of a text that can have a match, in order and apart from each other.
    pub(super) fn regions(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let lower;
        let text = if self.lower {
            lower = text.to_ascii_lowercase();
            &lower[..]
        } else {
            text
        };
        let mut regions: Vec<(usize, usize)> = Vec::new();
        for branch in &self.branches {
            branch.regions(text, &mut regions);
        }
        regions.sort_unstable();
        regions.dedup_by(|later, first| {
            let touches = later.0 <= first.1;
            if touches {
                first.1 = first.1.max(later.1);
            }
            touches
        });
        regions
    }
}

impl Branch {
    fn regions(&self, text: &[u8], regions: &mut Vec<(usize, usize)>) {
        // Where the last step was found, and the first place at which a match with it can begin.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let mut next = Vec::new();
            let mut cursor = 0;
            if number == 0 {
                while let Some(at) = step.literals.find(&text[cursor..]) {
                    let place = cursor + at;
                    next.push((place, place.saturating_sub(step.reach)));
                    cursor = place + 1;
                }
            }
            let mut before = places.iter();
            let mut current = before.next();
            while let Some((place, start)) = current {
                cursor = cursor.max(place + 1);
                let last = place + step.reach;
                let end = (last + step.longest).min(text.len());
                let found = if cursor < end { step.literals.find(&text[cursor..end]) } else { None };
                match found.map(|at| cursor + at).filter(|found| *found <= last) {
                    Some(found) => {
                        next.push((found, *start));
                        cursor = found + 1;
                    }
                    None => {
                        cursor = cursor.max(last + 1);
                        current = before.next();
                    }
                }
            }
            if next.is_empty() {
                return;
            }
            places = next;
        }
        regions.extend(places.into_iter().map(|(place, start)| (start, (place + self.tail).min(text.len()))));
    }
}

/// The alternatives of a pattern, through groups and assertions around them.
fn alternatives(hir: &Hir) -> Vec<&Hir> {
    match hir.kind() {
        HirKind::Capture(capture) => alternatives(&capture.sub),
        HirKind::Alternation(branches) => branches.iter().flat_map(alternatives).collect(),
        HirKind::Concat(parts) => {
            let mut others = parts.iter().filter(|part| !matches!(part.kind(), HirKind::Look(_)));
            match (others.next(), others.next()) {
                (Some(only), None) => alternatives(only),
                _ => vec![hir],
            }
        }
        _ => vec![hir],
    }
}

/// A fixed part of a branch: its literals, how far it may be from the part before, and how long it may be.
struct Part {
    literals: Vec<Vec<u8>>,
    gap: usize,
    length: usize,
}

struct Reader {
    lower: bool,
}

impl Reader {
    fn branch(&self, hir: &Hir) -> Option<Branch> {
        let (parts, rest) = self.parts(items(hir));
        let mut tail = rest;
        let mut before = 0;
        let mut steps = Vec::new();
        for part in parts {
            // A place is the start of any literal in its part, so the length of both parts counts.
            let reach = before + part.gap + part.length;
            let longest = part.literals.iter().map(Vec::len).max()?;
            steps.push(Step { literals: Literals::new(&part.literals)?, longest, reach });
            before = part.length;
            tail = rest + part.length;
        }
        (!steps.is_empty()).then_some(Branch { steps, tail })
    }

    /// The fixed parts of a sequence, and how much may follow the last one.
    fn parts(&self, items: &[Hir]) -> (Vec<Part>, usize) {
        let mut parts = Vec::new();
        let mut gap = 0;
        let mut run = vec![Vec::new()];
        for item in items {
            if let Some(strings) = self.strings(item) {
                match product(&run, &strings) {
                    Some(longer) => run = longer,
                    None => {
                        flush(&mut run, &mut gap, &mut parts);
                        run = strings;
                    }
                }
                continue;
            }
            flush(&mut run, &mut gap, &mut parts);
            match self.needle(item) {
                Some(literals) => {
                    parts.push(Part { literals, gap: std::mem::take(&mut gap), length: longest_match(item) });
                }
                None => gap += longest_match(item),
            }
        }
        flush(&mut run, &mut gap, &mut parts);
        (parts, gap)
    }

    /// Literals of which every match of this has one.
    fn needle(&self, hir: &Hir) -> Option<Vec<Vec<u8>>> {
        if let Some(strings) = self.strings(hir) {
            return fixed(strings);
        }
        match hir.kind() {
            HirKind::Capture(capture) => self.needle(&capture.sub),
            HirKind::Repetition(repetition) if repetition.min > 0 => self.needle(&repetition.sub),
            HirKind::Concat(parts) => {
                let (parts, _) = self.parts(parts);
                let shortest = |part: &Part| part.literals.iter().map(Vec::len).min();
                parts.into_iter().max_by_key(shortest).map(|part| part.literals)
            }
            HirKind::Alternation(branches) => {
                let each: Option<Vec<_>> = branches.iter().map(|branch| self.needle(branch)).collect();
                fixed(each?.into_iter().flatten().collect())
            }
            _ => None,
        }
    }

    /// Every string that this matches, if they are few.
    fn strings(&self, hir: &Hir) -> Option<Vec<Vec<u8>>> {
        let strings = match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => vec![Vec::new()],
            HirKind::Literal(literal) => vec![self.cased(&literal.0)],
            HirKind::Class(Class::Bytes(class)) => {
                let bytes = class.iter().flat_map(|range| range.start()..=range.end()).take(32);
                let mut bytes: Vec<u8> = self.cased(&bytes.collect::<Vec<u8>>());
                bytes.sort_unstable();
                bytes.dedup();
                if bytes.len() > 8 {
                    return None;
                }
                bytes.into_iter().map(|byte| vec![byte]).collect()
            }
            HirKind::Class(Class::Unicode(_)) => return None,
            HirKind::Repetition(repetition) => {
                let most = repetition.max.filter(|most| *most <= 3)?;
                let once = self.strings(&repetition.sub)?;
                let mut power = vec![Vec::new()];
                let mut all = Vec::new();
                for count in 0..=most {
                    if count >= repetition.min {
                        all.extend(power.iter().cloned());
                    }
                    power = product(&power, &once)?;
                }
                all
            }
            HirKind::Capture(capture) => self.strings(&capture.sub)?,
            HirKind::Concat(parts) => {
                let mut run = vec![Vec::new()];
                for part in parts {
                    run = product(&run, &self.strings(part)?)?;
                }
                run
            }
            HirKind::Alternation(branches) => {
                let each: Option<Vec<_>> = branches.iter().map(|branch| self.strings(branch)).collect();
                each?.into_iter().flatten().collect()
            }
        };
        (strings.len() <= MOST).then_some(strings)
    }

    fn cased(&self, bytes: &[u8]) -> Vec<u8> {
        if self.lower { bytes.to_ascii_lowercase() } else { bytes.to_vec() }
    }
}

/// Ends a run of strings: it is a part of its own if it is fixed, and otherwise belongs to the gap.
fn flush(run: &mut Vec<Vec<u8>>, gap: &mut usize, parts: &mut Vec<Part>) {
    let strings = std::mem::replace(run, vec![Vec::new()]);
    let length = strings.iter().map(Vec::len).max().unwrap_or(0);
    match fixed(strings) {
        Some(literals) => parts.push(Part { literals, gap: std::mem::take(gap), length }),
        None => *gap += length,
    }
}

fn items(hir: &Hir) -> &[Hir] {
    match hir.kind() {
        HirKind::Concat(parts) => parts,
        _ => std::slice::from_ref(hir),
    }
}

/// Strings as literals to look for: none if one is too short; one that has another in it is not needed.
fn fixed(mut strings: Vec<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    strings.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    let mut literals: Vec<Vec<u8>> = Vec::new();
    for string in strings {
        if !is_telling(&string) {
            return None;
        }
        let has = |literal: &Vec<u8>| string.windows(literal.len()).any(|part| part == literal);
        if !literals.iter().any(has) {
            literals.push(string);
        }
    }
    (1..=MOST).contains(&literals.len()).then_some(literals)
}

/// Each of the strings followed by each of the others, if that is not too many.
fn product(first: &[Vec<u8>], second: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    if first.len() * second.len() > MOST {
        return None;
    }
    Some(first.iter().flat_map(|head| second.iter().map(move |tail| [&head[..], tail].concat())).collect())
}

fn longest_match(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(_) => 1,
        HirKind::Repetition(repetition) => match repetition.max {
            Some(most) => longest_match(&repetition.sub).saturating_mul(most as usize),
            None => UNBOUNDED,
        },
        HirKind::Capture(capture) => longest_match(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(longest_match).sum(),
        HirKind::Alternation(branches) => branches.iter().map(longest_match).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_must_stand_in_order_and_near() {
        let pattern = r"(?x)\b(?:send|forward)\b[^.]{0,20}\b(?:keys?|secrets?)\b[^.]{0,10}\bto\ (?:me|him)\b";
        let required = Required::new(pattern, false).unwrap();
        for (text, hit) in [
            ("please send all the keys to me", true),
            ("to me the keys you send", false),
            ("send it, and some day much later the keys to me", false),
            ("send keys", false),
        ] {
            assert_eq!(!required.regions(text.as_bytes()).is_empty(), hit, "{text}");
        }
        assert!(Required::new(r"\d+", false).is_none());
        let upper = Required::new(r"(?i)curl\b[^\n]{0,9}sudo", true).unwrap();
        assert_eq!(upper.regions(b"x CURL it | Sudo"), [(2, 16)]);
    }

    #[test]
    fn every_match_is_in_a_region() {
        let pattern = r"(?:ab+cde|x(?:foo|bar)?yyy[0-9]{1,4}end)\b";
        let required = Required::new(pattern, false).unwrap();
        let regex = regex::bytes::Regex::new(pattern).unwrap();
        for text in ["abbbcde", "..xyyy12end..", "xfooyyy1end abcde", "abcdef xyyyend"] {
            let regions = required.regions(text.as_bytes());
            for found in regex.find_iter(text.as_bytes()) {
                assert!(regions.iter().any(|(from, to)| *from <= found.start() && found.end() <= *to), "{text}");
            }
        }
    }
}
