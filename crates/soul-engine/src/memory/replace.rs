use super::Error;
use super::history::History;
use crate::Keeper;
use crate::authoring::Step;
use crate::files;
use crate::workspace::Memory;

/// Replaces a file of the memory, or removes it, if it still is what was read; false if it is not. A text that came out
/// and is no longer in place is kept beside the removed sections.
pub(crate) fn replace(
    keeper: &Keeper,
    memory: &Memory,
    history: &History,
    file: &str,
    bytes: Option<&[u8]>,
    read: Option<&[u8]>,
) -> Result<bool, Error> {
    let failed = |error| Error::io(file, error);
    memory.create_folder_of(file).map_err(failed)?;
    let place = files::FileBelow::open(memory.root(), file.as_ref(), keeper.renames).map_err(failed)?;
    let place = if bytes.is_some() { place.carrying_over() } else { place };
    let keep_leftovers = || -> Result<(), Error> {
        for leftover in place.leftovers().map_err(failed)? {
            history.keep(leftover.bytes())?;
            leftover.remove().map_err(failed)?;
        }
        Ok(())
    };
    keep_leftovers()?;
    keeper.pass(Step::Staged).map_err(failed)?;
    let changed = match bytes {
        Some(bytes) => place.replace(bytes, read),
        None => place.remove(read.unwrap_or_default()),
    };
    let Some(found) = changed.map_err(failed)? else { return Ok(true) };
    let now = memory.read(file).ok();
    for text in found.iter().filter(|text| Some(*text) != now.as_ref()) {
        history.keep(text)?;
    }
    keep_leftovers()?;
    Ok(false)
}
