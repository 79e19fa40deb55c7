//! Three-way merge of a soul's text: what two authors made of the same base, in one text.
//!
//! Frontmatter is merged by field, the body by section, and a field or section that both have changed
//! by line. What cannot be decided is a [`Conflict`]: a value with all three texts and the field or
//! section that it is in. Conflict markers are written only by [`Merge::marked`], for a file that a
//! person edits; they never stand in a text that is used.
//!
//! ```
//! use soul_core::merge::{Side, merge};
//!
//! let base = "---\nrole: Guide\ntone: calm\n---\n# Limits\n- Never guess\n";
//! let ours = "---\nrole: Guide\ntone: warm\n---\n# Limits\n- Never guess\n- Never shout\n";
//! let theirs = "---\nrole: Pilot\ntone: calm\n---\n# Limits\n- Never guess\n";
//! let merged = merge(base, ours, theirs).text().unwrap();
//! assert_eq!(merged, "---\nrole: Pilot\ntone: warm\n---\n# Limits\n- Never guess\n- Never shout\n");
//!
//! let both = merge(base, &base.replace("calm", "warm"), &base.replace("calm", "dry"));
//! assert_eq!(both.conflicts().count(), 1);
//! assert!(both.resolve(|_| Side::Theirs).contains("tone: dry"));
//! ```

mod lines;
mod order;
#[cfg(test)]
mod tests;
mod units;

use std::fmt;

use lines::{From, Region, are_items, of_one_side};
use units::{Part, Unit, Units, split_lines};

/// A text that comes into a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What both began with.
    Base,
    /// What the caller has.
    Ours,
    /// What someone else has.
    Theirs,
}

/// Where in a soul a conflict is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A field of the frontmatter.
    Field(String),
    /// The section under this heading.
    Section(String),
    /// What stands before the first heading, or between the fields.
    Beginning,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, "field `{name}`"),
            Self::Section(title) => write!(f, "section `{title}`"),
            Self::Beginning => f.write_str("the beginning"),
        }
    }
}

/// A passage that both sides changed, each in its own way. An empty text means that it was removed, or
/// was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Where it is.
    pub place: Place,
    /// What both began with.
    pub base: String,
    /// What the caller has.
    pub ours: String,
    /// What someone else has.
    pub theirs: String,
}

/// Where a line of the merged text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Nobody changed it, or both did in the same way.
    Both,
    /// The caller.
    Ours,
    /// Someone else.
    Theirs,
    /// What both began with, by an answer.
    Base,
    /// A text that was given as the answer.
    Hand,
    /// Nothing decides yet; the line is ours.
    Undecided,
}

/// A line of the merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it comes from.
    pub origin: Origin,
    /// The conflict that it settles, by its number from 0.
    pub conflict: Option<usize>,
    /// Its text, with its line end.
    pub text: String,
}

/// What decides a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The text of one side.
    Side(Side),
    /// Ours, and what else theirs has.
    Both,
    /// Another text.
    Text(String),
}

impl Conflict {
    /// The items of both, ours first, where both are lists.
    #[must_use]
    pub fn both(&self) -> Option<String> {
        let (ours, theirs) = (split_lines(&self.ours), split_lines(&self.theirs));
        let are_lists = [&ours, &theirs].into_iter().all(|lines| !lines.is_empty() && are_items(lines));
        let end = line_end(&self.ours);
        let lines = ours.iter().chain(theirs.iter().filter(|line| !ours.contains(line)));
        are_lists.then(|| lines.flat_map(|line| [*line, end]).collect())
    }

    /// The text of one side.
    #[must_use]
    pub fn text(&self, side: Side) -> &str {
        match side {
            Side::Base => &self.base,
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Merged(Vec<(Origin, String)>),
    Conflict(Conflict),
}

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    pieces: Vec<Piece>,
    line_end: &'static str,
    ends_with_line_end: bool,
}

/// Merges what two sides made of one base.
#[must_use]
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merge {
    if ours == theirs {
        return Merge::whole(base, ours, Origin::Both);
    }
    if theirs == base {
        return Merge::whole(base, ours, Origin::Ours);
    }
    if ours == base {
        return Merge::whole(base, theirs, Origin::Theirs);
    }
    let ends = |text: &str| text.ends_with(['\n', '\r']);
    let ends_with_line_end = if ends(ours) == ends(base) { ends(theirs) } else { ends(ours) };
    let mut merge = Merge { pieces: Vec::new(), line_end: line_end(ours), ends_with_line_end };
    let (base, mut ours, mut theirs) = (Units::of(base), Units::of(ours), Units::of(theirs));
    ours.follow_renames(&base, &theirs);
    theirs.follow_renames(&base, &ours);
    for key in order::order(base.keys(), ours.keys(), theirs.keys()) {
        let (b, o, t) = (base.get(&key), ours.get(&key), theirs.get(&key));
        merge.add_unit(&key.part, b, o, t);
    }
    merge
}

/// The line end that a text uses.
fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

impl Merge {
    /// A text that is taken as it is, to the byte.
    fn whole(base: &str, text: &str, origin: Origin) -> Self {
        let lines = of_one_side(&split_lines(base), &split_lines(text), origin);
        let written = text.split_inclusive('\n').zip(lines).map(|(line, (origin, _))| (origin, line.to_owned()));
        Self { pieces: vec![Piece::Merged(written.collect())], line_end: "", ends_with_line_end: true }
    }

    fn add_unit(&mut self, part: &Part, base: Option<&Unit>, ours: Option<&Unit>, theirs: Option<&Unit>) {
        let place = part.place();
        let regions = match (base, ours, theirs) {
            (_, Some(ours), Some(theirs)) => {
                lines::merge(base.map_or(&[], |unit| &unit.lines), &ours.lines, &theirs.lines)
            }
            (Some(base), Some(kept), None) | (Some(base), None, Some(kept)) if kept.lines == base.lines => return,
            (Some(base), Some(ours), None) => vec![Region::conflict(&base.lines, &ours.lines, &[])],
            (Some(base), None, Some(theirs)) => vec![Region::conflict(&base.lines, &[], &theirs.lines)],
            (None, Some(added), None) => vec![Region::merged(Origin::Ours, &added.lines)],
            (None, None, Some(added)) => vec![Region::merged(Origin::Theirs, &added.lines)],
            (_, None, None) => return,
        };
        for region in regions {
            match region {
                Region::Merged(lines) => self.pieces.push(Piece::Merged(self.ended(&lines))),
                Region::Conflict { base, ours, theirs } => self.pieces.push(Piece::Conflict(Conflict {
                    place: place.clone(),
                    base: self.joined(&base),
                    ours: self.joined(&ours),
                    theirs: self.joined(&theirs),
                })),
            }
        }
        let blanks = |unit: Option<&Unit>| unit.map(|unit| unit.blanks);
        let (b, o, t) = (blanks(base), blanks(ours), blanks(theirs));
        let count = if o == b { t.or(o) } else { o.or(t) }.unwrap_or_default();
        self.pieces.push(Piece::Merged(self.ended(&vec![(Origin::Both, ""); count])));
    }

    fn ended(&self, lines: &[From<'_>]) -> Vec<(Origin, String)> {
        lines.iter().map(|(origin, line)| (*origin, format!("{line}{}", self.line_end))).collect()
    }

    fn joined(&self, lines: &[&str]) -> String {
        lines.iter().flat_map(|line| [*line, self.line_end]).collect()
    }

    /// What could not be decided, in the order of the text.
    pub fn conflicts(&self) -> impl Iterator<Item = &Conflict> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Merged(_) => None,
            Piece::Conflict(conflict) => Some(conflict),
        })
    }

    /// The merged text, if there is no conflict.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        self.conflicts().next().is_none().then(|| self.resolve(|_| Side::Ours))
    }

    /// The merged text, with one side of each conflict.
    #[must_use]
    pub fn resolve(&self, choose: impl Fn(&Conflict) -> Side) -> String {
        self.written(|conflict, text| text.push_str(conflict.text(choose(conflict))))
    }

    /// The merged text with both sides of each conflict, ours first: for logs, which only grow. A line that both sides
    /// have is there once.
    #[must_use]
    pub fn union(&self) -> String {
        self.written(|conflict, text| {
            text.push_str(&conflict.ours);
            let known: Vec<&str> = conflict.ours.lines().filter(|line| !line.trim().is_empty()).collect();
            let new = conflict
                .theirs
                .split_inclusive('\n')
                .filter(|line| !known.contains(&line.trim_end_matches(['\r', '\n'])));
            text.extend(new);
        })
    }

    /// The merged text with markers around each conflict, for a person to edit.
    #[must_use]
    pub fn marked(&self, ours: &str, theirs: &str) -> String {
        let end = self.line_end;
        self.written(|conflict, text| {
            let Conflict { base, ours: mine, theirs: other, .. } = conflict;
            let marked =
                format!("<<<<<<< {ours}{end}{mine}||||||| base{end}{base}======={end}{other}>>>>>>> {theirs}{end}");
            text.push_str(&marked);
        })
    }

    /// The merged text line by line, with what decides each conflict; one that nothing decides is ours for now.
    pub fn lines(&self, answer: impl Fn(usize, &Conflict) -> Option<Answer>) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut number = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Merged(merged) => lines.extend(merged.iter().map(|(origin, text)| Line {
                    origin: *origin,
                    conflict: None,
                    text: text.clone(),
                })),
                Piece::Conflict(conflict) => {
                    let mut add = |origin, text: &str| {
                        let line = |line: &str| Line { origin, conflict: Some(number), text: line.to_owned() };
                        lines.extend(text.split_inclusive('\n').map(line));
                    };
                    match answer(number, conflict) {
                        None => add(Origin::Undecided, &conflict.ours),
                        Some(Answer::Side(Side::Base)) => add(Origin::Base, &conflict.base),
                        Some(Answer::Side(Side::Ours)) => add(Origin::Ours, &conflict.ours),
                        Some(Answer::Side(Side::Theirs)) => add(Origin::Theirs, &conflict.theirs),
                        Some(Answer::Both) => {
                            add(Origin::Ours, &conflict.ours);
                            let more =
                                conflict.both().unwrap_or_else(|| format!("{}{}", conflict.ours, conflict.theirs));
                            add(Origin::Theirs, more.strip_prefix(conflict.ours.as_str()).unwrap_or_default());
                        }
                        Some(Answer::Text(text)) => {
                            let needs_end = !text.is_empty() && !text.ends_with('\n');
                            add(Origin::Hand, &if needs_end { format!("{text}{}", self.line_end) } else { text });
                        }
                    }
                    number += 1;
                }
            }
        }
        if let Some(last) = lines.last_mut().filter(|_| !self.ends_with_line_end) {
            last.text.truncate(last.text.trim_end_matches(['\r', '\n']).len());
        }
        lines
    }

    fn written(&self, mut write: impl FnMut(&Conflict, &mut String)) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Merged(merged) => merged.iter().for_each(|(_, line)| text.push_str(line)),
                Piece::Conflict(conflict) => write(conflict, &mut text),
            }
        }
        if !self.ends_with_line_end {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    }
}
