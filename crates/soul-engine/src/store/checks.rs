//! What is wrong with rows, besides the chains.

use std::ops::ControlFlow;

use soul_core::persona::State;

use super::sql::{Row, Sql};
use super::statements as sql;
use super::values::shown;
use super::{Error, Problem, SoulSource, seals};

/// Rows that are not as they were written, or that refer to what is not there.
pub(super) fn rows(db: &dyn Sql) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    for (table, query, problem) in sql::DANGLING {
        problems.extend(db.all(query, &[], |row| Ok(problem_of(table, shown(row, 0), problem)))?);
    }
    sessions(db, &mut problems)?;
    personas(db, &mut problems)?;
    if db.has_seals()? {
        seals::broken(db, &mut problems)?;
    }
    Ok(problems)
}

/// A session and its snapshot must be of one soul, and of one digest.
fn sessions(db: &dyn Sql, problems: &mut Vec<Problem>) -> Result<(), Error> {
    db.each(sql::BOUND_SESSIONS, &[], &mut |row| {
        let [kind, name, digest, source] = [1, 2, 3, 4].map(|column| text(row, column));
        let [of_kind, of_name, of_digest] = [5, 6, 7].map(|column| text(row, column));
        let source: Option<SoulSource> = source.and_then(|source| serde_json::from_str(&source).ok());
        let is_library =
            source.is_some_and(|source| of_kind.as_deref() == Some("library") && of_name == Some(source.id));
        if digest != of_digest {
            problems.push(problem_of("sessions", shown(row, 0), "its digest is not that of its snapshot"));
        } else if (&kind, &name) != (&of_kind, &of_name) && !is_library {
            problems.push(problem_of("sessions", shown(row, 0), "its snapshot is of another soul"));
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The state of a persona must be one: every prompt of its agent needs it.
fn personas(db: &dyn Sql, problems: &mut Vec<Problem>) -> Result<(), Error> {
    db.each(sql::PERSONA_STATES, &[], &mut |row| {
        let state: Option<State> = text(row, 1).and_then(|state| serde_json::from_str(&state).ok());
        if state.is_none() {
            problems.push(problem_of("persona_states", shown(row, 0), "its state cannot be read"));
        }
        Ok(ControlFlow::Continue(()))
    })
}

pub(super) fn problem_of(table: &str, id: String, problem: &str) -> Problem {
    Problem { table: table.to_owned(), id, problem: problem.to_owned() }
}

fn text(row: &Row, column: usize) -> Option<String> {
    row.get(column).ok()
}
