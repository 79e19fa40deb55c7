//! A connection's bytes, watched: a client that does not take its answer is cut off.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::connections::Connection;

/// How long a client may take none of what there is to send.
const WRITE: Duration = Duration::from_secs(30);

/// A stream that notes when bytes move, and fails when a write makes no progress for too long.
pub(crate) struct Watched<I> {
    io: I,
    connection: Arc<Connection>,
    /// Set while a write waits.
    stall: Option<Pin<Box<Sleep>>>,
}

impl<I> Watched<I> {
    pub(crate) const fn new(io: I, connection: Arc<Connection>) -> Self {
        Self { io, connection, stall: None }
    }

    /// What became of a write: progress, or one more moment without any.
    fn written(&mut self, context: &mut Context<'_>, done: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if done.is_ready() {
            self.stall = None;
            self.connection.moved();
            return done;
        }
        self.connection.stalled();
        let stall = self.stall.get_or_insert_with(|| Box::pin(tokio::time::sleep(WRITE)));
        ready!(stall.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Watched<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let done = Pin::new(&mut self.io).poll_read(context, buffer);
        // A client that sends more is not one that takes its answer.
        if buffer.filled().len() > before && self.stall.is_none() {
            self.connection.moved();
        }
        done
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Watched<I> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.io).poll_write(context, bytes);
        self.written(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.io).poll_write_vectored(context, bytes);
        self.written(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::Instant;

    use super::*;
    use crate::connections::Client;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_never_reads_is_cut_off() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        let mut stream = Watched::new(ours, Arc::new(Connection::new(Client::Socket)));
        let begun = Instant::now();
        let slow = async {
            // A client that reads a little in time is waited for.
            for _ in 0..4 {
                tokio::time::sleep(WRITE / 2).await;
                theirs.read_exact(&mut [0; 512]).await.unwrap();
            }
            theirs
        };
        let (failed, _theirs) = tokio::join!(stream.write_all(&[7; 64 << 10]), slow);
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), (WRITE * 3).as_secs());
    }
}
