use super::{Code, Diagnostic, Severity};
use crate::text::{LineIndex, Source};

/// Gathers the diagnostics of one file and brings them into order.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    kept: Vec<Diagnostic>,
    errors: usize,
    hidden: usize,
}

impl Collector {
    /// At most so many are reported for a file; the rest is counted.
    const LIMIT: usize = 50;

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.kept.push(diagnostic);
    }

    /// A diagnostic that is no error and of which a hostile text can have thousands.
    pub(crate) fn push_with(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.kept.len() < 2 * Self::LIMIT {
            self.push(diagnostic());
        } else {
            self.hidden += 1;
        }
    }

    /// An error of which a hostile text can have thousands: it is made only if it will be shown.
    pub(crate) fn push_error(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.errors < Self::LIMIT {
            self.push(diagnostic());
        } else {
            self.hidden += 1;
        }
    }

    /// In the order of the text, with line and column; what concerns no place comes first.
    pub(crate) fn finish(self, source: &Source) -> Vec<Diagnostic> {
        let (mut all, mut hidden) = (self.kept, self.hidden);
        if all.is_empty() {
            return all;
        }
        let place = |diagnostic: &Diagnostic| (diagnostic.file.clone(), diagnostic.span.map(|span| span.start));
        all.sort_by_key(place);
        if all.len() + hidden > Self::LIMIT {
            // Errors decide whether a soul is valid, so they are never the ones that are cut.
            all.sort_by_key(|diagnostic| diagnostic.severity != Severity::Error);
            hidden += all.split_off((Self::LIMIT - 1).min(all.len())).len();
            all.sort_by_key(place);
            all.push(Diagnostic::new(Code::TooManyDiagnostics, format!("{hidden} more problems are not shown")));
        }
        let lines = LineIndex::new(source);
        for diagnostic in &mut all {
            if let (Some(span), None) = (diagnostic.span, diagnostic.line) {
                let position = lines.position(span.start);
                diagnostic.line = Some(position.line);
                diagnostic.column = Some(position.column);
            }
        }
        all
    }
}
