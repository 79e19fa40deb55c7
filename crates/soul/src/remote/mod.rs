//! A keeper on another machine, or in another process: the same requests, sent to it.

#[cfg(unix)]
mod unix;

use std::io::ErrorKind;
use std::time::Duration;

use serde_json::Value;
use soul_engine::fault::Kind;
use soul_engine::ops::{Cause, Operation, Report};
use soul_engine::store::Party;
use ureq::Agent;
use ureq::config::Config;
use ureq::unversioned::resolver::DefaultResolver;

use crate::output::Failure;

/// How long an answer may take; a write may wait for a lock first.
const PATIENCE: Duration = Duration::from_secs(60);

/// The largest answer that is read.
const LARGEST: u64 = 64 << 20;

/// Where the address is, if no option says it.
const SERVER: &str = "SOUL_SERVER";

/// Where the token is, if the service asks for one. An option would show it to every user of the machine.
const TOKEN: &str = "SOUL_TOKEN";

/// Who asks the service.
pub(crate) enum Identity {
    /// The holder of a token.
    Token(String),
    /// Someone who needs no token, by name.
    Actor(Party),
}

/// What the address of a Unix socket begins with.
const UNIX: &str = "unix:";

/// Reads the address of a service.
pub(crate) fn address(typed: &str) -> Result<String, String> {
    if cfg!(unix) && typed.strip_prefix(UNIX).is_some_and(|path| !path.is_empty()) {
        return Ok(typed.to_owned());
    }
    let address = typed.trim_end_matches('/');
    let host = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => Ok(address.to_owned()),
        _ => Err("give an address such as http://127.0.0.1:7741, or unix:PATH for its socket".to_owned()),
    }
}

/// The address in the environment.
pub(crate) fn from_environment() -> Result<Option<String>, Failure> {
    let typed = std::env::var(SERVER).ok().filter(|typed| !typed.is_empty());
    let wrong = |why: String| Failure::usage(format!("`{SERVER}` is not the address of a service")).hint(why);
    typed.map(|typed| address(&typed).map_err(wrong)).transpose()
}

/// The token in the environment.
pub(crate) fn token() -> Option<String> {
    std::env::var(TOKEN).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty())
}

/// Has a request answered by a service.
pub(crate) fn ask<O: Operation>(server: &str, request: &O, identity: &Identity) -> Result<O::Response, Failure> {
    let not_json = |error: serde_json::Error| unreadable(server, &error.to_string());
    let body = serde_json::to_string(request).map_err(not_json)?;
    serde_json::from_str(&send(server, O::NAME, body, identity)?).map_err(not_json)
}

fn send(server: &str, operation: &str, body: String, identity: &Identity) -> Result<String, Failure> {
    let config = Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false)
        // What is sent goes to the address that was given, and to nobody in between.
        .proxy(None)
        // A token must not follow a redirect.
        .max_redirects(0)
        .build();
    let (agent, url) = agent(config, server);
    let request = agent.post(format!("{url}/api/ops/{operation}")).header("content-type", "application/json");
    let request = match identity {
        Identity::Token(token) => request.header("authorization", format!("Bearer {token}")),
        Identity::Actor(Party { kind, name }) => request.header("soul-actor", format!("{kind}:{name}")),
    };
    let is_large = body.len() > 1 << 20;
    let mut response = request.send(body).map_err(|error| match &error {
        // A service reads only so much of what it refuses.
        ureq::Error::Io(error)
            if is_large && matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) =>
        {
            let message = format!("the request is larger than `{server}` accepts");
            Failure::new(Kind::Usage, "body_too_large", message).hint("send less at once")
        }
        error => unreachable(server, error),
    })?;
    let text = response.body_mut().with_config().limit(LARGEST).read_to_string();
    let text = text.map_err(|error| unreachable(server, &error))?;
    let status = response.status();
    if status.is_success() {
        return Ok(text);
    }
    Err(refused(status.as_u16(), &text).unwrap_or_else(|| unreadable(server, &format!("it says {}", status.as_u16()))))
}

/// What sends a request to this service, and the address that the request is for.
fn agent(config: Config, server: &str) -> (Agent, &str) {
    match server.strip_prefix(UNIX) {
        #[cfg(unix)]
        Some(path) => {
            let connector = unix::UnixConnector(path.into());
            (Agent::with_parts(config, connector, DefaultResolver::default()), "http://127.0.0.1")
        }
        _ => (config.into(), server),
    }
}

/// Why the request was refused: by its operation, as if it had been run here, or by the service itself.
fn refused(status: u16, body: &str) -> Option<Failure> {
    let mut error = serde_json::from_str::<Value>(body).ok()?.get_mut("error")?.take();
    let cause = error.get_mut("cause").map(Value::take);
    let report: Report = serde_json::from_value(error).ok()?;
    if let Some(Cause { kind, sources }) = cause.and_then(|cause| serde_json::from_value(cause).ok()) {
        return Some(Report { kind, sources, ..report }.into());
    }
    let hint = match status {
        401 | 403 => "put a token that grants it into `SOUL_TOKEN`; `soul token create` creates one",
        404 => "the service may be older than this program",
        413 => "send less at once",
        _ => "try again; `GET /healthz` shows whether the service is healthy",
    };
    let kind = if matches!(status, 400 | 413 | 422) { Kind::Usage } else { Kind::Unable };
    Some(Failure::new(kind, &report.code, report.message).hint(hint))
}

fn unreadable(server: &str, why: &str) -> Failure {
    let message = format!("could not read the answer of `{server}`: {why}");
    Failure::new(Kind::Unable, "bad_answer", message)
        .hint("is it a service of the same version? `GET /healthz` shows it")
}

fn unreachable(server: &str, error: &ureq::Error) -> Failure {
    let why = match error {
        ureq::Error::Timeout(_) => "it did not answer in time".to_owned(),
        ureq::Error::Io(error) => soul_engine::files::plain(error),
        error => error.to_string(),
    };
    Failure::new(Kind::Unable, "server_unreachable", format!("could not reach `{server}`: {why}"))
        .hint("`soul serve` starts a service; check `--server` and `SOUL_SERVER`")
}
