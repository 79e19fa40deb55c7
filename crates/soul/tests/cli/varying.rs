//! What a command prints that differs from run to run: ids, times, secrets, chains.

use std::collections::HashMap;

/// Numbers ids as they appear and hides the rest, so that a document tells one id from another.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, String>);

impl Names {
    pub(crate) fn hide(&mut self, text: &str) -> String {
        text.split_inclusive('\n').map(|line| self.hide_line(line)).collect()
    }

    fn hide_line(&mut self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let skip = if let Some(length) = id(rest) {
                out.push_str(&self.name(&rest[..length]));
                length
            } else if let Some(length) = secret(rest) {
                out.push_str("«secret»");
                length
            } else if let Some(length) = time(rest) {
                out.push_str("«time»");
                length
            } else if let Some(length) = chain(&out, rest) {
                out.push_str("«chain»");
                length
            } else if let Some(length) = commit(&out, rest) {
                out.push_str("«commit»");
                length
            } else {
                out.push(first);
                first.len_utf8()
            };
            rest = &rest[skip..];
        }
        out
    }

    /// `rev_1` for the first revision that is seen, and so on. The beginning of an id names what the id does.
    fn name(&mut self, id: &str) -> String {
        if let Some((_, name)) = self.0.iter().find(|(known, _)| known.starts_with(id) || id.starts_with(*known)) {
            return name.clone();
        }
        let prefix = id.split('_').next().unwrap();
        let next = self.0.keys().filter(|known| known.split('_').next() == Some(prefix)).count() + 1;
        let name = format!("{prefix}_{next}");
        self.0.insert(id.to_owned(), name.clone());
        name
    }
}

/// How long the id is that a text begins with, which may be cut.
fn id(text: &str) -> Option<usize> {
    let prefix = ["rev_", "snap_", "sess_", "task_", "run_", "mut_", "ws_", "tok_", "prop_", "rcpt_"]
        .iter()
        .find(|prefix| text.starts_with(**prefix))?;
    let ulid = text[prefix.len()..].bytes().take_while(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let length = ulid.count();
    (12..=26).contains(&length).then_some(prefix.len() + length)
}

/// How long the secret of a token is that a text begins with.
fn secret(text: &str) -> Option<usize> {
    let (name, rest) = text.strip_prefix("soul_")?.split_at_checked(26)?;
    let bits = rest.strip_prefix('_')?.bytes().take_while(u8::is_ascii_hexdigit).count();
    (name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && bits == 64).then_some(5 + 26 + 1 + 64)
}

/// How long the time is that a text begins with, in either of its forms.
fn time(text: &str) -> Option<usize> {
    ["0000-00-00T00:00:00.000000Z", "0000-00-00 00:00:00 UTC"]
        .iter()
        .find(|pattern| fits(text, pattern))
        .map(|time| time.len())
}

/// How long the chain is that a text begins with: a digest that binds ids and times.
fn chain(before: &str, text: &str) -> Option<usize> {
    let is_chain = before.ends_with("\"chain\": \"") || before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let digest = text.strip_prefix("sha256:")?.bytes().take_while(u8::is_ascii_hexdigit).count();
    // Short on a terminal.
    (is_chain && [12, 64].contains(&digest)).then_some("sha256:".len() + digest)
}

/// How long the commit is that a text begins with: a name that git makes of what was committed, and when.
fn commit(before: &str, text: &str) -> Option<usize> {
    let is_commit = ["«time»  ", "  remote    ", "commit ", "Commit\": \"", "commit\": \""]
        .iter()
        .any(|sign| before.ends_with(sign));
    let digits = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    (is_commit && [8, 40].contains(&digits)).then_some(digits)
}

/// A line with everything that differs from run to run, or from machine to machine, left out.
pub(crate) fn blank(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (mark, length) = if let Some(length) = id(rest) {
            ("«id»", length)
        } else if let Some(length) = secret(rest) {
            ("«secret»", length)
        } else if let Some(length) = time(rest).or_else(|| date(rest)).or_else(|| age(rest)) {
            ("«time»", length)
        } else if out.ends_with(' ') && fits(rest, "00:00") {
            ("«time»", 5)
        } else if let Some(length) = chain(&out, rest) {
            ("«chain»", length)
        } else if let Some(length) = user(rest) {
            ("«user»", length)
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push_str(mark);
        rest = &rest[length..];
    }
    // A column is as wide as the longest age in it.
    if out.contains("«time»") { out.split_whitespace().collect::<Vec<_>>().join(" ") } else { out }
}

/// How long the day is that a text begins with: `2026-11-16`, or the header `date`.
fn date(text: &str) -> Option<usize> {
    if text.starts_with("date: ") && text.ends_with(" GMT") {
        return Some(text.len());
    }
    ["0000-00-00T000000-000000Z", "0000-00-00 00:00", "0000-00-00"]
        .iter()
        .find(|pattern| fits(text, pattern))
        .map(|day| day.len())
}

/// How long the age is that a text begins with: `just now`, `1 min ago`.
fn age(text: &str) -> Option<usize> {
    if text.starts_with("just now") {
        return Some("just now".len());
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && text[digits..].starts_with(" min ago")).then_some(digits + " min ago".len())
}

/// How long the number of a user of this machine is that a text begins with.
fn user(text: &str) -> Option<usize> {
    let digits = text.strip_prefix("uid ")?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(4 + digits)
}

/// Whether a text begins with a pattern in which 0 stands for any digit.
fn fits(text: &str, pattern: &str) -> bool {
    let fits = |(byte, pattern): (u8, u8)| if pattern == b'0' { byte.is_ascii_digit() } else { byte == pattern };
    text.len() >= pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}
