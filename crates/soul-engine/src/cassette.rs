//! Recorded answers of models, to be replayed without one. There is one file per answer, named for the digest
//! of the request: another prompt, question or model has another name. It holds neither the prompt nor a key.

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
    /// The model.
    pub(crate) model: String,
    /// The question.
    pub(crate) ask: String,
    /// The digest of the system message, which itself may be private.
    pub(crate) system: String,
    /// The answer.
    pub(crate) answer: String,
}

/// The largest cassette that is read.
const LARGEST: u64 = 4 << 20;

/// The path of the recorded answer to a request.
pub(crate) fn place(folder: &Path, request: &Value) -> PathBuf {
    // A `Value` has string keys and finite numbers only, which is all that could go wrong.
    let canonical = serde_json_canonicalizer::to_vec(request).unwrap_or_default();
    let name: String = RawDigest::of(&canonical).as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("{name}.json"))
}

/// Reads a recorded answer, if there is one.
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

/// Records an answer.
pub(crate) fn write(path: &Path, cassette: &Cassette) -> io::Result<()> {
    fs::create_dir_all(files::folder_of(path))?;
    let mut text = serde_json::to_vec_pretty(cassette)?;
    text.push(b'\n');
    files::replace(path, &text)
}
