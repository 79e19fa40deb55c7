//! HTTP over the Unix socket of a service, which knows by the socket who asks.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use ureq::Error;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport};

/// Connects to a socket, whatever the address of the request is.
#[derive(Debug)]
pub(super) struct UnixConnector(pub(super) PathBuf);

impl Connector for UnixConnector {
    type Out = UnixTransport;

    fn connect(&self, details: &ConnectionDetails<'_>, _: Option<()>) -> Result<Option<UnixTransport>, Error> {
        let buffers = LazyBuffers::new(details.config.input_buffer_size(), details.config.output_buffer_size());
        Ok(Some(UnixTransport { stream: UnixStream::connect(&self.0)?, buffers }))
    }
}

pub(super) struct UnixTransport {
    stream: UnixStream,
    buffers: LazyBuffers,
}

impl std::fmt::Debug for UnixTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UnixTransport")
    }
}

impl Transport for UnixTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        let timeout = timeout.for_write();
        self.stream.set_write_timeout(timeout.not_zero().map(|left| *left))?;
        let sent = self.stream.write_all(&self.buffers.output()[..amount]);
        sent.map_err(|error| in_time(error, timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let timeout = timeout.for_read();
        self.stream.set_read_timeout(timeout.not_zero().map(|left| *left))?;
        let read = self.stream.read(self.buffers.input_append_buf()).map_err(|error| in_time(error, timeout))?;
        self.buffers.input_appended(read);
        Ok(read > 0)
    }

    /// Each command asks once, so that no connection is used again.
    fn is_open(&mut self) -> bool {
        false
    }
}

fn in_time(error: std::io::Error, timeout: NextTimeout) -> Error {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => Error::Timeout(timeout.reason),
        _ => error.into(),
    }
}
