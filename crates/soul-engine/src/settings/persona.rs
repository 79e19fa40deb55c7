use serde::Deserialize;
use soul_core::persona::Tempo;

use super::{Error, Layer, Origin, Said};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    max_delta_per_session: Option<f64>,
    max_total_delta: Option<f64>,
    decay_rate: Option<f64>,
}

/// `[persona]`: how far and how fast personas move. The home decides: a workspace that came from elsewhere
/// cannot loosen what bounds its agents.
pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Said>) -> Result<Tempo, Error> {
    let mut tempo = Tempo::default();
    for layer in layers {
        let Table { max_delta_per_session, max_total_delta, decay_rate } = std::mem::take(&mut layer.file.persona);
        let said = [
            ("persona.max_delta_per_session", max_delta_per_session, &mut tempo.bounds.per_session),
            ("persona.max_total_delta", max_total_delta, &mut tempo.bounds.total),
            ("persona.decay_rate", decay_rate, &mut tempo.decay_rate),
        ];
        for (key, value, place) in said {
            let Some(value) = value else { continue };
            if layer.origin != Origin::Home {
                return Err(Error::OutOfRange(format!("{key} can be set in the home only, not in a workspace")));
            }
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::OutOfRange(format!("{key} must be from 0 to 1: {value}")));
            }
            origins.push(Said { key: key.into(), value: value.to_string(), origin: layer.origin });
            *place = value;
        }
    }
    Ok(tempo)
}

#[cfg(test)]
mod tests {
    use super::super::Settings;

    #[test]
    fn what_is_said_holds_and_what_is_wrong_is_said() {
        let settings = Settings::parse("[persona]\nmax_total_delta = 0\ndecay_rate = 0.5\n").unwrap();
        let tempo = settings.persona;
        assert_eq!((tempo.bounds.per_session, tempo.bounds.total, tempo.decay_rate), (0.15, 0.0, 0.5));
        assert_eq!(settings.origins[0].key, "persona.max_total_delta");
        let error = |text: &str| Settings::parse(text).unwrap_err().to_string();
        assert!(error("[persona]\nmax_delta_per_session = 1.5").contains("from 0 to 1: 1.5"));
        assert!(error("[persona]\ndecay_rate = nan").contains("from 0 to 1"));
        assert!(error("[persona]\nmax_delta = 0.1").contains("max_delta"));
    }
}
