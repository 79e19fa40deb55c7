//! Agents in the folders of other systems, and souls that are not in a SOUL.md.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use soul_core::model::Dialect;
use soul_engine::Keeper;
use soul_engine::ops::Error;
use soul_engine::workspace::Roots;

use super::{Home, actions, look, put, remove, revisions, send, tester};

/// A user with agents in the homes of other systems, and a workspace with one.
struct User(tempfile::TempDir);

impl User {
    fn new(config: &str) -> Self {
        let user = Self(tempfile::tempdir().unwrap());
        for (path, text) in [
            ("me/.agentos/agents/tester/SOUL.md", "---\nname: Tester\n---\nYou are a test agent.\n"),
            ("me/.openclaw/workspace/SOUL.md", "# Main\n\n## Tools\n\nMine.\n"),
            ("me/.agh/agents/guide/SOUL.md", "You guide.\n"),
            ("team/.agh/agents/scout/SOUL.md", "You scout.\n"),
            ("home/config.toml", config),
        ] {
            let path = user.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        user
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn keeper(&self) -> Keeper {
        let (home, workspace, user) = (self.path("home"), self.path("team"), self.path("me"));
        Keeper::open(Roots { workspace: Some(workspace), home: Some(home), user: Some(user) }).unwrap()
    }
}

fn ask(keeper: &Keeper, operation: &str, request: &Value) -> Result<Value, Error> {
    send(keeper, &tester(), operation, request)
}

const LAYOUTS: &str = "[discovery]\nlayouts = [\"soul\", \"agh\", \"agentos\", \"openclaw\"]\n";

#[test]
fn agents_of_other_systems_are_written_where_they_are() {
    let user = User::new(LAYOUTS);
    let keeper = user.keeper();
    for (agent, path, dialect, text) in [
        ("tester", "me/.agentos/agents/tester", "agentos", "---\nname: Tester\nrole: QA\n---\nYou test.\n"),
        ("main", "me/.openclaw/workspace", "plain", "# Main\n\n## Memory\n\nOurs.\n"),
        ("guide", "me/.agh/agents/guide", "agh", "---\nrole: Guide\n---\nYou guide.\n"),
        ("scout", "team/.agh/agents/scout", "agh", "---\nrole: Scout\n---\nYou scout.\n"),
    ] {
        let old = fs::read_to_string(user.path(path).join("SOUL.md")).unwrap();
        let soul = ask(&keeper, "inspect", &json!({ "agent": agent })).unwrap();
        assert_eq!((&soul["dialect"], &soul["valid"]), (&json!(dialect), &json!(true)), "{agent}");
        let written =
            ask(&keeper, "write", &json!({ "agent": agent, "body": text, "expected_digest": soul["digest"] })).unwrap();
        assert_eq!(written["revision"]["dialect"], dialect);
        assert_eq!(fs::read_to_string(user.path(path).join("SOUL.md")).unwrap(), text);
        let history = ask(&keeper, "history", &json!({ "agent": agent })).unwrap();
        let adopted = &history["revisions"][1];
        assert_eq!((&adopted["action"], history["revisions"].as_array().unwrap().len()), (&json!("adopt"), 2));
        let back =
            json!({ "agent": agent, "revision_id": adopted["id"], "expected_digest": written["soul"]["digest"] });
        ask(&keeper, "rollback", &back).unwrap();
        assert_eq!(fs::read_to_string(user.path(path).join("SOUL.md")).unwrap(), old);
        let names: Vec<_> = fs::read_dir(user.path(path)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["SOUL.md"], "nothing of ours stays in {path}");
    }
    let adapted = json!({ "agent": "tester", "trait": "openness", "delta": 0.1, "reason": "because" });
    ask(&keeper, "persona.adapt", &adapted).unwrap();
}

#[test]
fn a_layout_can_be_read_only() {
    let user = User::new(&format!("{LAYOUTS}read_only = [\"agentos\"]\n"));
    let keeper = user.keeper();
    let digest = ask(&keeper, "inspect", &json!({ "agent": "tester" })).unwrap()["digest"].clone();
    for (operation, request) in [
        ("write", json!({ "agent": "tester", "body": "You test.\n", "expected_digest": digest })),
        ("delete", json!({ "agent": "tester", "expected_digest": digest })),
        ("memory.add", json!({ "agent": "tester", "text": "Likes tea" })),
        ("persona.adapt", json!({ "agent": "tester", "trait": "openness", "delta": 0.1, "reason": "because" })),
    ] {
        let refused = ask(&keeper, operation, &request).unwrap_err();
        assert_eq!(refused.to_string(), "the agent `tester` is in `.agentos`, which is read-only", "{operation}");
    }
    assert!(ask(&keeper, "write", &json!({ "agent": "main", "body": "x" })).is_err_and(|error| {
        error.to_string() == "there is already a soul: give the digest of the text that you have seen"
    }));
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

const PERSONA: &str =
    r#"{"id":"atlas","name":"Atlas","description":"Maps.","version":"1.0.0","baseSystemPrompt":"You map."}"#;

#[test]
fn a_persona_file_goes_through_the_same_comparison() {
    let home = Home::new();
    let persona = home.agent().join("persona.json");
    write(&persona, PERSONA);
    let keeper = home.keeper();
    let seen = look(&keeper);
    assert_eq!((seen.dialect, seen.valid), (Some(Dialect::Agentos), true));
    let digest = seen.digest.unwrap().to_string();
    let newer = PERSONA.replace("Maps.", "Maps the world.");
    assert!(put(&keeper, &newer, None).is_err(), "there is a soul, so a digest is required");
    assert!(put(&keeper, &newer, Some("sha256:0")).is_err());

    // JSON replaces the persona; what it replaced is on record.
    let written = put(&keeper, &newer, Some(&digest)).unwrap();
    assert_eq!(fs::read_to_string(&persona).unwrap(), newer);
    assert_eq!(actions(&keeper), ["put", "adopt"]);
    assert_eq!(revisions(&keeper, 2)[1].body.as_deref(), Some(PERSONA));

    // Markdown becomes SOUL.md, which counts from then on.
    let digest = written.soul.digest.unwrap().to_string();
    let soul = "---\nname: Atlas\nagentId: atlas\n---\nYou draw maps.\n";
    put(&keeper, soul, Some(&digest)).unwrap();
    assert_eq!(home.text().as_deref(), Some(soul));
    assert_eq!(look(&keeper).source_path, "agents/coder/SOUL.md");
    assert_eq!(fs::read_to_string(&persona).unwrap(), newer);

    // Back to JSON where there is no SOUL.md any more.
    remove(&keeper, look(&keeper).digest.map(|digest| digest.to_string()).as_deref()).unwrap();
    assert_eq!(look(&keeper).source_path, "agents/coder/persona.json");
    remove(&keeper, look(&keeper).digest.map(|digest| digest.to_string()).as_deref()).unwrap();
    assert!(!persona.exists() && !look(&keeper).present);
    let first = revisions(&keeper, 10).last().unwrap().revision.sealed.id.to_string();
    super::back(&keeper, &first, None).unwrap();
    assert_eq!(fs::read_to_string(&persona).unwrap(), PERSONA);
}

#[test]
fn an_invalid_persona_is_known_by_its_bytes() {
    let home = Home::new();
    write(&home.agent().join("persona.json"), "{\"name\": 1}");
    let keeper = home.keeper();
    let seen = look(&keeper);
    assert!(!seen.valid && seen.digest.is_none());
    put(&keeper, PERSONA, Some(&seen.raw_digest.unwrap().to_string())).unwrap();
    assert!(look(&keeper).valid);
}

#[test]
fn a_package_without_a_soul_is_known_by_its_manifest() {
    let home = Home::new();
    let manifest = r#"{"specVersion":"0.6","name":"ada","displayName":"Ada","version":"1.0.0","description":"d"}"#;
    write(&home.agent().join("soul.json"), manifest);
    let keeper = home.keeper();
    let seen = look(&keeper).raw_digest.unwrap().to_string();
    assert!(put(&keeper, "You are Ada.\n", None).is_err(), "there is a package, so a digest is required");
    let written = put(&keeper, "You are Ada.\n", Some(&seen)).unwrap();
    assert_eq!((written.soul.dialect, written.soul.valid), (Some(Dialect::Soulspec), true));
    assert_eq!(home.text().as_deref(), Some("You are Ada.\n"));
    assert_eq!(fs::read_to_string(home.agent().join("soul.json")).unwrap(), manifest);
    assert_eq!(actions(&keeper), ["put"]);
}

#[test]
fn a_soul_in_another_case_is_read_and_written_under_its_name() {
    let home = Home::new();
    let lower = home.agent().join("soul.md");
    write(&lower, "# Ada\n\nKind.\n");
    let keeper = home.keeper();
    let seen = look(&keeper);
    assert_eq!((seen.valid, seen.source_path.as_str()), (true, "agents/coder/soul.md"));
    assert!(seen.diagnostics.iter().any(|diagnostic| diagnostic.code.as_str() == "unusual_file_name"));
    put(&keeper, "# Ada\n\nKinder.\n", Some(&seen.digest.unwrap().to_string())).unwrap();
    assert_eq!(fs::read_to_string(&lower).unwrap(), "# Ada\n\nKinder.\n");
    assert_eq!(home.listed().0, ["soul.md"]);
    remove(&keeper, look(&keeper).digest.map(|digest| digest.to_string()).as_deref()).unwrap();
    assert!(home.listed().0.is_empty());
}
