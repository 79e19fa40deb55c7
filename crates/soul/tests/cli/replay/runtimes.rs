//! Hermes, Gemini CLI and Codex, through `soul deliver`.

use std::fs;

use serde_json::{Value, json};

use super::{Checked, Disk, digest, equal, replay, set, text};

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
            same_text(Some(content), &case["out"])?;
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
            fs::create_dir_all(&folder).unwrap();
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
    replay("hermes.jsonl", &[("soul", 55), ("limit", 17), ("project", 24), ("memory", 14)], hermes);
}

/// What JavaScript trims.
fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
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
        equal("out", &content.into(), &text(&case["out"]).trim_matches(is_js_space).into())?;
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
    replay("gemini.jsonl", &[("imports", 19), ("discover", 13)], gemini);
}

fn codex(disk: &Disk, case: &Value) -> Checked {
    let (folder, home) = (disk.here(text(&case["root"])), disk.here(text(&case["codex_home"])));
    disk.write(&folder, &case["disk"]);
    disk.write(&home, &case["home_disk"]);
    fs::create_dir_all(&folder).unwrap();
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
