//! What files say together: the files of a soul reach the model as one text, so an attack can be split over them.
//!
//! Two kinds of splits are read. A sentence begins in one file and ends in [another](halves). Files give things
//! [names](terms), and another one uses these: what it says is read with what the names mean in their places. Nothing
//! here knows what an attack is: joined sentences go through the same rules as any text, and what one of the files says
//! alone is not reported again.

mod halves;
mod names;
mod sentence;
mod terms;

use super::frames::{self, Origin};
use super::matcher::Unusable;
use super::report::{self, Finding, Place};
use super::{File, Hit, Trust, read};
use crate::rules::{Confidence, LEARNED, Matcher, Rule};
use crate::text::Span;

/// Texts above this size are pages or data; names are not defined in them.
const LONGEST: usize = 256 << 10;

/// A soul has no more files than this. In a repository of more, names meet by chance, and a joined sentence is weighed like
/// any other.
const SOUL: usize = 24;

/// A file with its text.
struct Text<'a> {
    path: &'a str,
    text: std::borrow::Cow<'a, str>,
}

/// Something that two files say together.
struct Joint {
    rule: &'static Rule,
    /// The file that completes it, and where.
    file: usize,
    span: Span,
    /// What the message adds.
    note: String,
    /// What prepares it.
    others: Vec<Other>,
}

/// A file that prepares something, where, and what it does there.
#[derive(Clone)]
struct Other {
    file: usize,
    span: Span,
    role: String,
}

/// Adds what only several files together say.
pub(super) fn over_files(files: &[File<'_>], trust: Trust, found: &mut Vec<Finding>) -> Result<(), Unusable> {
    if files.iter().filter(|file| is_text(file.path)).nth(1).is_none() {
        return Ok(());
    }
    let texts: Vec<Text<'_>> = files
        .iter()
        .filter(|file| is_text(file.path))
        .map(|file| Text { path: file.path, text: file.text() })
        .collect();
    let mut joints = halves::find(&texts)?;
    joints.extend(terms::find(&texts)?);
    for joint in joints {
        let file = &texts[joint.file];
        let hit =
            Hit { span: joint.span, note: Some(joint.note), confidence: Some(joint.rule.confidence), ..Hit::default() };
        for mut finding in report::placed(file.path, &file.text, vec![(joint.rule, hit)], trust) {
            let is_known = |known: &Finding| {
                known.rule == finding.rule
                    && (known.file == finding.file && known.line == finding.line
                        || known.places.iter().any(|place| place.file == finding.file && place.line == finding.line))
            };
            if !found.iter().any(is_known) {
                finding.places.extend(joint.others.iter().map(|other| {
                    let text = &texts[other.file];
                    Place::new(text.path, &text.text, other.span, &other.role)
                }));
                found.push(finding);
            }
        }
    }
    Ok(())
}

fn is_text(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(extension, "md" | "txt" | "markdown" | "json" | "yaml" | "yml")
}

/// The rules that a sentence breaks, read as one that is put together from two files. Rules that judge whole files say
/// nothing about a sentence.
fn judge(text: &str, origin: Origin) -> Result<Vec<&'static Rule>, Unusable> {
    let mut rules: Vec<&'static Rule> = Vec::new();
    for (rule, hit) in read(text, origin)? {
        let is_meant = hit.confidence.unwrap_or(rule.confidence) >= Confidence::Medium;
        let is_known = rules.iter().any(|known| known.id == rule.id);
        if is_meant && !is_known && !matches!(rule.matcher, Matcher::File(_) | Matcher::Package(_)) {
            rules.push(rule);
        }
    }
    // Plain text has been weighed already, and what another rule finds needs no weighing.
    if origin == Origin::Joined && rules.is_empty() && frames::is_likely(text) {
        rules.push(LEARNED);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests;
