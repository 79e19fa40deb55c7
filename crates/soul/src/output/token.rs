//! Tokens, for people.

use anstyle::Style;
use soul_core::text::visible;
use soul_engine::ops::token::{create, list};
use soul_engine::ops::whoami;
use soul_engine::store::Token;

use super::style::{self, FAINT, GOOD, STRONG, ago, brief_ids};
use super::table::{Table, cell};

pub(crate) fn created(response: &create::Response) -> String {
    let mut out = one(&response.token);
    style::row(&mut out, 12, "secret", response.secret.expose());
    out.push_str(&style::hint(
        "store the secret now: it is not shown again. Send it as `Authorization: Bearer SECRET`, or set `SOUL_TOKEN`",
    ));
    out
}

pub(crate) fn list(response: &list::Response) -> String {
    if response.tokens.is_empty() {
        return "no tokens\n".to_owned() + &style::hint("`soul token create --role viewer` creates one");
    }
    let mut table = Table::new(["TOKEN", "STATE", "ROLE", "GRANTS…", "CREATED", "NAME"]);
    let ids: Vec<_> = response.tokens.iter().map(|token| token.id.as_str()).collect();
    for (token, id) in response.tokens.iter().zip(brief_ids(&ids)) {
        let (style, word) = state(token);
        table.row([
            cell(id, STRONG),
            cell(word, style),
            token.role.as_str().into(),
            cell(grants(token), FAINT),
            ago(&token.created_at).into(),
            label(token).into(),
        ]);
    }
    table.render()
}

fn state(token: &Token) -> (Style, &'static str) {
    if token.is_live() { (GOOD, "live") } else { (FAINT, "revoked") }
}

/// The name for people, and the agent that holds it.
fn label(token: &Token) -> String {
    let name = token.name.as_deref().map(visible);
    let agent = token.agent.as_deref().map(|agent| format!("(agent {})", visible(agent)));
    name.into_iter().chain(agent).collect::<Vec<_>>().join(" ")
}

fn grants(token: &Token) -> String {
    token.grants.iter().map(|grant| grant.as_str()).collect::<Vec<_>>().join(" ")
}

/// One token. Its id is what a script takes from here, so it is complete.
pub(crate) fn one(token: &Token) -> String {
    let (style, word) = state(token);
    let (role, grants) = (token.role.as_str(), grants(token));
    let name = token.name.as_deref().map(|name| format!("  {}", visible(name))).unwrap_or_default();
    let agent = token.agent.as_deref().map(|agent| format!("  agent {}", visible(agent))).unwrap_or_default();
    format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}  {role}  {FAINT}{grants}{FAINT:#}{name}{agent}\n", token.id)
}

/// Who the caller is.
pub(crate) fn whoami(response: &whoami::Response) -> String {
    let mut out = format!("{STRONG}{}{STRONG:#}  {}\n", visible(&response.name), visible(&response.actor.kind));
    let mut row = |name: &str, value: &str| style::row(&mut out, 8, name, value);
    if let Some(role) = response.role {
        row("role", role.as_str());
    }
    let grants: Vec<_> = response.grants.iter().map(|grant| grant.as_str()).collect();
    row("grants", &grants.join(" "));
    row("through", &response.transport);
    if let Some(id) = &response.token_id {
        row("token", id.as_str());
    }
    out
}
