//! Access control: the name in `Host`, the page in `Origin`, and the token.
//!
//! The server listens on the loopback interface, but every page in the user's browser can send requests there. A page of another origin is
//! refused by `Origin` and `Sec-Fetch-Site`; a name that was made to point here (DNS rebinding) is refused by `Host`; other programs and
//! users of the machine do not have the token. It is in the fragment of the address, which browsers do not send, and is returned in the
//! header `Authorization`, which other pages cannot set.

use crate::App;
use crate::reply::{Problem, problem};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Characters of the token: 128 bits in hexadecimal digits.
const TOKEN_BYTES: usize = 16;

/// The content security policy of the page: only its own scripts, styles and interface, nothing inline, nothing from other servers.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Pages of the lab have their styles inline and no scripts.
const LAB_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; sandbox";

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// A fresh token.
pub(crate) fn token() -> std::io::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Checks a request before it reaches its handler, and adds the headers of every response.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let (api, lab) = (path.starts_with("/api/"), path.starts_with("/lab/"));
    let mut response = match refuse(&app, request.headers(), api) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = if lab { LAB_POLICY } else { PAGE_POLICY };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

fn refuse(app: &App, headers: &HeaderMap, api: bool) -> Option<Problem> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST).filter(|host| is_ours(host, app.port, &app.settings.hosts)) else {
        return Some(problem(StatusCode::MISDIRECTED_REQUEST, "this is not the host that was asked for"));
    };
    let foreign = text(header::ORIGIN).is_some_and(|origin| origin != format!("http://{host}"));
    let elsewhere = text(HeaderName::from_static("sec-fetch-site"))
        .is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign || (api && elsewhere) {
        return Some(problem(StatusCode::FORBIDDEN, "requests from other pages are refused"));
    }
    let given = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    if api && !given.is_some_and(|given| same(given, &app.token)) {
        return Some(problem(
            StatusCode::UNAUTHORIZED,
            "the token is missing or wrong; open the address that `delphic serve` printed",
        ));
    }
    None
}

/// Whether a `Host` is this server: an IP address or an allowed name, with our port. Anyone can make a name point here, but not an address.
fn is_ours(host: &str, port: u16, names: &[String]) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    let known =
        name == "localhost" || bare.parse::<IpAddr>().is_ok() || names.iter().any(|ours| ours == name);
    known && given == Some(port)
}

/// Compares in constant time.
fn same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_allowed_names_with_our_port_are_hosts() {
        let names = ["solver.lan".to_owned()];
        for (host, ours) in [
            ("127.0.0.1:7000", true),
            ("localhost:7000", true),
            ("[::1]:7000", true),
            ("solver.lan:7000", true),
            ("127.0.0.1:7001", false),
            ("127.0.0.1", false),
            ("evil.example:7000", false),
            ("localhost.evil.example:7000", false),
            ("", false),
            ("[::1]", false),
            ("::1:7000", true),
        ] {
            assert_eq!(is_ours(host, 7000, &names), ours, "{host}");
        }
    }

    #[test]
    fn tokens_are_compared_in_full() {
        let token = token().unwrap();
        assert_eq!(token.len(), 2 * TOKEN_BYTES);
        assert!(same(&token, &token) && !same("", &token) && !same(&token[1..], &token));
        assert!(!same(&format!("{token}0"), &token) && token != super::token().unwrap());
    }
}
