//! The page at `/`, and the pages that it leads to.

use super::Served;

#[tokio::test]
async fn the_page_shows_who_is_here_and_runs_nothing() {
    let served = Served::with(&[
        ("agents/<script>&/SOUL.md", "You are careful.\n"),
        ("agents/broken/SOUL.md", "---\nrole: [\n---\n"),
        ("souls/default.md", "---\nname: <b>Steady</b>\ndescription: \"\\\"calm\\\"\"\n---\nBe calm.\n"),
    ]);
    let page = served.ask("GET", "/", "").await;
    let text = String::from_utf8(page.bytes).unwrap();
    assert_eq!((page.status.as_u16(), page.content_type.as_str()), (200, "text/html; charset=utf-8"));
    assert!(text.contains("/api/agents/%3Cscript%3E%26/soul\">&lt;script&gt;&amp;</a></td><td class=\"valid\">valid"));
    assert!(text.contains("class=\"invalid\">invalid"));
    assert!(text.contains("&lt;b&gt;Steady&lt;/b&gt;</a></td><td class=\"valid\">default</td><td>&quot;calm&quot;"));
    assert!(!text.contains("<script") && !text.contains("<b>"));
}

#[tokio::test]
async fn every_link_leads_somewhere() {
    let served = Served::with(&[
        ("agents/a b/SOUL.md", "You are careful.\n"),
        ("souls/default.md", "---\nname: Steady\n---\nBe calm.\n"),
    ]);
    let text = String::from_utf8(served.ask("GET", "/", "").await.bytes).unwrap();
    let links: Vec<&str> = text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        assert_eq!(served.ask("GET", link, "").await.status, 200, "{link}");
    }
    assert_eq!(served.ask("GET", "/docs/..%2FCargo.toml", "").await.status, 404);
}
