use serde::Deserialize;
use soul_core::persona::{Drift, Tempo};

use super::{Error, Layer, Origin, Setting};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    max_delta_per_session: Option<f64>,
    max_total_delta: Option<f64>,
    decay_rate: Option<f64>,
    #[serde(default)]
    drift: DriftTable,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct DriftTable {
    enabled: Option<bool>,
    min_traces: Option<usize>,
    max_delta: Option<f64>,
}

/// `[persona]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PersonaSettings {
    /// The bounds of adaptation, and how fast it decays.
    pub tempo: Tempo,
    /// `[persona.drift]`: how drift is detected.
    pub drift: Drift,
}

impl PersonaSettings {
    /// Only the home can set it: a workspace must not loosen the bounds of its agents.
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Setting>) -> Result<Self, Error> {
        let mut settings = Self::default();
        let Self { tempo, drift } = &mut settings;
        for layer in layers {
            let Table { max_delta_per_session, max_total_delta, decay_rate, drift: said } =
                std::mem::take(&mut layer.file.persona);
            let DriftTable { enabled, min_traces, max_delta } = said;
            let mut say = |key: &'static str, value: String| {
                origins.push(Setting { key: key.into(), value, origin: layer.origin });
                match layer.origin {
                    Origin::Home => Ok(()),
                    origin => Err(Error::Refused(origin, format!("{key} can be set in the home only"))),
                }
            };
            let shares = [
                ("persona.max_delta_per_session", max_delta_per_session, &mut tempo.bounds.per_session),
                ("persona.max_total_delta", max_total_delta, &mut tempo.bounds.total),
                ("persona.decay_rate", decay_rate, &mut tempo.decay_rate),
                ("persona.drift.max_delta", max_delta, &mut drift.max_delta),
            ];
            for (key, value, place) in shares {
                let Some(value) = value else { continue };
                say(key, value.to_string())?;
                if !(0.0..=1.0).contains(&value) {
                    return Err(Error::OutOfRange(format!("{key} must be from 0 to 1: {value}")));
                }
                *place = value;
            }
            if let Some(enabled) = enabled {
                say("persona.drift.enabled", enabled.to_string())?;
                drift.enabled = enabled;
            }
            if let Some(min_traces) = min_traces {
                say("persona.drift.min_traces", min_traces.to_string())?;
                drift.min_traces = min_traces;
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use soul_core::persona::Drift;

    use super::super::Settings;

    #[test]
    fn what_is_set_holds_and_what_is_invalid_is_refused() {
        let settings = Settings::parse("[persona]\nmax_total_delta = 0\ndecay_rate = 0.5\n").unwrap();
        let tempo = settings.persona.tempo;
        assert_eq!((tempo.bounds.per_session, tempo.bounds.total, tempo.decay_rate), (0.15, 0.0, 0.5));
        assert_eq!(settings.origins[0].key, "persona.max_total_delta");
        let error = |text: &str| Settings::parse(text).unwrap_err().to_string();
        assert!(error("[persona]\nmax_delta_per_session = 1.5").contains("from 0 to 1: 1.5"));
        assert!(error("[persona]\ndecay_rate = nan").contains("from 0 to 1"));
        assert!(error("[persona]\nmax_delta = 0.1").contains("max_delta"));
        let drift = Settings::parse("[persona.drift]\nenabled = false\nmin_traces = 3\nmax_delta = 0.2\n").unwrap();
        assert_eq!(drift.persona.drift, Drift { enabled: false, min_traces: 3, max_delta: 0.2 });
        assert!(error("[persona.drift]\nmax_delta = 2").contains("persona.drift.max_delta must be from 0 to 1: 2"));
        assert!(error("[persona.drift]\nmin_traces = -1").contains("line 2"));
    }
}
