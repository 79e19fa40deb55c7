//! How the user wants to be shown things: how much, how wide, in which characters. Set once, before anything is
//! printed.

use std::io::IsTerminal;
use std::sync::OnceLock;

use anstream::ColorChoice;
use clap::ValueEnum;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Even in a file or a pipe
    Always,
    /// Nowhere
    Never,
}

/// How much to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Detail {
    /// Results and errors only.
    Quiet,
    #[default]
    Normal,
    /// Full ids and digests too.
    Verbose,
}

static DETAIL: OnceLock<Detail> = OnceLock::new();

/// Takes what the user wants from the options of every command.
pub(crate) fn set(detail: Detail, color: Color) {
    let _ = DETAIL.set(detail);
    let choice = match color {
        Color::Auto => return,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
}

fn detail() -> Detail {
    DETAIL.get().copied().unwrap_or_default()
}

pub(crate) fn is_quiet() -> bool {
    detail() == Detail::Quiet
}

pub(crate) fn is_verbose() -> bool {
    detail() == Detail::Verbose
}

/// How many columns a line of standard output may have; none where nobody looks at it.
pub(crate) fn width() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    let out = std::io::stdout();
    if !out.is_terminal() {
        return None;
    }
    set.or_else(|| terminal_size::terminal_size_of(&out).map(|(width, _)| usize::from(width.0)))
}

/// An arrow from what was to what is.
pub(crate) fn arrow() -> &'static str {
    if is_unicode() { "→" } else { "->" }
}

/// Whether the locale can show more than ASCII. Where nothing is said about it, nearly everything can.
pub(crate) fn is_unicode() -> bool {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    if std::env::var("TERM").is_ok_and(|term| term == "dumb") {
        return false;
    }
    match ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set) {
        None => true,
        Some(locale) => {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
    }
}
