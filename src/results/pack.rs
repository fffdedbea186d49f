//! Parts of a page, deflated (RFC 1950 and 1951) and written as letters (base64, RFC 4648): the browser unpacks them by its `DecompressionStream`.

/// Level of compression: beyond 8 a page gets less than a thousandth shorter and takes twice the time.
const LEVEL: u8 = 8;
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes, deflated, as letters.
pub(super) fn packed(bytes: &[u8]) -> String {
    letters(&miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL))
}

/// Bytes as letters, four for three, filled up with `=`.
pub(super) fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let part = |k: usize| u32::from(three.get(k).copied().unwrap_or(0));
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn letters_are_those_of_the_standard() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (bytes, text) in pairs {
            assert_eq!(letters(bytes.as_bytes()), text);
        }
        assert_eq!(letters(&[255, 254, 253, 0]), "//79AA==");
    }

    #[test]
    fn packs_of_text_are_short() {
        let text = "0.12345678,".repeat(1000);
        assert!(packed(text.as_bytes()).len() < text.len() / 50);
    }
}
