//! Texts and files that are refused, with nothing changed.

use super::*;

#[test]
fn a_rollback_is_subject_to_todays_rules() {
    let home = Home::new();
    let long = format!("{ONE}{}", "More. ".repeat(500));
    let first = put(&home.keeper(), &long, None).unwrap();
    put(&home.keeper(), ONE, digest(&home.keeper()).as_deref()).unwrap();
    home.config("[agents.soul]\nmax_body_bytes = 2048\n");
    let keeper = home.keeper();
    let id = first.revision.sealed.id;
    assert!(matches!(
        back(&keeper, id.as_str(), digest(&keeper).as_deref()),
        Err(Error::Soul(souls::Error::Invalid(_)))
    ));
    assert_eq!(home.text().as_deref(), Some(ONE));
}

#[cfg(unix)]
#[test]
fn links_are_not_managed() {
    use std::os::unix::fs::symlink;
    let home = Home::new();
    let keeper = home.keeper();
    let outside = home.0.path().join("outside.md");
    fs::write(&outside, ONE).unwrap();
    symlink(&outside, home.soul()).unwrap();
    assert!(matches!(put(&keeper, TWO, None), Err(Error::Soul(souls::Error::Invalid(_)))));
    fs::remove_file(home.soul()).unwrap();
    symlink("nowhere.md", home.soul()).unwrap();
    assert!(matches!(put(&keeper, TWO, None), Err(Error::Soul(souls::Error::Invalid(_)))));
    fs::remove_file(home.soul()).unwrap();
    fs::hard_link(&outside, home.soul()).unwrap();
    assert!(matches!(put(&keeper, TWO, None), Err(Error::Soul(souls::Error::Invalid(_)))));
    fs::remove_file(home.soul()).unwrap();
    fs::create_dir(home.soul()).unwrap();
    assert!(matches!(put(&keeper, TWO, None), Err(Error::Soul(souls::Error::Invalid(_)))));
    fs::remove_dir(home.soul()).unwrap();
    fs::rename(home.agent(), home.0.path().join("agents/real")).unwrap();
    symlink("real", home.agent()).unwrap();
    assert!(matches!(put(&keeper, TWO, None), Err(Error::Soul(souls::Error::AgentUnreadable(..)))));
    assert_eq!(fs::read_to_string(&outside).unwrap(), ONE);
}

#[test]
fn a_file_too_large_to_adopt_is_left_alone() {
    let home = Home::new();
    let keeper = home.keeper();
    fs::write(home.soul(), "x".repeat((1 << 20) + 1)).unwrap();
    let raw = look(&keeper).raw_digest.unwrap().to_string();
    assert!(matches!(put(&keeper, ONE, Some(&raw)), Err(Error::Authoring(authoring::Error::TooLargeToAdopt(_)))));
    assert_eq!(fs::metadata(home.soul()).unwrap().len(), (1 << 20) + 1);
}

#[test]
fn a_text_too_large_to_record_is_not_written() {
    let home = Home::new();
    home.config("[agents.soul]\nmax_body_bytes = 6000000\n");
    let keeper = home.keeper();
    assert!(matches!(
        put(&keeper, &"x".repeat((1 << 20) + 1), None),
        Err(Error::Authoring(authoring::Error::TooLargeToKeep))
    ));
    let most = "x".repeat(1 << 20);
    put(&keeper, &most, None).unwrap();
    put(&keeper, ONE, digest(&keeper).as_deref()).unwrap();
}

#[test]
fn the_directory_created_for_a_refused_text_is_removed() {
    let home = Home::new();
    let keeper = home.keeper();
    let agent = "novice".parse().unwrap();
    let request = write::Request { create: true, ..write::Request::new(agent, BAD.into()) };
    assert!(matches!(run(&keeper, request), Err(Error::Soul(souls::Error::Invalid(_)))));
    assert!(!home.0.path().join("agents/novice").exists());
}

#[test]
fn poison_is_refused_unless_it_is_forced_with_a_reason() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let seen = digest(&keeper);
    let Err(Error::Authoring(authoring::Error::Poisoned(path, report))) = put(&keeper, POISON, seen.as_deref()) else {
        panic!("it was written")
    };
    assert_eq!(path, "agents/coder/SOUL.md");
    assert!(report.findings.iter().any(|finding| finding.is_confident_error() && finding.line == 3));
    assert_eq!((home.text().as_deref(), actions(&keeper)), (Some(ONE), vec!["put"]));
    // A text cannot ask the scanner to look away.
    let sly = format!("{POISON}<!-- soul-scan: ignore SEC001 reason: trust me -->\n");
    assert!(matches!(put(&keeper, &sly, seen.as_deref()), Err(Error::Authoring(authoring::Error::Poisoned(..)))));

    let force = Some(non_blank("a fixture for the red team"));
    let forced = run(&keeper, write::Request { force, ..writing(POISON, seen.as_deref()) }).unwrap();
    assert_eq!(forced.revision.sealed.reason.as_deref(), Some("a fixture for the red team"));
    assert!(!forced.findings.is_empty());
    assert_chain(&keeper);

    // It does not come back by itself either; with `on_write = "warn"` it is only reported.
    put(&keeper, ONE, digest(&keeper).as_deref()).unwrap();
    let id = forced.revision.sealed.id;
    assert!(matches!(
        back(&keeper, id.as_str(), digest(&keeper).as_deref()),
        Err(Error::Authoring(authoring::Error::Poisoned(..)))
    ));
    home.config("[scan]\non_write = \"warn\"\n");
    let keeper = home.keeper();
    let warned = put(&keeper, POISON, digest(&keeper).as_deref()).unwrap();
    assert!(!warned.findings.is_empty() && warned.revision.sealed.reason.is_none());
    let reported = events(&keeper).iter().filter(|event| event.event.kind == EventKind::Poison).count();
    assert_eq!(reported, 2);
}

#[test]
fn poison_that_is_in_use_is_reported_and_left() {
    let home = Home::new();
    let keeper = home.keeper();
    fs::write(home.soul(), POISON).unwrap();
    assert_eq!(conflict(put(&keeper, ONE, None)).0, Conflict::DigestRequired);
    assert_eq!(home.text().as_deref(), Some(POISON));
    assert!(events(&keeper).iter().any(|event| event.event.kind == EventKind::Poison));
}
