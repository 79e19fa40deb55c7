use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK605",
    name: "bot-token",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a bot token of a chat service",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[":aa", "hf_", "glpat-", "dop_v1_", "xapp-", "pypi-", "ntn_", "lin_api_"],
        pattern: r"(?x)
            # Telegram
            \b\d{8,10}:AA[A-Za-z0-9_-]{33}\b
            # Hugging Face
          | \bhf_[A-Za-z0-9]{34}\b
            # GitLab
          | \bglpat-[A-Za-z0-9_-]{20,}
            # DigitalOcean
          | \bdop_v1_[a-f0-9]{64}
            # Slack, for apps
          | \bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{20,}
            # PyPI
          | \bpypi-[A-Za-z0-9_-]{50,}
            # Linear
          | \blin_api_[A-Za-z0-9]{40}\b
        ",
        keep: not_placeholder,
    },
    hits: &["718293645:AAk9Lq7Zx41VbTr0ub4dor3xyzKd02LqWmN"],
    misses: &["glpat-xxxxxxxxxxxxxxxxxxxx", "hf_your_token"],
};
