//! What is left to decide in a merge, for people.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::merge::{PlaceKind, Question, Response};

use super::concise;
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count, hint};

/// The questions that nothing decides, with the texts of both sides, and what is wrong with the text.
pub(crate) fn open(response: &Response) -> String {
    let mut out = String::new();
    for question in response.questions.iter().filter(|question| question.answer.is_none()) {
        out.push_str(&one(question));
    }
    if response.undecided > 0 {
        let left = count(response.undecided, "question");
        let _ = writeln!(out, "{WARNING}{left} left{WARNING:#}: both sides changed the same passage");
        out.push_str(&hint("decide with `--answer q1=ours`, `theirs`, `both` or `base`"));
    }
    out.extend(response.diagnostics.iter().filter(|_| !response.valid).map(concise::diagnostic));
    out
}

fn one(question: &Question) -> String {
    let place = match question.place {
        PlaceKind::Field => format!("field `{}`", visible(&question.name)),
        PlaceKind::Section => format!("section `{}`", visible(&question.name)),
        PlaceKind::Beginning => "the beginning".to_owned(),
    };
    let mut out = format!("{STRONG}{}{STRONG:#}  {place}\n", question.id);
    for (style, name, text) in
        [(FAINT, "base", &question.base), (GOOD, "ours", &question.ours), (ERROR, "theirs", &question.theirs)]
    {
        let lines: Vec<&str> = if text.is_empty() { vec!["(nothing)"] } else { text.lines().collect() };
        for (index, line) in lines.into_iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            let _ = writeln!(out, "  {style}{name:<7}{style:#} {}", visible(line));
        }
    }
    out
}
