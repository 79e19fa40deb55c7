//! The few colours there are, which `anstream` takes out where they are not wanted, and phrases that many
//! renderers share.

use anstyle::{AnsiColor, Color, Style};
use soul_engine::clock::Time;

const fn bold(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

pub(crate) const ERROR: Style = bold(AnsiColor::Red);
pub(crate) const WARNING: Style = bold(AnsiColor::Yellow);
pub(crate) const INFO: Style = bold(AnsiColor::Blue);
pub(crate) const GOOD: Style = bold(AnsiColor::Green);
pub(crate) const HINT: Style = bold(AnsiColor::Cyan);
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// So many things.
pub(super) fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A time to the second.
pub(super) fn short(time: &Time) -> String {
    time.to_string().get(..19).unwrap_or_default().replace('T', " ")
}

/// A name and what it is, indented.
pub(super) fn row(out: &mut String, width: usize, name: &str, value: &str) {
    out.push_str(&format!("  {FAINT}{name:<width$}{FAINT:#} {value}\n"));
}
