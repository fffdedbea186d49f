//! Elements and attributes as text (XML 1.0, fifth edition).

use std::fmt::Write;

/// `text` as it may stand in an attribute or between elements; characters that XML does not know are left out.
pub(in crate::fmi) fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            // Else a reader makes a blank of them.
            '\n' | '\r' | '\t' => {
                let _ = write!(all, "&#{};", u32::from(c));
            }
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => all.push(c),
        }
    }
    all
}

/// A document under way.
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// Attributes of an element.
#[derive(Default)]
pub(super) struct Attributes(String);

impl Attributes {
    pub(super) fn with(mut self, name: &str, value: impl AsRef<str>) -> Self {
        let _ = write!(self.0, " {name}=\"{}\"", escaped(value.as_ref()));
        self
    }

    /// A number with all its digits.
    pub(super) fn number(self, name: &str, value: f64) -> Self {
        // The shortest text that reads back as the same number.
        self.with(name, format!("{value:?}"))
    }

    pub(super) fn flag(self, name: &str, value: bool) -> Self {
        self.with(name, if value { "true" } else { "false" })
    }

    /// With `more` where `wanted`.
    pub(super) fn when(self, wanted: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if wanted { more(self) } else { self }
    }
}

impl Xml {
    pub(super) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), open: Vec::new() }
    }

    fn indent(&mut self) {
        let width = 2 * self.open.len();
        let _ = write!(self.text, "{:width$}", "");
    }

    /// An element without content.
    pub(super) fn element(&mut self, name: &str, attributes: Attributes) {
        self.indent();
        let _ = writeln!(self.text, "<{name}{}/>", attributes.0);
    }

    /// An element whose content `write` adds.
    pub(super) fn within(&mut self, name: &'static str, attributes: Attributes, write: impl FnOnce(&mut Self)) {
        self.indent();
        let _ = writeln!(self.text, "<{name}{}>", attributes.0);
        self.open.push(name);
        write(self);
        self.open.pop();
        self.indent();
        let _ = writeln!(self.text, "</{name}>");
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_hold_any_text() {
        let text = Attributes::default().with("name", "a \"b\" < c & d\n\u{1}e").0;
        assert_eq!(text, " name=\"a &quot;b&quot; &lt; c &amp; d&#10;e\"");
        for value in [0.1, 1e-300, -2.5e17, 1.0 / 3.0, f64::MAX] {
            let text = Attributes::default().number("x", value).0;
            let read: f64 = text.trim_start_matches(" x=\"").trim_end_matches('"').parse().unwrap();
            assert_eq!(read, value);
        }
    }
}
