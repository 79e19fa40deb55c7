//! A text as the units that are merged: fields of the frontmatter, and sections of the body.

use std::collections::{HashMap, HashSet};

use super::Place;
use crate::markup::frontmatter;
use crate::markup::markdown::outline;
use crate::text::BOM;

/// What a unit is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The line that opens the frontmatter, with a byte order mark if there is one.
    Open,
    Field(String),
    /// The line that closes the frontmatter, with comments before it.
    Close,
    /// What stands before the first heading.
    Preface,
    Section(String),
}

impl Part {
    pub(super) fn place(&self) -> Place {
        match self {
            Self::Field(name) => Place::Field(name.clone()),
            Self::Section(title) => Place::Section(title.clone()),
            Self::Open | Self::Close | Self::Preface => Place::Beginning,
        }
    }
}

/// A part, and which of those of the same name it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) part: Part,
    nth: usize,
}

/// The lines of a unit, and how many blank ones follow: those change whenever something is added after it,
/// and are no conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit<'a> {
    pub(super) lines: Vec<&'a str>,
    pub(super) blanks: usize,
}

/// The units of a text.
#[derive(Debug)]
pub(super) struct Units<'a> {
    order: Vec<Key>,
    by_key: HashMap<Key, Unit<'a>>,
}

/// More pairs of sections than this are not searched for one that was renamed.
const MAX_RENAMES: usize = 1_000;

impl<'a> Units<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let lines = split_lines(text);
        let (mut starts, body) = frontmatter_starts(&lines);
        starts.extend(section_starts(&lines, body));
        let ends: Vec<usize> = starts.iter().skip(1).map(|(next, _)| *next).chain([lines.len()]).collect();
        let mut counts: HashMap<Part, usize> = HashMap::new();
        let mut units = Self { order: Vec::new(), by_key: HashMap::new() };
        for ((start, part), end) in starts.into_iter().zip(ends) {
            let all = &lines[start..end];
            let kept = all.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
            let nth = counts.entry(part.clone()).or_default();
            let key = Key { part, nth: *nth };
            *nth += 1;
            units.order.push(key.clone());
            units.by_key.insert(key, Unit { lines: all[..kept].to_vec(), blanks: all.len() - kept });
        }
        units
    }

    pub(super) fn keys(&self) -> &[Key] {
        &self.order
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Unit<'a>> {
        self.by_key.get(key)
    }

    /// Gives a section that has only got another heading the key that it had in the base, so that what the other
    /// side did to it finds it.
    pub(super) fn follow_renames(&mut self, base: &Units<'_>, other: &Units<'_>) {
        let is_section = |key: &Key| matches!(key.part, Part::Section(_));
        let gone: Vec<&Key> = base.order.iter().filter(|key| is_section(key) && self.get(key).is_none()).collect();
        let is_new = |key: &Key| is_section(key) && base.get(key).is_none() && other.get(key).is_none();
        let mut new: Vec<usize> = (0..self.order.len()).filter(|at| is_new(&self.order[*at])).collect();
        if gone.len() * new.len() > MAX_RENAMES {
            return;
        }
        for old in gone {
            let said = base.get(old).map(Unit::statements).unwrap_or_default();
            let is_alike = |at: &usize| self.get(&self.order[*at]).is_some_and(|unit| unit.repeats_most_of(&said));
            let Some(found) = new.iter().position(is_alike) else { continue };
            let at = new.remove(found);
            let renamed = std::mem::replace(&mut self.order[at], old.clone());
            if let Some(unit) = self.by_key.remove(&renamed) {
                self.by_key.insert(old.clone(), unit);
            }
        }
    }
}

impl<'a> Unit<'a> {
    /// What a section says below its heading.
    fn statements(&self) -> HashSet<&'a str> {
        self.lines.iter().skip(1).copied().filter(|line| !line.trim().is_empty()).collect()
    }

    fn repeats_most_of(&self, said: &HashSet<&str>) -> bool {
        let own = self.statements();
        let common = own.iter().filter(|line| said.contains(**line)).count();
        common > 0 && common * 2 >= own.len().max(said.len())
    }
}

/// The lines of a text without their ends.
pub(super) fn split_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// The first line of each part of the frontmatter, if there is one, and the first line of the body. Comments belong
/// to the field that follows them.
fn frontmatter_starts(lines: &[&str]) -> (Vec<(usize, Part)>, usize) {
    let is_open = lines.first().is_some_and(|line| line.trim_start_matches(BOM) == frontmatter::FENCE);
    let close = lines.iter().skip(1).position(|line| *line == frontmatter::FENCE).map(|at| at + 1);
    let (true, Some(close)) = (is_open, close) else { return (Vec::new(), 0) };
    let mut starts = vec![(0, Part::Open)];
    let mut comments = None;
    for (at, line) in lines.iter().enumerate().take(close).skip(1) {
        if line.starts_with('#') {
            comments.get_or_insert(at);
        } else if let Some(name) = field_name(line) {
            starts.push((comments.take().unwrap_or(at), Part::Field(name.to_owned())));
        } else if !line.trim().is_empty() {
            // A comment among the lines of a value belongs to it.
            comments = None;
        }
    }
    starts.push((comments.unwrap_or(close), Part::Close));
    (starts, close + 1)
}

/// The field that a line begins.
fn field_name(line: &str) -> Option<&str> {
    let begins = line.chars().next().is_some_and(|c| !c.is_whitespace() && c != '-');
    let name = line.split_once(':').filter(|_| begins)?.0.trim();
    Some(name.trim_matches(['"', '\'']))
}

/// The first line of each section.
fn section_starts(lines: &[&str], body: usize) -> Vec<(usize, Part)> {
    let text: String = lines[body..].iter().flat_map(|line| [*line, "\n"]).collect();
    let mut starts = vec![(body, Part::Preface)];
    let (mut line, mut offset) = (body, 0);
    for heading in outline(&text).into_iter().filter(|heading| !heading.nested) {
        line += text[offset..heading.range.start].matches('\n').count();
        offset = heading.range.start;
        starts.push((line, Part::Section(heading.title)));
    }
    starts
}
