//! From a socket to the router: accepting, bounding, and going down in order.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use soul_engine::Keeper;
use soul_engine::store::{self, Token};
use soul_engine::tokens;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::app::App;
use crate::auth::Hosts;
use crate::{http, rpc};

/// How many connections are held at once; more wait in the system's queue.
const CONNECTIONS: usize = 1024;

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
    #[error("`{0}` can be reached by others, and there is no token that they could present")]
    Exposed(SocketAddr),
    /// Whether there are tokens could not be found out.
    #[error(transparent)]
    Keeper(#[from] store::Error),
    /// The address is taken, or may not be used.
    #[error("`{0}` could not be listened on: {1}")]
    Address(SocketAddr, io::Error),
    /// The socket could not be made.
    #[error("the socket could not be made: {0}")]
    Socket(io::Error),
    /// The system refused what any service needs.
    #[error("the service could not run: {0}")]
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
    if !options.listen.ip().is_loopback() && !tokens::all(&keeper)?.iter().any(Token::is_live) {
        return Err(Error::Exposed(options.listen));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |cores| cores.get().min(8)))
        .max_blocking_threads(32)
        .enable_all()
        .build()
        .map_err(Error::Runtime)?;
    runtime.block_on(async { accept(keeper, options, started, stop()?).await })
}

async fn accept(
    keeper: Keeper,
    options: &Options,
    started: impl FnOnce(&Listening),
    stop: impl Future<Output = ()>,
) -> Result<(), Error> {
    let refused = |error| Error::Address(options.listen, error);
    let listener = TcpListener::bind(options.listen).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let (going, gone) = watch::channel(false);
    let app = App::new(keeper, Hosts::new(address.ip(), &options.hosts), gone.clone());
    let mut tasks = JoinSet::new();
    let socket = match &options.socket {
        Some(path) => {
            let listener = rpc::bind(path).map_err(Error::Socket)?;
            tasks.spawn(rpc::serve(listener, app.clone(), gone.clone()));
            Some(path.clone())
        }
        None => None,
    };
    let mut stop = pin!(stop);
    started(&Listening { address });
    let router = http::router(app);
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&room).acquire_owned() => permit,
            () = &mut stop => break,
        };
        let Ok(permit) = permit else { break };
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Too many open files, or a client that is gone already: the next one may fare better.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // A connection that is over takes room until somebody hears of it.
        while tasks.try_join_next().is_some() {}
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut gone = gone.clone();
        tasks.spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 << 10);
            let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
            tokio::select! {
                _ = connection.as_mut() => {}
                () = over(&mut gone) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(permit);
        });
    }
    drop(listener);
    let _ = going.send(true);
    let _ = tokio::time::timeout(FAREWELL, async { while tasks.join_next().await.is_some() {} }).await;
    if let Some(socket) = socket {
        let _ = std::fs::remove_file(socket);
    }
    Ok(())
}

/// Ends when the service goes down.
pub(crate) async fn over(gone: &mut watch::Receiver<bool>) {
    let _ = gone.wait_for(|gone| *gone).await;
}

/// Ends when the service is told to stop.
#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()>> {
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
fn signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
