use super::*;
use crate::diagnostics::Code;
use crate::formats::{self, Context, Emitted, Parsed};
use crate::model::{Dialect, Field, Soul, Value};

fn read(text: &str, files: &[(&str, &str)]) -> Parsed {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), Source::from(*text))).collect();
    let context = Context { folder: Some("harbour".into()), files, ..Context::default() };
    formats::parse(Source::from(text), Dialect::Plain, &context)
}

fn said(soul: &Soul, field: Field) -> Vec<String> {
    soul.items_of(field).map(|item| item.value.plain_text()).collect()
}

fn codes(parsed: &Parsed) -> Vec<Code> {
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn a_folder_is_read_with_everything_in_it() {
    let files = [
        ("IDENTITY.md", "# Card\n\n- **Name:** Ada\n- **Role:** Pilot\n- **Emoji:** ⚓\n- **Avatar:** (a picture)\n"),
        ("RULES.md", "# Rules\n\n## Must Never\n- share secrets\n\n## House rules\n- Close the door.\n"),
        ("STYLE.md", "Short.\n"),
        ("HEARTBEAT.md", "Look around.\n"),
    ];
    let parsed =
        read("# SOUL.md - Who You Are\n\nHello.\n\n## Boundaries\n\n- No gossip.\n\n## Vibe\n\nDry.\n", &files);
    assert_eq!(parsed.diagnostics, []);
    let soul = parsed.document.soul();
    assert_eq!(said(&soul, Field::Name), ["Ada"]);
    assert_eq!(said(&soul, Field::Role), ["Pilot"]);
    assert_eq!(said(&soul, Field::Limit), ["No gossip.", "Close the door."]);
    assert_eq!(said(&soul, Field::MustNever), ["Never: share secrets"]);
    assert_eq!(said(&soul, Field::Tone), ["Dry."]);
    assert_eq!(said(&soul, Field::Style), ["Short."]);
    assert_eq!(said(&soul, Field::File), ["HEARTBEAT.md: Look around.\n"]);
    assert_eq!(soul.items_of(Field::Card).count(), 1);
    assert_eq!(soul.items_of(Field::Avatar).count(), 0);
}

#[test]
fn names_come_from_the_nearest_that_gives_one() {
    let name = |text: &str, files: &[(&str, &str)]| said(&read(text, files).document.soul(), Field::Name);
    let card = [("IDENTITY.md", "- Name: Ada\n")];
    assert_eq!(name("---\nname: Bea\ncolor: red\n---\n# Cleo\n", &card), ["Ada"]);
    assert_eq!(name("---\nname: Bea\ncolor: red\n---\n# Cleo\n", &[]), ["Bea"]);
    assert_eq!(name("# SOUL.md - Cleo\n\nHello.\n", &[]), ["Cleo"]);
    assert_eq!(name("# SOUL.md - Who You Are\n", &[("IDENTITY.md", "# Dora\n")]), ["Dora"]);
    assert_eq!(name("# SOUL.md - Who You Are\n", &[("IDENTITY.md", "# IDENTITY.md - Who Am I?\n")]), ["harbour"]);
}

#[test]
fn frontmatter_that_cannot_be_read_is_text() {
    let broken = "---\nname: Ada\ndescription: use this when: a: b\n---\n\n## Rules\n\n- No.\n";
    let parsed = read(broken, &[]);
    assert!(parsed.is_valid());
    assert_eq!(codes(&parsed), [Code::FrontmatterNotRead]);
    assert_eq!(parsed.document.identity(Default::default()), broken);
    let soul = parsed.document.soul();
    assert_eq!(said(&soul, Field::Name), ["Ada"]);
    assert_eq!(said(&soul, Field::Limit), ["No."]);
    assert_eq!(codes(&read("---\nname: Ada\n\nNever closed.\n", &[])), [Code::FrontmatterNotRead]);
    assert_eq!(codes(&read("\n---\nname: Ada\n---\n", &[])), [Code::FrontmatterNotRead]);
    assert_eq!(codes(&read("---\nA rule, then prose.\n", &[])), []);
    assert_eq!(codes(&read("---\n---\nProse.\n", &[])), []);
}

#[test]
fn keys_of_the_wrong_kind_are_kept_with_a_warning() {
    let parsed = read("---\nname: [a]\ntools: Read\nemoji: ⚓\n---\nHello.\n", &[]);
    assert!(parsed.is_valid());
    assert_eq!(codes(&parsed), [Code::InvalidFieldType, Code::NoEffect]);
    assert_eq!(said(&parsed.document.soul(), Field::Extra), ["name: [\"a\"]", "tools: Read", "emoji: ⚓"]);
}

#[test]
fn other_dialects_are_written_as_free_markdown() {
    let source = "---\nrole: Pilot\ntone: [calm, dry]\nconstraints: [Ask first.]\n---\n# Ada\n\nYou are Ada.\n";
    let parsed = formats::parse(Source::from(source), Dialect::Agh, &Context::default());
    let Emitted { text, beside } = formats::emit(&parsed.document.soul(), Dialect::Plain);
    assert_eq!(text, "# Ada\n\nYou are Ada.\n\n## Tone\n\n- calm\n- dry\n\n## Boundaries\n\nAsk first.\n");
    assert_eq!(beside, [("IDENTITY.md".to_owned(), "# Identity\n\n- Role: Pilot\n".to_owned())]);
    let again = read(&text, &[("IDENTITY.md", &beside[0].1)]).document.soul();
    assert_eq!(said(&again, Field::Tone), ["calm", "dry"]);
    assert_eq!(said(&again, Field::Limit), ["Ask first."]);
    assert_eq!(said(&again, Field::Name), ["Ada"]);
}

#[test]
fn the_whole_body_is_one_passage_for_a_conversion() {
    let text = "---\ncolor: red\n---\n# Ada\r\n\r\n## Rules\r\n\r\n- No.\r\n";
    let body = read(text, &[]).document.emission_soul().items.into_iter().find(|item| item.field == Field::Body);
    assert_eq!(body.map(|item| item.value), Some(Value::Passage("# Ada\r\n\r\n## Rules\r\n\r\n- No.\r\n".into())));
}
