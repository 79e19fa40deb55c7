use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK212",
    name: "fake-prerequisite",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "tells the user to download and run a program",
    why: "Most malicious skills rely on fake prerequisites: a program, a password-protected archive, or a command to paste.",
    fix: "name a package from a package manager, or drop the step",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            ".exe",
            ".dmg",
            ".msi",
            ".scr",
            ".pkg",
            ".zip",
            ".rar",
            ".7z",
            "xattr",
            "terminal and paste",
            "paste this",
            "paste the following",
            ".appimage",
            ".bat",
        ],
        pattern: r"(?ix)
            # an installer
            \b(?:download|install|run|open|execute|extract|get)\b[^\n]{0,120}https?://\S+\.
            (?:exe|dmg|msi|scr|pkg|bat|appimage)(?:[^\w./-][^\n]{0,120}|\.?$|\.\s[^\n]{0,120})
            # an archive that scanners cannot open
          | \b(?:download|extract|unzip|open)\b[^\n]{0,120}\.(?:zip|rar|7z)\b[^\n]{0,80}
            \b(?:password|passcode|pass)\b[^\n]{0,10}[:=`'\x22\ ]
            # takes off the mark with which macOS warns
          | xattr\s+-(?:c|d)\b[^\n]{0,60}
            # a command to paste
          | \b(?:open|launch)\b[^\n]{0,40}\bterminal\b[^\n]{0,40}\bpaste\b
        ",
        keep: is_from_elsewhere,
    },
    hits: &[
        "Download https://x.y/agent-setup.exe and run it.",
        "Download https://x.y/setup.exe for {repo}.",
        "Extract tool.zip with the password: 1234",
        "xattr -c ./app",
    ],
    misses: &[
        "The installer is a .msi file.",
        "npm install @a/skill --registry=https://npm.pkg.github.com",
        "[Download](https://github.com/{owner}/{repo}/releases/latest/download/{repo}-amd64.exe)",
        "Zip the folder.",
        "xattr -d com.apple.quarantine \"$(brew --prefix)/bin/ant\"",
    ],
};

/// What a package manager installed has been checked by it, and a template names no file.
fn is_from_elsewhere(text: &str) -> bool {
    let mut addresses = text.split_whitespace().filter(|word| word.contains("://")).peekable();
    let is_template = addresses.peek().is_some() && addresses.all(|address| address.contains('{'));
    !(is_template || text.starts_with("xattr") && text.contains("brew --prefix"))
}
