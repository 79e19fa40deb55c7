//! Errors of the server, in our words.

use postgres::error::SqlState;

use crate::store::{Detail, Error};

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        let Some(db) = error.as_db_error() else {
            return match error.is_closed() {
                true => Self::Unavailable(Detail::new("the connection to the database was lost".to_owned(), error)),
                // What we send or read is wrong, or the connection broke in the middle of a message.
                false if is_transport(&error) => {
                    Self::Unavailable(Detail::new("the connection to the database failed".to_owned(), error))
                }
                false => Self::Failed(Detail::new(error.to_string(), error)),
            };
        };
        let (code, text) = (db.code().clone(), db.message().to_owned());
        let class = code.code().get(..2).unwrap_or_default().to_owned();
        let detail = Detail::new(text, error);
        match code {
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::UNIQUE_VIOLATION => {
                Self::Collided
            }
            SqlState::LOCK_NOT_AVAILABLE => Self::Busy,
            SqlState::DISK_FULL => Self::Full,
            SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::INSUFFICIENT_PRIVILEGE => Self::ReadOnly(detail),
            SqlState::TOO_MANY_CONNECTIONS => Self::Unavailable(detail),
            _ => match class.as_str() {
                // Connections that are lost, and servers that start or stop.
                "08" | "57" => Self::Unavailable(detail),
                "58" => Self::Disk(detail),
                "XX" => Self::Damaged(detail),
                _ => Self::Failed(detail),
            },
        }
    }
}

fn is_transport(error: &postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<std::io::Error>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Why no connection was made: the innermost cause says most.
pub(super) fn cause(error: &postgres::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    match cause.downcast_ref::<std::io::Error>() {
        Some(error) => crate::files::plain(error),
        None => cause.to_string(),
    }
}
