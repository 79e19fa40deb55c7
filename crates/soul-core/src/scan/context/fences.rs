//! The code blocks of a text.

use crate::text::Span;

/// The lines of a text that are code, found once.
#[derive(Debug, Default)]
pub(crate) struct Fences(Vec<(usize, usize)>);

impl Fences {
    pub(crate) fn find(text: &str) -> Self {
        let mut fences = Vec::new();
        let mut open: Option<(usize, u8, usize)> = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim_start_matches([' ', '\t', '>', '-', '*']).trim_end();
            let mark = bare.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'));
            let length = mark.map_or(0, |mark| bare.bytes().take_while(|byte| *byte == mark).count());
            match (open, mark) {
                (None, Some(mark)) if length >= 3 => open = Some((at, mark, length)),
                (Some((start, fence, least)), Some(mark))
                    if mark == fence && length >= least && bare.len() == length =>
                {
                    fences.push((start, at + line.len()));
                    open = None;
                }
                _ => {}
            }
            at += line.len();
        }
        // A fence that is never closed hides nothing from a model.
        Self(fences)
    }

    /// The code block around a span: where its opening line begins, and where its closing line ends.
    pub(crate) fn around(&self, span: Span) -> Option<(usize, usize)> {
        let at = self.0.partition_point(|(_, end)| *end <= span.start);
        self.0.get(at).copied().filter(|(start, end)| *start <= span.start && span.end <= *end)
    }
}
