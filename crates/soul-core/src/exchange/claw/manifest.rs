//! The frontmatter of CLAW.md and the profile beside it: what OpenClaw accepts.

use serde_json::{Map, Value};

use super::cron;
use crate::exchange::shape::{Check, Field, Issue, Key, Need, Object, Others, Shape, optional, required, unrefined};

/// The files that `workspace.bootstrapFiles` may name.
pub(crate) const BOOTSTRAP_FILES: [&str; 5] = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md"];

/// Environment names that a server started by OpenClaw may not set.
static BLOCKED_ENVIRONMENT: &str = include_str!("blocked_environment.txt");

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

fn is_id(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
}

/// `name` or `@scope/name`, in lower case.
pub(super) fn is_package_name(text: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c))
    };
    match text.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        None => part(text),
    }
}

/// A version of semver.org, without a range.
pub(super) fn is_exact_version(text: &str) -> bool {
    let number = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
    };
    let word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let identifier = |text: &str| number(text) || (word(text) && text.bytes().any(|b| !b.is_ascii_digit()));
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre.is_none_or(|pre| pre.split('.').all(identifier))
        && build.is_none_or(|build| build.split('.').all(word))
}

fn is_model(text: &str) -> bool {
    text.contains('/') && text.split('/').all(|part| !part.is_empty() && !part.contains(char::is_whitespace))
}

/// A path that stays in its package, on every file system.
pub(super) fn is_safe_path(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let drive = path.as_bytes().get(1..3) == Some(b":/");
    let reserved = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
        let numbered = |word| {
            stem.strip_prefix(word).is_some_and(|n| n.len() == 1 && n != "0" && n.as_bytes()[0].is_ascii_digit())
        };
        ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
    };
    let part = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && !part.contains(['<', '>', ':', '"', '|', '?', '*'])
            && !part.chars().any(|c| (c as u32) <= 31)
            && !part.ends_with(['.', ' '])
            && !reserved(part)
    };
    !drive && path.split('/').all(part)
}

/// A path as file systems that ignore case and accents' spelling compare it.
pub(super) fn path_key(path: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    path.replace('\\', "/").nfc().collect::<String>().to_lowercase()
}

fn is_data_image(value: &str) -> bool {
    const MAX: usize = 2_097_152_usize.div_ceil(3) * 4 + 26;
    value.len() <= MAX && value.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
}

fn is_avatar(value: &str) -> bool {
    if is_data_image(value) {
        let Some((metadata, payload)) = value.split_once(',') else { return false };
        let base64 = metadata.to_ascii_lowercase().split(';').skip(1).any(|part| part == "base64");
        return !payload.is_empty() && (!base64 || crate::exchange::base64::decode_strict(payload).is_some());
    }
    let extension = value.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
    let known = |end: &str| ["png", "jpg", "jpeg", "gif", "webp", "svg"].contains(&end.to_ascii_lowercase().as_str());
    is_safe_path(value) && extension.is_some_and(known)
}

fn is_environment_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_environment_reference(text: &str) -> bool {
    let name = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
    name.is_some_and(|name| is_environment_name(name) && !name.contains(|c: char| c.is_ascii_lowercase()))
}

fn is_blocked_environment(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["DYLD_", "LD_", "BASH_FUNC_"].iter().any(|prefix| name.starts_with(prefix))
        || BLOCKED_ENVIRONMENT.lines().any(|blocked| blocked == name)
}

fn is_bounded_grant(grant: &str) -> bool {
    let grant = grant.trim().to_ascii_lowercase();
    !grant.contains(['*', '?', '[', ']', '{', '}']) && grant != "group:plugins" && grant != "bundle-mcp"
}

fn is_duration(text: &str) -> bool {
    let number = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text.trim()[number.len()..];
    number.parse::<f64>().is_ok_and(|number| number >= 0.0)
        && ["", "ms", "s", "m", "h", "d"].contains(&unit.to_ascii_lowercase().as_str())
}

fn is_time(text: &str, may_be_24: bool) -> bool {
    let two = |text: &str| (text.len() == 2).then(|| text.parse::<u8>().ok()).flatten();
    let time = text.split_once(':').and_then(|(hour, minute)| Some((two(hour)?, two(minute)?)));
    time.is_some_and(|(hour, minute)| (hour < 24 && minute < 60) || (may_be_24 && (hour, minute) == (24, 0)))
}

/// What of a URL decides whether it may be called.
struct Url<'a> {
    scheme: String,
    host: &'a str,
    user: bool,
    fragment: bool,
}

impl<'a> Url<'a> {
    fn of(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let (user, host) = authority.rsplit_once('@').map_or((false, authority), |(_, host)| (true, host));
        let host = match host.find(']') {
            Some(end) => &host[..=end],
            None => host.split(':').next()?,
        };
        let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let good = named && !host.is_empty() && !host.contains(char::is_whitespace);
        let fragment = url.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty());
        good.then(|| Self { scheme: scheme.to_ascii_lowercase(), host, user, fragment })
    }
}

fn key(path: &[&str]) -> Vec<Key> {
    path.iter().map(|part| Key::Name((*part).to_owned())).collect()
}

fn custom(path: Vec<Key>) -> Issue {
    Issue::content("custom", path)
}

fn texts<'a>(map: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    map.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn refine_filter(filter: &Map<String, Value>, issues: &mut Vec<Issue>) {
    for field in ["include", "exclude"] {
        let names = texts(filter, field);
        for (index, name) in names.iter().enumerate() {
            let at = || vec![Key::Name(field.to_owned()), Key::Index(index)];
            if name.contains(['?', '[', ']']) {
                issues.push(custom(at()));
            }
            if names[..index].contains(name) {
                issues.push(custom(at()));
            }
        }
    }
}

fn refine_command(server: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let command = server.get("command").and_then(Value::as_str).unwrap_or_default();
    if let Some(packages) = started_packages(command, &texts(server, "args"))
        && !packages.iter().all(|package| is_pinned(package))
    {
        issues.push(custom(key(&["args"])));
    }
    let names = server.get("env").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    issues.extend(names.filter(|name| is_blocked_environment(name)).map(|name| custom(key(&["env", name]))));
}

/// The packages that a package manager downloads and runs; `None` if the command is not one.
fn started_packages<'a>(command: &str, arguments: &[&'a str]) -> Option<Vec<&'a str>> {
    let program = command.rsplit(['/', '\\']).next().unwrap_or(command).to_ascii_lowercase();
    let program = program.strip_suffix(".cmd").or_else(|| program.strip_suffix(".exe")).unwrap_or(&program);
    let arguments = match program {
        "pnpm" | "yarn" if arguments.first() == Some(&"dlx") => &arguments[1..],
        "npx" | "pnpx" | "bunx" => arguments,
        _ => return None,
    };
    let mut selected = Vec::new();
    let mut first = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "" => {}
            "--" => {
                first = Some(rest.next().copied().unwrap_or_default());
                break;
            }
            "-p" | "--package" => selected.push(rest.next().copied().unwrap_or_default()),
            option if option.starts_with("--package=") => selected.push(&option["--package=".len()..]),
            option if option.starts_with('-') => {}
            name => {
                first = Some(name);
                break;
            }
        }
    }
    Some(if selected.is_empty() { vec![first.unwrap_or_default()] } else { selected })
}

fn is_pinned(package: &str) -> bool {
    let slash = if package.starts_with('@') { package.find('/') } else { None };
    package
        .rfind('@')
        .is_some_and(|at| at > 0 && slash.is_none_or(|slash| at > slash) && is_exact_version(&package[at + 1..]))
}

fn refine_url(server: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let Some(url) = server.get("url").and_then(Value::as_str).and_then(Url::of) else { return };
    let loopback = ["localhost", "127.0.0.1", "[::1]"].contains(&url.host);
    if url.scheme != "https" && !(url.scheme == "http" && loopback) {
        issues.push(custom(key(&["url"])));
    }
    if url.user || url.fragment {
        issues.push(custom(key(&["url"])));
    }
}

fn refine_cron(job: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let text = |name: &str| job.get("schedule").and_then(|schedule| schedule.get(name)?.as_str()).unwrap_or_default();
    let (expression, timezone) = (text("cron"), text("timezone"));
    if expression.split_whitespace().count() != 5 {
        issues.push(custom(key(&["schedule", "cron"])));
    }
    if let Some(delivery) = job.get("delivery") {
        let announces = delivery.get("mode").and_then(Value::as_str) == Some("announce");
        if announces != delivery.get("channel").is_some() {
            issues.push(custom(key(&["delivery"])));
        }
    }
    if !cron::is_expression(expression) || !cron::is_timezone(timezone) {
        issues.push(custom(key(&["schedule", "cron"])));
    }
}

/// Whether a destination is one of others, is in one of them, or holds one of them.
fn conflicts(targets: &[String], candidate: &str) -> bool {
    let within = |folder: &str, path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    targets.iter().any(|target| target == candidate || within(candidate, target) || within(target, candidate))
}

/// Where the manifest puts files.
fn destinations(manifest: &Map<String, Value>) -> Vec<String> {
    let workspace = manifest.get("workspace");
    let given = |name: &&str| workspace.and_then(|workspace| workspace.get("bootstrapFiles")?.get(*name)).is_some();
    BOOTSTRAP_FILES.iter().filter(|name| given(name)).map(|name| path_key(name)).collect()
}

fn files(manifest: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let files = manifest.get("workspace").and_then(|workspace| workspace.get("files")?.as_array());
    files.into_iter().flatten().filter_map(|file| file.get("path")?.as_str())
}

/// Whether the manifest puts something where the body of CLAW.md would go.
pub(super) fn conflicts_with_body(manifest: &Map<String, Value>) -> bool {
    let mut targets = destinations(manifest);
    targets.extend(files(manifest).map(path_key));
    conflicts(&targets, &path_key("SOUL.md"))
}

fn refine_manifest(manifest: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let mut targets = destinations(manifest);
    let at = |list: &[&str], index: usize, field: &str| {
        let mut path = key(list);
        path.push(Key::Index(index));
        path.extend((!field.is_empty()).then(|| Key::Name(field.to_owned())));
        custom(path)
    };
    for (index, path) in files(manifest).enumerate() {
        let path = path_key(path);
        if conflicts(&[path_key("BOOTSTRAP.md")], &path) {
            issues.push(at(&["workspace", "files"], index, "path"));
        }
        if conflicts(&targets, &path) {
            issues.push(at(&["workspace", "files"], index, "path"));
        }
        targets.push(path);
    }
    let list = |name: &str| manifest.get(name).and_then(Value::as_array).into_iter().flatten();
    let word = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let packages: Vec<(String, String)> =
        list("packages").map(|package| (word(package, "kind"), word(package, "ref"))).collect();
    for index in (0..packages.len()).filter(|index| packages[..*index].contains(&packages[*index])) {
        issues.push(at(&["packages"], index, ""));
    }
    let avatar = manifest.get("agent").and_then(|agent| agent.get("identity")?.get("avatar")?.as_str());
    if let Some(avatar) = avatar.filter(|avatar| !is_data_image(avatar))
        && !files(manifest).any(|path| path_key(path) == path_key(avatar))
    {
        issues.push(custom(key(&["agent", "identity", "avatar"])));
    }
    let jobs: Vec<&str> = list("cronJobs").filter_map(|job| job.get("id")?.as_str()).collect();
    for index in (0..jobs.len()).filter(|index| jobs[..*index].contains(&jobs[*index])) {
        issues.push(at(&["cronJobs"], index, "id"));
    }
}

fn refine_tools(tools: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let profile = tools.get("profile").and_then(Value::as_str);
    if profile == Some("full") && !tools.contains_key("allow") {
        issues.push(custom(key(&["profile"])));
    }
    if tools.contains_key("alsoAllow") && profile.is_none() {
        issues.push(custom(key(&["alsoAllow"])));
    }
    if tools.contains_key("alsoAllow") && tools.contains_key("allow") {
        issues.push(custom(key(&["alsoAllow"])));
    }
}

fn refine_search(search: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let remembers = search.get("rememberAcrossConversations") == Some(&Value::Bool(true));
    if texts(search, "sources").contains(&"sessions") && !remembers {
        issues.push(custom(key(&["rememberAcrossConversations"])));
    }
}

fn refine_profile(profile: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let extensions: Vec<&Value> = profile.get("extensions").and_then(Value::as_array).into_iter().flatten().collect();
    for (index, extension) in extensions.iter().enumerate() {
        for field in ["id", "ref"] {
            let same = |other: &&Value| other.get(field) == extension.get(field);
            if extensions[..index].iter().any(same) {
                issues.push(custom(vec![
                    Key::Name("extensions".to_owned()),
                    Key::Index(index),
                    Key::Name(field.to_owned()),
                ]));
            }
        }
    }
}
