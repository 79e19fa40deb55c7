use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC042",
    name: "deletes-everything",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "deletes from the root or the home directory",
    why: "The command deletes everything on the machine or in the home directory.",
    fix: "remove the command",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["rm -", "del /", "format c:", "mkfs", "rd /s", "dd if="],
        pattern: r"(?x)
            # rm -rf of the root, the home or everything here
            \brm\s+(?:-[a-zA-Z]+\s+|--[a-z-]+\s+)*-?(?:[a-zA-Z]*[rR][a-zA-Z]*[fF]?|[fF][rR])[a-zA-Z]*\s+
            (?:--no-preserve-root\s+)?(?:/|~|\$HOME|\*)(?:\s|\*|$|[;&|'\x22`)])
            # rm -rf of a directory of the system, of the home, or of what people keep there
          | \brm\s+-rf\s+(?:
                /(?:etc|usr|home|bin|boot|lib)\b
              | /var\b[\w./*-]*
              | ~/(?:\s|\*|$|[;&|'\x22`)]|(?:Documents|Desktop|Downloads|Pictures|Photos|Music|\.ssh|\.gnupg)\b)
            )
            # formats or overwrites a disk
          | \bmkfs\.\w+\ /dev/
          | \bdd\ if=/dev/(?:zero|random|urandom)\ of=/dev/
          | (?i)\bformat\ c:
          | \bdel\ /[sfq]\ (?:/[sfq]\ )*c:
        ",
        keep: is_kept,
    },
    hits: &["rm -rf /", "sudo rm -rf ~/", "rm -rf /var/lib", "Nothing is blocked:\n\n- `rm -rf /`\n"],
    misses: &[
        "rm -rf target/",
        "rm -f a.txt",
        "rm -rf ~/.cache/tool",
        "RUN apt-get install -y curl && rm -rf /var/lib/apt/lists/*",
        "These commands are blocked:\n\n- `rm -rf /`\n- `mkfs.ext4 /dev/sda`\n",
        "- Dangerous commands:\n  - `rm -rf /`\n",
    ],
};

/// Whether what is deleted is kept by anybody: the lists and caches of a package manager are fetched again.
fn is_kept(text: &str) -> bool {
    !["/var/lib/apt/lists", "/var/cache/", "/var/tmp/"].iter().any(|path| text.contains(path))
}
