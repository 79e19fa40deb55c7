//! Packages as archives: `.soul.tar.gz`.
//!
//! The same files make the same bytes: entries are sorted, and times, modes and owners are fixed. Reading accepts
//! regular files alone, and counts while it inflates.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};

use super::Error;
use super::contents::{Contents, MAX_BYTES, MAX_FILES, SIGNATURE_FILE, SUMS_FILE};

/// How the name of an archive ends.
pub const EXTENSION: &str = ".soul.tar.gz";

/// The largest archive that is read: the files, and a header for each.
pub(crate) const MAX_ARCHIVE: u64 = (MAX_BYTES + (MAX_FILES + 4) * 1024 + (1 << 20)) as u64;

/// The mode of every file: readable, and never executable.
const MODE: u32 = 0o644;

/// The archive of a package.
pub(crate) fn write(contents: &Contents) -> Result<Vec<u8>, Error> {
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(gzip);
    let sums = contents.sums();
    let signature = contents.signature().map(|signature| (SIGNATURE_FILE, signature.as_bytes()));
    let first = [(SUMS_FILE, sums.as_bytes())].into_iter().chain(signature);
    let files = contents.files().map(|(path, bytes)| (path.as_str(), bytes));
    for (path, bytes) in first.chain(files) {
        let mut header = Header::new_ustar();
        header.set_path(path).map_err(|_| Error::LongPath(path.to_owned()))?;
        header.set_size(bytes.len() as u64);
        header.set_mode(MODE);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        header.set_entry_type(EntryType::Regular);
        header.set_cksum();
        archive.append(&header, bytes).map_err(failed)?;
    }
    let gzip = archive.into_inner().map_err(failed)?;
    gzip.finish().map_err(failed)
}

fn failed(error: io::Error) -> Error {
    Error::Io("the archive".to_owned(), error)
}

/// The files of an archive.
pub(crate) fn read(bytes: &[u8]) -> Result<Contents, Error> {
    let damaged = |error: io::Error| match error.get_ref().and_then(|inner| inner.downcast_ref::<Bomb>()) {
        Some(Bomb) => Error::TooLarge,
        None => Error::BadArchive(crate::files::plain(&error)),
    };
    let inflated = Bounded { inner: GzDecoder::new(bytes), left: MAX_ARCHIVE };
    let mut archive = tar::Archive::new(inflated);
    let mut contents = Contents::default();
    let (mut sums, mut signature): (Option<Vec<u8>>, Option<Vec<u8>>) = (None, None);
    // Raw: an extended header could give a file another name than the one that is looked at.
    for entry in archive.entries().map_err(damaged)?.raw(true) {
        let mut entry = entry.map_err(damaged)?;
        let path = String::from_utf8(entry.path_bytes().into_owned());
        let path = path.map_err(|error| Error::BadArchive(format!("a name in it is not UTF-8: {error}")))?;
        match entry.header().entry_type() {
            EntryType::Regular => {}
            EntryType::Directory => continue,
            EntryType::Symlink | EntryType::Link => return Err(Error::Link(soul_core::text::visible(&path))),
            kind => return Err(Error::NotAFile(soul_core::text::visible(&path), kind.as_byte())),
        }
        if entry.header().size().map_err(damaged)? > MAX_BYTES as u64 {
            return Err(Error::TooLarge);
        }
        let mut file = Vec::new();
        entry.read_to_end(&mut file).map_err(damaged)?;
        let place = match path.as_str() {
            SUMS_FILE => &mut sums,
            SIGNATURE_FILE => &mut signature,
            path => {
                contents.add(path.parse()?, file)?;
                continue;
            }
        };
        if place.replace(file).is_some() {
            return Err(Error::Duplicate(path.parse()?));
        }
    }
    // What follows the end of the archive is read too, so that its checksum is compared and nothing hides behind it.
    let mut rest = archive.into_inner();
    let mut buffer = [0; 4096];
    loop {
        match rest.read(&mut buffer).map_err(damaged)? {
            0 => break,
            count if buffer[..count].iter().any(|byte| *byte != 0) => {
                return Err(Error::BadArchive("something follows its end".to_owned()));
            }
            _ => {}
        }
    }
    if !rest.inner.into_inner().is_empty() {
        return Err(Error::BadArchive("something follows its end".to_owned()));
    }
    if sums.is_none() {
        return Err(Error::BadArchive(format!("it has no {SUMS_FILE}")));
    }
    contents.seal(sums.as_deref(), signature.as_deref())?;
    Ok(contents)
}

/// More was inflated than a package may have.
#[derive(Debug, thiserror::Error)]
#[error("it inflates to more than a package may have")]
struct Bomb;

/// Reads so much, and not a byte more.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| io::Error::other(Bomb))?;
        Ok(count)
    }
}

/// Writes an archive as a test needs it: entries of any kind, in any order.
#[cfg(test)]
pub(crate) fn forged(entries: &[(&[u8], EntryType, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzBuilder::new().write(Vec::new(), Compression::fast()));
    for (name, kind, bytes) in entries {
        let mut header = Header::new_ustar();
        header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o777);
        header.set_entry_type(*kind);
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn sample() -> Contents {
        let mut contents = Contents::default();
        contents.add("SOUL.md".parse().unwrap(), b"You are calm.\n".to_vec()).unwrap();
        contents.add("skills/read/SKILL.md".parse().unwrap(), b"Read.\n".to_vec()).unwrap();
        contents
    }

    #[test]
    fn the_same_files_make_the_same_archive() {
        let (one, two) = (write(&sample()).unwrap(), write(&sample()).unwrap());
        assert_eq!(one, two);
        assert_eq!(read(&one).unwrap(), sample());
    }

    #[test]
    fn only_regular_files_come_out() {
        let regular = EntryType::Regular;
        let refused = |entries: &[(&[u8], EntryType, &[u8])]| read(&forged(entries)).unwrap_err().to_string();
        for name in ["../x", "/etc/x", "a/../../x", "..\\x", "C:x", "a%2f..%2fx", ".env", "a\u{200b}"] {
            let error = refused(&[(name.as_bytes(), regular, b"x")]);
            assert!(error.contains("is not a path in a package"), "{name}: {error}");
        }
        for kind in [EntryType::Symlink, EntryType::Link] {
            assert!(refused(&[(b"SOUL.md", kind, b"")]).contains("link"));
        }
        for kind in [
            EntryType::Char,
            EntryType::Block,
            EntryType::Fifo,
            EntryType::GNULongName,
            EntryType::XHeader,
            EntryType::XGlobalHeader,
        ] {
            assert!(refused(&[(b"SOUL.md", kind, b"x")]).contains("not a file"), "{kind:?}");
        }
        assert!(refused(&[(b"SOUL.md", regular, b"x"), (b"SOUL.md", regular, b"y")]).contains("twice"));
        assert!(refused(&[(b"SOUL.md", regular, b"x"), (b"soul.md", regular, b"y")]).contains("one file"));
        assert!(refused(&[(b"SHA256SUMS", regular, b""), (b"SHA256SUMS", regular, b"")]).contains("twice"));
        assert!(refused(&[(b"SOUL.md", regular, b"x")]).contains("no SHA256SUMS"));
        assert!(
            refused(&[(b"SHA256SUMS", regular, b"00  SOUL.md\n"), (b"SOUL.md", regular, b"x")]).contains("checksum")
        );
    }

    #[test]
    fn a_bomb_does_not_go_off() {
        let zeros = vec![0; 1 << 20];
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
        for _ in 0..40 {
            gzip.write_all(&zeros).unwrap();
        }
        assert!(read(&gzip.finish().unwrap()).is_err());
        let many: Vec<(Vec<u8>, EntryType, Vec<u8>)> =
            (0..40).map(|number| (format!("{number}.md").into_bytes(), EntryType::Regular, zeros.clone())).collect();
        let many: Vec<(&[u8], EntryType, &[u8])> =
            many.iter().map(|(name, kind, bytes)| (&name[..], *kind, &bytes[..])).collect();
        assert!(matches!(read(&forged(&many)), Err(Error::TooLarge)));
    }

    #[test]
    fn what_is_cut_or_changed_is_refused() {
        let whole = write(&sample()).unwrap();
        for cut in [0, 1, 10, whole.len() / 2, whole.len() - 1] {
            assert!(read(&whole[..cut]).is_err(), "{cut}");
        }
        for at in (0..whole.len()).step_by(7) {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            // The bytes of the header that say nothing may change; what comes out is the same.
            assert!(read(&changed).map_or(true, |contents| contents == sample()), "{at}");
        }
        let more = [whole.as_slice(), b"more"].concat();
        assert!(read(&more).is_err());
    }
}
