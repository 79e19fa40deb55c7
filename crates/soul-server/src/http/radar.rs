use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use soul_core::persona::radar;
use soul_engine::ops::{Error, persona};
use soul_engine::souls;
use soul_engine::workspace::AgentName;

use super::dispatch::{caller, parameter};
use crate::app::App;
use crate::failure::Failure;

/// An agent's traits as a drawing, baseline and effective.
pub(super) async fn drawing(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let (caller, name) = (caller(&parts)?, parameter(&mut parts).await?.unwrap_or_default());
    let bad = |error| Failure::of(&app.keeper.get(), Error::from(souls::Error::BadName(error)));
    let agent: AgentName = name.parse().map_err(bad)?;
    let persona = app.ask(persona::show::Request { agent }, caller).await?;
    let drawn = radar(&name, &persona.baseline, &persona.effective);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response())
}
