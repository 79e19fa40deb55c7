//! What installing a package would do, before it is done. The digest of the plan is the consent.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::diagnostics::{Diagnostic, Severity};
use soul_core::digest::Digest;
use soul_core::formats::soulspec::{Document, Profile};
use soul_core::scan::{Finding, Grade};

use super::capabilities::Capabilities;
use super::contents::hex;
use super::keys::{self, Signed, Trust};
use super::lock::{LOCAL, Locked, check_no_clash, folder_of, read_installed};
use super::source::Sourced;
use super::{Error, Package, PackageName, PackagePath, Version};
use crate::Keeper;

/// The worst grade that is installed or published.
pub(crate) const LEAST_GRADE: Grade = Grade::C;

/// What installing a package would do.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InstallPlan")]
pub struct Plan {
    /// The digest of everything below: who passes it on agrees to this plan and to no other.
    pub digest: Digest,
    /// The package.
    pub package: PackageName,
    /// Who publishes it.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The version that would be installed.
    pub version: Version,
    /// The version that is installed now.
    pub installed: Option<Version>,
    /// The version that the registry has now, if an earlier one is wanted.
    pub latest: Option<Version>,
    /// Whether exactly this is installed already, so that nothing would be done.
    pub unchanged: bool,
    /// The name that people see.
    pub display_name: String,
    /// What the soul is for.
    pub description: String,
    /// `persona`, or `pack` for a package with skills, tools, memory, rules or hooks.
    pub kind: String,
    /// Its licence, as an SPDX expression.
    pub license: String,
    /// Whether its author asks not to install it any more.
    pub deprecated: bool,
    /// The package to use instead.
    pub superseded_by: Option<String>,
    /// Where it comes from: a registry as it is configured, or `path:` and the name of a folder or an archive.
    pub source: String,
    /// The digest of the checksums of all files, as `soul pack` prints it.
    pub package_digest: Digest,
    /// The folder that the files go into, from the home.
    pub folder: String,
    /// Every file that would be written.
    pub files: Vec<PlannedFile>,
    /// Files of the installed version that the new one does not have.
    pub removed: Vec<String>,
    /// Files that would be overwritten: those of the same version, if they differ.
    pub overwritten: Vec<String>,
    /// Files of the source that are not installed: hidden ones.
    pub skipped: Vec<String>,
    /// What the package asks for.
    pub capabilities: Capabilities,
    /// What it asks for that the installed version did not; all of it if none is installed.
    pub new_capabilities: Capabilities,
    /// Whether it is signed, and by which key.
    pub signature: Signed,
    /// The grade of the scan.
    pub grade: Grade,
    /// How many rules found nothing.
    pub score: usize,
    /// How many rules ran.
    pub total: usize,
    /// What the scanner found.
    pub findings: Vec<Finding>,
    /// What is wrong with the manifest and the files that it names.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it cannot be installed; empty if it can.
    pub refused: Vec<String>,
}

/// A file that would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedFile {
    /// Its path in the package.
    pub path: PackagePath,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// Its size.
    pub bytes: usize,
    /// How it compares with the installed version.
    pub change: FileChange,
    /// Whether it would be executable. It never is.
    pub executable: bool,
}

/// How a file compares with the installed version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum FileChange {
    /// The installed version does not have it.
    New,
    /// It has other bytes.
    Changed,
    /// It is the same.
    Same,
}

impl Plan {
    /// The plan for a package, over what is installed.
    pub(crate) fn of(keeper: &Keeper, sourced: &Sourced, rows: &[Locked]) -> Result<Self, Error> {
        let Sourced { package, source, latest } = sourced;
        check_no_clash(rows, &package.name)?;
        let installed = rows.iter().find(|row| row.package == package.name);
        let home = keeper.home().ok_or(Error::NoHome)?;
        let contents = &package.contents;
        let old = installed.map(|row| read_installed(home, row));
        let old_files: BTreeMap<String, String> = match &old {
            Some(Ok(old)) => old.files().map(|(path, bytes)| (path.to_string(), hex(bytes))).collect(),
            _ => BTreeMap::new(),
        };
        let planned = |(path, bytes): (&PackagePath, &[u8])| {
            let sha256 = hex(bytes);
            let change = match old_files.get(path.as_str()) {
                None => FileChange::New,
                Some(old) if *old == sha256 => FileChange::Same,
                Some(_) => FileChange::Changed,
            };
            PlannedFile { path: path.clone(), sha256, bytes: bytes.len(), change, executable: false }
        };
        let files: Vec<PlannedFile> = contents.files().map(planned).collect();
        let is_same_version = installed.is_some_and(|row| row.version == package.version);
        let differing =
            files.iter().filter(|file| file.change == FileChange::Changed).map(|file| file.path.to_string());
        let overwritten = differing.filter(|_| is_same_version).collect();
        let removed = old_files.keys().filter(|path| contents.file(path).is_none()).cloned().collect();
        let capabilities = Capabilities::of(package);
        let before = old
            .and_then(Result::ok)
            .and_then(|old| Package::read(old, Some(package.name.owner()), Profile::Lenient).ok());
        let before = before.map(|before| Capabilities::of(&before)).unwrap_or_default();
        let trust = Trust::read(keeper)?;
        let signature = keys::verify(&trust, package.name.owner(), contents.signature(), &contents.sums())?;
        let report = package.scan();
        let manifest = package.manifest();
        // What the author says today counts for every version.
        let newest = latest.as_ref().map_or(manifest, Package::manifest);
        let is_deprecated = |manifest: &Document| manifest.value("deprecated").and_then(Value::as_bool) == Some(true);
        let package_digest = contents.digest();
        let is_whole = is_same_version
            && removed_none(&old_files, contents)
            && files.iter().all(|file| file.change == FileChange::Same);
        let mut plan = Self {
            digest: package_digest,
            package: package.name.clone(),
            owner: package.name.owner().to_owned(),
            name: package.name.name().to_owned(),
            version: package.version,
            installed: installed.map(|row| row.version),
            latest: latest.as_ref().map(|latest| latest.version),
            unchanged: is_whole && installed.is_some_and(|row| row.digest == package_digest),
            display_name: Some(package.text("displayName"))
                .filter(|name| !name.is_empty())
                .unwrap_or(package.name.name())
                .to_owned(),
            description: package.text("description").to_owned(),
            kind: if manifest.is_pack() { "pack" } else { "persona" }.to_owned(),
            license: package.text("license").to_owned(),
            deprecated: is_deprecated(manifest) || is_deprecated(newest),
            superseded_by: newest.text("supersededBy").or(manifest.text("supersededBy")).map(str::to_owned),
            source: source.clone(),
            package_digest,
            folder: folder_of(&package.name, package.version).to_string_lossy().replace('\\', "/"),
            files,
            removed,
            overwritten,
            skipped: contents.skipped().iter().cloned().collect(),
            new_capabilities: capabilities.beyond(&before),
            capabilities,
            signature,
            grade: report.grade(),
            score: report.score(),
            total: report.total(),
            refused: Vec::new(),
            diagnostics: package.diagnostics.clone(),
            findings: report.findings.clone(),
        };
        plan.refused = plan.reasons(report.failed.as_deref(), installed);
        plan.digest = plan.own_digest();
        Ok(plan)
    }

    /// Why it cannot be installed.
    fn reasons(&self, failed: Option<&str>, installed: Option<&Locked>) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some(failed) = failed {
            reasons.push(format!("it could not be scanned: {failed}"));
        }
        let confident = self.findings.iter().filter(|finding| finding.is_confident_error());
        reasons.extend(
            confident
                .map(|finding| format!("{}: {} ({}:{})", finding.rule, finding.message, finding.file, finding.line)),
        );
        if reasons.is_empty() && self.grade < LEAST_GRADE {
            reasons.push(format!("its grade is {}, and {LEAST_GRADE} is the least", self.grade));
        }
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        reasons.extend(errors.map(|diagnostic| diagnostic.message.clone()));
        if let Some(installed) = installed {
            // The same name from elsewhere may be another publisher's.
            let kind = |source: &str| if source.starts_with(LOCAL) { LOCAL.to_owned() } else { source.to_owned() };
            if kind(&installed.source) != kind(&self.source) {
                reasons.push(format!(
                    "{} is installed from `{}`, and this one comes from `{}`; uninstall it first if you trust that",
                    self.package, installed.source, self.source
                ));
            }
            if let Some(key) = installed.signature.as_ref().filter(|key| self.signature.key.as_ref() != Some(key)) {
                reasons.push(format!("the installed version is signed by {key}, and this one is not"));
            }
        }
        reasons
    }

    fn own_digest(&self) -> Digest {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(keys) = json.as_object_mut() {
            keys.shift_remove("digest");
        }
        // Texts, numbers and lists: nothing that could fail to be written.
        let canonical = serde_json_canonicalizer::to_vec(&json).unwrap_or_default();
        Digest::of([b"soul.plan.v1\n".as_slice(), &canonical])
    }
}

/// Whether no file of the installed version is gone from the new one.
fn removed_none(old: &BTreeMap<String, String>, contents: &super::Contents) -> bool {
    old.keys().all(|path| contents.file(path).is_some()) && !old.is_empty()
}
