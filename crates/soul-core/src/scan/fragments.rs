//! Parts of patterns that many rules share, by name: all in folded words.
//!
//! Each is a verbose group of its own, so that it reads the same in any pattern.

/// What `{name}` stands for in a pattern.
const FRAGMENTS: &[(&str, &str)] = &[
    (
        "all",
        r"(?x:
            (?:
                (?:
                    all|any|every|each|everything|the|of|your|these|those|this|that|my|our|its|their|both
                  | whatever|entire
                )\ ?
            ){0,4}
        )",
    ),
    (
        "earlier",
        r"(?x:
            previous(?:ly)?|prior|preceding|above|earlier|former|foregoing|existing|original|initial|past|old
          | current|system|default|other|given|built-in|prior-given
        )",
    ),
    (
        "orders",
        r"(?x:
            instructions?|directives?|directions?|rules?|guidelines?|prompts?|orders?|commands?|constraints?
          | programming|training|guidance|policies|policy|restrictions?|limitations?|messages?|context
          | conversations?|safeguards?|guardrails?|persona|personas|soul|identity
        )",
    ),
    (
        "limits",
        r"(?x:
            rules?|restrictions?|limits?|limitations?|constraints?|filters?|guidelines?|boundaries|guardrails?
          | safeguards?|censorship|ethics|morals?|policies
          | safety(?:\ (?:measures|protocols|rules|features|filters))?
        )",
    ),
    (
        "user",
        r"(?x:
            (?:the\ |your\ |any\ |our\ )?(?:
                users?|humans?|operators?|owners?|people|person|customers?|clients?|developers?|administrators?
              | admins?|anyone|anybody|them|him|her
            )
        )",
    ),
    (
        "secret",
        r"(?x:
            api\ ?-?keys?|secret\ ?-?keys?|private\ ?-?keys?|ssh\ ?-?keys?
          | access\ ?-?(?:keys?|tokens?)
          | passwords?|passphrases?|tokens?|secrets?|credentials?|cookies?|seed\ ?-?phrases?|recovery\ phrases?
          | wallets?
          | auth(?:entication)?\ (?:tokens?|headers?)
          | env(?:ironment)?\ (?:variables?|vars?|file)
          | \.env|id\ rsa|keychain
          | session\ (?:tokens?|cookies?)
        )",
    ),
    (
        "prompt",
        r"(?x:
            system\ (?:prompt|message|instructions?)
          | (?:initial|hidden|original|full|entire|secret|internal|above|developer)\ (?:system\ )?
            (?:prompt|instructions?|message|directives?|rules)
          | instructions\ (?:above|before|prior)
          | prompt\ above
        )",
    ),
];

/// The pattern with its fragments put in.
pub(super) fn expanded(pattern: &str) -> String {
    let mut expanded = pattern.to_owned();
    for (name, fragment) in FRAGMENTS {
        expanded = expanded.replace(&format!("{{{name}}}"), fragment);
    }
    expanded
}
