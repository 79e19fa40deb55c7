//! Where a registry lists the soul.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::{closest, shown};

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    // A blank one is a missing one.
    let Some(category) = document.text("category").filter(|category| !category.trim().is_empty()) else { return };
    if CATEGORIES.contains(&category)
        || CATEGORIES.iter().any(|known| known.strip_prefix(category).is_some_and(|rest| rest.starts_with('/')))
    {
        return;
    }
    let message = format!("{} is not a known category", shown(category));
    let diagnostic = Diagnostic::new(Code::UnknownCategory, message).field("category").at(document.at("category"));
    diagnostics.push(match closest(category, CATEGORIES) {
        Some(near) => {
            diagnostic.help(format!("did you mean `{near}`?")).fix(document.at("category"), format!("\"{near}\""))
        }
        None => diagnostic.help("registries list it under `general`"),
    });
}

/// The tree of the specification, what its examples use, and the registry's flat list.
const CATEGORIES: [&str; 37] = [
    "work/engineering/frontend",
    "work/engineering/backend",
    "work/engineering/fullstack",
    "work/engineering/gamedev",
    "work/engineering",
    "work/coding",
    "work/devops",
    "work/data",
    "work/pm",
    "work/writing",
    "creative/design",
    "creative/storytelling",
    "creative/music",
    "education/programming",
    "education/language",
    "education/science",
    "lifestyle/assistant",
    "lifestyle/health",
    "lifestyle/cooking",
    "enterprise/support",
    "enterprise/onboarding",
    "enterprise/review",
    "robotics/care",
    "robotics/guide",
    "developer-tools",
    "productivity",
    "creative",
    "compliance",
    "education",
    "devops",
    "data",
    "security",
    "general",
    "operations",
    "utility",
    "work",
    "lifestyle",
];
