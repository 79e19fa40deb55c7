//! Questions to a model, over the chat protocol that OpenAI began and every endpoint speaks. One
//! question, one connection, one answer; nothing is sent anywhere but to the endpoint that was named.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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
    /// It took too long.
    #[error("the endpoint did not answer in time")]
    Late,
    /// Nobody is there.
    #[error("the endpoint could not be reached")]
    Unreachable,
    /// The answer broke off, or is too large.
    #[error("the endpoint's answer could not be read")]
    Unreadable,
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
        // A key must not follow a redirect.
        .max_redirects(0)
        .build()
        .into();
    let base = endpoint.url.trim_end_matches('/');
    let url = if base.ends_with("/chat/completions") { base.to_owned() } else { format!("{base}/chat/completions") };
    let mut post = agent.post(&url).header("content-type", "application/json");
    if let Some(name) = endpoint.key_env {
        let key = std::env::var(name).map_err(|_| Error::NoKey(name.to_owned()))?;
        post = post.header("authorization", format!("Bearer {}", key.trim()));
    }
    let mut response = post.send(request.to_string()).map_err(|error| match error {
        ureq::Error::StatusCode(code) => Error::Status(code),
        ureq::Error::Timeout(_) => Error::Late,
        _ => Error::Unreachable,
    })?;
    if !response.status().is_success() {
        return Err(Error::Status(response.status().as_u16()));
    }
    let text = response.body_mut().with_config().limit(LARGEST).read_to_string();
    let text = text.map_err(|error| match error {
        ureq::Error::Timeout(_) => Error::Late,
        _ => Error::Unreadable,
    })?;
    let answer: Value = serde_json::from_str(&text).map_err(|_| Error::NotJson)?;
    let content = answer["choices"][0]["message"]["content"].as_str();
    content.map(str::to_owned).ok_or(Error::NoMessage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web() {
        assert!(is_address("http://127.0.0.1:8080/v1") && is_address("https://api.example.com/v1/chat/completions"));
        for wrong in ["", "http://", "https:///v1", "ftp://x", "localhost:8080", "file:///etc/passwd", "HTTP:x"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
