//! Good outputs measured against bad ones: they should differ, and no good one should sound like the bad.

use crate::calibration::Case;
use crate::calibration::material::BAD;
use crate::calibration::measures::{Compared, Profile};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::text::shown;

/// An output of fewer words has no sound of its own: one `you` would decide.
const FEWEST: usize = 25;
/// In so many measures an output must be like a bad one, and unlike every good one that is near.
const SEVERAL: usize = 3;

/// Every measure of the good outputs beside the bad ones, if there are both.
pub(in crate::calibration) fn compared(case: &Case<'_>) -> Vec<Compared> {
    let (good, bad) = (profiles(&case.good), profiles(&case.bad));
    let means = Profile::mean(&good).zip(Profile::mean(&bad));
    means.map(|(good, bad)| good.compare(&bad)).unwrap_or_default()
}

fn profiles(outputs: &[crate::calibration::Output<'_>]) -> Vec<Profile> {
    outputs.iter().map(|output| Profile::measure(&output.prose)).collect()
}

pub(in crate::calibration) fn check(case: &Case<'_>, diagnostics: &mut Collector) {
    let (good, bad) = (profiles(&case.good), profiles(&case.bad));
    let Some(bad_mean) = Profile::mean(&bad) else { return };
    let Some(good_mean) = Profile::mean(&good) else { return };
    if !good_mean.compare(&bad_mean).iter().any(|row| row.differ) {
        let message = "good and bad outputs do not differ in any measure";
        let help = "show in bad-outputs.md how the agent must not sound, or describe the difference in STYLE.md";
        let found = Diagnostic::new(Code::ExamplesAlike, message).help(help);
        return diagnostics.push(Diagnostic { file: Some(BAD.to_owned()), ..found });
    }
    for (index, (output, profile)) in case.good.iter().zip(&good).enumerate() {
        // An output is compared with the others, not with itself; each is as good an example as any other.
        let others = good.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
        let (Some(kin), Some(stranger)) = (nearest(profile, others), nearest(profile, &bad)) else { continue };
        let sounds_bad = profile.distance(stranger) < profile.distance(kin) && profile.nearer(stranger, kin) >= SEVERAL;
        if !sounds_bad || output.prose.words.len() < FEWEST {
            continue;
        }
        diagnostics.push_with(|| {
            let (name, own, theirs) = profile.widest(kin);
            let title = output.title.map(|title| format!(" {}", shown(title))).unwrap_or_default();
            let message = format!("the good output{title} sounds more like a bad one than like any other good one");
            let start = output.start;
            let first = output.prose.sentences.first().map_or(0..0, |sentence| sentence.range.clone());
            let span = output.text.span(&(start + first.start..start + first.end));
            let found = Diagnostic::new(Code::NearerToBad, message);
            let found = found.in_file(output.text.file, output.text.source, span);
            let name = name.replace('_', " ");
            found.help(format!("it differs most in {name}: {own:.1} here, {theirs:.1} in the nearest good one"))
        });
    }
}

fn nearest<'a>(profile: &Profile, others: impl IntoIterator<Item = &'a Profile>) -> Option<&'a Profile> {
    others.into_iter().min_by(|a, b| profile.distance(a).total_cmp(&profile.distance(b)))
}
