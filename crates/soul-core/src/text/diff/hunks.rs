use std::fmt::Write;

use super::Change;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The changes as text, those that are near each other together.
pub(super) fn hunks(before: &[&str], after: &[&str], changes: &[Change]) -> String {
    let mut out = String::new();
    let near = |a: &Change, b: &Change| b.before.start - a.before.end <= 2 * CONTEXT;
    for group in changes.chunk_by(near) {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let context = first.before.start.min(CONTEXT);
        let rest = (before.len() - last.before.end).min(CONTEXT);
        let range = |from: usize, to: usize| {
            let (from, to) = (from - context, to + rest);
            match to - from {
                0 => format!("{from},0"),
                1 => format!("{}", from + 1),
                length => format!("{},{length}", from + 1),
            }
        };
        let old = range(first.before.start, last.before.end);
        let new = range(first.after.start, last.after.end);
        let _ = writeln!(out, "@@ -{old} +{new} @@");
        let mut at = first.before.start - context;
        for change in group {
            write_lines(&mut out, ' ', &before[at..change.before.start]);
            write_lines(&mut out, '-', &before[change.before.clone()]);
            write_lines(&mut out, '+', &after[change.after.clone()]);
            at = change.before.end;
        }
        write_lines(&mut out, ' ', &before[at..at + rest]);
    }
    out
}

fn write_lines(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}
