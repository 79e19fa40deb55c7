//! Sentences that begin in one file and end in another.

use super::super::fold::fold;
use super::super::matcher::{Unusable, View, matches};
use super::{Joint, Other, Text};
use crate::rules::RULES;
use crate::text::Span;

/// How much of the end of one file and of the start of the next is read together.
const EDGE: usize = 100;

/// So many files of a directory are read in every order; of more, only neighbours are.
const EVERY_ORDER: usize = 12;

pub(super) fn find(texts: &[Text<'_>]) -> Result<Vec<Joint>, Unusable> {
    let is_prose = |index: &usize| matches!(texts[*index].path.rsplit('.').next(), Some("md" | "txt" | "markdown"));
    let prose: Vec<usize> = (0..texts.len()).filter(is_prose).collect();
    let mut joints = Vec::new();
    for (at, &first) in prose.iter().enumerate() {
        let text = &*texts[first].text;
        let Some((start, tail)) = unfinished(text) else { continue };
        for (other, &second) in prose.iter().enumerate() {
            if at == other || (prose.len() > EVERY_ORDER && other != at + 1) {
                continue;
            }
            let (head_span, head) = head(&texts[second].text);
            let joined = format!("{tail} {head}");
            let over = |start: usize, end: usize| start < tail.len() && end > tail.len() + 1;
            for hit in matches(&joined, View::Folded)?.found.into_iter().filter(|hit| over(hit.start, hit.end)) {
                joints.push(Joint {
                    rule: RULES[hit.rule],
                    file: first,
                    span: Span::new(start, text.trim_ascii_end().len()),
                    note: format!("the sentence continues in {}", texts[second].path),
                    others: vec![Other {
                        file: second,
                        span: head_span,
                        role: "the sentence continues here".to_owned(),
                    }],
                });
            }
        }
    }
    Ok(joints)
}

/// The last words of a file, if they do not end a sentence, and where they begin.
fn unfinished(text: &str) -> Option<(usize, String)> {
    let body = text.trim_ascii_end();
    let ended = |byte: &u8| matches!(byte, b'.' | b'!' | b'?' | b':' | b';' | b'`' | b'|' | b')' | b'"' | b'>' | b'-');
    if body.as_bytes().last().is_none_or(ended) {
        return None;
    }
    let edge = body.ceil_char_boundary(body.len().saturating_sub(EDGE));
    let tail = fold(&body[edge..]).text.trim().to_owned();
    let line = body.rfind('\n').map_or(0, |at| at + 1);
    (!tail.is_empty()).then_some((edge.max(line), tail))
}

/// The first words of a file, without the heading above them, and the line that they are in.
fn head(text: &str) -> (Span, String) {
    let body = text.trim_ascii_start();
    let line = body.find('\n').map_or(body.len(), |at| at + 1);
    let body = if body.starts_with('#') { body[line..].trim_ascii_start() } else { body };
    let start = text.len() - body.len();
    let end = body.find('\n').unwrap_or(body.len());
    let words = fold(&body[..body.floor_char_boundary(EDGE.min(body.len()))]).text.trim().to_owned();
    (Span::new(start, start + end), words)
}
