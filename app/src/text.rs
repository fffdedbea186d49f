//! Tables as text.

use fourbar::linalg::text::printable;
pub(crate) use fourbar::results::number;
use std::io::Write as _;

/// What the macro `say!` does.
pub(crate) fn say(words: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{words}");
}

/// Significant digits of results in texts for a person.
pub(crate) const DIGITS: usize = 10;

/// The line that heads what is said of a model: its name and what it shows.
pub(crate) fn heading(name: &str, description: &str) -> String {
    // A description may have several lines.
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let colon = if description.is_empty() { "" } else { ": " };
    format!("{}{colon}{}", printable(name), printable(&description))
}

/// Lines of two columns, the first as wide as its widest entry, indented by two blanks.
pub(crate) fn two_columns(rows: &[(String, String)]) -> String {
    let rows: Vec<_> = rows.iter().map(|(name, value)| (printable(name), printable(value))).collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("  {name:width$}  {value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_acts_on_the_terminal() {
        let rows = [("a\u{1b}[2J".to_owned(), "1\n2".to_owned())];
        assert_eq!(two_columns(&rows), "  a\\u{1b}[2J  1\\n2\n");
        assert_eq!(heading("a\nb", "first\n  second\u{7}"), "a\\nb: first second\\u{7}");
        assert_eq!(heading("a", ""), "a");
    }

    #[test]
    fn columns_line_up() {
        let rows = [("a".to_owned(), "1".to_owned()), ("long".to_owned(), "2".to_owned())];
        assert_eq!(two_columns(&rows), "  a     1\n  long  2\n");
    }
}
