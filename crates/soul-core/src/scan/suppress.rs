//! Suppressions in a text: `soul: allow SEC001 -- reason`, in a comment of any kind, for its own line or, if nothing
//! else is on that, for the next one that is not blank. `soul-scan: allow` means the same.

/// The words that begin one.
pub(super) const MARKS: [&str; 2] = ["soul: allow ", "soul-scan: allow "];

/// The suppressions of a text, for problems that others than the scanner find.
///
/// ```
/// use soul_core::scan::Suppressions;
///
/// let found = Suppressions::find("# soul: allow unknown_field -- read by our deployment\nowner: ops\n");
/// assert_eq!(found.reason("unknown_field", Some(2)), Some("read by our deployment"));
/// assert_eq!(found.reason("unknown_field", Some(3)), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Suppressions(Vec<Suppression>);

impl Suppressions {
    /// The suppressions of a text.
    #[must_use]
    pub fn find(text: &str) -> Self {
        Self(suppressions(text))
    }

    /// Why a problem on this line is suppressed, if it is. A problem of the whole file has no line, and is suppressed
    /// from anywhere in it.
    #[must_use]
    pub fn reason(&self, code: &str, line: Option<usize>) -> Option<&str> {
        let covers = |own: &&Suppression| match line {
            Some(line) => own.covers(code, line),
            None => own.names(code),
        };
        self.0.iter().filter(|own| own.reason.is_some()).find(covers)?.reason.as_deref()
    }
}

/// One suppression: which rules, from and on which line, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suppression {
    rules: Vec<String>,
    first: usize,
    last: usize,
    /// None if its author gave none; then it does nothing.
    pub(crate) reason: Option<String>,
    /// Where it stands.
    pub(crate) at: usize,
    pub(crate) end: usize,
}

impl Suppression {
    pub(crate) fn covers(&self, rule: &str, line: usize) -> bool {
        (self.first..=self.last).contains(&line) && self.names(rule)
    }

    fn names(&self, rule: &str) -> bool {
        self.rules.iter().any(|own| own.eq_ignore_ascii_case(rule))
    }
}

/// The suppressions of a text.
pub(crate) fn suppressions(text: &str) -> Vec<Suppression> {
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found = Vec::new();
    let mut at = 0;
    for (number, line) in lines.iter().enumerate() {
        if let Some((start, mark)) = MARKS.iter().find_map(|mark| Some((line.find(mark)?, mark))) {
            let body = &line[start + mark.len()..];
            let body = ["-->", "*/", "#}"].iter().fold(body, |body, end| body.split(end).next().unwrap_or(body));
            let (rules, reason) = body.split_once("--").unwrap_or((body, ""));
            let alone = line[..start].trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
            let next =
                lines[number + 1..].iter().position(|line| !line.trim().is_empty()).map(|skip| number + 1 + skip);
            found.push(Suppression {
                rules: rules.split([',', ' ']).filter(|rule| !rule.is_empty()).map(str::to_owned).collect(),
                first: number + 1,
                last: next.filter(|_| alone).unwrap_or(number) + 1,
                reason: Some(reason.trim()).filter(|reason| !reason.is_empty()).map(str::to_owned),
                at: at + start,
                end: at + line.trim_end().len(),
            });
        }
        at += line.len() + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suppression_needs_a_reason_and_covers_one_line() {
        let text = "a\n<!-- soul: allow SEC001, SK110 -- it is quoted -->\n\nhere\nthere # soul-scan: allow SEC002\n";
        let found = suppressions(text);
        assert!(found[0].covers("SEC001", 4) && found[0].covers("sk110", 2) && !found[0].covers("SEC001", 5));
        assert_eq!(found[0].reason.as_deref(), Some("it is quoted"));
        assert!(found[1].covers("SEC002", 5) && !found[1].covers("SEC002", 6));
        assert_eq!(found[1].reason, None);
    }
}
