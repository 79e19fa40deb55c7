use proptest::prelude::*;

use super::*;

const BASE: &str = "---
# Who it is
role: Guide
tone: [calm, warm]
principles:
  - Be brief
  - Be kind
---

You show the way.

# Limits

- Never guess
- Never shout

# Manner

Speak plainly.
";

fn edit(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn clean(ours: &[(&str, &str)], theirs: &[(&str, &str)]) -> String {
    let merged = merge(BASE, &edit(ours), &edit(theirs));
    merged.text().unwrap_or_else(|| panic!("{:?}", merged.conflicts().collect::<Vec<_>>()))
}

#[test]
fn changes_of_different_places_come_together() {
    let ours: &[_] =
        &[("role: Guide", "role: Pilot"), ("Never shout", "Never yell"), ("plainly.", "plainly and slowly.")];
    let theirs: &[_] = &[("warm]", "dry]"), ("Never guess", "Never invent"), ("You show", "You know")];
    assert_eq!(clean(ours, theirs), edit(&[ours, theirs].concat()));
}

#[test]
fn both_may_add_list_items_fields_and_sections() {
    let merged = clean(
        &[("- Never shout\n", "- Never shout\n- Never lie\n"), ("---\n\nYou", "tags: [a]\n---\n\nYou")],
        &[("- Never shout\n", "- Never shout\n- Never leave\n"), ("plainly.\n", "plainly.\n\n# Voice\n\nLow.\n")],
    );
    assert!(merged.contains("- Never shout\n- Never lie\n- Never leave\n\n# Manner"), "{merged}");
    assert!(merged.contains("  - Be kind\ntags: [a]\n---\n"), "{merged}");
    assert!(merged.ends_with("Speak plainly.\n\n# Voice\n\nLow.\n"), "{merged}");
}

#[test]
fn both_may_begin_the_list_of_a_section() {
    for base in ["# Facts\n", "# Facts\n\n"] {
        let merged = merge(base, "# Facts\n\n- one\n", "# Facts\n\n- two\n");
        assert_eq!(merged.text().as_deref(), Some("# Facts\n\n- one\n- two\n"));
    }
    let merged = merge("# Facts\n", "# Facts\n\nOne.\n", "# Facts\n\n- two\n");
    assert_eq!(merged.conflicts().count(), 1, "a list and a sentence are not one list");
}

#[test]
fn the_last_line_and_what_is_added_after_it_do_not_conflict() {
    let merged = clean(&[("plainly.", "softly.")], &[("plainly.\n", "plainly.\n\n# Voice\n\nLow.\n")]);
    assert!(merged.ends_with("Speak softly.\n\n# Voice\n\nLow.\n"), "{merged}");
}

#[test]
fn a_section_that_was_renamed_or_moved_is_still_found() {
    let merged = clean(&[("# Limits", "# Boundaries")], &[("Never guess", "Never invent")]);
    assert!(merged.contains("# Boundaries\n\n- Never invent\n- Never shout\n"), "{merged}");
    let limits = "# Limits\n\n- Never guess\n- Never shout\n\n";
    let moved = edit(&[(limits, ""), ("plainly.\n", &format!("plainly.\n\n{}", limits.trim_end()))]) + "\n";
    let merged = merge(BASE, &moved, &edit(&[("Never guess", "Never invent")])).text().unwrap();
    assert!(merged.find("# Manner") < merged.find("# Limits") && merged.contains("Never invent"), "{merged}");
}

#[test]
fn what_both_changed_is_a_conflict_in_its_place() {
    let merged = merge(BASE, &edit(&[("role: Guide", "role: Pilot")]), &edit(&[("role: Guide", "role: Cook")]));
    let conflicts: Vec<_> = merged.conflicts().cloned().collect();
    assert_eq!(
        conflicts,
        [Conflict {
            place: Place::Field("role".to_owned()),
            base: "role: Guide\n".to_owned(),
            ours: "role: Pilot\n".to_owned(),
            theirs: "role: Cook\n".to_owned(),
        }]
    );
    assert_eq!(merged.text(), None);
    assert_eq!(merged.resolve(|_| Side::Base), BASE);
    let marked = merged.marked("yours", "theirs");
    let expected = "<<<<<<< yours\nrole: Pilot\n||||||| base\nrole: Guide\n=======\nrole: Cook\n>>>>>>> theirs\ntone:";
    assert!(marked.contains(expected), "{marked}");
}

#[test]
fn what_one_removed_and_the_other_changed_is_a_conflict() {
    let removed = edit(&[("# Manner\n\nSpeak plainly.\n", "")]);
    let merged = merge(BASE, &removed, &edit(&[("plainly.", "softly.")]));
    let conflict = merged.conflicts().next().unwrap();
    assert_eq!((conflict.place.to_string(), conflict.ours.as_str()), ("section `Manner`".to_owned(), ""));
    assert_eq!(conflict.theirs, "# Manner\n\nSpeak softly.\n");
    // What one removed and the other left alone is gone.
    assert!(!clean(&[("# Manner\n\nSpeak plainly.\n", "")], &[("Guide", "Pilot")]).contains("Manner"));
}

#[test]
fn a_heading_in_code_begins_no_section() {
    let base = "# One\n\n```\n# not a heading\n```\nend\n";
    let units = Units::of(base);
    assert_eq!(units.keys().len(), 2);
}

#[test]
fn line_ends_and_the_last_one_follow_the_author() {
    let windows = BASE.replace('\n', "\r\n");
    let ours = windows.replace("Guide", "Pilot");
    let merged = merge(BASE, &ours, &edit(&[("plainly.", "softly.")])).text().unwrap();
    assert_eq!(merged, edit(&[("Guide", "Pilot"), ("plainly.", "softly.")]).replace('\n', "\r\n"));
    let unended = merge(BASE, edit(&[("Guide", "Pilot")]).trim_end(), &edit(&[("Never guess", "Ask")])).text().unwrap();
    assert!(unended.ends_with("plainly."), "{unended}");
}

/// Texts of a few short lines, so that they often have lines in common.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("---"),
        Just("role: a"),
        Just("tone: b"),
        Just("# One"),
        Just("# Two"),
        Just("- x"),
        Just("- y"),
        Just(""),
        Just("words"),
        Just("```"),
        Just("  - nested"),
        Just("Under\n====="),
    ];
    (proptest::collection::vec(line, 0..14), any::<bool>())
        .prop_map(|(lines, ended)| lines.join("\n") + if ended { "\n" } else { "" })
}

/// A text of a hostile size must not take long: everything here is bounded by the size of the text.
#[test]
fn a_text_of_nothing_but_headings_is_merged() {
    let text = |title: &str| format!("# {title}\n").repeat(100_000);
    let merged = merge(&text("a"), &text("b"), &text("c"));
    assert!(merged.conflicts().next().is_none() && merged.text().unwrap().len() == 2 * text("b").len());
}

proptest! {
    #[test]
    fn one_sided_changes_come_back_to_the_byte(base in text(), side in text()) {
        prop_assert_eq!(merge(&base, &side, &base).text(), Some(side.clone()));
        prop_assert_eq!(merge(&base, &base, &side).text(), Some(side.clone()));
        prop_assert_eq!(merge(&base, &side, &side).text(), Some(side));
    }

    #[test]
    fn nothing_that_somebody_added_is_lost(base in text(), ours in text(), theirs in text()) {
        let merged = merge(&base, &ours, &theirs);
        let everything = merged.marked("ours", "theirs");
        let had: Vec<&str> = base.lines().collect();
        for line in ours.lines().chain(theirs.lines()).filter(|line| !line.is_empty() && !had.contains(line)) {
            prop_assert!(everything.lines().any(|merged| merged == line), "{line:?} is not in {everything:?}");
        }
    }
}

fn origins(merge: &Merge, answer: impl Fn(usize, &Conflict) -> Option<Answer>) -> Vec<(Origin, String)> {
    merge.lines(answer).into_iter().map(|line| (line.origin, line.text)).collect()
}

#[test]
fn every_line_says_where_it_comes_from() {
    let base = "---\nrole: Guide\ntone: calm\n---\n# Limits\n- Never guess\n";
    let ours = base.replace("calm", "warm").replace("guess\n", "guess\n- Never shout\n");
    let theirs = base.replace("Guide", "Pilot").replace("guess\n", "guess\n- Never lie\n");
    let merged = merge(base, &ours, &theirs);
    let lines = origins(&merged, |_, _| None);
    let expected = [
        (Origin::Both, "---\n"),
        (Origin::Theirs, "role: Pilot\n"),
        (Origin::Ours, "tone: warm\n"),
        (Origin::Both, "---\n"),
        (Origin::Both, "# Limits\n"),
        (Origin::Both, "- Never guess\n"),
        (Origin::Ours, "- Never shout\n"),
        (Origin::Theirs, "- Never lie\n"),
    ];
    assert_eq!(lines, expected.map(|(origin, text)| (origin, text.to_owned())));
    assert_eq!(lines.iter().map(|(_, text)| text.as_str()).collect::<String>(), merged.text().unwrap());
}

#[test]
fn an_answer_settles_its_conflict() {
    let base = "# Limits\n- Never push to main.\n";
    let (ours, theirs) = ("# Limits\n- Never push at all.\n", "# Limits\n- Never approve unread.\n");
    let merged = merge(base, ours, theirs);
    let lines = |answer: Option<Answer>| origins(&merged, |_, _| answer.clone()).split_off(1);
    let line = |origin, text: &str| (origin, format!("{text}\n"));
    assert_eq!(lines(None), [line(Origin::Undecided, "- Never push at all.")]);
    assert_eq!(lines(Some(Answer::Side(Side::Theirs))), [line(Origin::Theirs, "- Never approve unread.")]);
    assert_eq!(lines(Some(Answer::Side(Side::Base))), [line(Origin::Base, "- Never push to main.")]);
    let both = [line(Origin::Ours, "- Never push at all."), line(Origin::Theirs, "- Never approve unread.")];
    assert_eq!(lines(Some(Answer::Both)), both);
    assert_eq!(lines(Some(Answer::Text("- Ask.".to_owned()))), [line(Origin::Hand, "- Ask.")]);
    assert_eq!(lines(Some(Answer::Text(String::new()))), []);
}

#[test]
fn only_lists_can_be_taken_both() {
    let both = |ours: &str, theirs: &str| {
        let merged = merge("---\ntone: calm\n---\n", ours, theirs);
        merged.conflicts().next().unwrap().both()
    };
    assert_eq!(both("---\ntone: warm\n---\n", "---\ntone: dry\n---\n"), None);
    let conflict = Conflict {
        place: Place::Beginning,
        base: String::new(),
        ours: "- a\r\n- b\r\n".to_owned(),
        theirs: "- b\r\n- c\r\n".to_owned(),
    };
    assert_eq!(conflict.both().as_deref(), Some("- a\r\n- b\r\n- c\r\n"));
}

#[test]
fn a_text_that_one_side_left_alone_is_taken_to_the_byte() {
    let base = "One.\r\nTwo.\nThree.";
    let ours = "One.\r\nZwei.\nThree.";
    let lines = origins(&merge(base, ours, base), |_, _| None);
    let expected = [(Origin::Both, "One.\r\n"), (Origin::Ours, "Zwei.\n"), (Origin::Both, "Three.")];
    assert_eq!(lines, expected.map(|(origin, text)| (origin, text.to_owned())));
}

#[test]
fn a_log_keeps_what_both_sides_wrote() {
    let base = "# Day\n\n## 09:00\n\nStarted.\n";
    let ours = "# Day\n\n## 09:00\n\nStarted late.\n\n## 12:00\n\nLunch.\n";
    let theirs = "# Day\n\n## 09:00\n\nStarted early.\n\n## 12:00\n\nLunch.\nCoffee.\n";
    let union = merge(base, ours, theirs).union();
    for said in ["Started late.", "Started early.", "Coffee."] {
        assert_eq!(union.matches(said).count(), 1, "{union}");
    }
    assert_eq!(union.matches("Lunch.").count(), 1, "{union}");
    assert!(!union.contains("<<<<"));
}
