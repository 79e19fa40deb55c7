//! What a sentence does with words that it reports: an attack described, a demand that is refused, a line of a story.
//!
//! A report names who speaks, then a verb of saying or trying, then the words, with nothing else between. That subject is
//! never the reader's own side (the system, the owner, the developer). A condition ("if a message says …") reports only
//! together with the refusal in the same sentence; otherwise its words are a trigger.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::passage::{Introduction, Sides, ends_in_colon};
use crate::scan::fold::fold;

struct Speech {
    report: Regex,
    deed: Regex,
    attacker: Regex,
    condition: Regex,
    refusal: Regex,
    refused_noun: Regex,
    act: Regex,
    turned: Regex,
    judged: Regex,
    elsewhere: Regex,
    refusal_elsewhere: Regex,
    reported_after: Regex,
    fiction: Regex,
    forbids: Regex,
    label: Regex,
    order: Regex,
}

/// The compiled patterns; `None` if one cannot be compiled, which a test rules out.
fn speech() -> Option<&'static Speech> {
    static SPEECH: OnceLock<Option<Speech>> = OnceLock::new();
    let build = |pattern: &str| {
        let pattern = pattern.replace("{source}", SOURCE).replace("{link}", LINK);
        RegexBuilder::new(&pattern).unicode(false).build().ok()
    };
    let all = || {
        Some(Speech {
            report: build(REPORT)?,
            deed: build(DEED)?,
            attacker: build(ATTACKER)?,
            condition: build(CONDITION)?,
            refusal: build(REFUSAL)?,
            refused_noun: build(NOUN)?,
            act: build(ACT)?,
            turned: build(TURNED)?,
            judged: build(JUDGED)?,
            elsewhere: build(ELSEWHERE)?,
            refusal_elsewhere: build(REFUSAL_ELSEWHERE)?,
            reported_after: build(REPORTED_AFTER)?,
            fiction: build(FICTION)?,
            forbids: build(FORBIDS)?,
            label: build(LABEL)?,
            order: build(ORDER)?,
        })
    };
    SPEECH.get_or_init(all).as_ref()
}

/// Whether the sentence reports the match as the words of somebody else, or says that it is refused.
pub(super) fn is_reported(sides: Sides<'_>, quoted: bool) -> bool {
    let Some(speech) = speech() else { return false };
    let (before, after) = (fold(sides.before).text, fold(sides.after).text);
    let (before, after) = (before.as_bytes(), after.as_bytes());
    if speech.deed.is_match(before) {
        return true;
    }
    let refused = || says(&speech.refusal, speech, before) || says(&speech.refusal, speech, after);
    if let Some(report) = speech.report.find(before) {
        let conditional = speech.condition.is_match(&before[..report.end()]);
        let attacker = speech.attacker.is_match(&before[report.range()]);
        if refused() || !conditional && (attacker || says(&speech.act, speech, &before[..report.start()])) {
            return true;
        }
    }
    if let Some(noun) = speech.refused_noun.find(before)
        && (says(&speech.act, speech, &before[..noun.start()]) || refused())
    {
        return true;
    }
    if speech.elsewhere.is_match(before) && speech.refusal_elsewhere.is_match(after) {
        return true;
    }
    if speech.reported_after.is_match(after) {
        return true;
    }
    quoted && (speech.judged.is_match(after) || speech.refusal_elsewhere.is_match(after))
}

/// Whether a text has an act, and does not turn it around ("never refuse").
fn says(act: &Regex, speech: &Speech, text: &[u8]) -> bool {
    act.find_iter(text).any(|found| !speech.turned.is_match(&text[..found.start()]))
}

/// Whether a character of a story says it.
pub(super) fn is_fiction(sides: Sides<'_>) -> bool {
    speech().is_some_and(|speech| speech.fiction.is_match(fold(sides.before).text.as_bytes()))
}

/// Whether the line before a list begins the sentence that its entries end, and forbids them: "You must never:".
pub(super) fn forbids(introduction: Introduction<'_>) -> bool {
    introduction.is_list
        && speech().is_some_and(|speech| speech.forbids.is_match(fold(introduction.line).text.trim().as_bytes()))
}

/// Whether the line before a block says that it is what an attacker writes, or an example of an attack.
pub(super) fn introduces_attack(introduction: Introduction<'_>) -> bool {
    let Some(speech) = speech() else { return false };
    let folded = fold(introduction.line).text;
    let sentence = folded.rsplit(['.', '!', '?', ';']).next().unwrap_or_default().trim().as_bytes();
    let reports =
        || speech.report.find(sentence).is_some_and(|report| speech.attacker.is_match(&sentence[report.range()]));
    ends_in_colon(introduction.line) && (speech.label.is_match(sentence) || reports())
}

/// Whether a line of code is one that the agent is told to run, now or each time something happens.
pub(super) fn is_order(line: &str) -> bool {
    speech().is_none_or(|speech| speech.order.is_match(fold(line).text.as_bytes()))
}

/// Who speaks in a report: anybody but the reader's own side.
const SOURCE: &str = r"(?x:
    \b(?:
        some(?:one|body|thing)|any(?:one|body|thing)|people|others|they|it|he|she
      | (?:
            users?|persons?|visitors?|callers?|customers?|clients?|strangers?|attackers?|adversar(?:y|ies)|actors?
          | hackers?|scammers?|messages?|pages?|websites?|sites?|documents?|emails?|mails?|texts?|contents?|inputs?
          | prompts?|files?|comments?|issues?|results?|outputs?|responses?|tickets?|posts?|requests?|instructions?
          | data|payloads?|links?|snippets?|strings?|injections?|notes?|readmes?|agents?|skills?|tools?|descriptions?
        )
    )\b)";

/// What may stand between the verb of a report and the words.
const LINK: &str = r"(?x:
    (?:
        \ ?(?:
            you|your|the|an?|agents?|assistants?|models?|llms?|ai|it|me|us|them|him|her|systems?|chatbots?|claude
          | into|to|that|something|things?|like|such|as|anything|words?|or|phrases?|text|instructions?|commands?
          | and|e\.g\.|for|example|instance|saying|which|says?|will|should|must
        )\b|[:,]|\ -
    ){0,9})";

const REPORT: &str = r#"(?x)
    {source}(?:\ [a-z'-]+){0,5}\ (?:
        asks?|asked|asking|tells?|told|telling|says?|said|saying|states?|claims?|claiming|instructs?|instructed
      | instructing|orders?|ordered|demands?|requests?|requested|wants?|tries|try|trying|attempts?|attempting
      | contains?|containing|reads?|writes?|write|includes?|including|types?|sends?|send|urges?|commands?|directs?
      | directing|encourages?|convinces?|tricks?|persuades?|forces?|pressures?|gets?|makes?|causes?|use|uses|using
      | convincing|tricking|persuading|making|getting|forcing|manipulat(?:e|es|ing)|cause
    ){link}[\ "'(\[:,-]*$
"#;

/// The attacker is the one who does it.
const DEED: &str = r#"(?x)
    \b(?:attackers?|adversar(?:y|ies)|hackers?|scammers?|thieves|malware|intruders?|(?:malicious|hostile)\ [a-z]+)
    (?:\ (?:who|that))?
    (?:
        \ (?:to|can|could|may|might|will|would|from|then|also|often|attempts?\ to|tr(?:y|ies|ying)\ to|wants?\ to|easily
          | able\ to|uses?\ (?:it|this|that)\ to|(?:[a-z]+\ (?:and|or)))
    ){0,4}[\ "'(]*$
"#;

/// A subject that is the enemy, or one that only may do it.
const ATTACKER: &str = r"(?x)
    \b(?:attackers?|adversar(?:y|ies)|hackers?|scammers?|injections?|payloads?)\b
  | \b(?:malicious|hostile|injected|poisoned|adversarial|crafted)\ [a-z]+
  | ^(?:users?|people|others|strangers?|visitors?|messages?|pages?|websites?|documents?|emails?|someone|somebody)
    (?:\ [a-z'-]+){0,2}\ (?:may|might|could|can|sometimes|often)\b
";

const CONDITION: &str = r"\b(?:if|when|whenever|should|once|as soon as|no matter)\b";

/// What the sentence says to do about it.
const REFUSAL: &str = r"(?x)
    \b(?:refuse|decline|reject|deny|block|flag)(?:s|d|ed|es)?\b
    (?:\ (?:it|that|this|them|those|and|politely|firmly|the|such|any|all|every|outright|immediately|with|or)\b|[,.:;)!]|$)
  | \b(?:refuse|decline)s?\ to\ (?:comply|follow|obey|do\ so)\b
  | \b(?:do\ not|don't|never|won't|will\ not|must\ not|should\ not|cannot|can't|does\ not|doesn't)\x20
    (?:comply|obey|follow|do\ (?:so|it|that)|act\ on|execute|engage|go\ along|be\ (?:fooled|swayed|persuaded))\b
  | \bignore\ (?:it|that|this|them|those|such|the\ (?:request|instruction|message|text)s?)\b
  | \btreat(?:s|ed)?\ (?:it|that|this|them|those|such|the|as|any|all|every)\b[^.]{0,60}
    \b(?:data|untrusted|attack|injection|suspicious|hostile|text|content|red\ flag|malicious)
  | \b(?:say\ no|push\ back)\b
";

/// Words for what is refused, looked for or described, right before the match.
const NOUN: &str = r#"(?x)
    \b(?:
        attempts?|requests?|instructions?|commands?|prompts?|messages?|inputs?|phrases?|patterns?|strings?|texts?
      | ways?|efforts?|demands?|pressure|orders|anything|claims|signs|contents?|language|directives?|attacks?
    )(?:\ (?:embedded|hidden|found|in|from|inside|within|documents?|pages?|content|files?|web)){0,4}{link}[\ "'(\[:,-]*$
"#;

/// Verbs of those who defend.
const ACT: &str = r"(?x)
    \b(?:
        detect(?:s|ed|ing)?|flag(?:s|ged|ging)?|catch(?:es|ing)?|watch(?:es|ing)?\ (?:out\ )?for|guards?\ against
      | protect(?:s|ed|ing)?\ (?:against|from)|defend(?:s|ing)?\ against|mitigat(?:e|es|ing)|scan(?:s|ning)?\ for
      | look(?:s|ing)?\ for|check(?:s|ing)?\ for|test(?:s|ing)?\ for|report(?:s|ing)?|refus(?:e|es|ing)
      | reject(?:s|ing)?|declin(?:e|es|ing)|block(?:s|ed|ing)?|resist(?:s|ing)?|prevent(?:s|ing)?|beware\ of
      | ignor(?:e|es|ing)|identif(?:y|ies|ying)|filter(?:s|ing)?|recogni[sz](?:e|es|ing)|treat(?:s|ing)?
      | immune\ to|vulnerable\ to|susceptible\ to|suspect(?:s|ed)?
    )\b
";

/// What turns an act around, right before it.
const TURNED: &str = r"(?:\b(?:not|never|without|don't|won't|can't|cannot|stop|no need to)|n't)(?: ever)? $";

/// What a sentence says of a quotation.
const JUDGED: &str = r#"(?x)
    ^[\ "'\])]*(?:-?(?:style|type|like)\ )?(?:attempts?|attacks?|injections?|jailbreaks?|payloads?)\b
  | ^[\ "'\])]*(?:is|are)\ (?:an?\ |all\ |the\ |both\ )?(?:[a-z]+\ ){0,2}
    (?:attacks?|injections?|red\ flags?|suspicious|malicious|jailbreaks?|attempts?)\b
"#;

/// A report in another language: "if a message says", right before the match.
const ELSEWHERE: &str = r#"(?x)
    (?:
        \b(?:si|se|cuando|quando|quand|lorsque|wenn|falls|sobald|gdy|jesli|eger)\b[^.]{0,80}\b(?:
            pide|pida|piden|pidan|dice|diga|ordena|ordene|solicita|intenta|exige|contiene|pede|peca|diz|disser
          | manda|mande|demande|dit|ordonne|exige|essaie|contient|sagt|auffordert|verlangt|bittet|schreibt|enthalt
          | prosi|mowi|kaze
        )(?:\ (?:que|te|le|lhe|a|al|agente|de|d'|tu|toi|dich|dir|zu|ci|cie|qu'))*
      | (?:если|когда)[^.]{0,120}(?:просит|попросит|требует|потребует|говорит|скажет|пишет|приказывает|пытается|велит)
        (?:,?\ (?:тебя|вас|тебе|вам|что|чтобы|ты))*
      | (?:如果|若|当|當|一旦|凡是|任何)[^.]{0,90}(?:要求|让|讓|叫|命令|请求|指示|说|說|声称|试图|尝试|想要|诱导)
        (?:你|您|我|助手|模型|agent|ai)*
    )[\ "':,(]*(?:«|„|“|「|『|：|，)?$
"#;

const REFUSAL_ELSEWHERE: &str = r"(?x)
    \b(?:
        rechaza|rechace|rechazalo|niegate|recuse|recusa|rejeite|rejeita|refuse|refusez|rejette|lehne|ablehnen|verweigere
      | weigere|reddet|odmow|odrzuc|rifiuta
    )
  | откаж|отказы|отклон|отверг|拒绝|拒絕|拒否|断る|断り|断って|거부|거절|ارفض|अस्वीकार
";

/// The report after the words, where the verb ends the sentence: Japanese, Korean.
const REPORTED_AFTER: &str = r"(?x)
    ^.{0,40}(?:という|と言|と指示|と頼|と求め|よう(?:に)?(?:求め|指示|言|要求|頼)).{0,80}(?:拒否|断る|断り|断って|従わ|無視)
  | ^.{0,30}(?:라고|라는|도록|달라고).{0,60}(?:거부|거절|따르지)
";

/// A character of a story speaks.
const FICTION: &str = r#"(?x)
    (?:^|[^a-z])(?:the|an?|one|another|her|his|their|every|our\ story's)\ (?:[a-z'-]+\ ){0,3}
    (?:character|narrator|villain|hero|heroine|protagonist|antagonist)
    (?:\ (?:in|of|from)\ (?:the|an?|my|our|his|her|this)\ [a-z]+(?:\ [a-z]+){0,2})?(?:\ [a-z'-]+){0,2}
    \ (?:
        says?|said|shouts?|shouted|whispers?|whispered|tells?|told|orders?|ordered|writes?|wrote|mutters?|muttered
      | announces?|declares?|cries|cried|yells?|yelled|replies|replied
    )(?:\ [a-z'-]+){0,4}[\ ,:"'-]*$
"#;

/// A line that ends where its entries go on.
const FORBIDS: &str = r"(?x)
    (?:^|[\ ,])(?:
        never(?:\ ever)?|do\ not|don't|must\ not|mustn't|will\ not|won't|should\ not|shouldn't|cannot|can't|shall\ not
      | may\ not|must\ never|will\ never|should\ never|not\ allowed(?:\ to)?|not\ permitted(?:\ to)?|refuses?(?:\ to)?
      | avoid|forbidden|prohibited|nunca|jamais|niemals|nigdy
    )\ ?:?$
  | (?:никогда|никогда\ не|нельзя|запрещено)\ ?:?$
  | ^(?:禁止|严禁|不要|不得|禁止事项|禁止行为|禁止事項|금지|금지\ 사항)\ ?(?:：|:)?$
";

const ORDER: &str = r"(?x)
    \b(?:you\ (?:must|should|shall|will|have\ to|need\ to)|always|secretly|silently|quietly)\b
  | \b(?:before|after|on|with|at)\ (?:every|each|any)\b
  | \b(?:whenever|every\ time|each\ time)\b
";

/// The name of an attack, as an example of one.
const LABEL: &str = r"(?x)
    \b(?:examples?|samples?|e\.g\.|looks?\ like|such\ as|instances?)\b.{0,60}
    \b(?:
        attacks?|injections?|payloads?|jailbreaks?|exploits?|vulnerable|malicious|adversarial|poisoned|phishing
    )\b.{0,30}:$
  | \b(?:attacks?|injections?|payloads?|jailbreaks?|exploits?|malicious|adversarial|poisoned|phishing|injected)\b
    .{0,40}\b(?:examples?|samples?|looks?\ like|such\ as|may\ be|might\ be|could\ be)\b.{0,20}:$
  | \b(?:attackers?|adversar(?:y|ies)|hackers?|malicious\ [a-z]+)\b.{0,30}\b(?:can|could|may|might|will|would|try\ to)\ ?:$
  | \b(?:it|they|this|that)\ (?:could|might)(?:\ then|\ also)?\ ?:$
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(speech().is_some());
    }
}
