//! Errors of the engine, in our words.

use rusqlite::ErrorCode;

use super::Error;
use crate::store::Detail;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        // The engine's own words may hold the path of the file.
        let text = error.to_string();
        let text = text.split(": /").next().unwrap_or_default().to_owned();
        let code = error.sqlite_error_code();
        let reason = Detail::new(text, error);
        match code {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                Self::Busy
            }
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::SystemIoFailure) => Self::Disk(reason),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::ReadOnly(reason),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(reason),
            _ => Self::Failed(reason),
        }
    }
}
