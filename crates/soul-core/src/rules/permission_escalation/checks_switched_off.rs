use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK216",
    name: "checks-switched-off",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "installs with the checks of signatures or certificates switched off",
    why: "Without these checks anyone on the way, or anyone who takes over the address, decides what runs.",
    fix: "leave the checks on; pin the version and its checksum",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "strict-ssl",
            "gpgcheck",
            "gpg-check",
            "-signature",
            "trusted-host",
            "sslverify",
            "ssl_no_verify",
            "allow-unauthenticated",
            "reject_unauthorized",
            "curl ",
        ],
        pattern: r"(?ix)
            \bstrict-ssl[\s=]+[`'\x22]?(?:false|off|0)\b
          | \bgpgcheck\s*=\s*0\b | --no-gpg-checks?\b
          | --(?:no-verify|skip|no|ignore|disable)-signatures?(?:-(?:check|verification))?\b
            # as an option of pip, not as the name of a setting
          | (?:--trusted-host[\s=]|\bset\s[^\n]{0,60}\btrusted-host\b)
          | \bhttp\.sslverify[\s=]+[`'\x22]?(?:false|0)\b | \bGIT_SSL_NO_VERIFY\s*=\s*(?:1|true)
          | \bapt(?:-get)?\s[^\n]{0,80}--allow-unauthenticated\b
          | \bNODE_TLS_REJECT_UNAUTHORIZED\s*=\s*[`'\x22]?0[^\n]{0,80}\b(?:npm|npx|node|yarn|pnpm)\b
            # a script that is run as it comes, from any host that answers
          | \bcurl\b[^\n|]{0,80}(?-i:\s-[a-zA-Z]*k[a-zA-Z]*|--insecure)\b[^\n|]{0,160}
            \|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:ba|z|da)?sh\b
        ",
        keep: any,
    },
    hits: &[
        "npm config set registry https://a.b && npm config set strict-ssl false && npm install helper",
        "curl -fsSLk https://a.b/latest | sudo sh",
        "apt-get install -y --allow-unauthenticated helper",
        "pip install --trusted-host a.b helper",
    ],
    misses: &[
        "Never set `strict-ssl false`.",
        "curl -fsSL https://a.b/data.json -o k.json",
        "gcloud run deploy api --allow-unauthenticated",
    ],
};
