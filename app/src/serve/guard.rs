//! Who may talk to the server: a browser on this machine that was given the address with its token.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use super::AppState;

/// The token and the names under which this server is known.
pub(super) struct Guard {
    token: String,
    hosts: [String; 2],
}

impl Guard {
    /// With a token of 128 random bits.
    pub(super) fn new(port: u16) -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut token = String::with_capacity(32);
        for byte in bytes {
            // Writing to a String cannot fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { token, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Why a request is turned away, if it is.
    fn refusal(&self, path: &str, method: &Method, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
        // A page of another site whose name was made to point here still says its own name (DNS rebinding).
        if !text(header::HOST).is_some_and(|host| self.hosts.iter().any(|own| own == host)) {
            return Some("this server answers to 127.0.0.1 and localhost alone");
        }
        let own = |origin: &str| self.hosts.iter().any(|host| origin.strip_prefix("http://") == Some(host));
        if text(header::ORIGIN).is_some_and(|origin| !own(origin)) {
            return Some("requests of other sites are refused");
        }
        let token = path.strip_prefix('/').and_then(|path| path.split('/').next()).unwrap_or_default();
        if !same(token, &self.token) {
            return Some("the address lacks its token: open the one that `fourbar serve` has printed");
        }
        // Forms of other sites cannot send this type.
        let json = text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/json"));
        (*method == Method::POST && !json).then_some("commands are sent as application/json")
    }
}

/// Compares in a time that does not tell where the difference is.
fn same(one: &str, other: &str) -> bool {
    let difference = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && difference == 0
}

/// Turns away who is refused, and forbids the page everything that does not come from here.
pub(super) async fn watch(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let refusal = app.guard.refusal(request.uri().path(), request.method(), request.headers());
    let mut response = match refusal {
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                  base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(entries: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        entries.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, two) = (Guard::new(1).unwrap(), Guard::new(1).unwrap());
        assert_eq!(one.token.len(), 32);
        assert_ne!(one.token, two.token);
    }

    #[test]
    fn strangers_are_turned_away() {
        let guard = Guard { token: "abc".into(), hosts: ["127.0.0.1:9".into(), "localhost:9".into()] };
        let own = headers(&[(header::HOST, "localhost:9")]);
        let get = |path: &str, headers: &HeaderMap| guard.refusal(path, &Method::GET, headers).is_none();
        assert!(get("/abc/", &own) && get("/abc/page.js", &own));
        for path in ["/", "", "/ab/", "/abcd/", "/x/abc/"] {
            assert!(!get(path, &own), "{path}");
        }
        assert!(!get("/abc/", &headers(&[])));
        assert!(!get("/abc/", &headers(&[(header::HOST, "evil.example:9")])));
        assert!(!get("/abc/", &headers(&[(header::HOST, "localhost:9"), (header::ORIGIN, "http://evil.example")])));
        assert!(get("/abc/", &headers(&[(header::HOST, "127.0.0.1:9"), (header::ORIGIN, "http://127.0.0.1:9")])));
        let post = |headers: &HeaderMap| guard.refusal("/abc/command", &Method::POST, headers).is_none();
        assert!(!post(&own));
        assert!(!post(&headers(&[(header::HOST, "localhost:9"), (header::CONTENT_TYPE, "text/plain")])));
        assert!(post(&headers(&[(header::HOST, "localhost:9"), (header::CONTENT_TYPE, "application/json")])));
    }
}
