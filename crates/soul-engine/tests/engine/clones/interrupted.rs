//! Changes that are cut off in one of several directories, and directories that are replaced meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use soul_engine::{Failpoint, Step};

use super::*;

/// A write that ends at a step, as if the process had died there.
fn die_at(clones: &Clones, name: &str, text: &str, step: Step) {
    let failpoint: Failpoint = Arc::new(move |at| if at == step { panic!("dies") } else { Ok(()) });
    let keeper = clones.keeper(name).with_failpoint(failpoint);
    let seen = digest(&keeper);
    assert!(catch_unwind(AssertUnwindSafe(|| put(&keeper, text, seen.as_deref()))).is_err());
}

fn shared() -> Clones {
    let clones = Clones::new();
    clones.copy("a", "b");
    share(&clones.keeper("b"));
    clones
}

#[test]
fn a_change_that_was_interrupted_elsewhere_is_settled_by_the_file_there() {
    for (step, is_done) in [(Step::Recorded, false), (Step::Replaced, true)] {
        let clones = shared();
        die_at(&clones, "a", TWO, step);
        clones.write("b", THREE).unwrap();
        assert_eq!(clones.bodies("b").contains(&TWO.to_owned()), is_done, "{step:?}");
        assert_eq!(clones.text("a"), if is_done { TWO } else { ONE });
        assert!(clones.verify().ok);
        // A reader settles it as well, by the same file.
        let clones = shared();
        die_at(&clones, "a", TWO, step);
        assert_eq!(clones.bodies("b").contains(&TWO.to_owned()), is_done, "{step:?}");
        assert!(clones.verify().ok);
    }
}

#[test]
fn a_change_whose_directory_is_gone_stays_on_record() {
    let clones = shared();
    die_at(&clones, "a", TWO, Step::Recorded);
    fs::remove_dir_all(clones.root("a")).unwrap();
    clones.write("b", THREE).unwrap();
    assert_eq!(clones.bodies("b"), [THREE, ONE, TWO, ONE]);
    assert!(run(&clones.keeper("b"), audit::verify::Request::default()).unwrap().ok);
}

#[test]
fn a_change_whose_directory_cannot_be_read_stops_the_next_one() {
    let clones = shared();
    die_at(&clones, "a", TWO, Step::Replaced);
    let id = fs::read(clones.id("a")).unwrap();
    fs::write(clones.id("a"), "nonsense").unwrap();
    let before = events(&clones.keeper("b")).len();
    assert_eq!(code(clones.write("b", THREE)), "place_unreadable");
    assert_eq!((clones.text("b").as_str(), events(&clones.keeper("b")).len()), (ONE, before));
    fs::write(clones.id("a"), id).unwrap();
    clones.write("b", THREE).unwrap();
    assert_eq!(clones.bodies("b"), [THREE, ONE, TWO, ONE]);
    assert!(clones.verify().ok);
}

#[test]
fn a_directory_that_is_replaced_during_a_write_is_reported() {
    for step in [Step::Recorded, Step::Staged, Step::Replaced] {
        let home = Home::new();
        put(&home.keeper(), ONE, None).unwrap();
        let (agent, aside) = (home.agent(), home.0.path().join("aside"));
        let failpoint: Failpoint = Arc::new({
            let (agent, aside) = (agent.clone(), aside.clone());
            move |at| {
                if at == step {
                    fs::rename(&agent, &aside)?;
                    fs::create_dir(&agent)?;
                    fs::write(agent.join("SOUL.md"), THREE)?;
                }
                Ok(())
            }
        });
        let seen = digest(&home.keeper());
        let replaced = put(&home.keeper().with_failpoint(failpoint), TWO, seen.as_deref());
        assert_eq!(code(replaced), "directory_replaced", "{step:?}");
        assert_eq!(home.text().as_deref(), Some(THREE));
        assert_eq!(actions(&home.keeper()), ["put"]);
        assert_chain(&home.keeper());
        // What was taken away may come back; its text is taken into the record like any other.
        fs::remove_dir_all(&agent).unwrap();
        fs::rename(&aside, &agent).unwrap();
        put(&home.keeper(), THREE, digest(&home.keeper()).as_deref()).unwrap();
        assert_eq!(actions(&home.keeper()), ["put", "adopt", "put"]);
        assert_chain(&home.keeper());
    }
}

#[test]
fn a_change_in_a_workspace_that_is_forked_meanwhile_is_not_made() {
    let clones = Clones::new();
    let other = Arc::new(clones.keeper("a"));
    let failpoint: Failpoint = Arc::new(move |at| {
        if at == Step::Locked {
            fork(&other);
        }
        Ok(())
    });
    // The fork comes after the key was read: the change goes to the record that it was made for.
    let parent = clones.scope("a");
    let keeper = clones.keeper("a").with_failpoint(failpoint);
    let written = put(&keeper, TWO, digest(&keeper).as_deref()).unwrap();
    assert_eq!(written.revision.sealed.scope, parent);
    clones.write("a", THREE).unwrap();
    // The fork does not know who wrote the text, but nothing is lost.
    assert_eq!(clones.bodies("a"), [THREE, TWO, ONE]);
    assert!(clones.verify().ok);
}
