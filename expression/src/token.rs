//! Splits the text of an expression into tokens.
use super::error::Problem;

/// A piece of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Symbol(&'static str),
    End,
}

impl Token<'_> {
    /// The token as error messages show it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Number(value) => format!("the number {value}"),
            Token::Name(name) => format!("`{name}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the expression".to_owned(),
        }
    }
}

/// The symbols, longer ones before their own beginnings.
const SYMBOLS: [&str; 15] = ["**", "<=", ">=", "==", "!=", "+", "-", "*", "/", "^", "(", ")", ",", "<", ">"];

/// Reads tokens from the start of a text to its end.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    /// Takes what stands in brackets next, and the byte where that begins.
    pub(super) fn brackets(&mut self) -> Option<(&'a str, usize)> {
        let rest = self.text[self.position..].trim_start();
        let inner = rest.strip_prefix('[')?;
        let length = inner.find(']')?;
        let start = self.text.len() - inner.len();
        self.position = start + length + 1;
        Some((&inner[..length], start))
    }

    /// The next token and the byte where it begins; a problem comes with the byte where it is.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), (Problem, usize)> {
        let text = self.text;
        let rest = text[self.position..].trim_start();
        let start = text.len() - rest.len();
        let located = |problem| (problem, start);
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some(c) if c.is_ascii_digit() || is_fraction(rest) => number(rest).map_err(located)?,
            Some(c) if is_name_start(c) => name(rest).map_err(located)?,
            Some(c) => {
                let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
                let symbol = symbol.ok_or_else(|| located(unknown(c)))?;
                (Token::Symbol(symbol), symbol.len())
            }
        };
        self.position = start + length;
        Ok((token, start))
    }
}

/// The number that a text begins with, and its length in bytes.
pub(super) fn number_at(text: &str) -> Option<(f64, usize)> {
    let begins = text.starts_with(|c: char| c.is_ascii_digit()) || is_fraction(text);
    match begins.then(|| number(text)) {
        Some(Ok((Token::Number(value), length))) => Some((value, length)),
        _ => None,
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_' || c == '.'
}

/// Whether the text begins with a decimal point and a digit.
fn is_fraction(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first() == Some(&b'.') && bytes.get(1).is_some_and(u8::is_ascii_digit)
}

/// Whether `text` is written as a single name: `crank`, `crank.angle`, `F_2`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start) && text.chars().all(is_name_part) && !text.split('.').any(str::is_empty)
}

fn name(text: &str) -> Result<(Token<'_>, usize), Problem> {
    let length = text.find(|c| !is_name_part(c)).unwrap_or(text.len());
    let name = &text[..length];
    if !is_name(name) {
        return Err(Problem::Name { found: name.to_owned() });
    }
    Ok((Token::Name(name), length))
}

/// digits [. digits] [(e | E) [+ | -] digits], where one of the two rows of digits may be missing.
fn number(text: &str) -> Result<(Token<'_>, usize), Problem> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let tail = bytes.get(from..).unwrap_or_default();
        from + tail.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    let mut malformed = bytes.get(end) == Some(&b'.');
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = end + 1 + sign;
        end = digits(exponent);
        malformed |= end == exponent || bytes.get(end) == Some(&b'.');
    }
    let found = &text[..end];
    match found.parse::<f64>() {
        Ok(value) if !malformed && value.is_finite() => Ok((Token::Number(value), end)),
        Ok(_) if !malformed => Err(Problem::Overflow { found: found.to_owned() }),
        _ => {
            let end = text.find(|c| !is_name_part(c)).unwrap_or(text.len());
            Err(Problem::Number { found: text[..end].to_owned() })
        }
    }
}

fn unknown(found: char) -> Problem {
    let remedy = match found {
        '=' => "equality is written ==",
        '&' | '|' | '!' | '~' => "write and, or, not, !=",
        '%' => "write mod(x, y)",
        '[' | ']' => "brackets hold the unit of a number, as in `3 [m/s]`; elsewhere use parentheses ( )",
        '{' | '}' => "use parentheses ( )",
        '\u{b0}' => "write deg, as in `30 deg`",
        '\u{b2}' | '\u{b3}' => "write ^2 or ^3",
        '\u{b7}' | '\u{d7}' => "write *",
        ';' => "arguments are separated by commas",
        '?' | ':' => "write if(condition, a, b)",
        '.' => "a decimal point needs a digit, a dotted name a letter",
        _ => "delete it",
    };
    Problem::Character { found, remedy }
}
