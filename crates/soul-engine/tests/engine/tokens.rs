//! What tokens promise.

use soul_engine::ops::Error;
use soul_engine::ops::token::{create, list, revoke};
use soul_engine::store::{Role, Token};
use soul_engine::tokens::{self, Secret, authenticate};
use soul_engine::workspace::Roots;
use soul_engine::{Grant, Keeper, seed};

use super::{Home, run};

fn make(keeper: &Keeper, role: Role, grants: &[Grant]) -> Result<(Token, Secret), Error> {
    run(keeper, create::Request { role, grants: grants.to_vec(), name: None, agent: None })
        .map(|made| (made.token, made.secret))
}

fn holder(keeper: &Keeper, secret: &Secret) -> Option<Token> {
    authenticate(keeper, secret).unwrap()
}

#[test]
fn a_role_is_the_most_that_a_token_grants() {
    let home = Home::new();
    let keeper = home.keeper();
    let granted = |role, grants: &[Grant]| make(&keeper, role, grants).map(|(token, _)| token.grants);
    assert_eq!(granted(Role::Viewer, &[]).unwrap(), [Grant::Read]);
    assert_eq!(granted(Role::Author, &[]).unwrap(), [Grant::Read, Grant::Write]);
    assert_eq!(granted(Role::Admin, &[]).unwrap(), Grant::ALL);
    assert_eq!(granted(Role::Admin, &[Grant::Write, Grant::Read, Grant::Write]).unwrap(), [Grant::Read, Grant::Write]);
    let beyond = |role, grant| match granted(role, &[grant]) {
        Err(Error::Token(tokens::Error::BeyondRole(of, beyond))) => (of, beyond) == (role, grant),
        _ => false,
    };
    assert!(beyond(Role::Viewer, Grant::Write) && beyond(Role::Author, Grant::Admin));
}

#[test]
fn a_home_that_only_has_a_token_is_seeded() {
    let home = tempfile::tempdir().unwrap();
    let keeper = || Keeper::open(Roots { workspace: None, home: Some(home.path().into()), user: None }).unwrap();
    make(&keeper(), Role::Admin, &[]).unwrap();
    assert_eq!(seed::home(&keeper()).unwrap().unwrap().as_str(), "guide");
    std::fs::remove_dir_all(home.path().join("agents")).unwrap();
    assert_eq!(seed::home(&keeper()).unwrap(), None, "what was removed stays away");
}

#[test]
fn a_secret_is_good_until_it_is_revoked_and_is_nowhere_on_the_disk() {
    let home = Home::new();
    let keeper = home.keeper();
    let unmade = Secret::from("soul_01ARZ3NDEKTSV4RRFFQ69G5FAV_00".to_owned());
    assert_eq!(holder(&keeper, &unmade), None);
    let (token, secret) = make(&keeper, Role::Author, &[]).unwrap();
    let (other, other_secret) = make(&keeper, Role::Author, &[]).unwrap();
    assert_eq!(holder(&keeper, &secret), Some(token.clone()));
    assert_eq!(holder(&home.keeper(), &other_secret), Some(other));

    // The name of one with the bits of another proves neither.
    let (name, _) = secret.expose().rsplit_once('_').unwrap();
    let (_, bits) = other_secret.expose().rsplit_once('_').unwrap();
    assert_eq!(holder(&keeper, &format!("{name}_{bits}").into()), None);

    for file in std::fs::read_dir(home.0.path()).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let bits = secret.expose().rsplit_once('_').unwrap().1.as_bytes();
        assert!(!bytes.windows(bits.len()).any(|window| window == bits), "{}", file.display());
    }

    let request = revoke::Request { id: token.id.clone() };
    let revoked = run(&home.keeper(), request.clone()).unwrap().token;
    assert_eq!(holder(&keeper, &secret), None);
    assert_eq!(run(&keeper, request).unwrap().token, revoked, "it was revoked once");
    let live: Vec<bool> = run(&keeper, list::Request {}).unwrap().tokens.iter().map(Token::is_live).collect();
    assert_eq!(live, [false, true]);
    let unknown = revoke::Request { id: "tok_1".to_owned().into() };
    assert!(matches!(run(&keeper, unknown), Err(Error::Token(tokens::Error::NotFound(_)))));
}
