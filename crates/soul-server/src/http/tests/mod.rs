//! The router on a real home, without a socket.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod agh;
mod authority;
mod browser;
mod events;
mod feed;
mod fresh;
mod keys;
mod library;
mod mcp;
mod openapi;
mod operations;
mod outcomes;
mod sessions;
mod settings;
mod sigil;
mod sign_in;
mod studio;
mod tokens;

use std::fs;
use std::net::IpAddr;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use serde_json::Value;
use soul_engine::ops::Operation;
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};
use tower::ServiceExt;

use crate::app::App;
use crate::auth::Hosts;

/// A home, and the router on it.
struct Served {
    home: tempfile::TempDir,
    router: Router,
    /// The service goes down when nobody can say any more that it should.
    _going: tokio::sync::watch::Sender<bool>,
}

/// An answer to a request.
#[derive(Debug)]
struct Reply {
    status: StatusCode,
    content_type: String,
    bytes: Vec<u8>,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }
}

impl Served {
    /// A home with these files, for whoever is on this machine.
    fn with(files: &[(&str, &str)]) -> Self {
        Self::reached_at([127, 0, 0, 1].into(), false, files)
    }

    fn reached_at(address: IpAddr, require_token: bool, files: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let roots = Roots { workspace: None, home: Some(home.path().to_path_buf()), user: None };
        let (going, gone) = tokio::sync::watch::channel(false);
        let router =
            super::router(App::new(Keeper::open(roots).unwrap(), Hosts::new(address, &[], require_token), gone));
        Self { home, router, _going: going }
    }

    /// Runs a request on another keeper of the same home, as the command line is one.
    fn run<O: Operation>(&self, request: O) -> O::Response {
        let roots = Roots { workspace: None, home: Some(self.home.path().to_path_buf()), user: None };
        let (keeper, caller) = (Keeper::open(roots).unwrap(), Caller::local(Party::new("user", "operator"), "test"));
        request.run(&Context::new(&keeper, &caller)).unwrap()
    }

    async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let content_type = response.headers().get("content-type").map(|value| value.to_str().unwrap().to_owned());
        let (status, content_type) = (response.status(), content_type.unwrap_or_default());
        Reply { status, content_type, bytes: to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec() }
    }

    /// Asks as a client on this machine does.
    async fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        let method: Method = method.parse().unwrap();
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}
