use axum::extract::{Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use form_urlencoded::parse;
use soul_core::sigil::{Drawing, Rim, Shape, Theme};
use soul_engine::ops::diff::Side;
use soul_engine::ops::{Error, diff, library};
use soul_engine::souls;

use super::dispatch::{caller, parameter};
use crate::app::App;
use crate::failure::Failure;

/// Where the sigils are.
pub(super) const AGENT: &str = "/api/agents/{name}/sigil.svg";
pub(super) const LIBRARY: &str = "/api/v1/settings/agent/souls/{soulId}/sigil.svg";

/// The smallest and the largest drawing, in pixels, and the one where none is asked for.
const SIZES: std::ops::RangeInclusive<u16> = 8..=1024;
const SIZE: u16 = 64;

/// How a sigil is wanted.
struct Wanted {
    /// The text that it is drawn from.
    to: Side,
    /// The text that it is compared with, if it is.
    from: Option<Side>,
    size: u16,
    theme: Theme,
}

impl Wanted {
    fn read(parts: &Parts) -> Result<Self, Failure> {
        let mut wanted = Self { to: Side::File, from: None, size: SIZE, theme: Theme::Light };
        for (key, value) in parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            match (&*key, &*value) {
                ("revision_id", _) => wanted.to = value.into_owned().into(),
                ("from", _) => wanted.from = Some(value.into_owned().into()),
                ("size", text) => {
                    let size = text.parse().ok().filter(|size| SIZES.contains(size));
                    wanted.size = size.ok_or_else(|| Failure::bad_request("`size` is a number from 8 to 1024"))?;
                }
                ("theme", "light") => wanted.theme = Theme::Light,
                ("theme", "dark") => wanted.theme = Theme::Dark,
                ("theme", _) => return Err(Failure::bad_request("`theme` is `light` or `dark`")),
                (key, _) => return Err(Failure::bad_request(format!("there is no key `{key}`"))),
            }
        }
        Ok(wanted)
    }

    /// The two texts to compare; a sigil that is compared with nothing is compared with itself.
    fn sides(&self) -> (Option<Side>, Option<Side>) {
        (Some(self.from.as_ref().unwrap_or(&self.to).clone()), Some(self.to.clone()))
    }

    fn drawn(&self, name: &str, shape: Shape, found: &diff::Response) -> Response {
        let rim = match (found.to.present, found.to.digest) {
            (false, _) => Rim::Absent,
            (true, None) => Rim::Invalid,
            (true, Some(_)) => Rim::Plain,
        };
        let drawing = Drawing {
            name,
            shape,
            hue: found.hue,
            parts: &found.to.parts,
            rim,
            changed: self.from.as_ref().map(|_| &found.changed_parts[..]),
            size: self.size,
            theme: self.theme,
        };
        let headers =
            [(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox")];
        (headers, drawing.to_string()).into_response()
    }
}

/// The sigil of an agent's soul.
pub(super) async fn of_agent(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let (caller, name, wanted) =
        (caller(&parts)?, parameter(&mut parts).await?.unwrap_or_default(), Wanted::read(&parts)?);
    let bad = |error| Failure::of(&app.keeper.get(), Error::from(souls::Error::BadName(error)));
    let (from, to) = wanted.sides();
    let request = diff::Request { from, to, ..diff::Request::new(name.parse().map_err(bad)?) };
    Ok(wanted.drawn(&name, Shape::Agent, &app.ask(request, caller).await?))
}

/// The sigil of a soul of the library.
pub(super) async fn of_library(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let (caller, name, wanted) =
        (caller(&parts)?, parameter(&mut parts).await?.unwrap_or_default(), Wanted::read(&parts)?);
    let bad = |error: soul_engine::workspace::BadSoulId| {
        Failure::of(&app.keeper.get(), Error::from(souls::Error::from(error)))
    };
    let (from, to) = wanted.sides();
    let request = library::diff::Request { id: name.parse().map_err(bad)?, from, to, body: None };
    let found = app.ask(request, caller).await.map_err(|failure| failure.on(LIBRARY))?;
    Ok(wanted.drawn(&name, Shape::Library, &found))
}
