use super::*;

#[test]
fn titles_mean_the_same_in_every_dress() {
    for title in [
        "Boundaries",
        "## 🚫 **Boundaries**",
        "3. Your Boundaries",
        "BOUNDARIES & Privacy",
        "Memory and boundaries",
        "Grenzen",
        "Límites",
        "границы",
        "边界",
        "二、边界",
        "境界線",
        "나의 경계",
        "Règles",
    ] {
        assert_eq!(field_of(title), Some(Field::Limit), "{title}");
    }
    for title in [
        "Vibe",
        "Communication Style",
        "Speaking Style (for chat)",
        "How I Talk",
        "Tono de voz",
        "沟通风格",
        "話し方",
        "말투와 톤",
        "Как я общаюсь",
        "Personnalité",
    ] {
        assert_eq!(field_of(title), Some(Field::Tone), "{title}");
    }
    for title in ["Examples of style", "Style examples", "Ejemplos de estilo", "沟通示例"] {
        assert_eq!(field_of(title), Some(Field::GoodExample), "{title}");
    }
    assert_eq!(field_of("What They Would Never Do"), Some(Field::MustNever));
    assert_eq!(field_of("🚨 Critical Rules You Must Follow"), Some(Field::Limit));
    assert_eq!(field_of("SOUL.md - Who You Are"), Some(Field::Role));
}

#[test]
fn what_is_not_about_a_field_is_not_understood() {
    for title in [
        "",
        "🙂",
        "2026-02-10: created files without confirmation",
        "Ada",
        "The long story of how a tool became my favourite thing in the world",
    ] {
        assert_eq!(field_of(title), None, "{title}");
    }
}

#[test]
fn titles_of_nothing_but_words_name_no_agent() {
    for title in ["Who You Are", "Core Values", "Identity & Role", "核心价值观", "Rules:"] {
        assert!(is_only_heading_words(title), "{title}");
    }
    for title in ["Ada", "Ada the style coach", "Ada — Identity", "小助手", ""] {
        assert!(!is_only_heading_words(title), "{title}");
    }
}

/// The headings that we write are read as what they stand for.
#[test]
fn the_titles_of_the_table_of_places_are_understood() {
    use crate::model::{At, Dialect, PLACES};
    for place in PLACES.iter().filter(|place| place.dialect == Dialect::Plain) {
        if let At::Section(title) = place.at
            && title != "*"
        {
            assert_eq!(field_of(title), Some(place.field), "{title}");
        }
    }
}
