//! Rules that stand under a heading which says `never`, and have to say it themselves elsewhere.

use super::is_negative;

const NEVER: &str = "Never: ";

/// Words that deny in other languages; one of them anywhere in a rule is taken to be about the rule.
const DENIALS: &[&str] = &[
    "no",
    "ni",
    "nunca",
    "jamas",
    "jamás",
    "nao",
    "não",
    "jamais",
    "ne",
    "pas",
    "aucun",
    "nicht",
    "kein",
    "keine",
    "nie",
    "niemals",
    "не",
    "ни",
    "никогда",
    "нельзя",
    "without",
    "cannot",
    "can't",
    "won't",
];
const DENYING_CHARACTERS: &[&str] =
    &["不", "勿", "别", "別", "禁", "无", "無", "ない", "なし", "않", "말", "금지", "없"];

/// A rule of `Never` that means the same wherever it goes: one that denies nothing by itself gets the word. A second
/// negation would turn it round, so a rule that seems to deny already stays as it is.
pub(crate) fn negated(rule: &str) -> String {
    let mut words = rule.split(|c: char| !c.is_alphabetic() && c != '\'').map(str::to_lowercase);
    let denies =
        words.any(|word| DENIALS.contains(&word.as_str())) || DENYING_CHARACTERS.iter().any(|c| rule.contains(c));
    if is_negative(rule) || denies { rule.to_owned() } else { format!("{NEVER}{rule}") }
}

/// A rule as it stands under a heading that says `never`.
pub(crate) fn under_never(rule: &str) -> &str {
    rule.strip_prefix(NEVER).unwrap_or(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_negated_once() {
        assert_eq!(negated("share secrets"), "Never: share secrets");
        for rule in ["Never share secrets", "не делиться секретами", "不泄露密钥", "Ne jamais mentir"]
        {
            assert_eq!(negated(rule), rule);
        }
        assert_eq!(under_never(&negated("泄露密钥")), "泄露密钥");
    }
}
