use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::durable::{Exchanged, Leftover, Renames, Site, Staged};

/// Replaces or creates a file durably: at any moment the old or the new file is there, complete. What
/// is not a regular file, such as a terminal, is written to directly.
///
/// # Errors
/// When the directory cannot be written; then nothing has changed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_all(&[(path.to_path_buf(), bytes)])
}

/// Replaces several files durably. All of them are staged first, so that what can fail has failed
/// before the first one is touched.
///
/// # Errors
/// When any of them cannot be written; then none has changed.
pub fn replace_all(files: &[(PathBuf, &[u8])]) -> io::Result<()> {
    let mut folders: BTreeMap<PathBuf, BTreeMap<&OsStr, &[u8]>> = BTreeMap::new();
    let mut direct = Vec::new();
    for (path, bytes) in files {
        if is_regular_or_absent(path)? {
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            // One spelling for each folder, so that no slot is waited for by who has it.
            folders.entry(folder_of(path).canonicalize()?).or_default().insert(name, bytes);
        } else {
            direct.push((path, bytes));
        }
    }
    let opened = folders.keys().map(|folder| Opened::folder(folder)).collect::<io::Result<Vec<_>>>()?;
    let sites: Vec<Site<'_>> = opened.iter().map(Opened::site).collect();
    // In the order of their paths, as every process does it: none waits for another in a circle.
    let staged = sites.iter().zip(folders.into_values()).map(|(site, files)| Staged::new(site, files));
    let staged = staged.collect::<io::Result<Vec<_>>>()?;
    for (path, bytes) in direct {
        OpenOptions::new().write(true).open(path)?.write_all(bytes)?;
    }
    let swapped = staged.into_iter().map(Staged::swap).collect::<io::Result<Vec<_>>>()?;
    swapped.into_iter().try_for_each(|swapped| swapped.sync())
}

/// Creates a file in a folder durably, and stages it outside of that folder, however deep in it the file is. False if
/// something is there already. No part of the path below the folder may be a link.
///
/// # Errors
/// When the file cannot be written; then nothing has changed.
pub fn create_below(root: &Path, path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let opened = Opened::below(&root.canonicalize()?, path.parent().unwrap_or(Path::new("")))?;
    Staged::new(&opened.site(), BTreeMap::from([(name, bytes)]))?.create()
}

/// One file in a folder that is locked. No part of the path below the folder may be a link.
pub(crate) struct FileBelow {
    opened: Opened,
    name: OsString,
    /// What its slot is named for.
    label: OsString,
    renames: Renames,
    carries_over: bool,
}

impl FileBelow {
    pub(crate) fn open(root: &Path, path: &Path, renames: Renames) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        let opened = Opened::below(&root.canonicalize()?, path.parent().unwrap_or(Path::new("")))?;
        let parts: Vec<_> = path.iter().collect();
        Ok(Self { opened, name, label: parts.join(OsStr::new(".")), renames, carries_over: false })
    }

    /// The same for a file that others add to: what they add meanwhile is added to the new text.
    pub(crate) fn carrying_over(self) -> Self {
        Self { carries_over: true, ..self }
    }

    fn site(&self) -> Site<'_> {
        let Opened { root, name, beside, .. } = &self.opened;
        let beside = beside.as_ref().unwrap_or(root);
        let site = Site::of_file(self.opened.directory(), name, beside, &self.label, self.renames);
        if self.carries_over { site.carrying_over() } else { site }
    }

    /// Replaces it durably, if it still holds what was read. Returns the texts that came out if it does not.
    pub(crate) fn replace(&self, bytes: &[u8], read: Option<&[u8]>) -> io::Result<Option<Vec<Vec<u8>>>> {
        let site = self.site();
        in_the_way(&site)?;
        finish(Staged::new(&site, BTreeMap::from([(&*self.name, bytes)]))?.exchange(read)?)
    }

    /// Removes it durably, if it still holds what was read.
    pub(crate) fn remove(&self, read: &[u8]) -> io::Result<Option<Vec<Vec<u8>>>> {
        let site = self.site();
        in_the_way(&site)?;
        finish(site.take_out(&self.name, read)?)
    }

    /// The texts that a replacement which was cut off has left.
    pub(crate) fn leftovers(&self) -> io::Result<Vec<Leftover>> {
        self.site().leftovers()
    }
}

/// What is left of a replacement that was cut off is nobody's to remove unread.
fn in_the_way(site: &Site<'_>) -> io::Result<()> {
    site.leftovers()?.first().map_or(Ok(()), |leftover| Err(leftover.in_the_way()))
}

fn finish(exchanged: Exchanged<'_>) -> io::Result<Option<Vec<Vec<u8>>>> {
    match exchanged {
        Exchanged::Done(taken_out) => taken_out.sync().and_then(|()| taken_out.finish()),
        Exchanged::Changed(found) => Ok(Some(found)),
    }
}

/// The directories that a write needs, open.
struct Opened {
    /// Where the file is, if that is not the root itself.
    directory: Option<Dir>,
    root: Dir,
    name: OsString,
    beside: Option<Dir>,
}

impl Opened {
    fn folder(root: &Path) -> io::Result<Self> {
        let open = |path: &Path| Dir::open_ambient_dir(path, ambient_authority());
        let beside = root.parent().and_then(|parent| open(parent).ok());
        let name = root.file_name().unwrap_or_default().to_owned();
        Ok(Self { directory: None, root: open(root)?, name, beside })
    }

    fn below(root: &Path, folder: &Path) -> io::Result<Self> {
        let mut opened = Self::folder(root)?;
        for part in folder.components() {
            let Component::Normal(name) = part else { return Err(io::ErrorKind::InvalidInput.into()) };
            let above = opened.directory.as_ref().unwrap_or(&opened.root);
            opened.directory = Some(above.open_dir_nofollow(name)?);
        }
        Ok(opened)
    }

    fn directory(&self) -> &Dir {
        self.directory.as_ref().unwrap_or(&self.root)
    }

    fn site(&self) -> Site<'_> {
        Site::new(self.directory(), &self.root, &self.name, self.beside.as_ref())
    }
}

/// Whether a file is there, or nothing, and not a device or a pipe.
fn is_regular_or_absent(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) => Ok(metadata.is_file()),
        Err(_) => Ok(true),
    }
}

/// The folder that a path lies in; a bare name lies in the current one.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two paths lead to one file, by whatever name or link.
#[must_use]
pub fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
        identity(a).is_some_and(|a| Some(a) == identity(b))
    }
    #[cfg(not(unix))]
    {
        a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
    }
}
