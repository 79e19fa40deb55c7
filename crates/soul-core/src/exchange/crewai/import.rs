use serde_json::{Map, Value};

use super::read::{TEXTS, read};
use crate::exchange::compose::Composer;
use crate::exchange::import::{Imported, Refusal, bytes, file_of};
use crate::runtimes::{Files, Node, base_name};

const NAMES: [&str; 3] = ["agents.yaml", "config/agents.yaml", "agents.yml"];

pub(crate) fn is_agents(files: &dyn Files, path: &str) -> bool {
    let (file, _) = split(files, path);
    matches!(base_name(file), "agents.yaml" | "agents.yml")
        || (files.node(file) == Node::Folder && file_of(files, file, &NAMES).is_ok())
}

/// `FILE#AGENT` names one agent of a file.
fn split<'a>(files: &dyn Files, path: &'a str) -> (&'a str, Option<&'a str>) {
    match path.rsplit_once('#') {
        Some((file, agent)) if files.node(path) == Node::Missing => (file, Some(agent)),
        _ => (path, None),
    }
}

pub(crate) fn import(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let (file, agent) = split(files, path);
    let file = file_of(files, file, &NAMES)?;
    let bytes = bytes(files, &file)?;
    let all = read(&bytes, "", &Map::new());
    let refuse = |message: String, reading: &Value| Refusal { message, reading: reading.clone() };
    if let Some(class) = all["load_error"].as_str() {
        return Err(refuse(format!("CrewAI cannot load this file: {class}"), &all));
    }
    let agents = all["loaded"].as_object().cloned().unwrap_or_default();
    let is_agent = |value: &Value| TEXTS.iter().any(|key| value.get(key).is_some());
    let names: Vec<&String> = agents.iter().filter(|(_, value)| is_agent(value)).map(|(name, _)| name).collect();
    let name = match (agent, names.as_slice()) {
        (Some(agent), _) => agent,
        (None, [name]) => name.as_str(),
        (None, []) => return Err(refuse("the file has no agent".to_owned(), &all)),
        (None, several) => {
            let named = several.iter().map(|name| format!("#{name}")).collect::<Vec<_>>().join(", ");
            let message = format!("the file has several agents: add one of {named} to its path");
            return Err(refuse(message, &all));
        }
    };
    let reading = read(&bytes, name, &Map::new());
    if let Some(error) = reading["error"].as_str() {
        let fields = reading["fields"].as_array().into_iter().flatten().filter_map(|field| field[0].as_str());
        let fields = fields.collect::<Vec<_>>().join(", ");
        let about = if fields.is_empty() { String::new() } else { format!(" ({fields})") };
        return Err(refuse(format!("CrewAI does not accept the agent `{name}`: {error}{about}"), &reading));
    }
    let text = |key: &str| reading["out"][key].as_str().unwrap_or_default();
    let (role, backstory) = (text("role"), text("backstory"));
    let mut soul = Composer::new(role, Some(backstory).filter(|text| crate::exchange::is_said(role, text)));
    soul.passage("Background", backstory);
    soul.passage("Goal", text("goal"));
    let mut imported = Imported::text(soul.finish());
    imported.card(Some(role), None);
    imported.name = Some(name.replace('_', "-"));
    for key in agents.get(name).and_then(Value::as_object).into_iter().flat_map(Map::keys) {
        if !TEXTS.contains(&key.as_str()) {
            imported.leave(format!("`{key}`"), "it configures CrewAI, not who the agent is");
        }
    }
    for other in names.iter().filter(|other| other.as_str() != name) {
        imported.leave(format!("the agent `{other}`"), "another agent was named");
    }
    imported.reading = reading;
    Ok(imported)
}
