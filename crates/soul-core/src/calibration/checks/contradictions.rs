//! Good outputs that break a limit, or use a word that is to be avoided.

use crate::calibration::Case;
use crate::diagnostics::{Collector, Diagnostic, Severity};
use crate::text::{LineIndex, shown};

pub(in crate::calibration) fn check(case: &Case<'_>, diagnostics: &mut Collector) {
    for output in &case.good {
        for requirement in &case.requirements {
            let Some(breach) = requirement.broken_by(&output.prose) else { continue };
            let title = output.title.map(|title| format!(" {}", shown(title))).unwrap_or_default();
            let start = output.start;
            let span = output.text.span(&(start + breach.range.start..start + breach.range.end));
            let found = || {
                let source = case.material.files.get(&requirement.file);
                let line = source.map(|source| LineIndex::new(source).position(requirement.span.start).line);
                let place = line.map_or(requirement.file.clone(), |line| format!("{}:{line}", requirement.file));
                let message = format!("the good output{title} {}", breach.why);
                let found =
                    Diagnostic::new(requirement.code(), message).in_file(output.text.file, output.text.source, span);
                let found = if breach.sure { found } else { found.severity(Severity::Warning) };
                found.help(format!("change the output, or the rule {} in {place}", shown(requirement.text.trim())))
            };
            if breach.sure { diagnostics.push_error(found) } else { diagnostics.push_with(found) }
        }
    }
}
