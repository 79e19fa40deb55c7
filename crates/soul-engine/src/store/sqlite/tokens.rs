use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use soul_core::digest::RawDigest;

use super::{Error, events, schema, seals, unknown};
use crate::clock::Time;
use crate::ids::TokenId;
use crate::store::seal::SealedTable;
use crate::store::statements as sql;
use crate::store::{EventKind, NewEvent, Party, Token};

pub(super) fn add(
    transaction: &Transaction<'_>,
    token: &Token,
    proof: &RawDigest,
    actor: &Party,
    origin: &Party,
) -> Result<(), Error> {
    let grants: Vec<&str> = token.grants.iter().map(|grant| grant.as_str()).collect();
    transaction.prepare_cached(sql::INSERT_TOKEN)?.execute(params![
        token.id.as_str(),
        token.name,
        token.role.as_str(),
        grants.join(" "),
        proof.as_bytes().as_slice(),
        token.created_at,
    ])?;
    seals::set(transaction, SealedTable::Tokens, token.id.as_str())?;
    append_event(transaction, EventKind::TokenCreate, &token.id, actor, origin, token.created_at)
}

pub(super) fn find(connection: &Connection, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error> {
    // What it grants is only what it was given.
    if schema::is_sealed(connection)? {
        seals::check(connection, SealedTable::Tokens, id.as_str())?;
    }
    let mut statement = connection.prepare_cached(sql::TOKEN)?;
    let read = |row: &Row<'_>| Ok((columns(row)?, row.get::<_, [u8; 32]>(6)?));
    let found = statement.query_row([id.as_str()], read).optional()?;
    found.map(|(columns, proof)| Ok((token(columns)?, RawDigest::from_bytes(proof)))).transpose()
}

pub(super) fn list(connection: &Connection) -> Result<Vec<Token>, Error> {
    let mut statement = connection.prepare_cached(sql::TOKENS)?;
    let found = statement.query_map([], columns)?.collect::<Result<Vec<_>, _>>()?;
    found.into_iter().map(token).collect()
}

pub(super) fn revoke(
    transaction: &Transaction<'_>,
    id: &TokenId,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<Option<Token>, Error> {
    let Some((mut token, _)) = find(transaction, id)? else { return Ok(None) };
    if token.is_live() {
        transaction.prepare_cached(sql::REVOKE_TOKEN)?.execute(params![now, id.as_str()])?;
        seals::set(transaction, SealedTable::Tokens, id.as_str())?;
        append_event(transaction, EventKind::TokenRevoke, id, actor, origin, now)?;
        token.revoked_at = Some(now);
    }
    Ok(Some(token))
}

type Columns = (String, Option<String>, String, String, Time, Option<Time>);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
}

fn token((id, name, role, grants, created_at, revoked_at): Columns) -> Result<Token, Error> {
    let grant = |text: &str| text.parse().map_err(|_| unknown("the grant", text));
    Ok(Token {
        id: id.into(),
        name,
        role: role.parse().map_err(|_| unknown("the role", &role))?,
        grants: grants.split(' ').map(grant).collect::<Result<_, _>>()?,
        created_at,
        revoked_at,
    })
}

fn append_event(
    transaction: &Transaction<'_>,
    kind: EventKind,
    id: &TokenId,
    actor: &Party,
    origin: &Party,
    now: Time,
) -> Result<(), Error> {
    let event = NewEvent { token: Some(id.clone()), ..NewEvent::new(kind, actor, origin) };
    events::append(transaction, &event, now)
}
