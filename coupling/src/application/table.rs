//! Rows of numbers as comma-separated values: a header `time [s],mass.x [m],..`, then one line for each time.

use std::fmt::Write as _;
use std::io::{self, Write};

/// The header: names with their units, quoted where they need it.
pub(super) fn write_header(sink: &mut impl Write, names: &[String], units: &[String]) -> io::Result<()> {
    let mut line = String::from("time [s]");
    for (name, unit) in names.iter().zip(units) {
        line.push(',');
        line += &quoted(&heading(name, unit));
    }
    writeln!(sink, "{line}")
}

/// A name with its unit.
pub(super) fn heading(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// RFC 4180: a field with a comma, a quote or an end of line stands in quotes, its own quotes doubled.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

/// A row; `line` is room to work in. Numbers have the fewest digits that give the same double back.
pub(super) fn write_row(sink: &mut impl Write, line: &mut String, time: f64, values: &[f64]) -> io::Result<()> {
    line.clear();
    push_number(line, time);
    for value in values {
        line.push(',');
        push_number(line, *value);
    }
    line.push('\n');
    sink.write_all(line.as_bytes())
}

/// Plain notation for everyday magnitudes, else an exponent.
fn push_number(line: &mut String, value: f64) {
    let plain = value == 0.0 || (1e-4..1e15).contains(&value.abs()) || !value.is_finite();
    // Writing to a String cannot fail.
    let _ = if plain { write!(line, "{value}") } else { write!(line, "{value:e}") };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_bit_for_bit(bits: u64) {
            let value = f64::from_bits(bits);
            let mut text = String::new();
            push_number(&mut text, value);
            let back: f64 = text.parse().unwrap();
            prop_assert!(back.to_bits() == bits || (value.is_nan() && back.is_nan()), "{text}");
        }
    }

    #[test]
    fn names_that_would_break_a_line_are_quoted() {
        let mut sink = Vec::new();
        let names = ["a.x", "b.\"y,z\""].map(String::from);
        write_header(&mut sink, &names, &["m".into(), String::new()]).unwrap();
        write_row(&mut sink, &mut String::new(), 0.5, &[1e-300, -2.0]).unwrap();
        let text = String::from_utf8(sink).unwrap();
        assert_eq!(text, "time [s],a.x [m],\"b.\"\"y,z\"\"\"\n0.5,1e-300,-2\n");
    }
}
