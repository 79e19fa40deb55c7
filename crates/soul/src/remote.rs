//! A keeper on another machine, or in another process: the same requests, sent to it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use soul_engine::ops::{self, Operation};
use ureq::Agent;

use crate::output::Failure;

/// How long an answer may take; a write may wait for a lock first.
const PATIENCE: Duration = Duration::from_secs(60);

/// The largest answer that is read.
const LARGEST: u64 = 64 << 20;

/// Where the address is, if no option says it.
const SERVER: &str = "SOUL_SERVER";

/// Where the token is, if the service asks for one. An option would show it to every user of the machine.
const TOKEN: &str = "SOUL_TOKEN";

/// Why a request was refused, as every route tells it.
#[derive(Deserialize)]
struct Refused {
    error: Told,
}

#[derive(Deserialize)]
struct Told {
    code: String,
    message: String,
    /// The failure itself, if the operation was begun.
    cause: Option<Value>,
}

/// Reads the address of a service.
pub(crate) fn address(typed: &str) -> Result<String, String> {
    let address = typed.trim_end_matches('/');
    let host = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(address.to_owned()),
        _ => Err("give an address such as http://127.0.0.1:7741".to_owned()),
    }
}

/// The address that the environment names.
pub(crate) fn from_environment() -> Result<Option<String>, Failure> {
    let typed = std::env::var(SERVER).ok().filter(|typed| !typed.is_empty());
    let wrong =
        |why: String| Failure::message("usage", &format!("`{SERVER}` is not the address of a service"), 2).hint(why);
    typed.map(|typed| address(&typed).map_err(wrong)).transpose()
}

/// Has a request answered by a service.
pub(crate) fn ask<O: Operation>(server: &str, request: &O) -> Result<O::Response, Failure> {
    let unreadable = |why: &str| {
        let message = format!("the answer of `{server}` was not understood: {why}");
        Failure::message("bad_answer", &message, 5).hint("is it a service of the same version? `GET /healthz` tells")
    };
    let body = serde_json::to_string(request).map_err(|error| unreadable(&error.to_string()))?;
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false)
        // What is sent goes to the address that was given, and to nobody in between.
        .proxy(None)
        // A token must not follow a redirect.
        .max_redirects(0)
        .build()
        .into();
    let url = format!("{server}/api/ops/{}", O::NAME);
    let mut question = agent.post(&url).header("content-type", "application/json");
    if let Some(token) = std::env::var(TOKEN).ok().filter(|token| !token.trim().is_empty()) {
        question = question.header("authorization", format!("Bearer {}", token.trim()));
    }
    let mut answer = question.send(body).map_err(|error| unreachable(server, &error))?;
    let text = answer.body_mut().with_config().limit(LARGEST).read_to_string();
    let text = text.map_err(|error| unreachable(server, &error))?;
    if answer.status().is_success() {
        return serde_json::from_str(&text).map_err(|error| unreadable(&error.to_string()));
    }
    let Ok(Refused { error }) = serde_json::from_str(&text) else {
        return Err(unreadable(&format!("it says {}", answer.status().as_u16())));
    };
    let cause = error.cause.and_then(|cause| serde_json::from_value::<ops::Error>(cause).ok());
    Err(cause.map_or_else(|| refused(answer.status().as_u16(), error.code, &error.message), Failure::from))
}

/// What the service itself decided, before any operation.
fn refused(status: u16, code: String, message: &str) -> Failure {
    let hint = match status {
        401 | 403 => "put a token that grants it into `SOUL_TOKEN`; `soul token create` makes one",
        404 => "the service may be older than this program",
        413 => "send less at once",
        _ => "try again; `GET /healthz` tells whether the service is well",
    };
    let exit = if matches!(status, 400 | 413 | 422) { 2 } else { 5 };
    Failure::message(code, message, exit).hint(hint)
}

fn unreachable(server: &str, error: &ureq::Error) -> Failure {
    let why = match error {
        ureq::Error::Timeout(_) => "it did not answer in time".to_owned(),
        ureq::Error::Io(error) => soul_engine::files::plain(error),
        error => error.to_string(),
    };
    let failure = Failure::message("server_unreachable", &format!("`{server}` could not be asked: {why}"), 5);
    failure.hint("`soul serve` starts a service; check `--server` and `SOUL_SERVER`")
}
