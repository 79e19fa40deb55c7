//! `[memory.search]` and `[memory.rerank]`: how memory is searched, and which model may re-rank the results.

use std::time::Duration;

use serde::Deserialize;

use super::Error;
use crate::chat;

/// `[memory]`.
#[derive(Debug, Clone, PartialEq)]
pub struct MemorySettings {
    /// The half-life of recency in days; 0 if age does not count.
    pub half_life_days: f64,
    /// The model that re-ranks results, if one does.
    pub rerank: Option<Rerank>,
}

/// An endpoint with OpenAI's chat completions API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rerank {
    /// Its base URL, up to `/v1`.
    pub url: String,
    /// The model.
    pub model: String,
    /// The environment variable that holds the API key, if one is needed.
    pub key_env: Option<String>,
    /// How many results are re-ranked.
    pub top_n: usize,
    /// How long to wait for an answer.
    pub timeout: Duration,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self { half_life_days: 30.0, rerank: None }
    }
}

#[derive(Deserialize, Default)]
pub(super) struct Tables {
    #[serde(default)]
    search: SearchTable,
    rerank: Option<RerankTable>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct SearchTable {
    half_life_days: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RerankTable {
    url: String,
    model: String,
    key_env: Option<String>,
    top_n: Option<i64>,
    timeout: Option<f64>,
}

impl MemorySettings {
    /// The home's settings. Those of a workspace are ignored: a repository must not decide where memory is sent.
    pub(super) fn of(memory: Tables) -> Result<Self, Error> {
        let half_life_days = memory.search.half_life_days.unwrap_or(Self::default().half_life_days);
        if !half_life_days.is_finite() || half_life_days < 0.0 {
            let message = format!("memory.search.half_life_days must be 0 or more: {half_life_days}");
            return Err(Error::OutOfRange(message));
        }
        Ok(Self { half_life_days, rerank: memory.rerank.map(Rerank::of).transpose()? })
    }
}

impl Rerank {
    fn of(table: RerankTable) -> Result<Self, Error> {
        let wrong = |message: String| Err(Error::OutOfRange(format!("memory.rerank.{message}")));
        if !chat::is_address(&table.url) {
            return wrong("url must begin with `http://` or `https://`".into());
        }
        let top_n = table.top_n.unwrap_or(20);
        let Some(top_n) = usize::try_from(top_n).ok().filter(|top_n| (1..=100).contains(top_n)) else {
            return wrong(format!("top_n must be from 1 to 100: {top_n}"));
        };
        let timeout = table.timeout.unwrap_or(10.0);
        if !(timeout > 0.0 && timeout <= 600.0) {
            return wrong(format!("timeout must be seconds, more than 0 and at most 600: {timeout}"));
        }
        Ok(Self {
            url: table.url,
            model: table.model,
            key_env: table.key_env,
            top_n,
            timeout: Duration::from_secs_f64(timeout),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    fn parse(text: &str) -> Result<MemorySettings, Error> {
        Settings::parse(text).map(|settings| settings.memory)
    }

    #[test]
    fn what_is_not_set_has_its_default() {
        assert_eq!(parse("[agents.soul]\nenabled = true\n").unwrap(), MemorySettings::default());
        let text = "[memory.search]\nhalf_life_days = 0\n[memory.rerank]\nurl = \"http://x/v1\"\nmodel = \"m\"\n";
        let settings = parse(text).unwrap();
        let rerank = settings.rerank.unwrap();
        assert_eq!((settings.half_life_days, rerank.top_n, rerank.timeout.as_secs()), (0.0, 20, 10));
    }

    #[test]
    fn what_is_invalid_is_refused() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("[memory.search]\nhalf_life_days = -1").contains("0 or more: -1"));
        assert!(error("[memory.search]\nhalf_life_days = nan").contains("0 or more"));
        assert!(error("[memory.search]\nhalflife = 1").contains("halflife"));
        assert!(error("[memory.rerank]\nurl = \"http://x\"").contains("model"));
        let rerank = "[memory.rerank]\nmodel = \"m\"\n";
        assert!(error(&format!("{rerank}url = \"ftp://x\"")).contains("must begin with"));
        assert!(error(&format!("{rerank}url = \"http://x\"\ntop_n = 0")).contains("from 1 to 100"));
        assert!(error(&format!("{rerank}url = \"http://x\"\ntimeout = 0")).contains("more than 0"));
    }
}
