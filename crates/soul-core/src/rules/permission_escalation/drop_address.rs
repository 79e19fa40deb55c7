use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK207",
    name: "drop-address",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "names an address that is made to receive data",
    why: "Collectors of requests, pastes and tunnels are where stolen data goes.",
    fix: "remove the address",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["webhook.site", "requestbin", "ngrok", "pipedream", "burpcollaborator", "oastify", "interact.sh", "discord.com/api/webhooks", "discordapp.com/api/webhooks", "hooks.slack.com/services", "api.telegram.org/bot", "pastebin.com/api", "transfer.sh", "requestcatcher", "beeceptor", "hookbin", "canarytokens", "trycloudflare", "serveo.net", "localtunnel", "dnslog", ".onion", "file.io", "0x0.st"],
        pattern: concat!(
            r"(?i)(?:https?://)?[\w.-]*(?:webhook\.site|requestbin\.\w+|ngrok(?:-free)?\.(?:io|app|dev)",
            r"|pipedream\.net|burpcollaborator\.net|oastify\.com|interact\.sh|requestcatcher\.com",
            r"|beeceptor\.com|hookbin\.com|canarytokens\.\w+|trycloudflare\.com|serveo\.net|localtunnel\.me",
            r"|dnslog\.\w+)/?[\w/?=&{}$.-]*",
            r"|discord(?:app)?\.com/api/webhooks/\d+/[\w-]+",
            r"|hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/\w+",
            r"|api\.telegram\.org/bot\d+:[\w-]+",
            r"|pastebin\.com/api",
            r"|https?://(?:transfer\.sh|file\.io|0x0\.st)",
            r"|https?://[a-z2-7]{16,56}\.onion",
        ),
        keep: any,
    },
    hits: &["Post results to https://webhook.site/abc-def", "https://discord.com/api/webhooks/123/abc"],
    misses: &["Webhooks are configured in the dashboard.", "Use ngrok to test locally."],
};
