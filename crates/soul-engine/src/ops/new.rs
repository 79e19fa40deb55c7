//! Create an agent from a template.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use soul_core::model::Dialect;
use soul_core::templates::{self, Template, template, templates};
use soul_core::text::closest;

use super::{Error as OpError, Hints, Operation, write};
use crate::authoring::{self, Change, Intent};
use crate::caller::Grant;
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::{NonBlank, given};
use crate::files::SOUL_FILE;
use crate::registry::{self, PackageName, PackageRange};
use crate::store::Message;
use crate::workspace::AgentName;

/// Create an agent with a soul to begin with. The soul is recorded like any other change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The name of the new agent.
    pub agent: AgentName,
    /// The dialect to write its soul in. Default: `plain`, or the template's own.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// What to begin with. Default: `starter`.
    #[serde(default)]
    pub template: TemplateName,
    /// A package of a registry to begin with, in place of a template. Its files are copied; it is not installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PackageRange>,
    /// Why the agent is created (recorded).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Why to write the text even if the scanner refuses it, for example because of the name (recorded).
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub force: Option<NonBlank>,
}

/// The agent that was created.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NewAgent")]
pub struct Response {
    /// Its name.
    pub agent: AgentName,
    /// The template that it began with; absent if it began with a package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateName>,
    /// The package that it began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PackageName>,
    /// The files that were written, relative to the agent's directory.
    pub files: Vec<String>,
    /// Its soul, and the record of that.
    #[serde(flatten)]
    pub change: write::Response,
}

/// The name of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateName(&'static str);

impl Default for TemplateName {
    fn default() -> Self {
        Self(templates::DEFAULT)
    }
}

impl fmt::Display for TemplateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// No template has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no template `{name}`{}", .meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default())]
pub struct UnknownTemplate {
    name: String,
    meant: Option<&'static str>,
}

impl FromStr for TemplateName {
    type Err = UnknownTemplate;

    fn from_str(name: &str) -> Result<Self, UnknownTemplate> {
        let unknown = || UnknownTemplate {
            name: name.to_owned(),
            meant: closest(name, templates().into_iter().map(|template| template.name)),
        };
        template(name).map(|template| Self(template.name)).ok_or_else(unknown)
    }
}

impl Serialize for TemplateName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for TemplateName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for TemplateName {
    fn schema_name() -> Cow<'static, str> {
        "TemplateName".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = templates().into_iter().map(|template| template.name).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

/// The template cannot be written in this dialect.
#[derive(Debug, thiserror::Error)]
#[error("the template `{template}` is always written in {dialect}")]
pub struct Error {
    template: TemplateName,
    dialect: Dialect,
}

impl Error {
    pub(super) fn fault() -> Fault {
        Fault::new(Kind::Usage, "bad_dialect", "leave the dialect out, or choose another template")
    }
}

impl Request {
    /// An agent of this name, from the starter.
    #[must_use]
    pub fn new(agent: AgentName) -> Self {
        Self { agent, dialect: None, template: TemplateName::default(), from: None, message: None, force: None }
    }
}

impl TemplateName {
    /// The files that this template makes in a dialect, and that dialect.
    ///
    /// # Errors
    /// When the template is always written in another dialect.
    pub fn files(self, name: &str, dialect: Option<Dialect>) -> Result<(Dialect, Files), Error> {
        let template: Template = template(self.0).unwrap_or_else(|| templates()[0]);
        let dialect = match (template.dialect(), dialect) {
            (Some(own), Some(other)) if own != other => return Err(Error { template: self, dialect: own }),
            (own, asked) => own.or(asked).unwrap_or(Dialect::Plain),
        };
        let files = template.files(name, dialect).into_iter();
        Ok((dialect, files.map(|(path, text)| (path.to_owned(), text)).collect()))
    }
}

/// Texts by their path.
pub type Files = std::collections::BTreeMap<String, String>;

impl Operation for Request {
    const NAME: &'static str = "new";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let (keeper, name) = (context.keeper, &self.agent);
        let (dialect, files, from) = match &self.from {
            Some(wanted) => {
                let (package, files) = registry::starting_files(keeper, wanted, context.progress)?;
                (Dialect::Soulspec, files, Some(package))
            }
            None => {
                let (dialect, files) = self.template.files(name.as_str(), self.dialect)?;
                (dialect, files, None)
            }
        };
        let soul = files.get(SOUL_FILE).cloned().unwrap_or_default();
        let companions: Vec<_> = files.iter().filter(|(path, _)| *path != SOUL_FILE).collect();
        let change = Change {
            dialect: Some(dialect),
            message: self.message,
            force: self.force,
            ..Change::new(Intent::Put(soul.into_bytes()), context.author(Self::NAME))
        };
        let applied = authoring::create(keeper, name, &companions, change)?;
        let files = files.into_keys().collect();
        let change = write::Response::new(keeper, applied);
        let template = from.is_none().then_some(self.template);
        Ok(Response { agent: self.agent, template, from, files, change })
    }
}
