//! Runs what README.md and docs/ tell a reader to type, and compares what comes back.
//!
//! A page is one story in one shell, in an empty directory with a home of its own and a copy of
//! `examples`. A block whose info string ends in `file=PATH` writes that file; a `console` block runs
//! each `$ ` line. What differs from run to run is left out before the two are compared, a line `…`
//! stands for any lines, and `<!-- editor: COMMAND -->` is what `soul edit` finds as the editor.
//! `SOUL_BLESS=1` writes what was printed into the pages instead.

mod links;
mod shell;

use std::path::{Path, PathBuf};

use self::shell::Shell;
use crate::markdown::{Part, difference, rewrite, write_file};
use crate::varying::blank;

/// Commands of `sh` blocks, which nobody runs here.
const NOT_RUN: [(&str, &str); 2] = [
    ("soul test examples/aria --model ", "needs a model"),
    ("soul store migrate --from sqlite:///home/ada/.soul/keeper.db --to postgres://", "needs a server"),
];

#[test]
fn pages_tell_the_truth() {
    let bless = std::env::var_os("SOUL_BLESS").is_some();
    let mut commands = 0;
    let mut wrong = Vec::new();
    for path in pages() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (actual, count) = run(&text);
        commands += count;
        if actual != text {
            if bless {
                std::fs::write(&path, &actual).unwrap();
            }
            wrong.push(format!("{}\n{}", path.file_name().unwrap().display(), difference(&text, &actual)));
        }
    }
    println!("pages: {commands} commands");
    assert!(commands > 0);
    assert!(bless || wrong.is_empty(), "{}\nSOUL_BLESS=1 accepts all of it", wrong.join("\n"));
}

/// What a page tells to type is run, or it is known why not.
#[test]
fn commands_outside_of_console_blocks_are_known() {
    for path in pages() {
        rewrite(&std::fs::read_to_string(&path).unwrap(), |part| {
            if let Part::Block { info, lines } = part
                && ["", "sh", "bash", "text"].contains(&info)
            {
                let typed = lines.iter().map(|line| line.strip_prefix("$ ").unwrap_or(line));
                for line in typed.filter(|line| line.starts_with("soul ")) {
                    let is_known = NOT_RUN.iter().any(|(known, _)| line.starts_with(known));
                    assert!(is_known, "{}: `{line}` is in no `console` block", path.display());
                }
            }
            None
        });
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(repository().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.push(repository().join("README.md"));
    pages.sort();
    // One page while it is written.
    if let Some(only) = std::env::var_os("SOUL_PAGE") {
        pages.retain(|path| path.file_name() == Some(&only));
    }
    pages
}

/// The page with what its commands print now, where that is something else, and how many there were.
fn run(text: &str) -> (String, usize) {
    let mut commands = 0;
    if !text.contains("```console") {
        return (text.to_owned(), commands);
    }
    let mut shell = Shell::start();
    let text = rewrite(text, |part| match part {
        Part::Line(line) => {
            if let Some(editor) = line.strip_prefix("<!-- editor: ").and_then(|rest| rest.strip_suffix(" -->")) {
                shell.set_editor(editor);
            }
            None
        }
        Part::Block { info, lines } => match info.rsplit_once("file=") {
            Some((_, path)) => {
                write_file(&shell.path(path), lines);
                None
            }
            None if info == "console" => {
                let typed = typed(lines);
                commands += typed.len();
                Some(typed.into_iter().map(|(command, expected)| answer(&mut shell, command, expected)).collect())
            }
            None => None,
        },
    });
    (text, commands)
}

/// A command and what it prints, in the words of the page if they say the same.
fn answer(shell: &mut Shell, command: &str, expected: &[&str]) -> String {
    let actual = shell.execute(command);
    let actual: Vec<&str> = actual.lines().map(str::trim_end).collect();
    let shown = if is_same(expected, &actual) { expected.to_vec() } else { shortened(expected, &actual) };
    let shown = shown.iter().map(|line| format!("{line}\n")).collect::<String>();
    format!("$ {command}\n{shown}")
}

/// The commands of a block, each with the lines that it is said to print.
fn typed<'a>(lines: &'a [&'a str]) -> Vec<(&'a str, &'a [&'a str])> {
    let starts = (0..lines.len()).filter(|index| lines[*index].starts_with("$ ")).collect::<Vec<_>>();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts.iter().zip(ends).map(|(start, end)| (&lines[*start][2..], &lines[start + 1..end])).collect()
}

/// Whether a page shows what was printed, but for what differs from run to run.
fn is_same(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"…", rest)) => (0..=actual.len()).any(|skipped| is_same(rest, &actual[skipped..])),
        Some((line, rest)) => {
            actual.split_first().is_some_and(|(first, others)| blank(line) == blank(first) && is_same(rest, others))
        }
    }
}

/// What was printed, cut where the page cuts it: as many lines before the first `…` and after the last one.
fn shortened<'a>(expected: &[&'a str], actual: &[&'a str]) -> Vec<&'a str> {
    let cut = |line: &&str| *line == "…";
    let (Some(before), Some(after)) = (expected.iter().position(cut), expected.iter().rev().position(cut)) else {
        return actual.to_vec();
    };
    if before + after >= actual.len() {
        return actual.to_vec();
    }
    [&actual[..before], &["…"], &actual[actual.len() - after..]].concat()
}

#[test]
fn a_page_that_is_written_anew_is_cut_where_it_was() {
    assert_eq!(shortened(&["a", "…", "d"], &["A", "b", "c", "D"]), ["A", "…", "D"]);
    assert_eq!(shortened(&["a", "…", "b", "…"], &["A", "b", "c"]), ["A", "…"]);
    assert_eq!(shortened(&["a"], &["A", "b"]), ["A", "b"]);
    assert_eq!(shortened(&["a", "…", "d"], &["A", "D"]), ["A", "D"]);
}

#[test]
fn a_page_may_leave_lines_out_and_nothing_else() {
    assert!(is_same(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(is_same(&["rev_01M7J17HQ73J32SRZTT1WRPTKG  just now"], &["rev_01M7J17HQ73J32SRZTT1WRPTKH  3 min ago"]));
    assert!(!is_same(&["a", "d"], &["a", "b", "d"]));
    assert!(!is_same(&["a", "…", "d"], &["a", "b", "c"]));
}
