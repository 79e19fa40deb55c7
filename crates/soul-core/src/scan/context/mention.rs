//! Words that are mentioned, not used: "strings such as … in a mail are plain text".
//!
//! A mention has two parts, and neither counts alone. The words right before the match introduce it as something that
//! others write: a noun for a piece of text ("phrases like", "a line reading", "instructions of the form"), or a text
//! that contains it ("if a file contains"). And a verdict says that it has no force: it is only text, grants nothing, is
//! not obeyed, is refused, removed or reported. The verdict is in the same sentence, as the predicate of the mention or
//! as the consequence of its condition, or in the next or previous sentence of the paragraph if that refers to it by a
//! pronoun ("such marks have no power").

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::passage::{Neighbours, Sides};
use super::speech::{has_act, says_to_obey};
use crate::scan::fold::fold;
use crate::scan::patterns::STATES;

struct Mention {
    linked: Regex,
    marked: Regex,
    carried: Regex,
    own_side: Regex,
    uses: Regex,
    used_after: Regex,
    negator: Regex,
    address: Regex,
    stated: Regex,
    consequence: Regex,
    anaphor: Regex,
    refers_back: Regex,
    looks_like_code: Regex,
    not_obeyed: Regex,
    demands: Regex,
    kinds: Regex,
    main_clause: Regex,
    list_of_deeds: Regex,
    transport: Regex,
    treated: Regex,
    regarded: Regex,
    elsewhere: Regex,
    stated_elsewhere: Regex,
    postposed: Regex,
    consequences: Regex,
}

/// The compiled patterns; `None` if one cannot be compiled, which a test rules out.
fn mention() -> Option<&'static Mention> {
    static MENTION: OnceLock<Option<Mention>> = OnceLock::new();
    let build = |pattern: &str| {
        let pattern = pattern
            .replace("{piece}", PIECE)
            .replace("{listed}", LISTED)
            .replace("{verdict}", VERDICT)
            .replace("{measure}", MEASURE);
        RegexBuilder::new(&pattern).unicode(false).dfa_size_limit(STATES).build().ok()
    };
    let all = || {
        Some(Mention {
            linked: build(LINKED)?,
            marked: build(MARKED)?,
            carried: build(CARRIED)?,
            own_side: build(OWN_SIDE)?,
            uses: build(USES)?,
            used_after: build(USED_AFTER)?,
            negator: build(NEGATOR)?,
            address: build(ADDRESS)?,
            stated: build(STATED)?,
            consequence: build(CONSEQUENCE)?,
            anaphor: build(ANAPHOR)?,
            refers_back: build(REFERS_BACK)?,
            looks_like_code: build(LOOKS_LIKE_CODE)?,
            not_obeyed: build(NOT_OBEYED)?,
            demands: build(DEMANDS)?,
            kinds: build(KINDS)?,
            main_clause: build(MAIN_CLAUSE)?,
            list_of_deeds: build(LIST_OF_DEEDS)?,
            transport: build(TRANSPORT)?,
            treated: build(TREATED)?,
            regarded: build(REGARDED)?,
            elsewhere: build(ELSEWHERE)?,
            stated_elsewhere: build(STATED_ELSEWHERE)?,
            postposed: build(POSTPOSED)?,
            consequences: build(CONSEQUENCES)?,
        })
    };
    MENTION.get_or_init(all).as_ref()
}

/// Whether the match is mentioned, and the text says that what is mentioned has no force.
pub(super) fn is_mentioned(sides: Sides<'_>, near: Neighbours<'_>, matched: &str, quoted: bool) -> bool {
    let Some(mention) = mention() else { return false };
    let (before, after) = (fold(sides.before).text, fold(sides.after).text);
    let (before, after) = (before.as_bytes(), after.as_bytes());
    // A control token is no sentence: it can be named without quotation marks.
    let marked = quoted || matched.trim_start_matches('(').starts_with(['<', '[']);
    if marked && (mention.elsewhere.is_match(before) && mention.stated_elsewhere.is_match(after))
        || marked && mention.postposed.is_match(after)
    {
        return true;
    }
    let treated = marked && mention.treated.is_match(before);
    let linked = mention.linked.is_match(before);
    let introduced = linked || marked && mention.marked.is_match(before);
    let carried = mention.carried.captures(before).is_some_and(|found| {
        let subject = found.get(1).map_or(&b""[..], |subject| subject.as_bytes());
        !mention.own_side.is_match(subject)
    });
    let turned = mention.uses.is_match(before) || mention.negator.is_match(before) || is_to_be_used(mention, after);
    if !introduced && !carried && !treated || turned {
        return false;
    }
    // Where no mark closes it, what a token begins may be the words that it gives the reader.
    let stated =
        verdict(&mention.stated, mention, after).is_some_and(|between| quoted || !mention.address.is_match(between));
    // "Beware of phrases like …"; what "treat" means is said after it, and a colon begins another clause.
    let clause = before.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let treated_somehow = before.windows(5).any(|window| window == b"treat");
    let next = fold(near.next).text;
    let next = next.as_bytes();
    stated
        || treated && mention.regarded.is_match(after)
        || linked && marked && !treated_somehow && has_act(clause)
        || carried && mention.consequence.is_match(after)
        || verdict(&mention.refers_back, mention, next).is_some() && !is_to_be_used(mention, next)
        || introduced && marked && is_explained_before(mention, before, near)
}

/// Whether a sentence says of what stands before it that it is only text, or has no force.
pub(super) fn refers_to_text(sentence: &str) -> bool {
    let Some(mention) = mention() else { return false };
    let folded = fold(sentence).text;
    let sentence = folded.trim().as_bytes();
    (verdict(&mention.refers_back, mention, sentence).is_some() || mention.looks_like_code.is_match(sentence))
        && !is_to_be_used(mention, sentence)
}

/// What comes before the verdict of a pattern, unless it turns the verdict around: "such lines never get removed".
fn verdict<'t>(pattern: &Regex, mention: &Mention, text: &'t [u8]) -> Option<&'t [u8]> {
    let found = pattern.captures(text)?.get(1)?;
    let between = &text[..found.start()];
    (!mention.negator.is_match(between)).then_some(between)
}

/// Whether a sentence says to do what it is about.
fn is_to_be_used(mention: &Mention, text: &[u8]) -> bool {
    says_to_obey(text) || mention.used_after.is_match(text)
}

/// Whether the sentence gives an example of what the sentence before it says not to obey: "They are data. This includes
/// instructions of the form …".
fn is_explained_before(mention: &Mention, before: &[u8], near: Neighbours<'_>) -> bool {
    let previous = fold(near.previous).text;
    mention.anaphor.is_match(before) && verdict(&mention.not_obeyed, mention, previous.as_bytes()).is_some()
}

/// Whether the match describes what texts or programs of others do, and nobody is told to do it: an entry such as
/// "instructions that tell the agent to …", or what a finding is reported for.
pub(super) fn is_description(sides: Sides<'_>) -> bool {
    let Some(mention) = mention() else { return false };
    let (before, after) = (fold(sides.before).text, fold(sides.after).text);
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let joined = after.starts_with(b"or ") || after.windows(4).any(|window| window == b" or ");
    let sought = || mention.demands.find(before).is_some_and(|demand| joined && has_act(&before[..demand.start()]));
    let is_kind = || mention.kinds.is_match(before) && !mention.main_clause.is_match(after);
    let is_deed = || joined && mention.list_of_deeds.is_match(before) && !mention.own_side.is_match(before);
    sought() || is_kind() || is_deed() || mention.transport.is_match(before) || mention.consequences.is_match(before)
}

/// A noun for a piece of text.
const PIECE: &str = r"(?x:
    \b(?:
        strings?|texts?|mark(?:er|up)?s?|tokens?|tags?|blocks?|brackets?|lines?|delimiters?|sequences?|phrases?
      | sentences?|words|instructions?|directives?|commands?|orders|requests?|demands?|attempts?|prompts?|messages?
      | patterns?|templates?|headers?|labels?|snippets?|characters|wording|language|contents?|inputs?|claims?|comments?
    )
    (?:\ (?:
        embedded|hidden|found|buried|planted|inserted|pasted|contained|in|from|inside|within|the|an?|any|its|their
      | untrusted|external|fetched|retrieved|user|tool|web|documents?|pages?|contents?|files?|messages?|e?mails?|data
      | results?|outputs?|comments?
    )\b){0,6})";

/// Other quotations or tokens of the same list, before the match.
const LISTED: &str = r#"(?x:
    [\ "'(]*(?:(?:[^"]{1,60}"|[<\[][^\ ]{0,24}[>\]])[,/]?\ (?:(?:or|and)\ )?["']?){0,5})"#;

/// A piece of text, and words that say that an example of it follows.
const LINKED: &str = r"(?x)
    (?:{piece}|\b(?:any|every)thing),?\ (?:
        such\ as|like|of\ the\ (?:form|kind|type|sort)|along\ the\ lines\ of
      | (?:that|which)\ (?:says?|reads?|(?:begin|start)s?\ with|looks?\ like|contains?)
    ){listed}$
";

/// Before a quotation or token less is enough: the noun itself, a parenthesis, an article.
const MARKED: &str = r"(?x)
    {piece}(?:\ ?\((?:e\.g\.,?\ |for\ example,?\ |such\ as\ |like\ )?
      | \ (?:saying|reading|containing|beginning\ with|starting\ with|including|in|with|called))?{listed}$
  | (?:^|\ )(?:an?|any|every|such)\ [\x22'\ ]*$
";

/// A text that contains the match, with its subject.
const CARRIED: &str = r#"(?x)
    (?:^|[\ ,"(])((?:if|when|whenever|where|an?|any|some|every|each|that|which|[a-z]+s)\ (?:[a-z'-]+\ ){0,5})
    (?:
        contains?|says?|reads?|(?:starts?|begins?|opens?|ends?)\ with|includes?|carr(?:y|ies)|has|have|shows?|brings?
      | pastes?|writes?|sends?|quotes?|mentions?|tells|asks
    )
    (?:\ (?:you|the|an?|agent|assistant|model|to|something|words?|text|like|such|as|that)\b){0,4}[\ "':(]*$
"#;

/// Those whose words are not foreign.
const OWN_SIDE: &str = r"\b(?:your|you|system|owner|operator|developer|this|soul|i|we|my|our|platform)\b";

/// What makes an example one to use.
const USES: &str = r"(?x)
    (?:^|[,;:]\ |\b(?:and|then|must|should|always|will|to|you|please|also)\ )(?:
        obey|follow|use|apply|adopt|say|repeat|honou?r|accept|execute|welcome|trust|carry\ out|act\ on
    )\b
";

/// The same after it.
const USED_AFTER: &str = r"(?x)
    \b(?:must|shall|should|always|will|to)\ (?:be\ )?(?:obey|follow|compl(?:y|ied)|execute|run|appl(?:y|ied)|trust|honou?r|act|do\b)
";

/// What turns a verdict around.
const NEGATOR: &str = r"\b(?:no|nothing|never|none|not|nor|neither|nobody|hardly|rarely|don't|cannot|can't|without)\b";

/// What speaks to the reader.
const ADDRESS: &str = r"\b(?:you|your|must|always|now)\b";

/// What the words are worth, or what is done with them.
const VERDICT: &str = r"(?x:
    \b(?:
        (?:is|are|remains?|stays?)\ (?:(?:only|just|still|merely|simply|plain|ordinary|literal|inert|mere|untrusted)\ ){0,3}
        (?:text|data|content|characters|prose|noise)
      | (?:is|are|remains?|stays?)\ (?:only|just|still|merely|nothing\ but|part\ of)\ (?:(?:an?|the|that|this)\ )?
        (?:[a-z]+\ )?(?:
            text|data|content|words?|characters|messages?|homework|tales?|stor(?:y|ies)|files?|notes?|mails?|quotations?
          | documents?|pages?|profiles?
        )
      | (?:
            grants?|lifts?|gives?|changes?|proves?|confers?|carr(?:y|ies)|has|have|means?|opens?|unlocks?|authori[sz]es?
          | commands?|authenticates?|overrides?|binds?|gets?|receives?|deserves?
        )\ (?:nobody|nothing|no\ one|no)
      | (?:(?:do|does|did|will|can|could|may|must|should)\ (?:not|never)|cannot|don't|doesn't|won't|can't)\ (?:
            authenticate|authori[sz]e|change|grant|lift|command|override|count|apply|bind|prove|alter|replace|come\ from
          | give|unlock|affect|speak\ for|open|end|start
        )
      | (?:is|are)\ (?:not|never)\ (?:an?\ |the\ |to\ be\ )?(?:
            orders?|instructions?|commands?|turns?|from|obeyed|followed|executed|run|installed|acted\ on|carried\ out|honou?red|trusted
          | permission|approval|consent|binding
        )
      | (?:(?:must|should|shall|may|can|will)\ (?:not|never)|cannot|can't)\ be\ (?:
            interpreted|treated|read|taken|followed|obeyed|executed|trusted|honou?red|acted\ on|carried\ out
        )
      | (?:is|are|gets?|(?:must|should|shall|will)\ be)\ (?:(?:also|always|simply|immediately|then)\ )?(?:
            cut|stripped|removed|deleted|dropped|discarded|flagged|reported|ignored|rejected|refused|declined|denied
          | blocked|quarantined|escaped|filtered
        )
      | (?:is|are|was|were)\ (?:an?\ )?(?:(?:prompt|clear|obvious|likely)\ )?(?:
            forger(?:y|ies)|forged|fakes?|injections?|attacks?|tampered|spoofed
        )
      | (?:(?:is|are)\ )?(?:shown|printed|quoted|kept|stored|copied)\ (?:as|like)\ (?:they\ are|it\ is|any\ other|plain|text)
      | by\ nobody
    )\b)";

/// What the reader does about it.
const MEASURE: &str = r"(?x:
    \b(?:
        (?:refuse|decline|reject|report|flag|quote|show)\ (?:it|them|those|such|these)
      | (?:refuse|decline|reject|report|flag|quote|show|ignore|strip|cut|delete|remove|drop|discard)\ (?:
            it|(?:that|this|the)\ (?:file|message|text|line|page|mail|note|sender|attempt|request|entry|ticket)
        )
      | (?:treat|regard|handle|read)\ (?:it|them|that|those|these|this)\ (?:only\ |just\ )?as\x20
        (?:(?:plain|ordinary|mere|literal|untrusted|inert|raw|just|only|quoted)\ ){0,2}(?:text|data|content|characters|noise)
      | (?:change|confirm|grant|approve|release|unlock)\ nothing
      | (?:leave|keep)\ [^,;.]{0,40}\ (?:as\ (?:they\ are|it\ is)|unchanged|closed|in\ place)
      | (?:do\ not|never|don't)\ (?:obey|follow|comply|act|execute)
      | hang\ up
    )\b)";

/// A verdict as the predicate of the mention: only the rest of its list and where it stands come between.
const STATED: &str = r#"(?x)
    ^["'\])]*(?:[,/]?\ ?(?:or\ |and\ )?(?:["'(][^"]{0,60}["')]+|[<\[][^,;]{0,24}[>\]][a-z]{0,9}\)?)){0,5}[^,;:.]{0,90}?({verdict})
"#;

/// A verdict or a measure after the condition.
const CONSEQUENCE: &str = r"(?x)
    ,\ (?:then\ )?(?:(?:it|that|this|they|these|those|the\ [a-z]+)\ )?(?:{verdict}|{measure})
  | ,\ [^.;:]{0,60}\ and\ {measure}
";

/// A sentence about what the one before it was about.
const ANAPHOR: &str = r"^(?:this|that|it|they|these|those|examples?|typical\ [a-z]+|common\ [a-z]+)\b";

/// The next sentence, about the mention.
const REFERS_BACK: &str = r"(?x)
    ^(?:(?:such|these|those|this|that|they|it)\b[^,;:.]{0,40}?)?(
        {verdict}
      | ^(?:refuse|decline|reject|ignore|report|flag|quote|strip|cut|delete|remove|drop|discard)\ (?:it|them|these|those|such)\b
      | ^(?:do\ not|never|don't)\ (?:obey|follow|act\ on|comply\ with|execute)\ (?:it|them|these|those|such)\b
    )
";

/// An answer to what looks like code.
const LOOKS_LIKE_CODE: &str = r"(?x)
    ^(?:that|this|it)(?:'s|\ is|\ looks|\ seems|\ reads)(?:\ (?:to\ be|like|just|only|some|an?|bits?\ of))*\x20
    (?:chat\ |system\ |template\ |control\ |computer\ |pasted\ |forged\ |fake\ )*
    (?:code|mark-?up|tokens?|tags?|marks|template|paste)\b
";

/// The sentence before: such texts are not obeyed.
const NOT_OBEYED: &str = r"(?x)
    (\b(?:not|never|don't|nor)\ (?:(?:
        ever|execute|follow|obey|run|trust|interpret|perform|open|be|directives?|orders?|instructions?|commands?|an?|the|to
      | or|and
    ),?\ ){0,6}(?:follow|obey|execute|act\ on|comply|acted\ on|obeyed|followed|executed|heed)\b
  | {verdict})
";

/// What a skill or text asks of some agent, in several parts, up to one of them.
const DEMANDS: &str = r"(?x)
    \b(?:skills?|texts?|files?|pages?|messages?|documents?|prompts?|instructions?|contents?|tools?|packages?)
    (?:\ [a-z'-]+){0,3}\ (?:asks?|tells?|instructs?|directs?|urges?|makes?|leads?)\ (?:an|the|any)
    \ (?:agent|assistant|model|llm)\ to\ [^.;:]{0,240},\ (?:act\ )?$
";

/// An entry that names a kind of text by what it tells a model to do.
const KINDS: &str = r"(?x)
    ^(?:hidden\ |embedded\ )?(?:instructions|prompts|texts?|contents?|messages|commands|directives|files|skills|requests)\x20
    (?:(?:that|which)\ (?:tell|make|direct|instruct|urge|ask|push|trick)|telling|making|directing|instructing|urging|asking)
    \ (?:the|an|any)\ (?:agent|assistant|model|llm|ai)s?\ (?:to|into)\ [^.;:]{0,120}$
";

/// A verb or an address after the entry, by which it would be more than a name.
const MAIN_CLAUSE: &str =
    r"\b(?:is|are|must|should|shall|will|takes?|have|has|win|apply|you|your|always|follow|obey|override)\b";

/// What programs of others can do, one of several deeds.
const LIST_OF_DEEDS: &str = r"(?x)
    ^(?:(?:[a-z-]+|the)\ ){0,2}(?:tools|servers|packages|plugins|extensions|skills|dependencies|scripts)\x20
    (?:can|could|may|might)\ [^.;:]{0,80},\ $
";

/// How requests of a program carry what they carry.
const TRANSPORT: &str = r"(?x)
    ^(?:all\ |the\ |these\ |every\ |each\ )?(?:requests?|calls?|endpoints?|apis?|clients?)\x20
    (?:pass(?:es)?|takes?|carr(?:y|ies)|accepts?|requires?|expects?)\ (?:the\ |their\ )?$
";

/// A verb for how something is taken, right before it.
const TREATED: &str = r"(?x)
    \b(?:treat|regard|handle|read)\ (?:(?:any|every|all|such|an?|the|these|those|stray)\ ){0,2}{listed}$
";

/// And as what.
const REGARDED: &str = r"(?x)
    ^[^;:.]{0,90}\bas\ (?:(?:plain|ordinary|mere|literal|untrusted|inert|raw|just|only|quoted)\ ){0,2}
    (?:text|data|content|characters|noise)\b
";

/// A mark, string or text in other languages, right before it.
const ELSEWHERE: &str = r#"(?x)
    \b(?:
        (?:balises?|marques?|marqueurs?|chaines?|textes?|lignes?|mots)(?:\ (?:comme|telles?\ que|tels?\ que|du\ type))?
      | (?:marcas?|etiquetas?|textos?|cadenas?|lineas?|palabras|tags?|linhas?)(?:\ (?:como|del\ tipo|tipo|do\ tipo))?
      | (?:zeichen|marken|marker|texte?|zeilen?|tags?|zeichenfolgen?|zeichenketten?|worter)(?:\ wie)?
      | (?:marcatori|etichette|stringhe|righe|testi)(?:\ come)?
      | un|una|une|um|uma|ein|eine
    )\ [\ "'(]*$
    # if a text contains it
  | \b(?:wenn|falls|sobald|si|se|cuando|quando|quand|lorsque|gdy|jesli|eger)\b[^.,;]{0,80}\ [\ "'(]*$
  | (?:если|когда)\ [^.,;]{0,120}\ [\ "'(]*$
  | (?:夹着|夾著|出现|出現|包含|含有|写着|带有|里的|中的)[\ "'(]*(?:“|「|『)?$
"#;

/// What it is worth there.
const STATED_ELSEWHERE: &str = r#"(?x)
    ^[^.;]{0,120}\b(?:
        ne\ (?:(?:leve|change|donne|autorise|prouve|signifie|accorde)(?:nt)?|valent|vaut)\ (?:pas|aucune?|rien)
      | (?:n'est|ne\ sont)\ (?:que|pas)|n'(?:a|ont)\ (?:aucune?|pas)
      | (?:est|sont|restent?)\ (?:du\ |de\ )?(?:simples?\ )?(?:texte|donnees)
      | (?:es|son|sigue\ siendo|siguen\ siendo|e|sao|continua\ sendo)\x20
        (?:solo\ |simples?\ |apenas\ |so\ |mero\ )?(?:texto|datos|dados)
      | (?:no|nao)\ (?:cambian?|concede[nm]?|dan?|autoriza[nm]?|levantan?|prueban?|mudam?|dao)
      | (?:ist|sind|bleibt|bleiben)\ (?:das\ |es\ |dies\ )?(?:nur\ |blosser\ |reiner\ |einfach\ |bloss\ )*(?:text|daten|inhalt)
      | (?:andert|andern|hebt|heben|erlaubt|erlauben|gibt|geben|beweist|beweisen)\ (?:nichts|kein[a-z]*)
      | (?:e|sono|resta|restano)\ (?:solo\ |semplice\ )?testo
    )\b
  | ^[^.;]{0,90}(?:просто|лишь|только|обычныи)\ [^.;]{0,30}текст|^[^.;]{0,90}ничего\ не\ (?:меняет|значит|разрешает)
  | ^[^.;]{0,120}(?:
        不当作|不视为|不算|不代表|不执行|不理会|只是(?:普通)?(?:文本|文字|数据)
      | (?:视为|当作|当成)(?:普通|一般)?(?:的)?(?:数据|文本|文字)
    )
"#;

/// The verdict of a language whose verb ends the sentence: "lines that begin with … are not treated as".
const POSTPOSED: &str = r#"(?x)
    ^["']?(?:」|』)?(?:と|で)?(?:書かれ|記され|ある|あっ|始まる|いう)[^.]{0,120}(?:ても|ていたら|でも|行|文)[^.]{0,150}
    (?:みなさず|みなさない|扱わず|扱わない|にはならず|とはならず|にはならない|とはならない|従わず|従わない|ただの文字)
"#;

/// What would come of something.
const CONSEQUENCES: &str = r"(?x)
    \b[a-z]+ing\ (?:it|this|that|them)\ (?:could|might)\ $
    # Chinese: otherwise
  | (?:否则|不然|否則)(?:，|,)?\ ?(?:ai|模型|助手|智能体|agent)\ ?(?:就|可能|也)?会\ ?$
    # an attack, and an example of it
  | (?:注入|攻击|攻擊|越狱)(?:语言|内容|文本|指令|提示)?(?:，|,|、)?\ ?(?:例如|比如|如)(?:要求|诱导|试图)\ ?$
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(mention().is_some());
    }
}
