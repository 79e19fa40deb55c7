//! Times as people write them. The side that has a clock and a time zone reads them, so that a request carries a moment
//! that means the same everywhere.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// The text is not a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("give a date such as 2026-03-31, `today`, `yesterday`, a span such as 90m, 2h or 3d, or an RFC 3339 time")]
pub struct UnreadableTime;

/// What a text says about the time: a day, or a moment, which begins and ends at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// Where it begins.
    pub start: Timestamp,
    /// Where it ends: the first moment after a day.
    pub end: Timestamp,
}

impl When {
    /// Reads `today`, `yesterday`, a date, an RFC 3339 time, or a span of time before now: `90s`, `5m`, `2h`, `3d`, `2w`.
    ///
    /// ```
    /// use jiff::{Timestamp, tz::TimeZone};
    /// use soul_engine::moment::When;
    ///
    /// let now: Timestamp = "2026-11-16T09:00:00Z".parse()?;
    /// assert_eq!(When::parse("2h", now, &TimeZone::UTC)?.start, "2026-11-16T07:00:00Z".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Self, UnreadableTime> {
        let text = text.trim();
        let today = || now.to_zoned(zone.clone()).date();
        let day = match text.to_ascii_lowercase().as_str() {
            "now" => return Ok(Self::at(now)),
            "today" => Some(today()),
            "yesterday" => today().yesterday().ok(),
            date => date.parse::<Date>().ok().filter(|_| date.len() == "2026-03-31".len()),
        };
        if let Some(day) = day {
            return Self::of_day(day, zone).ok_or(UnreadableTime);
        }
        let before = || span(text).and_then(|span| now.checked_sub(span).ok());
        text.parse().ok().or_else(before).map(Self::at).ok_or(UnreadableTime)
    }

    const fn at(moment: Timestamp) -> Self {
        Self { start: moment, end: moment }
    }

    fn of_day(day: Date, zone: &TimeZone) -> Option<Self> {
        let first = |day: Date| day.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp());
        Some(Self { start: first(day)?, end: first(day.checked_add(1.day()).ok()?)? })
    }
}

/// A number and a unit.
fn span(text: &str) -> Option<SignedDuration> {
    let unit = text.chars().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    Some(SignedDuration::from_secs(i64::from(number) * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, String), UnreadableTime> {
        let now = "2026-11-16T02:30:00Z".parse().unwrap();
        // It is still the day before in New York.
        let when = When::parse(text, now, &TimeZone::fixed(jiff::tz::offset(-5)))?;
        Ok((when.start.to_string(), when.end.to_string()))
    }

    #[test]
    fn days_are_those_of_the_reader() {
        let day = |start: &str, end: &str| Ok((format!("{start}T05:00:00Z"), format!("{end}T05:00:00Z")));
        assert_eq!(read("today"), day("2026-11-15", "2026-11-16"));
        assert_eq!(read("Yesterday"), day("2026-11-14", "2026-11-15"));
        assert_eq!(read("2026-03-31"), day("2026-03-31", "2026-04-01"));
    }

    #[test]
    fn moments_begin_and_end_at_once() {
        let moment = |text: &str| Ok((text.to_owned(), text.to_owned()));
        assert_eq!(read("2h"), moment("2026-11-16T00:30:00Z"));
        assert_eq!(read("90s"), moment("2026-11-16T02:28:30Z"));
        assert_eq!(read("3d"), moment("2026-11-13T02:30:00Z"));
        assert_eq!(read("1w"), moment("2026-11-09T02:30:00Z"));
        assert_eq!(read("2026-03-31T09:00:00+02:00"), moment("2026-03-31T07:00:00Z"));
        for wrong in ["", "h", "2", "-2h", "2y", "2026-13-01", "tomorrow", "2026-11", "4294967296d"] {
            assert_eq!(read(wrong), Err(UnreadableTime), "{wrong}");
        }
    }
}
