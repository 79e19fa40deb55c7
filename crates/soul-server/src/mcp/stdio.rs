//! MCP over standard input and output: one message a line.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::thread;

use serde_json::Value;
use soul_engine::store::Party;
use soul_engine::{Caller, Keeper};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::message::{self, INVALID_REQUEST, Message, PARSE_ERROR, ProtocolError};
use super::session::{Session, Sink, WAITING};
use super::{Options, TRANSPORT};
use crate::app::{App, THREADS};
use crate::auth::Hosts;
use crate::{serve, unique};

/// The longest message that is read. One that is longer is skipped and reported.
const MAX: usize = 16 << 20;

/// How many messages wait to be written.
const UNWRITTEN: usize = 1024;

/// How many messages wait to be read.
const UNREAD: usize = 64;

/// A line that was read, or the fact that it is too long.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Serves one client on standard input and output until it closes them; then finishes what is under way.
///
/// # Errors
/// When the system refuses what any service needs.
pub fn stdio(keeper: Keeper, options: &Options) -> Result<(), serve::Error> {
    // Dropped after the runtime: a connection to a database blocks when it is closed, which a runtime does not allow.
    let _store = keeper.with_settings_of_files();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(THREADS)
        .enable_all()
        .build()
        .map_err(serve::Error::Runtime)?;
    let (lines, read) = mpsc::channel(UNREAD);
    thread::spawn(move || read_lines(&mut io::stdin().lock(), &lines));
    let (out, written) = mpsc::channel(UNWRITTEN);
    let writer = thread::spawn(move || write_lines(&mut io::stdout().lock(), written));
    runtime.block_on(async {
        let stop = serve::signal().map_err(serve::Error::Runtime)?;
        let (_going, gone) = watch::channel(false);
        let app = App::new(keeper, Hosts::new([127, 0, 0, 1].into(), &[], false), gone);
        let caller = Caller::local(Party::new("client", "unknown"), TRANSPORT);
        let session = Session::new(app, options.clone(), caller, Some(out.clone()));
        converse(&session, read, out, stop).await;
        Ok::<_, serve::Error>(())
    })?;
    drop(runtime);
    let _ = writer.join();
    Ok(())
}

/// Answers every message until there are no more, or the process is told to stop; then waits for what is under way.
async fn converse(session: &Arc<Session>, mut read: mpsc::Receiver<Line>, out: Sink, stop: impl Future<Output = ()>) {
    let mut stop = std::pin::pin!(stop);
    let mut tasks = JoinSet::new();
    loop {
        let line = tokio::select! {
            line = read.recv() => line,
            () = &mut stop => None,
            () = out.closed() => None,
        };
        let Some(line) = line else { break };
        receive(session, line, &out, &mut tasks).await;
        while tasks.try_join_next().is_some() {}
    }
    while tasks.join_next().await.is_some() {}
}

async fn receive(session: &Arc<Session>, line: Line, out: &Sink, tasks: &mut JoinSet<()>) {
    let refused = |error: ProtocolError| error.reply(&Value::Null);
    let (text, bytes) = match &line {
        Line::Text(text) => (text.trim_ascii(), text.len()),
        Line::TooLong => {
            let error = ProtocolError::new(INVALID_REQUEST, format!("a message is longer than {MAX} bytes"));
            return drop(out.send(refused(error)).await);
        }
    };
    if text.is_empty() {
        return;
    }
    let messages = match unique::value(text) {
        // A batch without messages is not one, and gets one answer like any other message that is wrong.
        Ok(Value::Array(messages)) if !messages.is_empty() => messages,
        Ok(message) => vec![message],
        Err(error) => {
            let error = ProtocolError::new(PARSE_ERROR, format!("not JSON: {error}"));
            for id in message::ids(text) {
                let _ = out.send(error.reply(&id)).await;
            }
            return;
        }
    };
    for message in messages {
        match Message::read(message, bytes) {
            Ok(Message::Request(request)) if tasks.len() >= WAITING => {
                let error = ProtocolError::new(INVALID_REQUEST, "too many requests are under way");
                let _ = out.send(error.reply(&request.id)).await;
            }
            Ok(Message::Request(request)) => {
                let (session, out) = (Arc::clone(session), out.clone());
                tasks.spawn(async move {
                    if let Some(answer) = session.respond(request, &out).await {
                        let _ = out.send(answer).await;
                    }
                });
            }
            Ok(message) => session.hear(&message),
            Err(reply) => drop(out.send(reply).await),
        }
    }
}

/// Reads lines until there are no more, or nobody wants them.
fn read_lines(input: &mut dyn BufRead, lines: &mpsc::Sender<Line>) {
    loop {
        let mut text = Vec::new();
        let limit = MAX as u64 + 1;
        let line = match input.take(limit).read_until(b'\n', &mut text) {
            Ok(0) | Err(_) => return,
            Ok(_) if text.len() > MAX && !text.ends_with(b"\n") => {
                drop(text);
                if input.skip_until(b'\n').is_err() {
                    return;
                }
                Line::TooLong
            }
            Ok(_) => Line::Text(text),
        };
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// Writes messages until nobody sends any more, or nobody reads them.
fn write_lines(output: &mut dyn Write, mut messages: mpsc::Receiver<Value>) {
    while let Some(message) = messages.blocking_recv() {
        let mut line = serde_json::to_vec(&message).unwrap_or_default();
        line.push(b'\n');
        if output.write_all(&line).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
