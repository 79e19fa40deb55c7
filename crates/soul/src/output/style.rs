//! The few colours there are. `anstream` takes them out where they are not wanted.

use anstyle::{AnsiColor, Color, Style};

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
