use std::io;
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

/// A file that is to be replaced: its permissions, its owner, its access list and other attributes pass to the new one.
pub(super) struct Replaced {
    metadata: Metadata,
    /// Not there if it may not be read.
    file: Option<File>,
}

impl Replaced {
    pub(super) fn of(directory: &Dir, path: &Path) -> Option<Self> {
        let metadata = directory.metadata(path).ok().filter(Metadata::is_file)?;
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        Some(Self { metadata, file: directory.open_with(path, &options).ok() })
    }

    /// Gives the new file what the old one has. The owner and the attributes are kept as far as the system lets us:
    /// most users may not give files away.
    pub(super) fn give_to(&self, new: &File) -> io::Result<()> {
        #[cfg(unix)]
        self.give_owner(new)?;
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        self.give_attributes(new);
        new.set_permissions(self.metadata.permissions())
    }

    #[cfg(unix)]
    fn give_owner(&self, new: &File) -> io::Result<()> {
        use cap_std::fs::MetadataExt;
        use rustix::fs::{Gid, Uid, fchown};
        let (old, is) = (&self.metadata, new.metadata()?);
        if (old.uid(), old.gid()) == (is.uid(), is.gid()) {
            return Ok(());
        }
        let (uid, gid) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
        // The group can be kept by its members.
        if fchown(new, Some(uid), Some(gid)).is_err() {
            let _ = fchown(new, None, Some(gid));
        }
        Ok(())
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn give_attributes(&self, new: &File) {
        use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
        /// The most bytes that Linux allows for all names, and for one value.
        const MAX: usize = 1 << 16;
        let Some(old) = &self.file else { return };
        let (mut names, mut value) = (vec![0; MAX], vec![0; MAX]);
        let Ok(length) = flistxattr(old, &mut names[..]) else { return };
        for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            if let Ok(length) = fgetxattr(old, name, &mut value[..]) {
                let _ = fsetxattr(new, name, &value[..length], XattrFlags::empty());
            }
        }
    }
}
