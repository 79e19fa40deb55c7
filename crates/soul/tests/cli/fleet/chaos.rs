use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use super::clients::{AGENTS, Client, Told, soul};
use super::{Fleet, checks};
use crate::processes::times;
use crate::service::Service;

const KEEPERS: usize = 4;
const CLIENTS: usize = 64;

/// Ends every connection that keepers have.
const CUT: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'soul'";

#[test]
fn a_fleet_loses_nothing_that_it_acknowledged() {
    let fleet = Fleet::start(KEEPERS);
    for agent in 0..AGENTS {
        let body = json!({ "body": "You keep a list.\n", "create": true });
        fleet.insist(agent, "PUT", &soul(agent), &body);
    }
    let tasks = times(3000);
    for number in 0..tasks {
        fleet.insist(number, "POST", "/api/tasks", &json!({ "payload": number }));
    }
    let is_over = AtomicBool::new(false);
    let told: Vec<Told> = std::thread::scope(|scope| {
        let (fleet, is_over) = (&fleet, &is_over);
        let clients: Vec<_> =
            (0..CLIENTS).map(|number| scope.spawn(move || Client::new(fleet, number).run(is_over))).collect();
        for round in 0..times(20) {
            trouble(fleet, round);
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    for keeper in 0..KEEPERS {
        fleet.wait_until_ready(keeper);
    }
    checks::nothing_is_lost(&fleet, &told);
    checks::tasks_are_done_once(&fleet, &told, tasks);
    checks::the_record_is_whole(&fleet);
    checks::print(&told);
}

/// Connections are cut, a keeper is killed, and the database crashes, one after the other.
fn trouble(fleet: &Fleet, round: usize) {
    let pause = || std::thread::sleep(Duration::from_millis(700));
    pause();
    fleet.psql(CUT);
    pause();
    let keeper = &fleet.keepers[round % KEEPERS];
    keeper.service.write().unwrap().kill();
    pause();
    let started = Service::start(keeper.home.path());
    *keeper.service.write().unwrap() = started;
    pause();
    fleet.server.tell("restart");
    pause();
}
