//! Souls in the files of other programs: what these accept, recorded, and the way there and back.

use serde_json::{Map, Value, json};
use soul_core::exchange::{claw, crewai, eliza};
use soul_core::runtimes::Tree;

use crate::runtimes::{Checked, base64, disk, equal, run, string};

fn claw_case(case: &Value) -> Checked {
    const ROOT: &str = "/tmp/sk-claw";
    let mut tree = Tree::new();
    disk(&mut tree, ROOT, &case["disk"]);
    let got = match claw::read(&tree, ROOT) {
        Ok(read) => json!({
            "ok": true,
            "manifest": read.manifest,
            "soul_from_body": read.body,
            "excluded": read.excluded,
            "integrity": read.integrity,
            "byteLength": read.byte_length,
            "diagnostics": read.warnings.iter().map(claw::Problem::to_json).collect::<Vec<_>>(),
        }),
        Err(problems) => {
            json!({ "ok": false, "diagnostics": problems.iter().map(claw::Problem::to_json).collect::<Vec<_>>() })
        }
    };
    for key in ["ok", "diagnostics", "manifest", "soul_from_body", "excluded", "integrity", "byteLength"] {
        equal(key, &got[key], &case[key])?;
    }
    Ok(())
}

#[test]
fn claw_cases() {
    run("claw.jsonl", claw_case);
}

#[test]
fn eliza_cases() {
    run("eliza.jsonl", |case| {
        let got = eliza::read(case["json"].as_str().unwrap());
        ["valid", "data", "issues", "error"].iter().try_for_each(|key| equal(key, &got[*key], &case[*key]))
    });
}

#[test]
fn crewai_cases() {
    run("crewai.jsonl", |case| {
        let bytes = match string(&case["agents_yaml"]) {
            Some(text) => text.as_bytes().to_vec(),
            None => base64(case["agents_yaml_base64"].as_str().unwrap()),
        };
        let inputs: Map<String, Value> = case["inputs"].as_object().cloned().unwrap_or_default();
        let got = crewai::read(&bytes, case["agent"].as_str().unwrap(), &inputs);
        let keys = ["load_error", "loaded", "error", "fields", "out", "system"];
        keys.iter().try_for_each(|key| equal(key, &got[*key], &case[*key]))
    });
}
