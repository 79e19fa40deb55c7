use std::collections::BTreeMap;

use soul_core::calibration::{Figures, Material, PROBES_FILE, Probes, Report, calibrate, probes};
use soul_core::diagnostics::Diagnostic;
use soul_core::text::Source;

use crate::souls::Bundle;

/// A soul against its own examples: how it measures, and what is wrong with it and the files around it.
pub(crate) fn calibrated(bundle: &Bundle, material: &Material<'_>) -> (Figures, Vec<Diagnostic>) {
    let Report { figures, findings } = calibrate(material.clone());
    (figures, bundle.problems.iter().cloned().chain(findings).collect())
}

/// What is wrong with the probes of a soul, without a model that is asked.
pub(crate) fn unasked_probes(material: &Material<'_>, files: &BTreeMap<String, Source>) -> Vec<Diagnostic> {
    let Some(source) = files.get(PROBES_FILE) else { return Vec::new() };
    let Probes { probes, diagnostics } = probes(PROBES_FILE, source);
    let without_section = material.without_section(&probes, (PROBES_FILE, source));
    diagnostics.into_iter().chain(without_section).collect()
}
