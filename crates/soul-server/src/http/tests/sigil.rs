//! Sigils as drawings.

use super::Served;
use super::tokens::refused;

#[tokio::test]
async fn a_sigil_shows_what_changed() {
    let before = "---\nrole: Guide\nconstraints: [Never guess.]\n---\nYou show the way.\n";
    let served = Served::with(&[
        ("agents/<guide>/SOUL.md", before),
        ("agents/broken/SOUL.md", "---\nrole: x\ntools: [y]\n---\n"),
        ("souls/ops.md", "---\nname: Ops\n---\nBe brief.\n"),
    ]);
    let body = serde_json::json!({ "body": before.replace("guess", "lie"), "expected_digest": "" }).to_string();
    let guide = "/api/agents/%3Cguide%3E";
    let digest = served.ask("GET", &format!("{guide}/soul"), "").await.json()["digest"].clone();
    let body = body.replace("\"expected_digest\":\"\"", &format!("\"expected_digest\":{digest}"));
    assert_eq!(served.ask("PUT", &format!("{guide}/soul"), &body).await.status, 200);
    let drawn = async |path: &str| {
        let reply = served.ask("GET", path, "").await;
        assert_eq!((reply.status.as_u16(), reply.content_type.as_str()), (200, "image/svg+xml"), "{path}");
        String::from_utf8(reply.bytes).unwrap()
    };
    let now = drawn(&format!("{guide}/sigil.svg?size=128&theme=dark")).await;
    assert!(now.contains("The sigil of &lt;guide&gt;</title>") && now.contains("width=\"128\""), "{now}");
    assert_eq!(now.matches("cy=\"-15\"").count(), 3, "voice, values and work are empty");
    let compared = drawn(&format!("{guide}/sigil.svg?from=@-")).await;
    assert!(compared.contains("limits changed") && compared.matches("opacity=\".2\"").count() == 5, "{compared}");
    let earlier = drawn(&format!("{guide}/sigil.svg?revision_id=@-")).await;
    let last = drawn(&format!("{guide}/sigil.svg?revision_id=@")).await;
    assert!(earlier != last && drawn(&format!("{guide}/sigil.svg")).await == last);
    assert!(drawn("/api/agents/broken/sigil.svg").await.contains("stroke-dasharray"));
    assert!(drawn("/api/v1/settings/agent/souls/ops/sigil.svg").await.contains("<rect"));
    for (path, status) in [
        ("/api/agents/nobody/sigil.svg", 404),
        ("/api/agents/broken/sigil.svg?size=4", 400),
        ("/api/agents/broken/sigil.svg?theme=blue", 400),
        ("/api/agents/broken/sigil.svg?colour=red", 400),
        ("/api/agents/broken/sigil.svg?revision_id=rev_01M7GVG0TYK2D49F5V98J74R1N", 404),
        ("/api/v1/settings/agent/souls/nothing/sigil.svg", 404),
    ] {
        assert_eq!(refused(&served.ask("GET", path, "").await).0, status, "{path}");
    }
}
