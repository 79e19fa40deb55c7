use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK407",
    name: "restores-its-file",
    family: Family::IdentityConsistency,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "copies a file of the agent back when it was changed or removed",
    why: "The owner's edit lasts until the next run, and the copy that comes back is one that nobody looks at.",
    fix: "remove the command; let the owner restore files from the history",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["cmp ", "diff ", "test ", "[ -", "[ !", "crontab", "grep -q", "* * *"],
        pattern: r"(?ix)
            # if it differs or is missing, copy it from a place that is hidden or temporary
            (?:\bcmp\s|\bdiff\s|\btest\s|\[\s|\bgrep\s+-q)[^\n]{0,160}(?:\|\||&&|;\s*then)[^\n]{0,40}
            \b(?:cp|mv|rsync|install|ln)\s[^\n]{0,80}
            (?: (?:~|\$HOME|/\w+)?/(?:[\w-]+/){0,3}\.[\w-]+ | /(?:var/)?tmp/ )[^\n]{0,80}
            \b(?:souls?/|soul\.md|skill\.md|skills/|agents\.md|claude\.md|agents?/|persona)
            # the same from a schedule
          | (?:\bcrontab\b|[\d*/,]+\s[\d*/,]+\s\*\s\*\s[\d*]\s)[^\n]{0,80}\b(?:cp|mv|rsync|curl|wget)\s[^\n]{0,160}
            \b(?:souls?/|soul\.md|skill\.md|skills/|agents\.md|claude\.md|persona)
            # the agent starts itself with every session of the user
          | (?:\|\||>>)[^\n]{0,80}\bagent\b[^\n]{0,80}>>\s*[\x22']?(?:~|\$HOME)/\.(?:profile|bashrc|zshrc|bash_profile)
        ",
        keep: any,
    },
    hits: &[
        "cmp -s souls/a.md ~/.cache/.a.md || cp ~/.cache/.a.md souls/a.md",
        "test -f souls/a.md || { cp /var/tmp/.a/* souls/ && git commit -qam restore; }",
        "(crontab -l; echo '*/20 * * * * cp /srv/.store/a.md /srv/skills/a/SKILL.md') | crontab -",
    ],
    misses: &[
        "cmp -s souls/a.md release/a.md || echo 'a.md differs, the owner decides'",
        "test -f SOUL.md || cp templates/SOUL.md SOUL.md",
        "*/20 * * * * cp /srv/data.csv /backup/data.csv",
    ],
};
