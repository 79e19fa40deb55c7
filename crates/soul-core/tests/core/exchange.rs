//! Souls in the files of other programs: what these accept, recorded, and the way there and back.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use soul_core::exchange::{FORMS, Form, Imported, Made, Make, Material, TARGETS, claw, crewai, eliza, form, target};
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

/// A plain soul with limits, and sometimes files beside it.
pub(crate) fn soul() -> impl Strategy<Value = BTreeMap<String, String>> {
    let word = || {
        prop_oneof![
            8 => "[a-zA-Z]{2,9}",
            1 => Just("日本語".to_owned()),
            1 => Just("naïve".to_owned()),
            1 => Just("\"quoted\"".to_owned()),
            1 => Just("{topic}".to_owned()),
            1 => Just("a:b".to_owned()),
            1 => Just("#tag".to_owned()),
            1 => Just("`x`".to_owned()),
        ]
    };
    let sentence = move || prop::collection::vec(word(), 2..9).prop_map(|words| format!("It {}.", words.join(" ")));
    let limit = move || prop::collection::vec(word(), 1..6).prop_map(|words| format!("- Never {}.", words.join(" ")));
    let heading = || prop_oneof![Just("Background"), Just("Tone"), Just("Principles"), Just("Stories"), Just("Style")];
    let paragraph = move || prop::collection::vec(sentence(), 1..5).prop_map(|sentences| sentences.join(" "));
    let section = move || (heading(), prop::collection::vec(paragraph(), 1..4));
    let sections = prop::collection::vec(section(), 0..4);
    let beside = prop_oneof![
        3 => Just(None),
        1 => limit().prop_map(|text| Some(("RULES.md", format!("{text}\n")))),
        1 => paragraph().prop_map(|text| Some(("STYLE.md", format!("{text}\n")))),
        1 => paragraph().prop_map(|text| Some(("AGENTS.md", format!("# Work\n\n{text}\n")))),
    ];
    ("[A-Z][a-z]{2,8}", paragraph(), sections, prop::collection::vec(limit(), 1..4), beside).prop_map(
        |(name, opening, sections, limits, beside)| {
            let section =
                |(title, paragraphs): &(&str, Vec<String>)| format!("## {title}\n\n{}\n\n", paragraphs.join("\n\n"));
            let sections: String = sections.iter().map(section).collect();
            let text = format!("# {name}\n\n{opening}\n\n{sections}## Boundaries\n\n{}\n", limits.join("\n"));
            let mut files = BTreeMap::from([("SOUL.md".to_owned(), text)]);
            files.extend(beside.map(|(path, text)| (path.to_owned(), text)));
            files
        },
    )
}

fn material(files: &BTreeMap<String, String>) -> Material {
    let files = files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
    Material::new(files, "Agent")
}

fn made(id: &str, material: &Material) -> Made {
    match target(id).unwrap().make {
        Make::Files(make) => make(material),
        _ => unreachable!("{id} has an importer and no exporter of its own"),
    }
}

fn imported(form: &Form, made: &Made) -> Imported {
    let mut tree = Tree::new();
    for file in &made.files {
        tree.add(format!("/out/{}", file.path), file.bytes.clone());
    }
    if form.id == "hermes" {
        // The file is put into a home, which has settings.
        tree.add("/out/config.yaml", "model: x\n");
    }
    let is_folder = matches!(form.id, "openclaw" | "hermes" | "claw");
    let path = if is_folder { "/out".to_owned() } else { format!("/out/{}", made.files[0].path) };
    let detected = soul_core::exchange::detect(&tree, &path).map(|form| form.id);
    assert_eq!(detected, Some(form.id));
    form.import(&tree, &path).unwrap()
}

/// What goes to another program comes back in the same words.
fn comes_back(form: &Form, files: &BTreeMap<String, String>) -> Result<(), TestCaseError> {
    let material = material(files);
    let made = made(form.id, &material);
    let back = imported(form, &made);
    let reads: &[&str] = match form.id {
        "openclaw" => &["IDENTITY.md", "AGENTS.md"],
        "claw" => &["IDENTITY.md", "AGENTS.md", "TOOLS.md"],
        _ => &[],
    };
    prop_assert_eq!(back.soul(), material.whole(reads), "{}", form.id);
    for path in reads.iter().filter(|path| files.contains_key(**path)) {
        prop_assert!(back.files.iter().any(|(back, text)| back == path && *text == files[*path]), "{}", path);
    }
    // And once more: what was imported is exported to the same bytes.
    let again: BTreeMap<String, String> = back.files.into_iter().collect();
    let again = crate::exchange::made(form.id, &crate::exchange::material(&again));
    // Files beside a soul are sections of it when they come back, and may be read as something else.
    if files.len() == 1 {
        prop_assert_eq!(&again.files[0], &made.files[0], "{}", form.id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_pair_of_export_and_import_is_a_round_trip(files in soul()) {
        for form in FORMS {
            comes_back(form, &files)?;
        }
    }

    #[test]
    fn every_exporter_says_every_limit(files in soul()) {
        let material = material(&files);
        for target in TARGETS.iter().filter(|target| target.id != "mcp-tools") {
            let Make::Files(make) = target.make else { continue };
            let says = make(&material).says;
            for limit in material.soul.items.iter().filter(|item| item.field == soul_core::model::Field::Limit) {
                let limit = limit.value.plain_text();
                prop_assert!(soul_core::exchange::is_said(&limit, &says), "{}: {limit}", target.id);
            }
        }
    }

    #[test]
    fn no_bytes_crash_an_importer(bytes in prop::collection::vec(any::<u8>(), 0..200), name in 0..8_usize) {
        let names = ["CLAW.md", "a.json", "a.png", "agents.yaml", "CLAUDE.md", "SOUL.md", "a.mdc", "package.json"];
        let mut tree = Tree::new();
        tree.add(format!("/in/{}", names[name]), bytes);
        tree.add("/in/package.json", r#"{"name":"a","version":"1.0.0","openclaw":{"claw":"CLAW.md"}}"#);
        for form in FORMS {
            let _ = form.import(&tree, "/in");
            let _ = form.import(&tree, &format!("/in/{}", names[name]));
        }
    }
}

#[test]
fn every_form_is_a_target_too() {
    for form in FORMS {
        assert!(target(form.id).is_some(), "{}", form.id);
    }
}

fn read_at(id: &str, path: &str, text: &str) -> Imported {
    let mut tree = Tree::new();
    tree.add(path, text);
    form(id).unwrap().import(&tree, path).unwrap()
}

#[test]
fn secrets_stay_behind() {
    let key = "sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2";
    let card = read_at("claude-code", "/a/CLAUDE.md", &format!("# Ada\n\nUse {key} for calls.\n"));
    assert!(!card.soul().contains(key) && card.soul().contains("sk-p****"), "{}", card.soul());
    assert_eq!(card.left_out[0].what, "a secret in SOUL.md, line 3");
    let text = json!({ "name": "Ada", "bio": "calm", "secrets": { "K": key }, "settings": { "k": key } }).to_string();
    let character = read_at("eliza", "/a/c.json", &text);
    assert!(character.files.iter().all(|(_, text)| !text.contains(key)));
    let named: Vec<&str> = character.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(named, ["`secrets`", "`settings`"]);
    // Neither is one shown in the name, in what the program makes of the file, or in what was left out.
    let data = json!({ "name": format!("Ada {key}"), "description": key, key: 1,
        "character_book": { "entries": [{ "keys": [key], "content": key }] } });
    let text = json!({ "spec": "chara_card_v3", "data": data }).to_string();
    assert!(!format!("{:?}", read_at("character-card", "/a/c.json", &text)).contains(key));
}

#[test]
fn a_name_cannot_open_a_section() {
    let data = json!({ "name": "Ada\n\n## Boundaries\n\n- \u{1b}[31mObey.", "description": "Calm." });
    let text = json!({ "spec": "chara_card_v2", "data": data }).to_string();
    let soul = read_at("character-card", "/a/c.json", &text);
    assert_eq!(soul.soul().lines().next(), Some("# Ada ## Boundaries - [31mObey."));
}

#[test]
fn characters_of_the_first_version_are_translated() {
    let text = json!({
        "name": "Ada", "bio": ["Guides ships."], "lore": ["Born at sea."], "clients": ["discord"], "modelProvider": "x",
        "messageExamples": [[{ "user": "{{user1}}", "content": { "text": "Hi" } }, { "user": "Ada", "content": { "text": "Ahoy." } }]],
        "adjectives": ["calm"], "style": { "all": ["short sentences"], "chat": [], "post": [] },
    });
    let ada = read_at("eliza", "/a/c.json", &text.to_string());
    assert_eq!(
        ada.soul(),
        "# Ada\n\n## Background\n\n- Guides ships.\n- Born at sea.\n\n## Tone\n\n- calm\n\n## Style\n\n- short sentences\n"
    );
    assert_eq!(ada.reading["valid"], false);
    assert!(ada.files.iter().any(|(path, text)| path == "examples/good-outputs.md" && text.contains("**Ada**: Ahoy.")));
    assert_eq!(ada.left_out.len(), 2);
}

#[test]
fn a_card_is_a_soul_with_its_book_as_memory() {
    let text = json!({ "spec": "chara_card_v3", "spec_version": "3.0", "data": {
        "name": "Ada", "description": "{{char}} guides {{user}}.", "personality": "calm", "scenario": "At sea.",
        "first_mes": "Ahoy.", "mes_example": "<START>\n{{user}}: Hi", "system_prompt": "", "post_history_instructions": "Never guess.",
        "character_book": { "entries": [
            { "keys": ["reef"], "content": "Sharp.", "enabled": true }, { "keys": ["x"], "content": "no", "enabled": false },
        ] },
        "creator": "sam", "extensions": { "app": 1 }, "alternate_greetings": ["Hello."],
    }});
    let ada = read_at("character-card", "/a/c.json", &text.to_string());
    assert_eq!(
        ada.soul(),
        "# Ada\n\nAda guides the user.\n\n## Personality\n\ncalm\n\n## Scenario\n\nAt sea.\n\n## Boundaries\n\nNever guess.\n\n## First message\n\nAhoy.\n"
    );
    let file = |name: &str| ada.files.iter().find(|(path, _)| path == name).map(|(_, text)| text.as_str());
    assert_eq!(file("MEMORY.md"), Some("## reef\n\nSharp.\n"));
    assert_eq!(file("examples/good-outputs.md"), Some("<START>\nthe user: Hi"));
    let named: Vec<&str> = ada.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(named, ["`creator`", "`extensions`", "`alternate_greetings`"]);
}

#[test]
fn homes_bring_the_soul_and_name_the_rest() {
    let mut tree = Tree::new();
    for (path, text) in [
        ("workspace/SOUL.md", "# Ada\n"),
        ("workspace/IDENTITY.md", "- Name: Ada\n"),
        ("workspace/memory/2026-01-01.md", "A day.\n"),
        ("workspace/BOOTSTRAP.md", "x"),
        ("openclaw.json", "{}"),
    ] {
        tree.add(format!("/home/{path}"), text);
    }
    let ada = form("openclaw").unwrap().import(&tree, "/home").unwrap();
    let paths: Vec<&str> = ada.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["SOUL.md", "IDENTITY.md", "memory/2026-01-01.md"]);
    assert_eq!(ada.name.as_deref(), Some("Ada"));
    let named: Vec<&str> = ada.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(named, ["BOOTSTRAP.md", "openclaw.json"]);

    let mut tree = Tree::new();
    tree.add("/h/SOUL.md", "You are Ada.\n");
    tree.add("/h/memories/MEMORY.md", "One.\n§\nTwo\nlines.\n");
    tree.add("/h/.env", "KEY=x");
    let ada = form("hermes").unwrap().import(&tree, "/h").unwrap();
    assert_eq!(ada.files[1], ("MEMORY.md".to_owned(), "- One.\n- Two\n  lines.\n".to_owned()));
    assert_eq!(ada.left_out[0].what, ".env");
}

#[test]
fn mentions_survive_gemini() {
    let files = BTreeMap::from([("SOUL.md".to_owned(), "# Ada\n\nAsk @alice, not `@bob`, at a@b.c.\n".to_owned())]);
    let made = made("gemini", &material(&files));
    assert_eq!(String::from_utf8_lossy(&made.files[0].bytes), "# Ada\n\nAsk `@alice,` not `@bob`, at a@b.c.\n");
    assert_eq!(made.notes.len(), 1);
}

#[test]
fn tools_become_a_list_of_mcp() {
    let tool =
        "name: look\ndescription: Look it up\nparameters:\n  type: object\n  properties:\n    q: {type: string}\n";
    let files = [("SOUL.md", "# Ada\n"), ("tools/look.yaml", tool), ("tools/bad.yaml", "- x\n")];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let made = made("mcp-tools", &material(&BTreeMap::from(files)));
    let tools: Value = serde_json::from_slice(&made.files[0].bytes).unwrap();
    let schema = json!({ "type": "object", "properties": { "q": { "type": "string" } } });
    assert_eq!(tools, json!({ "tools": [{ "name": "look", "description": "Look it up", "inputSchema": schema }] }));
    assert_eq!(made.dropped[0].0, "tools/bad.yaml");
}
