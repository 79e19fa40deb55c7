//! Which dialect a soul is read in, and that no text of it decides once it is on record.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};
use soul_core::model::Dialect;
use soul_engine::Keeper;
use soul_engine::ops::{inspect, session, write};
use soul_engine::souls::Target;
use soul_engine::workspace::Roots;

use super::{Home, back, coder, look, put, run, writing};

const AGH: &str = "---\nrole: Reviewer\nconstraints: [Never push to main]\n---\nYou review.\n";
const PLAIN: &str = "# Ada\n\n## Tools\n\nUse them with care.\n";

fn taken(keeper: &Keeper, target: Target) -> (Option<Dialect>, String) {
    let soul = run(keeper, inspect::Request::new(target)).unwrap();
    (soul.dialect, soul.dialect_reason.unwrap_or_default())
}

fn in_dialect(text: &str, expected: Option<&str>, dialect: Dialect) -> write::Request {
    write::Request { dialect: Some(dialect), ..writing(text, expected) }
}

#[test]
fn a_text_without_a_record_shows_its_dialect() {
    let home = Home::new();
    fs::write(home.soul(), PLAIN).unwrap();
    let keeper = home.keeper();
    let (dialect, reason) = taken(&keeper, Target::Agent(coder()));
    assert_eq!((dialect, reason.as_str()), (Some(Dialect::Plain), "it has no frontmatter"));
    assert!(look(&keeper).valid);
    fs::write(home.soul(), AGH).unwrap();
    assert_eq!(taken(&keeper, Target::Agent(coder())).0, Some(Dialect::Agh));
}

#[test]
fn the_first_record_pins_it() {
    let home = Home::new();
    let keeper = home.keeper();
    let first = put(&keeper, AGH, None).unwrap();
    assert_eq!(first.revision.sealed.dialect, Some(Dialect::Agh));
    // As it was refused before: the text tries to be judged as a persona.
    let escaping = AGH.replace("role:", "avatar: {type: x}\ntools: [shell]\nrole:");
    fs::write(home.soul(), &escaping).unwrap();
    let soul = look(&keeper);
    assert_eq!((soul.dialect, soul.valid), (Some(Dialect::Agh), false));
    assert_eq!(soul.dialect_reason.as_deref(), Some("the agent's record pins it"));
    // A path to the same file is the same agent.
    for path in [home.soul(), home.agent()] {
        let soul = run(&keeper, inspect::Request::new(Target::Path(path))).unwrap();
        assert_eq!((soul.dialect, soul.valid), (Some(Dialect::Agh), false));
    }
    let raw = soul.raw_digest.unwrap().to_string();
    let refused = put(&keeper, PLAIN, Some(&raw)).unwrap_err().to_string();
    assert_eq!(refused, "the soul at `agents/coder/SOUL.md` is invalid");

    // Only a write that names a dialect changes it, and a rollback brings the old one back.
    let second = run(&keeper, in_dialect(PLAIN, Some(&raw), Dialect::Plain)).unwrap();
    assert_eq!((second.revision.sealed.dialect, look(&keeper).valid), (Some(Dialect::Plain), true));
    let digest = look(&keeper).digest.unwrap().to_string();
    back(&keeper, first.revision.sealed.id.as_str(), Some(&digest)).unwrap();
    let (dialect, reason) = taken(&keeper, Target::Agent(coder()));
    assert_eq!((dialect, reason.as_str()), (Some(Dialect::Agh), "the agent's record pins it"));
}

#[test]
fn a_path_into_another_workspace_is_that_agent() {
    let home = Home::new();
    let workspace = tempfile::tempdir().unwrap();
    let agent = workspace.path().join(".soul/agents/scout");
    fs::create_dir_all(&agent).unwrap();
    let inside = || {
        let (workspace, home) = (Some(workspace.path().to_path_buf()), Some(home.0.path().to_path_buf()));
        Keeper::open(Roots { workspace, home, user: None }).unwrap()
    };
    let request = json!({ "agent": "scout", "body": AGH });
    super::send(&inside(), &super::tester(), "write", &request).unwrap();
    fs::write(agent.join("SOUL.md"), "---\nname: Z\nhexaco: {}\ntools: [bash]\n---\n# Z\n").unwrap();
    // The keeper below has no workspace: the command was run elsewhere.
    for path in [agent.clone(), agent.join("SOUL.md")] {
        let soul = run(&home.keeper(), inspect::Request::new(Target::Path(path))).unwrap();
        assert_eq!((soul.dialect, soul.valid), (Some(Dialect::Agh), false));
    }
    let foreign = workspace.path().join(".agh/agents/guide");
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("SOUL.md"), "---\ntools: [bash]\n---\n## Tools\n").unwrap();
    let soul = run(&home.keeper(), inspect::Request::new(Target::Path(foreign))).unwrap();
    assert_eq!((soul.dialect, soul.valid), (Some(Dialect::Agh), false));
}

#[test]
fn a_persona_beside_a_pinned_soul_is_not_its_text() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, AGH, None).unwrap();
    fs::rename(home.soul(), home.agent().join("old")).unwrap();
    fs::write(home.agent().join("persona.json"), "{\"id\": \"a\", \"name\": \"A\"}").unwrap();
    assert!(!look(&keeper).valid);
}

#[test]
fn the_first_session_pins_it_too() {
    let home = Home::new();
    fs::write(home.soul(), PLAIN).unwrap();
    let keeper = home.keeper();
    let start: session::start::Request = serde_json::from_value(json!({ "agent": "coder" })).unwrap();
    run(&keeper, start).unwrap();
    fs::write(home.soul(), AGH).unwrap();
    let (dialect, reason) = taken(&keeper, Target::Agent(coder()));
    assert_eq!((dialect, reason.as_str()), (Some(Dialect::Plain), "the agent's record pins it"));
}

#[test]
fn settings_come_after_the_record_and_before_the_text() {
    let home = Home::new();
    fs::write(home.soul(), PLAIN).unwrap();
    home.config("[agents.soul]\ndialect = \"agh\"\n");
    let (dialect, reason) = taken(&home.keeper(), Target::Agent(coder()));
    assert_eq!((dialect, reason.as_str()), (Some(Dialect::Agh), "`[agents.soul] dialect` says so"));
    run(&home.keeper(), in_dialect(PLAIN, Some(&raw(&home.keeper())), Dialect::Plain)).unwrap();
    assert_eq!(taken(&home.keeper(), Target::Agent(coder())).0, Some(Dialect::Plain));
    home.config("[agents.soul]\ndialect = \"auto\"\n");
    assert_eq!(taken(&home.keeper(), Target::Agent(coder())).0, Some(Dialect::Plain));
    home.config("[agents.soul]\ndialect = \"morse\"\n");
    let roots = Roots { workspace: None, home: Some(home.0.path().to_path_buf()), user: None };
    assert!(Keeper::open(roots).err().unwrap().to_string().contains("unknown dialect `morse`"));
}

fn raw(keeper: &Keeper) -> String {
    look(keeper).raw_digest.unwrap().to_string()
}

#[test]
fn a_folder_called_souls_is_a_library_only_if_it_is_the_library() {
    let home = Home::new();
    let (library, other) = (home.0.path().join("souls"), home.0.path().join("elsewhere/souls"));
    for folder in [&library, &other] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("ada.md"), "# Ada\n\nKind.\n").unwrap();
    }
    let keeper = home.keeper();
    let (dialect, reason) = taken(&keeper, Target::Path(library.join("ada.md")));
    assert_eq!((dialect, reason.as_str()), (Some(Dialect::Dagu), "it is in the library"));
    assert_eq!(taken(&keeper, Target::Path(other.join("ada.md"))).0, Some(Dialect::Plain));
}

/// What memory and user bring is not who the agent is.
#[test]
fn a_digest_names_who_an_agent_is() {
    for soul in [PLAIN, "---\nname: Ada\nagentId: ada\n---\nYou are Ada.\n"] {
        let home = Home::new();
        let keeper = home.keeper();
        put(&keeper, soul, None).unwrap();
        let before = look(&keeper).digest;
        for (path, text) in [
            ("MEMORY.md", "- Likes tea\n"),
            ("USER.md", "Her name is Bea.\n"),
            ("README.md", "About.\n"),
            ("HEARTBEAT.md", "Every hour.\n"),
            ("memory/2026-11-16.md", "- Tea\n"),
            ("memory/runtime/context.md", "now\n"),
        ] {
            let path = home.agent().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(look(&keeper).digest, before, "{soul}");
        let after = put(&keeper, &format!("{soul}\nMore.\n"), Some(&before.unwrap().to_string())).unwrap();
        let mut seen = vec![before, after.soul.digest];
        for (path, text) in [
            ("IDENTITY.md", "- Name: Ada\n"),
            ("STYLE.md", "Short.\n"),
            ("AGENTS.md", "Test first.\n"),
            ("RULES.md", "## Must Never\n- Lie\n"),
            ("TOOLS.md", "- git\n"),
            ("examples/good-outputs.md", "Fine.\n"),
            ("examples/more.md", "Fine.\n"),
            ("skills/review/SKILL.md", "---\nname: review\ndescription: d\n---\n"),
            ("tools/search.yaml", "name: search\n"),
            ("hooks/bootstrap.md", "Hello.\n"),
        ] {
            let path = home.agent().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let digest = look(&keeper).digest;
            assert!(!seen.contains(&digest), "{} of {soul}", path.display());
            seen.push(digest);
        }
    }
}

#[test]
fn memory_does_not_stand_in_the_way_of_a_write() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, PLAIN, None).unwrap();
    let seen = look(&keeper).digest.unwrap().to_string();
    super::send(&keeper, &super::tester(), "memory.add", &json!({ "agent": "coder", "text": "Likes tea" })).unwrap();
    put(&keeper, "# Ada\n\nAnother.\n", Some(&seen)).unwrap();
}

#[test]
fn a_session_is_behind_when_an_authored_file_is_another() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, PLAIN, None).unwrap();
    let start: session::start::Request = serde_json::from_value(json!({ "agent": "coder" })).unwrap();
    let id = run(&keeper, start).unwrap().response.session.id.to_string();
    let behind = || {
        super::send(&keeper, &super::tester(), "session.show", &json!({ "session_id": id })).unwrap()["behind"].clone()
    };
    assert_eq!(behind(), json!(false));
    fs::write(home.agent().join("MEMORY.md"), "- Likes tea\n").unwrap();
    fs::write(home.agent().join("USER.md"), "Bea\n").unwrap();
    assert_eq!(behind(), json!(false));
    fs::write(home.agent().join("TOOLS.md"), "- git\n").unwrap();
    assert_eq!(behind(), json!(true));
    super::send(&keeper, &super::tester(), "session.refresh", &json!({ "session_id": id })).unwrap();
    assert_eq!(behind(), json!(false));
    fs::write(home.soul(), [0xff]).unwrap();
    assert_eq!(behind(), json!(true));
    fs::remove_dir_all(home.agent()).unwrap();
    assert_eq!(behind(), json!(null));
}

fn frontmatter() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("avatar: {type: x}"),
        Just("hexaco: {openness: 0.9}"),
        Just("agentId: other"),
        Just("name: Other"),
        Just("description: d"),
        Just("tools: [shell]"),
        Just("principles: [p]"),
        Just("tags: [t]"),
        Just("persona: {}"),
        Just("x: ["),
    ];
    prop::collection::vec(key, 0..4).prop_map(|keys| keys.join("\n") + "\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_text_changes_the_dialect_of_a_recorded_soul(
        first in prop::sample::select(vec![
            (AGH, Dialect::Agh),
            (PLAIN, Dialect::Plain),
            ("---\nname: Ada\nhexaco: {openness: 0.5}\n---\nYou are Ada.\n", Dialect::Agentos),
            ("---\nname: Ada\ndescription: d\n---\nYou are Ada.\n", Dialect::Dagu),
        ]),
        keys in frontmatter(),
        sections in prop::collection::vec(
            prop::sample::select(vec!["## Rules\n", "## Tools\n", "## Handoffs\n", "## Personality\n", "---\n", "{\"id\": 1}\n"]), 0..6),
        prose in "\\PC{0,60}",
    ) {
        let home = Home::new();
        let keeper = home.keeper();
        let (text, dialect) = first;
        put(&keeper, text, None).unwrap();
        let added = match text.strip_prefix("---\n") {
            Some(rest) => format!("---\n{keys}{rest}{}{prose}", sections.concat()),
            None => format!("---\n{keys}---\n{}{text}{prose}", sections.concat()),
        };
        for text in [added.as_str(), prose.as_str(), &sections.concat()] {
            fs::write(home.soul(), text).unwrap();
            let targets = [
                json!({ "agent": "coder" }),
                json!({ "agent": "coder", "body": text }),
            ];
            for target in targets {
                let soul = super::send(&keeper, &super::tester(), "inspect", &target).unwrap();
                prop_assert_eq!(&soul["dialect"], &Value::from(dialect.as_str()));
            }
            for path in [home.soul(), home.agent()] {
                prop_assert_eq!(taken(&keeper, Target::Path(path)).0, Some(dialect));
            }
        }
    }
}
