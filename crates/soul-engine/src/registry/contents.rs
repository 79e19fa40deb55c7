//! The files of a package in memory, and the checksums that name them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use soul_core::digest::{Digest, RawDigest};

use super::{Error, PackagePath};
use crate::files::Directory;

/// The most files of a package.
pub const MAX_FILES: usize = 2_000;
/// The most bytes of all files of a package.
pub const MAX_BYTES: usize = 16 << 20;

/// The file of an archive that lists the SHA-256 of every other, as `sha256sum -c` reads it.
pub const SUMS_FILE: &str = "SHA256SUMS";
/// The signature of that file, as minisign writes it.
pub const SIGNATURE_FILE: &str = "SHA256SUMS.minisig";

/// The largest signature file.
const MAX_SIGNATURE: usize = 4 << 10;

/// The files of a package: at most so many and so large, none of which could be taken for another on any system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    files: BTreeMap<PackagePath, Vec<u8>>,
    /// How the paths, and the folders above them, look where case does not count.
    folded: BTreeMap<String, String>,
    bytes: usize,
    /// What was not read, because packages leave it out.
    skipped: BTreeSet<String>,
    signature: Option<String>,
}

/// The files of a directory, its checksums and its signature.
type ReadFiles = (Contents, Option<Vec<u8>>, Option<Vec<u8>>);

impl Contents {
    /// Adds a file.
    pub(crate) fn add(&mut self, path: PackagePath, bytes: Vec<u8>) -> Result<(), Error> {
        if self.files.len() >= MAX_FILES {
            return Err(Error::TooManyFiles);
        }
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > MAX_BYTES {
            return Err(Error::TooLarge);
        }
        // A folder is spelled in one way too, and is no file.
        let text = path.as_str();
        let ends = text.match_indices('/').map(|(at, _)| at);
        for end in ends {
            let folder: PackagePath = text[..end].parse()?;
            let known = self.folded.entry(folder.folded()).or_insert_with(|| text[..=end].to_owned());
            if *known != text[..=end] {
                return Err(Error::Clash(known.clone(), text.to_owned()));
            }
        }
        if let Some(known) = self.folded.insert(path.folded(), text.to_owned()) {
            return Err(if known == text { Error::Duplicate(path) } else { Error::Clash(known, text.to_owned()) });
        }
        self.files.insert(path, bytes);
        Ok(())
    }

    /// The files of a folder. Hidden files are left out; a link is refused.
    pub(crate) fn read_folder(folder: &Path) -> Result<Self, Error> {
        let shown = || soul_core::text::visible(&folder.to_string_lossy());
        let directory = Directory::open(folder).map_err(|error| Error::Unreadable(shown(), error))?;
        Self::read_directory(&directory, &shown())
    }

    /// The files of a folder that its author works in: checksums that are beside them may be of an earlier state, and are
    /// made anew.
    pub(crate) fn read_authored(folder: &Path) -> Result<Self, Error> {
        match Self::read_folder(folder) {
            Err(Error::WrongChecksum(_) | Error::BadSignature(_)) => {}
            read => return read.map(Self::unsigned),
        }
        let shown = soul_core::text::visible(&folder.to_string_lossy());
        let directory = Directory::open(folder).map_err(|error| Error::Unreadable(shown.clone(), error))?;
        Self::read_files(&directory, &shown).map(|(contents, ..)| contents)
    }

    pub(crate) fn read_directory(directory: &Directory, shown: &str) -> Result<Self, Error> {
        let (mut contents, sums, signature) = Self::read_files(directory, shown)?;
        contents.seal(sums.as_deref(), signature.as_deref())?;
        Ok(contents)
    }

    /// The files, the checksums and the signature of a directory.
    fn read_files(directory: &Directory, shown: &str) -> Result<ReadFiles, Error> {
        let unreadable = |error| Error::Unreadable(shown.to_owned(), error);
        let mut contents = Self::default();
        let (mut sums, mut signature) = (None, None);
        let below = directory.list_visible(MAX_FILES, &mut contents.skipped).map_err(unreadable)?;
        for below in below {
            let path = below.shown();
            if below.is_link {
                return Err(Error::Link(path));
            }
            if below.size > MAX_BYTES as u64 {
                return Err(Error::TooLarge);
            }
            let bytes = directory.read_within(&below.path, MAX_BYTES as u64);
            let bytes = bytes.map_err(|error| Error::Unreadable(path.clone(), error))?;
            match path.as_str() {
                SUMS_FILE => sums = Some(bytes),
                SIGNATURE_FILE => signature = Some(bytes),
                _ => contents.add(path.parse()?, bytes)?,
            }
        }
        Ok((contents, sums, signature))
    }

    /// Compares the files with the checksums that came with them, and keeps the signature of those.
    pub(crate) fn seal(&mut self, sums: Option<&[u8]>, signature: Option<&[u8]>) -> Result<(), Error> {
        if let Some(sums) = sums {
            self.check_sums(sums)?;
        }
        if let Some(signature) = signature {
            if sums.is_none() || signature.len() > MAX_SIGNATURE {
                return Err(Error::BadSignature("it is not beside the checksums that it is of".to_owned()));
            }
            let text = std::str::from_utf8(signature).map_err(|error| Error::BadSignature(error.to_string()))?;
            self.signature = Some(text.to_owned());
        }
        Ok(())
    }

    fn check_sums(&self, sums: &[u8]) -> Result<(), Error> {
        let own = self.sums();
        if own.as_bytes() == sums {
            return Ok(());
        }
        let text = String::from_utf8_lossy(sums);
        let listed: BTreeMap<&str, &str> =
            text.lines().filter_map(|line| line.split_once("  ").map(|(sum, path)| (path, sum))).collect();
        let differs = |(path, bytes): (&PackagePath, &Vec<u8>)| {
            (listed.get(path.as_str()).copied() != Some(hex(bytes).as_str())).then(|| path.to_string())
        };
        let missing = || listed.keys().find(|path| !self.files.contains_key(**path));
        let path = self.files.iter().find_map(differs).or_else(|| missing().map(|path| soul_core::text::visible(path)));
        Err(Error::WrongChecksum(path.unwrap_or_else(|| SUMS_FILE.to_owned())))
    }

    /// The same without a signature, because its author has changed the files.
    pub(crate) fn unsigned(self) -> Self {
        Self { signature: None, ..self }
    }

    /// Adds a signature of the checksums.
    pub(crate) fn sign(&mut self, signature: String) {
        self.signature = Some(signature);
    }

    /// The checksum of every file, one on a line, in the order of their paths.
    #[must_use]
    pub fn sums(&self) -> String {
        self.files.iter().map(|(path, bytes)| format!("{}  {path}\n", hex(bytes))).collect()
    }

    /// What names the whole: the digest of the checksums.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of([self.sums().as_bytes()])
    }

    /// The signature of the checksums, if it came with one.
    #[must_use]
    pub fn signature(&self) -> Option<&str> {
        self.signature.as_deref()
    }

    /// Every file.
    pub fn files(&self) -> impl Iterator<Item = (&PackagePath, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path, bytes.as_slice()))
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The bytes of all files.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes of a file.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// What was left out: hidden files, and folders of version control.
    #[must_use]
    pub const fn skipped(&self) -> &BTreeSet<String> {
        &self.skipped
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    RawDigest::of(bytes).as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(paths: &[&str]) -> Result<Contents, Error> {
        let mut contents = Contents::default();
        paths.iter().try_for_each(|path| contents.add(path.parse()?, b"x".to_vec()))?;
        Ok(contents)
    }

    #[test]
    fn no_file_can_be_taken_for_another() {
        assert!(added(&["SOUL.md", "skills/a/SKILL.md", "skills/b/SKILL.md"]).is_ok());
        assert!(matches!(added(&["SOUL.md", "SOUL.md"]), Err(Error::Duplicate(_))));
        for clash in [
            ["SOUL.md", "soul.md"],
            ["skills/a.md", "Skills/b.md"],
            ["a", "a/b"],
            ["a/b", "A"],
            ["\u{e9}.md", "e\u{301}.md"],
            ["ﬁle.md", "file.md"],
        ] {
            assert!(matches!(added(&clash), Err(Error::Clash(..))), "{clash:?}");
        }
    }

    #[test]
    fn a_package_is_bounded() {
        let many: Vec<String> = (0..=MAX_FILES).map(|number| format!("{number}.md")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(matches!(added(&many), Err(Error::TooManyFiles)));
        let mut contents = Contents::default();
        contents.add("a".parse().unwrap(), vec![0; MAX_BYTES]).unwrap();
        assert!(matches!(contents.add("b".parse().unwrap(), vec![0]), Err(Error::TooLarge)));
    }

    #[test]
    fn checksums_are_compared_with_the_files() {
        let mut contents = added(&["a", "b"]).unwrap();
        let sums = contents.sums();
        contents.seal(Some(sums.as_bytes()), None).unwrap();
        for wrong in [
            sums.replacen('0', "1", 1),
            sums.lines().next().unwrap().to_owned() + "\n",
            format!("{sums}{}", sums.replace("  a", "  c")),
        ] {
            assert!(matches!(contents.seal(Some(wrong.as_bytes()), None), Err(Error::WrongChecksum(_))), "{wrong}");
        }
        assert!(matches!(contents.seal(None, Some(b"x")), Err(Error::BadSignature(_))));
    }
}
