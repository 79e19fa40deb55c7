//! The connections of one keeper: kept open, opened when they are needed, closed when they are broken.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use postgres::config::SslMode;
use postgres::{Client, Config, NoTls};
use r2d2::{ManageConnection, Pool, PooledConnection};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::link::Link;
use crate::store::{Detail, Error};

/// How many connections a keeper uses at most.
const LARGEST: u32 = 16;

/// How long to wait for a connection, and for the server to take a new one.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often a waiting caller looks whether the server can be reached at all.
const GLANCE: Duration = Duration::from_millis(100);

/// How long the server waits for us and we for others: a keeper that is frozen or cut off must not stop the rest.
const BOUNDS: &str = "SET idle_in_transaction_session_timeout = '10s'; SET lock_timeout = '10s'; \
    SET statement_timeout = '20s'";

/// Every query has an index in its order. Before a table has statistics, the planner would rather sort all of it: to claim
/// one of 40 000 new tasks took 14 ms instead of 0.03.
const PLANS: &str = "SET enable_sort = off; SET jit = off";

/// What is needed to open a connection.
#[derive(Clone)]
pub(super) struct Access {
    config: Config,
    tls: Option<Arc<ClientConfig>>,
}

impl std::fmt::Debug for Access {
    /// Without the password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Access").field("hosts", &self.config.get_hosts()).finish_non_exhaustive()
    }
}

impl Access {
    /// Reads a URL. `sslrootcert=FILE` names the certificates to trust instead of the public ones.
    pub(super) fn parse(url: &str) -> Result<Self, Error> {
        let (url, authority) = without_authority(url);
        // The reason may hold a part of the URL, and that the password.
        let wrong = |_| Error::Failed("the URL of the store cannot be read".into());
        let mut config: Config = url.parse().map_err(wrong)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("soul");
        }
        // As every other client of the server does, and not on a command line that others can see.
        if config.get_password().is_none()
            && let Some(password) = std::env::var_os("PGPASSWORD").and_then(|password| password.into_string().ok())
        {
            config.password(password);
        }
        config.keepalives_idle(Duration::from_secs(30)).tcp_user_timeout(Duration::from_secs(15));
        let tls = (config.get_ssl_mode() != SslMode::Disable).then(|| trusting(authority)).transpose()?;
        Ok(Self { config, tls })
    }

    pub(super) fn connect(&self) -> Result<Client, postgres::Error> {
        let mut client = match &self.tls {
            Some(tls) => self.config.connect(MakeRustlsConnect::new(ClientConfig::clone(tls))),
            None => self.config.connect(NoTls),
        }?;
        client.batch_execute(PLANS)?;
        Ok(client)
    }
}

/// The URL without what only we understand.
fn without_authority(url: &str) -> (String, Option<PathBuf>) {
    let Some((base, query)) = url.split_once('?') else { return (url.to_owned(), None) };
    let mut authority = None;
    let rest: Vec<&str> = query
        .split('&')
        .filter(|pair| match pair.strip_prefix("sslrootcert=") {
            Some(path) => {
                authority = Some(PathBuf::from(path.replace("%2F", "/").replace("%20", " ")));
                false
            }
            None => true,
        })
        .collect();
    let query = rest.join("&");
    (if query.is_empty() { base.to_owned() } else { format!("{base}?{query}") }, authority)
}

fn trusting(authority: Option<PathBuf>) -> Result<Arc<ClientConfig>, Error> {
    let mut roots = RootCertStore::empty();
    match authority {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let failed = |_| Error::Failed("the file that `sslrootcert` names has no certificates".into());
            for certificate in CertificateDer::pem_file_iter(path).map_err(failed)? {
                roots
                    .add(certificate.map_err(failed)?)
                    .map_err(|error| Detail::new(error.to_string(), error))
                    .map_err(Error::Failed)?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Failed(Detail::new(error.to_string(), error)))?;
    Ok(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
}

/// Opens connections for the pool.
#[derive(Debug)]
pub(super) struct Manager {
    access: Access,
    /// Whether the last attempt to connect failed.
    is_down: Arc<AtomicBool>,
}

impl ManageConnection for Manager {
    type Connection = Link;
    type Error = postgres::Error;

    fn connect(&self) -> Result<Link, postgres::Error> {
        let connected = self.access.connect().and_then(|mut client| {
            client.batch_execute(BOUNDS)?;
            Ok(client)
        });
        self.is_down.store(connected.is_err(), Ordering::Relaxed);
        connected.map(Link::new)
    }

    fn is_valid(&self, link: &mut Link) -> Result<(), postgres::Error> {
        link.client.is_valid(PATIENCE)
    }

    fn has_broken(&self, link: &mut Link) -> bool {
        link.client.is_closed()
    }
}

/// Makes the pool. Connections are opened when they are asked for, and not tested before each use: who gets one
/// that the server has closed meanwhile takes another.
pub(super) fn open(access: Access) -> Links {
    let is_down = Arc::new(AtomicBool::new(false));
    let manager = Manager { access, is_down: Arc::clone(&is_down) };
    let pool = Pool::builder()
        .max_size(LARGEST)
        .min_idle(Some(0))
        .test_on_check_out(false)
        .connection_timeout(PATIENCE)
        .idle_timeout(Some(Duration::from_secs(300)))
        .error_handler(Box::new(r2d2::NopErrorHandler))
        .build_unchecked(manager);
    Links { pool, is_down }
}

/// The pool, and whether the server can be reached.
#[derive(Clone)]
pub(super) struct Links {
    pool: Pool<Manager>,
    is_down: Arc<AtomicBool>,
}

/// A connection that answers. After one was found to be lost, others of the pool may be, too.
pub(super) fn get_tested(links: &Links) -> Result<PooledConnection<Manager>, Error> {
    loop {
        let mut link = get(links)?;
        if link.client.is_valid(PATIENCE).is_ok() {
            return Ok(link);
        }
    }
}

/// A connection that is open as far as we know.
pub(super) fn get(links: &Links) -> Result<PooledConnection<Manager>, Error> {
    let until = Instant::now() + PATIENCE;
    loop {
        match links.pool.get_timeout(GLANCE) {
            Ok(link) if link.client.is_closed() => {}
            Ok(link) => return Ok(link),
            // A server that refuses is tried again in the background; callers get an error soon.
            Err(error) if links.is_down.load(Ordering::Relaxed) || Instant::now() >= until => {
                return Err(Error::Unavailable(Detail::new("no connection to the database".to_owned(), error)));
            }
            Err(_) => {}
        }
    }
}
