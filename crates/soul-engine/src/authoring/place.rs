use std::collections::BTreeMap;
use std::io;

use super::{Error, Owner, Step, Subject};
use crate::Keeper;
use crate::files::{self, Directory, Exchanged, Leftover, SOUL_FILE, Site, Staged};
use crate::store::{self, Revision, SettledText, Texts};
use crate::workspace::SoulKey;

/// Where the text of a soul is. Only the holder of the lock may change it.
pub(crate) trait Place {
    /// The bytes, if there are any.
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error>;
    /// Puts the text of a pending revision into a file of the place, durably and atomically, if that file is still as it
    /// was read. An error says nothing of whether the text is in place.
    fn replace(&self, revision: &Revision, file: &str, bytes: &[u8], read: Option<&[u8]>) -> io::Result<Outcome>;
    /// Removes a file, if it is still as it was read.
    fn remove(&self, revision: &Revision, file: &str, read: &[u8]) -> io::Result<Outcome>;
    /// What an interrupted replacement has taken out of its place.
    fn leftovers(&self) -> io::Result<Vec<Leftover>>;
    /// Removes what an interrupted replacement has staged.
    fn tidy(&self);
}

/// What became of a change.
pub(crate) enum Outcome {
    Done,
    /// The text is in place, and the revision is settled.
    Settled,
    /// Another keeper has ended the revision, and nothing was changed: the lock was lost meanwhile.
    Displaced,
    /// The file was saved meanwhile, so it was not changed. These texts were in place on the way, and what is
    /// there now.
    Changed(Vec<Vec<u8>>),
}

/// Where the text of a subject is: in a file, or in the database if those of the home are kept there.
pub(crate) fn place_of<'a>(keeper: &'a Keeper, subject: &'a dyn Subject) -> Result<Box<dyn Place + 'a>, Error> {
    let key = subject.key()?;
    Ok(match keeper.texts()? {
        Some(texts) if SoulKey::is_home(&key.scope) => Box::new(StoredPlace { keeper, subject, texts, key }),
        _ => Box::new(FilePlace::new(keeper, subject)),
    })
}

/// A row of the database. The file of this machine is a copy of it.
struct StoredPlace<'a> {
    keeper: &'a Keeper,
    subject: &'a dyn Subject,
    texts: &'a dyn Texts,
    key: SoulKey,
}

impl StoredPlace<'_> {
    fn set(&self, revision: &Revision, file: &str, read: Option<&[u8]>, bytes: Option<&[u8]>) -> io::Result<Outcome> {
        self.keeper.pass(Step::Staged)?;
        let failed = |error: store::Error| io::Error::other(error);
        match self.texts.settle_text(revision, file, read, bytes, self.keeper.now()).map_err(failed)? {
            SettledText::Done => {}
            SettledText::Displaced => return Ok(Outcome::Displaced),
            SettledText::Changed => {
                let found = self.texts.text(&self.key, file).map_err(failed)?;
                return Ok(Outcome::Changed(found.into_iter().collect()));
            }
        }
        self.keeper.pass(Step::Replaced)?;
        self.keeper.pass(Step::Synced)?;
        // It is done; a copy that is behind is brought up to date by the next reader.
        let _ = self.keeper.prepare();
        Ok(Outcome::Settled)
    }
}

impl Place for StoredPlace<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error> {
        let failed = |error: store::Error| files::Error::Io(io::Error::other(error));
        self.texts.text(&self.key, &self.subject.file()).map_err(failed)
    }

    fn replace(&self, revision: &Revision, file: &str, bytes: &[u8], read: Option<&[u8]>) -> io::Result<Outcome> {
        self.set(revision, file, read, Some(bytes))
    }

    fn remove(&self, revision: &Revision, file: &str, read: &[u8]) -> io::Result<Outcome> {
        self.set(revision, file, Some(read), None)
    }

    fn leftovers(&self) -> io::Result<Vec<Leftover>> {
        Ok(Vec::new())
    }

    fn tidy(&self) {}
}

/// A file in the directory that is locked.
pub(crate) struct FilePlace<'a> {
    keeper: &'a Keeper,
    subject: &'a dyn Subject,
    directory: &'a Directory,
    site: Site<'a>,
}

impl<'a> FilePlace<'a> {
    pub(crate) fn new(keeper: &'a Keeper, subject: &'a dyn Subject) -> Self {
        let directory = subject.directory();
        let name = subject.path().file_name().unwrap_or_default();
        // One slot for a soul, whichever file holds it.
        let slot = match subject.owner() {
            Owner::Agent(_) => SOUL_FILE.to_owned(),
            Owner::Library(_) => subject.file(),
        };
        let site = Site::of_file(directory.dir(), name, subject.folder().dir(), slot.as_ref(), keeper.renames);
        Self { keeper, subject, directory, site }
    }

    fn settle(&self, exchanged: Exchanged<'_>) -> io::Result<Outcome> {
        let taken_out = match exchanged {
            Exchanged::Done(taken_out) => taken_out,
            Exchanged::Changed(found) => return Ok(Outcome::Changed(found)),
        };
        self.keeper.pass(Step::Replaced)?;
        taken_out.sync()?;
        self.keeper.pass(Step::Synced)?;
        Ok(taken_out.finish()?.map_or(Outcome::Done, Outcome::Changed))
    }
}

impl Place for FilePlace<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error> {
        match self.directory.read(self.subject.file()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(files::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn replace(&self, _: &Revision, file: &str, bytes: &[u8], read: Option<&[u8]>) -> io::Result<Outcome> {
        let staged = Staged::new(&self.site, BTreeMap::from([(file.as_ref(), bytes)]))?;
        self.keeper.pass(Step::Staged)?;
        self.settle(staged.exchange(read)?)
    }

    fn remove(&self, _: &Revision, file: &str, read: &[u8]) -> io::Result<Outcome> {
        self.keeper.pass(Step::Staged)?;
        self.settle(self.site.take_out(file.as_ref(), read)?)
    }

    fn leftovers(&self) -> io::Result<Vec<Leftover>> {
        self.site.leftovers()
    }

    fn tidy(&self) {
        self.site.tidy();
    }
}
