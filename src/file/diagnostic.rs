//! A fault of a model file as a person reads it: where, what, and what to write instead.

use fourbar_linalg::text::{escaped, printable};
use std::fmt;
use std::ops::Range;

/// A fault of a model file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The text of that line.
    pub text: String,
    /// How many characters from `column` on are concerned, at least 1.
    pub width: usize,
    /// What is wrong, with the name and the value concerned.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
    /// Another line that is part of the problem, and why.
    pub related: Option<(usize, String)>,
}

impl Diagnostic {
    /// The diagnostic of the bytes `span` of `text`.
    pub(crate) fn new(file: &str, text: &str, span: Range<usize>, problem: String, remedy: String) -> Self {
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let marked = &text[start..end.min(line_end)];
        Self {
            file: file.to_owned(),
            line: line_number(text, start),
            column: text[line_start..start].chars().count() + 1,
            text: text[line_start..line_end].trim_end_matches('\r').to_owned(),
            width: marked.trim_end().chars().count().max(1),
            problem,
            remedy,
            related: None,
        }
    }
}

/// Number of the line that holds byte `offset`, from 1.
pub(crate) fn line_number(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0)
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, marked) = excerpt(&self.text, self.column, self.width);
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, "{}:{}:{}: {}", escaped(&self.file), self.line, self.column, printable(&self.problem))?;
        writeln!(f, " {margin} |")?;
        writeln!(f, " {number} | {marked}")?;
        writeln!(f, " {margin} | {before}{}", "^".repeat(self.width.min(WIDEST)))?;
        if let Some((line, why)) = &self.related {
            writeln!(f, " {margin} = line {line}: {}", printable(why))?;
        }
        write!(f, " {margin} = {}", printable(&self.remedy))
    }
}

/// Characters of a source line shown before and after the place.
const WIDEST: usize = 60;

/// The shown part of a line, and the blanks that lead to the column in it: tabs kept, other characters that would act blanked.
fn excerpt(line: &str, column: usize, width: usize) -> (String, String) {
    let skipped = (column - 1).saturating_sub(WIDEST);
    let length = column - 1 - skipped + width.min(WIDEST) + WIDEST;
    let shown: String = line.chars().skip(skipped).take(length).map(shown).collect();
    let blanks = shown.chars().take(column - 1 - skipped).map(|c| if c == '\t' { c } else { ' ' }).collect();
    (blanks, shown)
}

/// A character of a source line as it is shown, at the same width.
fn shown(c: char) -> char {
    let mut text = [0; 4];
    let text = c.encode_utf8(&mut text);
    if c != '\t' && escaped(text) != *text { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_file_acts_on_the_terminal() {
        let name = "x\u{1b}[2J\u{202e}\r".repeat(1000);
        let text = format!("name = \"{name}\"");
        let problem = format!("`{name}`\nfourbar: all is well");
        let diagnostic = Diagnostic::new(&format!("m\n{}", &name[..3]), &text, 7..text.len(), problem, name.clone());
        let shown = diagnostic.to_string();
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n') && !shown.contains('\u{202e}'), "{shown}");
        assert_eq!(shown.lines().count(), 5, "{shown}");
        assert!(shown.len() < 8000, "{}", shown.len());
        assert!(shown.lines().nth(2).unwrap().len() < 200, "{shown}");
    }

    #[test]
    fn the_caret_stands_under_the_place() {
        let text = "a = 1\n\tmäss = \"x\"\r\n";
        let start = text.find("\"x\"").unwrap();
        let diagnostic = Diagnostic::new("m.toml", text, start..start + 3, "p".into(), "r".into());
        assert_eq!((diagnostic.line, diagnostic.column, diagnostic.width), (2, 9, 3));
        assert_eq!(diagnostic.to_string(), "m.toml:2:9: p\n   |\n 2 | \tmäss = \"x\"\n   | \t       ^^^\n   = r");
    }

    #[test]
    fn a_very_long_line_is_cut() {
        let text = format!("{}x{}", "a".repeat(5000), "b".repeat(5000));
        let diagnostic = Diagnostic::new("m", &text, 5000..5001, "p".into(), "r".into());
        assert_eq!(diagnostic.column, 5001);
        assert!(diagnostic.to_string().len() < 400);
    }

    #[test]
    fn a_place_at_the_end_of_an_empty_text_is_line_one() {
        let diagnostic = Diagnostic::new("m", "", 7..9, "p".into(), "r".into());
        assert_eq!((diagnostic.line, diagnostic.column, diagnostic.width), (1, 1, 1));
    }
}
