use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule, any};

pub(crate) const RULE: Rule = Rule {
    id: "SK106",
    name: "data-uri",
    family: Family::PromptInjection,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains a web page or a script in a data URL",
    why: "A data URL puts an entire document into a link. Pages and scripts in it are meant to run unseen.",
    fix: "remove it; images may stay",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &[
            "data:text/html",
            "data:text/javascript",
            "data:application/javascript",
            "data:application/x-",
            "data:text/plain;base64",
            "data:text/markdown",
            "data:image/svg+xml",
        ],
        pattern: r"(?ix)
            # a page, a script, or text that is not plain
            data:(?:
                text/html|text/javascript|application/(?:x-)?javascript|application/x-[a-z-]+
              | text/(?:plain|markdown);(?:charset=[\w-]+;)?base64
            )[;,][^\s)\x22'<>]{8,}
            # a picture that runs a script
          | data:image/svg\+xml[^\s)\x22']{0,400}(?:script|onload|%3Cscript)
        ",
        keep: any,
    },
    hits: &["[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)"],
    misses: &["![dot](data:image/png;base64,iVBORw0KGgo=)", "A data: prefix."],
};
