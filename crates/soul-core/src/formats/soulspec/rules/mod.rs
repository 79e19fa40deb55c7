//! The rules of the specification, one per file.

mod allowed_tools;
mod avatar;
mod category;
mod deprecated;
mod dual_declaration;
mod embodied;
mod fields;
mod file_map;
mod hooks;
mod includes;
mod laws;
mod license;
mod lifecycle;
mod limits;
mod memory;
mod name;
mod name_mismatch;
mod ranges;
mod registry;
mod repository;
mod rules_md;
mod scripts;
mod skill_md;
mod skills;
mod spec_version;
mod texts;
mod tools_yaml;
mod version;

use super::{Document, Profile};
use crate::diagnostics::Collector;

pub(crate) use laws::rule_of;
pub(crate) use rules_md::SECTIONS;
pub(super) use rules_md::beside_rules;
pub(crate) use rules_md::entries;

/// A rule looks at the package and says what is wrong.
type Rule = fn(&Document, Profile, &mut Collector);

/// Every rule there is.
pub(super) const RULES: &[Rule] = &[
    spec_version::check,
    fields::check,
    name::check,
    version::check,
    ranges::check,
    limits::check,
    license::check,
    category::check,
    file_map::check,
    avatar::check,
    lifecycle::check,
    deprecated::check,
    embodied::check,
    laws::check,
    dual_declaration::check,
    allowed_tools::check,
    includes::check,
    rules_md::check,
    skill_md::check,
    tools_yaml::check,
    hooks::check,
    memory::check,
    registry::check,
    repository::check,
    texts::check,
    skills::check,
    scripts::check,
    name_mismatch::check,
];

#[cfg(test)]
mod tests {
    #[test]
    fn no_rule_is_left_out() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/formats/soulspec/rules");
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(super::RULES.len(), files - 1, "a file of rules/ is not in RULES");
    }
}
