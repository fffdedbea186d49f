//! Text in XML and HTML (XML 1.0, fifth edition).

#[cfg(feature = "fmi")]
mod writer;

use std::fmt::Write;
#[cfg(feature = "fmi")]
pub(crate) use writer::{Attributes, Xml};

/// `text` as it may stand in an attribute or between elements; characters that XML does not know are left out.
pub(crate) fn escaped(text: &str) -> String {
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
