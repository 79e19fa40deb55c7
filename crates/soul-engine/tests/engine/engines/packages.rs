//! Packages wherever the texts of souls are.

use serde_json::{Value, json};

use super::{Engine, Fleet, ONE, Server, code};
use crate::packages::crashes::{Action, dies};
use crate::packages::{install_path, write_package};

/// What there is of the agent besides its text.
fn files(fleet: &Fleet) -> String {
    if fleet.engine == Engine::PostgresAlone {
        let statement =
            "SELECT file, md5(body) FROM soul_texts WHERE name = 'coder' AND body IS NOT NULL ORDER BY file";
        return Server::shared().psql(&fleet.database, statement);
    }
    format!("{:?}", fleet.homes[0].listed().0)
}

pub(super) fn a_package_is_used_and_taken_back(fleet: &Fleet) {
    let expected = fleet.ask(0, "show", json!({ "agent": "coder" })).unwrap()["raw_digest"].take();
    fleet.ask(0, "write", json!({ "agent": "coder", "body": ONE, "expected_digest": expected })).unwrap();
    let before = files(fleet);
    let package = "soulkeeper/code-reviewer";
    let plan = fleet.ask(0, "install", json!({ "package": package })).unwrap();
    fleet.ask(0, "install", json!({ "package": package, "plan_digest": plan["plan"]["digest"] })).unwrap();
    let used = fleet.ask(0, "use", json!({ "package": package, "agent": "coder" })).unwrap();
    let written: Vec<&str> = used["written"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(written.contains(&"STYLE.md") && written.contains(&"soul.json"), "{written:?}");
    // Every keeper has the soul, and reads it in its dialect.
    for number in 0..3 {
        let shown = fleet.ask(number, "show", json!({ "agent": "coder" })).unwrap();
        assert_eq!(shown["dialect"], "soulspec", "{number}");
        assert!(shown["text"].as_str().unwrap().starts_with("# Code Reviewer"), "{number}");
        let prompt = fleet.ask(number, "prompt", json!({ "agent": "coder" })).unwrap().to_string();
        assert!(prompt.contains("Address the code, not the author"), "{number}: STYLE.md is not in the prompt");
    }
    // A keeper elsewhere does not know what was there before, and says so.
    if fleet.homes.len() > 1 {
        assert_eq!(code(&fleet.keeper(1), fleet.ask(1, "restore", json!({ "agent": "coder" }))), "nothing_in_use");
    }
    fleet.ask(0, "restore", json!({ "agent": "coder" })).unwrap();
    assert_eq!(files(fleet), before);
    for number in 0..3 {
        assert_eq!(fleet.text(number).as_deref(), Some(ONE));
    }
    fleet.ask(0, "uninstall", json!({ "package": package })).unwrap();
}

#[test]
fn a_keeper_that_dies_leaves_old_or_new_in_the_database() {
    let (fleet, source) = (Fleet::new(Engine::PostgresAlone), tempfile::tempdir().unwrap());
    let home = fleet.homes[0].0.path();
    write_package(source.path(), "1.0.0", &[("hooks/bootstrap.md", "# Bootstrap\n\n1. Look.\n")]);
    install_path(&fleet.keeper(0), source.path()).unwrap();
    let using = || drop(fleet.ask(0, "use", json!({ "package": "lighthouse/pilot", "agent": "coder" })).unwrap());
    let restore = || drop(fleet.ask(0, "restore", json!({ "agent": "coder" })).unwrap());
    let old = files(&fleet);
    using();
    let new = files(&fleet);
    restore();
    assert!(old == files(&fleet) && old != new);
    for action in [Action::Use, Action::Restore] {
        for step in 0.. {
            if action == Action::Restore {
                using();
            }
            let has_died = dies(action, step, home, source.path());
            // Any command ends what was cut off.
            fleet.ask(0, "show", json!({ "agent": "coder" })).unwrap();
            let found = files(&fleet);
            assert!(found == old || found == new, "{action:?} is between at step {step}: {found}");
            if found == new {
                restore();
            }
            assert_eq!(files(&fleet), old, "{action:?} after step {step}");
            if !has_died {
                assert!(step > 4, "{action:?} has {step} steps");
                break;
            }
        }
    }
}
