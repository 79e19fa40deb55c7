//! What holds for every text, not only for the recorded ones.

use proptest::prelude::*;
use soul_core::formats::{Context, Emitted, Parsed, emit, parse};
use soul_core::model::{self, Body, Dialect, Fate, Field, Item, ItemFate, Soul, fates, losses};
use soul_core::text::Source;

fn read(bytes: impl Into<Vec<u8>>, dialect: Dialect) -> Parsed {
    parse(Source::new(bytes), dialect, &Context { name: Some("a-soul.md".into()), ..Context::default() })
}

fn said(soul: &Soul) -> Vec<(soul_core::model::Field, soul_core::model::Value)> {
    let said = |item: &Item| (item.field, item.value.clone());
    let mut said: Vec<_> = soul.items.iter().map(said).collect();
    said.sort_by_key(|(field, _)| *field);
    said
}

/// Text that looks like a soul more often than chance would have it.
fn soul_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just("---".to_owned()),
        3 => Just("\n".to_owned()),
        1 => prop_oneof![Just("\r\n"), Just("\r"), Just("\u{feff}"), Just("\t"), Just("\0"), Just("```\n"), Just("~~~")].prop_map(str::to_owned),
        3 => prop_oneof![Just("role: "), Just("version: "), Just("tone:\n"), Just("- "), Just("tags: ["), Just("]"), Just("name: "), Just("description: |\n  ")].prop_map(str::to_owned),
        3 => prop_oneof![Just("## Name & Role\n"), Just("## Rules\n"), Just("# Tools\n"), Just("## "), Just("    ## x\n"), Just("*a"), Just("&a "), Just("<<: ")].prop_map(str::to_owned),
        2 => "[ -~]{0,12}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A valid soul of each dialect, with hostile words in it.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z]{1,8}",
        "[ -~]{1,16}",
        prop_oneof![
            Just("yes"),
            Just("0x1"),
            Just("- a"),
            Just("a: b"),
            Just("#x"),
            Just("---"),
            Just("日本語"),
            Just("'\""),
            Just("1.0"),
            Just("\u{85}"),
            Just("a\nb\n"),
            Just("a\n\nb")
        ]
        .prop_map(str::to_owned),
    ]
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A text that is a valid soul of the dialect more often than not, around hostile prose.
fn well_formed(dialect: Dialect) -> BoxedStrategy<String> {
    let prose = || soul_like().prop_map(|text| text.replace("## ", " ## ").replace("# T", "# t"));
    match dialect {
        Dialect::Agh => (word(), prop::collection::vec(word(), 0..3), prose())
            .prop_map(|(role, tone, body)| {
                let tone = tone.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
                format!("---\nrole: {}\ntone: [{tone}]\n---\n{body}", quoted(&role))
            })
            .boxed(),
        Dialect::Cantus => (prose(), prop::array::uniform6(prose()))
            .prop_map(|(top, bodies)| {
                let titles = ["Name & Role", "Personality", "Rules", "Tools", "Output format", "Handoffs"];
                let sections = titles.iter().zip(bodies).map(|(title, body)| format!("\n## {title}\n{body}"));
                format!("{top}{}", sections.collect::<String>())
            })
            .boxed(),
        Dialect::Agentos => (word(), prop::collection::vec(word(), 0..3), 0.0..=1.0_f64, prose())
            .prop_map(|(name, limits, score, body)| {
                let limits = limits.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
                let name = quoted(&name);
                format!("---\nname: {name}\nhexaco: {{honesty: {score}, mood: {name}}}\nhardLimits: [{limits}]\nmetadata:\n  a: [{name}, 1]\n---\n{body}")
            })
            .boxed(),
        Dialect::Soulspec => (word(), word(), any::<f64>().prop_filter("JSON has no others", |number| number.is_finite()))
            .prop_map(|(name, about, number)| format!("{{\"name\": \"a\", \"displayName\": {}, \"description\": {}, \"own\": [{number}]}}", quoted(&name), quoted(&about)))
            .boxed(),
        Dialect::Plain => (word(), word(), prop::collection::vec(word(), 0..3), soul_like())
            .prop_map(|(role, color, tags, body)| {
                let tags = tags.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
                format!("---\nrole: {}\ncolor: {}\ntags: [{tags}]\n---\n{body}", quoted(&role), quoted(&color))
            })
            .boxed(),
        Dialect::Dagu => (word(), word(), prose())
            .prop_map(|(name, about, body)| {
                format!("---\nname: {}\ndescription: {}\n---\n{body}", quoted(&name), quoted(&about))
            })
            .boxed(),
    }
}

/// A plain soul is emitted with its body as one passage, and says the same again, heading by heading.
fn plain_survives(text: &str) -> Result<(), TestCaseError> {
    let parsed = read(text, Dialect::Plain);
    let Emitted { text: fresh, beside } = emit(&parsed.document.emission_soul(), Dialect::Plain);
    let files = beside.into_iter().map(|(name, text)| (name, Source::new(text))).collect();
    let context = Context { name: Some("a-soul.md".into()), files, ..Context::default() };
    let again = parse(Source::new(fresh.clone()), Dialect::Plain, &context);
    prop_assert!(again.is_valid(), "{:?} -> {:?}: {:?}", text, fresh, again.diagnostics);
    // A name that the folder gave is on a card now.
    let without_card = |parsed: &Parsed| {
        let mut soul = parsed.document.soul();
        soul.items.retain(|item| item.field != soul_core::model::Field::Card);
        let mut said = said(&soul);
        said.sort_by_key(|(field, value)| (*field, format!("{value:?}")));
        said
    };
    prop_assert_eq!(without_card(&again), without_card(&parsed), "{:?} -> {:?}", text, fresh);
    let identity = |parsed: &Parsed| parsed.document.identity(Default::default());
    let (before, after) = (identity(&parsed), identity(&again));
    if before.trim().is_empty() {
        return Ok(());
    }
    prop_assert_eq!(after.strip_suffix('\n').unwrap_or(&after), before.strip_suffix('\n').unwrap_or(&before));
    Ok(())
}

/// Emission in the same dialect says the same again.
fn survives(text: &str, dialect: Dialect) -> Result<bool, TestCaseError> {
    let parsed = read(text, dialect);
    prop_assert_eq!(parsed.document.render(&[]), text.as_bytes());
    if !parsed.is_valid() {
        return Ok(false);
    }
    if dialect == Dialect::Plain {
        return plain_survives(text).map(|()| true);
    }
    let soul = parsed.document.soul();
    if dialect == Dialect::Soulspec {
        // A package is several files, and its document holds their digests: what it says is the
        // conversion test's to compare.
        return Ok(true);
    }
    let fresh = emit(&soul, dialect).text;
    let again = read(fresh.clone(), dialect);
    prop_assert!(again.is_valid(), "{} {:?} -> {:?}: {:?}", dialect, text, fresh, again.diagnostics);
    prop_assert_eq!(again.document.to_json(), parsed.document.to_json(), "{} {:?} -> {:?}", dialect, text, fresh);
    prop_assert_eq!(again.digest(), parsed.digest());
    prop_assert_eq!(said(&again.document.soul()), said(&soul));
    prop_assert_eq!(losses(&soul, &again.document.soul()), []);
    Ok(true)
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_rendered_as_they_were(bytes in any::<Vec<u8>>()) {
        for dialect in Dialect::ALL {
            let parsed = read(bytes.clone(), *dialect);
            prop_assert_eq!(parsed.document.render(&[]), bytes.clone());
        }
    }

    #[test]
    fn soul_like_text_survives_emission(text in soul_like()) {
        for dialect in Dialect::ALL {
            survives(&text, *dialect)?;
        }
    }

    #[test]
    fn well_formed_text_survives_emission((text, dialect) in prop::sample::select(Dialect::ALL).prop_flat_map(|dialect| (well_formed(dialect), Just(dialect)))) {
        survives(&text, dialect)?;
    }

    #[test]
    fn a_valid_soul_stays_valid_in_every_dialect((text, dialect) in prop::sample::select(Dialect::ALL).prop_flat_map(|dialect| (well_formed(dialect), Just(dialect)))) {
        let parsed = read(text.clone(), dialect);
        if parsed.is_valid() {
            for other in Dialect::ALL {
                let Emitted { text: fresh, beside } = emit(&parsed.document.soul(), *other);
                let files = beside.into_iter().map(|(name, text)| (name, Source::new(text))).collect();
                let context = Context { name: Some("a-soul.md".into()), files, ..Context::default() };
                let again = parse(Source::new(fresh.clone()), *other, &context);
                prop_assert!(again.is_valid(), "{} {:?} -> {} {:?}: {:?}", dialect, text, other, fresh, again.diagnostics);
            }
        }
    }

    #[test]
    fn spans_show_where_the_text_is(text in soul_like()) {
        for dialect in Dialect::ALL {
            let parsed = read(text.clone(), *dialect);
            for item in parsed.document.soul().items {
                prop_assert!(text.get(item.span.start..item.span.end).is_some(), "{} {:?} {:?}", dialect, text, item);
            }
            for diagnostic in &parsed.diagnostics {
                let spans = diagnostic.span.into_iter().chain(diagnostic.related.iter().map(|related| related.span));
                for span in spans {
                    prop_assert!(text.get(span.start..span.end).is_some(), "{} {:?} {:?}", dialect, text, diagnostic);
                }
            }
        }
    }

    #[test]
    fn the_digest_ignores_line_ends_key_order_and_quoting(role in word(), tone in prop::collection::vec(word(), 0..4), body in "[a-z ]{0,30}") {
        let role_line = format!("role: {}\n", quoted(&role));
        let tone_lines: String = tone.iter().map(|item| format!("  - {}\n", quoted(item))).collect();
        let tone_block = if tone.is_empty() { "tone: []\n".into() } else { format!("tone:\n{tone_lines}") };
        let tone_flow = format!("\"tone\": [{}]\n", tone.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", "));
        let plain = read(format!("---\n{role_line}{tone_block}---\n{body}\nend"), Dialect::Agh);
        let other = read(format!("---\n# note\n{tone_flow}{role_line}---\n{body}\nend \n\n").replace('\n', "\r\n"), Dialect::Agh);
        prop_assert!(plain.is_valid(), "{:?}", plain.diagnostics);
        prop_assert_eq!(plain.digest(), other.digest());
    }

    #[test]
    fn every_dialect_says_the_same_with_other_line_ends(text in soul_like()) {
        let text = text.replace('\r', "");
        // AgentOS hands a body to the model with the line ends it was written with, a plain body is what was written,
        // and a package's digest covers its files to the byte.
        let by_byte = |dialect: &&Dialect| matches!(dialect, Dialect::Agentos | Dialect::Soulspec | Dialect::Plain);
        for dialect in Dialect::ALL.iter().filter(|dialect| !by_byte(dialect)) {
            let unix = read(text.clone(), *dialect);
            let windows = read(text.replace('\n', "\r\n"), *dialect);
            prop_assert_eq!(unix.digest(), windows.digest(), "{} {:?}", dialect, text);
        }
    }
}

/// A plain soul with headings that are understood and others, lists, prose and code.
fn markdown() -> impl Strategy<Value = String> {
    let heading = prop_oneof![
        Just("# Ada"),
        Just("## Personality"),
        Just("## Vibe"),
        Just("## Rules"),
        Just("## Never"),
        Just("## Memory"),
        Just("## Tools"),
        Just("## Working with others"),
        Just("## Output format"),
        Just("## Cats"),
        Just("### Names"),
        Just("**Boundaries**"),
        Just("### Rules"),
    ];
    let line = "[a-zA-Z][a-z ]{0,20}[a-z.]";
    let block = prop_oneof![
        3 => heading.prop_map(str::to_owned),
        3 => prop::collection::vec(line, 1..4).prop_map(|lines| lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")),
        2 => prop::collection::vec(line, 1..3).prop_map(|lines| lines.join("\n")),
        1 => Just("```sh\n## not a heading\nls\n```".to_owned()),
        1 => Just("| a | b |\n|---|---|\n| c | d |".to_owned()),
        1 => Just("1. one\n2. two\n   - nested".to_owned()),
    ];
    prop::collection::vec(block, 1..10).prop_map(|blocks| blocks.join("\n\n") + "\n")
}

fn with_files(fresh: &Emitted, dialect: Dialect) -> Parsed {
    let files = fresh.beside.iter().map(|(name, text)| (name.clone(), Source::from(text.as_str()))).collect();
    parse(Source::from(fresh.text.as_str()), dialect, &Context { files, ..Context::default() })
}

/// What the report of a conversion is made of.
fn accounted(from: &Parsed, to: &Parsed) -> Vec<ItemFate> {
    let before = model::divided(&from.document.soul());
    let after = to.document.emission_soul();
    let prose = |soul: &Soul| soul.items.iter().filter_map(|item| item.value.as_text()).collect::<Vec<_>>().join("\n");
    let body = from.document.emission_soul().texts(Field::Body).collect::<Vec<_>>().join("\n");
    let pieces = match to.document.dialect() {
        Dialect::Plain => to.document.soul(),
        _ => model::in_pieces(&after),
    };
    fates(&before, &pieces, Body { before: &body, after: &prose(&after) })
}

proptest! {
    #[test]
    fn a_conversion_accounts_for_every_item(text in markdown()) {
        let source = read(text.clone(), Dialect::Plain);
        for to in Dialect::ALL {
            let fresh = emit(&model::divided_for(&source.document.emission_soul(), *to), *to);
            let there = with_files(&fresh, *to);
            let report = accounted(&source, &there);
            prop_assert_eq!(report.len(), source.document.soul().items.len());
            for lost in report.iter().filter(|fate| fate.fate == Fate::Lost && fate.item.stands_in_body()) {
                prop_assert!(false, "{} {:?} -> {}: {:?}", to, text, fresh.text, lost);
            }
            // What was not lost comes back, and nothing is made up on the way.
            let back = with_files(&emit(&there.document.emission_soul(), Dialect::Plain), Dialect::Plain);
            let back_items = back.document.soul();
            // A heading with nothing under it is none any more when something stands there.
            let is_bare = |item: &Item| match (&item.heading, item.value.as_text()) {
                (Some(heading), Some(text)) => text.trim_start_matches("Never: ").trim_matches(['#', ' ']) == heading,
                _ => false,
            };
            let lost = accounted(&source, &back).into_iter().filter(|fate| fate.fate == Fate::Lost && !is_bare(&fate.item));
            for lost in lost {
                let first = report.iter().find(|fate| fate.item == lost.item);
                prop_assert!(first.is_some_and(|first| first.fate == Fate::Lost), "{} {:?} -> {} -> {}: {:?}", to, text, fresh.text, String::from_utf8_lossy(&back.document.render(&[])), lost);
            }
            for made_up in [Field::Version, Field::Role] {
                prop_assert_eq!(back_items.items_of(made_up).count(), 0, "{} {:?} -> {}", to, text, fresh.text);
            }
        }
    }
}

/// The properties above would hold for nothing if nothing they are tried on were valid.
#[test]
fn well_formed_text_is_mostly_valid() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for dialect in Dialect::ALL {
        let strategy = well_formed(*dialect);
        let valid =
            (0..200).filter(|_| read(strategy.new_tree(&mut runner).unwrap().current(), *dialect).is_valid()).count();
        assert!(valid > 100, "{dialect}: {valid} of 200");
    }
}

/// A key without a name is no reason to take a mapping for its only value.
#[test]
fn mappings_with_an_empty_key_survive_emission() {
    for text in [
        "---\nname: R\nhexaco:\n  : x\n---\nB\n",
        "---\nname: R\nmetadata:\n  \"\": x\n---\nB\n",
        "---\nname: R\nmetadata: x\n---\nB\n",
        "---\nname: R\nvoice: {\"\": x}\n---\nB\n",
    ] {
        assert!(survives(text, Dialect::Agentos).unwrap(), "{text}");
    }
}
