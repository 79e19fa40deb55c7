//! What the home remembers of its store, outside of the store: `keeper.mark`. A store that is lost, emptied,
//! exchanged or rolled back cannot show that by itself.
//!
//! Lines of JSON: the id of the store first, then the head of a soul's chain after each change of it, and the last
//! backup. The last line about a soul counts. The first line is durable before anybody uses the store. Heads are
//! appended after their commit and not synced by themselves, so the mark may be behind the store, and is never ahead
//! of it: whatever it names is durable there, though perhaps still pending.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};

use super::{Detail, Error, Link, PostgresUrl, Store};
use crate::clock::Time;
use crate::files;
use crate::workspace::SoulKey;

/// Each time the mark has grown by so many bytes, lines that no longer count are removed if they are most of it.
const STRIDE: u64 = 64 << 10;

/// The mark of a home.
#[derive(Debug)]
pub(crate) struct Mark(PathBuf);

/// What a mark says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Noted {
    /// The id of the store.
    pub(crate) store: String,
    /// The last backup.
    pub(crate) backup: Option<NotedBackup>,
    /// The end of each soul's chain.
    pub(crate) heads: BTreeMap<SoulKey, NotedHead>,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedBackup {
    /// The name of its file.
    pub file: String,
    /// When it was made.
    pub time: Time,
}

/// The end of a soul's chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NotedHead {
    /// The soul.
    #[serde(flatten)]
    pub(crate) key: SoulKey,
    /// The number of its last revision; 0 if it has none.
    pub(crate) seq: i64,
    /// The chain of that revision.
    pub(crate) chain: Option<Digest>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Store(String),
    Backup(NotedBackup),
    Head(NotedHead),
}

impl Line {
    /// Begins with an end of line: what a crash has cut off stays a line of its own, which says nothing.
    fn append_to(&self, text: &mut String) {
        text.push('\n');
        // Texts and numbers: nothing that could fail to be written.
        text.push_str(&serde_json::to_string(self).unwrap_or_default());
        text.push('\n');
    }
}

impl Noted {
    fn text(&self) -> String {
        let mut text = serde_json::to_string(&Line::Store(self.store.clone())).unwrap_or_default();
        text.push('\n');
        self.backup.iter().for_each(|backup| Line::Backup(backup.clone()).append_to(&mut text));
        self.heads.values().for_each(|head| Line::Head(head.clone()).append_to(&mut text));
        text
    }

    fn add(&mut self, head: NotedHead) {
        self.heads.insert(head.key.clone(), head);
    }

    /// Everything that a store says of itself now.
    pub(crate) fn of(store: &dyn Store, id: String) -> Result<Self, Error> {
        let mut noted = Self { store: id, ..Self::default() };
        for key in store.souls()? {
            let last = store.tail(&key)?.last;
            noted.add(NotedHead::new(key, last.map(|last| last.link())));
        }
        Ok(noted)
    }

    /// Heads that a store does not have.
    pub(crate) fn missing_heads(&self, store: &dyn Store) -> Result<Vec<&NotedHead>, Error> {
        let mut missing = Vec::new();
        for head in self.heads.values().filter(|head| head.seq > 0) {
            if store.link(&head.key, head.seq)? != head.chain {
                missing.push(head);
            }
        }
        Ok(missing)
    }
}

impl NotedHead {
    pub(crate) fn new(key: SoulKey, last: Option<Link>) -> Self {
        Self { key, seq: last.map_or(0, |last| last.seq), chain: last.map(|last| last.chain) }
    }
}

impl Mark {
    /// The mark beside a store.
    pub(crate) fn beside(store: &Path) -> Self {
        Self(store.with_extension("mark"))
    }

    /// The mark of a database, in the home: one for each that it uses.
    pub(crate) fn of_database(home: &Path, url: &PostgresUrl) -> Self {
        // As it is shown, without its password.
        let digest = RawDigest::of(url.to_string().as_bytes());
        let name: String = digest.as_bytes().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        Self(home.join(format!("keeper-{name}.mark")))
    }

    /// The id of the store, if the mark names one.
    pub(crate) fn store_id(&self) -> Option<String> {
        let mut first = String::new();
        BufReader::new(File::open(&self.0).ok()?).read_line(&mut first).ok()?;
        match serde_json::from_str(&first) {
            Ok(Line::Store(id)) => Some(id),
            _ => None,
        }
    }

    /// What it says, if there is one. Damaged lines are ignored.
    pub(crate) fn read(&self) -> io::Result<Option<Noted>> {
        match std::fs::read(&self.0) {
            Ok(bytes) => Ok(parse(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The end of one soul's chain, as it was noted last.
    fn head_of(&self, key: &SoulKey) -> io::Result<Option<NotedHead>> {
        let bytes = match std::fs::read(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        // Most lines are about others, and need not be parsed.
        let name = serde_json::to_string(&key.name).unwrap_or_default();
        let names = |line: &&[u8]| std::str::from_utf8(line).is_ok_and(|line| line.contains(&name));
        Ok(bytes.rsplit(|byte| *byte == b'\n').filter(names).find_map(|line| match serde_json::from_slice(line) {
            Ok(Line::Head(head)) if head.key == *key => Some(head),
            _ => None,
        }))
    }

    /// Refuses to go on where the record of a soul ends before what was noted: the next note would cover up that it
    /// was rolled back.
    pub(super) fn check_head(&self, store: &dyn Store, key: &SoulKey) -> Result<(), Error> {
        let noted = self.head_of(key).map_err(|error| Error::Disk(Detail::io(error)))?;
        match noted {
            Some(NotedHead { seq, chain, .. }) if seq > 0 && store.link(key, seq)? != chain => {
                Err(self.lost(format!("the store lacks revision {seq} of {key}; it was rolled back or changed")))
            }
            _ => Ok(()),
        }
    }

    /// The error for a store that is not what the mark says.
    pub(crate) fn lost(&self, how: impl Into<String>) -> Error {
        let backup = self.read().ok().flatten().and_then(|noted| noted.backup);
        let mark = self.0.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Error::Lost { how: how.into(), mark, backup }
    }

    /// What it says, if it is about this store: a home may have had another one.
    pub(crate) fn read_of(&self, store: &dyn Store) -> Result<Option<Noted>, Error> {
        let noted = self.read().map_err(|error| Error::Disk(Detail::io(error)))?;
        let id = store.id()?;
        Ok(noted.filter(|noted| id.as_ref() == Some(&noted.store)))
    }

    /// Compares the heads with those of the store.
    pub(crate) fn check_heads(&self, store: &dyn Store) -> Result<(), Error> {
        let Some(noted) = self.read_of(store)? else { return Ok(()) };
        let missing = noted.missing_heads(store)?;
        let Some(first) = missing.first() else { return Ok(()) };
        let others = match missing.len() - 1 {
            0 => String::new(),
            others => format!(", and heads of {others} more"),
        };
        let NotedHead { key, seq, .. } = first;
        Err(self.lost(format!("the store lacks revision {seq} of {key}{others}; it was rolled back or changed")))
    }

    /// Writes it, durably. Leaves one that is there, unless it is to be replaced.
    pub(crate) fn write(&self, noted: &Noted, replace: bool) -> io::Result<()> {
        let staged = self.0.with_extension("mark.soul-staging");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        loop {
            let mut file = options.open(&staged)?;
            file.lock()?;
            if !is_at(&file, &staged)? {
                continue;
            }
            if !replace && self.0.exists() {
                return std::fs::remove_file(&staged);
            }
            file.set_len(0)?;
            file.write_all(noted.text().as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&staged, &self.0)?;
            return File::open(files::folder_of(&self.0))?.sync_all();
        }
    }

    /// Removes it: the next who opens the store notes what it finds there.
    pub(crate) fn remove(&self) -> io::Result<()> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Notes the head of a soul's chain.
    pub(crate) fn note_head(&self, head: NotedHead) -> io::Result<()> {
        self.append(&Line::Head(head)).map(drop)
    }

    /// Notes a backup, durably.
    pub(crate) fn note_backup(&self, backup: NotedBackup) -> io::Result<()> {
        self.append(&Line::Backup(backup))?.sync_all()
    }

    fn append(&self, line: &Line) -> io::Result<File> {
        let mut text = String::new();
        line.append_to(&mut text);
        loop {
            let mut file = OpenOptions::new().append(true).open(&self.0)?;
            file.lock_shared()?;
            let length = file.metadata()?.len();
            // Another process may have replaced it before we had the lock.
            if !is_at(&file, &self.0)? {
                continue;
            }
            file.write_all(text.as_bytes())?;
            let grown = length + text.len() as u64;
            if length / STRIDE != grown / STRIDE {
                file.unlock()?;
                self.compact()?;
            }
            return Ok(file);
        }
    }

    /// Removes lines that no longer count, if they are most of the file.
    fn compact(&self) -> io::Result<()> {
        let file = File::open(&self.0)?;
        file.lock()?;
        if !is_at(&file, &self.0)? {
            return Ok(());
        }
        let bytes = std::fs::read(&self.0)?;
        let Some(noted) = parse(&bytes) else { return Ok(()) };
        if noted.text().len() * 2 < bytes.len() { self.write(&noted, true) } else { Ok(()) }
    }
}

fn parse(bytes: &[u8]) -> Option<Noted> {
    let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let Ok(Line::Store(store)) = serde_json::from_slice(lines.next()?) else { return None };
    let mut noted = Noted { store, ..Noted::default() };
    for line in lines {
        match serde_json::from_slice(line) {
            Ok(Line::Head(head)) => noted.add(head),
            Ok(Line::Backup(backup)) => noted.backup = Some(backup),
            _ => {}
        }
    }
    Some(noted)
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match path.metadata() {
        Ok(there) => Ok((ours.dev(), ours.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Kind;

    fn head(name: &str, seq: i64) -> NotedHead {
        let key = SoulKey { scope: "home".to_owned(), kind: Kind::Agent, name: name.to_owned() };
        let chain = Digest::of([name.as_bytes(), &seq.to_le_bytes()]);
        NotedHead::new(key, Some(Link { seq, chain }))
    }

    fn made() -> (tempfile::TempDir, Mark) {
        let home = tempfile::tempdir().unwrap();
        let mark = Mark::beside(&home.path().join("keeper.db"));
        mark.write(&Noted { store: "store_1".to_owned(), ..Noted::default() }, false).unwrap();
        (home, mark)
    }

    #[test]
    fn the_last_line_about_a_soul_counts_and_the_rest_goes() {
        let (home, mark) = made();
        let backup = NotedBackup { file: "a.db".to_owned(), time: Time::of_seconds(0) };
        mark.note_backup(backup.clone()).unwrap();
        for seq in 1..=2000 {
            mark.note_head(head("ada\nlovelace", seq)).unwrap();
            mark.note_head(head("\"max\"", seq * 2)).unwrap();
        }
        let noted = mark.read().unwrap().unwrap();
        assert_eq!((noted.store.as_str(), noted.backup.clone()), ("store_1", Some(backup)));
        let expected = [head("\"max\"", 4000), head("ada\nlovelace", 2000)];
        assert_eq!(noted.heads.into_values().collect::<Vec<_>>(), expected);
        assert!(mark.0.metadata().unwrap().len() < 2 * STRIDE);
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1, "nothing is left beside it");
        assert_eq!(mark.store_id().as_deref(), Some("store_1"));
    }

    #[test]
    fn what_a_crash_has_cut_off_says_nothing_and_hides_nothing() {
        let (_home, mark) = made();
        mark.note_head(head("ada", 1)).unwrap();
        for torn in [&b"{\"head\":{\"scope\":\"home\","[..], &[0; 100], b"\xff\xfe"] {
            OpenOptions::new().append(true).open(&mark.0).unwrap().write_all(torn).unwrap();
            mark.note_head(head("max", 7)).unwrap();
            let noted = mark.read().unwrap().unwrap();
            assert_eq!(noted.heads.into_values().collect::<Vec<_>>(), [head("ada", 1), head("max", 7)]);
        }
        std::fs::write(&mark.0, "").unwrap();
        assert_eq!((mark.store_id(), mark.read().unwrap()), (None, None));
    }

    #[test]
    fn many_who_note_at_once_lose_nothing() {
        let (_home, mark) = made();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mark = &mark;
                scope.spawn(move || (1..=300).for_each(|seq| mark.note_head(head(&thread.to_string(), seq)).unwrap()));
            }
        });
        let heads: Vec<_> = mark.read().unwrap().unwrap().heads.into_values().map(|head| head.seq).collect();
        assert_eq!(heads, [300; 4]);
    }
}
