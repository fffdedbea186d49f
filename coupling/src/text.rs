//! Numbers in messages: short, whatever their size.

use std::fmt::{Display, Formatter, Result};

/// A number with at most 14 significant digits, which round-off in the sum of steps does not reach: plain for everyday magnitudes, else with
/// an exponent.
pub(crate) struct Brief(pub(crate) f64);

impl Display for Brief {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        // Rounded in decimal; what it reads as is then printed with as few digits as tell it apart.
        let rounded = format!("{:.13e}", self.0).parse().unwrap_or(self.0);
        match rounded.abs() {
            0.0 | f64::INFINITY => write!(f, "{rounded}"),
            1e-4..1e9 => write!(f, "{rounded}"),
            // A NaN as well.
            _ => write!(f, "{rounded:e}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Brief;

    #[test]
    fn numbers_are_short_and_keep_their_digits() {
        let cases = [
            (19.0 * 0.05, "0.95"),
            (15.0 * 1e-4, "0.0015"),
            (1_234.567_891, "1234.567891"),
            (-3e-7, "-3e-7"),
            (1e300, "1e300"),
            (0.0, "0"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(Brief(value).to_string(), text);
        }
    }
}
