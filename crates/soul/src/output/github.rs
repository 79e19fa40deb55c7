//! Annotations as GitHub's runners read them from standard output.

use soul_core::diagnostics::Severity;
use soul_engine::ops::{scan, validate};

use super::note::{self, Note};

pub(crate) fn validation(response: &validate::Response) -> String {
    response.results.iter().flat_map(note::of_soul).map(|note| annotation(&note)).collect()
}

pub(crate) fn scan(response: &scan::Response) -> String {
    let counts = |note: &Note<'_>| note.scanned.is_none_or(|finding| finding.suppressed.is_none());
    let mut out: String =
        response.targets.iter().flat_map(note::of_target).filter(counts).map(|note| annotation(&note)).collect();
    for target in &response.targets {
        if let Some(error) = &target.error {
            out.push_str(&format!("::error title=not scanned::{}\n", data(&format!("{}: {error}", target.path))));
        }
    }
    out
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
    }
    let help = note.help.map(|help| format!("\n{help}")).unwrap_or_default();
    format!("::{kind} {place},title={}::{}\n", property(note.id), data(&format!("{}{help}", note.message)))
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
