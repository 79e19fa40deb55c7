//! The socket's dispatcher, without a socket.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};
use soul_engine::ops::Operation;
use soul_engine::ops::token::create;
use soul_engine::store::{Party, Role};
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Grant, Keeper};

use super::envelope::answer;
use crate::app::App;
use crate::auth::Hosts;

struct Dispatcher {
    _home: tempfile::TempDir,
    app: App,
}

impl Dispatcher {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let agent = home.path().join("agents/coder");
        std::fs::create_dir_all(&agent).unwrap();
        std::fs::write(agent.join("SOUL.md"), "You are coder.\n").unwrap();
        let roots = Roots { workspace: None, home: Some(home.path().to_path_buf()), user: None };
        let keeper = Keeper::open(roots).unwrap();
        Self {
            _home: home,
            app: App::new(keeper, Hosts::new([127, 0, 0, 1].into(), &[], false), tokio::sync::watch::channel(false).1),
        }
    }

    fn token(&self, role: Role, grants: &[Grant]) -> String {
        let caller = Caller::local(Party::new("user", "operator"), "test");
        let name = "linter".to_owned().try_into().ok();
        let request = create::Request { role, grants: grants.to_vec(), name, agent: None };
        request.run(&Context::new(&self.app.keeper.get(), &caller)).unwrap().secret.expose().to_owned()
    }

    async fn call(&self, method: &str, params: Value) -> Value {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        answer(&self.app, &Caller::local(Party::new("user", "uid 1"), "socket"), line.as_bytes()).await.unwrap()
    }
}

fn refusal(answer: &Value) -> (&Value, &Value) {
    (&answer["error"]["code"], &answer["error"]["data"]["code"])
}

#[tokio::test]
async fn an_extension_does_what_its_token_grants() {
    let socket = Dispatcher::new();
    let (reader, writer) = (socket.token(Role::Viewer, &[]), socket.token(Role::Author, &[]));
    let got = socket.call("agents/soul/get", json!({ "agent_name": "coder", "token": reader })).await;
    let digest = got["result"]["digest"].clone();
    assert!(digest.is_string(), "{got}");
    let mut params = json!({ "agent_name": "coder", "body": "You are careful.\n", "expected_digest": digest });
    params["token"] = reader.clone().into();
    for (method, refused) in [
        ("agents/soul/put", params.clone()),
        ("agents/soul/delete", json!({ "agent_name": "coder", "token": reader })),
        ("agents/soul/rollback", json!({ "agent_name": "coder", "revision_id": "rev_1", "token": reader })),
        ("sessions/soul/refresh", json!({ "session_id": "sess_1", "token": reader })),
    ] {
        let reply = socket.call(method, refused).await;
        assert_eq!(refusal(&reply), (&json!(403), &json!("not_granted")), "{method} {reply}");
    }
    for method in ["agents/soul/validate", "agents/soul/history", "agents/context/get"] {
        let reply = socket.call(method, json!({ "agent_name": "coder", "token": reader })).await;
        assert!(reply["result"].is_object(), "{reply}");
    }
    params["token"] = writer.into();
    let put = socket.call("agents/soul/put", params).await;
    let revision = &put["result"]["revision"];
    assert_eq!(revision["actor"]["kind"], "extension");
    assert!(revision["actor"]["ref"].as_str().unwrap().starts_with("linter (tok_"), "{put}");
    assert_eq!(revision["origin"], json!({ "kind": "host_api", "ref": "write" }));
}

#[tokio::test]
async fn an_extension_without_a_right_token_gets_nothing() {
    let socket = Dispatcher::new();
    let reader = socket.token(Role::Viewer, &[]);
    let none = socket.call("agents/soul/get", json!({ "agent_name": "coder" })).await;
    assert_eq!(refusal(&none), (&json!(401), &json!("token_required")));
    for wrong in [json!("soul_x_y"), json!(""), json!(7), json!(null), json!([reader])] {
        for method in ["agents/soul/get", "agent.soul.inspectDefinition"] {
            let reply = socket.call(method, json!({ "agent_name": "coder", "token": wrong })).await;
            assert_eq!(refusal(&reply), (&json!(401), &json!("bad_token")), "{method} {wrong}");
        }
    }
    // A client that may open the socket needs no token; one that sends a token is bound by it.
    let own = socket.call("agent.soul.inspectDefinition", json!({ "agent_name": "coder" })).await;
    assert!(own["result"].is_object());
    let bound = socket.call("agent.soul.delete", json!({ "agent_name": "coder", "token": reader })).await;
    assert_eq!(refusal(&bound), (&json!(403), &json!("not_granted")));
    let twice = socket.call("agent.soul.inspectDefinition", json!({ "agent_name": "coder", "agent": "other" })).await;
    assert_eq!((&twice["error"]["code"], &twice["error"]["data"]["code"]), (&json!(-32602), &json!("bad_request")));
    let unknown = socket.call("agents/soul/steal", json!({ "token": reader })).await;
    assert_eq!(unknown["error"]["code"], -32601);
}
