//! The licence: an SPDX expression whose every choice is allowed.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile, SpecVersion};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let Some(license) = document.text("license") else { return };
    if document.version < SpecVersion::V0_3 && profile == Profile::Lenient {
        return;
    }
    let verdict = judge(license);
    let at = |code, message: String| Diagnostic::new(code, message).field("license").at(document.at("license"));
    diagnostics.push(match verdict {
        Verdict::Allowed => return,
        Verdict::Refused(id) => at(Code::LicenseRefused, format!("{} is a licence that registries refuse", shown(&id)))
            .severity(profile.weight())
            .help(format!("choose one of {}", ALLOWED.join(", "))),
        Verdict::Spelling(id) => at(Code::LicenseUnknown, format!("the SPDX id of {} is `{id}`", shown(license)))
            .help(format!("write `{id}`"))
            .fix(document.at("license"), format!("\"{id}\"")),
        Verdict::Unknown(id) => {
            at(Code::LicenseUnknown, format!("{} is not on the list of allowed licences", shown(&id)))
                .help(format!("the list is {}", ALLOWED.join(", ")))
        }
    });
}

const ALLOWED: [&str; 8] =
    ["Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "CC0-1.0", "ISC", "Unlicense"];

/// How the names of refused licences begin.
const REFUSED: [&str; 5] = ["GPL-", "AGPL-", "LGPL-", "CC-BY-NC", "CC-BY-ND"];

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Allowed,
    Refused(String),
    Spelling(&'static str),
    Unknown(String),
}

/// Of alternatives the best counts, of what must all be met the worst.
fn judge(expression: &str) -> Verdict {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let verdict = alternatives(&mut rest, 0).filter(|_| rest.is_empty());
    match verdict {
        // A spelling is mended only where it is all there is.
        Some(Verdict::Spelling(_)) if words.len() > 1 => Verdict::Unknown(expression.to_owned()),
        Some(verdict) => verdict,
        None => Verdict::Unknown(expression.to_owned()),
    }
}

fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Allowed => 0,
        Verdict::Spelling(_) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Refused(_) => 3,
    }
}

fn alternatives(words: &mut &[&str], depth: usize) -> Option<Verdict> {
    let mut best = conditions(words, depth)?;
    while let [or, rest @ ..] = *words
        && or.eq_ignore_ascii_case("or")
    {
        *words = rest;
        let next = conditions(words, depth)?;
        best = std::cmp::min_by_key(best, next, rank);
    }
    Some(best)
}

fn conditions(words: &mut &[&str], depth: usize) -> Option<Verdict> {
    let mut worst = term(words, depth)?;
    while let [and, rest @ ..] = *words
        && and.eq_ignore_ascii_case("and")
    {
        *words = rest;
        let next = term(words, depth)?;
        worst = std::cmp::max_by_key(worst, next, rank);
    }
    Some(worst)
}

fn term(words: &mut &[&str], depth: usize) -> Option<Verdict> {
    let [first, rest @ ..] = *words else { return None };
    *words = rest;
    if *first == "(" && depth < 16 {
        let inner = alternatives(words, depth + 1)?;
        let [")", rest @ ..] = *words else { return None };
        *words = rest;
        return Some(inner);
    }
    if matches!(*first, "(" | ")") {
        return None;
    }
    if let [with, _, rest @ ..] = *words
        && with.eq_ignore_ascii_case("with")
    {
        *words = rest;
    }
    Some(single(first))
}

fn single(id: &str) -> Verdict {
    if ALLOWED.contains(&id) {
        return Verdict::Allowed;
    }
    let upper = id.to_ascii_uppercase();
    if REFUSED.iter().any(|start| upper.starts_with(start)) {
        return Verdict::Refused(id.to_owned());
    }
    match ALLOWED.iter().find(|allowed| allowed.eq_ignore_ascii_case(id)) {
        Some(allowed) => Verdict::Spelling(allowed),
        None => Verdict::Unknown(id.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_understood() {
        assert_eq!(judge("MIT"), Verdict::Allowed);
        assert_eq!(judge("MIT OR GPL-3.0"), Verdict::Allowed);
        assert_eq!(judge("(MIT OR GPL-3.0-only) AND Apache-2.0"), Verdict::Allowed);
        assert_eq!(judge("MIT AND GPL-3.0"), Verdict::Refused("GPL-3.0".into()));
        assert_eq!(judge("GPL-3.0 AND (MIT OR Apache-2.0)"), Verdict::Refused("GPL-3.0".into()));
        assert_eq!(judge("(MIT OR GPL-3.0-only) and GPL-2.0-only"), Verdict::Refused("GPL-2.0-only".into()));
        assert_eq!(judge("MIT\tAND\tGPL-3.0"), Verdict::Refused("GPL-3.0".into()));
        assert_eq!(judge("Apache-2.0 WITH LLVM-exception"), Verdict::Allowed);
        assert_eq!(judge("(MIT"), Verdict::Unknown("(MIT".into()));
        assert_eq!(judge("mit AND Apache-2.0"), Verdict::Unknown("mit AND Apache-2.0".into()));
        assert_eq!(judge("cc-by-nc-sa-4.0"), Verdict::Refused("cc-by-nc-sa-4.0".into()));
        assert_eq!(judge("apache-2.0"), Verdict::Spelling("Apache-2.0"));
        assert_eq!(judge("CC-BY-SA-4.0"), Verdict::Unknown("CC-BY-SA-4.0".into()));
        assert_eq!(judge(""), Verdict::Unknown(String::new()));
    }
}
