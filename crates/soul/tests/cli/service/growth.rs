//! A service that runs for months does not grow with those who came and went.

use serde_json::Value;

use super::Service;

/// Each connection that left its kibibyte behind would show.
const CONNECTIONS: usize = 6000;

#[test]
fn a_connection_that_is_over_takes_no_room() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start(home.path());
    let come_and_go =
        || (0..CONNECTIONS).for_each(|_| assert!(service.ask("GET", "/api/tasks", &Value::Null).is_some()));
    come_and_go();
    let before = service.held();
    come_and_go();
    let after = service.held();
    assert!(after.0 < before.0 + (3 << 10), "memory went from {} to {} KiB", before.0, after.0);
    assert!(after.1 <= before.1 + 8, "open files went from {} to {}", before.1, after.1);
}
