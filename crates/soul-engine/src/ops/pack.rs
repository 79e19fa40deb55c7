//! Pack a package into an archive.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::digest::{Digest, RawDigest};
use soul_core::formats::soulspec::Profile;
use soul_core::scan::{Finding, Grade};

use super::{Error, Hints, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::files;
use crate::registry::archive::{self, EXTENSION};
use crate::registry::{
    self, Contents, Key, Package, PackageName, PlannedFile, Version, publishing_problems, scan_problems, sign,
};

/// Pack a folder into an archive whose bytes depend on its files alone, with the SHA-256 of every file.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The folder: one of this machine, so it is never sent.
    #[serde(skip)]
    pub dir: PathBuf,
    /// The archive to write. Default: `NAME-VERSION.soul.tar.gz` in the working directory.
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Write nothing, and check what a registry requires: the publish profile and the scan.
    #[serde(default)]
    pub check: bool,
    /// Sign the checksums with this key of the home.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// What was packed, or checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PackedPackage")]
pub struct Response {
    /// The package.
    pub package: PackageName,
    /// Its version.
    pub version: Version,
    /// The archive; absent if it was only checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What names the content: the digest of the checksums of all files.
    pub digest: Digest,
    /// The digest of the archive's bytes; absent if it was only checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_digest: Option<RawDigest>,
    /// The size of the archive, or of the files if it was only checked.
    pub bytes: usize,
    /// Every file.
    pub files: Vec<PackedFile>,
    /// Hidden files, which are left out.
    pub skipped: Vec<String>,
    /// The key that signed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<Key>,
    /// The grade of the scan.
    pub grade: Grade,
    /// How many rules found nothing.
    pub score: usize,
    /// How many rules ran.
    pub total: usize,
    /// What the scanner found.
    pub findings: Vec<Finding>,
    /// What is wrong by the publish profile.
    pub diagnostics: Vec<Diagnostic>,
    /// What keeps it from being published; empty if nothing does.
    pub problems: Vec<String>,
    /// Whether it was only checked.
    pub checked: bool,
}

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedFile {
    /// Its path.
    pub path: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// Its size.
    pub bytes: usize,
}

impl From<&PlannedFile> for PackedFile {
    fn from(file: &PlannedFile) -> Self {
        Self { path: file.path.to_string(), sha256: file.sha256.clone(), bytes: file.bytes }
    }
}

/// Every file of a package with its checksum.
pub(super) fn packed_files(contents: &Contents) -> Vec<PackedFile> {
    let file = |(path, bytes): (&registry::PackagePath, &[u8])| PackedFile {
        path: path.to_string(),
        sha256: registry::sha256(bytes),
        bytes: bytes.len(),
    };
    contents.files().map(file).collect()
}

impl Operation for Request {
    const NAME: &'static str = "pack";
    const HINTS: Hints = Hints::ADD.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.check { Grant::Read } else { Grant::Write }
    }

    fn is_local(&self) -> bool {
        true
    }

    fn verdict(response: &Response) -> Verdict {
        if response.checked && !response.problems.is_empty() { Verdict::Failed } else { Verdict::Passed }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        if self.dir.as_os_str().is_empty() {
            return Err(registry::Error::NoPath.into());
        }
        // Checksums that are beside the files are of an earlier state.
        let contents = Contents::read_authored(&self.dir)?;
        let mut package = Package::read(contents, None, Profile::Publish)?;
        let mut problems = publishing_problems(&package);
        let report = package.scan();
        problems.extend(scan_problems(&report));
        let mut signed_by = None;
        if let Some(key) = &self.key {
            let (signature, public) = sign(context.keeper, key, &package)?;
            package.contents.sign(signature);
            signed_by = Some(public);
        }
        let mut response = Response {
            package: package.name.clone(),
            version: package.version,
            file: None,
            digest: package.contents.digest(),
            raw_digest: None,
            bytes: package.contents.bytes(),
            files: packed_files(&package.contents),
            skipped: package.contents.skipped().iter().cloned().collect(),
            signed_by,
            grade: report.grade(),
            score: report.score(),
            total: report.total(),
            findings: report.findings,
            diagnostics: package.diagnostics.clone(),
            problems,
            checked: self.check,
        };
        if self.check {
            return Ok(response);
        }
        let bytes = archive::write(&package.contents)?;
        let name = format!("{}-{}{EXTENSION}", package.name.name(), package.version);
        let out = self.out.unwrap_or_else(|| PathBuf::from(name));
        let shown = soul_core::text::visible(&out.to_string_lossy());
        files::replace(&out, &bytes).map_err(|error| registry::Error::Io(format!("`{shown}`"), error))?;
        response.raw_digest = Some(RawDigest::of(&bytes));
        response.bytes = bytes.len();
        response.file = Some(shown);
        Ok(response)
    }
}
