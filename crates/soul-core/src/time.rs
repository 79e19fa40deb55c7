//! Calendar days. The core has no clock: callers bring today.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A calendar day, as the number of days since 1970-01-01.
///
/// ```
/// use soul_core::time::Day;
/// assert_eq!(Day::parse("2026-11-15").unwrap().to_string(), "2026-11-15");
/// assert_eq!(Day::parse("2026-02-30"), None);
/// assert_eq!(Day::within("2026-11-15-autoflush"), Day::parse("2026-11-15"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(description = "A calendar day, as the number of days since 1970-01-01.")
)]
#[serde(transparent)]
pub struct Day(pub i32);

impl Day {
    /// Parses `YYYY-MM-DD`; `None` if there is no such day.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return None;
        }
        let number = |range: std::ops::Range<usize>| -> Option<i32> {
            bytes[range]
                .iter()
                .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i32::from(byte - b'0')))
        };
        let day = Self::from_civil(number(0..4)?, number(5..7)?, number(8..10)?);
        // A day that does not exist would come back as another.
        (day.to_string() == text).then_some(day)
    }

    /// The first date in a text that has no digit on either side.
    #[must_use]
    pub fn within(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        (0..bytes.len().saturating_sub(9))
            .filter(|at| !digit(at.checked_sub(1)) && !digit(Some(at + 10)))
            .find_map(|at| text.get(at..at + 10).and_then(Self::parse))
    }

    /// The day of a Unix timestamp in seconds (UTC).
    #[must_use]
    pub fn of_seconds(seconds: i64) -> Self {
        Self(i32::try_from(seconds.div_euclid(86_400)).unwrap_or(i32::MAX))
    }

    /// Years are counted from March, so that the leap day is the last of its year.
    fn from_civil(year: i32, month: i32, day: i32) -> Self {
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Self(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }

    fn to_civil(self) -> (i64, i64, i64) {
        let days = i64::from(self.0) + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let years = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * years + years / 4 - years / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (years + era * 400 + i64::from(month <= 2), month, day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.to_civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(Day::parse("1970-01-01"), Some(Day(0)));
        assert_eq!(Day::parse("2000-02-29"), Some(Day(11_016)));
        for number in (-719_000..3_000_000).step_by(997) {
            let text = Day(number).to_string();
            if text.len() == 10 {
                assert_eq!(Day::parse(&text), Some(Day(number)), "{text}");
            }
        }
        for wrong in
            ["2026-13-01", "2026-00-10", "2026-01-00", "1900-02-29", "2026-1-1", "２026-01-1", "9999-99-99", ""]
        {
            assert_eq!(Day::parse(wrong), None, "{wrong}");
        }
        let seconds = |day: Day| i64::from(day.0) * 86_400;
        assert_eq!(Day::of_seconds(seconds(Day(3)) + 86_399), Day(3));
        assert_eq!(Day::of_seconds(-1), Day(-1));
    }

    #[test]
    fn a_date_is_found_where_it_stands_alone() {
        assert_eq!(Day::within("notes 2026-01-02_x"), Day::parse("2026-01-02"));
        assert_eq!(Day::within("12026-01-02"), None);
        assert_eq!(Day::within("2026-01-023"), None);
        assert_eq!(Day::within("日2026-01-02"), Day::parse("2026-01-02"));
    }
}
