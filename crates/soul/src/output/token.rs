//! Tokens, for people.

use std::fmt::Write;

use soul_engine::ops::token::{create, list};
use soul_engine::store::Token;

use super::style::{FAINT, GOOD, HINT, STRONG};

pub(crate) fn created(response: &create::Response) -> String {
    let mut out = one(&response.token);
    let _ = writeln!(out, "  {FAINT}{:<12}{FAINT:#} {}", "secret", response.secret.expose());
    let _ = writeln!(
        out,
        "{HINT}hint{HINT:#}: it is shown this once; send it as `Authorization: Bearer SECRET`, and keep it to yourself"
    );
    out
}

pub(crate) fn list(response: &list::Response) -> String {
    if response.tokens.is_empty() {
        return "there are no tokens\n".to_owned();
    }
    response.tokens.iter().map(one).collect()
}

pub(crate) fn one(token: &Token) -> String {
    let (style, word) = if token.is_live() { (GOOD, "live") } else { (FAINT, "revoked") };
    let grants: Vec<&str> = token.grants.iter().map(|grant| grant.as_str()).collect();
    let (role, grants) = (token.role.as_str(), grants.join(" "));
    let line = format!("{STRONG}{}{STRONG:#}  {style}{word:<7}{style:#}  {role:<6}  {FAINT}", token.id);
    match &token.name {
        Some(name) => format!("{line}{grants:<32}{FAINT:#}  {name}\n"),
        None => format!("{line}{grants}{FAINT:#}\n"),
    }
}
