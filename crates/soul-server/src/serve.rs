//! From a socket to the router: accepting, bounding, and going down in order.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use soul_engine::Keeper;
use soul_engine::store::{self, Token};
use soul_engine::tokens;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::Service;

use crate::app::{App, THREADS};
use crate::auth::Hosts;
use crate::connections::{Client, Connection, Connections, Place};
use crate::limits::Limits;
use crate::stream::Watched;
use crate::{autosync, feed, http, socket};

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// How long requests that are under way may take when the service goes down.
const FAREWELL: Duration = Duration::from_secs(15);

/// Where to listen.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address of the HTTP interface.
    pub listen: SocketAddr,
    /// The Unix socket, if there is to be one.
    pub socket: Option<PathBuf>,
    /// Names that the service goes by besides its address.
    pub hosts: Vec<String>,
    /// Whether clients on loopback have to present a token too.
    pub require_token: bool,
}

/// Where the service listens, once it does.
#[derive(Debug, Clone)]
pub struct Listening {
    /// The address, with the port that it really has.
    pub address: SocketAddr,
}

/// Why the service did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address can be reached from other machines, and nobody could prove who they are.
    #[error("`{0}` is reachable from other machines, but there is no token yet")]
    Exposed(SocketAddr),
    /// Tokens are required, and nobody has one.
    #[error("a token is required, but there is none yet")]
    NoToken,
    /// Whether there are tokens could not be found out.
    #[error(transparent)]
    Keeper(#[from] store::Error),
    /// The address is taken, or may not be used.
    #[error("could not listen on `{0}`: {1}")]
    Address(SocketAddr, io::Error),
    /// The socket could not be made.
    #[error("could not create the socket: {0}")]
    Socket(io::Error),
    /// The system refused what any service needs.
    #[error("could not run the service: {0}")]
    Runtime(io::Error),
}

/// Serves until it is told to stop by SIGTERM or SIGINT; then finishes what is under way. `started` hears
/// where it listens.
///
/// # Errors
/// When it cannot listen.
pub fn serve(keeper: Keeper, options: &Options, started: impl FnOnce(&Listening)) -> Result<(), Error> {
    run(keeper, options, started, || signal().map_err(Error::Runtime))
}

/// Serves until something is sent, or nobody is left who could send it; then finishes what is under way.
///
/// # Errors
/// When it cannot listen.
pub fn serve_until(
    stop: mpsc::Receiver<()>,
    keeper: Keeper,
    options: &Options,
    started: impl FnOnce(&Listening),
) -> Result<(), Error> {
    run(keeper, options, started, || {
        Ok(async {
            let _ = tokio::task::spawn_blocking(move || stop.recv()).await;
        })
    })
}

fn run<S: Future<Output = ()>>(
    keeper: Keeper,
    options: &Options,
    started: impl FnOnce(&Listening),
    stop: impl FnOnce() -> Result<S, Error>,
) -> Result<(), Error> {
    let is_exposed = !options.listen.ip().is_loopback();
    if (is_exposed || options.require_token) && !tokens::all(&keeper)?.iter().any(Token::is_live) {
        return Err(if is_exposed { Error::Exposed(options.listen) } else { Error::NoToken });
    }
    // Dropped after the runtime: a connection to a database blocks when it is closed, which a runtime does not allow.
    let _store = keeper.with_settings_of_files();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |cores| cores.get().min(8)))
        .max_blocking_threads(THREADS)
        .enable_all()
        .build()
        .map_err(Error::Runtime)?;
    runtime.block_on(async { listen(keeper, options, started, stop()?).await })
}

async fn listen(
    keeper: Keeper,
    options: &Options,
    started: impl FnOnce(&Listening),
    stop: impl Future<Output = ()>,
) -> Result<(), Error> {
    let refused = |error| Error::Address(options.listen, error);
    let listener = bind(options.listen).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let (going, gone) = watch::channel(false);
    let app = App::new(keeper, Hosts::new(address.ip(), &options.hosts, options.require_token), gone.clone());
    let socket = options.socket.as_ref().map(|path| socket::bind(path)).transpose().map_err(Error::Socket)?;
    feed::watch_files(&app);
    autosync::start(&app);
    started(&Listening { address });
    let router = http::router(app.clone());
    let limits = Limits::of_process();
    let tcp = accept(
        async move || listener.accept().await.map(|(stream, peer)| (stream, Client::address(peer.ip()))),
        limits.tcp,
        gone.clone(),
        |stream: TcpStream, connection| {
            let _ = stream.set_nodelay(true);
            http_connection(Watched::new(stream, connection), router.clone(), false, gone.clone())
        },
        refuse,
    );
    let unix = async {
        if let Some(listener) = socket {
            let next = async move || listener.accept().await.map(|(stream, _)| (stream, Client::Socket));
            let serve = |stream, connection| socket::converse(stream, connection, app.clone(), router.clone());
            accept(next, limits.socket, gone.clone(), serve, drop).await;
        }
    };
    let down = async {
        stop.await;
        let _ = going.send(true);
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        _ = async { tokio::join!(tcp, unix) } => {}
        () = down => {}
    }
    if let Some(socket) = &options.socket {
        let _ = std::fs::remove_file(socket);
    }
    let background = app.background.clone();
    let _ = tokio::task::spawn_blocking(move || background.end(FAREWELL)).await;
    Ok(())
}

/// Clients that the system keeps waiting until we accept them. Beyond it their first packet is dropped, and they try
/// again after a second.
const BACKLOG: u32 = 4096;

/// What the system holds of answers that a client has not read yet. It would hold megabytes, and filling those of a
/// thousand clients that never read keeps both cores busy for a second.
const UNREAD: u32 = 128 << 10;

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(UNREAD)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections, a bounded number at once, until the service goes down; then waits for those that are open. One
/// that there is no room for is refused at once: a client that waits in the system's queue would not know why.
async fn accept<S, C>(
    next: impl AsyncFn() -> io::Result<(S, Client)>,
    limit: usize,
    mut gone: watch::Receiver<bool>,
    serve: impl Fn(S, Arc<Connection>) -> C,
    refuse: impl Fn(S),
) where
    C: Future<Output = ()> + Send + 'static,
{
    let connections = Connections::new(limit);
    let mut open = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = next() => accepted,
            () = over(&mut gone) => break,
        };
        match accepted {
            Ok((stream, client)) => match connections.admit(client) {
                Some(place) => {
                    let connection = Arc::clone(&place.connection);
                    let served = Arc::clone(&connection).scope(serve(stream, Arc::clone(&connection)));
                    let task = open.spawn(async move {
                        served.await;
                        drop(place);
                    });
                    Place::served_by(&connection, task);
                }
                None => refuse(stream),
            },
            // A client that is gone already, or too many open files: the next one may fare better.
            Err(_) => {
                connections.close_one();
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        // A connection that is over takes room until it is noticed.
        while open.try_join_next().is_some() {}
    }
    // New clients are refused, instead of waiting for nobody.
    drop(next);
    while open.join_next().await.is_some() {}
}

/// Tells a client of HTTP that there is no room for its connection.
fn refuse(stream: TcpStream) {
    let _ = stream.try_write(
        b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    );
}

/// Serves HTTP/1.1 on a connection until the client is done, or the service goes down. A client that closes its
/// writing end has gone away, or with `half_close` still wants its answer.
pub(crate) async fn http_connection<I, S>(io: I, service: S, half_close: bool, mut gone: watch::Receiver<bool>)
where
    I: AsyncRead + AsyncWrite + Unpin,
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Clone,
{
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 << 10).half_close(half_close);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(io), TowerToHyperService::new(service)));
    tokio::select! {
        _ = connection.as_mut() => {}
        () = over(&mut gone) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Ends when the service goes down.
pub(crate) async fn over(gone: &mut watch::Receiver<bool>) {
    let _ = gone.wait_for(|gone| *gone).await;
}

/// Ends when the service is told to stop.
#[cfg(unix)]
pub(crate) fn signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
pub(crate) fn signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
