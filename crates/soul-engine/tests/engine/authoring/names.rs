//! Revisions and digests by less than their whole names.

use soul_engine::fields::ExpectedDigest;
use soul_engine::ops::diff::Side;
use soul_engine::references;

use super::*;

/// A soul with three revisions, and their ids.
fn three() -> (Home, Keeper, [String; 3]) {
    let home = Home::new();
    let keeper = home.keeper();
    let ids = [ONE, TWO, "Third.\n"].map(|text| {
        let done = put(&keeper, text, digest(&keeper).as_deref()).unwrap();
        done.revision.sealed.id.as_str().to_owned()
    });
    (home, keeper, ids)
}

/// Which revision a name means.
fn named(keeper: &Keeper, name: &str) -> Result<String, Error> {
    let from = Some(Side::from(name.to_owned()));
    run(keeper, diff::Request { from, ..diff::Request::new(coder()) }).map(|diff| diff.from.name)
}

#[test]
fn a_revision_is_named_by_the_beginning_of_its_id() {
    let (_home, keeper, ids) = three();
    for id in &ids {
        let ulid = &id["rev_".len()..];
        let lower = id.to_lowercase();
        for name in [id, ulid, &lower, &id[..28], &ulid[..25], &ulid.to_lowercase()[..24]] {
            assert_eq!(named(&keeper, name).unwrap(), *id, "{name}");
        }
    }
    assert!(matches!(named(&keeper, "rev_7ZZZZZZZ"), Err(Error::Authoring(authoring::Error::RevisionNotFound(_)))));
    // They were made in the same minute, so that they begin alike.
    let Err(Error::Reference(references::Error::Ambiguous { ids: some, .. })) = named(&keeper, &ids[0][..10]) else {
        panic!("six characters of the time name one of three");
    };
    assert_eq!(some, ids);
    for short in ["rev_0", "01"] {
        let error = named(&keeper, short).unwrap_err();
        assert_eq!(error.fault().code, "reference_too_short", "{short}");
    }
    assert_eq!(named(&keeper, "rev_9").unwrap_err().fault().code, "revision_not_found");
}

#[test]
fn a_revision_is_named_by_how_far_back_it_is() {
    let (home, keeper, ids) = three();
    for (name, id) in [("@", &ids[2]), ("@-", &ids[1]), ("@-1", &ids[1]), ("@-2", &ids[0])] {
        assert_eq!(named(&keeper, name).unwrap(), *id);
    }
    for beyond in ["@-3", "@x", "@-x"] {
        assert_eq!(named(&keeper, beyond).unwrap_err().fault().code, "revision_not_found");
    }
    // The last recorded one, whatever is in the file; the edit is recorded before it is replaced.
    fs::write(home.soul(), "Edited.\n").unwrap();
    let seen = look(&keeper).raw_digest.unwrap().to_string();
    back(&keeper, "@", Some(&seen)).unwrap();
    assert_eq!(home.text().as_deref(), Some("Third.\n"));
    assert_eq!(actions(&keeper), ["rollback", "adopt", "put", "put", "put"]);
}

#[test]
fn an_expected_digest_may_be_shortened() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    let seen = look(&keeper);
    let (meaning, raw) = (seen.digest.unwrap().to_string(), seen.raw_digest.unwrap().to_string());
    let (hex, raw_hex) = (&meaning["sha256:".len()..], &raw["raw:sha256:".len()..]);
    let names = [meaning[..13].to_owned(), hex[..6].to_owned(), raw_hex[..12].to_uppercase(), raw[..20].to_owned()];
    for name in &names {
        assert!(put(&keeper, ONE, Some(name)).unwrap().unchanged, "{name}");
    }
    // Which of the two it is counts, where it is said.
    assert_eq!(conflict(put(&keeper, TWO, Some(&format!("sha256:{}", &raw_hex[..12])))).0, Conflict::Stale);
    assert_eq!(conflict(put(&keeper, TWO, Some("sha256:000000"))).0, Conflict::Stale);
    let short = conflict(put(&keeper, TWO, Some(&hex[..5])));
    assert_eq!(short, (Conflict::DigestTooShort(hex[..5].to_owned()), Some(meaning.clone())));
    put(&keeper, TWO, Some(&hex[..6])).unwrap();
    // What was right before is stale now.
    assert_eq!(conflict(put(&keeper, ONE, Some(&hex[..6]))).0, Conflict::Stale);
}

#[test]
fn a_short_digest_that_fits_another_text_of_the_soul_is_refused() {
    let home = Home::new();
    let keeper = home.keeper();
    put(&keeper, ONE, None).unwrap();
    put(&keeper, TWO, digest(&keeper).as_deref()).unwrap();
    let hex = digest(&keeper).unwrap()["sha256:".len()..].to_owned();
    let database = rusqlite::Connection::open(home.0.path().join("keeper.db")).unwrap();
    let alike = format!("sha256:{}{}", &hex[..8], "0".repeat(56));
    database.execute("UPDATE agent_soul_revisions SET new_digest = ?1 WHERE seq = 1", [alike]).unwrap();
    drop(database);
    assert_eq!(conflict(put(&keeper, ONE, Some(&hex[..8]))).0, Conflict::DigestAmbiguous(hex[..8].to_owned()));
    put(&keeper, ONE, Some(&hex[..12])).unwrap();
}

#[test]
fn an_expected_revision_stands_for_a_digest() {
    let (home, keeper, ids) = three();
    let expecting =
        |id: &str| write::Request { expected_revision: Some(id.to_owned().into()), ..writing("Fourth.\n", None) };
    assert_eq!(conflict(run(&keeper, expecting(&ids[1]))).0, Conflict::OtherRevision);
    assert_eq!(conflict(run(&keeper, expecting("@-"))).0, Conflict::OtherRevision);
    run(&keeper, expecting(&ids[2])).unwrap();
    // A revision is no longer what is there once someone has edited the file.
    fs::write(home.soul(), "Edited.\n").unwrap();
    assert_eq!(conflict(run(&keeper, expecting("@"))).0, Conflict::OtherRevision);
    assert_eq!(home.text().as_deref(), Some("Edited.\n"));
    // With both, both must be right.
    let wrong = Some(ExpectedDigest::new("sha256:0"));
    assert_eq!(conflict(run(&keeper, write::Request { expected_digest: wrong, ..expecting("@") })).0, Conflict::Stale);
}
