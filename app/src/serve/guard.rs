//! Who may talk to the server: a browser on this machine that was given the address with its token.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::AppState;

/// Longest body of a request \[bytes\]: settings of a model with thousands of connections have a tenth.
const LONGEST: usize = 2 << 20;
/// How long a body may take to come, once its request is known to be one of the page: it is sent in one piece from this machine.
const BODY: Duration = Duration::from_secs(5);

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
        let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let texts = |name| headers.get_all(name).iter().map(text);
        // A page of another site whose name was made to point here still says its own name (DNS rebinding). Of two names one could be meant here and
        // the other by whoever passed the request on.
        let hosts: Vec<String> = texts(header::HOST).collect();
        if !matches!(&hosts[..], [host] if self.hosts.contains(host)) {
            return Some("this server answers to 127.0.0.1 and localhost alone");
        }
        let own = |origin: &str| self.hosts.iter().any(|host| origin.strip_prefix("http://") == Some(host));
        // What a person has typed or opened from the terminal is of no site.
        let is_own_site = |site: &str| matches!(site, "same-origin" | "none");
        if !texts(header::ORIGIN).all(|origin| own(&origin)) || !texts(SITE).all(|site| is_own_site(&site)) {
            return Some("requests of other sites are refused; open the address in a new tab");
        }
        let token = path.strip_prefix('/').and_then(|path| path.split('/').next()).unwrap_or_default();
        if !same(token, &self.token) {
            return Some("the address lacks its token: open the one that `fourbar serve` has printed");
        }
        // Forms of other sites cannot send this type.
        let json = headers.get(header::CONTENT_TYPE).map(text).is_some_and(|kind| kind.starts_with("application/json"));
        (*method == Method::POST && !json).then_some("commands are sent as application/json")
    }
}

/// Of whom a request is, in the words of the browser (W3C, Fetch Metadata Request Headers): pages cannot set it.
const SITE: header::HeaderName = header::HeaderName::from_static("sec-fetch-site");

/// Compares in a time that does not tell where the difference is.
fn same(one: &str, other: &str) -> bool {
    let difference = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && difference == 0
}

/// The request with all of its body, or why there is none.
async fn whole(request: Request) -> Result<Request, (StatusCode, &'static str)> {
    const TOO_LONG: (StatusCode, &str) = (StatusCode::PAYLOAD_TOO_LARGE, "the request is longer than 2 MiB");
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > LONGEST as u64) {
        return Err(TOO_LONG);
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(BODY, to_bytes(body, LONGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(TOO_LONG),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request did not come to its end within 5 s")),
    }
}

/// Turns away who is refused, and forbids the page everything that does not come from here.
pub(super) async fn watch(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let refusal = app.guard.refusal(request.uri().path(), request.method(), request.headers());
    let refused = |(status, reason): (StatusCode, &str)| {
        // What is left of its body is not waited for.
        (status, [(header::CONNECTION, "close")], reason.to_owned()).into_response()
    };
    let mut response = match refusal {
        Some(reason) => refused((StatusCode::FORBIDDEN, reason)),
        None => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err(refusal) => refused(refusal),
        },
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
        let mut headers = HeaderMap::new();
        for (name, value) in entries {
            headers.append(name, HeaderValue::from_static(value));
        }
        headers
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
        // A name of this server does not make another one beside it good, whichever comes first.
        for hosts in [["localhost:9", "evil.example"], ["evil.example", "localhost:9"], ["localhost:9", "localhost:9"]]
        {
            assert!(!get("/abc/", &headers(&hosts.map(|host| (header::HOST, host)))), "{hosts:?}");
        }
        for (site, is_own) in
            [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false), ("", false)]
        {
            assert_eq!(get("/abc/", &headers(&[(header::HOST, "localhost:9"), (SITE, site)])), is_own, "{site}");
        }
        let post = |headers: &HeaderMap| guard.refusal("/abc/command", &Method::POST, headers).is_none();
        assert!(!post(&own));
        assert!(!post(&headers(&[(header::HOST, "localhost:9"), (header::CONTENT_TYPE, "text/plain")])));
        assert!(post(&headers(&[(header::HOST, "localhost:9"), (header::CONTENT_TYPE, "application/json")])));
    }
}
