//! Columns with headings, as wide as what is in them, and no wider than the terminal.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style::FAINT;
use super::view;
use super::wrap::wrapped;

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

/// A heading that begins with `>` is of a column of numbers, which end at the same place. One that ends with `…` is of
/// free text, which is shortened where there is no room; ids, names and numbers never are. One that ends with `↩` is of
/// the last column, whose text is wrapped below itself.
pub(crate) struct Table<const COLUMNS: usize> {
    headings: [&'static str; COLUMNS],
    rows: Vec<Row<COLUMNS>>,
    /// The widths that the columns had on the page before.
    last: Option<[usize; COLUMNS]>,
}

struct Row<const COLUMNS: usize> {
    cells: [Cell; COLUMNS],
    /// Lines that stand below it as they are.
    below: String,
}

/// What is between two columns.
const GAP: usize = 2;

/// The least width of a column that is shortened.
const LEAST: usize = 12;

/// The least width of a column that is wrapped: an id has room.
const LEAST_WRAPPED: usize = 20;

/// Where the columns begin that do not fit beside the others.
const INDENT: usize = 5;

impl<const COLUMNS: usize> Table<COLUMNS> {
    pub(crate) fn new(headings: [&'static str; COLUMNS]) -> Self {
        Self { headings, rows: Vec::new(), last: None }
    }

    pub(crate) fn row(&mut self, cells: [Cell; COLUMNS]) {
        self.row_with(cells, String::new());
    }

    /// A row with lines below it.
    pub(crate) fn row_with(&mut self, cells: [Cell; COLUMNS], below: String) {
        self.rows.push(Row { cells, below });
    }

    /// The lines. A column without any content is left out; `-v` shortens nothing.
    pub(crate) fn render(&self) -> String {
        self.render_within(room())
    }

    /// The same for a table that goes on: the next page has no headings, and its columns are at least as wide.
    pub(crate) fn render_page(&mut self) -> String {
        let is_first = self.last.is_none();
        let last = self.last.unwrap_or_else(|| std::array::from_fn(|column| self.heading(column).width()));
        self.last = Some(std::array::from_fn(|column| last[column].max(self.widest(column))));
        let out = self.render_lines(room(), is_first);
        self.rows.clear();
        out
    }

    fn heading(&self, column: usize) -> &'static str {
        self.headings[column].trim_start_matches('>').trim_end_matches(['…', '↩'])
    }

    fn widest(&self, column: usize) -> usize {
        self.rows.iter().map(|row| row.cells[column].text.width()).max().unwrap_or_default()
    }

    fn render_within(&self, room: Option<usize>) -> String {
        self.render_lines(room, true)
    }

    fn render_lines(&self, room: Option<usize>, has_headings: bool) -> String {
        let width = |column: usize| match self.last {
            Some(last) => last[column],
            None if self.widest(column) == 0 => 0,
            None => self.widest(column).max(self.heading(column).width()),
        };
        let shown = (0..COLUMNS).map(|column| (column, width(column))).filter(|(_, width)| *width > 0).collect();
        let lines = self.arranged(shown, room.unwrap_or(usize::MAX));
        let mut out = String::new();
        if has_headings {
            self.line(&mut out, &lines, &|column| (self.heading(column), FAINT));
        }
        for row in &self.rows {
            self.line(&mut out, &lines, &|column| (&row.cells[column].text, row.cells[column].style));
            out.push_str(&row.below);
        }
        out
    }

    /// The columns of each line that a row takes, with their widths. If one line has no room for all of them, free text
    /// comes last.
    fn arranged(&self, columns: Vec<(usize, usize)>, room: usize) -> Vec<Vec<(usize, usize)>> {
        let is_free = |column: usize| self.headings[column].ends_with(['…', '↩']);
        let least = |&(column, width): &(usize, usize)| match self.headings[column].chars().last() {
            Some('…') => width.min(LEAST),
            Some('↩') => width.min(LEAST_WRAPPED),
            _ => width,
        };
        let taken = |line: &[(usize, usize)]| line.iter().map(least).sum::<usize>() + GAP * line.len();
        let mut lines = vec![columns];
        if taken(&lines[0]) > room.saturating_add(GAP) {
            let (free, fixed): (Vec<_>, Vec<_>) = lines.remove(0).into_iter().partition(|(column, _)| is_free(*column));
            for column in fixed.into_iter().chain(free) {
                let indent = if lines.len() > 1 { INDENT } else { 0 };
                match lines.last_mut() {
                    Some(line) if indent + taken(line) + least(&column) <= room => line.push(column),
                    _ => lines.push(vec![column]),
                }
            }
        }
        for (index, line) in lines.iter_mut().enumerate() {
            let indent = if index > 0 { INDENT } else { 0 };
            let room = room.saturating_sub(indent + GAP * line.len().saturating_sub(1));
            while line.iter().map(|(_, width)| width).sum::<usize>() > room {
                let free = line.iter_mut().filter(|column| column.1 > least(column));
                match free.max_by_key(|(_, width)| *width) {
                    Some((_, widest)) => *widest -= 1,
                    None => break,
                }
            }
        }
        lines
    }

    fn line<'a>(&self, out: &mut String, lines: &[Vec<(usize, usize)>], cell: &dyn Fn(usize) -> (&'a str, Style)) {
        for (index, columns) in lines.iter().enumerate() {
            let is_empty = columns.iter().all(|(column, _)| cell(*column).0.is_empty());
            if index > 0 && is_empty {
                continue;
            }
            let mut gap = if index > 0 { INDENT } else { 0 };
            for (column, width) in columns {
                let (text, style) = cell(*column);
                let mut rest = Vec::new();
                let text = match self.headings[*column].chars().last() {
                    Some('…') => fitted(text, *width),
                    Some('↩') => {
                        rest = wrapped(text, *width);
                        rest.remove(0)
                    }
                    _ => text.to_owned(),
                };
                let padding = width.saturating_sub(text.width());
                let is_number = self.headings[*column].starts_with('>');
                // No blanks at the end of a line: those of an empty cell are written before the next text, if any.
                if text.is_empty() {
                    gap += width + GAP;
                    continue;
                }
                out.push_str(&" ".repeat(gap + if is_number { padding } else { 0 }));
                out.push_str(&format!("{style}{text}{style:#}"));
                gap = GAP + if is_number { 0 } else { padding };
                let taken = columns.iter().take_while(|(other, _)| other != column).map(|(_, width)| width + GAP);
                let indent = taken.sum::<usize>() + if index > 0 { INDENT } else { 0 };
                rest.iter().for_each(|line| out.push_str(&format!("\n{:indent$}{style}{line}{style:#}", "")));
            }
            out.push('\n');
        }
    }
}

/// The columns that a line may have; any number with `-v`, which shortens nothing.
fn room() -> Option<usize> {
    view::width().filter(|_| !view::is_verbose())
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
    fn free_text_is_shortened_first() {
        let mut table = Table::new(["NAME", "ROLE…", "BY"]);
        table.row(["a-name-longer-than-a-role".into(), "Reviews every change".into(), "bob".into()]);
        let text = plain(&table, Some(50));
        assert_eq!(text.lines().last(), Some("a-name-longer-than-a-role  Reviews every cha…  bob"));
        assert_eq!(plain(&table, None).lines().last(), Some("a-name-longer-than-a-role  Reviews every change  bob"));
        assert_eq!(fitted("夜間の監視", 5), "夜間…");
    }

    #[test]
    fn columns_that_do_not_fit_go_below_with_free_text_last() {
        let mut table = Table::new(["NAME", "ROLE…", "BY"]);
        table.row(["ada".into(), "Reviews every change before it lands".into(), "somebody".into()]);
        table.row_with(["bob".into(), "".into(), "tester".into()], "  a note\n".to_owned());
        let text = plain(&table, Some(24));
        assert_eq!(text, "NAME  BY\n     ROLE\nada   somebody\n     Reviews every chan…\nbob   tester\n  a note\n");
        assert!(text.lines().all(|line| line.width() <= 24));
    }

    #[test]
    fn the_last_column_may_be_wrapped_below_itself() {
        let mut table = Table::new(["NAME", "BY", "ABOUT↩"]);
        table.row(["ada".into(), "bob".into(), "rev_01M7K661HR6Y38  SEC001 at SOUL.md:3".into()]);
        let text = plain(&table, Some(34));
        assert_eq!(text, "NAME  BY   ABOUT\nada   bob  rev_01M7K661HR6Y38\n           SEC001 at SOUL.md:3\n");
        let text = plain(&table, Some(24));
        assert_eq!(text, "NAME  BY\n     ABOUT\nada   bob\n     rev_01M7K661HR6Y38\n     SEC001 at SOUL.md:3\n");
        assert_eq!(plain(&table, None).lines().count(), 2);
    }

    #[test]
    fn pages_of_one_table_line_up() {
        let mut table = Table::new(["NAME", "ROLE", "BY"]);
        table.row(["ada".into(), "".into(), "tester".into()]);
        assert_eq!(
            table.render_page(),
            format!("{FAINT}NAME{FAINT:#}  {FAINT}ROLE{FAINT:#}  {FAINT}BY{FAINT:#}\nada         tester\n")
        );
        table.row(["a-longer-name".into(), "x".into(), "bob".into()]);
        assert_eq!(table.render_page(), "a-longer-name  x     bob\n");
        table.row(["ada".into(), "".into(), "bob".into()]);
        assert_eq!(table.render_page(), "ada                  bob\n");
    }
}
