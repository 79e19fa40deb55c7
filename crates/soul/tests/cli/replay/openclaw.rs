//! OpenClaw: steps as a hook would list the files, and whole folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Checked, Disk, digest, equal, replay, set, text};

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
            // Without a workspace MEMORY.md is known by its name, wherever it is; with one, by its path.
            let is_compared = |path: &&str| {
                session["workspaceDir"] == "/ws" || *path == "/ws/MEMORY.md" || !path.ends_with("/MEMORY.md")
            };
            let mut more = Vec::new();
            set(&mut more, "sessionKey", &session["sessionKey"].as_str().unwrap_or_default().into());
            set(&mut more, "chatType", &session["chatType"]);
            set(&mut more, "workspaceBootstrapPending", &true.into());
            set(&mut more, "totalMaxChars", &1_000_000.into());
            let got = deliver(&more)?;
            let got: BTreeSet<&str> =
                got["files"].as_array().unwrap().iter().map(|file| text(&file["path"])).filter(is_compared).collect();
            // A main session alone follows BOOTSTRAP.md, which is decided after the filter.
            let want = case["out"].as_array().unwrap().iter().map(text);
            let want = want.filter(is_compared).filter(|path| !path.ends_with("/BOOTSTRAP.md") || got.contains(path));
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
        ("bootstrap", 139),
        ("sweep", 6),
        ("filter", 56),
        ("routing", 34),
        ("render", 17),
        ("notice", 2),
        ("load", 19),
        ("extra", 4),
    ];
    replay("openclaw.jsonl", &least, openclaw);
}
