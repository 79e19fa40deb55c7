use super::cantus;
use crate::model::Dialect;
use crate::text::Source;

/// The dialect that a text is in when nobody says: three or more of the six titles are `cantus`,
/// a file of a library is `dagu`, everything else is `agh`, the strict one.
#[must_use]
pub fn detect(source: &Source, in_library: bool) -> Dialect {
    if cantus::known_titles(source.text().unwrap_or_default()) >= 3 {
        Dialect::Cantus
    } else if in_library {
        Dialect::Dagu
    } else {
        Dialect::Agh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_come_before_the_folder() {
        let titles = Source::from("## Rules\r\na\r\n## Tools\r\n## Handoffs\r\n");
        assert_eq!(detect(&titles, true), Dialect::Cantus);
        assert_eq!(detect(&Source::from("## Rules\n## Rules\n## Rules\n"), false), Dialect::Agh);
        assert_eq!(detect(&Source::from("---\nname: a\n---\n"), true), Dialect::Dagu);
        assert_eq!(detect(&Source::new(vec![0xff]), false), Dialect::Agh);
    }
}
