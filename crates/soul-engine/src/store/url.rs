//! Where a store is, as one URL. A URL may hold a password, so it is never shown as it was given.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where a store is: `sqlite:///ABSOLUTE/PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.
///
/// ```
/// use soul_engine::store::StoreUrl;
///
/// let url: StoreUrl = "postgres://ada:secret@db.example/souls".parse()?;
/// assert_eq!(url.to_string(), "postgres://ada:***@db.example/souls");
/// # Ok::<_, soul_engine::store::BadStoreUrl>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// A SQLite file. The path is taken as it is, without percent-encoding.
    Sqlite(PathBuf),
    /// A PostgreSQL database.
    Postgres(PostgresUrl),
}

/// The URL of a PostgreSQL database, with its password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl(String);

/// Why a text is not the URL of a store. Never repeats the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadStoreUrl {
    /// Neither scheme.
    #[error("not the URL of a store")]
    Scheme,
    /// A relative path would mean another file in every directory.
    #[error("the path of a SQLite store must be absolute")]
    RelativePath,
    /// The path names no file.
    #[error("the URL of a SQLite store must name a file")]
    NoFile,
    /// Nothing follows the scheme.
    #[error("the URL of a PostgreSQL store names no host or database")]
    NoDatabase,
}

impl BadStoreUrl {
    /// What to write instead.
    pub const HINT: &str = "use `sqlite:///ABSOLUTE/PATH` or `postgres://USER@HOST/DATABASE`";
}

/// Parameters of a PostgreSQL URL that hold no secret.
const PUBLIC: [&str; 9] = [
    "application_name",
    "connect_timeout",
    "dbname",
    "host",
    "port",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
    "user",
];

const MASK: &str = "***";

impl PostgresUrl {
    /// The URL with its password, to connect with.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl StoreUrl {
    /// The name of the engine.
    #[must_use]
    pub const fn engine(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }
}

impl FromStr for StoreUrl {
    type Err = BadStoreUrl;

    fn from_str(text: &str) -> Result<Self, BadStoreUrl> {
        let (scheme, rest) = text.split_once("://").ok_or(BadStoreUrl::Scheme)?;
        match scheme {
            "sqlite" if !rest.starts_with('/') => Err(BadStoreUrl::RelativePath),
            "sqlite" if rest.ends_with('/') || Path::new(rest).file_name().is_none() => Err(BadStoreUrl::NoFile),
            "sqlite" => Ok(Self::Sqlite(rest.into())),
            "postgres" | "postgresql" if rest.is_empty() => Err(BadStoreUrl::NoDatabase),
            "postgres" | "postgresql" => Ok(Self::Postgres(PostgresUrl(text.to_owned()))),
            _ => Err(BadStoreUrl::Scheme),
        }
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite://{}", soul_core::text::visible(&path.to_string_lossy())),
            Self::Postgres(url) => url.fmt(f),
        }
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

/// Masks the password, and the value of every parameter that is not known to be public. A password with an `@`, `/` or
/// `?` that should have been encoded is masked too: everything up to the last `@` belongs to it.
impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or_default();
        let (login, rest) = match rest.rsplit_once('@') {
            Some((login, rest)) => (Some(login), rest),
            None => (None, rest),
        };
        let mut shown = format!("{scheme}://");
        match login.map(|login| login.split_once(':').ok_or(login)) {
            Some(Ok((user, _))) => shown.push_str(&format!("{user}:{MASK}@")),
            // Parameters may hold the `@`.
            Some(Err(user)) if user.contains(['?', '=']) => shown.push_str(&format!("{MASK}@")),
            Some(Err(user)) => shown.push_str(&format!("{user}@")),
            None => {}
        }
        let (place, parameters) = rest.split_once('?').map_or((rest, None), |(place, rest)| (place, Some(rest)));
        shown.push_str(place);
        for (n, parameter) in parameters.into_iter().flat_map(|all| all.split('&')).enumerate() {
            let (key, value) = parameter.split_once('=').unwrap_or((MASK, ""));
            let value = if PUBLIC.contains(&key) { value } else { MASK };
            shown.push_str(&format!("{}{key}={value}", if n == 0 { '?' } else { '&' }));
        }
        f.write_str(&soul_core::text::visible(&shown))
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<StoreUrl, BadStoreUrl> {
        text.parse()
    }

    #[test]
    fn both_engines_are_known_and_nothing_else() {
        assert_eq!(parse("sqlite:///srv/a b%20?.db"), Ok(StoreUrl::Sqlite("/srv/a b%20?.db".into())));
        for url in ["postgres://db/souls", "postgresql:///souls?host=/run/postgresql"] {
            assert_eq!(parse(url).unwrap().to_string(), url);
        }
        let wrong = [
            ("", BadStoreUrl::Scheme),
            ("keeper.db", BadStoreUrl::Scheme),
            ("mysql://db/souls", BadStoreUrl::Scheme),
            ("POSTGRES://db", BadStoreUrl::Scheme),
            ("sqlite://keeper.db", BadStoreUrl::RelativePath),
            ("sqlite://", BadStoreUrl::RelativePath),
            ("sqlite:///", BadStoreUrl::NoFile),
            ("sqlite:///srv/", BadStoreUrl::NoFile),
            ("sqlite:///srv/..", BadStoreUrl::NoFile),
            ("postgres://", BadStoreUrl::NoDatabase),
        ];
        for (text, expected) in wrong {
            assert_eq!(parse(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let shown = [
            ("postgres://ada:hunter2@db/souls", "postgres://ada:***@db/souls"),
            ("postgresql://ada:hun@ter2@db:5432/s?sslmode=require", "postgresql://ada:***@db:5432/s?sslmode=require"),
            ("postgres://ada:hun/ter2?x@db/souls", "postgres://ada:***@db/souls"),
            ("postgres://db/s?user=ada&password=hunter2", "postgres://db/s?user=ada&password=***"),
            ("postgres://db/s?pass%77ord=hunter2&hunter2", "postgres://db/s?pass%77ord=***&***=***"),
            ("postgres://db/s?password=hunter2@home", "postgres://***@home"),
            ("postgres://ada@db/s?sslpassword=hunter2", "postgres://ada@db/s?sslpassword=***"),
        ];
        for (url, expected) in shown {
            let url = parse(url).unwrap();
            assert_eq!(url.to_string(), expected);
            assert!(!format!("{url:?}").contains("hun"), "{url:?}");
        }
    }
}
