//! A project as OpenClaw validates it: what it makes of the manifest, and every problem with its code.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::manifest::{MANIFEST, PROFILE};
use super::refine::conflicts_with_body;
use super::values::{is_exact_version, is_package_name, is_safe_path, path_key};
use crate::exchange::shape::{Issue, Key};
use crate::markup::yaml::{Tree, YAML2, has_features_beyond_json};
use crate::runtimes::{Files, Node};
use crate::runtimes::{is_within, join, parent, real_path, upwards};

const CLAW: &str = "CLAW.md";
const PROFILE_PATH: &str = "profiles/openclaw.yml";
const MAX_PACKAGE_BYTES: usize = 262_144;
const MAX_PROFILE_BYTES: usize = 262_144;
const MAX_FILE_BYTES: usize = 1_048_576;
const MAX_WORKSPACE_BYTES: usize = 4 * MAX_FILE_BYTES;
const MAX_BOOTSTRAP_BYTES: usize = 2_097_152;
const MAX_ENTRIES: usize = 4_096;

/// What OpenClaw says about a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `error` or `warning`.
    pub level: &'static str,
    /// OpenClaw's code.
    pub code: String,
    /// `parse`, `schema` or `policy`.
    pub phase: &'static str,
    /// The place in the manifest, such as `$.agent.id`.
    pub path: String,
}

impl Problem {
    fn of(code: impl Into<String>, phase: &'static str, path: impl Into<String>) -> Self {
        Self { level: "error", code: code.into(), phase, path: path.into() }
    }

    fn parse(code: impl Into<String>, path: &str) -> Self {
        Self::of(code, "parse", path)
    }

    fn policy(code: &str, path: &str) -> Self {
        Self::of(code, "policy", path)
    }

    /// As JSON, with the keys that OpenClaw has.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({ "level": self.level, "code": self.code, "phase": self.phase, "path": self.path })
    }
}

/// A project that OpenClaw accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The manifest, with the defaults filled in.
    pub manifest: Value,
    /// The body, byte for byte, unless it is blank; it becomes SOUL.md.
    pub body: Option<String>,
    /// The files that the manifest puts into the workspace: destination and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Files of the project that do not belong to the package.
    pub excluded: Vec<String>,
    /// The digest by which OpenClaw knows this state of the project.
    pub integrity: String,
    /// The size that goes with it.
    pub byte_length: usize,
    /// Whether the project has first-run instructions.
    pub bootstrap: bool,
    /// Whether the project has a profile with settings.
    pub profile: bool,
    /// Problems that do not keep it from being read.
    pub warnings: Vec<Problem>,
}

type Checked<T> = Result<T, Vec<Problem>>;

fn one<T>(problem: Problem) -> Checked<T> {
    Err(vec![problem])
}

/// Reads the project that a path belongs to.
///
/// # Errors
/// Every problem for which OpenClaw refuses it.
pub fn read(files: &dyn Files, path: &str) -> Checked<Reading> {
    let root = project_root(files, path)?;
    let package = package(files, &root)?;
    let manifest_path = real_path(files, &join(&root, CLAW)).unwrap_or_else(|| join(&root, CLAW));
    let raw = regular(files, &manifest_path, MAX_FILE_BYTES).map_err(|why| {
        let code = if why == Unreadable::TooLarge { "read_failed_too_large" } else { "read_failed" };
        vec![Problem::parse(code, "$")]
    })?;
    let (frontmatter, body) = split(&raw)?;
    let value = yaml(&frontmatter, "invalid_claw_frontmatter", "unsupported_claw_yaml_feature")?;
    let manifest = MANIFEST.read(&value).map_err(|issues| from_issues(&issues, "$"))?;
    let entries = manifest.as_object().cloned().unwrap_or_default();
    let body = Some(body).filter(|body| !js_blank(body));
    if body.is_some() && conflicts_with_body(&entries) {
        return one(Problem::parse("claw_body_soul_conflict", "$.workspace"));
    }
    let (profile, warnings) = profile(files, &root, &entries)?;
    let mut snapshot = Snapshot::default();
    snapshot.add("canonical-source", manifest_path.as_bytes());
    snapshot.add("manifest", &raw);
    if let Some((path, bytes)) = &profile {
        snapshot.add(&format!("profile:{path}"), bytes);
    }
    snapshot.add("package.json", &package);
    let bootstrap = bootstrap(files, &root)?;
    if let Some(bytes) = &bootstrap {
        snapshot.add("bootstrap:BOOTSTRAP.md", bytes);
    }
    let sources = sources(files, &root, &entries)?;
    for (source, bytes) in &sources {
        snapshot.add(&format!("workspace:{source}"), bytes);
    }
    let mut selected: Vec<&str> = vec!["package.json", CLAW];
    selected.extend(bootstrap.is_some().then_some("BOOTSTRAP.md"));
    selected.extend(profile.as_ref().map(|(path, _)| path.as_str()));
    selected.extend(sources.iter().map(|(source, _)| source.as_str()));
    policy(&profile, &sources, &selected)?;
    let excluded = excluded(files, &root, &selected)?;
    let (integrity, byte_length) = snapshot.finish();
    Ok(Reading {
        body,
        files: placed(&entries, &sources),
        manifest,
        excluded,
        integrity,
        byte_length,
        bootstrap: bootstrap.is_some(),
        profile: profile.is_some(),
        warnings,
    })
}

/// The folder with package.json and CLAW.md that a path is in.
fn project_root(files: &dyn Files, path: &str) -> Checked<String> {
    let start = if files.node(path) == Node::Folder { path } else { parent(path) };
    let is_file = |node: Node<'_>| matches!(node, Node::File(_) | Node::Hardlinked(_) | Node::TooLarge | Node::Denied);
    let manifest = |root: &str| {
        let claw = join(root, CLAW);
        match files.node(&claw) {
            Node::Link(_) => real_path(files, &claw).is_some_and(|real| {
                let inside = is_within(root, &real) && real != root;
                let hidden = real.split('/').any(|part| part == ".git" || part == "node_modules");
                inside && !hidden && is_file(files.node(&real))
            }),
            node => is_file(node),
        }
    };
    let mut roots = upwards(start).filter(|root| is_file(files.node(&join(root, "package.json"))) && manifest(root));
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root.to_owned()),
        (None, _) => one(Problem::policy("project_not_found", "$")),
        (Some(_), Some(_)) => one(Problem::policy("ambiguous_project_root", "$")),
    }
}

fn package(files: &dyn Files, root: &str) -> Checked<Vec<u8>> {
    let invalid = || vec![Problem::policy("invalid_project_package", "package.json")];
    let bytes = regular(files, &join(root, "package.json"), MAX_PACKAGE_BYTES).map_err(|_| invalid())?;
    let value: Value = serde_json::from_str(&String::from_utf8_lossy(&bytes)).map_err(|_| invalid())?;
    let claw = value.get("openclaw").and_then(|openclaw| openclaw.get("claw"));
    let mut problems = Vec::new();
    if claw.and_then(Value::as_str) != Some(CLAW) {
        problems.push(Problem::policy("project_manifest_must_be_claw_markdown", "package.json.openclaw.claw"));
    }
    if value.get("scripts").is_some_and(|scripts| scripts.as_object().is_none_or(|scripts| !scripts.is_empty())) {
        problems.push(Problem::policy("project_scripts_forbidden", "package.json.scripts"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    match text("name").is_some_and(is_package_name) && text("version").is_some_and(is_exact_version) {
        true => Ok(bytes),
        false => one(Problem::parse("invalid_package_metadata", "$")),
    }
}

/// The frontmatter and the body.
fn split(raw: &[u8]) -> Checked<(String, String)> {
    let raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    let missing = || vec![Problem::parse("missing_claw_frontmatter", "$")];
    let start = [&b"---\n"[..], b"---\r\n"].iter().find(|start| raw.starts_with(start)).ok_or_else(missing)?.len();
    let mut from = start;
    let (front, rest) = loop {
        let found = raw[from..].windows(4).position(|window| window == b"\n---").ok_or_else(missing)?;
        let at = from + found;
        let after = &raw[at + 4..];
        let line_end = [&b"\n"[..], b"\r\n"].iter().find(|end| after.starts_with(end)).map(|end| end.len());
        if let Some(length) = line_end.or(after.is_empty().then_some(0)) {
            break (raw[start..at].strip_suffix(b"\r").unwrap_or(&raw[start..at]), &after[length..]);
        }
        from = at + 1;
    };
    let text = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec());
        text.map_err(|_| vec![Problem::parse("invalid_claw_markdown_utf8", "$")])
    };
    Ok((text(front)?, text(rest)?))
}

fn yaml(text: &str, invalid: &str, unsupported: &str) -> Checked<Value> {
    let broken = || vec![Problem::parse(invalid, "$")];
    let features = has_features_beyond_json(text).ok_or_else(broken)?;
    if features {
        return one(Problem::parse(unsupported, "$"));
    }
    let tree = Tree::parse(text).map_err(|_| broken())?;
    if !tree.duplicates.is_empty() {
        return Err(tree.duplicates.iter().map(|_| Problem::parse(invalid, "$")).collect());
    }
    match tree.root_id() {
        Some(root) => tree.to_json(root, &YAML2).map_err(|_| broken()),
        None => Ok(Value::Null),
    }
}

fn from_issues(issues: &[Issue], root: &str) -> Vec<Problem> {
    let path = |issue: &Issue| {
        issue.path.iter().fold(root.to_owned(), |mut path, key| {
            let _ = match key {
                Key::Name(name) => write!(path, ".{name}"),
                Key::Index(index) => write!(path, "[{index}]"),
            };
            path
        })
    };
    issues.iter().map(|issue| Problem::of("invalid_manifest", "schema", path(issue))).collect()
}

type Profile = Option<(String, Vec<u8>)>;

fn profile(files: &dyn Files, root: &str, manifest: &Map<String, Value>) -> Checked<(Profile, Vec<Problem>)> {
    const POINTER: &str = "$.metadata.openclaw.config";
    let conventional = real_path(files, &join(root, PROFILE_PATH)).is_some();
    let pointer = manifest.get("metadata").and_then(|metadata| metadata.get("openclaw.config")?.as_str());
    let mut warnings = Vec::new();
    let (path, place) = match pointer {
        None if !conventional => return Ok((None, warnings)),
        None => (PROFILE_PATH, "$.profiles.openclaw"),
        Some(pointer) => {
            let lower = pointer.to_ascii_lowercase();
            let is_yaml = lower.ends_with(".yml") || lower.ends_with(".yaml");
            if pointer.contains('\\') || !is_safe_path(pointer) || !is_yaml {
                return one(Problem::parse("invalid_openclaw_profile_path", POINTER));
            }
            if conventional && pointer != PROFILE_PATH {
                return one(Problem::parse("conflicting_openclaw_profile_pointer", POINTER));
            }
            let deprecated = Problem::parse("deprecated_openclaw_profile_pointer", POINTER);
            warnings.push(Problem { level: "warning", ..deprecated });
            (pointer, POINTER)
        }
    };
    let bytes = regular(files, &join(root, path), MAX_PROFILE_BYTES).map_err(|why| {
        let code = match why {
            Unreadable::Unsafe => "openclaw_profile_unsafe",
            Unreadable::TooLarge => "openclaw_profile_too_large",
            Unreadable::Missing => "openclaw_profile_read_failed",
        };
        vec![Problem::parse(code, place)]
    })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let value = yaml(text, "invalid_openclaw_profile", "unsupported_openclaw_profile_yaml_feature")?;
    PROFILE.read(&value).map_err(|issues| from_issues(&issues, place))?;
    Ok((Some((path.to_owned(), bytes)), warnings))
}

fn bootstrap(files: &dyn Files, root: &str) -> Checked<Option<Vec<u8>>> {
    let path = join(root, "BOOTSTRAP.md");
    if files.node(&path) == Node::Missing {
        return Ok(None);
    }
    let problem = |code: &str| vec![Problem::parse(code, "$.bootstrap")];
    let bytes = regular(files, &path, MAX_BOOTSTRAP_BYTES).map_err(|why| {
        problem(if why == Unreadable::TooLarge { "package_bootstrap_too_large" } else { "package_bootstrap_invalid" })
    })?;
    match std::str::from_utf8(&bytes) {
        Err(_) => Err(problem("package_bootstrap_invalid")),
        Ok(text) if js_blank(text) => Err(problem("package_bootstrap_empty")),
        Ok(_) => Ok(Some(bytes)),
    }
}

/// The files that the manifest names, in the order in which OpenClaw reads them.
fn sources(files: &dyn Files, root: &str, manifest: &Map<String, Value>) -> Checked<Vec<(String, Vec<u8>)>> {
    let mut names: Vec<&str> = declared(manifest).map(|(source, _)| source).collect();
    names.sort_unstable();
    let mut sources = Vec::new();
    for name in names {
        let linked = upwards(&join(root, name))
            .take_while(|path| *path != root)
            .any(|path| matches!(files.node(path), Node::Link(_)));
        let unsafe_source = || vec![Problem::parse("workspace_source_unsafe", "$.workspace")];
        if linked {
            return Err(unsafe_source());
        }
        let bytes = regular(files, &join(root, name), MAX_FILE_BYTES).map_err(|why| match why {
            Unreadable::Unsafe => unsafe_source(),
            Unreadable::TooLarge => vec![Problem::parse("workspace_source_too_large", "$.workspace")],
            Unreadable::Missing => vec![Problem::parse("workspace_source_invalid", "$.workspace")],
        })?;
        sources.push((name.to_owned(), bytes));
    }
    if sources.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MAX_WORKSPACE_BYTES {
        return one(Problem::parse("workspace_sources_too_large", "$.workspace"));
    }
    Ok(sources)
}

/// Source and destination of every file of the workspace.
fn declared(manifest: &Map<String, Value>) -> impl Iterator<Item = (&str, &str)> {
    let workspace = manifest.get("workspace");
    let bootstrap = workspace.and_then(|workspace| workspace.get("bootstrapFiles")?.as_object()).into_iter().flatten();
    let bootstrap = bootstrap.filter_map(|(name, entry)| Some((entry.get("source")?.as_str()?, name.as_str())));
    let files = workspace.and_then(|workspace| workspace.get("files")?.as_array()).into_iter().flatten();
    bootstrap.chain(files.filter_map(|entry| Some((entry.get("source")?.as_str()?, entry.get("path")?.as_str()?))))
}

fn placed(manifest: &Map<String, Value>, sources: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    let bytes = |source: &str| sources.iter().find(|(name, _)| name == source).map(|(_, bytes)| bytes.clone());
    declared(manifest).filter_map(|(source, path)| Some((path.to_owned(), bytes(source)?))).collect()
}

fn policy(profile: &Profile, sources: &[(String, Vec<u8>)], selected: &[&str]) -> Checked<()> {
    let hidden = |path: &str| path_key(path).split('/').any(|part| part == ".git" || part == "node_modules");
    if profile.as_ref().is_some_and(|(path, _)| hidden(path)) {
        return one(Problem::policy("project_excluded_source", "$.metadata.openclaw.config"));
    }
    if sources.iter().any(|(path, _)| hidden(path)) {
        return one(Problem::policy("project_excluded_source", "$.workspace"));
    }
    if sources.iter().any(|(path, _)| path_key(path) == "package.json") {
        return one(Problem::policy("project_invalid", "$.workspace.files"));
    }
    let collides = |path: &&str| selected.iter().any(|other| other != path && path_key(other) == path_key(path));
    if selected.iter().any(collides) {
        return one(Problem::policy("project_path_collision", "$"));
    }
    Ok(())
}

fn excluded(files: &dyn Files, root: &str, selected: &[&str]) -> Checked<Vec<String>> {
    let mut excluded = Vec::new();
    let mut entries = 0;
    let mut open = vec![String::new()];
    while let Some(folder) = open.pop() {
        for name in files.names(&join(root, &folder)) {
            entries += 1;
            if entries > MAX_ENTRIES {
                return one(Problem::policy("project_too_many_entries", "$"));
            }
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            match files.node(&join(root, &path)) {
                Node::Folder if name == ".git" || name == "node_modules" => excluded.push(format!("{path}/")),
                Node::Folder => open.push(path),
                _ if selected.contains(&path.as_str()) => {}
                _ => excluded.push(path),
            }
        }
    }
    excluded.sort();
    Ok(excluded)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unreadable {
    Unsafe,
    TooLarge,
    Missing,
}

/// A file that is not a link and has no other name.
fn regular(files: &dyn Files, path: &str, max: usize) -> Result<Vec<u8>, Unreadable> {
    match files.node(path) {
        Node::File(bytes) if bytes.len() <= max => Ok(bytes.into_owned()),
        Node::File(_) | Node::TooLarge => Err(Unreadable::TooLarge),
        Node::Hardlinked(_) | Node::Link(_) => Err(Unreadable::Unsafe),
        _ => Err(Unreadable::Missing),
    }
}

fn js_blank(text: &str) -> bool {
    crate::runtimes::js_trim(text).is_empty()
}

#[derive(Default)]
struct Snapshot {
    hash: Sha256,
    length: usize,
}

impl Snapshot {
    fn add(&mut self, label: &str, bytes: &[u8]) {
        self.hash.update(format!("{}:{label}:{}:", label.len(), bytes.len()));
        self.hash.update(bytes);
        self.length += bytes.len();
    }

    fn finish(self) -> (String, usize) {
        let hex = self.hash.finalize().iter().fold(String::from("sha256:"), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        (hex, self.length)
    }
}
