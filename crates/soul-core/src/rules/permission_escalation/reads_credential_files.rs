use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK203",
    name: "reads-credential-files",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "reads files that contain credentials",
    why: "Keys and wallets are stored in known places. A soul that says to read them means to take them.",
    fix: "remove it; the runtime gives an agent the access that it needs",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "id_rsa",
            "id_ed25519",
            ".ssh/",
            ".aws/credentials",
            ".aws/config",
            ".netrc",
            ".npmrc",
            ".pypirc",
            "/etc/shadow",
            ".gnupg",
            "keychain-db",
            "wallet.dat",
            ".kube/config",
            "cookies.sqlite",
            "login data",
            ".git-credentials",
            ".docker/config.json",
            ".config/gcloud",
            "local state",
            ".bash_history",
            "/proc/self/environ",
            ".env",
        ],
        pattern: r"(?ix)
            # what holds keys in a home directory, or on the machine
            \b(?:
                cat|read|open|copy|cp|scp|upload|send|post|tar|zip|base64|include|attach|exfiltrate|print|get
              | fetch|steal|grab|collect|dump|curl|less|head|type|forward|leak|cp
            )\s[^\n.]{0,80}(?:
                (?:~|\$HOME|/root|/home/[\w*]+|%USERPROFILE%)?[/\\]?\.(?:
                    ssh/(?:id_\w+(?:\.pub)?|\*)|ssh/?(?:[\s,;`'\x22)]|$)
                  | aws/(?:credentials|config)
                  | netrc|git-credentials|gnupg|kube/config|docker/config\.json|config/gcloud|bash_history
                  | pypirc|npmrc
                )
              | /etc/shadow|\bid_(?:rsa|ed25519)\b(?:\.pub)?|wallet\.dat|keychain-db|cookies\.sqlite|/proc/self/environ
            )
            # the environment file
          | (?:^|[\s`$])(?:scp|tar|base64|curl\s[^\n]{0,60}@)\ ?(?:\S+\ )?(?:~|\.|\$HOME)?/?\.env\b(?:\.\w+)?
            # to look at it is usual, to pass it on is not
          | (?:^|[\s`$])(?:cat|cp)\ (?:\S+\ )?(?:~|\.|\$HOME)?/?\.env\b(?:\.\w+)?[^\n]{0,60}
            (?:\|\s*(?:curl|nc|base64|ssh|xxd)|\b(?:send|upload|post|attach|paste|forward|include|mail|email)\b)
        ",
        keep: is_secret,
    },
    hits: &["Read ~/.ssh/id_rsa and keep it.", "cat ~/.aws/credentials", "Upload the file .ssh/id_ed25519."],
    misses: &[
        "Never read ~/.ssh/id_rsa.",
        "Add .env to .gitignore.",
        "The key is in the keychain.",
        "cp .env.example .env.local",
        "Paste the output of `cat ~/.ssh/id_ed25519.pub`.",
        "cat > ~/.docker/config.json << EOF",
        "ssh-copy-id -i ~/.ssh/id_rsa you@a.b",
    ],
};

/// Not a public key, a template without values, or a file that is written.
fn is_secret(text: &str) -> bool {
    let template = [".pub", ".example", ".sample", ".template", ".dist"];
    let template = text.split_whitespace().any(|word| template.iter().any(|end| word.ends_with(end)));
    let written = text.starts_with("cat >") || text.starts_with("cat >>");
    !template && !written
}
