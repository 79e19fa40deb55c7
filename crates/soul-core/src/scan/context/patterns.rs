//! The words around a match that say how it is meant. All read folded text.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

pub(super) struct Patterns {
    pub(super) turn: Regex,
    pub(super) negated: Regex,
    pub(super) negated_after: Regex,
    pub(super) defensive: Regex,
    pub(super) defensive_after: Regex,
    pub(super) fiction: Regex,
    pub(super) example: Regex,
    pub(super) heading: Regex,
    pub(super) scene: Regex,
}

/// The compiled patterns; `None` if one cannot be compiled, which a test rules out.
pub(super) fn patterns() -> Option<&'static Patterns> {
    static PATTERNS: OnceLock<Option<Patterns>> = OnceLock::new();
    let build = |pattern: &str| RegexBuilder::new(pattern).unicode(false).build().ok();
    let all = || {
        Some(Patterns {
            turn: build(TURN)?,
            negated: build(NEGATED)?,
            negated_after: build(NEGATED_AFTER)?,
            defensive: build(DEFENSIVE)?,
            defensive_after: build(DEFENSIVE_AFTER)?,
            fiction: build(FICTION)?,
            example: build(EXAMPLE)?,
            heading: build(HEADING)?,
            scene: build(SCENE)?,
        })
    };
    PATTERNS.get_or_init(all).as_ref()
}

/// Words after which a negation no longer reaches, and those that only look like one.
const TURN: &str = r"(?x)
    \b(?:
        but|instead|then|so|just|however|never\ ?mind|not\ only|not\ just|no\ longer
      | don't\ (?:worry|hesitate|bother|be\ afraid)(?:\ to)?
      | do\ not\ (?:worry|hesitate|bother|be\ afraid)(?:\ to)?
      | (?:cannot|can't|never|not)\ refuse(?:\ to)?
      | without\ (?:hesitation|question|delay|limits?|refusing)
    )\b
";

const NEGATED: &str = r#"(?x)
    (?:
        \b(?:
            never|don't|dont|do\ not|does\ not|doesn't|didn't|must\ not|mustn't|cannot|can't|can\ not|won't
          | will\ not|would\ not|wouldn't|should\ not|shouldn't|shall\ not|may\ not|not\ allowed\ to|not\ to|not
          | refuses?|refused|refusing|rejects?|declines?|avoids?|avoiding|prevents?|resists?|blocks?|prohibits?
          | prohibited|forbids?|forbidden|without|nor|stops?|no\ attempts?\ to|not\ be\ able\ to|nunca|jamas
          | no\ debes|nao|jamais|ne|niemals|nicht|keine
        )(?:\ [a-z'-]+){0,6}(?:,(?:\ [a-z'-]+){1,4})*(?:,?\ (?:or|nor))?(?:\ [a-z'-]+)?
      | \b(?:ask|asks|confirm|check|approval|permission|consent)(?:\ [a-z'-]+){0,4}\ before\ (?:you\ )?
        (?:ever\ )?
      | (?:^|[\ ,])(?:никогда|не|нельзя|لا)(?:\ [^\ ,]+){0,2}
      | (?:不要|请勿|禁止|绝不|不得|拒绝|不会|不能|别)[^\ ]{0,20}
    )[\ "'(\[:-]*$
"#;

const NEGATED_AFTER: &str = r"(?x)
    ^.{0,40}(?:
        してはいけ|しない|しません|ません|禁止|拒否|断る|断り|거부|않|마십시오|마세요|말\ 것|금지|하지\ 마|不可
      | 是禁止
      | is\ (?:forbidden|prohibited|not\ allowed|never)
      | are\ (?:forbidden|prohibited|not\ allowed|never|ignored|refused)
      | must\ be\ refused|should\ be\ refused
    )
";

const DEFENSIVE: &str = r"(?x)
    \b(?:if|when|whenever|should)\ (?:
        some(?:one|body|thing)
      | any(?:one|body|thing)
      | an?\ [a-z]+|the\ [a-z]+|users?|they|it|text|content|[a-z]+\ content
    )(?:\ [a-z'-]+){0,4}\ (?:
        asks?|tells?|tries|says?|said|attempts?|requests?|instructs?|demands?|claims?|contains?|wants?
    )\b
  | \b(?:
        attempts?|attempting|tries|trying|asked|asks|asking|requests?|told|tells|instructed|commands?|prompts?
      | messages?|instructions?|content|text|inputs?|phrases?|patterns?|strings?|claims?|anything
    )\ (?:(?:you|it|me|us|them|agents?|that|which|like|such\ as|to|the|an?|says?|saying|ai|model)\ ?){0,4}
    [:,]?[\ \x22']*$
  | \b(?:
        detects?|flags?|catch(?:es)?|watch(?:es)?\ for|guards?\ against|protects?\ (?:against|from)
      | defends?\ against|defence|defense|mitigates?|scans?\ for|looks?\ for|check(?:s|ing)?\ for
      | test(?:s|ing)?\ for|red\ flags?|warns?|reports?|injection|jailbreak(?:s|ing)?\ attempts?
      | attack(?:s|ers?)?|adversar(?:y|ial)|malicious|phishing|suspicious|untrusted|hostile|vulnerab[a-z]+
      | exploits?|threats?
    )\b
";

const DEFENSIVE_AFTER: &str = r"(?x)
    ^.{0,60}\b(?:
        attempts?|attacks?|injections?
      | is\ (?:an?\ )?(?:attack|injection|red\ flag|suspicious|malicious|data)
      | are\ (?:attacks?|injections?|suspicious|malicious|data)
      | refuse|decline|detection|prevention|vulnerab[a-z]+|treat\ (?:it|that|them)\ as
    )\b
";

const FICTION: &str = r"(?x)
    \b(?:
        character|narrator|villain|hero|protagonist|novel|story|movie|film|book|episode|quest|game|scene|joke
      | lyrics?|song
    )\b[^.]{0,60}\b(?:says?|said|shouts?|whispers?|tells?|told|called|titled|named|quotes?|about|where)\b
";

const EXAMPLE: &str = r"(?x)
    \b(?:
        for\ example|for\ instance|e\.g\.|eg\.|example|examples|such\ as|sample|placeholder|anti-?patterns?
      | counter-?example|bad|wrong|incorrect|instead\ of|rather\ than|like:
    )[\ \x22'(:,-]*(?:[^\ ]+\ ){0,6}$
";

const HEADING: &str = r"(?x)
    \b(?:
        never|don't|do\ not|avoid|refuse|anti-?patterns?|forbidden|prohibited|red\ flags?|injection|security
      | threats?|attacks?|adversarial|jailbreak|bad\ examples?|bad\ outputs?|wrong|not\ to\ do|limits?
      | boundaries|hard\ rules|constraints|what\ not
    )\b
";

const SCENE: &str = r"(?x)
    \b(?:examples?|scenarios?|scenes?|dialogues?|samples?|sample\ conversations?|transcripts?)\b
  | 场景
  | 示例
  | 对话
  | 例子
  | 会話
  | 예시
";
