//! JSON-RPC 2.0, one message a line.

mod envelope;
mod methods;
#[cfg(test)]
mod tests;

use soul_engine::Caller;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::app::App;
use crate::serve::over;
use crate::socket::IDLE;

/// The longest message, with its line end.
const MAX: u64 = 4 << 20;

/// Answers one client until it goes away, sends nothing for too long, or the service goes down.
pub(crate) async fn converse(mut stream: impl AsyncBufRead + AsyncWrite + Unpin, app: App, user: Caller) {
    let mut gone = app.gone.clone();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = (&mut stream).take(MAX);
        let read = tokio::select! {
            read = tokio::time::timeout(IDLE, bounded.read_until(b'\n', &mut line)) => read,
            () = over(&mut gone) => return,
        };
        if !matches!(read, Ok(Ok(1..))) {
            return;
        }
        let whole = line.ends_with(b"\n") || (line.len() as u64) < MAX;
        let answer = if whole { envelope::answer(&app, &user, &line).await } else { Some(envelope::too_long()) };
        if let Some(answer) = answer {
            let mut text = serde_json::to_vec(&answer).unwrap_or_default();
            text.push(b'\n');
            if stream.write_all(&text).await.is_err() {
                return;
            }
        }
        // The rest of a message that is too long cannot be told from the next one.
        if !whole {
            return;
        }
    }
}
