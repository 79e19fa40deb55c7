//! Columns with headings, as wide as what is in them, and no wider than the terminal.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style::FAINT;
use super::view;

/// What is in a column of a row: text without escape sequences, and its style.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

/// A cell in this style.
pub(crate) fn cell(text: impl Into<String>, style: Style) -> Cell {
    Cell { text: text.into(), style }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        cell(text, Style::new())
    }
}

/// A heading that begins with `>` is of a column of numbers, which end at the same place.
pub(crate) struct Table<const COLUMNS: usize> {
    headings: [&'static str; COLUMNS],
    rows: Vec<[Cell; COLUMNS]>,
}

/// What is between two columns.
const GAP: usize = 2;

/// The least width of a column that has to be cut.
const LEAST: usize = 8;

impl<const COLUMNS: usize> Table<COLUMNS> {
    pub(crate) fn new(headings: [&'static str; COLUMNS]) -> Self {
        Self { headings, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, row: [Cell; COLUMNS]) {
        self.rows.push(row);
    }

    /// The lines. A column without any content is left out; `-v` cuts nothing off.
    pub(crate) fn render(&self) -> String {
        self.render_within(view::width().filter(|_| !view::is_verbose()))
    }

    fn render_within(&self, room: Option<usize>) -> String {
        let heading = |column: usize| self.headings[column].trim_start_matches('>');
        let widest = |column: usize| self.rows.iter().map(|row| row[column].text.width()).max().unwrap_or_default();
        let shown: Vec<usize> = (0..COLUMNS).filter(|column| widest(*column) > 0).collect();
        let mut widths: Vec<usize> = shown.iter().map(|column| widest(*column).max(heading(*column).width())).collect();
        if let Some(room) = room {
            cut(&mut widths, room.saturating_sub(GAP * shown.len().saturating_sub(1)));
        }
        let mut out = String::new();
        let mut line = |cells: &dyn Fn(usize) -> (String, Style)| {
            let mut gap = 0;
            for (column, width) in shown.iter().zip(&widths) {
                let (text, style) = cells(*column);
                let text = fitted(&text, *width);
                let padding = width - text.width();
                let is_number = self.headings[*column].starts_with('>');
                // No blanks at the end of a line: those of an empty cell are written before the next text, if any.
                if text.is_empty() {
                    gap += width + GAP;
                    continue;
                }
                out.push_str(&" ".repeat(gap + if is_number { padding } else { 0 }));
                out.push_str(&format!("{style}{text}{style:#}"));
                gap = GAP + if is_number { 0 } else { padding };
            }
            out.push('\n');
        };
        line(&|column| (heading(column).to_owned(), FAINT));
        for row in &self.rows {
            line(&|column| (row[column].text.clone(), row[column].style));
        }
        out
    }
}

/// Makes the widest columns narrower until all of them fit.
fn cut(widths: &mut [usize], room: usize) {
    while widths.iter().sum::<usize>() > room {
        match widths.iter_mut().max() {
            Some(widest) if *widest > LEAST => *widest -= 1,
            _ => return,
        }
    }
}

/// The text, cut at the end if it is too wide.
pub(crate) fn fitted(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mark = if view::is_unicode() { "…" } else { "~" };
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let wide = c.width().unwrap_or_default();
        let fits = wide <= left;
        left = left.saturating_sub(wide);
        fits
    };
    text.chars().take_while(fits).collect::<String>() + mark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(table: &Table<3>, room: Option<usize>) -> String {
        anstream::adapter::strip_str(&table.render_within(room)).to_string()
    }

    #[test]
    fn columns_line_up_and_empty_ones_are_left_out() {
        let mut table = Table::new(["NAME", ">BYTES", "ROLE"]);
        table.row(["ada".into(), "7".into(), "".into()]);
        table.row(["夜間".into(), "1024".into(), "".into()]);
        assert_eq!(plain(&table, None), "NAME  BYTES\nada       7\n夜間   1024\n");
        table.row(["".into(), "".into(), "reads".into()]);
        assert_eq!(plain(&table, None).lines().last(), Some("             reads"));
    }

    #[test]
    fn what_is_too_wide_is_cut_where_it_is_widest() {
        let mut table = Table::new(["NAME", "ROLE", "BY"]);
        table.row(["ada".into(), "Reviews every change before it lands".into(), "bob".into()]);
        let text = plain(&table, Some(30));
        assert_eq!(text, "NAME  ROLE                 BY\nada   Reviews every chan…  bob\n");
        assert!(text.lines().all(|line| line.width() <= 30));
        assert_eq!(fitted("夜間の監視", 5), "夜間…");
    }
}
