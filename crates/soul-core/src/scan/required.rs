//! What a pattern cannot match without: literals in an order, read off the pattern itself.
//!
//! A pattern with gaps such as `[^.]{0,80}` has more states than fit a cache, and reads ordinary text slowly. So it runs
//! only where all of its fixed parts stand in their order and near enough. That is a necessary condition, never a
//! sufficient one: the pattern still decides.

mod gap;
mod searcher;

use std::sync::Arc;

use regex_syntax::hir::{Class, ClassBytes, Hir, HirKind, Look};

use super::steps;
use gap::{Bytes, Gap, plain_length};
use searcher::{EDGE, Literals, shared};

/// How far an unbounded repetition reaches, at most.
const UNBOUNDED: usize = super::matcher::AROUND;

/// Whether a literal selects anything: single letters are everywhere, and so are the marks of sentences.
fn is_telling(literal: &[u8]) -> bool {
    plain_length(literal) >= 2 || literal.iter().any(|byte| byte.is_ascii_punctuation() && !b".,-_".contains(byte))
}

/// The most literals of one part; what has more is a gap.
const MOST: usize = 64;

/// The fixed parts of a pattern; a match has all parts of one branch.
#[derive(Debug)]
pub(super) struct Required {
    branches: Vec<Branch>,
}

#[derive(Debug)]
struct Branch {
    steps: Vec<Step>,
    /// The step that most texts lack: looked for before the others.
    rarest: usize,
    /// What may follow the place of the last step.
    tail: Gap,
}

#[derive(Debug)]
struct Step {
    literals: Arc<Literals>,
    longest: usize,
    /// What may be between the place of this step and that of the step before, or the start of the match.
    gap: Gap,
}

impl Required {
    /// None if the pattern has no fixed parts.
    pub(super) fn new(pattern: &str, lower: bool) -> Option<Self> {
        let mut parser = regex_syntax::ParserBuilder::new();
        let hir = parser.unicode(false).utf8(false).multi_line(lower).build().parse(pattern).ok()?;
        let reader = Reader { lower };
        let branches = alternatives(&hir).into_iter().map(|branch| reader.branch(branch)).collect::<Option<_>>()?;
        Some(Self { branches })
    }

    /// The parts of a text that can have a match, in order and apart from each other.
    /// If case is ignored, the text is in lower case.
    pub(super) fn regions(&self, text: &[u8]) -> Vec<Region> {
        let mut regions: Vec<(usize, usize)> = Vec::new();
        for branch in &self.branches {
            branch.regions(text, &mut regions);
        }
        if regions.is_empty() {
            return Vec::new();
        }
        regions.sort_unstable();
        regions.dedup_by(|later, first| {
            let touches = later.0 <= first.1;
            if touches {
                first.1 = first.1.max(later.1);
            }
            touches
        });
        let starts = |start, end| self.branches.iter().map(|branch| branch.starts(text, start, end)).collect();
        let merged = |starts: Option<Vec<_>>| {
            let mut starts: Vec<usize> = starts?.concat();
            starts.sort_unstable();
            starts.dedup();
            Some(starts).filter(|starts| starts.len() <= FEW)
        };
        regions.into_iter().map(|(start, end)| Region { start, end, starts: merged(starts(start, end)) }).collect()
    }
}

/// A search from each of so many places costs no more than one from everywhere; from more of them, the time of searches that
/// find nothing would grow with the square of the text.
const FEW: usize = 16;

/// A part of a text that can have a match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where alone a match can begin, in order, if that is known.
    pub(super) starts: Option<Vec<usize>>,
}

impl Branch {
    /// Where in a part of a text a match can begin; none if that is far from the first step.
    fn starts(&self, text: &[u8], from: usize, to: usize) -> Option<Vec<usize>> {
        const NEAR: usize = 8;
        let Step { literals, gap, .. } = self.steps.first().filter(|step| step.gap.length <= NEAR)?;
        let mut starts = Vec::new();
        let mut cursor = from;
        while let Some(place) = literals.find(text, cursor, to) {
            starts.extend(place.saturating_sub(gap.length).max(from)..=place);
            cursor = place + 1;
        }
        Some(starts)
    }

    fn regions(&self, text: &[u8], regions: &mut Vec<(usize, usize)>) {
        if self.rarest > 0 && self.steps[self.rarest].literals.find(text, 0, text.len()).is_none() {
            return;
        }
        // Most texts that have the rarest step lack another one after those before it, however far: that is known before
        // all places of the first step are.
        let mut first = None;
        let mut from = 0;
        for step in &self.steps {
            let Some(place) = step.literals.find(text, from, text.len()) else { return };
            first = first.or(Some(place));
            from = place + 1;
        }
        // Where the last step was found, and the first place at which a match with it can begin.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let mut next = Vec::new();
            let mut cursor = 0;
            if number == 0 {
                cursor = first.unwrap_or(0);
                while let Some(place) = step.literals.find(text, cursor, text.len()) {
                    next.push((place, place - step.gap.run(text[..place].iter().rev())));
                    cursor = place + 1;
                }
            }
            let mut before = places.iter();
            let mut current = before.next();
            // The first byte that cannot stand between this step and the one before.
            let mut barrier = 0;
            while let Some((place, start)) = current {
                cursor = cursor.max(place + 1);
                let last = place + step.gap.length;
                let from = barrier.max(*place);
                let open = text[from..].iter().take((last + 1).saturating_sub(from));
                let open = open.take_while(|byte| step.gap.bytes.has(**byte)).count();
                steps::add(open);
                barrier = from + open;
                let last = last.min(barrier);
                let end = (last + step.longest).min(text.len());
                let found = if cursor < end { step.literals.find(text, cursor, end) } else { None };
                match found.filter(|found| *found <= last) {
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
        for (place, start) in places {
            regions.push((start, place + self.tail.run(text[place..].iter())));
        }
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

/// A fixed part of a branch: its literals, what of it stands before one of them, what follows from its place on, and the
/// gap before the part.
struct Part {
    literals: Vec<Vec<u8>>,
    before: Gap,
    after: Gap,
    gap: Gap,
}

impl Part {
    /// A part that is one of some strings, each of which has one of the literals.
    fn of_strings(literals: Vec<Vec<u8>>, strings: &[Vec<u8>], gap: Gap) -> Self {
        let (mut before, mut after) = (Gap::default(), Gap::default());
        let place = |string: &[u8]| {
            literals.iter().find_map(|literal| string.windows(literal.len()).position(|part| part == literal))
        };
        for string in strings {
            // The literals may have no edges though the strings have.
            let plain: Vec<u8> = string.iter().copied().filter(|byte| *byte != EDGE).collect();
            let (string, at) = place(string).map_or_else(|| (&plain, place(&plain)), |at| (string, Some(at)));
            let (head, tail) = string.split_at(at.unwrap_or(0));
            before = before.or(Gap::of(head));
            after = after.or(Gap::of(tail));
        }
        Self { literals, before, after, gap }
    }
}

struct Reader {
    lower: bool,
}

impl Reader {
    fn branch(&self, hir: &Hir) -> Option<Branch> {
        let (parts, rest) = self.parts(items(hir));
        let (mut tail, mut before) = (Gap::default(), Gap::default());
        let mut steps = Vec::new();
        let often = |part: &usize| parts[*part].literals.iter().map(|literal| frequency(literal)).sum::<f64>();
        let rarest = (0..parts.len()).min_by(|a, b| often(a).total_cmp(&often(b))).unwrap_or(0);
        for part in parts {
            let longest = part.literals.iter().map(|literal| plain_length(literal)).max()?;
            let gap = before.and(part.gap).and(part.before);
            steps.push(Step { literals: shared(&part.literals)?, longest, gap });
            before = part.after;
            tail = part.after.and(rest);
        }
        (!steps.is_empty()).then_some(Branch { steps, rarest, tail })
    }

    /// The fixed parts of a sequence, and what may follow the last one.
    fn parts(&self, items: &[Hir]) -> (Vec<Part>, Gap) {
        let mut parts = Vec::new();
        let mut gap = Gap::default();
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
            let own = Gap { length: longest_match(item), bytes: self.bytes(item) };
            match self.needle(item) {
                // A place is the start of any literal in the part.
                Some(literals) => {
                    parts.push(Part { literals, before: own, after: own, gap: std::mem::take(&mut gap) });
                }
                None => gap = gap.and(own),
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
                let shortest = |part: &Part| part.literals.iter().map(|literal| plain_length(literal)).min();
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
            HirKind::Look(Look::WordAscii) => vec![vec![EDGE]],
            HirKind::Empty | HirKind::Look(_) => vec![Vec::new()],
            HirKind::Literal(literal) => vec![self.cased(&literal.0)],
            HirKind::Class(class) => {
                let class = byte_class(class)?;
                let bytes = class.iter().flat_map(|range| range.start()..=range.end()).take(32);
                let mut bytes: Vec<u8> = self.cased(&bytes.collect::<Vec<u8>>());
                bytes.sort_unstable();
                bytes.dedup();
                if bytes.len() > 8 {
                    return None;
                }
                bytes.into_iter().map(|byte| vec![byte]).collect()
            }
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

    /// Every byte that a match of this can have.
    fn bytes(&self, hir: &Hir) -> Bytes {
        let mut bytes = Bytes::default();
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.cased(&literal.0).into_iter().for_each(|byte| bytes.insert(byte)),
            HirKind::Class(class) => match byte_class(class) {
                Some(class) => {
                    let all: Vec<u8> = class.iter().flat_map(|range| range.start()..=range.end()).collect();
                    self.cased(&all).into_iter().for_each(|byte| bytes.insert(byte));
                }
                None => bytes = Bytes([u64::MAX; 4]),
            },
            HirKind::Repetition(repetition) => bytes = self.bytes(&repetition.sub),
            HirKind::Capture(capture) => bytes = self.bytes(&capture.sub),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                bytes = parts.iter().map(|part| self.bytes(part)).fold(bytes, Bytes::and);
            }
        }
        bytes
    }

    fn cased(&self, bytes: &[u8]) -> Vec<u8> {
        if self.lower { bytes.to_ascii_lowercase() } else { bytes.to_vec() }
    }
}

/// Ends a run of strings: it is a part of its own if it is fixed, and otherwise belongs to the gap.
fn flush(run: &mut Vec<Vec<u8>>, gap: &mut Gap, parts: &mut Vec<Part>) {
    let strings = std::mem::replace(run, vec![Vec::new()]);
    match fixed(strings.clone()) {
        Some(literals) => parts.push(Part::of_strings(literals, &strings, std::mem::take(gap))),
        None => *gap = gap.and(strings.iter().map(|string| Gap::of(string)).fold(Gap::default(), Gap::or)),
    }
}

/// A class as bytes, as that of `=|:` is read too, which the parser makes one of characters; none if it has others than
/// those of ASCII.
fn byte_class(class: &Class) -> Option<ClassBytes> {
    match class {
        Class::Bytes(class) => Some(class.clone()),
        Class::Unicode(class) => class.to_byte_class(),
    }
}

fn items(hir: &Hir) -> &[Hir] {
    match hir.kind() {
        HirKind::Concat(parts) => parts,
        _ => std::slice::from_ref(hir),
    }
}

/// Strings as literals to look for: none if one is too short; one that has another in it is not needed. Edges are left
/// out if there are too many strings with them.
fn fixed(mut strings: Vec<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    if !strings.iter().all(|string| is_telling(string)) {
        return None;
    }
    if let Some(literals) = needed(&mut strings) {
        return Some(literals);
    }
    strings.iter_mut().for_each(|string| string.retain(|byte| *byte != EDGE));
    needed(&mut strings)
}

fn needed(strings: &mut [Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    strings.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    let mut literals: Vec<Vec<u8>> = Vec::new();
    for string in strings {
        let has = |literal: &Vec<u8>| string.windows(literal.len()).any(|part| part == literal);
        if !literals.iter().any(has) {
            literals.push(string.clone());
        }
    }
    (1..=MOST).contains(&literals.len()).then_some(literals)
}

/// About how often a literal stands at a place of English text.
pub(super) fn frequency(literal: &[u8]) -> f64 {
    let of = |byte: &u8| match *byte {
        b' ' => 0.16,
        b'e' => 0.1,
        b'a' | b'i' | b'n' | b'o' | b'r' | b's' | b't' => 0.06,
        b'c' | b'd' | b'h' | b'l' | b'm' | b'p' | b'u' => 0.03,
        b'b' | b'f' | b'g' | b'v' | b'w' | b'y' => 0.015,
        EDGE => 0.3,
        _ => 0.005,
    };
    literal.iter().map(of).product()
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
        // A character beyond ASCII has several bytes.
        HirKind::Class(class) => class.maximum_len().unwrap_or(0),
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
        let region = Region { start: 2, end: 16, starts: Some(vec![2]) };
        assert_eq!(upper.regions(b"x curl it | sudo"), [region]);
    }

    #[test]
    fn signs_of_one_character_are_required() {
        let required = Required::new(r"\bkey\s*(?:=|:)\s*value", true).unwrap();
        assert!(required.regions(b"key value").is_empty());
        assert_eq!(required.regions(b"a key: value").len(), 1);
    }

    #[test]
    fn every_match_is_in_a_region() {
        let pattern = r"(?:ab+cde|x(?:foo|bar)?yyy[0-9]{1,4}end)\b";
        let required = Required::new(pattern, false).unwrap();
        let regex = regex::bytes::RegexBuilder::new(pattern).unicode(false).build().unwrap();
        for text in ["abbbcde", "..xyyy12end..", "xfooyyy1end abcde", "abcdef xyyyend"] {
            let regions = required.regions(text.as_bytes());
            for found in regex.find_iter(text.as_bytes()) {
                let holds = |region: &Region| {
                    let begins = region.starts.as_ref().is_none_or(|starts| starts.contains(&found.start()));
                    region.start <= found.start() && found.end() <= region.end && begins
                };
                assert!(regions.iter().any(holds), "{text}");
            }
        }
    }
}
