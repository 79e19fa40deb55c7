//! The one table of manifest fields: what each version has, and in what shape. Checks and JSON
//! Schemas both read it.

use super::SpecVersion;
use SpecVersion::{V0_1, V0_2, V0_3, V0_4, V0_5, V0_6};

/// The type of a manifest field.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Text,
    TextOrNull,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    TextOrObject,
    Texts,
    Objects,
    Object,
    Flag,
    Number,
    Integer,
    /// One or several of these strings.
    SomeOf(&'static [&'static str]),
    ObjectOrList,
    /// Any type: versions and documents disagree.
    Any,
}

/// A field of the manifest.
#[derive(Debug, Clone, Copy)]
pub struct FieldSpec {
    /// Its path; `[]` stands for the entries of a list.
    pub path: &'static str,
    /// The required type.
    pub shape: Shape,
    /// The first version that has it.
    pub since: SpecVersion,
    /// Whether a published manifest must have it.
    pub required: bool,
    /// Description for documentation and schemas.
    pub meaning: &'static str,
}

const fn required(path: &'static str, shape: Shape, since: SpecVersion, meaning: &'static str) -> FieldSpec {
    FieldSpec { path, shape, since, required: true, meaning }
}

const fn optional(path: &'static str, shape: Shape, since: SpecVersion, meaning: &'static str) -> FieldSpec {
    FieldSpec { path, shape, since, required: false, meaning }
}

use Shape::{
    Any, Flag, Integer, Number, Object, ObjectOrList, Objects, OneOf, SomeOf, Text, TextOrNull, TextOrObject, Texts,
};

/// Every field of every version.
pub const FIELDS: &[FieldSpec] = &[
    optional("$schema", Text, V0_1, "where an editor finds the schema"),
    required("specVersion", Text, V0_3, "the version of the specification that the manifest follows"),
    required("name", Text, V0_1, "the package's name, in kebab-case"),
    required("displayName", Text, V0_1, "the name that people see"),
    required("version", Text, V0_1, "the package's own version, three numbers"),
    required("description", Text, V0_1, "what the soul is for, at most 160 characters"),
    required("author", TextOrObject, V0_1, "who wrote it; as a string since 0.4"),
    optional("author.name", Text, V0_1, "the author's name"),
    optional("author.github", Text, V0_1, "the author's GitHub name"),
    optional("author.url", Text, V0_4, "the author's page"),
    required("license", Text, V0_1, "an SPDX licence expression"),
    required("tags", Texts, V0_1, "labels, at most ten"),
    required("category", Text, V0_1, "where a registry lists it"),
    required("files", Object, V0_1, "which file is which"),
    required("files.soul", Text, V0_1, "the soul's own text"),
    optional("files.identity", Text, V0_1, "the card that people see"),
    optional("files.agents", Text, V0_1, "the workflow"),
    optional("files.heartbeat", Text, V0_1, "when to wake"),
    optional("files.userTemplate", Text, V0_1, "the template of USER.md"),
    optional("files.avatar", Text, V0_1, "an image: a path in the package, or an https URL"),
    optional("files.avatarAlt", Text, V0_5, "the alternative text of the image"),
    optional("files.style", Text, V0_2, "how the agent writes"),
    optional("files.rules", Text, V0_6, "hard constraints"),
    optional("examples", Object, V0_2, "answers to learn from"),
    optional("examples.good", Text, V0_2, "answers as they should be"),
    optional("examples.bad", Text, V0_2, "answers as they should not be"),
    optional("modes", Texts, V0_2, "ways of speaking; deprecated since 0.4"),
    optional(
        "interpolation",
        OneOf(&["bold", "cautious", "strict"]),
        V0_2,
        "how freely to fill gaps; deprecated since 0.4",
    ),
    optional("skills", Texts, V0_1, "skills by name; deprecated since 0.4 in favour of recommendedSkills"),
    optional("recommendedSkills", Objects, V0_4, "skills that go well with the soul"),
    optional("recommendedSkills[].name", Text, V0_4, "the skill's name"),
    optional("recommendedSkills[].version", Text, V0_4, "a range of versions"),
    optional("recommendedSkills[].required", Flag, V0_4, "whether the soul needs it"),
    optional("compatibility", Object, V0_1, "where the soul was tested; a hint, not a restriction"),
    optional("compatibility.openclaw", Text, V0_1, "a range of OpenClaw versions"),
    optional("compatibility.models", Texts, V0_1, "patterns of model names"),
    optional("compatibility.frameworks", Texts, V0_4, "frameworks by name"),
    optional("compatibility.minTokenContext", Number, V0_4, "the minimum context in tokens"),
    optional("allowedTools", Texts, V0_4, "tools that the soul mentions"),
    optional("disclosure", Object, V0_4, "what is shown before anything is loaded"),
    optional("disclosure.summary", Text, V0_4, "the first level, at most 200 characters"),
    optional("deprecated", Flag, V0_4, "whether the soul should no longer be installed"),
    optional("supersededBy", Text, V0_4, "the soul to use instead, as owner/name"),
    optional("repository", Text, V0_1, "the URL of the source"),
    optional(
        "environment",
        OneOf(&["virtual", "embodied", "hybrid", "physical", "indoor", "outdoor", "mixed", "any"]),
        V0_4,
        "where the agent acts",
    ),
    optional(
        "interactionMode",
        SomeOf(&["text", "voice", "gesture", "touch-screen", "haptic", "multimodal"]),
        V0_4,
        "how people reach the agent",
    ),
    optional("hardwareConstraints", Object, V0_4, "what the body can do"),
    optional("hardwareConstraints.mobility", Text, V0_4, "stationary, mobile or limited"),
    optional("hardwareConstraints.sensors", Texts, V0_4, "what the body perceives"),
    optional("hardwareConstraints.actuators", Texts, V0_4, "what the body moves"),
    optional("hardwareConstraints.compute", Text, V0_4, "where the agent runs"),
    optional("hardwareConstraints.battery", Flag, V0_4, "whether it runs on a battery"),
    optional("hardwareConstraints.hasDisplay", Flag, V0_4, "the older form: whether it has a display"),
    optional("hardwareConstraints.hasSpeaker", Flag, V0_4, "the older form: whether it has a speaker"),
    optional("hardwareConstraints.hasMicrophone", Flag, V0_4, "the older form: whether it has a microphone"),
    optional("hardwareConstraints.hasCamera", Flag, V0_4, "the older form: whether it has a camera"),
    optional("hardwareConstraints.manipulator", Flag, V0_4, "the older form: whether it can grasp"),
    optional("safety", Object, V0_4, "what keeps people safe"),
    optional("safety.physical", Object, V0_4, "limits of the body"),
    optional("safety.physical.maxSpeed", Text, V0_4, "the maximum speed, with its unit"),
    optional("safety.physical.emergencyStop", Flag, V0_4, "whether it can be stopped at once"),
    optional("safety.physical.collisionAvoidance", Flag, V0_4, "whether it avoids obstacles"),
    optional("safety.physical.softExterior", Flag, V0_4, "whether it is soft to the touch"),
    optional(
        "safety.physical.contactPolicy",
        OneOf(&["no-contact", "gentle-contact", "full-contact"]),
        V0_4,
        "the older form: whether it touches people",
    ),
    optional(
        "safety.physical.emergencyProtocol",
        OneOf(&["stop", "alert_operator", "return_home"]),
        V0_4,
        "the older form: what it does in an emergency",
    ),
    optional(
        "safety.physical.operatingZone",
        OneOf(&["indoor", "outdoor", "both"]),
        V0_4,
        "the older form: where it moves",
    ),
    optional("safety.laws", Objects, V0_5, "laws, strictly ordered by priority"),
    optional("safety.laws[].priority", Integer, V0_5, "the rank, 0 first"),
    optional("safety.laws[].rule", Text, V0_5, "the law"),
    optional("safety.laws[].law", Text, V0_5, "the law, under its older name"),
    optional("safety.laws[].id", Any, V0_5, "a handle for the law"),
    optional("safety.laws[].override", Any, V0_5, "what may override the law"),
    optional(
        "safety.laws[].enforcement",
        OneOf(&["hard", "soft"]),
        V0_5,
        "whether a violation is refused or warned about",
    ),
    optional("safety.laws[].scope", OneOf(&["all", "self", "operator"]), V0_5, "whom it protects"),
    optional("sensors", ObjectOrList, V0_5, "what the body perceives"),
    optional("actuators", ObjectOrList, V0_5, "what the body moves"),
    optional(
        "type",
        OneOf(&["persona", "pack"]),
        V0_6,
        "a persona, or a pack with skills, tools, memory, rules and hooks",
    ),
    optional("includes", Object, V0_6, "what a pack bundles"),
    optional("includes.skills", Texts, V0_6, "folders of skills/"),
    optional("includes.tools", Texts, V0_6, "files of tools/"),
    optional("includes.memory", Flag, V0_6, "whether there is a memory template"),
    optional("includes.rules", Flag, V0_6, "whether there is a RULES.md"),
    optional("includes.hooks", Texts, V0_6, "files of hooks/"),
    optional("memory", Object, V0_6, "how memory is laid out, searched and synced"),
    optional("memory.format", OneOf(&["markdown"]), V0_6, "the format"),
    optional("memory.layout", Object, V0_6, "where memory lives"),
    optional("memory.layout.longTerm", Text, V0_6, "curated memory"),
    optional("memory.layout.daily", Text, V0_6, "daily logs, with YYYY-MM-DD"),
    optional("memory.layout.topics", Text, V0_6, "topic files, as a pattern"),
    optional("memory.layout.runtime", Text, V0_6, "live state, not versioned"),
    optional("memory.search", Object, V0_6, "how memory is searched"),
    optional("memory.search.default", Text, V0_6, "the free tier"),
    optional("memory.search.enhanced", Text, V0_6, "the tier that costs tokens"),
    optional("memory.sync", Object, V0_6, "how memory is synced"),
    optional("memory.sync.enabled", Flag, V0_6, "whether it is"),
    optional("memory.sync.remote", TextOrNull, V0_6, "where to, or null"),
    optional("memory.sync.branch", Text, V0_6, "which branch"),
    optional("rules", Object, V0_6, "reserved for references to rules"),
    optional("registry", Object, V0_6, "what a registry knows about the soul"),
    optional("registry.listed", Flag, V0_6, "whether it is listed"),
    optional("registry.featured", Flag, V0_6, "whether it is featured"),
    optional("registry.scanGrade", Text, V0_6, "the grade of the last scan"),
    optional("registry.scanScore", Number, V0_6, "rules passed in the last scan"),
    optional("registry.submittedAt", Text, V0_6, "when it was submitted"),
];

/// The field at a path, in which the entries of a list have numbers.
pub(super) fn field(path: &str) -> Option<&'static FieldSpec> {
    let plain = plain(path);
    FIELDS.iter().find(|field| field.path == plain)
}

/// A path with the numbers of entries taken out.
pub(super) fn plain(path: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '[' => {
                inside = true;
                out.push_str("[]");
            }
            ']' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// The names that may stand directly under a path.
pub(super) fn names_under(parent: &str) -> impl Iterator<Item = &'static str> {
    let prefix = if parent.is_empty() { String::new() } else { format!("{parent}.") };
    FIELDS
        .iter()
        .filter_map(move |field| field.path.strip_prefix(prefix.as_str()))
        .filter(|rest| !rest.contains(['.', '[']))
}
