//! The id of a workspace, in its `.soul/id`, and of a home that shares its store, in its `id`.

use std::io::{self, Write};
use std::path::Path;

use super::WORKSPACE_FOLDER;
use crate::files::{self, Directory};
use crate::ids::{HomeId, WorkspaceId};

use super::SoulKey;

/// The file in a workspace's own folder that holds its id.
pub(super) const ID_FILE: &str = "id";

/// The id of a workspace, if it has one.
pub(crate) fn workspace_id(root: &Path) -> io::Result<Option<String>> {
    let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    let ours = Directory::open(root).and_then(|root| root.agent(WORKSPACE_FOLDER));
    let read = ours.and_then(|ours| ours.with_hard_links().read(ID_FILE));
    match read {
        Ok(bytes) => {
            let id = String::from_utf8_lossy(&bytes);
            let id = id.trim();
            // A home that shares its store has an id, too; it is no workspace.
            if SoulKey::is_home(id) {
                return Ok(None);
            }
            let is_ours = id.len() == 29
                && id.strip_prefix("ws_").is_some_and(|ulid| ulid.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            let none = || wrong("`.soul/id` is not the id of a workspace".to_owned());
            if is_ours { Ok(Some(id.to_owned())) } else { Err(none()) }
        }
        Err(files::Error::NotFound) => Ok(None),
        Err(error) => Err(wrong(format!("could not read `.soul/id`: {error}"))),
    }
}

/// The scope of a home: the one that its `id` names, if it shares its store with others.
pub(crate) fn home_scope(home: Option<&Path>) -> String {
    let named = home.and_then(|home| std::fs::read_to_string(home.join(ID_FILE)).ok());
    let named = named.map(|id| id.trim().to_owned()).filter(|id| SoulKey::is_home(id));
    named.unwrap_or_else(|| SoulKey::HOME.to_owned())
}

/// Gives a home that shares its store an id, unless it has one. Of many who try at once, the first one's stays.
pub(crate) fn name_home(home: &Path) -> io::Result<()> {
    let path = home.join(ID_FILE);
    match std::fs::read_to_string(&path) {
        Ok(id) if SoulKey::is_home(id.trim()) => Ok(()),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "`id` in the home is not the id of a home")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let staged = home.join(format!(".{}", HomeId::fresh()));
            std::fs::write(&staged, format!("{}\n", HomeId::fresh()))?;
            std::fs::File::open(&staged)?.sync_all()?;
            let named = std::fs::hard_link(&staged, &path);
            std::fs::remove_file(&staged)?;
            match named {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => std::fs::File::open(home)?.sync_all(),
            }
        }
        Err(error) => Err(error),
    }
}

/// Lets a home continue the record of the scope `home`, which came from a store that it had for itself.
pub(crate) fn continue_home(home: &Path) -> io::Result<()> {
    files::replace(&home.join(ID_FILE), format!("{}\n", SoulKey::HOME).as_bytes())
}

/// Whether a home has an id.
pub(crate) fn is_home_named(home: &Path) -> bool {
    home.join(ID_FILE).exists()
}

/// Gives a workspace a new id. Of many who try at once, the first one's stays.
pub(super) fn name_workspace(root: &Path) -> io::Result<String> {
    set_workspace_id(root, WorkspaceId::fresh().as_str())
}

/// Gives a workspace that has no id this one, and returns the one that it has then.
pub(crate) fn set_workspace_id(root: &Path, id: &str) -> io::Result<String> {
    let refused = |error: files::Error| io::Error::other(error.to_string());
    let root_directory = Directory::open(root).map_err(refused)?;
    // A workspace of another system has no folder of ours yet.
    root_directory.create(WORKSPACE_FOLDER)?;
    let ours = root_directory.agent(WORKSPACE_FOLDER).map_err(refused)?;
    let staged = format!(".{}", WorkspaceId::fresh());
    let mut file = ours.dir().create(&staged)?;
    let written = writeln!(file, "{id}").and_then(|()| file.sync_all());
    // A second name can be given only where there is none.
    let named = written.and_then(|()| match ours.dir().hard_link(&staged, ours.dir(), ID_FILE) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        named => named,
    });
    ours.dir().remove_file(&staged)?;
    named?;
    ours.handle()?.sync_all()?;
    workspace_id(root)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Gives a workspace another id than it has.
pub(crate) fn replace_workspace_id(root: &Path, id: &str) -> io::Result<()> {
    // Whatever is there was read through no link.
    workspace_id(root)?.ok_or(io::ErrorKind::NotFound)?;
    files::replace(&root.join(WORKSPACE_FOLDER).join(ID_FILE), format!("{id}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::settings::Discovery;
    use crate::workspace::Roots;

    #[cfg(unix)]
    #[test]
    fn a_workspace_keeps_the_id_it_was_given_first() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".soul/agents/a")).unwrap();
        let roots = Roots { workspace: Some(root.path().into()), home: None, user: None };
        let agent = || roots.find_agent(&Discovery::default(), &"a".parse().unwrap()).unwrap().unwrap();
        assert_eq!(agent().known_key().unwrap(), None);
        let ids: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| agent().key().unwrap().scope)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(ids[0].starts_with("ws_") && ids.iter().all(|id| *id == ids[0]));
        assert_eq!(fs::read_dir(root.path().join(".soul")).unwrap().count(), 2);
        fs::write(root.path().join(".soul/id"), "nonsense").unwrap();
        assert!(agent().key().is_err());
        fs::remove_file(root.path().join(".soul/id")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", root.path().join(".soul/id")).unwrap();
        assert!(agent().key().is_err());
    }
}
