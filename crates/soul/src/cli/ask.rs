//! Questions to a person at a terminal. They go to standard error, so that standard output stays what was asked for.

use std::io::{self, BufRead, IsTerminal, Write};

use super::Global;
use crate::output::style::{FAINT, STRONG};

/// Whether there is somebody to ask: both ends of the conversation are a terminal, and no program reads the output.
pub(super) fn is_possible(global: &Global) -> bool {
    !global.json && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a yes; anything else is a no, an end of input too.
pub(super) fn confirm(question: &str) -> bool {
    let answer = line(&format!("{STRONG}{question}{STRONG:#} {FAINT}[y/N]{FAINT:#} "));
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Shows a list and asks for one of its lines, by number or by name, until the answer is one; the first if it is empty.
/// None at the end of input.
pub(super) fn choose(question: &str, list: &str, names: &[&str]) -> Option<usize> {
    say(list);
    loop {
        let answer = line(&format!("{STRONG}{question}{STRONG:#} {FAINT}[1]{FAINT:#} "));
        if answer.is_empty() {
            return None;
        }
        let answer = answer.trim();
        if matches!(answer, "q" | "quit") {
            return None;
        }
        let by_name = || names.iter().position(|name| *name == answer);
        let by_number = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match by_number.filter(|index| *index < names.len()).or_else(by_name) {
            Some(index) => return Some(index),
            None if answer.is_empty() => return Some(0),
            None => say(&format!("give a number from 1 to {}\n", names.len())),
        }
    }
}

/// Asks for a line, which comes with its end; an empty text is the end of input.
fn line(question: &str) -> String {
    say(question);
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    if read.is_err() || answer.is_empty() {
        say("\n");
        return String::new();
    }
    answer
}

fn say(text: &str) {
    let mut err = anstream::stderr().lock();
    // Whoever cannot see the question does not answer it with a yes.
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
