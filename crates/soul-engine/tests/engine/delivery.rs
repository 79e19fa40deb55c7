//! What a delivery may read.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use soul_engine::ops::deliver;
use soul_engine::souls::Target;

use super::{Home, coder, put, run};

fn request(target: Target) -> deliver::Request {
    deliver::Request {
        target,
        runtime: Some("codex".to_owned()),
        session_kind: None,
        all: false,
        at: None,
        window: None,
        set: Default::default(),
        fail_on: None,
        dialect: None,
    }
}

fn headings(home: &Home, request: deliver::Request) -> Vec<String> {
    let response = run(&home.keeper(), request).unwrap();
    response.delivery.unwrap().sections.into_iter().filter_map(|section| section.heading).collect()
}

/// An agent may be named by any client; a path only by a user, who can read what it leads to.
#[test]
fn a_link_out_of_an_agents_folder_is_not_followed_for_a_client() {
    let home = Home::new();
    put(&home.keeper(), "# Ada\n\nGuides ships.\n", None).unwrap();
    let outside = home.0.path().join("outside.md");
    fs::write(&outside, "# Private\n\nDo not show.\n").unwrap();
    symlink(&outside, home.agent().join("IDENTITY.md")).unwrap();
    let private = "Private".to_owned();
    assert!(!headings(&home, request(Target::Agent(coder()))).contains(&private));
    assert!(headings(&home, request(Target::Path(home.agent()))).contains(&private));
    // Neither is a file of the machine that a setting names.
    for (runtime, name) in [("openclaw", "bootstrapFiles"), ("openclaw", "extraFiles"), ("codex", "CODEX_HOME")] {
        let set = [(name.to_owned(), outside.display().to_string())].into();
        let request = deliver::Request {
            runtime: Some(runtime.to_owned()),
            set,
            at: Some(home.0.path().display().to_string()),
            ..request(Target::Agent(coder()))
        };
        let report = run(&home.keeper(), request).unwrap().delivery.unwrap();
        assert!(!report.text.contains("Do not show."), "{runtime} {name}");
    }
}

#[test]
fn a_folder_can_be_delivered_at_another_path() {
    let home = Home::new();
    put(&home.keeper(), "# Ada\n\nGuides ships.\n", None).unwrap();
    for target in [Target::Agent(coder()), Target::Path(home.agent())] {
        let at = Some("/srv/../srv/ada/".to_owned());
        let runtime = Some("openclaw".to_owned());
        let report =
            run(&home.keeper(), deliver::Request { at, runtime, ..request(target) }).unwrap().delivery.unwrap();
        assert!(
            report.files.iter().any(|file| file.path == "/srv/ada/SOUL.md" && file.content.contains("Guides ships."))
        );
        assert!(!report.text.contains(&home.agent().display().to_string()));
        assert!(report.sections.iter().all(|section| section.state.as_str() == "delivered"));
    }
    assert!(!Path::new("/srv/ada").exists());
}
