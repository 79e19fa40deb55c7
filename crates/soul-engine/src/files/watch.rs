//! Whether anything has happened in some folders, as the system reports it. It reports nothing of what other machines do
//! on a shared disk, or of what is written through a mapping or another name of a file, so a caller that relies on silence
//! looks again from time to time.

#[cfg(target_os = "linux")]
pub(crate) use linux::Watch;
#[cfg(not(target_os = "linux"))]
pub(crate) use nowhere::Watch;

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;

    use rustix::fd::OwnedFd;
    use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
    use rustix::io::{Errno, read};

    /// Folders that are watched.
    #[derive(Debug)]
    pub(crate) struct Watch(OwnedFd);

    impl Watch {
        /// Watches folders, not what is below their folders. `None` if one cannot be watched.
        pub(crate) fn of<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Option<Self> {
            let changes = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MODIFY
                | WatchFlags::ATTRIB
                | WatchFlags::MOVE
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF;
            let flags = changes | WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW;
            let watch = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            for folder in folders {
                add_watch(&watch, folder.as_ref(), flags).ok()?;
            }
            Some(Self(watch))
        }

        /// Whether nothing has happened since. Once it has, this is for one caller to find out.
        pub(crate) fn is_quiet(&self) -> bool {
            read(&self.0, &mut [0; 4096]) == Err(Errno::AGAIN)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod nowhere {
    use std::path::Path;

    /// Folders that are watched: none, where the system has no means that we use.
    #[derive(Debug)]
    pub(crate) enum Watch {}

    impl Watch {
        pub(crate) fn of<P: AsRef<Path>>(_: impl IntoIterator<Item = P>) -> Option<Self> {
            None
        }

        pub(crate) fn is_quiet(&self) -> bool {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::Watch;

    #[test]
    fn whatever_happens_in_a_folder_is_noticed() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::write(path("a.md"), "a").unwrap();
        fs::create_dir(path("below")).unwrap();
        let after = |change: &dyn Fn()| {
            let watch = Watch::of([root.path()]).unwrap();
            assert!(watch.is_quiet());
            change();
            watch.is_quiet()
        };
        assert!(after(&|| drop(fs::read(path("a.md")).unwrap())));
        assert!(after(&|| fs::write(path("below/x.md"), "x").unwrap()));
        assert!(!after(&|| fs::write(path("a.md"), "b").unwrap()));
        assert!(!after(&|| fs::File::options().append(true).open(path("a.md")).unwrap().write_all(b"c").unwrap()));
        assert!(!after(&|| fs::File::options().write(true).open(path("a.md")).unwrap().set_len(0).unwrap()));
        assert!(!after(&|| fs::write(path("new.md"), "").unwrap()));
        assert!(!after(&|| fs::rename(path("new.md"), path("a.md")).unwrap()));
        assert!(!after(&|| fs::remove_file(path("a.md")).unwrap()));
        assert!(!after(&|| fs::create_dir(path("folder")).unwrap()));
        assert!(Watch::of([path("gone")]).is_none());
    }
}
