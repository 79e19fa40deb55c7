//! The texts that come with the program.

/// The soul that a new library begins with, and that is used where there is no library.
pub(crate) const DEFAULT_SOUL: &str = include_str!("built_in/default.md");

/// The agent that an empty home is given: a soul that says what a soul is.
pub(crate) const GUIDE: &str = include_str!("built_in/guide.md");

/// Whether it is one of them. They are scanned by the tests; to scan them where the program runs would cost a
/// service that has just started half of its memory.
pub(crate) fn is_built_in(bytes: &[u8]) -> bool {
    [DEFAULT_SOUL, GUIDE].iter().any(|text| text.as_bytes() == bytes)
}
