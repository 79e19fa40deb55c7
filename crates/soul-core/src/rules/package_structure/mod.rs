//! What a package declares and what it holds.

pub(super) mod embodied_without_laws;
pub(super) mod no_first_law;
pub(super) mod path_outside;
pub(super) mod program_inside;
pub(super) mod soul_against_laws;

use serde_json::Value;

use crate::scan::Package;

/// Whether the manifest describes something with a body.
fn is_embodied(package: &Package<'_>) -> bool {
    matches!(package.manifest["environment"].as_str(), Some("embodied" | "physical"))
}

/// The safety laws of the manifest; a text instead of a list is none.
fn laws<'a>(package: &'a Package<'_>) -> Option<&'a Vec<Value>> {
    package.manifest["safety"]["laws"].as_array()
}
