//! The cases recorded from running runtimes, through the binary: files on a disk, one command, its JSON.
//!
//! The core runs the same cases step by step. Here they go in as a user has them, so that nothing between the command line
//! and the emulators changes them. A case about a step that no session of ours can be in is counted and named.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use soul_core::digest::RawDigest;

/// `Ok(false)` if no command can bring the case about.
type Checked = Result<bool, String>;

fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/runtimes").join(file);
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Replays a file of cases, and says how many of each stage hold; of these, so many must have been possible.
fn replay(file: &str, least: &[(&str, usize)], check: impl Fn(&Disk, &Value) -> Checked) {
    let (mut failed, mut held, mut beyond) = (Vec::new(), BTreeMap::<String, usize>::new(), BTreeSet::new());
    for case in cases(file) {
        let (id, stage) = (text(&case["id"]).to_owned(), text(&case["stage"]).to_owned());
        match check(&Disk::new(), &case) {
            Ok(true) => *held.entry(stage).or_default() += 1,
            Ok(false) => drop(beyond.insert(id)),
            Err(why) => failed.push(format!("{id}: {why}")),
        }
    }
    println!("replay runtimes/{file}: {held:?} hold, not reachable by a command: {beyond:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for (stage, least) in least {
        assert!(held.get(*stage).is_some_and(|held| held >= least), "{stage}: {held:?}, not {least}");
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn equal(what: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what} is\n  {got}\nnot\n  {want}")) }
}

fn digest(text: &str) -> String {
    RawDigest::of(text.as_bytes()).to_string().trim_start_matches("raw:sha256:").to_owned()
}

/// A place for the files of one case. `/srv` of the recorded paths is a folder in it.
struct Disk {
    root: tempfile::TempDir,
}

impl Disk {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    fn srv(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("srv")
    }

    /// Where a recorded path is here.
    fn here(&self, recorded: &str) -> PathBuf {
        self.srv().join(recorded.trim_start_matches("/srv").trim_start_matches('/'))
    }

    /// The same text with the recorded paths.
    fn recorded(&self, value: &Value) -> Value {
        let srv = self.srv().display().to_string();
        match value {
            Value::String(text) => text.replace(&srv, "/srv").into(),
            Value::Array(values) => values.iter().map(|value| self.recorded(value)).collect(),
            Value::Object(fields) => {
                Value::Object(fields.iter().map(|(key, value)| (key.clone(), self.recorded(value))).collect())
            }
            other => other.clone(),
        }
    }

    fn write(&self, folder: &Path, entries: &Value) {
        for entry in entries.as_array().into_iter().flatten() {
            let path = folder.join(text(&entry["path"]));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if let Some(target) = entry["symlink"].as_str() {
                let target = if target.starts_with("/srv/") { self.here(target) } else { target.into() };
                symlink(target, &path).unwrap();
                continue;
            }
            if let Some(other) = entry["hardlink"].as_str() {
                fs::hard_link(folder.join(other), &path).unwrap();
                continue;
            }
            if entry["dir"] == true {
                fs::create_dir_all(&path).unwrap();
                continue;
            }
            let bytes = match (entry["content"].as_str(), entry["base64"].as_str(), entry["repeat"].as_array()) {
                (Some(content), ..) => content.as_bytes().to_vec(),
                (_, Some(encoded), _) => base64(encoded),
                (_, _, Some(repeat)) => {
                    let count = usize::try_from(repeat[1].as_u64().unwrap()).unwrap();
                    let middle = text(&repeat[0]).repeat(count);
                    format!("{}{middle}{}", text(&entry["prefix"]), text(&entry["suffix"])).into_bytes()
                }
                _ => panic!("{entry}"),
            };
            fs::write(&path, bytes).unwrap();
            if let Some(mode) = entry["mode"].as_str() {
                let mode = u32::from_str_radix(mode, 8).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    /// What a command answers, as JSON.
    fn soul(&self, arguments: &[&str]) -> Result<Value, String> {
        let home = self.root.path().join("home");
        let output = Command::new(env!("CARGO_BIN_EXE_soul"))
            .args(arguments)
            .arg("--json")
            .env("SOUL_HOME", &home)
            .current_dir(self.root.path())
            .output()
            .unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
        if answer["error"].is_object() { Err(answer["error"].to_string()) } else { Ok(answer) }
    }

    fn deliver(&self, folder: &Path, runtime: &str, more: &[String]) -> Result<Value, String> {
        fs::create_dir_all(folder).unwrap();
        let folder = folder.display().to_string();
        let mut arguments = vec!["deliver", &folder, "--runtime", runtime];
        arguments.extend(more.iter().map(String::as_str));
        self.soul(&arguments)
    }
}

fn base64(encoded: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for digit in encoded.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte)) {
        bits = (bits << 6) | u32::try_from(digit).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xff).unwrap());
        }
    }
    bytes
}

fn set(settings: &mut Vec<String>, name: &str, value: &Value) {
    let value = match value {
        Value::Null => return,
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    };
    settings.extend(["--set".to_owned(), format!("{name}={value}")]);
}

/// A workspace with these files, as a hook would list them. `None` if one of them cannot be a file there.
fn workspace(disk: &Disk, root: &str, files: &Value) -> Option<(PathBuf, Vec<String>)> {
    let folder = disk.root.path().join("workspace");
    fs::create_dir_all(&folder).unwrap();
    let mut listed: Vec<String> = Vec::new();
    for file in files.as_array().unwrap() {
        let path = file["path"].as_str()?.strip_prefix(&format!("{root}/"))?;
        let name = path.rsplit('/').next()?;
        let is_usual = file["name"].as_str().is_none_or(|named| named == name) && !path.contains(['\\', ';']);
        if !is_usual || path.trim() != path || path.contains("..") || listed.iter().any(|other| other == path) {
            return None;
        }
        if file["missing"] != true {
            let bytes = text(&file["content"]);
            fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            fs::write(folder.join(path), bytes).unwrap();
        }
        listed.push(path.to_owned());
    }
    let settings =
        vec!["--at".to_owned(), root.to_owned(), "--set".to_owned(), format!("bootstrapFiles={}", listed.join(";"))];
    Some((folder, settings))
}

fn owner(settings: &mut Vec<String>, files: &Value) -> bool {
    let personal = files.as_array().unwrap().iter().filter(|file| file["personalUser"] == true);
    let ids: Vec<&str> = personal.map(|file| text(&file["path"]).rsplit('/').nth(1).unwrap_or_default()).collect();
    ids.first().into_iter().for_each(|id| set(settings, "profileId", &(*id).into()));
    ids.len() < 2
}

fn same_files(got: &Value, want: &Value) -> Result<(), String> {
    let (got, want) = (got.as_array().unwrap(), want.as_array().unwrap());
    for (got, want) in got.iter().zip(want) {
        equal("path", &got["path"], &want["path"])?;
        match want["content"].get("sha256") {
            Some(expected) => equal("digest", &digest(text(&got["content"])).into(), expected)?,
            None => equal("content", &got["content"], &want["content"])?,
        }
    }
    equal("count", &got.len().into(), &want.len().into())
}

fn openclaw(disk: &Disk, case: &Value) -> Checked {
    if matches!(text(&case["stage"]), "load" | "extra") {
        return openclaw_folder(disk, case);
    }
    // A filter goes by names alone; blank files would not be seen at all.
    let mut files = case["files"].clone();
    if case["stage"] == "filter" {
        files.as_array_mut().unwrap().iter_mut().for_each(|file| file["content"] = "x".into());
    }
    let Some((folder, mut settings)) = workspace(disk, "/ws", &files) else { return Ok(false) };
    if !owner(&mut settings, &files) {
        return Ok(false);
    }
    let options = &case["opts"];
    for name in ["maxChars", "totalMaxChars", "activeProjectKeys", "hasBootstrapFileAccess", "promptMode", "trigger"] {
        set(&mut settings, name, &options[name]);
    }
    let deliver = |more: &[String]| disk.deliver(&folder, "openclaw", &[&settings[..], more].concat());
    match text(&case["stage"]) {
        "bootstrap" => {
            // BOOTSTRAP.md is dropped after the budget unless it is followed.
            let got = deliver(&["--set".into(), "workspaceBootstrapPending=true".into()])?;
            same_files(&got["files"], &case["out"])?;
            equal("warnings", &got["warnings"], &case["warnings"])?;
        }
        "sweep" => {
            for step in case["sweep"].as_array().unwrap().iter().step_by(16) {
                let got = deliver(&["--set".into(), format!("maxChars={}", step["maxChars"])])?;
                let content = text(&got["files"][0]["content"]);
                equal("length", &content.encode_utf16().count().into(), &step["len"])?;
                equal("digest", &digest(content).into(), &step["sha256"])?;
            }
        }
        "filter" => {
            let session = &case["session"];
            if session["workspaceDir"] != "/ws" {
                return Ok(false);
            }
            let mut more = Vec::new();
            set(&mut more, "sessionKey", &session["sessionKey"].as_str().unwrap_or_default().into());
            set(&mut more, "chatType", &session["chatType"]);
            set(&mut more, "workspaceBootstrapPending", &true.into());
            set(&mut more, "totalMaxChars", &1_000_000.into());
            let got = deliver(&more)?;
            let got: BTreeSet<&str> = got["files"].as_array().unwrap().iter().map(|file| text(&file["path"])).collect();
            // A main session alone follows BOOTSTRAP.md, which is decided after the filter.
            let want = case["out"].as_array().unwrap().iter().map(text);
            let want = want.filter(|path| !path.ends_with("/BOOTSTRAP.md") || got.contains(path));
            equal("files", &json!(got), &json!(want.collect::<BTreeSet<_>>()))?;
        }
        "routing" => {
            let canonical = options["isCanonicalWorkspace"] != false
                && options["effectiveWorkspace"] == options["resolvedWorkspace"];
            let mut more = Vec::new();
            set(&mut more, "workspaceBootstrapPending", &(options["workspaceBootstrapPending"] == true).into());
            set(&mut more, "isCanonicalWorkspace", &canonical.into());
            set(&mut more, "hasBootstrapFileAccess", &(options["hasBootstrapFileAccess"] == true).into());
            let key = if options["isPrimaryRun"] == true { "agent:main:main" } else { "agent:main:subagent:1" };
            set(&mut more, "sessionKey", &key.into());
            set(&mut more, "trigger", &text(&options["trigger"]).into());
            match options["bootstrapContextRunKind"].as_str() {
                None | Some("default") => {}
                Some(kind) => more.extend(["--session-kind".to_owned(), kind.to_owned()]),
            }
            let got = deliver(&more)?;
            let mode = match text(&got["text"]) {
                text if text.contains("this run cannot safely finish") => "limited",
                text if text.contains("follow before normal reply") => "full",
                _ => "none",
            };
            equal("mode", &mode.into(), &case["out"]["bootstrapMode"])?;
        }
        "render" => {
            if options.get("bootstrapTruncationNotice").is_some() {
                return Ok(false);
            }
            let mode = options["bootstrapMode"].as_str().unwrap_or("none");
            let has_bootstrap = fs::exists(folder.join("BOOTSTRAP.md")).unwrap();
            let more = match mode {
                "full" => vec!["workspaceBootstrapPending=true"],
                "limited" => vec!["workspaceBootstrapPending=true", "isCanonicalWorkspace=false"],
                // Without a mode, the file would be followed.
                _ if has_bootstrap => return Ok(false),
                _ => vec!["workspaceBootstrapPending=false"],
            };
            let more: Vec<String> = more.iter().flat_map(|value| ["--set".to_owned(), (*value).to_owned()]).collect();
            // What is rendered has gone through the budget already, which trims.
            if files.as_array().unwrap().iter().any(|file| text(&file["content"]) != text(&file["content"]).trim_end())
            {
                return Ok(false);
            }
            let got = deliver(&more)?;
            if options["promptMode"] == "none" {
                return equal("text", &got["text"], &"".into()).map(|()| true);
            }
            equal("text", &got["text"], &case["text"])?;
        }
        "notice" => {
            let got = deliver(&[])?;
            let shown = text(&got["text"]).contains("## Bootstrap Context Notice");
            equal("notice", &shown.into(), &case["notice"].is_string().into())?;
        }
        stage => return Err(format!("no stage {stage}")),
    }
    Ok(true)
}

/// A folder as it is on the disk, with nothing listed.
fn openclaw_folder(disk: &Disk, case: &Value) -> Checked {
    let folder = disk.here("/srv/sk-ws");
    disk.write(&folder, &case["disk"]);
    let params = &case["params"];
    let mut settings = vec!["--at".to_owned(), "/srv/sk-ws".to_owned()];
    let key = params["sessionKey"].as_str().or_else(|| params["sessionId"].as_str()).unwrap_or_default();
    set(&mut settings, "sessionKey", &key.into());
    set(&mut settings, "chatType", &params["chatType"]);
    set(&mut settings, "contextMode", &params["contextMode"]);
    set(&mut settings, "profileId", &params["bootstrapUserProfileId"]);
    set(&mut settings, "setupCompleted", &case["setupCompleted"]);
    set(&mut settings, "extraFiles", &case["patterns"]);
    // The case is from before the step that drops BOOTSTRAP.md.
    let pending = case["setupCompleted"] != true;
    set(&mut settings, "workspaceBootstrapPending", &pending.into());
    let agents = &params["config"]["agents"];
    for name in ["bootstrapMaxChars", "bootstrapTotalMaxChars"] {
        let own = params["agentId"].as_str().map(|id| &agents["entries"][id][name]).filter(|value| !value.is_null());
        set(&mut settings, name, own.unwrap_or(&agents["defaults"][name]));
    }
    let got = disk.deliver(&folder, "openclaw", &settings)?;
    let sorted = |files: &Value| {
        let mut files: Vec<Value> = files.as_array().unwrap().clone();
        files.iter_mut().for_each(|file| drop(file.as_object_mut().unwrap().remove("personalUser")));
        if case["stage"] == "extra" {
            files.sort_by_key(|file| text(&file["path"]).to_owned());
        }
        files
    };
    let bootstrap = |file: &Value| text(&file["path"]).ends_with("/BOOTSTRAP.md");
    let (mut got_files, mut want) = (sorted(&got["files"]), sorted(&case["out"]));
    if !got_files.iter().any(bootstrap) {
        want.retain(|file| !bootstrap(file));
    }
    // Root can read a file that nobody may read.
    if case["disk"].to_string().contains("\"000\"") && fs::read(folder.join("SOUL.md")).is_ok() {
        got_files.retain(|file| !text(&file["content"]).contains("EACCES"));
        want.retain(|file| !text(&file["content"]).contains("EACCES"));
        got_files.retain(|file| want.iter().any(|want| want["path"] == file["path"]));
    }
    same_files(&got_files.into(), &want.into())?;
    equal("warnings", &got["warnings"], &case["warnings"])?;
    Ok(true)
}

#[test]
fn openclaw_through_the_binary() {
    let least = [
        ("bootstrap", 120),
        ("sweep", 6),
        ("filter", 50),
        ("routing", 34),
        ("render", 12),
        ("notice", 2),
        ("load", 19),
        ("extra", 4),
    ];
    replay("openclaw.jsonl", &least, openclaw);
}

fn hermes(disk: &Disk, case: &Value) -> Checked {
    let stage = text(&case["stage"]);
    let folder = disk.here(case["home"].as_str().or_else(|| case["root"].as_str()).unwrap_or("/srv/sk-hermes"));
    let mut settings = Vec::new();
    if let Some(window) = case["context_length"].as_i64() {
        if window < 1 {
            return Ok(false);
        }
        settings.extend(["--window".to_owned(), window.to_string()]);
    }
    if let Some(config) = case["config_yaml"].as_str() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.yaml"), config).unwrap();
    }
    let same_text = |got: Option<&str>, want: &Value| match case.get("out_sha256") {
        Some(expected) => equal("digest", &got.map(digest).into(), expected),
        None => equal("out", &got.into(), want),
    };
    match stage {
        "soul" => {
            disk.write(&folder, &case["disk"]);
            let got = disk.recorded(&disk.deliver(&folder, "hermes", &settings)?);
            let content = got["files"].as_array().unwrap().iter().find(|file| text(&file["path"]).ends_with("SOUL.md"));
            let content = content.map(|file| text(&file["content"])).unwrap_or_default();
            // Nothing and an empty text are replaced by the built-in identity.
            if matches!(case["out"].as_str(), None | Some("")) && case.get("out_sha256").is_none() {
                return Ok(content.starts_with("You are Hermes"));
            }
            let markers = case["out"].as_str().is_some_and(|out| out.contains("/srv/"));
            same_text(Some(content), &case["out"]).map_err(|why| format!("{markers} {why}"))?;
            equal("warnings", &got["warnings"], &case["warnings"])?;
        }
        "limit" => {
            let limit = usize::try_from(case["out"].as_u64().unwrap()).unwrap();
            if limit < 20 {
                return Ok(false);
            }
            for (length, is_cut) in [(limit, false), (limit + 1, true)] {
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("SOUL.md"), "x".repeat(length)).unwrap();
                let got = disk.deliver(&folder, "hermes", &settings)?;
                equal("cut", &(got["sections"][0]["state"] != "delivered").into(), &is_cut.into())?;
            }
        }
        "project" => {
            disk.write(&folder, &case["disk"]);
            fs::create_dir_all(folder.join(text(&case["cwd"]))).unwrap();
            if let Some(git) = case["git_root"].as_str() {
                fs::create_dir_all(folder.join(git).join(".git")).unwrap();
            }
            set(&mut settings, "cwd", &case["cwd"]);
            set(&mut settings, "skip_soul", &true.into());
            let got = disk.recorded(&disk.deliver(&folder, "hermes", &settings)?);
            // A part of the prompt is stripped when the prompt is joined.
            let want = case["out"].as_str().map(str::trim).into();
            same_text(Some(text(&got["text"])), &want)?;
            equal("warnings", &got["warnings"], &case["warnings"])?;
        }
        "memory" => {
            disk.write(&folder, &case["disk"]);
            set(&mut settings, "memory_char_limit", &case["memory_char_limit"]);
            set(&mut settings, "user_char_limit", &case["user_char_limit"]);
            let got = disk.deliver(&folder, "hermes", &settings)?;
            for (name, key) in [("MEMORY.md", "memory"), ("USER.md", "user")] {
                let found = got["files"].as_array().unwrap().iter().find(|file| text(&file["path"]).ends_with(name));
                equal(key, &json!(found.map(|file| text(&file["content"]))), &case["out"][key])?;
            }
        }
        // What a tool writes, and what a tool result says, is not what a session starts with.
        "memory_add" | "subdir" => return Ok(false),
        stage => return Err(format!("no stage {stage}")),
    }
    Ok(true)
}

#[test]
fn hermes_through_the_binary() {
    replay("hermes.jsonl", &[("soul", 50), ("limit", 15), ("project", 24), ("memory", 14)], hermes);
}

fn gemini(disk: &Disk, case: &Value) -> Checked {
    let folder = disk.here(text(&case["root"]));
    disk.write(&folder, &case["disk"]);
    let mut settings = Vec::new();
    if case["stage"] == "imports" {
        set(&mut settings, "importFormat", &case["format"]);
        set(&mut settings, "context.fileName", &case["main"].as_str().and_then(|main| main.rsplit('/').next()).into());
        if text(&case["main"]).contains('/') {
            return Ok(false);
        }
        let got = disk.recorded(&disk.deliver(&folder, "gemini", &settings)?);
        // A file is trimmed when it is put into the context.
        let content = got["files"].as_array().unwrap().last().map(|file| text(&file["content"])).unwrap_or_default();
        equal("out", &content.into(), &text(&case["out"]).trim().into())?;
        return Ok(true);
    }
    let (home, memory) = (disk.here(text(&case["home"])), disk.here(text(&case["project_memory_dir"])));
    disk.write(&home, &case["home_disk"]);
    disk.write(&memory, &case["memory_disk"]);
    let extensions = case["extensions"].as_array().cloned().unwrap_or_default();
    let active = extensions.iter().filter(|extension| extension["active"] != false);
    let files: Vec<Value> =
        active.flat_map(|extension| extension["files"].as_array().cloned().unwrap_or_default()).collect();
    let files: Vec<Value> = files.iter().map(|path| disk.here(text(path)).display().to_string().into()).collect();
    set(&mut settings, "home", &home.display().to_string().into());
    set(&mut settings, "projectMemoryDir", &memory.display().to_string().into());
    set(&mut settings, "workspaceDirs", &case["workspace_dirs"]);
    set(&mut settings, "context.fileName", &case["context_file_names"]);
    set(&mut settings, "extensionFiles", &files.into());
    set(&mut settings, "boundaryMarkers", &case["boundary_markers"]);
    set(&mut settings, "trusted", &case["trusted"]);
    let got = disk.recorded(&disk.deliver(&folder, "gemini", &settings)?);
    let want = format!("{}{}", text(&case["system_text"]), text(&case["session_text"]));
    equal("text", &got["text"], &want.into())?;
    Ok(true)
}

#[test]
fn gemini_through_the_binary() {
    replay("gemini.jsonl", &[("imports", 15), ("discover", 13)], gemini);
}

fn codex(disk: &Disk, case: &Value) -> Checked {
    let (folder, home) = (disk.here(text(&case["root"])), disk.here(text(&case["codex_home"])));
    disk.write(&folder, &case["disk"]);
    disk.write(&home, &case["home_disk"]);
    fs::create_dir_all(folder.join(text(&case["cwd"]))).unwrap();
    if let Some(git) = case["git_root"].as_str() {
        fs::create_dir_all(folder.join(git).join(".git")).unwrap();
    }
    let mut settings = Vec::new();
    for entry in case["config"].as_array().unwrap() {
        let (name, value) = text(entry).split_once('=').unwrap();
        set(&mut settings, name, &value.into());
    }
    set(&mut settings, "CODEX_HOME", &home.display().to_string().into());
    set(&mut settings, "cwd", &case["cwd"]);
    let got = disk.recorded(&disk.deliver(&folder, "codex", &settings)?);
    let sent = text(&got["text"]);
    if case.get("text").is_some() {
        let want = text(&case["text"]);
        equal("text", &sent.into(), &want.into())?;
        return Ok(true);
    }
    equal("length", &sent.chars().count().into(), &case["text_len"])?;
    if let Some(count) = case.get("text_x_count") {
        equal("x", &sent.matches('x').count().into(), count)?;
    }
    if let Some(has) = case.get("text_has_Y") {
        equal("Y", &sent.contains('Y').into(), has)?;
    }
    Ok(true)
}

#[test]
fn codex_through_the_binary() {
    replay("codex.jsonl", &[("prompt", 32)], codex);
}

#[test]
fn claw_through_the_binary() {
    replay("claw.jsonl", &[("validate", 69)], |disk, case| {
        let folder = disk.here("/srv/claw");
        disk.write(&folder, &case["disk"]);
        let got = disk.soul(&["import", &folder.display().to_string(), "--from", "claw"])?;
        equal("ok", &got["valid"], &case["ok"])?;
        for key in ["manifest", "soul_from_body", "excluded", "integrity", "byteLength", "diagnostics"] {
            equal(key, &got["reading"][key], &case[key])?;
        }
        Ok(true)
    });
}

#[test]
fn eliza_through_the_binary() {
    replay("eliza.jsonl", &[("validate", 43)], |disk, case| {
        let path = disk.root.path().join("character.json");
        fs::write(&path, text(&case["json"])).unwrap();
        let got = disk.soul(&["import", &path.display().to_string(), "--from", "eliza"])?;
        for key in ["valid", "data", "issues", "error"] {
            equal(key, &got["reading"][key], &case[key])?;
        }
        Ok(true)
    });
}

#[test]
fn crewai_through_the_binary() {
    replay("crewai.jsonl", &[("agent", 15)], |disk, case| {
        // Inputs are given when a crew starts, not in its files.
        if case["inputs"].as_object().is_some_and(|inputs| !inputs.is_empty()) {
            return Ok(false);
        }
        let path = disk.root.path().join("agents.yaml");
        let bytes = case["agents_yaml"].as_str().map(|text| text.as_bytes().to_vec());
        fs::write(&path, bytes.unwrap_or_else(|| base64(text(&case["agents_yaml_base64"])))).unwrap();
        let path = format!("{}#{}", path.display(), text(&case["agent"]));
        let got = disk.soul(&["import", &path, "--from", "crewai"])?;
        for key in ["load_error", "loaded", "error", "fields", "out", "system"] {
            equal(key, &got["reading"][key], &case[key])?;
        }
        Ok(true)
    });
}
