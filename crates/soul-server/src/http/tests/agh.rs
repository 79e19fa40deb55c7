//! The routes of AGH as its command line uses them: what it sends, and the fields that it reads.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Served;

/// The soul that its client reads. Go reads `null` as nothing, and ignores other keys.
#[derive(Deserialize)]
struct Soul {
    agent_name: Option<String>,
    enabled: bool,
    present: bool,
    active: bool,
    valid: bool,
    validation_status: String,
    snapshot_id: Option<String>,
    revision_id: Option<String>,
    digest: Option<String>,
    source_path: String,
    frontmatter: Option<Frontmatter>,
    body: Option<String>,
    limits: Value,
    config_provenance: Value,
    diagnostics: Option<Vec<Value>>,
}

#[derive(Deserialize)]
struct Frontmatter {
    version: Option<String>,
    role: Option<String>,
    tone: Option<Vec<String>>,
    principles: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Revision {
    id: String,
    agent_name: String,
    source_path: String,
    action: String,
    previous_digest: Option<String>,
    new_digest: Option<String>,
    actor: Value,
    created_at: String,
}

#[derive(Deserialize)]
struct Mutation {
    soul: Soul,
    revision: Revision,
}

#[derive(Deserialize)]
struct History {
    revisions: Vec<Revision>,
    next_cursor: Option<String>,
}

const SOUL: &str = "/api/agents/coder/soul";
const TEXT: &str = "---\nversion: 2\nrole: Coder\ntone: [dry]\n---\nYou write code.\n";

async fn ask<T: serde::de::DeserializeOwned>(served: &Served, method: &str, path: &str, body: Value) -> T {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let reply = served.ask(method, path, &body).await;
    assert_eq!(reply.status, 200, "{method} {path} {}", reply.json());
    serde_json::from_slice(&reply.bytes).unwrap_or_else(|error| panic!("{method} {path} {error}: {}", reply.json()))
}

#[tokio::test]
async fn its_command_line_finds_every_field_that_it_reads() {
    let served = Served::with(&[("agents/coder/AGENT.md", "---\nname: coder\n---\nYou are coder.\n")]);
    let absent: Soul = ask(&served, "GET", &format!("{SOUL}?workspace=checkout-api"), Value::Null).await;
    assert!(!absent.present && absent.frontmatter.is_none() && absent.body.is_none());
    // It fills in every field; what is empty was not given.
    let write = json!({ "workspace_id": "ws", "agent_name": "coder", "body": TEXT, "expected_digest": "" });
    let Mutation { soul, revision } = ask(&served, "PUT", SOUL, write).await;
    assert_eq!((soul.agent_name.as_deref(), soul.validation_status.as_str()), (Some("coder"), "valid"));
    assert!(soul.enabled && soul.present && soul.active && soul.valid && soul.snapshot_id.is_some());
    assert_eq!(soul.revision_id.as_ref(), Some(&revision.id));
    let front = soul.frontmatter.unwrap();
    assert_eq!((front.version.as_deref(), front.role.as_deref()), (Some("2"), Some("Coder")));
    assert_eq!((front.tone, front.principles), (Some(vec!["dry".to_owned()]), None));
    assert_eq!(soul.body.as_deref(), Some("You write code."));
    assert_eq!((&soul.limits["max_body_bytes"], &soul.config_provenance["enabled"]), (&json!(32768), &json!(true)));
    assert_eq!((revision.agent_name.as_str(), revision.action.as_str()), ("coder", "put"));
    assert_eq!((revision.source_path.as_str(), &soul.source_path), ("agents/coder/SOUL.md", &revision.source_path));
    assert_eq!((&revision.new_digest, revision.previous_digest), (&soul.digest, None));
    assert!(revision.actor["kind"] == "user" && revision.created_at.ends_with('Z'));

    let invalid = json!({ "workspace_id": "ws", "agent_name": "coder", "body": "---\ntools: [x]\n---\nHello.\n" });
    let refused = served.ask("POST", &format!("{SOUL}/validate"), &invalid.to_string()).await;
    assert_eq!(refused.status, 422);
    let invalid: Soul = serde_json::from_value(refused.json()["soul"].take()).unwrap();
    assert!(!invalid.valid && invalid.digest.is_none() && invalid.diagnostics.unwrap().len() == 1);
    assert_eq!(invalid.body.as_deref(), Some("Hello."));

    let removal = json!({ "workspace_id": "ws", "agent_name": "coder", "expected_digest": soul.digest });
    let gone: Mutation = ask(&served, "DELETE", SOUL, removal).await;
    assert!(!gone.soul.present && gone.soul.body.is_none() && gone.revision.source_path == "agents/coder/SOUL.md");
    let back =
        json!({ "workspace_id": "ws", "agent_name": "coder", "revision_id": revision.id, "expected_digest": "" });
    let back: Mutation = ask(&served, "POST", &format!("{SOUL}/rollback"), back).await;
    assert_eq!(back.soul.body.as_deref(), Some("You write code."));
    let page: History = ask(&served, "GET", &format!("{SOUL}/history?workspace_id=ws&limit=2"), Value::Null).await;
    let found: Vec<_> = page.revisions.iter().map(|one| (&*one.action, &*one.agent_name, &*one.source_path)).collect();
    let file = "agents/coder/SOUL.md";
    assert_eq!(found, [("rollback", "coder", file), ("delete", "coder", file)]);
    assert!(page.next_cursor.is_some());
}

#[tokio::test]
async fn a_soul_of_another_dialect_has_a_body_and_no_frontmatter() {
    let served = Served::with(&[
        ("agents/ada/SOUL.md", "---\nname: Ada\nhexaco: {openness: 0.5}\n---\nYou are Ada.\n"),
        ("agents/six/SOUL.md", "## Name & Role\nSix\n\n## Personality\nCalm\n\n## Rules\nNone\n"),
    ]);
    for (name, body) in [("ada", "You are Ada."), ("six", "## Name & Role\nSix\n\n## Personality\nCalm")] {
        let soul: Soul = ask(&served, "GET", &format!("/api/agents/{name}/soul"), Value::Null).await;
        assert!(soul.frontmatter.is_none() && soul.body.unwrap().starts_with(body), "{name}");
    }
}
