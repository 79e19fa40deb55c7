//! Errors of the engine, in our words.

use rusqlite::ErrorCode;

use super::{Error, Refusal};
use crate::store::Detail;
use crate::store::revision::Broken;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        // The engine's own words may hold the path of the file.
        let text = error.to_string();
        let text = text.split(": /").next().unwrap_or_default().to_owned();
        let (code, is_conversion) = (error.sqlite_error_code(), is_conversion(&error));
        let reason = Detail::new(text, error);
        match code {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                Self::Busy
            }
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::SystemIoFailure) => Self::Disk(reason),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::ReadOnly(reason),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(reason),
            _ if is_conversion => Self::Damaged(reason),
            _ => Self::Failed(reason),
        }
    }
}

/// Whether a column holds a value that we never write.
pub(super) fn is_conversion(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..))
}

impl From<Broken> for Error {
    fn from(Broken(id): Broken) -> Self {
        Self::Damaged(format!("the revision {id} has a value that no revision has").into())
    }
}

/// A stored word that we never write.
pub(super) fn unknown(what: &str, text: &str) -> Error {
    Error::Damaged(format!("{what} {} is unknown", soul_core::text::shown(text)).into())
}

/// Why a transaction is rolled back.
pub(super) enum Abort {
    /// It refuses.
    Refused(Refusal),
    /// It fails.
    Failed(Error),
}

impl From<Refusal> for Abort {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for Abort {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<rusqlite::Error> for Abort {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}
