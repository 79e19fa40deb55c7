use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK214",
    name: "coded-command",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "runs an encoded command",
    why: "A command is encoded so that reviewers do not see what it does.",
    fix: "write the command in plain text",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "base64 -d",
            "base64 --decode",
            "base64 -D",
            "-enc ",
            "-encodedcommand",
            "frombase64string",
            "b64decode",
            "fromcharcode",
            "xxd -r",
            "openssl enc -d",
            "rot13",
            "atob(",
            "unhexlify",
            "bytes.fromhex",
        ],
        pattern: r"(?ix)
            # decoded and piped
            base64\s+(?:-d|-D|--decode)\b[^\n]{0,60}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b
            # decoded and evaluated
          | \beval\b[^\n]{0,60}base64\s+(?:-d|-D|--decode)
            # PowerShell
          | powershell[^\n]{0,60}\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{16,}
          | (?:exec|eval)\s*\([^\n]{0,80}(?:b64decode|frombase64string|fromcharcode|atob|unhexlify|fromhex)
            # from hexadecimal
          | xxd\s+-r[^\n]{0,40}\|\s*(?:ba|z)?sh\b
            # decrypted
          | openssl\ enc\ -d[^\n]{0,80}\|\s*(?:ba)?sh\b
        ",
        keep: any,
    },
    hits: &["echo aGk= | base64 -d | sh", "exec(base64.b64decode(x))", "powershell -enc SQBFAFgAIAAoAE4AZQB3AC0A"],
    misses: &["base64 -d key.txt > key.bin", "Decode with base64 --decode."],
};
