//! `index.json`: what a registry has, for clients that list and search it.
//!
//! The fields are those of the specification's example and of the public builder, in their order; grade and score are
//! computed here, whatever a manifest says. The same files make the same bytes.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use soul_core::scan::Grade;

use super::collation::sort_key;
use super::git::Repository;
use super::package::scan;
use super::tree::{Outline, Place, Tree};
use super::{Contents, Error};
use crate::clock::Time;
use crate::context::Progress;
use crate::files::on_all_cores;

/// `index.json`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RegistryIndex")]
pub struct Index {
    /// How many packages are listed.
    pub total: usize,
    /// Their categories, in order.
    pub categories: Vec<String>,
    /// Their owners, in order.
    pub contributors: Vec<String>,
    /// When the index was made.
    pub generated_at: String,
    /// The packages, by the names that people see.
    pub souls: Vec<Entry>,
}

/// A package in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RegistryEntry")]
pub struct Entry {
    /// Who publishes it: the name of its folder.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The name that people see.
    pub display_name: String,
    /// Its version.
    pub version: String,
    /// What the soul is for.
    pub description: String,
    /// Where it is listed.
    pub category: String,
    /// Who wrote it.
    pub author: String,
    /// Its licence.
    pub license: String,
    /// Its labels.
    pub tags: Vec<String>,
    /// Which of the usual files it has.
    pub files: EntryFiles,
    /// Its folder in the registry.
    pub path: String,
    /// `pack` if it bundles more than a persona.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether its author asks not to install it any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
    /// The package to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Whether the registry recommends it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub featured: bool,
    /// When its files were last changed in the registry; absent if that is not a git repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<String>,
    /// The grade of the scan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan_grade: Option<Grade>,
    /// How many rules of the scan found nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan_score: Option<usize>,
}

/// Which of the usual files a package has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "RegistryEntryFiles")]
#[allow(missing_docs)]
pub struct EntryFiles {
    #[serde(rename = "soul.json")]
    pub manifest: bool,
    #[serde(rename = "SOUL.md")]
    pub soul: bool,
    #[serde(rename = "IDENTITY.md")]
    pub identity: bool,
    #[serde(rename = "STYLE.md")]
    pub style: bool,
    #[serde(rename = "AGENTS.md")]
    pub agents: bool,
    #[serde(rename = "README.md")]
    pub readme: bool,
    #[serde(rename = "RULES.md")]
    pub rules: bool,
    #[serde(rename = "HEARTBEAT.md")]
    pub heartbeat: bool,
}

/// A folder that could not be listed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SkippedPackage")]
pub struct Skipped {
    /// The folder.
    pub path: String,
    /// Why it is not in the index.
    pub reason: String,
}

/// The index of a registry in a folder with every package scanned, and what is not in it.
pub(crate) fn build(folder: &Path, now: Time, progress: &dyn Progress) -> Result<(Index, Vec<Skipped>), Error> {
    let tree = Tree::Folder(folder.to_path_buf());
    let (places, bad) = tree.places()?;
    let mut times = times(folder)?;
    let total = places.len();
    progress.advance("packages scanned", 0, Some(total));
    let entries = on_all_cores(&places, |place| {
        let made = scanned(&tree, place);
        progress.advance("packages scanned", 1, Some(total));
        made
    });
    let mut made = arrange(&places, bad, entries, now);
    for entry in &mut made.0.souls {
        entry.submitted_at = times.remove(&entry.path).map(|seconds| stamp(Time::of_seconds(seconds)));
    }
    Ok(made)
}

/// The index of a registry from its manifests alone: without grades.
pub(crate) fn from_manifests(tree: &Tree, now: Time) -> Result<(Index, Vec<Skipped>), Error> {
    let (places, bad) = tree.places()?;
    let entries = tree.outlines(&places)?.into_iter().zip(&places).map(|(outline, place)| {
        let Outline { manifest, files } = outline?;
        let Some(manifest) = manifest else { return Ok(None) };
        listed(&manifest, place, &|path: &str| files.contains(path), None)
    });
    let entries = entries.collect();
    Ok(arrange(&places, bad, entries, now))
}

/// An entry, and whether its category is its own; `None` for what is not to be listed.
type Made = Result<Option<(Entry, bool)>, Error>;

/// The index of these entries, in the order of the public builder.
fn arrange(places: &[Place], bad: Vec<String>, entries: Vec<Made>, now: Time) -> (Index, Vec<Skipped>) {
    let mut skipped: Vec<Skipped> =
        bad.into_iter().map(|path| Skipped { path, reason: "its name is not one of a package".to_owned() }).collect();
    let mut souls: Vec<(Entry, bool)> = Vec::new();
    for (place, made) in places.iter().zip(entries) {
        match made {
            Ok(Some(made)) => souls.push(made),
            // A folder without a manifest is not a package, and one that is not listed stays out.
            Ok(None) => {}
            Err(error) => skipped.push(Skipped { path: place.path(), reason: error.to_string() }),
        }
    }
    let categories: BTreeSet<&str> =
        souls.iter().filter(|(_, own)| *own).map(|(entry, _)| entry.category.as_str()).collect();
    let mut categories: Vec<String> = categories.into_iter().map(str::to_owned).collect();
    let contributors: BTreeSet<&str> = souls.iter().map(|(entry, _)| entry.owner.as_str()).collect();
    let mut contributors: Vec<String> = contributors.into_iter().map(str::to_owned).collect();
    // In the order of code units, as the builder sorts them.
    categories.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    contributors.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    let mut souls: Vec<Entry> = souls.into_iter().map(|(entry, _)| entry).collect();
    souls.sort_by(compare);
    (Index { total: souls.len(), categories, contributors, generated_at: stamp(now), souls }, skipped)
}

fn compare(a: &Entry, b: &Entry) -> Ordering {
    sort_key(&a.display_name)
        .cmp(&sort_key(&b.display_name))
        .then_with(|| (&a.owner, &a.path).cmp(&(&b.owner, &b.path)))
}

/// A time as the builder writes it.
fn stamp(time: Time) -> String {
    Timestamp::from(time).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// When packages were last changed, if the registry is a git repository.
fn times(folder: &Path) -> Result<BTreeMap<String, i64>, Error> {
    let Some(repository) = Repository::open(folder)? else { return Ok(BTreeMap::new()) };
    match repository.commit("HEAD")? {
        Some(head) => repository.changed_at(&head),
        None => Ok(BTreeMap::new()),
    }
}

/// The entry of a package whose files are all read and scanned.
fn scanned(tree: &Tree, place: &Place) -> Made {
    let Some(contents) = tree.contents(place)? else { return Ok(None) };
    let Some(manifest) = contents.file("soul.json") else { return Ok(None) };
    listed(manifest, place, &|path: &str| contents.file(path).is_some(), Some(&contents))
}

/// The entry of a package, unless its manifest keeps it out.
fn listed(manifest: &[u8], place: &Place, has: &dyn Fn(&str) -> bool, contents: Option<&Contents>) -> Made {
    if manifest.len() > super::MAX_MANIFEST {
        return Err(Error::HugeManifest);
    }
    let invalid = |error: serde_json::Error| Error::BadManifest(error.to_string());
    let manifest: Map<String, Value> = serde_json::from_slice(manifest).map_err(invalid)?;
    if manifest.get("registry").and_then(|registry| registry["listed"].as_bool()) == Some(false) {
        return Ok(None);
    }
    described(&manifest, place, has, contents).map(Some)
}

fn described(
    manifest: &Map<String, Value>,
    place: &Place,
    has: &dyn Fn(&str) -> bool,
    contents: Option<&Contents>,
) -> Result<(Entry, bool), Error> {
    let text = |key: &'static str| match manifest.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Error::BadField(key, "it is not a string".to_owned())),
    };
    let author = match manifest.get("author") {
        Some(Value::Null) => return Err(Error::BadField("author", "it is null".to_owned())),
        Some(Value::Object(author)) => {
            let mut named = ["github", "name"].into_iter().filter_map(|key| author.get(key)?.as_str());
            named.find(|name| !name.is_empty()).map(str::to_owned)
        }
        _ => text("author")?,
    };
    let tags = manifest.get("tags").and_then(Value::as_array);
    let tags = tags.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let files = EntryFiles {
        manifest: true,
        soul: has("SOUL.md"),
        identity: has("IDENTITY.md"),
        style: has("STYLE.md"),
        agents: has("AGENTS.md"),
        readme: has("README.md"),
        rules: has("RULES.md"),
        heartbeat: has("HEARTBEAT.md"),
    };
    let report = contents.map(scan);
    if let Some(failed) = report.as_ref().and_then(|report| report.failed.as_deref()) {
        return Err(Error::Unscanned(failed.to_owned()));
    }
    let name = text("name")?.unwrap_or_else(|| place.name.clone());
    let category = text("category")?;
    let has_category = category.is_some();
    let flag = |value: Option<&Value>| value.and_then(Value::as_bool).unwrap_or_default();
    let entry = Entry {
        owner: place.owner.clone(),
        display_name: text("displayName")?.unwrap_or_else(|| name.clone()),
        name,
        version: text("version")?.unwrap_or_else(|| "1.0.0".to_owned()),
        description: text("description")?.unwrap_or_default(),
        category: category.unwrap_or_else(|| "general".to_owned()),
        author: author.unwrap_or_else(|| place.owner.clone()),
        license: text("license")?.unwrap_or_else(|| "MIT".to_owned()),
        tags,
        files,
        path: place.path(),
        kind: text("type")?.filter(|kind| kind == "pack"),
        deprecated: flag(manifest.get("deprecated")),
        superseded_by: text("supersededBy")?,
        featured: flag(manifest.get("registry").and_then(|registry| registry.get("featured"))),
        submitted_at: None,
        scan_grade: report.as_ref().map(soul_core::scan::Report::grade),
        scan_score: report.as_ref().map(soul_core::scan::Report::score),
    };
    Ok((entry, has_category))
}

impl Index {
    /// The text of `index.json`: two spaces, and no line end at the end, as the builder writes it.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Texts, numbers and lists: nothing that could fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads an index, and names the entries that cannot be used: those of another form, or with a name that no package
    /// can have.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, Vec<Skipped>), Error> {
        let bad = |error: serde_json::Error| Error::NotARegistry(super::tree::INDEX_FILE.to_owned(), error.to_string());
        let Raw { categories, contributors, generated_at, souls } = serde_json::from_slice(bytes).map_err(bad)?;
        let (mut entries, mut skipped) = (Vec::new(), Vec::new());
        for (number, soul) in souls.into_iter().enumerate() {
            let path = soul["path"].as_str().map_or_else(|| format!("entry {number}"), soul_core::text::visible);
            match serde_json::from_value::<Entry>(soul) {
                Ok(entry) => match super::PackageName::new(&entry.owner, &entry.name) {
                    Ok(_) => entries.push(entry),
                    Err(error) => skipped.push(Skipped { path, reason: error.to_string() }),
                },
                Err(error) => skipped.push(Skipped { path, reason: error.to_string() }),
            }
        }
        Ok((Self { total: entries.len(), categories, contributors, generated_at, souls: entries }, skipped))
    }
}

/// `index.json` of others: one bad entry is not the end of all.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    contributors: Vec<String>,
    #[serde(default)]
    generated_at: String,
    souls: Vec<Value>,
}
