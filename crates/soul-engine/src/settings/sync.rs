//! `[sync]`: what the service syncs by itself.

use std::time::Duration;

use serde::Deserialize;

use super::{Error, Layer, Origin, Setting};

/// `[sync]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncSettings {
    /// The time between two syncs, if there is to be one by itself.
    pub interval: Option<Duration>,
    /// Whether to sync when the service starts.
    pub on_start: bool,
    /// How long after a change to publish it, if changes are published.
    pub on_change: Option<Duration>,
}

impl SyncSettings {
    /// Whether the service syncs by itself.
    #[must_use]
    pub const fn is_automatic(&self) -> bool {
        self.interval.is_some() || self.on_start || self.on_change.is_some()
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    interval: Option<u64>,
    on_start: Option<bool>,
    on_change: Option<u64>,
}

/// The longest time that makes sense.
const WEEK: u64 = 7 * 24 * 3600;

impl SyncSettings {
    /// Only the home can set it: a workspace may be someone else's repository.
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Setting>) -> Result<Self, Error> {
        let mut sync = Self::default();
        for layer in layers {
            let Table { interval, on_start, on_change } = std::mem::take(&mut layer.file.sync);
            let values = [
                ("sync.interval", interval.map(|value| value.to_string())),
                ("sync.on_start", on_start.map(|value| value.to_string())),
                ("sync.on_change", on_change.map(|value| value.to_string())),
            ];
            for (key, value) in values.into_iter().filter_map(|(key, value)| Some((key, value?))) {
                if layer.origin != Origin::Home {
                    return Err(Error::Refused(layer.origin, format!("{key} can be set in the home only")));
                }
                origins.push(Setting { key: key.into(), value, origin: layer.origin });
            }
            let seconds = |key: &str, value: Option<u64>| match value {
                Some(value) if value > WEEK => Err(Error::OutOfRange(format!("{key} must be at most {WEEK} seconds"))),
                value => Ok(value.map(Duration::from_secs)),
            };
            if layer.origin != Origin::Home {
                continue;
            }
            // 0 turns it off.
            sync.interval = seconds("sync.interval", interval)?.filter(|interval| !interval.is_zero());
            sync.on_start = on_start.unwrap_or_default();
            sync.on_change = seconds("sync.on_change", on_change)?;
        }
        Ok(sync)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::settings::Settings;

    #[test]
    fn the_service_syncs_by_itself_only_if_asked_to() {
        let sync = |text: &str| Settings::parse(&format!("[sync]\n{text}\n")).unwrap().sync;
        assert!(!sync("").is_automatic() && !sync("interval = 0").is_automatic());
        assert_eq!(sync("interval = 300").interval, Some(Duration::from_secs(300)));
        assert_eq!(sync("on_change = 5").on_change, Some(Duration::from_secs(5)));
        assert!(sync("on_start = true").is_automatic());
        let error = Settings::parse("[sync]\ninterval = 99999999\n").unwrap_err().to_string();
        assert!(error.contains("at most"), "{error}");
    }
}
