//! Why a request was not done, as every transport reports it: a status, and the error object.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use soul_engine::ops::{Cause, Error, Report};
use soul_engine::{Caller, Grant, Keeper};

use crate::http::DAGU;

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    report: Box<Report>,
    /// Whether it goes to a command that asked through `/api/ops`, which shows it as its own.
    cause: bool,
    /// Whether it goes to a client of Dagu's routes, which looks for `code` and `message` at the top.
    dagu: bool,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let report = Report { code: code.to_owned(), message: message.into(), ..Report::default() };
        Self { status, report: Box::new(report), cause: false, dagu: false }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// The service is going down, or an operation panicked.
    pub(crate) fn gone() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the request failed unexpectedly; try again")
    }

    /// Too many requests of the same kind, or of the same client, are under way.
    pub(crate) fn overloaded() -> Self {
        let message = "too many requests are waiting; nothing was done";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", message).hint("try again in a moment")
    }

    /// An operation was not done.
    pub(crate) fn of(keeper: &Keeper, error: Error) -> Self {
        Self::from(error.report(keeper))
    }

    /// The caller lacks a grant.
    pub(crate) fn denied(caller: &Caller, grant: Grant) -> Self {
        let error = Error::denied(caller, grant);
        let fault = error.fault();
        let mut failure = Self::new(StatusCode::FORBIDDEN, fault.code, error.to_string());
        failure.report.hint = fault.hint.map(Into::into);
        failure
    }

    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.report.hint = Some(hint.to_owned());
        self
    }

    pub(crate) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The same for a command that shows it as its own.
    pub(crate) fn with_cause(self) -> Self {
        Self { cause: true, ..self }
    }

    /// The same for clients of this path.
    pub(crate) fn on(self, path: &str) -> Self {
        Self { dagu: path.starts_with(DAGU), ..self }
    }

    pub(crate) fn message(&self) -> &str {
        &self.report.message
    }

    /// The error object.
    pub(crate) fn error(&self) -> Value {
        let mut error = json!(self.report);
        if self.cause {
            let Report { kind, sources, .. } = &*self.report;
            error["cause"] = json!(Cause { kind: *kind, sources: sources.clone() });
        }
        error
    }

    /// The error object, with the invalid soul in it: where nothing can stand beside it.
    pub(crate) fn error_with_soul(&self) -> Value {
        let mut error = self.error();
        if let Some(soul) = &self.report.soul {
            error["soul"] = json!(soul);
        }
        error
    }

    /// The one of [`DAGU_CODES`] that says the same.
    fn dagu_code(&self) -> &'static str {
        match (self.status.as_u16(), self.report.code.as_str()) {
            (401, _) => "unauthorized",
            (403, _) => "forbidden",
            (404, _) => "not_found",
            (409, "soul_id_taken" | "soul_name_taken") => "already_exists",
            (500.., _) => "internal_error",
            _ => "bad_request",
        }
    }
}

/// The codes of Dagu's API that its clients may get here.
pub(crate) const DAGU_CODES: [&str; 6] =
    ["already_exists", "bad_request", "forbidden", "internal_error", "not_found", "unauthorized"];

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        let status = StatusCode::from_u16(report.kind.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        Self { status, report: Box::new(report), cause: false, dagu: false }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.error() });
        if self.dagu {
            body["code"] = self.dagu_code().into();
            body["message"] = self.message().into();
        }
        // An invalid soul and what is wrong with it stand beside the error, where clients of the seed look.
        if let Some(soul) = &self.report.soul {
            body["soul"] = json!(soul);
            body["diagnostics"] = json!(soul.diagnostics);
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
