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

use lines::Region;
use units::{Part, Unit, Units};

/// A text that comes into a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What both began with.
    Base,
    /// What the caller has.
    Ours,
    /// What somebody else has.
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
    /// What somebody else has.
    pub theirs: String,
}

impl Conflict {
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
    Merged(String),
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
    let whole =
        |text: &str| Merge { pieces: vec![Piece::Merged(text.to_owned())], line_end: "", ends_with_line_end: true };
    if ours == theirs || theirs == base {
        return whole(ours);
    }
    if ours == base {
        return whole(theirs);
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
    fn add_unit(&mut self, part: &Part, base: Option<&Unit>, ours: Option<&Unit>, theirs: Option<&Unit>) {
        let place = part.place();
        let regions = match (base, ours, theirs) {
            (_, Some(ours), Some(theirs)) => {
                lines::merge(base.map_or(&[], |unit| &unit.lines), &ours.lines, &theirs.lines)
            }
            (Some(base), Some(kept), None) | (Some(base), None, Some(kept)) if kept.lines == base.lines => return,
            (Some(base), Some(ours), None) => vec![Region::conflict(&base.lines, &ours.lines, &[])],
            (Some(base), None, Some(theirs)) => vec![Region::conflict(&base.lines, &[], &theirs.lines)],
            (None, Some(added), None) | (None, None, Some(added)) => vec![Region::Merged(added.lines.clone())],
            (_, None, None) => return,
        };
        for region in regions {
            match region {
                Region::Merged(lines) => self.pieces.push(Piece::Merged(self.joined(&lines))),
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
        self.pieces.push(Piece::Merged(self.line_end.repeat(count)));
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

    fn written(&self, mut write: impl FnMut(&Conflict, &mut String)) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Merged(merged) => text.push_str(merged),
                Piece::Conflict(conflict) => write(conflict, &mut text),
            }
        }
        if !self.ends_with_line_end {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    }
}
