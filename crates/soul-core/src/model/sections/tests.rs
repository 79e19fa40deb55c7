use proptest::prelude::*;

use super::*;

const BODY: &str = "# SOUL.md - Ada\n\nYou are Ada.\n\n## Core Truths\n\n**Be kind.** Always\nand everywhere.\n**Be brief.**\n\n- One\n  goes on\n  - nested\n- Two\n\n### Odd title\n\nUnder it.\n\n## Boundaries\n\n```\n## Not a heading\n```\n\n### Tone\n\n- Stay calm.\n\nOdd words\n---------\n\nTea.\n\n---\n\n[x]: http://example.test\n";

fn said(body: &str) -> Vec<(Field, String, Option<String>)> {
    items(body, 0).into_iter().map(|item| (item.field, item.value.plain_text(), item.heading)).collect()
}

#[test]
fn a_body_is_divided_by_its_headings() {
    let said = said(BODY);
    let expected = [
        (Field::Body, "# SOUL.md - Ada\n\nYou are Ada.", "SOUL.md - Ada"),
        (Field::Principle, "**Be kind.** Always\nand everywhere.", "Core Truths"),
        (Field::Principle, "**Be brief.**", "Core Truths"),
        (Field::Principle, "One goes on\n- nested", "Core Truths"),
        (Field::Principle, "Two", "Core Truths"),
        (Field::Principle, "Under it.", "Odd title"),
        (Field::Limit, "```\n## Not a heading\n```", "Boundaries"),
        (Field::Limit, "Stay calm.", "Tone"),
        (Field::Section, "Odd words\n---------\n\nTea.\n\n---\n\n[x]: http://example.test", "Odd words"),
    ];
    let expected = expected.map(|(field, text, heading)| (field, text.to_owned(), Some(heading.to_owned())));
    assert_eq!(said, expected);
}

#[test]
fn lines_in_bold_type_are_headings_if_they_are_understood() {
    let body =
        "# Ada\n\nHello.\n\n**Boundaries:**\n- No secrets.\n\n**Odd**\n\nText.\n\n**Alone**\n\n**Never give up**\n";
    let expected = [
        (Field::Body, "# Ada\n\nHello.", "Ada"),
        (Field::Limit, "No secrets.", "Boundaries"),
        (Field::Section, "**Odd**\n\nText.\n\n**Alone**", "Odd"),
        (Field::MustNever, "Never give up", "Never give up"),
    ];
    let expected = expected.map(|(field, text, heading)| (field, text.to_owned(), Some(heading.to_owned())));
    assert_eq!(said(body), expected);
}

#[test]
fn a_heading_of_a_field_is_no_title_if_others_stand_beside_it() {
    let fields = |body: &str| sections(body).into_iter().map(|section| section.field).collect::<Vec<_>>();
    assert_eq!(fields("# Identidad\nEres Ana.\n# Reglas\n- No.\n"), [Field::Role, Field::Limit]);
    assert_eq!(fields("# Identity\nYou are Ana.\n"), [Field::Role]);
    assert_eq!(fields("# SOUL\nYou are Ana.\n"), [Field::Body]);
    assert_eq!(fields("Hello\n"), [Field::Body]);
    assert_eq!(fields(""), [Field::Body]);
}

/// Text with more of Markdown's marks than chance would have it.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop_oneof![
            Just("# "),
            Just("## Rules\n"),
            Just("### Tone\n"),
            Just("**Never**\n"),
            Just("\n"),
            Just("\n\n"),
            Just("- "),
            Just("  - "),
            Just("1. "),
            Just("> "),
            Just("```\n"),
            Just("---\n"),
            Just("===\n"),
            Just("[a]: b\n"),
            Just("<!-- "),
            Just(" -->"),
            Just("\r\n"),
            Just("\r"),
            Just("    "),
            Just("\t"),
            Just("| a | b |\n|---|---|\n"),
            Just("\\\n"),
            Just("  \n")
        ]
        .prop_map(str::to_owned),
        "[a-zA-Zé日 *_#.-]{0,12}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn sections_cover_the_body_in_order(body in markdown()) {
        let mut end = 0;
        for section in sections(&body) {
            prop_assert_eq!(section.range.start, end);
            prop_assert!(section.range.start <= section.content.start && section.content.end == section.range.end);
            prop_assert!(body.get(section.content.clone()).is_some());
            end = section.range.end;
        }
        prop_assert_eq!(end, body.len());
    }

    /// Nothing that a body says is in two items, and what is in none is a rule or a heading that an item names.
    #[test]
    fn every_letter_is_in_one_item(body in markdown()) {
        let mut covered = vec![false; body.len()];
        for item in items(&body, 0) {
            for at in item.span.start..item.span.end {
                prop_assert!(!std::mem::replace(&mut covered[at], true), "{:?} at {}", body, at);
            }
        }
        for section in sections(&body).iter().filter(|section| !matches!(section.field, Field::Body | Field::Section)) {
            covered[section.range.start..section.content.start].fill(true);
        }
        let rules = blocks(&body).into_iter().filter(|block| block.kind == Kind::Rule);
        rules.for_each(|block| covered[block.range].fill(true));
        for (at, c) in body.char_indices() {
            prop_assert!(covered[at] || c.is_whitespace(), "{:?}: {:?} at {} is in no item", body, c, at);
        }
    }
}

/// Work grows with the text and not faster.
#[test]
fn hostile_texts_are_divided_in_linear_time() {
    for piece in [
        "# a\n",
        "###### Rules\n",
        "**Never**\n\n",
        "> ",
        "- a\n",
        "[",
        "*a **b ",
        "a\n===\n",
        "<!--",
        "|a|b|\n|-|-|\n",
    ] {
        let text = piece.repeat(400_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = items(&text, 0);
        assert!(start.elapsed().as_secs() < 5, "{piece:?}: {:?}", start.elapsed());
    }
    let deep: String = (0..2_000).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect();
    let _ = items(&deep, 0);
}
