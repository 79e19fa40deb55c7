use std::collections::BTreeMap;

/// Settings by the runtime's own names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// A setting, unless it is not given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A setting as a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A setting that is on or off.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        Some(matches!(self.get(name)?.trim(), "true" | "1" | "yes" | "on"))
    }

    /// A setting with several values and `;` between them.
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<String> {
        let values = self.get(name).unwrap_or_default().split(';').map(str::trim);
        values.filter(|value| !value.is_empty()).map(str::to_owned).collect()
    }

    /// The names that are given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Settings {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(settings: I) -> Self {
        Self(settings.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
