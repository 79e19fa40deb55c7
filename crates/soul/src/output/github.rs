//! Annotations as GitHub's runners read them from standard output.

use soul_core::diagnostics::Severity;
use soul_engine::checks::FailOn;
use soul_engine::ops::{check, deliver, scan, validate};

use super::note::{self, Note};

pub(crate) fn validation(response: &validate::Response) -> String {
    let notes = response.results.iter().flat_map(note::of_soul).map(|note| annotation(&note));
    let unchecked = response.unchecked.iter().map(|one| self::unchecked("not checked", &one.path, &one.error));
    notes.chain(unchecked).collect()
}

pub(crate) fn scan(response: &scan::Response) -> String {
    let notes = response.targets.iter().flat_map(note::of_target).filter(|note| note.suppressed.is_none());
    let mut out: String = notes.map(|note| annotation(&note)).collect();
    for target in &response.targets {
        if let Some(error) = &target.error {
            out.push_str(&unchecked("not scanned", &target.path, error));
        }
    }
    out
}

pub(crate) fn delivery(response: &deliver::Response, folder: &str) -> String {
    note::of_delivery(response, folder).iter().map(annotation).collect()
}

/// What a check found, and a line that says how it went.
pub(crate) fn check(response: &check::Response, fail_on: FailOn) -> String {
    let notes = super::check::shown(response, fail_on).map(|note| annotation(&note));
    let unchecked = response.unchecked.iter().map(|one| self::unchecked("not checked", &one.path, &one.error));
    notes.chain(unchecked).chain([plain(&super::check::summary(response, None))]).collect()
}

/// A runner shows colours that nobody chose.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn unchecked(title: &str, path: &str, error: &str) -> String {
    format!("::error title={title}::{}\n", data(&format!("{path}: {error}")))
}

fn annotation(note: &Note<'_>) -> String {
    let kind = match note.weight() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut place = format!("file={}", property(&note.path));
    if let Some((line, column)) = note.place {
        place.push_str(&format!(",line={line},col={column}"));
        match note.end() {
            // A runner takes columns only where the lines are the same.
            Some((last, end)) if last == line => place.push_str(&format!(",endLine={last},endColumn={end}")),
            Some((last, _)) => place = place.replace(&format!(",col={column}"), &format!(",endLine={last}")),
            None => {}
        }
    }
    let help = note.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let places: String = note.other_places().map(|place| format!("\n{place}")).collect();
    format!("::{kind} {place},title={}::{}\n", property(note.id), data(&format!("{}{help}{places}", note.message)))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_in_a_text_ends_the_annotation() {
        assert_eq!(super::property("a,b:c\n%"), "a%2Cb%3Ac%0A%25");
        assert_eq!(super::data("a::b\n::error::x"), "a::b%0A::error::x");
    }
}
