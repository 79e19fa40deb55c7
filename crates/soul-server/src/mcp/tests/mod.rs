//! The server on a real home, without a process.

#![allow(clippy::unwrap_used, clippy::panic)]

mod budgets;
mod data;
mod grants;
mod hostile;
mod protocol;
mod results;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Keeper};
use tokio::sync::mpsc;

use super::message::Message;
use super::session::Session;
use super::{Options, Profile};
use crate::app::App;
use crate::auth::Hosts;

const CODER: &str = "---\nname: Coder\nhexaco:\n  openness: 0.6\n---\nYou write code.\n";
const MEMORY: &str = "# Memory\n\n## Servers\n\nStaging is on port 8443.\n\n## Deploys\n\nOn Mondays.\n";

/// A home with an agent, a library soul and a memory, a workspace with a memory of its own, and a client.
struct Connected {
    root: tempfile::TempDir,
    session: Arc<Session>,
    said: mpsc::Receiver<Value>,
    sink: mpsc::Sender<Value>,
    /// The service goes down when nobody can say any more that it should.
    _going: tokio::sync::watch::Sender<bool>,
}

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn roots(root: &Path) -> Roots {
    Roots { workspace: Some(root.join("team")), home: Some(root.join("home")), user: None }
}

impl Connected {
    fn new(options: Options) -> Self {
        let root = tempfile::tempdir().unwrap();
        put(root.path(), "home/agents/coder/SOUL.md", CODER);
        put(root.path(), "home/agents/coder/MEMORY.md", MEMORY);
        put(root.path(), "home/agents/other/SOUL.md", "You are another.\n");
        put(root.path(), "home/souls/ops.md", "---\nname: Ops\ndescription: Runs things.\n---\nYou run things.\n");
        put(root.path(), "team/.soul/agents/scout/SOUL.md", "You scout.\n");
        put(root.path(), "team/notes/MEMORY.md", "# Notes\n\nThe staging port is 8443.\n");
        put(root.path(), "outside/MEMORY.md", "# Secret\n\nThe staging port is a secret.\n");
        Self::on(root, options)
    }

    fn on(root: tempfile::TempDir, options: Options) -> Self {
        let (going, gone) = tokio::sync::watch::channel(false);
        let keeper = Keeper::open(roots(root.path())).unwrap();
        let app = App::new(keeper, Hosts::new([127, 0, 0, 1].into(), &[], false), gone);
        let (sink, said) = mpsc::channel(4096);
        let caller = Caller::local(Party::new("client", "unknown"), "mcp");
        let session = Session::new(app, options, caller, Some(sink.clone()));
        Self { root, session, said, sink, _going: going }
    }

    fn all() -> Self {
        Self::new(Options { tools: Profile::All, ..Options::default() })
    }

    /// Answers one message.
    async fn send(&self, message: Value) -> Option<Value> {
        let bytes = message.to_string().len();
        match Message::read(message, bytes) {
            Ok(Message::Request(request)) => self.session.respond(request, &self.sink).await,
            Ok(message) => {
                self.session.hear(&message);
                None
            }
            Err(reply) => Some(reply),
        }
    }

    async fn ask(&self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params });
        self.send(message).await.unwrap()
    }

    async fn initialize(&self, capabilities: Value) -> Value {
        let client = json!({ "name": "probe", "version": "1.2" });
        let params = json!({ "protocolVersion": "2025-11-25", "clientInfo": client, "capabilities": capabilities });
        self.ask("initialize", params).await
    }

    /// Calls a tool.
    async fn call(&self, name: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert!(answer["result"].is_object(), "{name}: {answer}");
        answer["result"].clone()
    }

    /// The structured result of a call that succeeds.
    async fn done(&self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments).await;
        assert_eq!(result["isError"], false, "{name}: {result}");
        result["structuredContent"].clone()
    }

    /// The code of a call that fails.
    async fn refused(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await;
        assert_eq!(result["isError"], true, "{name}: {result}");
        assert!(result.get("structuredContent").is_none());
        let code = result["_meta"]["soulkeeper/error"]["code"].as_str().unwrap().to_owned();
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(&format!("{code}: ")), "{result}");
        code
    }

    async fn tools(&self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}
