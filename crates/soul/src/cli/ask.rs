//! Questions to a person at a terminal. They go to standard error, so that standard output stays what was asked for.

use std::io::{self, BufRead, IsTerminal, Write};

use super::Global;
use crate::output::style::{FAINT, STRONG};

/// Whether there is a person to ask: both ends of the conversation are a terminal, and no program reads the output.
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

/// Asks for one of these letters until it is one of them; the last one at the end of input.
pub(super) fn key(question: &str, letters: &[char]) -> char {
    let names: Vec<String> = letters.iter().map(ToString::to_string).collect();
    loop {
        say(&format!("{STRONG}{question}{STRONG:#} {FAINT}[{}]{FAINT:#} ", names.join("/")));
        let typed = pressed();
        match typed.map(|typed| typed.to_ascii_lowercase()) {
            None | Some('\u{3}' | '\u{4}' | '\u{1b}') => {
                say("\n");
                return letters.last().copied().unwrap_or_default();
            }
            Some(typed) if letters.contains(&typed) => {
                say(&format!("{typed}\n"));
                return typed;
            }
            Some(_) => say("\n"),
        }
    }
}

/// Asks for a line of text; none if it is empty.
pub(super) fn text(question: &str) -> Option<String> {
    let typed = line(&format!("{STRONG}{question}{STRONG:#} "));
    Some(typed.trim().to_owned()).filter(|typed| !typed.is_empty())
}

/// A key, without the need for Enter where the terminal can be asked for that.
#[cfg(unix)]
fn pressed() -> Option<char> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let terminal = io::stdin();
    let Ok(before) = tcgetattr(&terminal) else { return line("").chars().next() };
    let mut raw = before.clone();
    raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    if tcsetattr(&terminal, OptionalActions::Now, &raw).is_err() {
        return line("").chars().next();
    }
    let mut byte = [0];
    let read = io::Read::read(&mut terminal.lock(), &mut byte);
    // A terminal that is left as it is now would not show what is typed.
    let _ = tcsetattr(&terminal, OptionalActions::Now, &before);
    read.ok().filter(|count| *count == 1).map(|_| char::from(byte[0]))
}

#[cfg(not(unix))]
fn pressed() -> Option<char> {
    line("").chars().next()
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
    // A user who cannot see the question does not answer it with a yes.
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
