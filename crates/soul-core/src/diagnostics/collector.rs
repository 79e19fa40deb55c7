use super::{Code, Diagnostic, Severity};
use crate::text::Source;

/// Gathers the diagnostics of one file and brings them into order.
#[derive(Debug, Default)]
pub(crate) struct Collector(Vec<Diagnostic>);

impl Collector {
    /// At most so many are reported for a file; the rest is counted.
    const LIMIT: usize = 50;

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// In the order of the text, with line and column; what concerns no place comes first.
    pub(crate) fn finish(self, source: &Source) -> Vec<Diagnostic> {
        let mut all = self.0;
        all.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        if all.len() > Self::LIMIT {
            // Errors decide whether a soul is valid, so they are never the ones that are cut.
            all.sort_by_key(|diagnostic| diagnostic.severity != Severity::Error);
            let hidden = all.split_off(Self::LIMIT - 1).len();
            all.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
            all.push(Diagnostic::new(Code::TooManyDiagnostics, format!("{hidden} more problems are not shown")));
        }
        for diagnostic in &mut all {
            if let Some(span) = diagnostic.span {
                let position = source.position(span.start);
                diagnostic.line = Some(position.line);
                diagnostic.column = Some(position.column);
            }
        }
        all
    }
}
