use soul_core::digest::RawDigest;

use super::seal::SealedTable;
use super::sql::{Row, Sql, values};
use super::statements as sql;
use super::values::unknown;
use super::{Error, EventKind, NewEvent, Party, Token, events, seals};
use crate::clock::Time;
use crate::ids::TokenId;

pub(super) fn add(db: &dyn Sql, token: &Token, proof: &RawDigest, actor: &Party, origin: &Party) -> Result<(), Error> {
    let grants: Vec<&str> = token.grants.iter().map(|grant| grant.as_str()).collect();
    db.run(
        sql::INSERT_TOKEN,
        values![
            token.id.as_str(),
            token.name,
            token.role.as_str(),
            grants.join(" "),
            proof.as_bytes().as_slice(),
            token.created_at,
            token.agent,
        ],
    )?;
    seals::set(db, SealedTable::Tokens, token.id.as_str())?;
    append_event(db, EventKind::TokenCreate, &token.id, actor, origin, token.created_at)
}

pub(super) fn find(db: &dyn Sql, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error> {
    // What it grants is only what it was given.
    if db.has_seals()? {
        seals::check(db, SealedTable::Tokens, id.as_str())?;
    }
    db.one(sql::TOKEN, values![id.as_str()], |row| {
        let proof: Vec<u8> = row.get(7)?;
        let proof = proof.try_into().map_err(|_| unknown("the proof", "of another length"))?;
        Ok((token(row)?, RawDigest::from_bytes(proof)))
    })
}

pub(super) fn list(db: &dyn Sql) -> Result<Vec<Token>, Error> {
    db.all(sql::TOKENS, &[], |row| token(row))
}

pub(super) fn revoke(
    db: &dyn Sql,
    id: &TokenId,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<Option<Token>, Error> {
    let Some((mut token, _)) = find(db, id)? else { return Ok(None) };
    if token.is_live() {
        db.run(sql::REVOKE_TOKEN, values![now, id.as_str()])?;
        seals::set(db, SealedTable::Tokens, id.as_str())?;
        append_event(db, EventKind::TokenRevoke, id, actor, origin, now)?;
        token.revoked_at = Some(now);
    }
    Ok(Some(token))
}

fn token(row: &Row) -> Result<Token, Error> {
    let (role, grants): (String, String) = (row.get(2)?, row.get(3)?);
    let grant = |text: &str| text.parse().map_err(|_| unknown("the grant", text));
    Ok(Token {
        id: row.get::<String>(0)?.into(),
        name: row.get(1)?,
        role: role.parse().map_err(|_| unknown("the role", &role))?,
        grants: grants.split(' ').map(grant).collect::<Result<_, _>>()?,
        created_at: row.get(4)?,
        revoked_at: row.get(5)?,
        agent: row.get(6)?,
    })
}

fn append_event(
    db: &dyn Sql,
    kind: EventKind,
    id: &TokenId,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<(), Error> {
    let event = NewEvent { token: Some(id.clone()), ..NewEvent::new(kind, actor, origin) };
    events::append(db, &event, now)
}
