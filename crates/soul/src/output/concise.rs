//! One line a diagnostic: `path:line:column: error[code] message (help)`.

use std::fmt::Write;

use soul_core::diagnostics::Diagnostic;
use soul_engine::ops::validate::Response;

use super::terminal::{severity_style, summary};

pub(crate) fn validation(response: &Response) -> String {
    let mut out: String = response.results.iter().flat_map(|result| &result.diagnostics).map(line).collect();
    let _ = writeln!(out, "{}", summary(&response.summary));
    out
}

pub(crate) fn line(diagnostic: &Diagnostic) -> String {
    let mut out = diagnostic.path.clone().unwrap_or_default();
    for number in [diagnostic.line, diagnostic.column].into_iter().flatten() {
        let _ = write!(out, ":{number}");
    }
    let style = severity_style(diagnostic.severity);
    let _ =
        write!(out, ": {style}{}{style:#}[{}] {}", diagnostic.severity.as_str(), diagnostic.code, diagnostic.message);
    if let Some(help) = &diagnostic.help {
        let _ = write!(out, " ({help})");
    }
    out.push('\n');
    out
}
