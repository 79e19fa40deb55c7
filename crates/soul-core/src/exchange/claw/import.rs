use serde_json::{Value, json};

use super::read::{Problem, Reading, read};
use crate::exchange::import::{Imported, Refusal, bytes};
use crate::runtimes::{Files, join};

/// The files of a workspace that a plain soul has too.
const KEPT: [&str; 6] = ["AGENTS.md", "IDENTITY.md", "TOOLS.md", "USER.md", "MEMORY.md", "STYLE.md"];

pub(crate) fn is_claw(files: &dyn Files, path: &str) -> bool {
    path.ends_with("/CLAW.md") || bytes(files, &join(path, "CLAW.md")).is_ok()
}

pub(crate) fn import(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    match read(files, path) {
        Ok(reading) => Ok(imported(reading)),
        Err(problems) => {
            let named: Vec<String> =
                problems.iter().map(|problem| format!("{} at {}", problem.code, problem.path)).collect();
            let diagnostics: Vec<Value> = problems.iter().map(Problem::to_json).collect();
            let message = format!("OpenClaw does not accept this package: {}", named.join(", "));
            Err(Refusal { message, reading: json!({ "ok": false, "diagnostics": diagnostics }) })
        }
    }
}

fn imported(reading: Reading) -> Imported {
    let Reading { manifest, body, files, excluded, integrity, byte_length, bootstrap, profile, warnings } = reading;
    let agent = &manifest["agent"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let name = text(&agent["name"]).or_else(|| text(&agent["identity"]["name"])).or_else(|| text(&agent["id"]));
    let sidecar = files.iter().find(|(path, _)| path.eq_ignore_ascii_case("SOUL.md"));
    let soul = body.clone().or_else(|| sidecar.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()));
    let mut imported = Imported::text(soul.unwrap_or_default());
    for (path, bytes) in &files {
        if path.eq_ignore_ascii_case("SOUL.md") {
            continue;
        }
        match (KEPT.contains(&path.as_str()), std::str::from_utf8(bytes)) {
            (true, Ok(text)) => imported.file(path, text),
            _ => imported.leave(path.as_str(), "it is not part of a soul"),
        }
    }
    identity(&mut imported, &agent["identity"]);
    imported.card(name.as_deref(), agent["description"].as_str());
    for (key, what) in
        [("packages", "packages"), ("mcpServers", "MCP servers"), ("cronJobs", "schedules"), ("metadata", "metadata")]
    {
        let count =
            manifest[key].as_array().map(Vec::len).or_else(|| manifest[key].as_object().map(serde_json::Map::len));
        if let Some(count) = count.filter(|count| *count > 0) {
            imported.leave(format!("{count} {what}"), "what a program starts or installs is not part of a soul");
        }
    }
    if bootstrap {
        imported.leave("BOOTSTRAP.md", "it says what to do at the first run, not who the agent is");
    }
    if profile {
        imported.leave("the OpenClaw profile", "settings are not part of a soul");
    }
    let diagnostics: Vec<Value> = warnings.iter().map(Problem::to_json).collect();
    imported.reading = json!({
        "ok": true,
        "manifest": manifest,
        "soul_from_body": body,
        "excluded": excluded,
        "integrity": integrity,
        "byteLength": byte_length,
        "diagnostics": diagnostics,
    });
    imported
}

/// What the manifest says of the card that people see.
fn identity(imported: &mut Imported, identity: &Value) {
    if imported.files.iter().any(|(path, _)| path == "IDENTITY.md") {
        return;
    }
    let lines = [("Name", "name"), ("Theme", "theme"), ("Emoji", "emoji")];
    let lines = lines.iter().filter_map(|(label, key)| Some(format!("- {label}: {}\n", identity[*key].as_str()?)));
    let card: String = lines.collect();
    if !card.is_empty() {
        imported.file("IDENTITY.md", card);
    }
    if identity["avatar"].is_string() {
        imported.leave("the avatar", "pictures are not imported");
    }
}
