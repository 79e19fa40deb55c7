//! Three homes and someone with plain git: random edits, deletions, renames, pulls, publishes, kills and pushes that race.
//! In the end all agree, and every text that was ever saved is in some history. A tenth runs unless `SOUL_LONG=1`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::{Keeper, Remote, git};
use crate::processes::times;

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

const IDS: [&str; 6] = ["ada", "bob", "cy", "dee", "eve", "fay"];

/// A soul with sections, so that changes can be merged, and a word of its own for each edit.
fn text(id: &str, parts: &[usize; 3]) -> String {
    let [identity, manner, limits] = parts;
    format!(
        "---\nname: {id}\n---\n\n# Identity\n\nYou are number {identity}.\n\n# Manner\n\nSpeak like {manner}.\n\n# Limits\n\n\
         - Stay below {limits}\n"
    )
}

fn parts(text: &str) -> [usize; 3] {
    let number = |before: &str| {
        let rest = text.split(before).nth(1).unwrap_or_default();
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
    };
    [number("number "), number("like "), number("below ")]
}

struct World {
    remote: Remote,
    keepers: Vec<Keeper>,
    /// Every text that someone saved, with the id that it had.
    saved: BTreeSet<(String, String)>,
    /// Files that were edited since the last command that ended: who edits again overwrites their own text.
    dirty: Vec<BTreeSet<String>>,
    edits: usize,
}

impl World {
    fn ids(&self, keeper: usize) -> Vec<String> {
        let names = fs::read_dir(self.keepers[keeper].home.join("souls")).unwrap();
        let names = names.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        let mut ids: Vec<String> = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect();
        ids.sort();
        ids
    }

    fn edit(&mut self, random: &mut Random, keeper: usize) {
        let id = IDS[random.below(IDS.len())].to_owned();
        if self.dirty[keeper].contains(&id) {
            return;
        }
        self.edits += 1;
        let before = self.keepers[keeper].text(&id).unwrap_or_default();
        let mut parts = parts(&before);
        parts[random.below(3)] = self.edits;
        let text = text(&id, &parts);
        self.keepers[keeper].write(&id, &text);
        self.dirty[keeper].insert(id.clone());
        self.saved.insert((id, text));
    }

    fn rename(&mut self, random: &mut Random, keeper: usize) {
        let ids = self.ids(keeper);
        let Some(from) = ids.get(random.below(ids.len().max(1))).cloned() else { return };
        let to = format!("{}-{}", IDS[random.below(IDS.len())], random.below(9));
        let (old, new) = (self.keepers[keeper].path(&from), self.keepers[keeper].path(&to));
        if !new.exists() && !self.dirty[keeper].contains(&from) {
            fs::rename(old, new).unwrap();
            self.dirty[keeper].insert(to);
        }
    }

    fn sync(&mut self, keeper: usize, arguments: &[&str]) -> i32 {
        let output = self.keepers[keeper].run(arguments);
        let code = output.status.code().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Nothing to publish is wrong usage; a conflict is 3. Anything else would be a fault of ours.
        assert!([0, 2, 3].contains(&code), "{arguments:?}: {code}\n{said}");
        assert!(code != 2 || said.contains("no changes to publish") || said.contains("no local changes"), "{said}");
        self.dirty[keeper].clear();
        code
    }

    fn kill(&mut self, random: &mut Random, keeper: usize, arguments: &[&str]) {
        let mut child =
            self.keepers[keeper].command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(u64::try_from(random.below(180)).unwrap()));
        let _ = child.kill();
        child.wait().unwrap();
    }

    /// Two homes publish at once: one of them is rejected first.
    fn race(&mut self) {
        let start = |keeper: &Keeper| {
            let mut command = keeper.command(&["sync", "publish", "--all"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let running: Vec<_> = self.keepers.iter().map(start).collect();
        for (mut child, dirty) in running.into_iter().zip(&mut self.dirty) {
            assert!([0, 2, 3].contains(&child.wait().unwrap().code().unwrap()));
            dirty.clear();
        }
    }

    /// Someone edits with plain git.
    fn outsider(&mut self, random: &mut Random) {
        self.edits += 1;
        let (id, number, which) = (IDS[random.below(IDS.len())], self.edits, random.below(8));
        self.remote.commit(&format!("outside {number}"), |work| {
            let path = work.join(format!("souls/{id}.md"));
            fs::create_dir_all(work.join("souls")).unwrap();
            match which {
                0 => drop(fs::remove_file(path)),
                _ => {
                    let mut parts = parts(&fs::read_to_string(&path).unwrap_or_default());
                    parts[which % 3] = number;
                    fs::write(path, text(id, &parts)).unwrap();
                }
            }
        });
    }

    /// Ends every conflict and publishes everything, until all agree.
    fn settle(&mut self) {
        for round in 0..12 {
            for keeper in 0..self.keepers.len() {
                self.sync(keeper, &["sync", "pull"]);
                let status = self.keepers[keeper].status();
                for item in status["items"].as_array().unwrap() {
                    let id = item["itemId"].as_str().unwrap().to_owned();
                    match item["status"].as_str().unwrap() {
                        "conflict" => {
                            let side = if (round + keeper) % 2 == 0 { "--ours" } else { "--theirs" };
                            self.sync(keeper, &["sync", "resolve", &id, side]);
                        }
                        "missing" => drop(self.sync(keeper, &["sync", "delete", &id, "--force", "settling"])),
                        _ => {}
                    }
                }
                self.sync(keeper, &["sync", "publish", "--all"]);
            }
            if self.agrees() {
                return;
            }
        }
        panic!("the homes do not agree after 12 rounds");
    }

    fn agrees(&self) -> bool {
        let texts = |keeper: usize| -> BTreeMap<String, Option<String>> {
            self.ids(keeper).into_iter().map(|id| (id.clone(), self.keepers[keeper].text(&id))).collect()
        };
        let first = texts(0);
        let remote: BTreeMap<String, Option<String>> = self
            .remote
            .files()
            .iter()
            .filter_map(|path| {
                let id = path.strip_prefix("souls/")?.strip_suffix(".md")?;
                Some((id.to_owned(), self.remote.text(path)))
            })
            .collect();
        let is_synced = |keeper: &Keeper| keeper.status()["summary"] == "synced";
        remote == first
            && (1..self.keepers.len()).all(|keeper| texts(keeper) == first)
            && self.keepers.iter().all(is_synced)
    }

    /// Every text that is in the git history of the remote.
    fn in_git(&self) -> BTreeSet<String> {
        let listed = git(&self.remote.bare(), &["cat-file", "--batch-all-objects", "--batch-check"]);
        let blobs = listed.lines().filter(|line| line.contains(" blob ")).map(|line| line.split(' ').next().unwrap());
        blobs.map(|blob| git(&self.remote.bare(), &["cat-file", "blob", blob])).collect()
    }
}

fn run(root: &Path, seed: u64, steps: usize) {
    let remote = Remote::new(root);
    let keepers: Vec<Keeper> = ["one", "two", "three"].map(|name| Keeper::connected(root, name, &remote)).into();
    let dirty = vec![BTreeSet::new(); keepers.len()];
    let mut world = World { remote, keepers, saved: BTreeSet::new(), dirty, edits: 0 };
    let mut random = Random(seed);
    world.edit(&mut random, 0);
    world.sync(0, &["sync", "publish", "--all"]);
    for _ in 0..steps {
        let keeper = random.below(world.keepers.len());
        match random.below(20) {
            0..=6 => world.edit(&mut random, keeper),
            7 => {
                let ids = world.ids(keeper);
                if let Some(id) =
                    ids.get(random.below(ids.len().max(1))).filter(|id| !world.dirty[keeper].contains(*id))
                {
                    fs::remove_file(world.keepers[keeper].path(id)).unwrap();
                }
            }
            8 => world.rename(&mut random, keeper),
            9..=11 => drop(world.sync(keeper, &["sync", "pull"])),
            12..=14 => drop(world.sync(keeper, &["sync", "publish", "--all"])),
            15 => world.kill(&mut random, keeper, &["sync", "pull"]),
            16 => world.kill(&mut random, keeper, &["sync", "publish", "--all"]),
            17 => world.outsider(&mut random),
            18 => world.race(),
            _ => {
                let ids = world.ids(keeper);
                if let Some(id) = ids.get(random.below(ids.len().max(1))).cloned() {
                    let output = world.keepers[keeper].run(&["sync", "delete", &id, "--force", "random"]);
                    assert!([0, 2, 3].contains(&output.status.code().unwrap()));
                    world.dirty[keeper].clear();
                }
            }
        }
    }
    world.settle();
    let ids: BTreeSet<String> = world.saved.iter().map(|(id, _)| id.clone()).collect();
    let mut known = world.in_git();
    for keeper in &world.keepers {
        assert_eq!(keeper.ok(&["audit", "verify"])["ok"], true);
        let all = ids.iter().cloned().chain(world.ids(0));
        all.for_each(|id| known.extend(keeper.recorded(&id)));
    }
    for (id, text) in &world.saved {
        assert!(known.contains(text), "seed {seed}: a text of {id} is in no history:\n{text}");
    }
    for keeper in 0..world.keepers.len() {
        for id in world.ids(keeper) {
            let text = world.keepers[keeper].text(&id).unwrap();
            assert!(!text.contains("<<<<<<<") && !text.contains(">>>>>>>"), "{text}");
        }
    }
}

#[test]
fn random_histories_converge_and_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let seed = std::env::var("SOUL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    run(&root.path().canonicalize().unwrap(), seed, times(500));
}
