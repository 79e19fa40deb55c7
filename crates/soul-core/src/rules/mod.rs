//! The rules of the scanner: one per file, in a folder per family. Each file has identity, documentation, matcher and
//! examples that prove it, in that order.
//!
//! Ids that begin with `SEC` or `CONSIST` have the meaning of the public rule set; `SK` are our own.

mod addressed;
mod frames;
mod harmful_instruction;
mod identity_consistency;
mod keep;
mod package_structure;
mod permission_escalation;
mod prompt_injection;
mod rule;
mod safety_boundary;
mod secrets;
mod unicode;

pub(crate) use rule::any;
pub use rule::{Confidence, Family, Matcher, Rule};
pub(crate) use secrets::long_random_string::is_random as is_random_string;

/// The rule that reports what reads like an attack and fills no frame.
pub(crate) const LEARNED: &Rule = &prompt_injection::learned::RULE;

/// Every rule, sorted by id.
pub const RULES: &[&Rule] = &[
    &identity_consistency::name_mismatch::RULE,
    &prompt_injection::ignore_instructions::RULE,
    &prompt_injection::role_takeover::RULE,
    &prompt_injection::disregard_instructions::RULE,
    &prompt_injection::forget_instructions::RULE,
    &prompt_injection::override_instructions::RULE,
    &safety_boundary::pretend_no_limits::RULE,
    &prompt_injection::jailbreak_mode::RULE,
    &prompt_injection::role_tokens::RULE,
    &permission_escalation::eval_call::RULE,
    &permission_escalation::exec_call::RULE,
    &permission_escalation::system_call::RULE,
    &permission_escalation::child_process::RULE,
    &permission_escalation::dangerous_require::RULE,
    &permission_escalation::dangerous_import::RULE,
    &permission_escalation::script_tag::RULE,
    &permission_escalation::event_handler::RULE,
    &permission_escalation::javascript_link::RULE,
    &permission_escalation::fetches_url::RULE,
    &secrets::hard_coded_credential::RULE,
    &permission_escalation::base64_coding::RULE,
    &permission_escalation::uses_sudo::RULE,
    &permission_escalation::opens_permissions::RULE,
    &permission_escalation::deletes_everything::RULE,
    &permission_escalation::asks_for_secrets::RULE,
    &safety_boundary::hide_from_user::RULE,
    &secrets::aws_key::RULE,
    &secrets::github_token::RULE,
    &secrets::slack_token::RULE,
    &secrets::private_key::RULE,
    &secrets::web_token::RULE,
    &secrets::npm_token::RULE,
    &secrets::openai_key::RULE,
    &secrets::sendgrid_key::RULE,
    &secrets::stripe_key::RULE,
    &secrets::long_random_string::RULE,
    &prompt_injection::overrides::korean::RULE,
    &prompt_injection::forget_rules_korean::RULE,
    &prompt_injection::reveal_prompt_korean::RULE,
    &prompt_injection::overrides::chinese::RULE,
    &prompt_injection::forget_rules_chinese::RULE,
    &prompt_injection::reveal_prompt_chinese::RULE,
    &prompt_injection::overrides::japanese::RULE,
    &prompt_injection::forget_rules_japanese::RULE,
    &harmful_instruction::calls_to_kill::RULE,
    &harmful_instruction::supremacism::RULE,
    &identity_consistency::impersonates_person::RULE,
    &safety_boundary::bypass_safety::RULE,
    &harmful_instruction::weapons_and_drugs::RULE,
    &harmful_instruction::hate::RULE,
    &safety_boundary::must_deceive::RULE,
    &harmful_instruction::child_abuse::RULE,
    &harmful_instruction::phishing::RULE,
    &safety_boundary::no_ethics::RULE,
    &identity_consistency::rewrites_identity::RULE,
    &identity_consistency::rewrites_configuration::RULE,
    &package_structure::embodied_without_laws::RULE,
    &package_structure::no_first_law::RULE,
    &package_structure::soul_against_laws::RULE,
    &prompt_injection::new_instructions::RULE,
    &prompt_injection::reveal_prompt::RULE,
    &prompt_injection::forged_block::RULE,
    &prompt_injection::hidden_comment::RULE,
    &prompt_injection::hidden_attribute::RULE,
    &prompt_injection::data_uri::RULE,
    &prompt_injection::decode_and_obey::RULE,
    &prompt_injection::encoded_text::RULE,
    &prompt_injection::authority_claim::RULE,
    LEARNED,
    &prompt_injection::forged_turns::RULE,
    &prompt_injection::overrides::spanish::RULE,
    &prompt_injection::overrides::portuguese::RULE,
    &prompt_injection::overrides::french::RULE,
    &prompt_injection::overrides::german::RULE,
    &prompt_injection::overrides::russian::RULE,
    &prompt_injection::overrides::arabic::RULE,
    &prompt_injection::overrides::italian::RULE,
    &prompt_injection::overrides::turkish_hindi::RULE,
    &safety_boundary::conceal_in_other_languages::RULE,
    &prompt_injection::reveal_in_other_languages::RULE,
    &permission_escalation::send_secrets_in_other_languages::RULE,
    &safety_boundary::no_limits_in_other_languages::RULE,
    &permission_escalation::pipe_to_shell::RULE,
    &permission_escalation::reverse_shell::RULE,
    &permission_escalation::reads_credential_files::RULE,
    &permission_escalation::sends_data_out::RULE,
    &permission_escalation::image_exfiltration::RULE,
    &permission_escalation::image_exfiltration_order::RULE,
    &permission_escalation::drop_address::RULE,
    &permission_escalation::capability_grant::RULE,
    &permission_escalation::skip_confirmation::RULE,
    &permission_escalation::unsafe_flag::RULE,
    &permission_escalation::remote_instructions::RULE,
    &permission_escalation::fake_prerequisite::RULE,
    &permission_escalation::raw_address_command::RULE,
    &permission_escalation::coded_command::RULE,
    &permission_escalation::moves_money::RULE,
    &permission_escalation::checks_switched_off::RULE,
    &safety_boundary::never_refuse::RULE,
    &safety_boundary::no_limits::RULE,
    &safety_boundary::deceive_user::RULE,
    &safety_boundary::cover_tracks::RULE,
    &safety_boundary::harm_is_fine::RULE,
    &safety_boundary::unexplained_suppression::RULE,
    &identity_consistency::takes_root::RULE,
    &identity_consistency::scheduled_return::RULE,
    &identity_consistency::cron_line::RULE,
    &identity_consistency::spreads::RULE,
    &identity_consistency::foreign_master::RULE,
    &identity_consistency::locks_itself::RULE,
    &identity_consistency::restores_its_file::RULE,
    &harmful_instruction::malware::RULE,
    &harmful_instruction::self_harm::RULE,
    &harmful_instruction::social_engineering::RULE,
    &harmful_instruction::destroys_data::RULE,
    &secrets::anthropic_key::RULE,
    &secrets::github_other_token::RULE,
    &secrets::google_key::RULE,
    &secrets::database_password::RULE,
    &secrets::bot_token::RULE,
    &unicode::tag_characters::RULE,
    &unicode::selector_bytes::RULE,
    &unicode::direction_overrides::RULE,
    &unicode::zero_width::RULE,
    &unicode::mixed_scripts::RULE,
    &unicode::private_use::RULE,
    &unicode::control_characters::RULE,
    &unicode::stacked_marks::RULE,
    &package_structure::program_inside::RULE,
    &package_structure::path_outside::RULE,
    &frames::cancels_limits::RULE,
    &frames::outranks_operator::RULE,
    &frames::hides_what_it_does::RULE,
    &frames::carries_data_out::RULE,
    &frames::comes_back::RULE,
    &frames::approves_itself::RULE,
    &frames::decodes_and_obeys::RULE,
    &frames::trusts_a_mark::RULE,
    &frames::waits_for_a_moment::RULE,
    &frames::works_on_feelings::RULE,
    &frames::falsifies_records::RULE,
    &frames::installs_unchecked::RULE,
    &frames::forges_a_channel::RULE,
];

/// The rule with this id (in any case) or name.
#[must_use]
pub fn find(typed: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id.eq_ignore_ascii_case(typed) || rule.name.eq_ignore_ascii_case(typed))
}

#[cfg(test)]
mod tests;
