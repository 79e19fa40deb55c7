//! The home directory, its permissions and its disk, and the socket in it.

use std::path::Path;

use super::{Check, Group};
use crate::context::Context;
use crate::files;
use crate::{Keeper, STORE_FILE};

const HOME: Group = Group::Home;

/// Files of the home that only its owner should read.
const PRIVATE: [&str; 6] = [STORE_FILE, "keeper.db-wal", "keeper.db-shm", "keeper.mark", "keeper.lock", SOCKET_FILE];

/// The database and the files beside it, as a shell finds those that are there.
const DATABASE: &str = "keeper.db*";

/// The socket of a service.
const SOCKET_FILE: &str = "keeper.sock";

pub(super) fn check(context: &Context<'_>) -> Vec<Check> {
    let mut checks = vec![home(context)];
    checks.extend(room(context.keeper));
    checks.extend(context.keeper.home().map(|home| {
        let socket = shown(context, &home.join(SOCKET_FILE));
        HOME.ok("socket", format!("`soul serve` listens on {socket}"))
    }));
    checks
}

/// A path below the user's own directory, or one that the operator chose. Others see no absolute path.
pub(in crate::ops) fn shown(context: &Context<'_>, path: &Path) -> String {
    let user = context.keeper.roots.user.as_deref().filter(|user| user.parent().is_some());
    match user.and_then(|user| path.strip_prefix(user).ok()) {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None if context.caller.is_owner() => path.display().to_string(),
        None => format!(".../{}", path.file_name().unwrap_or_default().to_string_lossy()),
    }
}

fn home(context: &Context<'_>) -> Check {
    let Some(home) = context.keeper.home() else {
        return HOME.broken("home", "there is no home directory", "set `SOUL_HOME`, or use `--home DIR`");
    };
    let path = shown(context, home);
    let permissions = "check the permissions of the directory, and its disk";
    match std::fs::metadata(home) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            HOME.ok("home", format!("{path} does not exist yet; the first change creates it"))
        }
        Err(error) => HOME.broken("home", format!("could not read {path}: {}", files::plain(&error)), permissions),
        Ok(metadata) if !metadata.is_dir() => {
            HOME.broken("home", format!("{path} is not a directory"), "choose another home with `--home DIR`")
        }
        Ok(_) if !is_writable(home) => HOME.broken("home", format!("{path} is not writable"), permissions),
        Ok(_) if is_open(home) => {
            let message = format!("other users of this machine can enter {path}");
            HOME.warning("home", message, format!("run `chmod 700 {path}`"))
        }
        Ok(_) if PRIVATE.iter().any(|file| is_open(&home.join(file))) => {
            let open = PRIVATE.into_iter().filter(|file| is_open(&home.join(file)));
            let named = open.map(|file| if file.starts_with(STORE_FILE) { DATABASE } else { file });
            let mut files: Vec<_> = named.map(|file| format!("{path}/{file}")).collect();
            files.dedup();
            let message = format!("other users of this machine can read files in {path}");
            HOME.warning("home", message, format!("run `chmod 600 {}`", files.join(" ")))
        }
        Ok(_) => HOME.ok("home", format!("{path} is writable and private")),
    }
}

/// What a disk should have left: a store needs room for its log before it can change anything.
const LEAST_ROOM: u64 = 64 << 20;

/// A disk that is nearly full.
#[cfg(unix)]
fn room(keeper: &Keeper) -> Option<Check> {
    let disk = rustix::fs::statvfs(keeper.home()?).ok()?;
    let left = disk.f_bavail.saturating_mul(disk.f_frsize);
    let message = format!("the disk of the home has only {} MiB left", left >> 20);
    (left < LEAST_ROOM).then(|| {
        HOME.warning("disk", message, "free some disk space: changes are refused when they cannot be recorded")
    })
}

#[cfg(not(unix))]
fn room(_: &Keeper) -> Option<Check> {
    None
}

/// Whether a file can be made there; mode bits do not tell of disks that are read-only.
fn is_writable(home: &std::path::Path) -> bool {
    let probe = home.join(format!(".doctor-{}", std::process::id()));
    let made = std::fs::File::create_new(&probe).is_ok();
    let _ = std::fs::remove_file(probe);
    made
}

#[cfg(unix)]
fn is_open(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open(_: &std::path::Path) -> bool {
    false
}
