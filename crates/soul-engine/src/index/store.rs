use std::fs::File;
use std::io;
use std::path::Path;

use soul_core::search::{Damaged, Storage};

/// Where a segment lies: in a file, or in memory where none can be written.
#[derive(Debug)]
pub(super) enum Store {
    File(File, u64),
    Memory(Vec<u8>),
}

impl Store {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::File(file, length))
    }
}

impl Storage for Store {
    fn length(&self) -> u64 {
        match self {
            Self::File(_, length) => *length,
            Self::Memory(bytes) => bytes.length(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Damaged> {
        match self {
            Self::File(file, _) => read_exact_at(file, offset, buffer).map_err(|_| Damaged),
            Self::Memory(bytes) => bytes.read_at(offset, buffer),
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += read as u64;
        buffer = &mut buffer[read..];
    }
    Ok(())
}
