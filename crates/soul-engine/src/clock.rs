//! The time, as it is stored: RFC 3339 in UTC with six digits, so that text order is time order.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A moment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(String);

impl Time {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self::of(Timestamp::now())
    }

    /// So long from this moment.
    #[must_use]
    pub fn from_now(duration: Duration) -> Self {
        let now = Timestamp::now();
        Self::of(now.checked_add(duration).unwrap_or(now))
    }

    fn of(timestamp: Timestamp) -> Self {
        Self(timestamp.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string())
    }

    /// A moment that was stored.
    pub(crate) const fn stored(text: String) -> Self {
        Self(text)
    }

    /// The moment so many seconds after 1970.
    #[must_use]
    pub fn of_seconds(seconds: i64) -> Self {
        Self::of(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    }

    /// Whole seconds since 1970. A text that is no moment, which nobody stores, is the first of them.
    #[must_use]
    pub fn seconds(&self) -> i64 {
        self.0.parse::<Timestamp>().map_or(0, Timestamp::as_second)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_has_the_same_width() {
        let early = Time::of(Timestamp::from_second(0).unwrap());
        assert_eq!(early.as_str(), "1970-01-01T00:00:00.000000Z");
        assert_eq!((early.seconds(), Time::of(Timestamp::from_second(99).unwrap()).seconds()), (0, 99));
        assert!(early < Time::now() && Time::now() < Time::from_now(Duration::from_secs(60)));
    }
}
