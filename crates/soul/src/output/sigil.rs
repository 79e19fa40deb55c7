//! The sigil where there is only room for letters: one for each part of a soul, in the soul's colour.

use anstyle::{AnsiColor, Color, Style};
use soul_core::sigil::{Part, Parts};

use super::table::{Cell, cell};

/// The twelve colours of souls, as every terminal has them.
const COLOURS: [AnsiColor; 12] = [
    AnsiColor::Red,
    AnsiColor::BrightRed,
    AnsiColor::Yellow,
    AnsiColor::BrightYellow,
    AnsiColor::Green,
    AnsiColor::BrightGreen,
    AnsiColor::Cyan,
    AnsiColor::BrightCyan,
    AnsiColor::Blue,
    AnsiColor::BrightBlue,
    AnsiColor::Magenta,
    AnsiColor::BrightMagenta,
];

/// What stands for a part of which there is nothing to say.
const NOTHING: char = '·';

/// The style of a soul's letters.
fn style(hue: u8) -> Style {
    let colour = COLOURS[usize::from(hue) % COLOURS.len()];
    Style::new().bold().fg_color(Some(Color::Ansi(colour)))
}

fn letters(is_shown: impl Fn(Part) -> bool) -> String {
    Part::ALL.into_iter().map(|part| if is_shown(part) { part.letter() } else { NOTHING }).collect()
}

/// The parts of which something is written.
pub(super) fn written(hue: u8, parts: Option<&Parts>) -> Cell {
    match parts {
        Some(parts) => cell(letters(|part| parts.get(part).is_some()), style(hue)),
        None => "".into(),
    }
}

/// The parts that changed.
pub(super) fn changed(hue: u8, parts: Option<&[Part]>) -> Cell {
    match parts {
        Some(parts) => cell(letters(|part| parts.contains(&part)), style(hue)),
        None => "".into(),
    }
}

/// The same outside of a table.
pub(super) fn changed_text(hue: u8, parts: &[Part]) -> String {
    let style = style(hue);
    format!("{style}{}{style:#}", letters(|part| parts.contains(&part)))
}
