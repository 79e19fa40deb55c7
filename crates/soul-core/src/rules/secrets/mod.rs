//! Keys and passwords.

pub(super) mod anthropic_key;
pub(super) mod aws_key;
pub(super) mod bot_token;
pub(super) mod database_password;
pub(super) mod github_other_token;
pub(super) mod github_token;
pub(super) mod google_key;
pub(super) mod hard_coded_credential;
pub(super) mod long_random_string;
pub(super) mod npm_token;
pub(super) mod openai_key;
pub(super) mod private_key;
pub(super) mod sendgrid_key;
pub(super) mod slack_token;
pub(super) mod stripe_key;
pub(super) mod web_token;

/// Why it matters, whatever the key is for.
pub(super) const WHY: &str = "A soul is copied, published and sent to models. A secret in it is no longer secret.";
pub(super) const FIX: &str = "remove it, and revoke the key: treat it as leaked";
