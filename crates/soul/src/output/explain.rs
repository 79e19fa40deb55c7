//! What codes mean: diagnostics and rules of the scanner.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::explain::Explained;

use super::style::{FAINT, STRONG};
use super::table::{Table, cell};
use super::terminal::severity_style;
use super::wrap::hanging;

/// One code in full.
pub(crate) fn code(code: &Explained) -> String {
    let Explained { name, group, severity, confidence, meaning, why, fix, hits, near_misses, .. } = code;
    let style = severity_style(*severity);
    let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let confidence = confidence.map(|confidence| format!(", {} confidence", confidence.as_str())).unwrap_or_default();
    let headline =
        format!("{STRONG}{}{STRONG:#}{name}  {group}  {style}{}{style:#}{confidence}", code.code, severity.as_str());
    let mut out = format!("{}\n\n{}\n", hanging(&headline, 2), paragraph(2, meaning));
    if let Some(why) = why {
        let _ = write!(out, "\n{}\n", paragraph(2, why));
    }
    if let Some(fix) = fix {
        let _ = writeln!(out, "{}", paragraph(2, &format!("Fix: {fix}")));
    }
    for (title, texts) in [("Matches", hits), ("Does not match", near_misses)] {
        if !texts.is_empty() {
            let _ = writeln!(out, "\n  {FAINT}{title}{FAINT:#}");
            for text in texts {
                let _ = writeln!(out, "{}", paragraph(4, &visible(text)));
            }
        }
    }
    out
}

fn paragraph(indent: usize, text: &str) -> String {
    hanging(&format!("{:indent$}{text}", ""), indent)
}

/// Codes in a table.
pub(crate) fn codes<'a>(codes: impl IntoIterator<Item = &'a Explained>) -> String {
    let mut table = Table::new(["CODE", "SEVERITY", "NAME", "MEANING…"]);
    for code in codes {
        table.row([
            cell(code.code.as_str(), STRONG),
            cell(code.severity.as_str(), severity_style(code.severity)),
            code.name.as_deref().unwrap_or_default().into(),
            code.meaning.as_str().into(),
        ]);
    }
    table.render()
}

/// All codes under a heading for each group.
pub(crate) fn groups(all: &[Explained]) -> String {
    let groups = all.chunk_by(|a, b| a.group == b.group).map(|group| {
        let title = match &*group[0].group {
            "diagnostic" => "Diagnostics of souls".to_owned(),
            family => format!("Scanner rules: {}", family.replace('-', " ")),
        };
        format!("{STRONG}{title}{STRONG:#}\n{}", codes(group))
    });
    groups.collect::<Vec<_>>().join("\n")
}
