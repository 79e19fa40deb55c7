//! Which soul a session, a prompt and a context are of.

use serde_json::json;

use super::Served;

const SOULS: &str = "/api/v1/settings/agent/souls";
const SETTINGS: &str = "/api/v1/settings/agent";

fn home(fallback: &str) -> Served {
    let config = format!("[agents.soul]\nfallback = \"{fallback}\"\n");
    let soul = |name: &str| format!("---\nname: {name}\n---\nYou are {name}.\n");
    Served::with(&[
        ("config.toml", &config),
        ("souls/default.md", &soul("default")),
        ("souls/ops.md", &soul("ops")),
        ("agents/bare/AGENT.md", "You write code.\n"),
        ("agents/coder/SOUL.md", "You are coder.\n"),
    ])
}

#[tokio::test]
async fn a_session_is_of_an_agent_or_a_soul_or_whatever_is_selected() {
    let served = home("none");
    let start = async |body: &str| served.ask("POST", "/api/sessions", body).await;
    let of_agent = start(r#"{"agent":"coder"}"#).await.json();
    assert_eq!((&of_agent["session"]["agent"], of_agent["session"].get("soul_source")), (&json!("coder"), None));
    let of_soul = start(r#"{"soul":"ops"}"#).await.json();
    assert_eq!(of_soul["session"]["soul_source"], json!({ "id": "ops", "reason": "requested" }));
    let of_neither = start("").await.json();
    assert_eq!(of_neither["session"]["soul_source"], json!({ "id": "default", "reason": "default" }));
    for (body, status, code) in [
        (r#"{"agent":"coder","soul":"ops"}"#, 400, "bad_request"),
        (r#"{"soul":"Ops!"}"#, 400, "bad_soul_id"),
        (r#"{"soul":"nope"}"#, 404, "soul_not_found"),
        (r#"{"agent":"nope"}"#, 404, "agent_not_found"),
    ] {
        let told = start(body).await;
        assert_eq!((told.status.as_u16(), &told.json()["error"]["code"]), (status, &json!(code)), "{body}");
    }
    let none = served.ask("GET", "/api/agent/context?agent=bare", "").await.json();
    assert_eq!((&none["soul"]["present"], none.get("soul_source")), (&json!(false), None));
}

#[tokio::test]
async fn an_agent_without_a_soul_speaks_as_it_would_in_a_session() {
    let served = home("library");
    let told = async || {
        let context = served.ask("GET", "/api/agent/context?agent=bare", "").await.json();
        let prompt = served.ask("GET", "/api/agents/bare/prompt", "").await.json();
        let session = served.ask("POST", "/api/sessions", r#"{"agent":"bare"}"#).await.json()["session"].clone();
        assert_eq!(context["soul_source"], session["soul_source"]);
        assert_eq!(prompt["soul_source"], session["soul_source"]);
        assert_eq!(context["soul"]["digest"], session["soul_digest"]);
        let id = session["id"].as_str().unwrap();
        let live = served.ask("GET", &format!("/api/sessions/{id}/prompt"), "").await.json();
        assert_eq!((&prompt["text"], &prompt["soul_source"]), (&live["text"], &live["soul_source"]));
        (context["soul_source"]["id"].clone(), prompt["text"].as_str().unwrap().contains("You are ops."))
    };
    assert_eq!(told().await, (json!("default"), false));
    served.ask("PATCH", SETTINGS, r#"{"selectedSoulId":"ops"}"#).await;
    assert_eq!(told().await, (json!("ops"), true));
    served.ask("PATCH", &format!("{SOULS}/ops"), r#"{"content":"You are another."}"#).await;
    assert_eq!(told().await, (json!("ops"), false));
    let own = served.ask("GET", "/api/agent/context?agent=coder", "").await.json();
    assert_eq!(own.get("soul_source"), None);
}
