//! `cargo xtask TASK`: what developers run besides the tests. One file a task.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod corpora;
mod lexicon;
mod memory_eval;
mod plain_eval;
mod scan_eval;
mod scan_train;

use std::process::ExitCode;

/// What a task is given, and what it says when it cannot be done.
type Task = fn(&[String]) -> Result<(), String>;

/// Every task: its name, what it does, and the function.
const TASKS: &[(&str, &str, Task)] = &[
    ("lexicon", "compiles the lexicons of the scanner after a change of their text files", lexicon::run),
    ("memory-eval", "how well memory search finds what is labelled, beside other engines", memory_eval::run),
    ("plain-eval", "prints how much of the plain souls below a directory is understood", plain_eval::run),
    ("scan-train", "makes the weights of the learned rule from a corpora directory", scan_train::run),
    ("scan-eval", "prints false alarms and recall of the scanner on a corpora directory", scan_eval::run),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let name = words.first().map_or("", String::as_str);
    let Some((_, _, task)) = TASKS.iter().find(|(known, ..)| *known == name) else {
        eprintln!("the tasks are:");
        for (name, does, _) in TASKS {
            eprintln!("  {name:<14} {does}");
        }
        return ExitCode::from(2);
    };
    match task(&words[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
