use std::ffi::{OsStr, OsString};
use std::io::{self, Seek, SeekFrom, Write};
use std::time::Duration;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, OpenOptions};

use super::attributes::Replaced;
use super::file::write;
use super::renames::{At, Sight, exchange, is_unsupported, open, rename_into_nothing, state};
use super::slot::{DirectorySlot, foreign, sync};
use crate::files::contents_of;

/// How often a file that others keep saving is put back before it is left as it is. Every text that came out is
/// known by then.
const ROUNDS: usize = 16;

/// Whether files can change places in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Renames {
    /// `renameat2` with its flags, where the file system has them.
    Exchange,
    /// Plain renames, as on a file system that has no exchange.
    Plain,
}

/// What became of a file that was to be replaced or removed.
#[must_use]
pub(crate) enum Exchanged<'a> {
    /// The new text is in place, or nothing, as it was asked for. What was there is kept until `finish`.
    Done(TakenOut<'a>),
    /// Another program saved another text meanwhile. It is in place; these texts came out on the way.
    Changed(Vec<Vec<u8>>),
}

/// A file on its way into place or out of it, under a name that says that its bytes may be nobody else's: they are
/// read before it is removed.
pub(super) struct Out {
    pub(super) dir: Dir,
    pub(super) name: OsString,
    #[expect(dead_code, reason = "held, not used: the slot that it is in, where that is a directory")]
    pub(super) folder: Option<DirectorySlot>,
}

impl Out {
    fn at(&self) -> At<'_> {
        At(&self.dir, &self.name)
    }

    pub(super) fn remove(self) -> io::Result<()> {
        self.dir.remove_file(&self.name)
    }

    /// Puts the staged text into place, if what is there is still the text that was read.
    pub(super) fn put_in<'a>(self, place: Place<'a>, ours: &[u8], read: Option<&[u8]>) -> Result<Exchanged<'a>, Put> {
        let failed = |error| Err(Put { error, out: None });
        let old = match (read, place.renames) {
            (None, _) => match place.move_in(&self.dir, &self.name) {
                Ok(()) => Old::Nothing,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return self.give_up().or_else(failed),
                Err(error) => return Err(Put { error, out: Some(self) }),
            },
            (Some(read), Renames::Exchange) => match exchange(self.at(), place.at()) {
                Ok(()) => match place.compare(&self, Some(ours), read) {
                    Ok(Compared::Same(known)) => {
                        let ours = Some(ours.to_vec());
                        return Ok(Exchanged::Done(TakenOut { place, ours, read: known, old: Old::Slot, out: self }));
                    }
                    Ok(Compared::Changed(found)) => return Ok(Exchanged::Changed(found)),
                    Err(error) => return failed(error),
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => return self.give_up().or_else(failed),
                Err(error) if is_unsupported(&error) => {
                    return self.put_in(Place { renames: Renames::Plain, ..place }, ours, Some(read));
                }
                Err(error) => return Err(Put { error, out: Some(self) }),
            },
            (Some(read), Renames::Plain) => match place.holds(read) {
                // A save between this look and the rename is not noticed.
                Ok(Some(file)) => match self.dir.rename(&self.name, place.directory, place.name) {
                    Ok(()) => Old::Handle(file),
                    Err(error) => return Err(Put { error, out: Some(self) }),
                },
                Ok(None) => return self.give_up().or_else(failed),
                Err(error) => return Err(Put { error, out: Some(self) }),
            },
        };
        let (ours, read) = (Some(ours.to_vec()), read.unwrap_or_default().to_vec());
        Ok(Exchanged::Done(TakenOut { place, ours, read, old, out: self }))
    }

    /// Takes the text out of its place, if it is still the one that was read.
    pub(super) fn take<'a>(self, place: Place<'a>, read: &[u8]) -> Result<Exchanged<'a>, Put> {
        let failed = |error| Err(Put { error, out: None });
        match place.directory.rename(place.name, &self.dir, &self.name) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Exchanged::Changed(Vec::new())),
            Err(error) => return Err(Put { error, out: Some(self) }),
        }
        match place.compare(&self, None, read) {
            Ok(Compared::Same(read)) => {
                Ok(Exchanged::Done(TakenOut { place, ours: None, read, old: Old::Slot, out: self }))
            }
            Ok(Compared::Changed(found)) => Ok(Exchanged::Changed(found)),
            Err(error) => failed(error),
        }
    }

    /// Nothing has been touched; what was staged goes.
    fn give_up<'a>(self) -> io::Result<Exchanged<'a>> {
        self.remove()?;
        Ok(Exchanged::Changed(Vec::new()))
    }
}

/// A file could not be put into place, or taken out of it.
pub(super) struct Put {
    pub(super) error: io::Error,
    /// What is still as it was staged, if nothing has been touched.
    pub(super) out: Option<Out>,
}

/// Where a file is to be replaced.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) directory: &'a Dir,
    pub(super) name: &'a OsStr,
    pub(super) renames: Renames,
    /// Whether what was only added to the end of the old text is added to the new one. Otherwise the old text goes
    /// back.
    pub(super) carries_over: bool,
}

impl<'a> Place<'a> {
    fn at(&self) -> At<'a> {
        At(self.directory, self.name)
    }

    /// Gives a file its name here, if nothing has that name.
    pub(super) fn move_in(&self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        if self.renames == Renames::Exchange {
            match rename_into_nothing(At(dir, name), self.at()) {
                Err(error) if is_unsupported(&error) => {}
                moved => return moved,
            }
        }
        // A second name can be given only where there is none.
        match dir.hard_link(name, self.directory, self.name) {
            Ok(()) => dir.remove_file(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if self.directory.symlink_metadata(self.name).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            // No hard links here. A file that is created between this look and the rename is not noticed.
            Err(_) => dir.rename(name, self.directory, self.name),
        }
    }

    /// The file in place, open, if it holds this text and is still in place after it was read.
    fn holds(&self, text: &[u8]) -> io::Result<Option<File>> {
        match self.directory.symlink_metadata(self.name) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let file = open(self.directory, self.name)?;
        let bytes = contents_of(file.try_clone()?).ok();
        let there = self.directory.symlink_metadata(self.name)?;
        let is_there = state(&there) == state(&file.metadata()?);
        Ok((is_there && bytes.as_deref() == Some(text)).then_some(file))
    }

    /// Compares what came out with what was read. What differs goes back into place, unless it was only added to.
    fn compare(&self, slot: &Out, ours: Option<&[u8]>, read: &[u8]) -> io::Result<Compared> {
        let mut known = read.to_vec();
        loop {
            let out = Sight::of(slot.at())?.ok_or(io::ErrorKind::NotFound)?;
            if out.holds(&known) {
                return Ok(Compared::Same(known));
            }
            match out.bytes.as_deref().and_then(|bytes| bytes.strip_prefix(&*known)) {
                Some(added) if self.carries_over && ours.is_some() => {
                    self.append(added)?;
                    known.extend_from_slice(added);
                }
                _ => return self.put_back(slot, ours, out).map(Compared::Changed),
            }
        }
    }

    /// Adds to the end of the file in place.
    fn append(&self, text: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).nonblock(true).follow(FollowSymlinks::No);
        let mut file = self.directory.open_with(self.name, &options)?;
        file.write_all(text)?;
        file.sync_all()
    }

    /// Puts a text that nobody has read back into place, and returns all that came out. What is saved over the
    /// one that is in place meanwhile comes out too and takes its turn, until nothing comes out but what was put in.
    fn put_back(&self, slot: &Out, ours: Option<&[u8]>, out: Sight) -> io::Result<Vec<Vec<u8>>> {
        let mut found: Vec<Vec<u8>> = out.bytes.iter().cloned().collect();
        let mut placed = ours.map(Sight::ours);
        let mut out = out;
        for _ in 0..ROUNDS {
            let exchanged = match &placed {
                Some(_) => exchange(slot.at(), self.at()),
                None => Err(io::ErrorKind::NotFound.into()),
            };
            match exchanged {
                Ok(()) => {}
                // There is nothing in place: it was removed meanwhile, or is to be.
                Err(error) if error.kind() == io::ErrorKind::NotFound => match self.move_in(&slot.dir, &slot.name) {
                    Ok(()) => {
                        sync(self.directory)?;
                        return Ok(found);
                    }
                    // Another text has been saved since. The other one stays in the slot until it is on
                    // record.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists && placed.is_none() => return Ok(found),
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(error),
            }
            sync(self.directory)?;
            // After the sync, so that a program that had the file open has had time to write.
            let Some(next) = Sight::of(slot.at())? else { return Ok(found) };
            if placed.as_ref().is_some_and(|placed| next.is_same(placed)) {
                let is_ours = ours.is_some_and(|ours| next.holds(ours));
                return if is_ours { slot.dir.remove_file(&slot.name).map(|()| found) } else { Ok(found) };
            }
            found.extend(next.bytes.iter().cloned());
            placed = Some(std::mem::replace(&mut out, next));
        }
        Ok(found)
    }
}

/// What came out, compared with what was read.
enum Compared {
    /// It is the same, with what was carried over to the new text since.
    Same(Vec<u8>),
    /// It was another, and is in place again; these texts came out.
    Changed(Vec<Vec<u8>>),
}

/// Where the text that was read is now.
enum Old {
    /// There was none.
    Nothing,
    /// In the slot.
    Slot,
    /// Nowhere: its file has no name any more, but is open.
    Handle(File),
}

/// The file that was in place, until nobody can have written to it any more.
#[must_use]
pub(crate) struct TakenOut<'a> {
    place: Place<'a>,
    /// The text that is in place now; none if it was removed.
    ours: Option<Vec<u8>>,
    read: Vec<u8>,
    old: Old,
    out: Out,
}

impl TakenOut<'_> {
    /// Makes durable which file is in place.
    pub(crate) fn sync(&self) -> io::Result<()> {
        sync(self.place.directory)
    }

    /// Removes the old file, unless a program that had it open has written to it meanwhile: then that text is put
    /// back and returned. None if all is well.
    pub(crate) fn finish(self) -> io::Result<Option<Vec<Vec<u8>>>> {
        let Self { place, ours, read, old, out } = self;
        match old {
            Old::Nothing => Ok(None),
            Old::Slot => {
                wait_for_a_writer(out.at(), &read)?;
                match place.compare(&out, ours.as_deref(), &read)? {
                    Compared::Same(_) => out.remove().map(|()| None),
                    Compared::Changed(found) => Ok(Some(found)),
                }
            }
            Old::Handle(mut file) => {
                file.seek(SeekFrom::Start(0))?;
                let Ok(late) = contents_of(file) else { return Ok(None) };
                if late == read {
                    return Ok(None);
                }
                if let Some(added) = late.strip_prefix(&*read).filter(|_| place.carries_over) {
                    return place.append(added).map(|()| None);
                }
                let replaced = Replaced::of(place.directory, place.name.as_ref());
                write(&out.dir, out.name.as_ref(), &late, replaced)?;
                // If a newer text is in place, this one stays in the slot until it is on record.
                if place.holds(ours.as_deref().unwrap_or_default())?.is_some() {
                    out.dir.rename(&out.name, place.directory, place.name)?;
                }
                sync(place.directory)?;
                Ok(Some(vec![late]))
            }
        }
    }
}

/// An empty file is nearly always one that an editor has truncated and is about to write. Waits for that for a while
/// before the file goes.
fn wait_for_a_writer(at: At<'_>, text: &[u8]) -> io::Result<()> {
    const PAUSE: Duration = Duration::from_millis(10);
    let mut pauses = if text.is_empty() { 20 } else { 0 };
    while pauses > 0 && Sight::of(at)?.is_some_and(|sight| sight.holds(text)) {
        std::thread::sleep(PAUSE);
        pauses -= 1;
    }
    Ok(())
}

/// A text that an exchange which was cut off has left in a slot.
pub(crate) struct Leftover {
    out: Out,
    bytes: Vec<u8>,
}

impl Leftover {
    /// What is there, if anything.
    pub(super) fn of(out: Out) -> io::Result<Option<Self>> {
        match Sight::of(out.at())? {
            None => Ok(None),
            Some(Sight { bytes: Some(bytes), .. }) => Ok(Some(Self { out, bytes })),
            Some(_) => Err(foreign(&out.name)),
        }
    }

    /// The error for callers that keep no record that it could go to.
    pub(crate) fn in_the_way(&self) -> io::Error {
        foreign(&self.out.name)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Removes it.
    ///
    /// # Errors
    /// When it was written to since it was read.
    pub(crate) fn remove(self) -> io::Result<()> {
        wait_for_a_writer(self.out.at(), &self.bytes)?;
        match Sight::of(self.out.at())? {
            Some(sight) if sight.holds(&self.bytes) => self.out.remove(),
            Some(_) => Err(self.in_the_way()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use cap_std::ambient_authority;

    use super::*;

    const OURS: &[u8] = b"ours";

    /// What is in place, and what came out of it, when `A` is put back and another program has left this in place.
    fn put_back(in_place: Option<&str>, ours: Option<&[u8]>) -> (Vec<Vec<u8>>, Option<String>, Option<String>) {
        let root = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(root.path(), ambient_authority()).unwrap();
        fs::write(root.path().join("slot"), "A").unwrap();
        in_place.iter().for_each(|text| fs::write(root.path().join("place"), text).unwrap());
        let slot = Out { dir: dir.try_clone().unwrap(), name: "slot".into(), folder: None };
        let name = OsStr::new("place");
        let place = Place { directory: &dir, name, renames: Renames::Exchange, carries_over: false };
        let out = Sight::of(slot.at()).unwrap().unwrap();
        let found = place.put_back(&slot, ours, out).unwrap();
        let read = |name: &str| fs::read_to_string(root.path().join(name)).ok();
        (found, read("place"), read("slot"))
    }

    fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.as_bytes().to_vec()).collect()
    }

    #[test]
    fn what_came_out_goes_back_and_ours_goes() {
        assert_eq!(put_back(Some("ours"), Some(OURS)), (texts(&["A"]), Some("A".into()), None));
        assert_eq!(put_back(None, None), (texts(&["A"]), Some("A".into()), None));
    }

    /// The newer text stays in place; the other one stays in the slot until it is on record.
    #[test]
    fn two_texts_that_are_saved_during_an_exchange_are_both_kept() {
        assert_eq!(put_back(Some("B"), Some(OURS)), (texts(&["A", "B"]), Some("B".into()), Some("A".into())));
        assert_eq!(put_back(Some("B"), None), (texts(&["A"]), Some("B".into()), Some("A".into())));
    }

    #[test]
    fn a_file_that_is_removed_during_an_exchange_does_not_take_the_saved_text_with_it() {
        assert_eq!(put_back(None, Some(OURS)), (texts(&["A"]), Some("A".into()), None));
    }
}
