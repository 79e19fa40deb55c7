//! Whether a text speaks to the agent, and tells it what to do.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::scan::STATES;
use crate::scan::fold::fold;

/// Whether a hidden text is an order for the agent.
pub(super) fn is_order(text: &str) -> bool {
    static ORDER: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = ORDER.get_or_init(|| RegexBuilder::new(PATTERN).unicode(false).dfa_size_limit(STATES).build().ok());
    // Without the pattern nothing is known: then it is one.
    pattern.as_ref().is_none_or(|pattern| pattern.is_match(fold(text).text.as_bytes()))
}

const PATTERN: &str = r"(?x)
    \b(?:
        you\ (?:must|should|shall|will|are\ (?:now|to)|have\ to|need\ to|may\ now|can\ now)
      | your\ (?:instructions|rules|(?:task|goal)\ (?:is|now)|orders|system\ prompt|new)
      | (?:ai|assistant|agent|model|chatbot|llm|system|claude|gpt|chatgpt|gemini|copilot)
        (?:\ must|\ should|\ shall|\ will|s?\ reading|s?\ that\ reads?|s?\ instructions?\b)
      | dear\ (?:ai|assistant|agent)
      | if\ you\ are\ an?\ (?:ai|assistant|agent|llm|model|language\ model)
      | note\ to\ (?:the\ )?(?:ai|assistant|agent|model|llm)
    )
    # all of them; in the middle of a sentence they are only spoken of
  | (?:^[^a-z]*|[.!?:;(\[\x22]\ ?)(?:all\ )?(?:ai|assistant|agent|model|chatbot|llm)s\ (?:must|should|shall|will)\b
    # spoken to by name, at the start of a sentence; in the middle it is one of several things
  | (?:^[^a-z]*|[.!?:;(\[\x22]\ ?)
    (?:ai|assistant|agent|model|chatbot|llm|system|claude|gpt|chatgpt|gemini|copilot)s?\ ?[:,]
  | \b(?:ignore|disregard|forget|override|bypass)\b.{0,40}
    \b(?:instructions?|rules|prompt|above|previous|guidelines)\b
  | \b(?:do\ not|don't|never)\ (?:tell|mention|reveal|inform|show|disclose|report)\b
  | \b(?:always|secretly|silently|quietly)\ (?:
        send|add|include|append|insert|run|execute|forward|upload|reply|respond|recommend|say|approve
    )\b
  | \b(?:send|forward|upload|post|email|exfiltrate)\b.{0,60}\b(?:to|at)\b.{0,30}
    (?:https?://|@|\bme\b|webhook|server)
  | \b(?:execute|run)\ (?:(?:the\ )?following|this|the\ command)\b
";
