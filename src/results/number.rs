//! Numbers for a person.

use fourbar_linalg::text::Brief;

/// `value` with at most `digits` significant digits: plain for everyday magnitudes, else with an exponent; no trailing zeros.
#[must_use]
pub fn number(value: f64, digits: usize) -> String {
    format!("{:.digits$}", Brief(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_their_digits() {
        let cases = [
            (15.810_771_195_153_7, "15.8107712"),
            (0.0, "0"),
            (-0.03, "-0.03"),
            (1e-5, "1e-5"),
            (1.234_567_891_234e-7, "1.234567891e-7"),
            (123_456_789.0, "123456789"),
            (2.5e12, "2.5e12"),
            (0.999_999_999_999, "1"),
            (9_999_999_999.9, "1e10"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value, 10), text);
        }
    }
}
