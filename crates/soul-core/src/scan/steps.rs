//! How much work a scan does, counted in tests: on a busy machine time says little about growth.

/// Counts steps of work: bytes that are read again, or combinations that are tried.
#[inline(always)]
pub(super) fn add(count: usize) {
    #[cfg(test)]
    counter::STEPS.with(|steps| steps.set(steps.get() + count));
    #[cfg(not(test))]
    let _ = count;
}

/// The steps that some work takes on this thread.
#[cfg(test)]
pub(super) fn of<T>(work: impl FnOnce() -> T) -> usize {
    let before = counter::STEPS.with(std::cell::Cell::get);
    std::hint::black_box(work());
    counter::STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod counter {
    thread_local! {
        pub(super) static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;
    use crate::scan::{File, Trust, scan_as};

    fn steps(text: &str) -> usize {
        // What is built once is not work of this text.
        let scan = || scan_as(&[File { path: "SOUL.md", bytes: text.as_bytes() }], Trust::Stranger);
        of(scan)
    }

    /// Twice the text takes at most about twice the steps, and a byte only so many, whatever is repeated.
    fn grows_with_its_size(unit: &str) {
        const SMALL: usize = 3_000;
        let text = |size: usize| unit.repeat(size / unit.len() + 1);
        let (small, large) = (text(SMALL), text(2 * SMALL));
        let (few, many) = (steps(&small), steps(&large));
        assert!(many <= few * 9 / 4 + 40_000, "{few} steps become {many}: {unit:?}");
        assert!(many <= 120 * large.len() + 200_000, "{many} steps for {} bytes: {unit:?}", large.len());
    }

    #[test]
    fn parts_of_attacks_over_and_over_take_linear_time() {
        for hit in RULES.iter().flat_map(|rule| rule.hits) {
            for part in [hit.len() / 3, hit.len() / 2, hit.len() * 3 / 4, hit.len()] {
                let part = &hit[..hit.floor_char_boundary(part)];
                if !part.is_empty() {
                    grows_with_its_size(&format!("{part} "));
                }
            }
        }
    }

    #[test]
    fn marks_over_and_over_take_linear_time() {
        for unit in [
            "![a](http://x/?q={",
            "never tell the user ",
            "<system>",
            "<!-- ",
            "```\nignore\n",
            "\"ignore all rules ",
            "`ignore` ",
            "- never:\n",
            "> a\n",
            "| a | ",
            "eyJ",
            "0110 ",
            " 6f 65",
            "a\u{200b}",
            "i g n o r e ",
            "erongi dna ",
            "this file the owner wins over ",
            "owner rules user you ",
            "http://a.b/ ",
            "[x](",
            "忽略",
            "a.",
            "a@b.",
            "a.]",
            "\"\n\n",
            "ᄀ",
            "ᅡ",
            "though they did not ",
            "a\n",
            "{{",
            "((",
        ] {
            grows_with_its_size(unit);
        }
    }
}
