//! Three-way merge of lines.

use std::ops::Range;

use super::Origin;

/// A line, and the side that it comes from.
pub(super) type From<'a> = (Origin, &'a str);

/// A run of lines, merged or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Region<'a> {
    Merged(Vec<From<'a>>),
    Conflict { base: Vec<&'a str>, ours: Vec<&'a str>, theirs: Vec<&'a str> },
}

impl<'a> Region<'a> {
    pub(super) fn merged(origin: Origin, lines: &[&'a str]) -> Self {
        Self::Merged(from(origin, lines).collect())
    }

    pub(super) fn conflict(base: &[&'a str], ours: &[&'a str], theirs: &[&'a str]) -> Self {
        Self::Conflict { base: base.to_vec(), ours: ours.to_vec(), theirs: theirs.to_vec() }
    }
}

/// Lines that come from one side.
fn from<'l, 'a>(origin: Origin, lines: &'l [&'a str]) -> impl Iterator<Item = From<'a>> + use<'l, 'a> {
    lines.iter().map(move |line| (origin, *line))
}

/// The lines of a side of which the other has changed nothing.
pub(super) fn of_one_side<'a>(base: &[&'a str], side: &[&'a str], origin: Origin) -> Vec<From<'a>> {
    let mut lines = Vec::new();
    let mut done = 0;
    for hunk in hunks(base, side) {
        lines.extend(from(Origin::Both, &side[done..hunk.side.start]));
        lines.extend(from(origin, &side[hunk.side.clone()]));
        done = hunk.side.end;
    }
    lines.extend(from(Origin::Both, &side[done..]));
    lines
}

/// Lines of the base that a side has replaced by lines of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    base: Range<usize>,
    side: Range<usize>,
}

/// Changes of the two sides that touch the same lines of the base.
#[derive(Debug, Default)]
struct Group<'h> {
    ours: Vec<&'h Hunk>,
    theirs: Vec<&'h Hunk>,
    base: Range<usize>,
}

/// Merges two versions of the same lines. Changes of neighbouring lines do not conflict: in a soul a line is a
/// statement. Neither do list items that both have added at the same place; ours come first.
pub(super) fn merge<'a>(base: &[&'a str], ours: &[&'a str], theirs: &[&'a str]) -> Vec<Region<'a>> {
    let (our_hunks, their_hunks) = (hunks(base, ours), hunks(base, theirs));
    let mut regions = Vec::new();
    let mut merged: Vec<From<'a>> = Vec::new();
    let mut done = 0;
    for group in groups(&our_hunks, &their_hunks) {
        merged.extend(from(Origin::Both, &base[done..group.base.start]));
        done = group.base.end;
        let side = |hunks: &[&Hunk]| -> Range<usize> {
            let (Some(first), Some(last)) = (hunks.first(), hunks.last()) else { return 0..0 };
            first.side.start - (first.base.start - group.base.start)..last.side.end + (group.base.end - last.base.end)
        };
        let (mine, other) = (&ours[side(&group.ours)], &theirs[side(&group.theirs)]);
        match (group.ours.is_empty(), group.theirs.is_empty()) {
            (false, true) => merged.extend(from(Origin::Ours, mine)),
            (true, _) => merged.extend(from(Origin::Theirs, other)),
            (false, false) if mine == other => merged.extend(from(Origin::Both, mine)),
            (false, false) if group.base.is_empty() && is_list(mine) && is_list(other) => {
                let origin = |line| if other.contains(line) { Origin::Both } else { Origin::Ours };
                merged.extend(mine.iter().map(|line| (origin(line), *line)));
                merged.extend(from(Origin::Theirs, other).filter(|(_, line)| !mine.contains(line)));
            }
            (false, false) => {
                if !merged.is_empty() {
                    regions.push(Region::Merged(std::mem::take(&mut merged)));
                }
                regions.push(Region::conflict(&base[group.base.clone()], mine, other));
            }
        }
    }
    merged.extend(from(Origin::Both, &base[done..]));
    if !merged.is_empty() {
        regions.push(Region::Merged(merged));
    }
    regions
}

/// Whether lines are a list, with the blank lines that part the first list of a section from its heading.
fn is_list(lines: &[&str]) -> bool {
    let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
    blank < lines.len() && are_items(&lines[blank..])
}

/// Whether every line is an item of a list.
pub(super) fn are_items(lines: &[&str]) -> bool {
    lines.iter().all(|line| {
        let line = line.trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
            || numbered.len() < line.len() && (numbered.starts_with(". ") || numbered.starts_with(") "))
    })
}

/// The changes of both sides in the order of the base, with those together that overlap.
fn groups<'h>(ours: &'h [Hunk], theirs: &'h [Hunk]) -> Vec<Group<'h>> {
    let mut all: Vec<(&Hunk, bool)> =
        ours.iter().map(|hunk| (hunk, true)).chain(theirs.iter().map(|hunk| (hunk, false))).collect();
    all.sort_by_key(|(hunk, is_ours)| (hunk.base.start, hunk.base.end, !is_ours));
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (hunk, is_ours) in all {
        let touches = |group: &Group<'_>| {
            let same_point = group.base.is_empty() && hunk.base.is_empty() && group.base.start == hunk.base.start;
            same_point || hunk.base.start < group.base.end
        };
        if !groups.last().is_some_and(touches) {
            groups.push(Group { base: hunk.base.clone(), ..Group::default() });
        }
        if let Some(group) = groups.last_mut() {
            group.base.end = group.base.end.max(hunk.base.end);
            if is_ours { &mut group.ours } else { &mut group.theirs }.push(hunk);
        }
    }
    groups
}

/// How a side differs from the base.
fn hunks(base: &[&str], side: &[&str]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let (mut from_base, mut from_side) = (0, 0);
    for (at_base, at_side) in common(base, side).into_iter().chain([(base.len(), side.len())]) {
        if at_base > from_base || at_side > from_side {
            hunks.push(Hunk { base: from_base..at_base, side: from_side..at_side });
        }
        (from_base, from_side) = (at_base + 1, at_side + 1);
    }
    hunks
}

/// More pairs of lines than this are not compared: what differs is then taken as one change.
const MAX_PAIRS: usize = 1_000_000;

/// A longest sequence of lines that both have, in order.
fn common(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[prefix..], &b[prefix..]);
    let suffix = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&rest_a[..rest_a.len() - suffix], &rest_b[..rest_b.len() - suffix]);
    let mut pairs: Vec<_> = (0..prefix).map(|at| (at, at)).collect();
    pairs.extend(longest(middle_a, middle_b).into_iter().map(|(i, j)| (prefix + i, prefix + j)));
    pairs.extend((0..suffix).map(|at| (a.len() - suffix + at, b.len() - suffix + at)));
    pairs
}

/// The longest common subsequence, by its table of lengths.
fn longest(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    if a.len().saturating_mul(b.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let width = b.len() + 1;
    let mut lengths = vec![0_u32; (a.len() + 1) * width];
    for (i, line) in a.iter().enumerate().rev() {
        for (j, other) in b.iter().enumerate().rev() {
            lengths[i * width + j] = if line == other {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
