//! Who is answered, and what is refused.

use crate::common::Running;
use delphic_web::Settings;
use serde_json::json;

#[test]
fn only_the_page_with_the_token_is_answered() {
    let server = Running::start(Settings::default());
    let host = format!("host: 127.0.0.1:{}", server.port);
    let token = format!("authorization: Bearer {}", server.token);
    let own = format!("origin: http://127.0.0.1:{}", server.port);
    let status = |headers: &[&str]| {
        let headers: Vec<String> = headers.iter().map(|&header| header.to_owned()).collect();
        server.send_with("GET", "/api/v1/about", &headers, b"").status
    };
    assert_eq!(status(&[&host, &token]), 200);
    assert_eq!(status(&[&host, &token, &own, "sec-fetch-site: same-origin"]), 200);
    assert_eq!(status(&[&host]), 401, "no token");
    assert_eq!(status(&[&host, "authorization: Bearer 00000000000000000000000000000000"]), 401);
    assert_eq!(status(&[&host, &format!("authorization: {}", server.token)]), 401);
    assert_eq!(status(&["host: evil.example", &token]), 421, "another name for this machine");
    assert_eq!(status(&[&format!("host: evil.example:{}", server.port), &token]), 421);
    assert_eq!(status(&["host: 127.0.0.1:1", &token]), 421, "another port");
    assert_eq!(status(&[&token]), 421, "no host at all");
    assert_eq!(status(&[&host, &token, "origin: http://evil.example"]), 403);
    assert_eq!(status(&[&host, &token, "origin: null"]), 403);
    assert_eq!(status(&[&host, &token, "sec-fetch-site: cross-site"]), 403);
    assert_eq!(status(&[&host, &token, "sec-fetch-site: same-site"]), 403);
}

#[test]
fn the_page_needs_no_token_but_the_right_host() {
    let server = Running::start(Settings::default());
    let host = [format!("host: localhost:{}", server.port)];
    let page = server.send_with("GET", "/", &host, b"");
    assert_eq!(page.status, 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(page.head.contains(header), "{header} is missing in {}", page.head);
    }
    assert!(page.text().contains("<title>Delphic</title>"));
    assert_eq!(server.send_with("GET", "/app.js", &host, b"").status, 200);
    assert_eq!(server.send_with("GET", "/../Cargo.toml", &host, b"").status, 404);
    assert_eq!(server.send_with("GET", "/lab/key/index.html", &host, b"").status, 404, "no lab was given");
    assert_eq!(server.send_with("POST", "/", &host, b"").status, 405);
    assert_eq!(server.send_with("GET", "/", &["host: evil.example".to_owned()], b"").status, 421);
}

#[test]
fn what_is_wrong_is_refused_with_a_reason() {
    let server = Running::start(Settings::default());
    let refused = |path: &str, body: serde_json::Value, status: u16, reason: &str| {
        let reply = server.post(path, &body);
        assert_eq!(reply.status, status, "{path} {body}");
        let object = reply.json();
        let error = object["error"].as_str().expect("a reason");
        assert!(error.contains(reason), "{path} {body}: {error}");
    };
    refused("/position", json!({}), 400, "'game' is missing");
    refused("/position", json!([]), 400, "expected a JSON object");
    refused("/position", json!({ "game": "conect4" }), 400, "did you mean 'connect4'");
    refused("/position", json!({ "game": "tictactoe", "postion": "" }), 400, "unknown field 'postion'");
    refused("/position", json!({ "game": "tictactoe", "moves": "z9" }), 400, "z9");
    refused(
        "/position",
        json!({ "game": "tictactoe", "position": "<script>alert(1)</script>" }),
        400,
        "rows",
    );
    refused("/position", json!({ "game": 3 }), 400, "not a text");
    refused("/position", json!({ "game": "x".repeat(20_000) }), 400, "longer than");
    refused("/position", json!({ "game": "/etc/passwd.toml" }), 400, "was not offered");
    refused("/position", json!({ "game": "../Cargo.TOML" }), 400, "was not offered");
    refused(
        "/solve",
        json!({ "game": "nogo:3x3", "solver": "pp:prior=/etc/passwd" }),
        400,
        "not available here",
    );
    refused(
        "/solve",
        json!({ "game": "tictactoe", "solver": "brute", "keep": true }),
        400,
        "has no checkpoints",
    );
    refused("/solve", json!({ "game": "tictactoe", "question": "checkmate" }), 400, "not a question");
    refused("/solve", json!({ "game": "tictactoe", "seconds": -1 }), 400, "number from 0");
    refused("/solve", json!({ "resume": "7" }), 404, "no such search");
    refused("/analyze", json!({ "game": "tictactoe", "question": "maxn" }), 400, "maxn");
    refused("/play", json!({ "game": "tictactoe", "agent": "uct", "position": "XXX/OO./..." }), 400, "over");
    refused("/runs/1/stop", json!({}), 404, "not running");
    refused("/proofs/1/node", json!({}), 404, "not open");
    refused("/files/0/open", json!({}), 404, "no such certificate");
    refused("/nothing", json!({}), 404, "no such path");
    let long = server.send("POST", "/api/v1/position", &" ".repeat(100_000));
    assert_eq!(long.status, 413, "a long request");
    assert_eq!(server.send("POST", "/api/v1/position", "{\"game\":").status, 400);
}

#[test]
fn files_are_offered_by_name_and_nothing_else_is_read() {
    let folder = std::env::temp_dir().join(format!("delphic-web-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // A name that would be markup if a page did not take it as text.
    let name = "<img src=x onerror=alert(1)>.toml";
    std::fs::write(
        folder.join(name),
        "family = \"lines\"\nrows = 3\ncolumns = 3\nlength = 3\ntitle = \"<b>bold</b>\"\n",
    )
    .unwrap();
    let wrong = folder.join("wrong.toml");
    std::fs::write(&wrong, "family = \"chess\"\n").unwrap();
    let settings = Settings { files: vec![folder.join(name), wrong], ..Settings::default() };
    let server = Running::start(settings);
    let about = server.get("/about").json();
    assert_eq!(about["files"][0], json!({ "name": name, "kind": "game" }));
    let reply = server.post("/position", &json!({ "game": name }));
    let (status, object) = (reply.status, reply.json());
    assert_eq!(status, 200, "{object}");
    assert_eq!(object["title"], "<b>bold</b>");
    let refused = server.post("/position", &json!({ "game": "wrong.toml" })).json();
    let error = refused["error"].as_str().unwrap();
    assert!(error.starts_with("wrong.toml:") && !error.contains(folder.to_str().unwrap()), "{error}");
    drop(server);
    std::fs::remove_dir_all(&folder).unwrap();
}
