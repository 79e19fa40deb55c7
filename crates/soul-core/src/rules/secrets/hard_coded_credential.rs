use crate::diagnostics::Severity;
use crate::rules::keep::random_value;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC031",
    name: "hard-coded-credential",
    family: Family::Secrets,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "contains a hard-coded password or key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "api_key",
            "api-key",
            "apikey",
            "secret_key",
            "secret-key",
            "secretkey",
            "password",
            "passwd",
            "token",
            "client_secret",
            "auth_key",
            "access_key",
        ],
        pattern: r"(?ix)
            # people choose short passwords; what a service issues is longer
            (?:password|passwd)['\x22]?\s*(?:=|:)\s*['\x22`][^'\x22`\s<>{}$\[\]]{8,200}['\x22`]
          | (?:
                api[_-]?key|secret[_-]?key|client[_-]?secret|access[_-]?key|auth[_-]?key
              | (?:auth|access|bearer|bot|api)?[_-]?token
            )['\x22]?\s*(?:=|:)\s*['\x22`][^'\x22`\s<>{}$\[\]]{12,200}['\x22`]
        ",
        keep: random_value,
    },
    hits: &["api_key = \"9f8Kd02Lq7Zx41Vb\"", "password: 'Tr0ub4dor&3xyz'"],
    misses: &[
        "password: \"your-password\"",
        "token: \"${TOKEN}\"",
        "api_key = \"sk-xxxxxxxxxxxx\"",
        "password = \"SecureP@ss1\"",
        "token=\"A1b2C3d4E5f6G7\"",
    ],
};
