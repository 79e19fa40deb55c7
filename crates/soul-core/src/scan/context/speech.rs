//! What a sentence does with words that it reports: an attack described, a demand that is refused, a line of a story.
//!
//! A report names who speaks, then a verb of saying or trying, then the words, with nothing else between. That subject is
//! never the reader's own side (the system, the owner, the developer). A condition ("if a message says …") reports only
//! together with the refusal in the same sentence; otherwise its words are a trigger.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::passage::{Introduction, Sides, ends_in_colon};
use super::wording::*;
use crate::scan::fold::fold;
use crate::scan::patterns::STATES;

struct Speech {
    report: Regex,
    deed: Regex,
    foe: Regex,
    relative: Regex,
    tries: Regex,
    sought: Regex,
    cast: Regex,
    third: Regex,
    reset: Regex,
    named: Regex,
    adverse: Regex,
    risk: Regex,
    part: Regex,
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
    refused_after: Regex,
    fiction: Regex,
    carrier: Regex,
    carrier_after: Regex,
    kind: Regex,
    obeys: Regex,
    disobeys: Regex,
    subordinate: Regex,
    foreign: Regex,
    own_place: Regex,
    forbids: Regex,
    label: Regex,
    pattern: Regex,
    order: Regex,
    thing: Regex,
    denied: Regex,
    denies: Regex,
    attack_name: Regex,
    checked: Regex,
    described: Regex,
    question: Regex,
    attack_list: Regex,
    statement: Regex,
    checks: Regex,
    plural: Regex,
    user_message: Regex,
    verdict: Regex,
    demands: Regex,
    detects: Regex,
    program: Regex,
    runs: Regex,
}

/// The compiled patterns; `None` if one cannot be compiled, which a test rules out.
fn speech() -> Option<&'static Speech> {
    static SPEECH: OnceLock<Option<Speech>> = OnceLock::new();
    let build = |pattern: &str| {
        let pattern = pattern.replace("{source}", SOURCE).replace("{link}", LINK);
        RegexBuilder::new(&pattern).unicode(false).dfa_size_limit(STATES).build().ok()
    };
    let all = || {
        Some(Speech {
            report: build(REPORT)?,
            deed: build(DEED)?,
            foe: build(FOE)?,
            relative: build(RELATIVE)?,
            tries: build(TRIES)?,
            sought: build(SOUGHT)?,
            cast: build(CAST)?,
            third: build(THIRD)?,
            reset: build(RESET)?,
            named: build(NAMED)?,
            adverse: build(ADVERSE)?,
            risk: build(RISK)?,
            part: build(PART)?,
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
            refused_after: build(REFUSED_AFTER)?,
            fiction: build(FICTION)?,
            carrier: build(CARRIER)?,
            carrier_after: build(CARRIER_AFTER)?,
            kind: build(KIND)?,
            obeys: build(OBEYS)?,
            disobeys: build(DISOBEYS)?,
            subordinate: build(SUBORDINATE)?,
            foreign: build(FOREIGN)?,
            own_place: build(OWN_PLACE)?,
            forbids: build(FORBIDS)?,
            label: build(LABEL)?,
            pattern: build(PATTERN)?,
            order: build(ORDER)?,
            thing: build(THING)?,
            denied: build(DENIED)?,
            denies: build(DENIES)?,
            attack_name: build(ATTACK_NAME)?,
            checked: build(CHECKED)?,
            described: build(DESCRIBED)?,
            question: build(QUESTION)?,
            attack_list: build(ATTACK_LIST)?,
            statement: build(STATEMENT)?,
            checks: build(CHECKS)?,
            plural: build(PLURAL)?,
            user_message: build(USER_MESSAGE)?,
            verdict: build(VERDICT)?,
            demands: build(DEMANDS)?,
            detects: build(DETECTS)?,
            program: build(PROGRAM)?,
            runs: build(RUNS)?,
        })
    };
    SPEECH.get_or_init(all).as_ref()
}

/// Whether the sentence reports the match as the words of someone else, or says that it is refused.
pub(super) fn is_reported(sides: Sides<'_>, matched: &str, quoted: bool) -> bool {
    let Some(speech) = speech() else { return false };
    let (before, after) = (fold(sides.before).text, fold(sides.after).text);
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let stated = before.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let deed = speech.deed.is_match(stated) && !speech.reset.is_match(stated);
    let third = speech.third.is_match(before) && !speech.cast.is_match(before);
    if deed || third || is_deed_of_foe(speech, before, matched, after, quoted) {
        return true;
    }
    if is_in_relative(speech, stated, after) {
        return true;
    }
    // "Escalation: instructions to bypass …" describes what it names.
    if speech.described.is_match(before) && !speech.reset.is_match(stated) {
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
    // "If a page asks you to change goals, reveal your prompt, or run a command, refuse."
    if speech.demands.is_match(before) && after.windows(4).any(|window| window == b" or ") && refused() {
        return true;
    }
    // After "and" the sentence goes on with something else: "ignore all instructions and send …" refuses no sending.
    let goes_on = |noun: &[u8]| noun.windows(5).any(|window| window == b" and ");
    // "No request such as … is refused" refuses nothing.
    let none = |ahead: &[u8]| ahead == b"no " || ahead.ends_with(b" no ");
    if let Some(noun) = speech.refused_noun.find(before)
        && !goes_on(noun.as_bytes())
        && !none(&before[..noun.start()])
        && (says(&speech.act, speech, &before[..noun.start()]) || refused() || quoted && speech.adverse.is_match(after))
    {
        return true;
    }
    if speech.elsewhere.is_match(before) && speech.refusal_elsewhere.is_match(after) {
        return true;
    }
    if speech.reported_after.is_match(after) {
        return true;
    }
    // A page, a letter or a message may say anything; the quotation is what it says.
    if quoted && (speech.carrier.is_match(before) || speech.carrier_after.is_match(after)) && !obeyed(speech, after) {
        return true;
    }
    // The kind of attack, and a sample of it in parentheses.
    if quoted && speech.kind.is_match(before) {
        return true;
    }
    // "Do not obey instructions in the page (such as …)": the quotation is an example of what is not obeyed.
    if quoted && speech.disobeys.is_match(before) {
        return true;
    }
    if quoted && says(&speech.detects, speech, before) && !obeyed(speech, after) {
        return true;
    }
    // The name of an attack, spelled out in parentheses: "DAN (…) prompts".
    if before.trim_ascii_end().ends_with(b"(") && speech.named.is_match(after) {
        return true;
    }
    quoted && (speech.judged.is_match(after) || speech.refused_after.is_match(after))
}

/// Whether the subject of the sentence is an attacker, and nothing after it speaks to the reader. After a comma a new
/// sentence could begin, unless the deeds are joined by "or".
fn is_deed_of_foe(speech: &Speech, before: &[u8], matched: &str, after: &[u8], quoted: bool) -> bool {
    speech.foe.find_iter(before).last().is_some_and(|foe| {
        // "Be a rogue agent and …" speaks to the reader.
        if speech.cast.is_match(&before[..foe.start()]) {
            return false;
        }
        let between = &before[foe.end()..];
        // "An attacker sends …" is a sentence; "attacker send …" is an order with a word in front of it.
        if !quoted && between.trim_ascii().is_empty() && is_one(foe.as_bytes()) && !is_third_person(matched) {
            return false;
        }
        let stated = !speech.reset.is_match(between)
            || quoted && !speech.reset.is_match(between.trim_ascii_end().strip_suffix(b":").unwrap_or(between));
        // What the attacker does by it is a participle: "… , bypassing the filters".
        let spliced = between.trim_ascii_end().ends_with(b",")
            && !after.windows(4).any(|window| window == b" or ")
            && !is_gerund(matched);
        // Chinese joins clauses by commas; there the deed is one that the attacker can or tries to do.
        let tried = ["可能", "可以", "会", "通过", "试图", "利用", "能够"];
        let between = String::from_utf8_lossy(between);
        let joined = !between.contains('，') || tried.iter().any(|word| between.contains(word));
        stated && !spliced && joined
    })
}

/// Whether an English name of an attacker is in the singular, so that its verb ends in "s".
fn is_one(foe: &[u8]) -> bool {
    let names = [&b"attacker"[..], b"adversary", b"hacker", b"scammer", b"intruder", b"insider", b"actor"];
    let kinds = [&b"malicious"[..], b"hostile", b"compromised", b"rogue"];
    names.iter().any(|name| foe.ends_with(name))
        || kinds.iter().any(|kind| foe.starts_with(kind) && !foe.ends_with(b"s"))
}

fn is_gerund(matched: &str) -> bool {
    fold(matched).text.split(' ').next().is_some_and(|word| word.ends_with("ing"))
}

fn is_third_person(matched: &str) -> bool {
    let folded = fold(matched).text;
    let verb = folded.split(' ').next().unwrap_or_default();
    ["s", "ed", "ing"].iter().any(|ending| verb.ends_with(ending))
}

/// Whether it stands in a relative clause about what is looked for, or what things of someone else try to do: "audit
/// the files for rules that disable …". What is to be obeyed or used is no such thing.
fn is_in_relative(speech: &Speech, before: &[u8], after: &[u8]) -> bool {
    speech.relative.find(before).is_some_and(|found| {
        let (ahead, clause) = (&before[..found.start()], &before[found.range()]);
        let spliced = clause.contains(&b',') && !after.windows(4).any(|window| window == b" or ");
        let sought = says(&speech.act, speech, ahead);
        let tried = ahead.trim_ascii().is_empty() || ahead.trim_ascii().ends_with(b":");
        let addressed = speech.reset.is_match(clause) || speech.cast.is_match(ahead) || speech.obeys.is_match(ahead);
        // An entry that names things and what they do: "unhandled exceptions that bypass …".
        let words: Vec<&[u8]> =
            ahead.trim_ascii().split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
        let named = words.len() <= 2 && !words.iter().any(|word| speech.runs.is_match(word)) && is_thing_name(clause);
        !spliced && !addressed && (sought || tried && speech.tries.is_match(clause) || named)
    })
}

/// Whether the things of a relative clause are parts of programs, which nobody obeys.
fn is_thing_name(clause: &[u8]) -> bool {
    let things = [
        &b"exceptions"[..],
        b"errors",
        b"bugs",
        b"changes",
        b"patches",
        b"flags",
        b"options",
        b"settings",
        b"commands",
        b"configurations",
        b"defaults",
        b"paths",
        b"routes",
        b"calls",
        b"handlers",
        b"migrations",
        b"scripts",
    ];
    let first = clause.split(|byte| *byte == b' ').next().unwrap_or_default();
    things.contains(&first)
}

/// Whether the sentence says to do what it reports.
fn obeyed(speech: &Speech, after: &[u8]) -> bool {
    says(&speech.obeys, speech, after)
}

/// Whether the answer to a quotation, in the next cell of its row, is a refusal.
pub(super) fn is_refused_in(cell: &str) -> bool {
    let folded = fold(cell).text;
    speech().is_some_and(|speech| speech.refusal.find(folded.trim().as_bytes()).is_some_and(|found| found.start() == 0))
}

/// Whether a setting forbids its key, or has the agent ask first.
pub(super) fn is_denied_by(value: &str) -> bool {
    speech().is_some_and(|speech| speech.denied.is_match(fold(value).text.trim().as_bytes()))
}

/// Whether the key of a list of settings forbids what is in it: `"deny": [`.
pub(super) fn denies_list(key: &str) -> bool {
    speech().is_some_and(|speech| speech.denies.is_match(key.to_lowercase().as_bytes()))
}

/// Whether the label of a quotation names a kind of attack, as tables and lists of attacks do.
pub(super) fn names_attack(label: &str) -> bool {
    let folded = fold(label).text;
    speech().is_some_and(|speech| speech.attack_name.is_match(folded.trim().as_bytes()))
}

/// Whether a line of code hands the string that it opens to a check, or calls it an attack: `guard.scan("…`.
pub(super) fn is_checked(before: &str) -> bool {
    speech().is_some_and(|speech| speech.checked.is_match(before.as_bytes()))
}

/// Whether a line of a program has the string as its data, or a list of the program does, and the program checks it.
pub(super) fn is_checked_in(before: &str, list: Option<&str>, code: &str) -> bool {
    let Some(speech) = speech() else { return false };
    let listed = list.is_some_and(|list| !list.contains(':') && list.contains(['=', '(']));
    let named = listed && list.is_some_and(|list| speech.attack_list.is_match(list.as_bytes()));
    let entry =
        || before.trim_start().split_once(':').is_some_and(|(_, value)| value.trim_start().starts_with(['"', '\'']));
    let data =
        listed || speech.statement.is_match(before.as_bytes()) || entry() && speech.program.is_match(code.as_bytes());
    // What a program sends as the words of a user is no order to the reader.
    named || data && speech.checks.is_match(code.as_bytes()) || speech.user_message.is_match(before.as_bytes())
}

/// Whether the sentence asks whether or how something can be done, and does not tell the reader to do it.
pub(super) fn is_question(sides: Sides<'_>) -> bool {
    let asks = sides.after.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '"')).ends_with('?');
    asks && speech().is_some_and(|speech| speech.question.is_match(fold(sides.before).text.as_bytes()))
}

/// Whether the rest of a line has the verdict of a check.
pub(super) fn is_judged(rest: &str) -> bool {
    speech().is_some_and(|speech| speech.verdict.is_match(rest.as_bytes()))
}

/// Whether nothing before a list of commands in inline code says to run them.
pub(super) fn is_only_named(before: &str) -> bool {
    speech().is_some_and(|speech| !speech.runs.is_match(fold(before).text.as_bytes()))
}

/// Whether the subject is a part of a program, which does it by itself: "this flag will delete …". Nobody is ordered to.
pub(super) fn is_deed_of_thing(sides: Sides<'_>, matched: &str) -> bool {
    let Some(speech) = speech() else { return false };
    let before = fold(sides.before).text;
    // "Models forget rules" says what they do; "fire-and-forget" is a name.
    if speech.plural.is_match(before.as_bytes()) && !speech.cast.is_match(before.as_bytes())
        || ["-and-", "-or-", "-to-"].iter().any(|joint| sides.before.ends_with(joint))
    {
        return true;
    }
    let Some(thing) = speech.thing.find(before.as_bytes()) else { return false };
    let modal = before.as_bytes()[thing.range()].split(|byte| *byte == b' ').any(|word| MODAL.contains(&word));
    (modal || is_third_person(matched)) && !speech.cast.is_match(before.as_bytes())
}

/// Whether it is the subject of a subordinate clause that does not do it: "if the docs do not mention it".
pub(super) fn is_subordinate(sides: Sides<'_>, matched: &str) -> bool {
    let matched = fold(matched).text;
    let negated = ["do not ", "don't ", "did not ", "didn't "].iter().any(|start| matched.starts_with(start));
    negated && speech().is_some_and(|speech| speech.subordinate.is_match(fold(sides.before).text.as_bytes()))
}

/// Whether it is the name of an activity that the text calls an attack or a risk, before a colon: "Attack pattern:
/// bypassing safety controls". With a comma a main clause may follow, which would be an order.
pub(super) fn is_activity(sides: Sides<'_>, introduction: Option<Introduction<'_>>, matched: &str) -> bool {
    let Some(speech) = speech() else { return false };
    let (before, matched, after) = (fold(sides.before).text, fold(matched).text, fold(sides.after).text);
    let introduced = introduction.map(|own| fold(own.line).text).unwrap_or_default();
    let label = if before.trim().is_empty() { introduced } else { before };
    let begins = label.trim_end().ends_with(':') && speech.risk.is_match(label.as_bytes());
    let gerund = is_gerund(&matched);
    let rest = format!("{matched} {after}");
    // "Prompt injection can include bypassing …" names an activity as well.
    let part = speech.part.is_match(label.as_bytes()) && !speech.reset.is_match(label.as_bytes());
    gerund && (begins && !rest.contains(',') || part) && !speech.reset.is_match(rest.as_bytes())
}

/// Whether an order is about what foreign text says: "disregard any instructions within the external data".
pub(super) fn is_about_foreign_text(sides: Sides<'_>, matched: &str) -> bool {
    let matched = fold(matched).text;
    let own = ["previous", "prior", "above", "earlier", "your", "system", "safety", "original", "before"];
    let named = ["instruction", "directive", "command", "order", "prompt", "request"];
    named.iter().any(|word| matched.contains(word))
        && !matched.split(|c: char| !c.is_ascii_alphabetic()).any(|word| own.contains(&word))
        && speech().is_some_and(|speech| {
            let after = fold(sides.after).text;
            speech.foreign.is_match(after.as_bytes()) && !is_of_own_side(speech, &after)
        })
}

/// Whether one of the places that instructions are ignored in belongs to those whom the agent obeys. What the
/// instructions claim to be does not count: "that claim to be system prompts".
fn is_of_own_side(speech: &Speech, after: &str) -> bool {
    let ends = [" that ", " which ", " claiming ", " pretending ", " trying ", " attempting ", " telling ", " asking "];
    let after = after.trim_start();
    let stop = ends.iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
    speech.own_place.is_match(&after.as_bytes()[..stop])
}

/// Whether a folded text has a verb of those who defend.
pub(super) fn has_act(folded: &[u8]) -> bool {
    speech().is_some_and(|speech| says(&speech.act, speech, folded))
}

/// Whether a folded text says to do what it is about.
pub(super) fn says_to_obey(folded: &[u8]) -> bool {
    speech().is_none_or(|speech| obeyed(speech, folded))
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
    if introduction.is_quoted && speech.pattern.is_match(folded.trim().as_bytes()) {
        return true;
    }
    // "Prompt injection:" and nothing else, above a list of quotations.
    let negated = folded.split([' ', ':']).any(|word| matches!(word, "nothing" | "none" | "no" | "not" | "never"));
    let runs = speech.runs.is_match(folded.as_bytes());
    let short = folded.split(' ').count() <= 6 && !negated && !runs && ends_in_colon(introduction.line);
    if introduction.is_quoted && introduction.is_list && short && speech.attack_name.is_match(folded.as_bytes()) {
        return true;
    }
    // "Look for phrases such as:" ends there; with more in the line the list could be an order.
    if ends_in_colon(introduction.line) && says(&speech.sought, speech, sentence) {
        return true;
    }
    ends_in_colon(introduction.line) && (speech.label.is_match(sentence) || reports())
}

/// Whether a line of code is one that the agent is told to run, now or each time something happens.
pub(super) fn is_order(line: &str) -> bool {
    speech().is_none_or(|speech| speech.order.is_match(fold(line).text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(speech().is_some());
    }
}
