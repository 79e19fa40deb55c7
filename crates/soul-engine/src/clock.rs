//! The time, to the microsecond and in UTC. Its text is RFC 3339 with six digits, always of the same
//! width, so that text order is time order.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A moment in UTC, as RFC 3339 with six digits of a second: `2026-11-16T09:56:58.984740Z`.
///
/// ```
/// use soul_engine::clock::Time;
///
/// let time: Time = "2026-11-16T10:56:58.984740+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-11-16T09:56:58.984740Z");
/// assert!("yesterday".parse::<Time>().is_err());
/// # Ok::<(), soul_engine::clock::InvalidTime>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

/// The text is not a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not an RFC 3339 time such as 2026-11-16T09:56:58Z")]
pub struct InvalidTime;

impl Time {
    /// The first moment whose text has four digits of a year.
    const FIRST: i64 = -62_167_219_200;

    /// The time of the system. Only [`crate::Keeper`] asks for it; everything else is given the time.
    pub(crate) fn now() -> Self {
        Self::of_system(SystemTime::now())
    }

    /// A clock that was never set, or that is broken, tells the nearest moment from 1970 to 9999.
    fn of_system(time: SystemTime) -> Self {
        let time = time.max(SystemTime::UNIX_EPOCH);
        Self::of(Timestamp::try_from(time).unwrap_or(Timestamp::MAX))
    }

    /// Whole microseconds within the years 0 to 9999, which all have texts of the same width.
    fn of(timestamp: Timestamp) -> Self {
        let first = Timestamp::from_second(Self::FIRST).unwrap_or(Timestamp::UNIX_EPOCH);
        let microseconds = timestamp.subsec_nanosecond() / 1000;
        let whole = Timestamp::new(timestamp.as_second(), microseconds * 1000).unwrap_or(first);
        Self(whole.max(first))
    }

    /// So long after this moment.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self::of(self.0.checked_add(duration).unwrap_or(Timestamp::MAX))
    }

    /// The moment so many seconds after 1970. What is out of range is the nearest moment.
    #[must_use]
    pub fn of_seconds(seconds: i64) -> Self {
        let nearest = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
        Self::of(Timestamp::from_second(seconds).unwrap_or(nearest))
    }

    /// Whole seconds since 1970.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0.as_second()
    }

    /// A moment from its text, which must be written exactly as we write it: one that means the same in
    /// another spelling is not what was recorded.
    pub(crate) fn stored(text: &str) -> Result<Self, InvalidTime> {
        let time: Self = text.parse()?;
        if time.to_string() == text { Ok(time) } else { Err(InvalidTime) }
    }
}

impl From<Timestamp> for Time {
    fn from(timestamp: Timestamp) -> Self {
        Self::of(timestamp)
    }
}

impl From<Time> for Timestamp {
    fn from(time: Time) -> Self {
        time.0
    }
}

/// What time it is, for whatever lasts: by the clock of the wall, which people and networks set, and by one that only
/// runs on.
#[derive(Debug, Clone, Copy)]
pub struct Now {
    /// The moment.
    pub time: Time,
    /// How far the machine's own clock has come.
    steady: Option<Steady>,
}

/// A clock that nobody sets. It runs while the machine sleeps, and begins anew when the machine starts.
#[derive(Debug, Clone, Copy)]
struct Steady {
    /// Names the start of the machine.
    boot: &'static str,
    microseconds: i64,
}

impl Now {
    /// Both clocks of the system.
    pub(crate) fn of_system() -> Self {
        Self { time: Time::now(), steady: Steady::now() }
    }

    /// Which start of the machine the steady clock counts from, and how far it has come, in microseconds.
    pub(crate) fn steady(self) -> Option<(&'static str, i64)> {
        self.steady.map(|steady| (steady.boot, steady.microseconds))
    }

    /// So long after this.
    pub(crate) fn after(self, duration: Duration) -> Self {
        let later = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let steady = |steady: Steady| Steady { microseconds: steady.microseconds.saturating_add(later), ..steady };
        Self { time: self.time.after(duration), steady: self.steady.map(steady) }
    }
}

/// A moment alone, for callers with a clock of their own.
impl From<Time> for Now {
    fn from(time: Time) -> Self {
        Self { time, steady: None }
    }
}

impl Steady {
    #[cfg(target_os = "linux")]
    fn now() -> Option<Self> {
        use rustix::time::{ClockId, clock_gettime};
        use std::sync::OnceLock;

        static BOOT: OnceLock<Option<String>> = OnceLock::new();
        let read = || std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
        let boot = BOOT.get_or_init(|| read().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty())).as_deref()?;
        let time = clock_gettime(ClockId::Boottime);
        Some(Self { boot, microseconds: time.tv_sec.saturating_mul(1_000_000).saturating_add(time.tv_nsec / 1000) })
    }

    #[cfg(not(target_os = "linux"))]
    fn now() -> Option<Self> {
        None
    }
}

impl From<Time> for SystemTime {
    fn from(time: Time) -> Self {
        time.0.into()
    }
}

impl FromStr for Time {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        text.parse().map(Self::of).map_err(|_| InvalidTime)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").fmt(f)
    }
}

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "format": "date-time",
            "description": "A moment in UTC, as RFC 3339 with six digits of a second.",
        })
    }
}

impl Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_has_the_same_width_and_comes_back() {
        let moments = [i64::MIN, Time::FIRST, -1, 0, 99, 1_794_823_019, i64::MAX].map(Time::of_seconds);
        let texts = moments.map(|moment| moment.to_string());
        assert_eq!(texts[3], "1970-01-01T00:00:00.000000Z");
        assert_eq!((texts[0].as_str(), texts[6].get(..4)), ("0000-01-01T00:00:00.000000Z", Some("9999")));
        assert!(texts.iter().all(|text| text.len() == 27) && texts.is_sorted() && moments.is_sorted());
        for (moment, text) in moments.iter().zip(&texts) {
            assert_eq!((Time::stored(text), text.parse()), (Ok(*moment), Ok(*moment)), "{text}");
            let json = serde_json::to_string(moment).unwrap();
            assert_eq!((json.trim_matches('"'), serde_json::from_str(&json).ok()), (text.as_str(), Some(*moment)));
        }
        assert_eq!([moments[4].seconds(), moments[2].seconds()], [99, -1]);
    }

    #[test]
    fn time_passes_and_never_overflows() {
        let now = Time::now();
        assert_eq!(Time::stored(&now.to_string()), Ok(now));
        assert!(now < now.after(Duration::from_micros(1)));
        assert!(now.after(Duration::MAX).to_string().starts_with("9999-"));
    }

    #[test]
    fn a_broken_clock_tells_the_nearest_moment() {
        let years = |years: u64| Duration::from_secs(years * 31_556_952);
        let early = Time::of_system(SystemTime::UNIX_EPOCH - years(100));
        assert_eq!(early.to_string(), "1970-01-01T00:00:00.000000Z");
        for late in [years(8_100), years(100_000), years(200_000_000_000)] {
            let late = Time::of_system(SystemTime::UNIX_EPOCH + late);
            assert!(late.to_string().starts_with("9999-12-"), "{late}");
            assert_eq!(Time::stored(&late.to_string()), Ok(late));
            assert!(crate::ids::RunId::fresh_at(late).as_str().starts_with("run_7"));
            assert_eq!(late.after(Duration::from_secs(60)).to_string().get(..4), Some("9999"));
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "0", "yesterday", "2026-11-16", "2026-13-16T09:56:58Z", "2026-11-16T09:56:58"] {
            assert_eq!(text.parse::<Time>(), Err(InvalidTime), "{text}");
            assert!(serde_json::from_value::<Time>(text.into()).is_err());
        }
        // The same moment, and not what was recorded.
        let time: Time = "2026-11-16T09:56:58.984740Z".parse().unwrap();
        for text in ["2026-11-16T09:56:58.98474Z", "2026-11-16t09:56:58.984740z", "2026-11-16T09:56:58.984740+00:00"] {
            assert_eq!((text.parse(), Time::stored(text)), (Ok(time), Err(InvalidTime)), "{text}");
        }
    }
}
