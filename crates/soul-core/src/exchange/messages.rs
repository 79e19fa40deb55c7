//! The full prompt for programs that call a model themselves.

use serde_json::json;

use super::Made;

/// The prompt as it is.
pub(super) fn system_prompt(prompt: &str) -> Made {
    Made::text("system-prompt.md", prompt.to_owned())
}

/// The prompt as the beginning of a request: OpenAI's messages, and Anthropic's.
pub(super) fn messages(prompt: &str) -> Made {
    let mut made = Made { says: prompt.to_owned(), ..Made::default() };
    let openai = json!({ "messages": [{ "role": "system", "content": prompt }] });
    let anthropic = json!({ "system": [{ "type": "text", "text": prompt }], "messages": [] });
    made.file("openai.json", format!("{openai:#}\n"));
    made.file("anthropic.json", format!("{anthropic:#}\n"));
    made
}
