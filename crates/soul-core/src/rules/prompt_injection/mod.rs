//! Text that takes the agent over.

pub(super) mod authority_claim;
pub(super) mod data_uri;
pub(super) mod decode_and_obey;
pub(super) mod disregard_instructions;
pub(super) mod encoded_text;
pub(super) mod forged_block;
pub(super) mod forged_turns;
pub(super) mod forget_instructions;
pub(super) mod forget_rules_chinese;
pub(super) mod forget_rules_japanese;
pub(super) mod forget_rules_korean;
pub(super) mod hidden_attribute;
pub(super) mod hidden_comment;
pub(super) mod ignore_instructions;
pub(super) mod jailbreak_mode;
pub(super) mod learned;
pub(super) mod new_instructions;
pub(super) mod override_instructions;
pub(super) mod overrides;
pub(super) mod reveal_in_other_languages;
pub(super) mod reveal_prompt;
pub(super) mod reveal_prompt_chinese;
pub(super) mod reveal_prompt_korean;
pub(super) mod role_takeover;
pub(super) mod role_tokens;

/// Why orders against the instructions matter, in whatever language and words they come.
pub(super) const WHY: &str = "A model reads the soul before everything else. Text in it that cancels other instructions puts the author of that text in control of the agent.";
pub(super) const FIX: &str =
    "remove the sentence; if the soul must warn about it, quote it and say that the agent refuses it";
