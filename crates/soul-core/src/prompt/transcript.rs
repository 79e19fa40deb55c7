//! The system prompts in what a program wrote down of a conversation.

use serde_json::Value;

/// The most texts that are taken from one transcript.
const MAX_FOUND: usize = 1_000;

/// Every system prompt in a transcript: JSON of a request or a log, JSON lines, or a prompt as plain text.
///
/// ```
/// use soul_core::prompt::system_prompts;
///
/// let request = r#"{"messages": [{"role": "system", "content": "You are Ada."}, {"role": "user", "content": "Hi"}]}"#;
/// assert_eq!(system_prompts(request), ["You are Ada."]);
/// assert_eq!(system_prompts("You are Ada."), ["You are Ada."]);
/// ```
#[must_use]
pub fn system_prompts(transcript: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(value) = serde_json::from_str::<Value>(transcript) {
        collect(&value, &mut found);
        return found;
    }
    let lines = || transcript.lines().map(str::trim).filter(|line| !line.is_empty());
    let values: Vec<Value> = lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    // A prompt may have a line that happens to be JSON; a log has nothing else.
    if !values.is_empty() && values.len() == lines().count() && values.iter().all(Value::is_object) {
        values.iter().for_each(|value| collect(value, &mut found));
        return found;
    }
    if transcript.trim().is_empty() { Vec::new() } else { vec![transcript.to_owned()] }
}

fn collect(value: &Value, found: &mut Vec<String>) {
    if found.len() >= MAX_FOUND {
        return;
    }
    match value {
        Value::Object(entries) => {
            let role = entries.get("role").or_else(|| entries.get("type")).and_then(Value::as_str);
            if matches!(role, Some("system" | "developer")) {
                found.extend(entries.get("content").or_else(|| entries.get("text")).and_then(text));
            }
            for key in
                ["system", "system_prompt", "systemPrompt", "instructions", "system_instruction", "systemInstruction"]
            {
                found.extend(entries.get(key).and_then(text));
            }
            entries.values().for_each(|value| collect(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// A text, or the texts of blocks one after the other.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let block = |block: &Value| block.as_str().or_else(|| block.get("text")?.as_str()).map(str::to_owned);
            blocks.iter().map(block).collect::<Option<Vec<_>>>()?.concat()
        }
        Value::Object(entries) => text(entries.get("parts").or_else(|| entries.get("content"))?)?,
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_found_in_requests_and_logs() {
        let blocks =
            r#"{"system": [{"type": "text", "text": "You are "}, {"type": "text", "text": "Ada."}], "messages": []}"#;
        assert_eq!(system_prompts(blocks), ["You are Ada."]);
        let log =
            "{\"type\":\"user\",\"content\":\"hi\"}\n{\"message\":{\"role\":\"developer\",\"content\":\"Be Ada.\"}}\n";
        assert_eq!(system_prompts(log), ["Be Ada."]);
        assert_eq!(system_prompts("You are Ada.\n{}\n"), ["You are Ada.\n{}\n"]);
        assert_eq!(system_prompts("  \n"), Vec::<String>::new());
        assert_eq!(system_prompts(r#"{"messages": [{"role": "user", "content": "hi"}]}"#), Vec::<String>::new());
    }
}
