//! The frontmatter of CLAW.md and the profile beside it: what OpenClaw accepts.

use super::cron;
use super::refine::{
    refine_command, refine_cron, refine_filter, refine_manifest, refine_profile, refine_search, refine_tools,
    refine_url,
};
use super::values::{
    Url, is_avatar, is_bounded_grant, is_duration, is_environment_name, is_environment_reference, is_exact_version,
    is_id, is_model, is_package_name, is_safe_path, is_time,
};
use crate::exchange::shape::{Check, Field, Need, Object, Others, Shape, optional, required, unrefined};

/// The files that `workspace.bootstrapFiles` may name.
pub(crate) const BOOTSTRAP_FILES: [&str; 5] = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md"];

const NOT_EMPTY: Check = Check { code: "too_small", holds: |text| !text.is_empty() };
const EDGES: Check = Check { code: "custom", holds: |text| !text.is_empty() && text.trim().len() == text.len() };

macro_rules! text {
    ($($holds:expr),*) => {
        Shape::Text(&[NOT_EMPTY, EDGES, $(Check { code: "custom", holds: $holds }),*])
    };
}

const TEXT: Shape = text!();
const ID: Shape = text!(is_id);
const PACKAGE: Shape = text!(is_package_name);
const VERSION: Shape = text!(is_exact_version);
const MODEL: Shape = text!(is_model);
const PATH: Shape = Shape::Path(&[NOT_EMPTY, EDGES, Check { code: "custom", holds: is_safe_path }]);
const POSITIVE: Shape = Shape::Number(|number| number.is_finite() && number > 0.0);
const POSITIVE_INTEGER: Shape = Shape::Number(|number| number.fract() == 0.0 && number > 0.0);
const COUNT: Shape = Shape::Number(|number| number.fract() == 0.0 && number >= 0.0);

/// A strict object that its fields alone describe.
macro_rules! object {
    ($($field:expr),+ $(,)?) => { object!(unrefined; $($field),+) };
    ($refine:expr; $($field:expr),+ $(,)?) => {
        Shape::Object(&Object { fields: &[$($field),+], others: Others::Refused, refine: $refine })
    };
}

const fn or(name: &'static str, default: &'static str, shape: Shape) -> Field {
    Field { name, need: Need::Or(default), shape }
}

const SOURCE: Shape = object!(required("source", PATH));

const SERVER_FILTER: Shape = object!(refine_filter;
    optional("include", Shape::List(&TEXT, 1)),
    optional("exclude", Shape::List(&TEXT, 1)),
);

const SERVER: Shape = Shape::Union(&[
    object!(refine_command;
        required("command", TEXT),
        optional("transport", Shape::Literal("stdio")),
        optional("args", Shape::List(&TEXT, 0)),
        optional("env", Shape::Map(
            &[NOT_EMPTY, EDGES, Check { code: "custom", holds: is_environment_name }],
            &text!(is_environment_reference),
        )),
        optional("toolFilter", SERVER_FILTER),
        optional("timeout", POSITIVE),
        optional("connectTimeout", POSITIVE),
    ),
    object!(refine_url;
        required("url", Shape::Text(&[NOT_EMPTY, EDGES, Check { code: "invalid_format", holds: |url| Url::of(url).is_some() }])),
        required("transport", Shape::OneOf(&["sse", "streamable-http"])),
        optional("auth", Shape::Literal("oauth")),
        optional("toolFilter", SERVER_FILTER),
        optional("timeout", POSITIVE),
        optional("connectTimeout", POSITIVE),
    ),
]);

const CRON_JOB: Shape = object!(refine_cron;
    required("id", ID),
    optional("name", TEXT),
    required("schedule", object!(required("cron", TEXT), required("timezone", TEXT))),
    required("session", Shape::OneOf(&["main", "isolated"])),
    required("message", TEXT),
    optional("delivery", object!(
        required("mode", Shape::OneOf(&["none", "announce"])),
        optional("channel", Shape::Literal("last")),
    )),
);

/// What OpenClaw reads from the frontmatter.
pub(super) const MANIFEST: Shape = object!(refine_manifest;
    required("schemaVersion", Shape::One),
    required("agent", object!(
        required("id", ID),
        optional("name", TEXT),
        optional("description", TEXT),
        optional("identity", object!(
            optional("name", TEXT),
            optional("theme", TEXT),
            optional("emoji", TEXT),
            optional("avatar", text!(is_avatar)),
        )),
    )),
    or("metadata", "{}", Shape::Map(&[NOT_EMPTY, EDGES], &Shape::Text(&[]))),
    or("workspace", r#"{"bootstrapFiles":{},"files":[]}"#, object!(
        or("bootstrapFiles", "{}", object!(
            optional(BOOTSTRAP_FILES[0], SOURCE),
            optional(BOOTSTRAP_FILES[1], SOURCE),
            optional(BOOTSTRAP_FILES[2], SOURCE),
            optional(BOOTSTRAP_FILES[3], SOURCE),
            optional(BOOTSTRAP_FILES[4], SOURCE),
        )),
        or("files", "[]", Shape::List(&object!(required("source", PATH), required("path", PATH)), 0)),
    )),
    or("packages", "[]", Shape::List(&object!(
        required("kind", Shape::OneOf(&["skill", "plugin"])),
        required("source", Shape::Literal("clawhub")),
        required("ref", PACKAGE),
        required("version", VERSION),
    ), 0)),
    or("mcpServers", "{}", Shape::Map(&[NOT_EMPTY, EDGES, Check { code: "custom", holds: is_id }], &SERVER)),
    or("cronJobs", "[]", Shape::List(&CRON_JOB, 0)),
);

/// What OpenClaw reads from `profiles/openclaw.yml`.
pub(super) const PROFILE: Shape = object!(refine_profile;
    required("schemaVersion", Shape::One),
    required("agent", object!(
        optional("model", object!(required("primary", MODEL), optional("fallbacks", Shape::List(&MODEL, 0)))),
        optional("subagents", object!(
            optional("allowAgents", Shape::List(&ID, 0)),
            optional("delegationMode", Shape::OneOf(&["suggest", "prefer"])),
        )),
        optional("groupChat", object!(optional("mentionPatterns", Shape::List(&TEXT, 1)))),
        optional("sandbox", object!(
            optional("mode", Shape::OneOf(&["off", "non-main", "all"])),
            optional("scope", Shape::OneOf(&["session", "agent", "shared"])),
            optional("workspaceAccess", Shape::OneOf(&["none", "ro", "rw"])),
        )),
        optional("tools", object!(refine_tools;
            optional("profile", text!(|profile| ["minimal", "coding", "messaging", "full"].contains(&profile))),
            optional("allow", Shape::List(&text!(is_bounded_grant), 1)),
            optional("alsoAllow", Shape::List(&text!(is_bounded_grant), 1)),
            optional("deny", Shape::List(&TEXT, 1)),
            optional("fs", object!(optional("workspaceOnly", Shape::True))),
        )),
        optional("memory", object!(optional("search", object!(refine_search;
            optional("enabled", Shape::Bool),
            optional("rememberAcrossConversations", Shape::Bool),
            optional("sources", Shape::List(&Shape::OneOf(&["memory", "sessions"]), 1)),
        )))),
        optional("heartbeat", object!(
            optional("every", text!(is_duration)),
            optional("activeHours", object!(
                optional("start", text!(|time| is_time(time, false))),
                optional("end", text!(|time| is_time(time, true))),
                optional("timezone", text!(cron::is_timezone)),
            )),
            optional("lightContext", Shape::Bool),
            optional("isolatedSession", Shape::Bool),
            optional("timeoutSeconds", POSITIVE_INTEGER),
        )),
        optional("humanDelay", object!(
            optional("mode", Shape::OneOf(&["off", "natural", "custom"])),
            optional("minMs", COUNT),
            optional("maxMs", COUNT),
        )),
    )),
    or("extensions", "[]", Shape::List(&object!(
        required("id", ID),
        required("kind", Shape::Literal("plugin")),
        required("format", Shape::OneOf(&["openclaw", "claude", "codex", "cursor"])),
        required("source", Shape::Literal("clawhub")),
        required("ref", PACKAGE),
        required("version", VERSION),
    ), 0)),
);
