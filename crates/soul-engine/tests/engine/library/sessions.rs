//! Which soul of the library a session runs on.

use session::{refresh, resume, start, stop};

use super::*;

fn start(keeper: &Keeper, agent: Option<&str>, soul: Option<&str>) -> Result<Session, Error> {
    let (agent, soul) = (agent.map(|name| name.parse().unwrap()), soul.map(|id| id.parse().unwrap()));
    run(keeper, start::Request { agent, soul }).map(|bound| bound.response.session)
}

/// A session without an agent, on the selected soul.
fn start_selected(keeper: &Keeper) -> Result<Session, Error> {
    start(keeper, None, None)
}

fn prompt(keeper: &Keeper, session: &Session, layer: prompt::Part) -> String {
    let subject = Subject::Session(session.id.clone());
    run(keeper, prompt::Request { layer, ..prompt::Request::new(subject) }).unwrap().text
}

fn identity(keeper: &Keeper, session: &Session) -> String {
    prompt(keeper, session, prompt::Part::Identity)
}

#[test]
fn a_session_runs_on_the_first_soul_of_the_chain_and_keeps_it() {
    let home = Home::new();
    let keeper = home.keeper();
    let built_in = start_selected(&keeper).unwrap();
    let source = built_in.soul_source.clone().unwrap();
    assert_eq!((source.reason, source.passed_over[0].id.as_str()), (Reason::BuiltIn, "default"));
    assert!(identity(&keeper, &built_in).contains("# Identity") && built_in.agent.is_none());

    add(&keeper, "Ops", "You are ops.").unwrap();
    drop_in(&home, "default.md", "---\nname: D\n---\nYou are the default.\n");
    let default = start_selected(&keeper).unwrap();
    assert_eq!(identity(&keeper, &default), "You are the default.");
    choose(&keeper, Some("ops")).unwrap();
    let selected = start_selected(&keeper).unwrap();
    assert_eq!(
        (identity(&keeper, &selected).as_str(), selected.soul_source.clone().unwrap().reason),
        ("You are ops.", Reason::Selected)
    );
    let requested = start(&keeper, None, Some("default")).unwrap();
    assert_eq!(requested.soul_source.clone().unwrap().reason, Reason::Requested);
    assert!(is_not_found(start(&keeper, None, Some("nope"))));
    assert!(matches!(start(&keeper, Some("coder"), Some("ops")), Err(Error::BadRequest(_))));

    // Whatever becomes of the library, after a restart too.
    change(&keeper, "ops", |request| request.content = Some("You are new.".into())).unwrap();
    choose(&keeper, None).unwrap();
    let keeper = home.keeper();
    run(&keeper, stop::Request { session_id: selected.id.clone() }).unwrap();
    let again = run(&keeper, resume::Request { session_id: selected.id.clone() }).unwrap();
    assert_eq!(again.session.soul_source, selected.soul_source);
    assert_eq!(identity(&keeper, &selected), "You are ops.");
    // Refreshing follows the chain as it is now, or the soul that was requested.
    let refresh = |session: &Session| {
        let request = refresh::Request { session_id: session.id.clone(), expected_digest: None };
        run(&keeper, request).map(|bound| bound.response.session)
    };
    assert_eq!(refresh(&selected).unwrap().soul_source.unwrap().id, "default");
    choose(&keeper, Some("ops")).unwrap();
    assert_eq!(refresh(&requested).unwrap().soul_source.unwrap().id, "default");
    assert_eq!(refresh(&built_in).unwrap().soul_source.unwrap().id, "ops");
    // An invalid soul has no session, however it was chosen.
    drop_in(&home, "ops.md", "broken");
    assert!(is_invalid(start_selected(&keeper)));
    assert!(is_invalid(refresh(&selected)));
    assert_eq!(run(&keeper, current::Request {}).unwrap().soul, None);
}

#[test]
fn an_agent_without_a_soul_runs_on_the_library_only_if_settings_say_so() {
    let home = Home::new();
    let keeper = home.keeper();
    add(&keeper, "Ops", "You are ops.").unwrap();
    choose(&keeper, Some("ops")).unwrap();
    let alone = start(&keeper, Some("coder"), None).unwrap();
    assert_eq!((alone.soul_digest, alone.soul_source), (None, None));
    home.config("[agents.soul]\nfallback = \"library\"\n");
    fs::write(home.agent().join("RULES.md"), "Never.\n").unwrap();
    let keeper = home.keeper();
    let session = start(&keeper, Some("coder"), None).unwrap();
    assert_eq!((session.agent.as_deref(), identity(&keeper, &session).as_str()), (Some("coder"), "You are ops."));
    assert_eq!(session.soul_source.unwrap().reason, Reason::Selected);
    fs::write(home.soul(), "You are yourself.\n").unwrap();
    assert_eq!(start(&keeper, Some("coder"), None).unwrap().soul_source, None);
    home.config("[agents.soul]\nenabled = false\nfallback = \"library\"\n");
    fs::remove_file(home.soul()).unwrap();
    assert_eq!(start(&home.keeper(), Some("coder"), None).unwrap().soul_digest, None);
}

#[test]
fn every_soul_of_the_library_makes_a_full_prompt() {
    let home = Home::new();
    let keeper = home.keeper();
    let full = |keeper: &Keeper, session: &Session| prompt(keeper, session, prompt::Part::Full);
    let built_in = start_selected(&keeper).unwrap();
    assert_eq!(built_in.soul_source.as_ref().unwrap().reason, Reason::BuiltIn);
    assert!(full(&keeper, &built_in).contains(identity(&keeper, &built_in).trim()));
    let ops = add(&keeper, "Ops", "You are ops.").unwrap();
    let session = start(&keeper, None, Some(ops.id.as_str())).unwrap();
    assert!(full(&keeper, &session).contains("You are ops."));
    // An agent that takes it brings the files beside it along.
    home.config("[agents.soul]\nfallback = \"library\"\n");
    fs::write(home.agent().join("RULES.md"), "Never guess.\n").unwrap();
    fs::write(home.agent().join("USER.md"), "Roberto.\n").unwrap();
    let keeper = home.keeper();
    choose(&keeper, Some("ops")).unwrap();
    let text = full(&keeper, &start(&keeper, Some("coder"), None).unwrap());
    assert!(["You are ops.", "Never guess.", "Roberto."].iter().all(|part| text.contains(part)), "{text}");
}
