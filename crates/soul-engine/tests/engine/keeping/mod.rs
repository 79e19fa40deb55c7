//! The store as a file among others: who waits for whom, what happens when it is lost, and how it is brought back.

mod audit;
mod backup;
mod bounds;
mod leases;
mod loss;
mod readers;

use std::fs;
use std::path::PathBuf;

use soul_engine::Keeper;
use soul_engine::ops::{Error, audit::verify, doctor};

use super::{Home, coder, digest, put, run};

const ONE: &str = "---\nrole: One\n---\nFirst body.\n";
const TWO: &str = "---\nrole: Two\n---\nSecond body.\n";

impl Home {
    fn store_file(&self) -> PathBuf {
        self.0.path().join("keeper.db")
    }

    fn remove_store(&self) {
        for name in ["keeper.db", "keeper.db-wal", "keeper.db-shm"] {
            let _ = fs::remove_file(self.0.path().join(name));
        }
    }
}

pub(super) fn write_next(keeper: &Keeper, text: &str) -> Result<(), Error> {
    put(keeper, text, digest(keeper).as_deref()).map(drop)
}

fn code<T>(result: Result<T, Error>) -> Option<&'static str> {
    result.err().map(|error| error.fault().code)
}

fn verified(keeper: &Keeper) -> Result<verify::Response, Error> {
    run(keeper, verify::Request::default())
}

/// What doctor calls broken.
fn broken(keeper: &Keeper) -> Vec<(String, String)> {
    let checks = run(keeper, doctor::Request {}).unwrap().checks;
    let broken = checks.into_iter().filter(|check| check.status == doctor::Health::Broken);
    broken.map(|check| (check.message, check.help.unwrap_or_default())).collect()
}
