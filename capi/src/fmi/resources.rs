//! Where the resources of a unit are: a URI in FMI 2.0, a path in FMI 3.0.

use std::path::PathBuf;

/// The folder that a URI of the scheme `file` names (RFC 8089), or a plain path; none for another scheme or host.
pub(super) fn folder_of_uri(uri: &str) -> Option<PathBuf> {
    let Some(rest) = uri.strip_prefix("file:") else {
        // Some importers hand a path over.
        return (!uri.is_empty() && !uri.contains("://")).then(|| PathBuf::from(uri));
    };
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find('/')?);
            (host.is_empty() || host == "localhost").then_some(path)?
        }
        None => rest,
    };
    let path = decoded(path)?;
    // On Windows "/C:/folder".
    let drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

/// With each %XX as the byte that it stands for.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((16 * digit(digits[0])? + digit(digits[1])?) as u8);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::folder_of_uri;

    #[test]
    fn uris_and_paths_become_folders() {
        let path = |uri| folder_of_uri(uri).map(|path| path.to_string_lossy().into_owned());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(path("file:///tmp/a%20b/%C3%A4"), some("/tmp/a b/\u{e4}"));
        assert_eq!(path("file:/tmp/x"), some("/tmp/x"));
        assert_eq!(path("file://localhost/tmp/x"), some("/tmp/x"));
        assert_eq!(path("/tmp/x"), some("/tmp/x"));
        for refused in ["", "http://a/b", "file://host/x", "file:///a%2", "file:///a%zz", "file:///%ff"] {
            assert_eq!(path(refused), None, "{refused}");
        }
    }
}
