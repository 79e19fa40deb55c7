//! The few colours there are, which `anstream` takes out where they are not wanted, and phrases that many
//! renderers share.

use anstyle::{AnsiColor, Color, Style};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use soul_core::digest::Digest;
use soul_engine::clock::Time;

use super::view;
use super::wrap::hanging;

const fn bold(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

pub(crate) const ERROR: Style = bold(AnsiColor::Red);
pub(crate) const WARNING: Style = bold(AnsiColor::Yellow);
pub(crate) const INFO: Style = bold(AnsiColor::Blue);
pub(crate) const GOOD: Style = bold(AnsiColor::Green);
pub(crate) const HINT: Style = bold(AnsiColor::Cyan);
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const HEADING: Style = Style::new().bold().underline();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// So many things.
pub(crate) fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A time to the second, in the user's time zone, which is named.
pub(super) fn short(time: &Time) -> String {
    Timestamp::from(*time).to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S %Z").to_string()
}

/// How long ago something was, in one unit; a day if it was long ago.
pub(super) fn ago(time: &Time) -> String {
    ago_at(Timestamp::from(*time), Timestamp::now(), &TimeZone::system())
}

fn ago_at(time: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let seconds = now.as_second().saturating_sub(time.as_second());
    match seconds {
        ..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        86_400..2_592_000 => format!("{} ago", count(usize::try_from(seconds / 86_400).unwrap_or_default(), "day")),
        _ => time.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string(),
    }
}

/// The beginning of a digest, which is enough to name it.
pub(super) fn digest(digest: &Digest) -> String {
    brief(&digest.to_string())
}

/// A digest of any kind with its first twelve digits; all of them with `-v`.
pub(super) fn brief(digest: &str) -> String {
    let end = digest.rfind(':').map_or(0, |colon| colon + 1) + 12;
    match digest.get(..end) {
        Some(brief) if !view::is_verbose() => brief.to_owned(),
        _ => digest.to_owned(),
    }
}

/// The beginning of an id: the time and enough more that two of the same moment differ. All of it with `-v`.
pub(super) fn brief_id(id: &str) -> String {
    let end = id.find('_').map_or(0, |word| word + 1) + BRIEF_ID;
    match id.get(..end) {
        Some(brief) if !view::is_verbose() => brief.to_owned(),
        _ => id.to_owned(),
    }
}

/// How much of an id is shown: ten characters are the time.
const BRIEF_ID: usize = 14;

/// The beginnings of ids that stand in one list, long enough to tell them apart.
pub(super) fn brief_ids(ids: &[&str]) -> Vec<String> {
    let is_unique = |brief: &str| ids.iter().filter(|id| id.starts_with(brief)).count() == 1;
    let brief = |id: &&str| {
        let least = brief_id(id).len();
        let ends = (least..id.len()).filter(|end| id.is_char_boundary(*end));
        let unique = ends.map(|end| &id[..end]).find(|brief| is_unique(brief));
        unique.unwrap_or(id).to_owned()
    };
    ids.iter().map(brief).collect()
}

/// A text whose ids are brief, and still tell those of these texts apart.
pub(super) fn with_brief_ids<'a>(text: &str, all: impl Iterator<Item = &'a str>) -> String {
    let mut ids: Vec<&str> = all.flat_map(ids_in).collect();
    ids.sort_unstable();
    ids.dedup();
    let brief = ids.iter().zip(brief_ids(&ids));
    brief.fold(text.to_owned(), |text, (id, brief)| text.replace(id, &brief))
}

/// The complete ids in a text.
fn ids_in(text: &str) -> impl Iterator<Item = &str> {
    let is_id = |word: &&str| word.split_once('_').is_some_and(|(_, rest)| rest.len() == FULL_ID);
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(is_id)
}

/// The length of an id after its kind.
const FULL_ID: usize = 26;

/// What to do next, on a line of its own. Quiet users know it.
pub(crate) fn hint(next: &str) -> String {
    hint_at(0, next)
}

/// The same, indented.
pub(super) fn hint_at(indent: usize, next: &str) -> String {
    if view::is_quiet() {
        return String::new();
    }
    hanging(&format!("{:indent$}{HINT}hint{HINT:#}: {next}", ""), indent + "hint: ".len()) + "\n"
}

/// A name and what it is, indented.
pub(crate) fn row(out: &mut String, width: usize, name: &str, value: &str) {
    out.push_str(&hanging(&format!("  {FAINT}{name:<width$}{FAINT:#} {value}"), width + 3));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_one_unit() {
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        let now = at("2026-11-16T12:00:00Z");
        let zone = TimeZone::fixed(jiff::tz::offset(-5));
        for (time, said) in [
            ("2026-11-16T12:00:09Z", "just now"),
            ("2026-11-16T11:59:30Z", "just now"),
            ("2026-11-16T11:01:00Z", "59 min ago"),
            ("2026-11-15T12:00:01Z", "23 h ago"),
            ("2026-11-15T12:00:00Z", "1 day ago"),
            ("2026-11-01T12:00:00Z", "15 days ago"),
            ("2026-01-01T02:00:00Z", "2025-12-31"),
        ] {
            assert_eq!(ago_at(at(time), now, &zone), said);
        }
    }

    #[test]
    fn ids_are_cut_where_they_differ() {
        let ids =
            ["rev_01M7HEDC99NQCZ5WQYYQCAMRBQ", "rev_01M7HEDC99NQCZ5XQYYQCAMRBQ", "rev_01M7HEDC9A0000000000000000"];
        let brief = ["rev_01M7HEDC99NQCZ5W", "rev_01M7HEDC99NQCZ5X", "rev_01M7HEDC9A0000"];
        assert_eq!(brief_ids(&ids), brief);
        assert_eq!(brief_ids(&["rev_1"]), ["rev_1"]);
    }

    #[test]
    fn ids_in_a_text_become_brief() {
        let text =
            "`sess_01M7HEDC99NQCZ5WQYYQCAMRBQ` of `ada_b`; run `soul session refresh sess_01M7HEDC99NQCZ5WQYYQCAMRBQ`";
        let other = "sess_01M7HEDC99NQCZ5XQYYQCAMRBQ";
        assert_eq!(
            with_brief_ids(text, [text].into_iter()),
            "`sess_01M7HEDC99NQCZ` of `ada_b`; run `soul session refresh sess_01M7HEDC99NQCZ`"
        );
        assert!(with_brief_ids(text, [text, other].into_iter()).ends_with("sess_01M7HEDC99NQCZ5W`"));
    }

    #[test]
    fn digests_are_cut_after_their_kind() {
        assert_eq!(brief("sha256:0123456789abcdef"), "sha256:0123456789ab");
        assert_eq!(brief("raw:sha256:0123456789abcdef"), "raw:sha256:0123456789ab");
        assert_eq!(brief("sha256:0"), "sha256:0");
    }
}
