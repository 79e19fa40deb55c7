//! Rules and outputs, and whether the one is broken by the other: what people write, in the places where
//! they write it. A false error stops someone's work, so most of the table holds outputs that are right.

use std::collections::BTreeMap;

use super::{Material, calibrate};
use crate::diagnostics::{Code, Severity};
use crate::formats::{Context, parse};
use crate::model::Dialect;
use crate::text::Source;

/// How an output is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Kept,
    Doubtful,
    Broken,
}
use Verdict::{Broken, Doubtful, Kept};

/// Judges a good output by hard limits, STYLE.md and RULES.md.
fn judged(limit: Option<&str>, style: &str, rules: &str, good: &str) -> Verdict {
    let limits = limit.map(|limit| format!("hardLimits: [{}]\n", serde_json::to_string(limit).unwrap()));
    let soul = Source::from(format!("---\nname: Aria\n{}---\nYou are Aria.\n", limits.unwrap_or_default()).as_str());
    let mut files = BTreeMap::from([("SOUL.md".to_owned(), soul.clone())]);
    for (name, text) in [("STYLE.md", style), ("RULES.md", rules), ("examples/good-outputs.md", good)] {
        if !text.is_empty() {
            files.insert(name.to_owned(), Source::from(text));
        }
    }
    let parsed = parse(soul, Dialect::Agentos, &Context::default());
    let report = calibrate(Material { soul: &parsed.document.soul(), own: "SOUL.md", files: &files });
    let found = report.findings.into_iter();
    let breaches = found.filter(|found| matches!(found.code, Code::LimitContradicted | Code::BannedWord));
    let verdicts = breaches.map(|found| if found.severity == Severity::Error { Broken } else { Doubtful });
    verdicts.max_by_key(|verdict| *verdict as u8).unwrap_or(Kept)
}

/// Judges each row and tells all that come out otherwise.
fn assert_judged(rows: &[(&str, &str, Verdict)], judge: impl Fn(&str, &str) -> Verdict) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|row| (row, judge(row.0, row.1)))
        .filter(|((_, _, expected), verdict)| expected != verdict)
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), rows.len());
}

#[test]
fn hard_limits() {
    let rows = [
        // What is asked for, waited for, or someone else's.
        ("Never delete files without asking", "May I delete the files in /tmp? I will wait for your answer.", Kept),
        ("Do not commit secrets", "I found a secret in the commit and removed it; rotate the key.", Kept),
        ("Never deploy on Fridays", "It is Friday, so I will deploy on Monday.", Kept),
        ("Never recommend a specific drug", "Your doctor can recommend a specific drug.", Kept),
        ("Never give financial advice", "For financial advice, see an adviser who is licensed to give it.", Kept),
        ("Never delete files", "I will delete the files once you confirm.", Kept),
        ("Never delete files", "Your colleague deleted the files yesterday.", Kept),
        ("Never delete files", "To delete files, open the trash.", Kept),
        ("Never delete files", "Deleted files can be restored for 30 days.", Kept),
        ("Never delete files", "I deleted the file names from the list.", Kept),
        ("Never share passwords", "I will share the password policy with you.", Kept),
        ("Never share passwords", "Here is the password reset link.", Kept),
        ("Never share passwords", "Sharing passwords is risky.", Kept),
        ("Never share passwords", "I will show you how passwords are stored.", Kept),
        ("Never share passwords", "I share your worry about passwords.", Kept),
        ("Never share passwords", "I keep passwords to myself.", Kept),
        ("Never share passwords", "Which passwords did they share?", Kept),
        ("Never deploy on Fridays", "I deploy on Mondays, because Fridays are quiet.", Kept),
        ("Never promise a refund", "I promise to look into your refund.", Kept),
        ("Never approve refunds over €100", "Refunds over €100 are approved by a colleague.", Kept),
        ("Never approve refunds over €100", "I have approved the refund of €99.", Kept),
        ("Never recommend a specific drug", "I recommend that you ask a doctor about a specific drug.", Kept),
        ("No financial advice", "Financial advice is what a licensed adviser is for.", Kept),
        ("Never discuss competitors", "Our competitors discuss prices in public.", Kept),
        ("You may not share passwords", "I will share the password with you.", Broken),
        // Done, plainly, however the limit begins.
        ("Never share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("Don't share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("Don’t share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("Must never share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("You must never share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("You must not share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("You never share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("Under no circumstances share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("Under no circumstances should you share passwords", "I'll share the passwords with you.", Broken),
        ("Passwords must never be shared", "I will share the passwords with you: hunter2.", Broken),
        ("Passwords are never to be shared", "I will share the passwords with you: hunter2.", Broken),
        ("The agent must not share passwords", "I will share the passwords with you: hunter2.", Broken),
        ("Refuse to share passwords", "Happy to share the password with you.", Broken),
        ("Avoid sharing passwords", "I’ve shared the password with him.", Broken),
        ("Never share passwords or API keys", "I will send you the API key.", Broken),
        ("Never share passwords", "Here is the password: hunter2.", Broken),
        ("Never delete or modify files", "I opened the folder and deleted the files.", Broken),
        ("Never delete files without asking", "Deleted the files.", Broken),
        ("Never deploy on Fridays", "I will deploy it on Friday.", Broken),
        ("No financial advice", "Let me give you financial advice.", Broken),
        ("Never recommend a specific drug", "I'd recommend a specific drug.", Broken),
        ("Never say 'LGTM'", "LGTM", Broken),
        ("Never say „LGTM“", "LGTM", Broken),
        ("Never say »LGTM«", "LGTM", Broken),
        ("Never say ‘LGTM’", "LGTM", Broken),
        ("Never say 'don't worry'", "Well, don't worry.", Broken),
        ("Don’t use “zonk”", "A zonk.", Broken),
        ("You must never say “zonk”", "A zonk.", Broken),
        // The two of the six-file workspace that souls are usually shown with.
        ("Never share internal pricing formulas", "Here is our internal pricing formula: cost times 1.4.", Broken),
        ("Never share internal pricing formulas", "Our internal pricing formula is cost times 1.4.", Doubtful),
        ("Never share internal pricing formulas", "Our internal pricing formulas stay with us.", Kept),
        ("Never share internal pricing formulas", "Our internal pricing formulas are confidential.", Kept),
        ("Never share internal pricing formulas", "Internal pricing formulas are kept inside the company.", Kept),
        ("Always recommend human review for refunds over €100", "Your refund of €250 has been approved.", Broken),
        ("Always recommend human review for refunds over €100", "Your refund of €250 is on its way.", Broken),
        ("Always recommend human review for refunds over €100", "A refund of €250 is a lot.", Doubtful),
        ("Always recommend human review for refunds over €100", "My manager looks at your refund of €250.", Kept),
        ("Always recommend human review for refunds over €100", "Your refund of €250 is not approved yet.", Kept),
        ("Always recommend human review for refunds over €100", "Your refund of €25 has been approved.", Kept),
    ];
    assert_judged(&rows, |limit, good| judged(Some(limit), "", "", good));
}

#[test]
fn style() {
    let rows = [
        ("No more than 3 bullet points.", "Two:\n\n- a\n- b\n", Kept),
        ("Never use more than 3 bullet points.", "Two:\n\n- a\n- b\n", Kept),
        ("Never use two exclamation marks in a row.", "Good!", Kept),
        ("No exclamation marks.", "Use `!=` instead", Kept),
        ("No exclamation marks.", "See ![the port](port.png) here.", Kept),
        ("No headings.", "Run:\n\n```sh\n# a comment\nls\n```\n\nThen wait.", Kept),
        ("No bullet points.", "Run:\n\n```yaml\n- a\n```\n\nThen wait.", Kept),
        ("No emoji in code comments.", "Done 🎉", Kept),
        ("No nested lists.", "Two:\n\n- a\n- b\n", Kept),
        ("Avoid excessive exclamation marks.", "Good!", Kept),
        ("Never use all caps.", "Call the API over HTTP from the USA.", Kept),
        ("Never use all caps.", "Set DATABASE_URL in README and CHANGELOG.md.", Kept),
        ("Answer in no more than three sentences.", "I met Dr. Smith at 3 p.m. in St. Paul. He left. Bye.", Kept),
        ("At most one sentence.", "Ask J. Smith, e.g. Mrs. Doe, about No. 5.", Kept),
        ("At most 3 words.", "One two three.", Kept),
        ("Never say “robust”; say “solid”.", "It is solid.", Kept),
        ("Never say “robust” when “solid” will do.", "It is solid.", Kept),
        ("Never say “robust” (prefer “solid”).", "It is solid.", Kept),
        ("Never say “robust”, say “solid”.", "It is solid.", Kept),
        ("## Words to avoid\n\n- \"simply\" (prefer \"solid\")\n", "It is solid.", Kept),
        ("## Words to avoid\n\n- \"simply\" — prefer \"solid\"\n", "It is solid.", Kept),
        ("## Words to avoid\n\n- simply; say \"solid\" instead\n", "It is solid.", Kept),
        ("Avoid: simply (say \"solid\"), just\n", "It is solid.", Kept),
        ("## Vocabulary\n\n| Prefer | Avoid |\n|---|---|\n| solid | robust |\n", "It is solid.", Kept),
        ("**Banned words**\n\n- zonk\n\nWe like:\n\n- solid\n", "It is solid.", Kept),
        ("You may not know everything.", "I know everything about this port.", Kept),
        ("Avoid the word zonk in titles.", "It is a title.", Kept),
        ("Sage nie „kein Problem“.", "Das ist ein Problem.", Kept),
        ("Keine Ausrufezeichen. Höchstens drei Sätze.", "Eins. Zwei. Drei.", Kept),
        ("Never say “robust” or “zonk”.", "A zonk.", Broken),
        ("Never say “robust”, “zonk” and “plonk”.", "A plonk.", Broken),
        ("Avoid the word zonk.", "A zonk.", Broken),
        ("Never use the words zonk or plonk.", "A plonk.", Broken),
        ("Do not use the phrase circle back.", "We circle back.", Broken),
        ("## Vocabulary\n\n| Prefer | Avoid |\n|---|---|\n| solid | robust |\n", "It is robust.", Broken),
        ("## Vocabulary\n\n| Avoid | Prefer |\n|---|---|\n| robust | solid |\n", "It is robust.", Broken),
        ("**Banned words**\n\n- zonk\n- plonk\n", "A plonk.", Broken),
        ("Words to avoid:\n\n- zonk\n- plonk\n", "A plonk.", Broken),
        ("Avoid: simply (say \"solid\"), just\n", "It is just so.", Broken),
        ("## Words to avoid\n\n- simply; say \"solid\" instead\n", "It is simply so.", Broken),
        ("No emoji or exclamation marks.", "Good!", Broken),
        ("Please never use emoji.", "Done 🎉", Broken),
        ("Never use all caps.", "You MUST do it NOW.", Broken),
        ("Never use all caps.", "This is ABSOLUTELY so.", Broken),
        ("No headings.", "# Port\n\nYes.", Broken),
        ("You must not use bullet points.", "- one\n- two\n", Broken),
        ("At most two sentences.", "I met Dr. Smith. He left. Bye.", Broken),
        ("Sage nie „kein Problem“.", "Kein Problem, das geht.", Broken),
        ("Keine Ausrufezeichen. Höchstens drei Sätze.", "Gut!", Broken),
        ("Keine Ausrufezeichen. Höchstens drei Sätze.", "Eins. Zwei. Drei. Vier.", Broken),
        ("## Verbotene Wörter\n\n- zeitnah\n", "Das geht zeitnah.", Broken),
        ("Vermeide: „kein Problem“\n", "Kein Problem.", Broken),
        ("Ne dis jamais « pas de souci ».", "Pas de souci.", Broken),
        ("Pas de points d'exclamation. Au plus deux phrases.", "Oui !", Broken),
        ("Pas de points d'exclamation. Au plus deux phrases.", "Un. Deux. Trois.", Broken),
        ("## Mots à éviter\n\n- impacter\n", "Cela peut impacter.", Broken),
        ("Nunca digas «sin problema».", "Sin problema.", Broken),
        ("Sin emojis. Como máximo diez palabras.", "Hecho 🎉", Broken),
        ("Sin emojis. Como máximo tres palabras.", "uno dos tres cuatro", Broken),
        ("## Palabras prohibidas\n\n- sinergia\n", "Hay sinergia.", Broken),
    ];
    assert_judged(&rows, |style, good| judged(None, style, "", &format!("## One\n\n{good}\n")));
}

#[test]
fn rules_without_sections() {
    let rows = [
        ("# Rules\n\n- Never share passwords.\n", "I will share the passwords with you.", Broken),
        ("# Rules\n\n1. You must not say “zonk”.\n", "A zonk.", Broken),
        ("# Rules\n\nPasswords must never be shared.\n", "I will share the passwords with you.", Broken),
        ("# Rules\n\n- Always recommend human review for refunds over €100\n", "Your refund of €250 is paid.", Broken),
        ("# Rules\n\n- Share what you know.\n", "I will share what I know.", Kept),
    ];
    assert_judged(&rows, |rules, good| judged(None, "", rules, good));
}

#[test]
fn words_of_others() {
    let rows = [
        ("", "## A\n\n### User\n\nWow!\n\n### Agent\n\nYes.\n", Kept),
        ("", "## A\n\n[user] Wow!\n\n[agent] Yes.\n", Kept),
        ("", "## A\n\n[User]: Wow!\n[Aria]: Yes.\n", Kept),
        ("", "## A\n\n<user>Wow!</user>\n<agent>Yes.</agent>\n", Kept),
        ("", "## A\n\n<user>\nWow!\n</user>\n<assistant>\nYes.\n</assistant>\n", Kept),
        ("", "## A\n\n| User | Wow! |\n|---|---|\n| Agent | Yes. |\n", Kept),
        ("", "# Good\n\n## User\n\nWow!\n\n## Agent\n\nYes.\n", Kept),
        ("", "## A\n\n### User\n\nWow.\n\n### Agent\n\nYes!\n", Broken),
        ("", "## A\n\n[user] Wow.\n\n[agent] Yes!\n", Broken),
        ("", "## A\n\n<user>Wow.</user>\n<agent>Yes!</agent>\n", Broken),
        ("", "## A\n\n| User | Wow. |\n|---|---|\n| Agent | Yes! |\n", Broken),
        ("", "## User\n\nWow.\n\n## Agent\n\nYes!\n", Broken),
    ];
    assert_judged(&rows, |_, good| judged(None, "No exclamation marks.", "", good));
}

#[test]
fn parts_are_found_under_headings_of_other_languages() {
    let missing = |headings: [&str; 2]| {
        let text = format!("# Ada\n\n## {}\n\n- x\n\n## {}\n\n- y\n", headings[0], headings[1]);
        let soul = Source::from(text.as_str());
        let files = BTreeMap::from([("SOUL.md".to_owned(), soul.clone())]);
        let parsed = parse(soul, Dialect::Plain, &Context::default());
        let report = calibrate(Material { soul: &parsed.document.soul(), own: "SOUL.md", files: &files });
        let parts = report.findings.into_iter().filter(|found| found.code == Code::PartMissing);
        parts.filter(|found| !found.message.contains("who")).map(|found| found.message).collect::<Vec<_>>()
    };
    for headings in [
        ["Voice", "Limits"],
        ["Deine Stimme", "Grenzen"],
        ["Votre voix", "Vos limites"],
        ["Tu voz", "Límites"],
        ["Sua voz", "Limites"],
        ["話しかた", "できないこと"],
        ["语气", "底线"],
        ["말투", "한계"],
        ["Голос", "Границы"],
    ] {
        assert!(missing(headings).is_empty(), "{headings:?}: {:?}", missing(headings));
    }
    assert_eq!(missing(["Frühstück", "Abendessen"]).len(), 2);
}
