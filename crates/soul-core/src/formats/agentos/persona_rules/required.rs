//! What a whole persona needs.

use super::Persona;
use crate::diagnostics::{Code, Collector};
use crate::markup::yaml::{NodeKind, Scalar};

const REQUIRED: [&str; 5] = ["id", "name", "description", "version", "baseSystemPrompt"];

/// The longest prompt in UTF-16 units before it is worth a warning.
const LONGEST_PROMPT: usize = 2000;

/// A required field is there and says something.
pub(super) fn fields(persona: &Persona<'_>, diagnostics: &mut Collector) {
    for key in REQUIRED {
        let entry = persona.entries.iter().copied().find(|entry| entry.key == key);
        let Some(entry) = entry else {
            let message = format!("the persona has no `{key}`");
            let diagnostic = persona.problem(Code::MissingRequiredField, key, message);
            let diagnostic = diagnostic.help(format!("add `\"{key}\": …`"));
            diagnostics.push(persona.brace.into_iter().fold(diagnostic, |diagnostic, at| diagnostic.at(at)));
            continue;
        };
        let is_blank = match (persona.fields.scalar(entry.value), &entry.value.kind) {
            (Some(Scalar::Null), _) => true,
            (Some(Scalar::Text(text)), _) => text.trim().is_empty(),
            (None, NodeKind::Sequence(items)) => items.is_empty(),
            _ => false,
        };
        if is_blank {
            let diagnostic = persona.problem(Code::MissingRequiredField, key, format!("`{key}` is empty"));
            diagnostics.push(diagnostic.at(persona.fields.span(entry.value)).help("give it a value"));
        }
    }
}

/// The prompt is not longer than AgentOS advises.
pub(super) fn prompt_length(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let Some(entry) = persona.get("baseSystemPrompt") else { return };
    let units = |entry| persona.text(entry).map_or(0, |text| text.encode_utf16().count());
    let parts = persona.fields.items(entry).filter_map(|part| persona.inside(part, "content")).map(units);
    // AgentOS joins parts with a line end.
    let parts = parts.map(|length| length + 1).sum::<usize>().saturating_sub(1);
    let length = units(entry) + persona.inside(entry, "template").map_or(0, units) + parts;
    if length > LONGEST_PROMPT {
        let message = format!("`baseSystemPrompt` has {length} characters, more than {LONGEST_PROMPT}");
        let diagnostic = persona.problem(Code::SystemPromptTooLong, "baseSystemPrompt", message);
        diagnostics.push(diagnostic.at(entry.key_span).help("shorten it, or move procedures and facts to other files"));
    }
}

/// A voice is of use only where speech is an output.
pub(super) fn audio_output(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let Some(voice) = persona.get("voiceConfig") else { return };
    let outputs = persona.get("allowedOutputModalities");
    let speaks = outputs
        .is_some_and(|outputs| persona.fields.items(outputs).any(|output| persona.text(output) == Some("audio_tts")));
    if !speaks {
        let message = "the persona has a voice, but `audio_tts` is not among its output modalities".to_owned();
        let diagnostic = persona.problem(Code::VoiceConfigWithoutAudioOutput, "voiceConfig", message);
        diagnostics.push(diagnostic.at(voice.key_span).help("add `audio_tts` to `allowedOutputModalities`"));
    }
}

/// The persona says how models are chosen by cost.
pub(super) fn cost_strategy(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let is_set = |entry| persona.text(entry).is_none_or(|text| !text.is_empty());
    if !persona.get("costSavingStrategy").is_some_and(is_set) {
        let message = "the persona does not say how to weigh cost against quality".to_owned();
        let diagnostic = persona.problem(Code::MissingCostStrategy, "costSavingStrategy", message);
        let diagnostic = diagnostic.help("add `\"costSavingStrategy\": \"balance_quality_cost\"`");
        diagnostics.push(persona.brace.into_iter().fold(diagnostic, |diagnostic, at| diagnostic.at(at)));
    }
}
