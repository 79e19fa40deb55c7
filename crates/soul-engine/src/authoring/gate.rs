//! Which findings stop a text from being written: that depends on where the text comes from.

use soul_core::diagnostics::Severity;
use soul_core::rules::Confidence;
use soul_core::scan::Report;

use crate::Keeper;
use crate::fields::NonBlank;
use crate::settings::OnWrite;
use crate::store::Party;

/// The kind of caller that is a person.
const PERSON: &str = "user";

/// The least confidence that stops a text of this actor. People mean what they write and see every finding in the
/// response; what an agent, a client, a registry, a sync or an import brings was written by others.
fn least_confidence(actor: &Party) -> Confidence {
    if actor.kind == PERSON { Confidence::High } else { Confidence::Medium }
}

/// Whether a text of this actor has findings that stop it, whatever the settings say.
pub(crate) fn is_poisoned(report: &Report, actor: &Party) -> bool {
    let least = least_confidence(actor);
    report.failed.is_some()
        || report.findings.iter().any(|finding| finding.severity == Severity::Error && finding.confidence >= least)
}

/// Whether a write is refused: the text is poisoned, `[scan] on_write` refuses it, and no reason forces it.
pub(crate) fn is_refused(keeper: &Keeper, report: &Report, actor: &Party, force: Option<&NonBlank>) -> bool {
    force.is_none() && keeper.settings.on_write == OnWrite::Refuse && is_poisoned(report, actor)
}
