use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::Error;
use crate::Keeper;
use crate::authoring::Step;
use crate::files;
use crate::workspace::Memory;

/// How often a file that others keep replacing is tried.
const ROUNDS: usize = 8;

/// Where a block was added.
pub(crate) struct Appended {
    /// The number of lines before it.
    pub(crate) lines_before: usize,
    /// The number of line ends that it begins with.
    pub(crate) blank: usize,
    pub(crate) created: bool,
}

/// A block to add to a text, and the number of line ends that it begins with.
pub(crate) type Block = (Vec<u8>, usize);

/// Adds a block to the end of a file of the memory, or makes the file. It is added with one write, so that nothing
/// that others add at the same time is lost; `block` makes it for the text that it comes after. If the file is replaced
/// meanwhile, it is added to the new one.
pub(crate) fn append(
    keeper: &Keeper,
    memory: &Memory,
    file: &str,
    block: &dyn Fn(Option<&[u8]>) -> Block,
) -> Result<Appended, Error> {
    let failed = |error| Error::io(file, error);
    let refused = |error: files::Error| Error::Refused(file.to_owned(), error.into());
    let mut added: Vec<u8> = Vec::new();
    for _ in 0..ROUNDS {
        let mut open = match memory.open_to_append(file) {
            Ok(open) => open,
            Err(files::Error::NotFound) => {
                let (text, blank) = block(None);
                memory.create_folder_of(file).map_err(failed)?;
                keeper.pass(Step::Staged).map_err(failed)?;
                if files::create_below(memory.root(), Path::new(file), &text).map_err(failed)? {
                    return Ok(Appended { lines_before: 0, blank, created: true });
                }
                continue;
            }
            Err(error) => return Err(refused(error)),
        };
        let before = contents(&mut open).map_err(failed)?;
        // Who replaced the file may have read it after this was added.
        if !added.is_empty() && contains(&before, &added) {
            let (lines_before, blank) = (lines(&before[..position(&before, &added)]), leading(&added));
            return Ok(Appended { lines_before, blank, created: false });
        }
        let (text, blank) = block(Some(&before));
        if (before.len() + text.len()) as u64 > files::MAX_BYTES {
            return Err(refused(files::Error::TooLarge));
        }
        keeper.pass(Step::Staged).map_err(failed)?;
        let start = write_whole(&mut open, &text).map_err(failed)?;
        if is_in_place(&open, &memory.root().join(file)) {
            open.seek(SeekFrom::Start(0)).map_err(failed)?;
            let mut before = Vec::new();
            Read::by_ref(&mut open).take(start).read_to_end(&mut before).map_err(failed)?;
            return Ok(Appended { lines_before: lines(&before), blank, created: false });
        }
        added = text;
    }
    Err(Error::Locked(file.to_owned()))
}

fn contents(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Read::by_ref(file).take(files::MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes at the end of a file and syncs it. Returns where it begins. What was written in part is taken back, if
/// nobody has added to it.
fn write_whole(file: &mut File, text: &[u8]) -> io::Result<u64> {
    let written = file.write(text)?;
    let start = file.stream_position()? - written as u64;
    if written < text.len() {
        if file.metadata()?.len() == start + written as u64 {
            file.set_len(start)?;
        }
        return Err(io::ErrorKind::StorageFull.into());
    }
    file.sync_all()?;
    Ok(start)
}

#[cfg(unix)]
fn is_in_place(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, there) = (file.metadata().map(identity), path.symlink_metadata().map(identity));
    open.is_ok_and(|open| there.is_ok_and(|there| open == there))
}

#[cfg(not(unix))]
fn is_in_place(_: &File, path: &Path) -> bool {
    path.is_file()
}

fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// The number of line ends that a block begins with.
fn leading(block: &[u8]) -> usize {
    lines(&block[..block.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(0)])
}

fn position(text: &[u8], block: &[u8]) -> usize {
    text.windows(block.len()).rposition(|part| part == block).unwrap_or(0)
}

fn contains(text: &[u8], block: &[u8]) -> bool {
    text.windows(block.len()).any(|part| part == block)
}
