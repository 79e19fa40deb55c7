//! One story over the operations, on each engine and wherever the texts are: nothing in it says on which it runs.

mod authoring;
mod events;
mod packages;
mod races;
mod recovery;
mod schemas;
mod work;

use std::fs;

use serde_json::{Value, json};
use soul_engine::Keeper;
use soul_engine::ops::{Error, Report};

use super::postgres::Server;
use super::{Home, assert_chain, send, tester};

const ONE: &str = "---\nrole: One\n---\nFirst body.\n";
const TWO: &str = "---\nrole: Two\n---\nSecond body.\n";

/// Where the store is, and where the texts of souls are. What differs between them is here and nowhere else.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Engine {
    Sqlite,
    /// Files, which keepers of one machine share.
    PostgresAndFiles,
    /// Three machines that share nothing but the database.
    PostgresAlone,
}

/// Keepers of one store.
struct Fleet {
    engine: Engine,
    homes: Vec<Home>,
    database: String,
}

impl Fleet {
    fn new(engine: Engine) -> Self {
        let homes: Vec<_> = match engine {
            Engine::PostgresAlone => (0..3).map(|_| Home(tempfile::tempdir().unwrap())).collect(),
            _ => vec![Home::new()],
        };
        let url = if engine == Engine::Sqlite { String::new() } else { Server::shared().database() };
        for home in &homes {
            match engine {
                Engine::Sqlite => {}
                Engine::PostgresAndFiles => home.config(&format!("[store]\nurl = \"{url}\"\n")),
                Engine::PostgresAlone => home.config(&format!("[store]\nurl = \"{url}\"\nsouls = \"database\"\n")),
            }
        }
        let database = url.rsplit('/').next().unwrap_or_default().to_owned();
        let fleet = Self { engine, homes, database };
        // Only then every engine has the agent: a directory is none where there are no files.
        fleet.ask(0, "write", json!({ "agent": "coder", "body": ONE, "create": true })).unwrap();
        fleet
    }

    /// A keeper that knows nothing but what is stored. With each number it may be on another machine.
    fn keeper(&self, number: usize) -> Keeper {
        self.homes[number % self.homes.len()].keeper()
    }

    fn ask(&self, number: usize, operation: &str, request: Value) -> Result<Value, Error> {
        send(&self.keeper(number), &tester(), operation, &request)
    }

    /// What a keeper says the text is.
    fn text(&self, number: usize) -> Option<String> {
        self.ask(number, "show", json!({ "agent": "coder" })).unwrap()["text"].as_str().map(str::to_owned)
    }

    /// Changes the text without a word to any keeper.
    fn change_outside(&self, text: &str) {
        match self.engine {
            Engine::Sqlite | Engine::PostgresAndFiles => fs::write(self.homes[0].soul(), text).unwrap(),
            Engine::PostgresAlone => {
                let statement = format!(
                    "UPDATE soul_texts SET body = convert_to('{text}', 'UTF8') \
                     WHERE name = 'coder' AND file = 'SOUL.md'"
                );
                Server::shared().psql(&self.database, &statement);
            }
        }
    }
}

/// The code of a refusal.
fn code(keeper: &Keeper, result: Result<Value, Error>) -> String {
    let Report { code, .. } = result.unwrap_err().report(keeper);
    code
}

fn story(engine: Engine) {
    let fleet = Fleet::new(engine);
    authoring::souls_are_changed_on_record(&fleet);
    authoring::changes_from_outside_are_adopted(&fleet);
    races::of_many_changes_to_one_text_one_is_made(&fleet);
    races::no_update_is_lost(&fleet);
    work::sessions_keep_the_soul_that_they_began_with(&fleet);
    work::every_task_is_claimed_once(&fleet);
    work::budgets_are_kept_to_by_all_together(&fleet);
    work::the_library_and_its_selection_are_shared(&fleet);
    work::a_token_counts_everywhere_until_it_is_revoked(&fleet);
    packages::a_package_is_used_and_taken_back(&fleet);
    recovery::any_keeper_ends_what_another_has_begun(&fleet);
    for number in 0..fleet.homes.len() {
        assert_chain(&fleet.keeper(number));
    }
}

#[test]
fn the_story_on_sqlite() {
    story(Engine::Sqlite);
}

#[test]
fn the_story_on_postgres_with_files() {
    story(Engine::PostgresAndFiles);
}

#[test]
fn the_story_on_postgres_alone() {
    story(Engine::PostgresAlone);
}

#[test]
fn a_memory_needs_files() {
    let fleet = Fleet::new(Engine::PostgresAlone);
    let search = json!({ "agent": "coder", "query": "tea" });
    assert_eq!(code(&fleet.keeper(0), fleet.ask(1, "memory.search", search)), "unsupported");
}
