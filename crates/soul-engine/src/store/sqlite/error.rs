//! What the engine says, in our words.

use rusqlite::ErrorCode;

use super::Error;
use crate::store::revision::Broken;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        // The engine's own words may hold the path of the file.
        let text = error.to_string();
        let text = text.split(": /").next().unwrap_or_default().to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                Self::Busy
            }
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::SystemIoFailure) => Self::Disk(text),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::ReadOnly(text),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(text),
            _ => Self::Failed(text),
        }
    }
}

impl From<Broken> for Error {
    fn from(Broken(id): Broken) -> Self {
        Self::Damaged(format!("the revision {id} does not hold what a revision holds"))
    }
}

/// A stored word that nobody wrote.
pub(super) fn unknown(what: &str, text: &str) -> Error {
    Error::Damaged(format!("{what} {} is unknown", soul_core::text::shown(text)))
}
