//! Numbers, names and foreign texts in messages: short, without effect on the terminal that shows them; the known name most like a wrong one.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};

/// Significant digits that round-off in the sum of steps does not reach.
const DIGITS: usize = 14;

/// A number for people to read, with at most 14 significant digits, or as many as the precision of the format says: plain for everyday
/// magnitudes, else with an exponent. Zeros at the end are left out.
///
/// ```
/// use fourbar_linalg::text::Brief;
///
/// assert_eq!(format!("{} {} {} {}", Brief(0.5), Brief(1.0), Brief(1.5e-7), Brief(1e12)), "0.5 1 1.5e-7 1e12");
/// assert_eq!(format!("{:.3}", Brief(2.0 / 3.0)), "0.667");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Brief(pub f64);

impl Display for Brief {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let digits = f.precision().unwrap_or(DIGITS).max(1);
        // Rounded in decimal; what it reads as is then printed with as few digits as tell it apart.
        let rounded = format!("{:.*e}", digits - 1, self.0).parse().unwrap_or(self.0);
        match rounded.abs() {
            0.0 | f64::INFINITY => write!(f, "{rounded}"),
            1e-4..1e9 => write!(f, "{rounded}"),
            // A NaN as well.
            _ => write!(f, "{rounded:e}"),
        }
    }
}

/// So many of a thing whose plural has an s.
///
/// ```
/// assert_eq!(fourbar_linalg::text::counted(1, "run"), "1 run");
/// assert_eq!(fourbar_linalg::text::counted(0, "run"), "0 runs");
/// ```
#[must_use]
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Characters of a word, as a name or a path, that are shown: more fill a line of a wide terminal.
const WORD: usize = 200;
/// Characters of a message that are shown: a page of a terminal.
const MESSAGE: usize = 2000;

/// Whether a terminal or a browser does something else with a character than to show it: control characters, separators of lines, and
/// marks that turn the direction of what follows.
fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A text of any origin as one line for people: characters that would act are escaped as in Rust's literals.
///
/// ```
/// assert_eq!(fourbar_linalg::text::escaped("a\u{1b}[31m\n"), "a\\u{1b}[31m\\n");
/// ```
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_active(c) && c.is_control() => shown.extend(c.escape_default()),
            c if is_active(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A message that holds texts of any origin: [`escaped`], words of more than 200 characters and messages of more than 2000 with a gap.
#[must_use]
pub fn printable(message: &str) -> Cow<'_, str> {
    let shown = escaped(message);
    if shown.len() <= WORD {
        return shown;
    }
    let words: Vec<Cow<'_, str>> = shown.split(' ').map(|word| with_gap(word, WORD)).collect();
    let words = words.join(" ");
    Cow::Owned(with_gap(&words, MESSAGE).into_owned())
}

/// The beginning and the end of a text that is longer than so many characters.
fn with_gap(text: &str, longest: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= longest {
        return Cow::Borrowed(text);
    }
    let part = longest / 2;
    let beginning: String = text.chars().take(part).collect();
    let end: String = text.chars().skip(count - part).collect();
    Cow::Owned(format!("{beginning}...{end}"))
}

/// The known name most like `name`, if any is; one that differs in upper and lower case alone comes next to an equal one.
///
/// ```
/// assert_eq!(fourbar_linalg::text::nearest("Bar", ["bar", "Pa"]), Some("bar".to_owned()));
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    /// Comparing takes the product of the lengths: longer names are no misspellings.
    const LONGEST: usize = 128;
    /// What names alike in other letter case lack.
    const OTHER_CASE: f64 = 0.05;
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    let mut best = (0.0, None);
    for candidate in known.into_iter().filter(|candidate| candidate.len() <= LONGEST) {
        let alike = strsim::jaro_winkler(&lower, &candidate.to_lowercase()) - OTHER_CASE;
        let similarity = strsim::jaro_winkler(name, candidate).max(alike);
        if similarity > best.0 {
            best = (similarity, Some(candidate));
        }
    }
    best.1.filter(|_| best.0 > 0.6).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::{Brief, escaped, printable};

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_the_rest_kept() {
        let harmless = "joint \"Ä\" at 90°: C:\\new is 1 µm, naïve 日本 👍";
        assert_eq!(escaped(harmless), harmless);
        assert_eq!(escaped("\0\r\n\t\x07\x7f\u{9b}"), "\\u{0}\\r\\n\\t\\u{7}\\u{7f}\\u{9b}");
        assert_eq!(escaped("a\u{202e}b\u{2066}c\u{2028}"), "a\\u{202e}b\\u{2066}c\\u{2028}");
        for c in (0..=0x2fff).filter_map(char::from_u32) {
            let text = c.to_string();
            assert!(!escaped(&text).contains(char::is_control), "{c:?}");
        }
    }

    #[test]
    fn long_words_and_messages_have_a_gap() {
        let name = "n".repeat(100_000);
        let shown = printable(&format!("body \"{name}\" has no mass; give it one")).into_owned();
        assert!(
            shown.len() < 300 && shown.starts_with("body \"nnn") && shown.ends_with("nnn\" has no mass; give it one")
        );
        let many = "word ".repeat(100_000);
        assert!(printable(&many).len() < 2100);
        let usual = "word ".repeat(100);
        assert_eq!(printable(&usual), usual);
        assert!(printable(&"日\u{1b}".repeat(5000)).chars().count() < 2100);
    }

    #[test]
    fn numbers_are_short_and_keep_their_digits() {
        let cases = [
            (19.0 * 0.05, "0.95"),
            (15.0 * 1e-4, "0.0015"),
            (1_234.567_891, "1234.567891"),
            (-3e-7, "-3e-7"),
            (1e300, "1e300"),
            (f64::MAX, "1.7976931348623e308"),
            (5e-324, "5e-324"),
            (0.0, "0"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(Brief(value).to_string(), text);
        }
    }

    #[test]
    fn a_precision_gives_the_number_of_digits() {
        let cases = [
            (1, 0.96, "1"),
            (2, 0.0949, "0.095"),
            (3, 123_456.0, "123000"),
            (4, 1.234_56e-9, "1.235e-9"),
            (3, 5.0, "5"),
            (2, f64::NAN, "NaN"),
        ];
        for (digits, value, text) in cases {
            assert_eq!(format!("{:.digits$}", Brief(value)), text);
            assert_eq!(format!("{:.0}", Brief(3.2)), "3");
        }
    }
}
