//! `[store]`: where the store is. There is only one place so far, so a table that names another is an error:
//! to ignore it would record everything where nobody looks for it.

use serde::Deserialize;

use super::{Error, Layer};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    url: Option<String>,
}

/// Refuses a store other than `keeper.db` in the home. The URL is not shown: it may hold a password.
pub(super) fn check(layers: &[Layer<'_>]) -> Result<(), Error> {
    match layers.iter().find(|layer| layer.file.store.url.is_some()) {
        None => Ok(()),
        Some(layer) => {
            let why = "store.url is not supported by this version: remove it, the store is `keeper.db` in the home";
            Err(Error::Refused(layer.origin, why.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;

    #[test]
    fn another_store_is_refused_and_not_ignored() {
        let error = |text: &str| Settings::parse(text).unwrap_err().to_string();
        for url in ["postgres://user:hunter2@host/db", "sqlite:///srv/keeper.db", ""] {
            let told = error(&format!("[store]\nurl = \"{url}\"\n"));
            assert!(told.contains("store.url is not supported") && !told.contains("hunter2"), "{told}");
        }
        assert!(error("[store]\nsouls = \"database\"\n").contains("souls"));
        assert_eq!(Settings::parse("[store]\n").unwrap(), Settings::default());
    }
}
