//! Why a request was not done, as every transport tells it: a status, a code, a sentence.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use soul_engine::ops::payload::Soul;
use soul_engine::ops::{Error, Kind};
use soul_engine::{Keeper, library, store};

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// More keys of the error object.
    pub(crate) more: Map<String, Value>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), more: Map::new() }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// The service is going down, or an operation ended in a way that it must not.
    pub(crate) fn gone() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the keeper could not finish this; try again")
    }

    /// Why an operation was not done; an invalid soul goes along whole.
    pub(crate) fn of(keeper: &Keeper, error: Error) -> Self {
        let soul = match &error {
            Error::Invalid(soul) => Some(json!(Soul::invalid(keeper, (**soul).clone()))),
            _ => None,
        };
        let mut failure = Self::from(error);
        failure.more.extend(soul.map(|soul| ("soul".to_owned(), soul)));
        failure
    }

    /// The error object.
    pub(crate) fn error(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(error) = error.as_object_mut() {
            error.extend(self.more.clone());
        }
        error
    }
}

/// What went wrong before there was a soul to tell of.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            // The route is there; what the body asks for is not.
            _ if matches!(error, Error::Library(library::Error::SelectedNotFound(_))) => StatusCode::BAD_REQUEST,
            Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::Usage => StatusCode::BAD_REQUEST,
            Kind::Conflict => StatusCode::CONFLICT,
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::Unable => match &error {
                Error::AgentUnreadable(..) => StatusCode::UNPROCESSABLE_ENTITY,
                Error::ForeignAgent(_)
                | Error::TooLargeToAdopt(_)
                | Error::Library(library::Error::TooLargeToAdopt(_)) => StatusCode::CONFLICT,
                Error::Store(store::Error::Full) => StatusCode::INSUFFICIENT_STORAGE,
                _ => StatusCode::SERVICE_UNAVAILABLE,
            },
        };
        let mut failure = Self::new(status, error.code(), error.to_string());
        match error {
            Error::Conflict { current_digest, .. } => {
                failure.more.insert("current_digest".to_owned(), current_digest.into());
            }
            Error::MoodNotAllowed(_, allowed) => {
                failure.more.insert("allowed".to_owned(), allowed.into());
            }
            Error::Poisoned(_, report) => {
                failure.more.insert("findings".to_owned(), json!(report.findings));
            }
            Error::Invalid(soul) => {
                failure.more.insert("diagnostics".to_owned(), json!(soul.diagnostics));
            }
            _ => {}
        }
        failure
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.error() });
        // An invalid soul stands beside its error too, where whoever validates looks for it.
        if let Some(body) = body.as_object_mut() {
            let soul = body.get_mut("error").and_then(|error| error.as_object_mut()?.remove("soul"));
            body.extend(soul.map(|soul| ("soul".to_owned(), soul)));
            body.extend(self.more.get("diagnostics").map(|found| ("diagnostics".to_owned(), found.clone())));
        }
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
