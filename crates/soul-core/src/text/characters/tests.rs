use super::*;

/// `Default_Ignorable_Code_Point` of `DerivedCoreProperties.txt`, Unicode 17.
const DEFAULT_IGNORABLE: [(u32, u32); 17] = [
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x61c, 0x61c),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x206f),
    (0x3164, 0x3164),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfff8),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0000, 0xe0fff),
];

fn all() -> impl Iterator<Item = char> {
    (0..=0x10_ffff).filter_map(char::from_u32)
}

fn listed(is: impl Fn(char) -> bool) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for c in all().filter(|c| is(*c)).map(u32::from) {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == c => *end = c,
            _ => ranges.push((c, c)),
        }
    }
    let shown = |(start, end): &(u32, u32)| match start == end {
        true => format!("{start:x}"),
        false => format!("{start:x}-{end:x}"),
    };
    ranges.iter().map(shown).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_table_has_all_that_unicode_ignores() {
    for (start, end) in DEFAULT_IGNORABLE {
        for c in (start..=end).filter_map(char::from_u32) {
            assert!(unseen(c).is_some(), "{c:?}");
            assert!(!is_visible(c), "{c:?}");
        }
    }
}

/// Findings, indexes and escaped prompts depend on these, so that none of them changes by accident.
#[test]
fn subsets_are_what_they_were() {
    assert_eq!(
        listed(is_nothing_to_scanner),
        "ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f feff ffa0 \
         fff9-fffb 1d173-1d17a e0000-e001f e007f e0100-e01ef"
    );
    assert_eq!(listed(is_zero_width), "34f 115f-1160 180e 200b-200d 2060-2064 3164 feff ffa0");
    assert_eq!(listed(is_ignored_in_words), "ad 200b-200f 202a-202e 2060-2064 fe00-fe0f feff");
    assert_eq!(listed(is_stray_before_fence), "200b-200f 2060 feff");
    assert_eq!(listed(is_tag), "e0000-e007f");
    assert_eq!(listed(is_tag_letter), "e0020-e007e");
    assert_eq!(listed(is_selector), "fe00-fe0f e0100-e01ef");
    for c in all().filter(|c| unseen(*c).is_some()) {
        assert_eq!(is_inkless(c), c != '\u{1d159}', "{c:?}");
    }
}

#[test]
fn a_selector_is_shown_only_where_it_makes_an_emoji() {
    let hidden = |text: &str| with_hidden(text).filter(|(_, hidden)| *hidden).count();
    for shown in ["❤\u{fe0f}", "☀\u{fe0f} and ⚠\u{fe0f}", "1\u{fe0f}\u{20e3}", "🛠\u{fe0f}", "ℹ\u{fe0f}", "⭐\u{fe0f}"]
    {
        assert_eq!(hidden(shown), 0, "{shown}");
    }
    for (text, count) in [
        ("a\u{fe0f}", 1),
        ("\u{fe0f}", 1),
        ("1\u{fe0f}", 1),
        ("❤\u{fe0f}\u{fe0f}", 1),
        ("❤\u{fe0e}", 1),
        ("❤\u{200b}\u{fe0f}", 2),
        ("⠀\u{fe0f}", 2),
        ("葛\u{e0100}", 1),
        // The joiner of a family is named, as before: what it joins is seen without it.
        ("👨\u{200d}👩", 1),
    ] {
        assert_eq!(hidden(text), count, "{text:?}");
    }
}
