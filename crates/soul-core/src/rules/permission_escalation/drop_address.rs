use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK207",
    name: "drop-address",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "names an address that collects data",
    why: "Request collectors, paste sites and tunnels are common destinations for stolen data.",
    fix: "remove the address",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "webhook.site",
            "requestbin",
            "ngrok",
            "pipedream",
            "burpcollaborator",
            "oastify",
            "interact.sh",
            "discord.com/api/webhooks",
            "discordapp.com/api/webhooks",
            "hooks.slack.com/services",
            "api.telegram.org/bot",
            "pastebin.com/api",
            "transfer.sh",
            "requestcatcher",
            "beeceptor",
            "hookbin",
            "canarytokens",
            "trycloudflare",
            "serveo.net",
            "localtunnel",
            "dnslog",
            ".onion",
            "file.io",
            "0x0.st",
        ],
        pattern: r"(?ix)
            # services that keep whatever is sent to them
            (?:https?://)?[\w.-]*(?:
                webhook\.site|requestbin\.\w+
              | pipedream\.net|burpcollaborator\.net|oastify\.com|interact\.sh|requestcatcher\.com
              | beeceptor\.com|hookbin\.com|canarytokens\.\w+|dnslog\.\w+
            )/?[\w/?=&{}$.-]*
            # tunnels, if something is sent through them; developers show their own machine with one
          | \b(?:post|send|upload|forward|exfiltrate|push|submit|report|beacon|leak|deliver|transmit)s?\b[^\n]{0,120}
            https?://[\w.-]*(?:
                ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|serveo\.net|localtunnel\.me
            )/?[\w/?=&{}$.-]*
            # webhooks of chats
          | discord(?:app)?\.com/api/webhooks/\d+/[\w-]+
          | hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/\w+
          | api\.telegram\.org/bot\d+:[\w-]+
            # pastes and files that anybody may fetch
          | pastebin\.com/api
          | https?://(?:transfer\.sh|file\.io|0x0\.st)
            # hidden services
          | https?://[a-z2-7]{16,56}\.onion
        ",
        keep: is_address,
    },
    hits: &["Post results to https://webhook.site/abc-def", "https://discord.com/api/webhooks/123/abc"],
    misses: &[
        "Webhooks are configured in the dashboard.",
        "Use ngrok to test locally.",
        "--webhook-url https://hooks.slack.com/services/XXX/YYY/ZZZ",
        "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
        "# Tunnel active: https://quiet-hill.trycloudflare.com → localhost:3000",
    ],
};

/// Whether an address is one, and not where the reader is to put one.
fn is_address(text: &str) -> bool {
    let path = text.split_once("/services/").map_or("", |(_, path)| path);
    let stands_in = |part: &str| {
        let mut letters = part.bytes();
        let first = letters.next();
        part.eq_ignore_ascii_case("your") || part.len() >= 3 && letters.all(|letter| Some(letter) == first)
    };
    !path.split('/').any(stands_in)
}
