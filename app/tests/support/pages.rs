//! What is in a page: its parts are deflated and written as letters.

use std::fs;
use std::path::Path;

/// The part of that name, unpacked; None if the page has none.
pub(crate) fn part(page: &str, name: &str) -> Option<Vec<u8>> {
    let (_, rest) = page.split_once(&format!("id=\"packed-{name}\">"))?;
    let (letters, _) = rest.split_once("</script>")?;
    Some(miniz_oxide::inflate::decompress_to_vec_zlib(&base64(letters)).unwrap())
}

/// The text of a page with its data and its own script unpacked.
pub(crate) fn text(path: impl AsRef<Path>) -> String {
    opened(fs::read_to_string(path).unwrap())
}

/// The same of a page that was read.
pub(crate) fn opened(mut page: String) -> String {
    for name in ["data", "script"] {
        let text = String::from_utf8(part(&page, name).unwrap()).unwrap();
        page.push_str(&text);
    }
    page
}

/// RFC 4648, section 4.
pub(crate) fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bytes, mut bits, mut length) = (Vec::new(), 0u32, 0);
    for c in text.bytes().filter(|c| *c != b'=') {
        bits = bits << 6 | u32::from(digit(c));
        length += 6;
        if length >= 8 {
            length -= 8;
            bytes.push((bits >> length) as u8);
        }
    }
    bytes
}
