//! Answers of models, recorded so that they can be given again without one. One file an answer, named
//! for the request that it answers: another prompt, question or model has another name. Neither prompt
//! nor key is in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::digest::RawDigest;

use crate::files;

/// One recorded answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cassette {
    /// Who was asked.
    pub(crate) model: String,
    /// What was asked.
    pub(crate) ask: String,
    /// The digest of the system message, which may hold what is nobody else's business.
    pub(crate) system: String,
    /// What was answered.
    pub(crate) answer: String,
}

/// The largest cassette that is read.
const LARGEST: u64 = 4 << 20;

/// Where the answer to a request is kept in a folder.
pub(crate) fn place(folder: &Path, request: &Value) -> PathBuf {
    // A `Value` has string keys and finite numbers only, which is all that could go wrong.
    let canonical = serde_json_canonicalizer::to_vec(request).unwrap_or_default();
    let name: String = RawDigest::of(&canonical).as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("{name}.json"))
}

/// The answer that is kept there; none if none is.
pub(crate) fn read(path: &Path) -> Result<Option<Cassette>, String> {
    let size = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err("it is not a file".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(files::plain(&error)),
    };
    if size > LARGEST {
        return Err(format!("it is larger than {} MiB", LARGEST >> 20));
    }
    let bytes = fs::read(path).map_err(|error| files::plain(&error))?;
    serde_json::from_slice(&bytes).map(Some).map_err(|_| "it is not JSON of the right shape".to_owned())
}

/// Keeps an answer.
pub(crate) fn write(path: &Path, cassette: &Cassette) -> io::Result<()> {
    fs::create_dir_all(files::folder_of(path))?;
    let mut text = serde_json::to_vec_pretty(cassette)?;
    text.push(b'\n');
    files::replace(path, &text)
}
