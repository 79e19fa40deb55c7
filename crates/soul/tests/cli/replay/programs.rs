//! CLAW.md, ElizaOS and CrewAI, through `soul import`: their own verdict is in `reading`.

use std::fs;

use super::{base64, equal, replay, text};

#[test]
fn claw_through_the_binary() {
    replay("claw.jsonl", &[("validate", 69)], |disk, case| {
        let folder = disk.here("/srv/claw");
        disk.write(&folder, &case["disk"]);
        let got = disk.soul(&["import", &folder.display().to_string(), "--from", "claw"])?;
        equal("ok", &got["valid"], &case["ok"])?;
        // `integrity` covers the path of the package, which is another one here; the core compares it.
        for key in ["manifest", "soul_from_body", "excluded", "diagnostics"] {
            equal(key, &got["reading"][key], &case[key])?;
        }
        let longer = folder.as_os_str().len() - "/tmp/sk-claw".len();
        let length = case["byteLength"].as_u64().map(|length| length + longer as u64);
        equal("byteLength", &got["reading"]["byteLength"], &length.into())?;
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
    replay("crewai.jsonl", &[("agent", 20)], |disk, case| {
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
