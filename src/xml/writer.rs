//! Elements and attributes as text (XML 1.0, fifth edition).

use super::escaped;
use std::fmt::Write;

/// A document under way.
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// Attributes of an element.
#[derive(Default)]
pub(crate) struct Attributes(String);

impl Attributes {
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<str>) -> Self {
        let _ = write!(self.0, " {name}=\"{}\"", escaped(value.as_ref()));
        self
    }

    /// A number with all its digits.
    pub(crate) fn number(self, name: &str, value: f64) -> Self {
        // The shortest text that reads back as the same number.
        self.with(name, format!("{value:?}"))
    }

    pub(crate) fn flag(self, name: &str, value: bool) -> Self {
        self.with(name, if value { "true" } else { "false" })
    }

    /// With `more` where `wanted`.
    pub(crate) fn when(self, wanted: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if wanted { more(self) } else { self }
    }
}

impl Xml {
    pub(crate) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), open: Vec::new() }
    }

    fn indent(&mut self) {
        let width = 2 * self.open.len();
        let _ = write!(self.text, "{:width$}", "");
    }

    /// An element without content.
    pub(crate) fn element(&mut self, name: &str, attributes: Attributes) {
        self.indent();
        let _ = writeln!(self.text, "<{name}{}/>", attributes.0);
    }

    /// An element with a text.
    #[cfg(all(feature = "ssp", feature = "fmi-export"))]
    pub(crate) fn words(&mut self, name: &str, text: &str) {
        self.indent();
        let _ = writeln!(self.text, "<{name}>{}</{name}>", escaped(text));
    }

    /// An element whose content `write` adds.
    pub(crate) fn within(&mut self, name: &'static str, attributes: Attributes, write: impl FnOnce(&mut Self)) {
        self.indent();
        let _ = writeln!(self.text, "<{name}{}>", attributes.0);
        self.open.push(name);
        write(self);
        self.open.pop();
        self.indent();
        let _ = writeln!(self.text, "</{name}>");
    }

    pub(crate) fn finish(self) -> String {
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
