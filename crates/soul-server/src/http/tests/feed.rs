//! Events as a page and as a stream: what a filter lets through, and where a page continues.

use serde_json::json;
use soul_engine::outside::Outside;
use soul_engine::workspace::Roots;
use soul_engine::{Keeper, ops::log};

use super::Served;

fn served() -> Served {
    Served::with(&[("agents/coder/SOUL.md", "You are coder.\n"), ("agents/other/SOUL.md", "You are other.\n")])
}

async fn put(served: &Served, agent: &str, body: &str) {
    let path = format!("/api/agents/{agent}/soul");
    let digest = served.ask("GET", &path, "").await.json()["digest"].clone();
    let body = json!({ "body": body, "expected_digest": digest }).to_string();
    assert_eq!(served.ask("PUT", &path, &body).await.status, 200);
}

#[tokio::test]
async fn a_page_leads_to_the_page_before_it() {
    let served = served();
    for round in 0..3 {
        put(&served, "coder", &format!("You are coder {round}.\n")).await;
        put(&served, "other", &format!("You are other {round}.\n")).await;
    }
    let mut before = String::new();
    let mut seen = Vec::new();
    loop {
        let path = format!("/api/events?agent=coder&kind=soul.put&limit=2{before}");
        let page = served.ask("GET", &path, "").await.json();
        let numbers: Vec<i64> = page["events"].as_array().unwrap().iter().map(|e| e["seq"].as_i64().unwrap()).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        seen.splice(0..0, numbers);
        match page["previous"].as_i64() {
            Some(previous) => before = format!("&before={previous}"),
            None => break,
        }
    }
    assert!(seen.len() == 3 && seen.is_sorted(), "{seen:?}");
}

#[tokio::test]
async fn events_say_what_a_change_meant() {
    let served = served();
    put(&served, "coder", "# Coder\n\n## Boundaries\n\n- Never push.\n").await;
    put(&served, "coder", "# Coder\n\n## Boundaries\n\n- Ask first.\n").await;
    let page = served.ask("GET", "/api/events?kind=soul.put&agent=coder&changes=true", "").await.json();
    let last = page["events"].as_array().unwrap().last().unwrap()["seq"].to_string();
    let change = &page["changes"][&last];
    assert_eq!(change["changed_parts"], json!(["limits"]), "{page}");
    assert_eq!((&change["loosens"], change["hue"].is_u64()), (&json!(true), true));
    assert!(change["summary"].as_str().unwrap().contains("limit"), "{change}");
    assert_eq!(served.ask("GET", "/api/events?kind=soul.put", "").await.json().get("changes"), None);
}

#[tokio::test]
async fn a_file_that_others_edit_is_told_of_once() {
    let served = served();
    put(&served, "coder", "You are coder, recorded.\n").await;
    let roots = || Roots { workspace: None, home: Some(served.home.path().to_path_buf()), user: None };
    let keeper = Keeper::open(roots()).unwrap();
    let edited = || served.run(log::Request { kind: Some("soul.edited".parse().unwrap()), ..log::Request::default() });
    let settle = || std::thread::sleep(std::time::Duration::from_millis(120));
    let file = served.home.path().join("agents/coder/SOUL.md");
    let mut outside = Outside::default();
    settle();
    outside.look(&keeper);
    outside.look(&keeper);
    assert_eq!(edited().events.len(), 0, "what we wrote ourselves is no edit of others");
    std::fs::write(&file, "You are coder, edited.\n").unwrap();
    outside.look(&keeper);
    assert_eq!(edited().events.len(), 0, "whoever is still writing is waited for");
    settle();
    for _ in 0..3 {
        outside.look(&keeper);
    }
    let told = edited().events;
    let [event] = &told[..] else { panic!("{told:?}") };
    assert_eq!((event.event.agent.as_deref(), event.event.actor.kind.as_str()), (Some("coder"), "outside"));
    assert!(event.event.digest.is_some() && event.event.detail.raw_digest.is_some());
    // Another keeper, or the same one after a restart, has nothing to add.
    Outside::default().look(&Keeper::open(roots()).unwrap());
    assert_eq!(edited().events.len(), 1);
    let page = served.ask("GET", "/api/events?kind=soul.edited&changes=true", "").await.json();
    assert_eq!(page["changes"][event.seq.to_string()]["changed_parts"], json!(["prose"]), "{page}");
    // The next edit is another one, and so is its removal.
    std::fs::write(&file, "You are coder, edited again.\n").unwrap();
    settle();
    outside.look(&keeper);
    std::fs::remove_file(&file).unwrap();
    outside.look(&keeper);
    assert_eq!(edited().events.len(), 3);
    // A new agent is announced while someone looks.
    let new = served.home.path().join("agents/fresh");
    std::fs::create_dir(&new).unwrap();
    std::fs::write(new.join("SOUL.md"), "You are fresh.\n").unwrap();
    settle();
    outside.look(&keeper);
    assert_eq!(edited().events.last().unwrap().event.agent.as_deref(), Some("fresh"));
}
