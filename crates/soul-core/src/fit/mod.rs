//! A soul made to fit: what a runtime would cut off somewhere is left out by choice instead.
//!
//! The text is taken apart into pieces that are never cut: sentences, items of lists, code blocks, tables. The most
//! important ones that fit stay, in their order and their words, with their headings.

mod pieces;

use crate::model::{Field, Item};
use crate::runtimes::Unit;
pub use pieces::Priority;
use pieces::{Piece, pieces};

/// What a runtime makes of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The model is given every section as a whole.
    Whole,
    /// It is too long.
    TooLong,
    /// Some of it is dropped or blocked, whatever its length.
    Refused,
}

/// A piece that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is.
    pub priority: Priority,
    /// Its first and last line.
    pub lines: [usize; 2],
    /// The piece itself.
    pub text: String,
    /// Why it was left out.
    pub why: Outcome,
}

/// A soul that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The text.
    pub text: String,
    /// What was left out, in the order of the source.
    pub left_out: Vec<LeftOut>,
}

impl Fitted {
    /// Whether every limit is still there.
    #[must_use]
    pub fn keeps_limits(&self) -> bool {
        !self.left_out.iter().any(|piece| piece.priority == Priority::Limit)
    }
}

/// Fits a text: `deliver` says what the runtime makes of a candidate, `unit` is what it counts.
///
/// ```
/// use soul_core::fit::{Outcome, fit};
/// use soul_core::runtimes::Unit;
///
/// let text = "# Ada\n\nAda is kind. She has many stories to tell.\n\n## Limits\n\n- Never lie.\n";
/// let short = |text: &str| if text.len() <= 50 { Outcome::Whole } else { Outcome::TooLong };
/// let items = soul_core::fit::items_of(text);
/// let fitted = fit(text, &items, Unit::Bytes, short);
/// assert_eq!(fitted.text, "# Ada\n\nAda is kind.\n\n## Limits\n\n- Never lie.\n");
/// assert_eq!(fitted.left_out[0].text, "She has many stories to tell.");
/// ```
#[must_use]
pub fn fit(text: &str, items: &[Item], unit: Unit, deliver: impl Fn(&str) -> Outcome) -> Fitted {
    if deliver(text) == Outcome::Whole {
        return Fitted { text: text.to_owned(), left_out: Vec::new() };
    }
    let pieces = pieces(text, items);
    let mut order: Vec<usize> = (0..pieces.len()).filter(|at| !pieces[*at].is_heading()).collect();
    order.sort_by_key(|at| (pieces[*at].priority, *at));
    let mut packing = Packing {
        text,
        pieces: &pieces,
        chosen: vec![false; pieces.len()],
        unit,
        too_long: usize::MAX,
        refused: vec![None; pieces.len()],
    };
    packing.add(&order, &deliver);
    let left_out = packing.left_out();
    Fitted { text: packing.written(&packing.chosen), left_out }
}

/// What a plain text says, for [`fit`].
#[must_use]
pub fn items_of(text: &str) -> Vec<Item> {
    use crate::formats::{Context, parse};
    let parsed = parse(text.into(), crate::model::Dialect::Plain, &Context::default());
    parsed.document.soul().items.into_iter().filter(|item| item.field != Field::Name).collect()
}

struct Packing<'a> {
    text: &'a str,
    pieces: &'a [Piece],
    chosen: Vec<bool>,
    unit: Unit,
    /// The length of the shortest candidate that was too long.
    too_long: usize,
    refused: Vec<Option<Outcome>>,
}

impl Packing<'_> {
    /// Adds as many of some pieces as go in: all, or half by half.
    fn add(&mut self, some: &[usize], deliver: &impl Fn(&str) -> Outcome) {
        let mut with = self.chosen.clone();
        some.iter().for_each(|at| with[*at] = true);
        let candidate = self.written(&with);
        let length = self.unit.count(&candidate);
        let outcome = if length >= self.too_long { Outcome::TooLong } else { deliver(&candidate) };
        match outcome {
            Outcome::Whole => {
                self.chosen = with;
                return;
            }
            Outcome::TooLong => self.too_long = self.too_long.min(length),
            Outcome::Refused => {}
        }
        match some {
            [] => {}
            [one] => self.refused[*one] = Some(outcome),
            several => {
                let (first, second) = several.split_at(several.len() / 2);
                self.add(first, deliver);
                self.add(second, deliver);
            }
        }
    }

    /// The chosen pieces, with the headings that they stand under.
    fn written(&self, chosen: &[bool]) -> String {
        let mut kept = chosen.to_vec();
        for (piece, _) in self.pieces.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
            let mut above = piece.heading;
            while let Some(heading) = above.filter(|heading| !kept[*heading]) {
                kept[heading] = true;
                above = self.pieces[heading].heading;
            }
        }
        let mut out = String::with_capacity(self.text.len());
        let mut last: Option<usize> = None;
        for at in (0..self.pieces.len()).filter(|at| kept[*at]) {
            let piece = &self.pieces[at];
            match last {
                None if at == 0 => out.push_str(&self.text[..piece.range.start]),
                None => {}
                Some(before) if before + 1 == at => {
                    out.push_str(&self.text[self.pieces[before].range.end..piece.range.start]);
                }
                Some(before) if self.pieces[before].block == piece.block => out.push_str(piece.separator),
                Some(_) => out.push_str("\n\n"),
            }
            out.push_str(&self.text[piece.range.clone()]);
            last = Some(at);
        }
        match last {
            Some(last) if last + 1 == self.pieces.len() => out.push_str(&self.text[self.pieces[last].range.end..]),
            Some(_) => out.push('\n'),
            None => {}
        }
        out
    }

    fn left_out(&self) -> Vec<LeftOut> {
        let line = |at: usize| self.text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1;
        let out = (0..self.pieces.len()).filter(|at| !self.chosen[*at] && !self.pieces[*at].is_heading());
        out.map(|at| {
            let piece = &self.pieces[at];
            LeftOut {
                priority: piece.priority,
                lines: [line(piece.range.start), line(piece.range.end.saturating_sub(1).max(piece.range.start))],
                text: self.text[piece.range.clone()].to_owned(),
                why: self.refused[at].unwrap_or(Outcome::TooLong),
            }
        })
        .collect()
    }
}
