//! What the shape of a CLAW.md does not say: how its values depend on each other.

use serde_json::{Map, Value};

use super::cron;
use super::manifest::BOOTSTRAP_FILES;
use super::values::{Url, is_blocked_environment, is_data_image, is_exact_version, path_key};
use crate::exchange::shape::{Issue, Key};

fn key(path: &[&str]) -> Vec<Key> {
    path.iter().map(|part| Key::Name((*part).to_owned())).collect()
}

fn custom(path: Vec<Key>) -> Issue {
    Issue::content("custom", path)
}

fn texts<'a>(map: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    map.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

pub(super) fn refine_filter(filter: &Map<String, Value>, issues: &mut Vec<Issue>) {
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

pub(super) fn refine_command(server: &Map<String, Value>, issues: &mut Vec<Issue>) {
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

pub(super) fn refine_url(server: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let Some(url) = server.get("url").and_then(Value::as_str).and_then(Url::of) else { return };
    let loopback = ["localhost", "127.0.0.1", "[::1]"].contains(&url.host);
    if url.scheme != "https" && !(url.scheme == "http" && loopback) {
        issues.push(custom(key(&["url"])));
    }
    if url.user || url.fragment {
        issues.push(custom(key(&["url"])));
    }
}

pub(super) fn refine_cron(job: &Map<String, Value>, issues: &mut Vec<Issue>) {
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

pub(super) fn refine_manifest(manifest: &Map<String, Value>, issues: &mut Vec<Issue>) {
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

pub(super) fn refine_tools(tools: &Map<String, Value>, issues: &mut Vec<Issue>) {
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

pub(super) fn refine_search(search: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let remembers = search.get("rememberAcrossConversations") == Some(&Value::Bool(true));
    if texts(search, "sources").contains(&"sessions") && !remembers {
        issues.push(custom(key(&["rememberAcrossConversations"])));
    }
}

pub(super) fn refine_profile(profile: &Map<String, Value>, issues: &mut Vec<Issue>) {
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
