//! Numbers in messages: short, whatever their size.

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
