//! What a number of a model measures.

use fourbar_linalg::unit;

/// Powers of length, mass, time and force that a number of a model has. Angles have none; `NONE` is also that of a number which is taken as
/// it is written, such as a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension {
    /// Power of the length.
    pub length: i32,
    /// Power of the mass.
    pub mass: i32,
    /// Power of the time.
    pub time: i32,
    /// Power of the force.
    pub force: i32,
}

impl Dimension {
    /// A bare number, or an angle.
    pub const NONE: Self = Self { length: 0, mass: 0, time: 0, force: 0 };
    /// A length.
    pub const LENGTH: Self = Self { length: 1, ..Self::NONE };
    /// A mass.
    pub const MASS: Self = Self { mass: 1, ..Self::NONE };
    /// A time.
    pub const TIME: Self = Self { time: 1, ..Self::NONE };
    /// A force.
    pub const FORCE: Self = Self { force: 1, ..Self::NONE };
    /// A force times a length.
    pub const TORQUE: Self = Self { length: 1, ..Self::FORCE };

    /// The dimension times this power of a length.
    #[must_use]
    pub const fn times_length(self, power: i32) -> Self {
        Self { length: self.length + power, ..self }
    }

    /// The dimension times this power of a time.
    #[must_use]
    pub const fn times_time(self, power: i32) -> Self {
        Self { time: self.time + power, ..self }
    }

    /// The same as powers of the base units of SI, a force being kg m/s².
    #[must_use]
    pub const fn in_si(self) -> unit::Dimension {
        let Self { length, mass, time, force } = self;
        [mass + force, length + force, time - 2 * force, 0, 0, 0, 0, 0]
    }

    /// Its unit in SI, as `N/m`; rates of angles are in `rad/s`.
    #[must_use]
    pub fn unit(self) -> String {
        let Self { length, mass, time, force } = self;
        if (length, mass, force) == (0, 0, 0) && time < 0 {
            return format!("rad/s{}", power(-time));
        }
        let powers = [("N", force), ("kg", mass), ("m", length), ("s", time)];
        let above = powers.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name}{}", power(*n)));
        let below = powers.iter().filter(|(_, n)| *n < 0).map(|(name, n)| format!("/{name}{}", power(-n)));
        let above = above.collect::<Vec<_>>().join(" ");
        let below: String = below.collect();
        if above.is_empty() { format!("1{below}") } else { above + &below }
    }
}

fn power(n: i32) -> String {
    if n == 1 { String::new() } else { format!("^{n}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_dimension() {
        let cases = [
            (Dimension::TORQUE, "N m"),
            (Dimension::FORCE.times_length(-1).times_time(1), "N s/m"),
            (Dimension::MASS.times_length(-3), "kg/m^3"),
            (Dimension::LENGTH.times_time(-2), "m/s^2"),
            (Dimension::NONE.times_time(-1), "rad/s"),
            (Dimension::NONE.times_length(-1), "1/m"),
        ];
        for (dimension, expected) in cases {
            assert_eq!(dimension.unit(), expected);
            let mut parsed = unit::Unit::parse(expected).unwrap();
            // Angles are plain numbers here.
            parsed.dimension[7] = 0;
            assert_eq!((parsed.dimension, parsed.factor), (dimension.in_si(), 1.0), "{expected}");
        }
    }
}
