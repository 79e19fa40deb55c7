//! Questions to a model, over the chat protocol that OpenAI began and every endpoint speaks. One
//! question, one connection, one answer; nothing is sent anywhere but to the endpoint that was named.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use soul_core::text::visible;
use ureq::Agent;

/// The largest answer that is read.
const LARGEST: u64 = 1 << 20;

/// Whom to ask.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint<'a> {
    /// Where it is, with or without `/chat/completions`.
    pub(crate) url: &'a str,
    /// The environment variable that holds the key, if one is needed.
    pub(crate) key_env: Option<&'a str>,
    /// How long to wait.
    pub(crate) timeout: Duration,
}

/// Why there is no answer. The words tell neither address nor key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Error {
    /// The key is not there.
    #[error("the environment has no `{0}`")]
    NoKey(String),
    /// The endpoint refused.
    #[error("the endpoint answered with {0}")]
    Status(u16),
    /// The endpoint refused, and said why.
    #[error("the endpoint answered with {0}: {1}")]
    Refused(u16, String),
    /// It took too long.
    #[error("the endpoint did not answer in time")]
    Late,
    /// Nobody is there.
    #[error("the endpoint could not be reached")]
    Unreachable,
    /// The answer broke off.
    #[error("the endpoint's answer could not be read")]
    Unreadable,
    /// The answer is too large.
    #[error("the endpoint's answer is larger than 1 MiB")]
    TooLarge,
    /// The answer is something else.
    #[error("the endpoint's answer is not JSON")]
    NotJson,
    /// The answer says nothing.
    #[error("the endpoint's answer has no message")]
    NoMessage,
}

/// What is sent: a system message and a question, to be answered the same way every time.
pub(crate) fn request(model: &str, system: &str, question: &str) -> Value {
    json!({
        "model": model,
        "temperature": 0,
        "messages": [{ "role": "system", "content": system }, { "role": "user", "content": question }],
    })
}

/// Whether a text can be the address of an endpoint.
pub(crate) fn is_address(url: &str) -> bool {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.starts_with('/') && !rest.is_empty())
}

/// Sends a request, and returns the text of the answer.
pub(crate) fn ask(endpoint: &Endpoint<'_>, request: &Value) -> Result<String, Error> {
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(endpoint.timeout))
        // What an endpoint refuses it explains.
        .http_status_as_error(false)
        // A key must not follow a redirect.
        .max_redirects(0)
        .build()
        .into();
    let base = endpoint.url.trim_end_matches('/');
    let url = if base.ends_with("/chat/completions") { base.to_owned() } else { format!("{base}/chat/completions") };
    let mut post = agent.post(&url).header("content-type", "application/json");
    let mut secret = None;
    if let Some(name) = endpoint.key_env {
        let key = std::env::var(name).map_err(|_| Error::NoKey(name.to_owned()))?;
        post = post.header("authorization", format!("Bearer {}", key.trim()));
        secret = Some(key.trim().to_owned());
    }
    let mut response = post.send(request.to_string()).map_err(|error| match error {
        ureq::Error::StatusCode(code) => Error::Status(code),
        ureq::Error::Timeout(_) => Error::Late,
        _ => Error::Unreachable,
    })?;
    let status = response.status();
    let text = response.body_mut().with_config().limit(LARGEST).read_to_string();
    if !status.is_success() {
        let said = text.ok().and_then(|text| refusal(&text, secret.as_deref()));
        return Err(said.map_or(Error::Status(status.as_u16()), |said| Error::Refused(status.as_u16(), said)));
    }
    let text = text.map_err(|error| match error {
        ureq::Error::Timeout(_) => Error::Late,
        ureq::Error::BodyExceedsLimit(_) => Error::TooLarge,
        _ => Error::Unreadable,
    })?;
    let answer: Value = serde_json::from_str(&text).map_err(|_| Error::NotJson)?;
    message(&answer["choices"][0]["message"]["content"]).ok_or(Error::NoMessage)
}

/// The text of a message, which may come in parts.
fn message(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        _ => None,
    }
}

/// How an endpoint explains a refusal, on one line. Some repeat the key; we do not.
fn refusal(text: &str, secret: Option<&str>) -> Option<String> {
    const LONGEST: usize = 200;
    let answer: Value = serde_json::from_str(text).ok()?;
    let places = [&answer["error"]["message"], &answer["error"], &answer["message"], &answer["detail"]];
    let said = places.into_iter().find_map(Value::as_str)?.trim();
    let said = secret.filter(|secret| !secret.is_empty()).map_or(said.to_owned(), |secret| said.replace(secret, "…"));
    let cut: String = said.chars().take(LONGEST).collect();
    let more = if cut.len() < said.len() { "…" } else { "" };
    (!cut.is_empty()).then(|| format!("{}{more}", visible(&cut)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_come_in_parts() {
        let parts = json!([{ "type": "text", "text": "a" }, { "type": "image_url" }, { "type": "text", "text": "b" }]);
        assert_eq!(message(&parts).as_deref(), Some("ab"));
        assert_eq!(message(&json!("c")).as_deref(), Some("c"));
        for wrong in [json!(null), json!([]), json!(3), json!([3, null, { "text": 1 }])] {
            assert_eq!(message(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_refusal_is_told_without_the_key() {
        let told = |text: &str| refusal(text, Some("sk-1"));
        assert_eq!(told(r#"{"error":{"message":"wrong key sk-1\n\u001b[31m"}}"#).unwrap().matches("sk-1").count(), 0);
        assert_eq!(told(r#"{"error":"no such model"}"#).as_deref(), Some("no such model"));
        assert_eq!(told(r#"{"detail":"busy"}"#).as_deref(), Some("busy"));
        assert_eq!(told(&json!({ "message": "x".repeat(300) }).to_string()).unwrap().chars().count(), 201);
        assert!(!told("{\"message\":\"a\\nb\"}").unwrap().contains('\n'));
        for none in ["", "{}", "[]", "<html>", "{\"error\":{}}", "{\"error\":\" \"}"] {
            assert_eq!(told(none), None, "{none}");
        }
    }

    #[test]
    fn an_address_is_one_of_the_web() {
        assert!(is_address("http://127.0.0.1:8080/v1") && is_address("https://api.example.com/v1/chat/completions"));
        for wrong in ["", "http://", "https:///v1", "ftp://x", "localhost:8080", "file:///etc/passwd", "HTTP:x"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
