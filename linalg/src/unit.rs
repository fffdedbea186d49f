//! Units by name: their dimension and their factor to the coherent SI unit, the same in all crates above.
//!
//! A unit is a product of named units with integer powers, "kN", "mm/s", "N m", "kg*m^2", "l/min". Between factors stands a space, a star, a
//! point or a raised point: "N m", "N*m", "N.m" and "N\u{b7}m" are one unit (section 5.4.1 of the brochure cited below knows the space and the
//! raised point). A slash divides by the factor behind it alone; parentheses make a factor of a product, "N m/(rad/s)". Powers are written
//! "m^2", "m2", "s^-1", "s-1" or raised. Metric prefixes stand before the units that take them. Factors: BIPM, The International System of Units,
//! 9th edition (2019), tables 2 to 8; inch, pound-force and psi: NIST Special Publication 811 (2008), appendix B.8. The plane angle counts as a
//! dimension of its own, so that an angle never feeds a ratio unnoticed.

use crate::text::nearest;
use std::f64::consts::PI;

/// Powers of kg, m, s, A, K, mol, cd and rad.
pub type Dimension = [i32; 8];

/// A unit with its way to the coherent SI unit: SI value = factor times value + offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub dimension: Dimension,
    /// SI units in one unit.
    pub factor: f64,
    /// SI value of the unit's zero; other than 0 for temperatures on a scale alone.
    pub offset: f64,
}

/// Why a name is not a unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{name}\" is not a known unit{}; write a product of units like \"kN\", \"mm/s\" or \"kg*m^2\"",
    .nearest.as_ref().map(|n| format!(" (did you mean \"{n}\"?)")).unwrap_or_default()
)]
pub struct UnknownUnit {
    /// The part of the text that was not understood.
    pub name: String,
    /// A known unit with a similar name.
    pub nearest: Option<String>,
}

/// Name, dimension, factor, whether it takes metric prefixes.
type Row = (&'static str, Dimension, f64, bool);

const NONE: Dimension = [0; 8];
const LENGTH: Dimension = [0, 1, 0, 0, 0, 0, 0, 0];
const MASS: Dimension = [1, 0, 0, 0, 0, 0, 0, 0];
const TIME: Dimension = [0, 0, 1, 0, 0, 0, 0, 0];
const CURRENT: Dimension = [0, 0, 0, 1, 0, 0, 0, 0];
const TEMPERATURE: Dimension = [0, 0, 0, 0, 1, 0, 0, 0];
const AMOUNT: Dimension = [0, 0, 0, 0, 0, 1, 0, 0];
const ANGLE: Dimension = [0, 0, 0, 0, 0, 0, 0, 1];
const VOLUME: Dimension = [0, 3, 0, 0, 0, 0, 0, 0];
const FREQUENCY: Dimension = [0, 0, -1, 0, 0, 0, 0, 0];
const FORCE: Dimension = [1, 1, -2, 0, 0, 0, 0, 0];
const PRESSURE: Dimension = [1, -1, -2, 0, 0, 0, 0, 0];
const ENERGY: Dimension = [1, 2, -2, 0, 0, 0, 0, 0];
const POWER: Dimension = [1, 2, -3, 0, 0, 0, 0, 0];
const TENSION: Dimension = [1, 2, -3, -1, 0, 0, 0, 0];
const RESISTANCE: Dimension = [1, 2, -3, -2, 0, 0, 0, 0];

const PLAIN: Unit = Unit { dimension: NONE, factor: 1.0, offset: 0.0 };

const UNITS: [Row; 48] = [
    ("1", NONE, 1.0, false),
    ("%", NONE, 0.01, false),
    ("m", LENGTH, 1.0, true),
    ("in", LENGTH, 0.0254, false),
    ("ft", LENGTH, 0.3048, false),
    ("g", MASS, 1e-3, true),
    ("t", MASS, 1e3, true),
    ("lb", MASS, 0.45359237, false),
    ("s", TIME, 1.0, true),
    ("min", TIME, 60.0, false),
    ("h", TIME, 3600.0, false),
    ("A", CURRENT, 1.0, true),
    ("K", TEMPERATURE, 1.0, true),
    ("mol", AMOUNT, 1.0, true),
    ("cd", [0, 0, 0, 0, 0, 0, 1, 0], 1.0, false),
    ("rad", ANGLE, 1.0, true),
    ("deg", ANGLE, PI / 180.0, false),
    ("\u{b0}", ANGLE, PI / 180.0, false),
    ("rev", ANGLE, 2.0 * PI, false),
    ("rpm", [0, 0, -1, 0, 0, 0, 0, 1], PI / 30.0, false),
    ("Hz", FREQUENCY, 1.0, true),
    ("N", FORCE, 1.0, true),
    ("lbf", FORCE, 4.448_221_615_260_5, false),
    ("Pa", PRESSURE, 1.0, true),
    ("bar", PRESSURE, 1e5, true),
    ("psi", PRESSURE, 6_894.757_293_168_361, false),
    ("atm", PRESSURE, 101_325.0, false),
    ("J", ENERGY, 1.0, true),
    ("W", POWER, 1.0, true),
    ("V", TENSION, 1.0, true),
    ("C", [0, 0, 1, 1, 0, 0, 0, 0], 1.0, true),
    ("Ohm", RESISTANCE, 1.0, true),
    ("\u{3a9}", RESISTANCE, 1.0, true),
    ("\u{2126}", RESISTANCE, 1.0, true),
    ("F", [-1, -2, 4, 2, 0, 0, 0, 0], 1.0, true),
    ("H", [1, 2, -2, -2, 0, 0, 0, 0], 1.0, true),
    ("Wb", [1, 2, -2, -1, 0, 0, 0, 0], 1.0, true),
    ("T", [1, 0, -2, -1, 0, 0, 0, 0], 1.0, true),
    ("l", VOLUME, 1e-3, true),
    ("L", VOLUME, 1e-3, true),
    ("cSt", [0, 2, -1, 0, 0, 0, 0, 0], 1e-6, false),
    ("St", [0, 2, -1, 0, 0, 0, 0, 0], 1e-4, false),
    ("P", [1, -1, -1, 0, 0, 0, 0, 0], 0.1, true),
    ("gn", [0, 1, -2, 0, 0, 0, 0, 0], 9.806_65, false),
    ("kWh", ENERGY, 3.6e6, false),
    ("Nm", ENERGY, 1.0, true),
    ("d", TIME, 86_400.0, false),
    ("kn", [0, 1, -1, 0, 0, 0, 0, 0], 1852.0 / 3600.0, false),
];

const PREFIXES: [(&str, f64); 11] = [
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("\u{b5}", 1e-6),
    ("\u{3bc}", 1e-6),
    ("n", 1e-9),
    ("h", 1e2),
];

impl Unit {
    /// Reads a unit; an empty name is a plain number.
    ///
    /// ```
    /// use fourbar_linalg::unit::Unit;
    ///
    /// let flow = Unit::parse("l/min")?;
    /// assert_eq!(flow.dimension, Unit::parse("m^3/s")?.dimension);
    /// assert!((60_000.0 * flow.factor - 1.0).abs() < 1e-15);
    /// # Ok::<(), fourbar_linalg::unit::UnknownUnit>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownUnit`] with the nearest known name.
    pub fn parse(text: &str) -> Result<Self, UnknownUnit> {
        let text = text.trim();
        if let Some(unit) = temperature_scale(text) {
            return Ok(unit);
        }
        let mut rest = text;
        let unit = if text.is_empty() { PLAIN } else { product(&mut rest, 0)? };
        // A factor beyond the range of f64 converts nothing.
        if !rest.is_empty() || !unit.factor.is_normal() {
            return Err(unknown(text));
        }
        Ok(unit)
    }

    /// This unit to a power.
    fn power(self, power: i32) -> Self {
        Self { dimension: self.dimension.map(|d| d.saturating_mul(power)), factor: self.factor.powi(power), ..self }
    }

    /// The product with another unit.
    fn times(self, other: Self) -> Self {
        let dimension = std::array::from_fn(|k| self.dimension[k].saturating_add(other.dimension[k]));
        Self { dimension, factor: self.factor * other.factor, ..self }
    }

    /// Gain and offset that turn a value in this unit into one in `other`; None if the dimensions differ.
    #[must_use]
    pub fn conversion(&self, other: &Self) -> Option<(f64, f64)> {
        let same = self.dimension == other.dimension;
        // Equal factors give exactly 1.
        same.then(|| (self.factor / other.factor, (self.offset - other.offset) / other.factor))
    }
}

/// Parentheses within parentheses: nobody needs more.
const DEPTH: usize = 8;

/// Reads a product up to its end, or to the parenthesis that closes it.
fn product(rest: &mut &str, depth: usize) -> Result<Unit, UnknownUnit> {
    let whole = *rest;
    let (mut unit, mut sign) = (PLAIN, 1);
    loop {
        unit = unit.times(factor(rest, depth)?.power(sign));
        let trimmed = rest.trim_start();
        if depth > 0 && trimmed.starts_with(')') {
            *rest = &trimmed[1..];
            return Ok(unit);
        }
        let Some((divides, behind)) = operator(rest) else {
            *rest = trimmed;
            return if depth == 0 { Ok(unit) } else { Err(unknown(whole)) };
        };
        sign = if divides { -1 } else { 1 };
        *rest = behind;
    }
}

/// Reads a named unit, or a product in parentheses, with its power.
fn factor(rest: &mut &str, depth: usize) -> Result<Unit, UnknownUnit> {
    let end = |text: &str| text.find(|c| is_times(c) || "/()".contains(c)).unwrap_or(text.len());
    if let Some(inner) = rest.strip_prefix('(') {
        if depth == DEPTH {
            return Err(unknown(rest));
        }
        *rest = inner.trim_start();
        let unit = product(rest, depth + 1)?;
        let (power, behind) = rest.split_at(end(rest));
        *rest = behind;
        return match split_power(power) {
            _ if power.is_empty() => Ok(unit),
            Some(("", power)) => Ok(unit.power(power)),
            _ => Err(unknown(power)),
        };
    }
    let (part, behind) = rest.split_at(end(rest));
    *rest = behind;
    let (name, power) = split_power(part).ok_or_else(|| unknown(part))?;
    let (dimension, factor) = lookup(name).ok_or_else(|| unknown(name))?;
    Ok(Unit { dimension, factor, offset: 0.0 }.power(power))
}

/// What stands between the factors of a product.
fn is_times(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '.' | '\u{b7}' | '\u{22c5}')
}

/// Splits off the operator that `text` begins with, whether it divides, and what stands behind it; None at the end of a unit. Spaces around
/// another operator are no product of their own; two operators leave an empty factor, which nobody knows.
fn operator(text: &str) -> Option<(bool, &str)> {
    let trimmed = text.trim_start();
    let first = trimmed.chars().next().filter(|c| *c != ')')?;
    let written = is_times(first) || first == '/';
    let behind = if written { trimmed[first.len_utf8()..].trim_start() } else { trimmed };
    // What stands there without a space, "(m)s" or "m(s)", is no product.
    (written || trimmed.len() < text.len()).then_some((first == '/', behind))
}

/// "m^2", "m2", "m-2", "m" with a raised 2 or -2, and "m" with their powers; None for a power that is none.
fn split_power(part: &str) -> Option<(&str, i32)> {
    let powers = |power: &str| power.trim().parse().ok().filter(|p: &i32| p.abs() <= 9);
    if let Some((name, power)) = part.split_once('^') {
        return powers(power).map(|power| (name, power));
    }
    let name = part.trim_end_matches(|c: char| raised(c).is_some() || c.is_ascii_digit() || c == '-');
    // The number 1 is a unit itself.
    if name.len() == part.len() || part == "1" {
        return Some((part, 1));
    }
    let written: String = part[name.len()..].chars().map(|c| raised(c).unwrap_or(c)).collect();
    powers(&written).map(|power| (name, power))
}

/// What a raised digit or minus stands for.
fn raised(c: char) -> Option<char> {
    const RAISED: [char; 11] = [
        '\u{2070}', '\u{b9}', '\u{b2}', '\u{b3}', '\u{2074}', '\u{2075}', '\u{2076}', '\u{2077}', '\u{2078}',
        '\u{2079}', '\u{207b}',
    ];
    RAISED.iter().position(|raised| *raised == c).and_then(|k| "0123456789-".chars().nth(k))
}

fn temperature_scale(text: &str) -> Option<Unit> {
    let (factor, offset) = match text {
        "degC" | "\u{b0}C" => (1.0, 273.15),
        "degF" | "\u{b0}F" => (5.0 / 9.0, 459.67 * 5.0 / 9.0),
        _ => return None,
    };
    Some(Unit { dimension: TEMPERATURE, factor, offset })
}

fn lookup(name: &str) -> Option<(Dimension, f64)> {
    let plain = UNITS.iter().find(|row| row.0 == name).map(|row| (row.1, row.2));
    plain.or_else(|| {
        PREFIXES.iter().find_map(|&(prefix, scale)| {
            let rest = name.strip_prefix(prefix)?;
            let row = UNITS.iter().find(|row| row.3 && row.0 == rest)?;
            Some((row.1, scale * row.2))
        })
    })
}

fn unknown(name: &str) -> UnknownUnit {
    // What people write most comes first among those that are equally alike.
    let known = ["kN", "mm", "kg", "MPa", "ms", "degC", "degF"].into_iter().chain(UNITS.iter().map(|row| row.0));
    UnknownUnit { name: name.into(), nearest: nearest(name, known) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(from: &str, to: &str) -> f64 {
        Unit::parse(from).unwrap().conversion(&Unit::parse(to).unwrap()).unwrap().0
    }

    #[test]
    fn known_conversions() {
        // Exact by definition of the units.
        for (from, to, expected) in [
            ("kN", "N", 1e3),
            ("bar", "MPa", 0.1),
            ("mm/s", "m/s", 1e-3),
            ("in", "mm", 25.4),
            ("km/h", "m/s", 1.0 / 3.6),
            ("rev/min", "rpm", 1.0),
            ("kg*m/s^2", "N", 1.0),
            ("N*m", "J", 1.0),
            ("kg/m3", "g/l", 1.0),
            ("min", "s", 60.0),
            ("psi", "lbf/in^2", 1.0),
            ("kWh", "MJ", 3.6),
        ] {
            assert!((ratio(from, to) / expected - 1.0).abs() < 1e-14, "{from} -> {to}: {}", ratio(from, to));
        }
    }

    #[test]
    fn products_are_written_in_any_way() {
        for text in ["N m", "N*m", "N.m", "N\u{b7}m", "N\u{22c5}m", "N * m", "N  m", " N \u{b7} m ", "Nm"] {
            assert_eq!(Unit::parse(text), Unit::parse("J"), "{text}");
        }
        // A slash divides by one factor.
        for text in ["kg m^2/s^2", "kg m2 / s2", "kg\u{b7}m\u{b2}/s\u{b2}", "kg/s^2 m^2", "kg.m/s*m/s"] {
            assert_eq!(Unit::parse(text).unwrap().dimension, ENERGY, "{text}");
        }
        for text in ["N**m", "N*/m", "N..m", "N/ /m", "*m", ".", "N *", "N/"] {
            assert!(Unit::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn powers_and_parentheses_are_written_in_any_way() {
        let same: [(&str, &[&str]); 5] = [
            (
                "m/s^2",
                &[
                    "m/s2",
                    "m/s\u{b2}",
                    "m s^-2",
                    "m.s-2",
                    "m\u{b7}s\u{207b}\u{b2}",
                    "m/(s^2)",
                    "m/(s s)",
                    "(m/s)/s",
                    "((m)/s)/s",
                ],
            ),
            (
                "N s rad^-1 m",
                &["N m/(rad/s)", "N*m/(rad / s)", "(N m s)/rad", "N.m.s/rad", "( N m ) s / rad", "((N m)) s/rad"],
            ),
            ("m^4", &["(m^2)^2", "(m2)2", "(m m)^2", "(1/m)^-4"]),
            ("deg", &["\u{b0}"]),
            ("kOhm", &["k\u{3a9}", "k\u{2126}"]),
        ];
        for (one, others) in same {
            let one = Unit::parse(one).unwrap();
            for other in others {
                let (gain, offset) = Unit::parse(other).unwrap().conversion(&one).expect(other);
                assert!((gain - 1.0).abs() < 1e-14 && offset == 0.0, "{other}: {gain}");
            }
        }
        let deep = format!("{}m{}", "(".repeat(100_000), ")".repeat(100_000));
        let large = ["Gm^9"; 40].join(" ");
        let bad = [
            "(m", "m)", "()", "(m)s", "m(s)", "m/(s", "(m)^", "(m)x", "m^", "m^2^2", "m--2", "m2-", "2m", "1-", &deep,
            &large,
        ];
        for text in bad {
            assert!(Unit::parse(text).is_err(), "{text:.20}");
        }
    }

    #[test]
    fn temperatures_carry_their_zero() {
        let (gain, offset) = Unit::parse("degF").unwrap().conversion(&Unit::parse("degC").unwrap()).unwrap();
        assert!((gain * 212.0 + offset - 100.0).abs() < 1e-12 && (gain * 32.0 + offset).abs() < 1e-12);
    }

    #[test]
    fn dimensions_are_kept_apart() {
        let parse = |text| Unit::parse(text).unwrap();
        assert_eq!(parse("N").conversion(&parse("Pa")), None);
        assert_eq!(parse("rad/s").conversion(&parse("Hz")), None);
        assert_eq!(parse("m").conversion(&parse("")), None);
    }

    #[test]
    fn misspelled_units_name_the_nearest() {
        assert_eq!(Unit::parse("kNn").unwrap_err().nearest.as_deref(), Some("kN"));
        assert_eq!(Unit::parse("m/sec").unwrap_err().name, "sec");
        for (wrong, right) in [
            ("sec", "s"),
            ("RPM", "rpm"),
            ("degrees", "deg"),
            ("Bar", "bar"),
            ("pa", "Pa"),
            ("Mpa", "MPa"),
            ("KN", "kN"),
        ] {
            assert_eq!(Unit::parse(wrong).unwrap_err().nearest.as_deref(), Some(right), "{wrong}");
        }
        for text in ["m^x", "m^99", "/", "*", "m**s", "-", "3"] {
            assert!(Unit::parse(text).is_err(), "{text}");
        }
    }
}
