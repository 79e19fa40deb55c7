//! The grade of an agent's files, remembered by what is in them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::scan::{self, File, Finding, Grade, Report, Trust};

use super::read::{Gathered, Group, ReadFile, gather, scan_files};
use crate::Keeper;
use crate::souls::{self, Target};

/// How a scan of an agent's files came out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graded {
    /// None where nothing could be scanned.
    pub(crate) grade: Option<Grade>,
    /// How many findings the gate refuses.
    pub(crate) refused: usize,
    /// The first of them.
    pub(crate) worst: Option<WorstFinding>,
}

/// A finding that the gate refuses, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorstFinding {
    /// Identifier of the rule.
    pub rule: String,
    /// What was found.
    pub message: String,
    /// The file, as it was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl Graded {
    /// Grades the files of an agent as `scan` does.
    pub(crate) fn of(keeper: &Keeper, target: &Target) -> Result<Self, souls::Error> {
        let Gathered { groups, error, .. } = gather(keeper, target)?;
        let read: Vec<Vec<ReadFile>> = groups.iter().map(Group::read).collect();
        let held = || read.iter().flatten().map(ReadFile::held);
        // What is not held in memory, or could not be read, has no digest to be remembered by.
        if error.is_some() || held().any(|file| file.is_none()) {
            return Ok(Self::new(&read, error.is_none()));
        }
        let chunks = held().flatten().flat_map(|File { path, bytes }| {
            [path.as_bytes().to_vec(), bytes.len().to_be_bytes().to_vec(), bytes.to_vec()]
        });
        keeper.grades.get(RawDigest::of_chunks(chunks), || Ok(Self::new(&read, true)))
    }

    fn new(read: &[Vec<ReadFile>], is_whole: bool) -> Self {
        let scan = |files: &[File<'_>]| scan::scan_as(files, Trust::Author);
        let mut report: Report = scan(&[]);
        for files in read {
            report.extend(scan_files(files, &scan).0);
        }
        report.sort();
        let refused = || report.findings.iter().filter(|finding| finding.is_confident_error());
        let has_files = read.iter().any(|files| !files.is_empty());
        Self {
            grade: (is_whole && has_files).then(|| report.grade()),
            refused: refused().count(),
            worst: refused().next().map(WorstFinding::new),
        }
    }
}

impl WorstFinding {
    fn new(finding: &Finding) -> Self {
        let Finding { rule, message, file, line, .. } = finding;
        Self { rule: rule.clone(), message: message.clone(), file: file.clone(), line: *line }
    }
}
