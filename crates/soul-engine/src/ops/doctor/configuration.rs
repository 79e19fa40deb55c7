//! `config.toml` of the home and of the workspace.

use super::{Check, Group, PlacedSetting};
use crate::Keeper;
use crate::settings::{self, FILE, Origin, Setting, UnknownTable};
use crate::store::StoreUrl;

const CONFIGURATION: Group = Group::Configuration;

pub(super) fn check(keeper: &Keeper) -> Vec<Check> {
    let mut checks: Vec<Check> = settings::unknown_tables(&keeper.roots).iter().map(unknown).collect();
    checks.push(match keeper.settings_problem() {
        Some(problem) => CONFIGURATION.broken(
            "settings",
            problem,
            "fix the file; until then, commands that use the home refuse to run",
        ),
        None => CONFIGURATION.ok("settings", summary(keeper)),
    });
    checks
}

fn summary(keeper: &Keeper) -> String {
    let of = |origin| keeper.settings.origins.iter().filter(|said| said.origin == origin).count();
    match (of(Origin::Home), of(Origin::Workspace), of(Origin::Environment)) {
        (0, 0, 0) => "all settings have their defaults".to_owned(),
        (home, workspace, 0) => format!("settings: {home} from the home, {workspace} from the workspace"),
        (home, workspace, environment) => {
            format!(
                "settings: {home} from the home, {workspace} from the workspace, {environment} from the environment"
            )
        }
    }
}

/// A table that nothing reads, which is most often a misspelt one.
fn unknown(table: &UnknownTable) -> Check {
    let UnknownTable { origin, name, suggestion } = table;
    let help = match suggestion {
        Some(near) => format!("did you mean `[{near}]`?"),
        None => format!("the tables are {}", settings::TABLES.map(|table| format!("[{table}]")).join(", ")),
    };
    CONFIGURATION.warning("settings", format!("{FILE} of the {origin}: unknown table `[{name}]` is ignored"), help)
}

/// The settings that files set, with paths as users see them.
pub(super) fn shown(keeper: &Keeper) -> Vec<PlacedSetting> {
    let settings = values(keeper);
    let places = settings::places(&keeper.roots, settings.iter().map(|said| (&*said.key, said.origin)));
    let placed = settings.into_iter().zip(places).map(|(setting, place)| PlacedSetting {
        setting,
        line: place.as_ref().map(|place| place.line),
        file: place.map(|place| keeper.roots.shown(&place.path)),
    });
    placed.collect()
}

fn values(keeper: &Keeper) -> Vec<Setting> {
    let mut settings = keeper.settings.origins.clone();
    for said in settings.iter_mut().filter(|said| said.key == "discovery.roots") {
        let roots: Vec<_> = keeper.settings.discovery.roots.iter().map(|root| keeper.roots.shown(root)).collect();
        said.value = format!("{roots:?}");
    }
    for said in settings.iter_mut().filter(|said| said.key == "library.dir") {
        let folder = keeper.library_path().map(|folder| keeper.roots.shown(&folder)).unwrap_or_default();
        said.value = format!("{folder:?}");
    }
    if let Some(StoreUrl::Sqlite(path)) = &keeper.settings.store.url {
        for said in settings.iter_mut().filter(|said| said.key == "store.url") {
            said.value = format!("{:?}", keeper.roots.shown(path));
        }
    }
    settings
}
