//! What is received: the last value of an input, and the way to it from what its publication brings.
//!
//! HELICS would take an angle for a plain number (it divides by 2 pi), the length of a vector for its value and a text for a number. So inputs have
//! neither unit nor type there; here units are converted or refused by the rule of connections within one process, and other types than numbers refused.

use super::HelicsError;
use crate::function::Variable;
use fourbar_linalg::unit::Unit;

/// Types of one real number, as HELICS names them. Times are seconds.
const NUMBERS: [&str; 4] = ["double", "int64", "bool", "time"];
/// A publication without a type: each value shows what it is.
const ANY: [&str; 2] = ["any", ""];
/// HELICS_INVALID_DOUBLE: what HELICS gives where there is no number.
const NO_NUMBER: f64 = -1e49;

/// An input of the federate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Received {
    variable: Variable,
    /// The publication that feeds it, if that is known here.
    target: Option<String>,
    /// Gain and offset from the publication's unit to its own, once the publication is known.
    way: Option<(f64, f64)>,
    /// The last value; that of the start until one arrives.
    pub(super) value: f64,
}

impl Received {
    pub(super) fn new(variable: &Variable, target: Option<&str>) -> Self {
        let (variable, target) = (variable.clone(), target.map(str::to_owned));
        Self { value: variable.start, variable, target, way: None }
    }

    /// Whether its publication is known.
    pub(super) fn is_known(&self) -> bool {
        self.way.is_some()
    }

    /// Learns type and unit of the publication. Without a type, a unit and a value there may be no publication yet.
    pub(super) fn learn(&mut self, kind: &str, unit: &str, has_value: bool) -> Result<(), HelicsError> {
        let may_be_none = self.target.is_none() && ANY.contains(&kind) && unit.is_empty();
        if has_value || !may_be_none {
            self.way = Some(self.way(kind, unit)?);
        }
        Ok(())
    }

    fn way(&self, kind: &str, unit: &str) -> Result<(f64, f64), HelicsError> {
        let (input, publication) = (self.variable.name.clone(), self.publication());
        if !NUMBERS.contains(&kind) && !ANY.contains(&kind) {
            return Err(HelicsError::Kind { input, publication, kind: kind.to_owned() });
        }
        let parsed = |unit: Result<Unit, _>, publication: &str| {
            let (input, publication) = (self.variable.name.clone(), publication.to_owned());
            unit.map_err(|source| HelicsError::Unit { input, publication, source })
        };
        let (from, to) = (parsed(Unit::parse(unit), &publication)?, parsed(self.variable.known_unit(), &publication)?);
        let units = (unit.to_owned(), self.variable.unit.clone());
        from.conversion(&to).ok_or(HelicsError::Dimension { input, publication, units })
    }

    /// Takes a value that has arrived, of so many numbers.
    pub(super) fn take(&mut self, value: f64, size: usize) -> Result<(), HelicsError> {
        let (input, publication) = (self.variable.name.clone(), self.publication());
        if size != 1 {
            return Err(HelicsError::Kind { input, publication, kind: format!("vector of {size} numbers") });
        }
        if value == NO_NUMBER {
            return Err(HelicsError::NoNumber { input, publication });
        }
        let (gain, offset) = self.way.unwrap_or((1.0, 0.0));
        self.value = gain * value + offset;
        Ok(())
    }

    fn publication(&self) -> String {
        self.target.clone().unwrap_or_else(|| "linked by the broker".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(unit: &str) -> Received {
        Received::new(&Variable::output("r.u", unit).start(3.0), Some("A/w.y"))
    }

    /// The value 10 of a publication of this type and unit, as an input in another unit has it.
    fn ten(kind: &str, from: &str, to: &str) -> Result<f64, String> {
        let mut own = received(to);
        own.learn(kind, from, false).and_then(|()| own.take(10.0, 1)).map_err(|error| error.to_string())?;
        Ok(own.value)
    }

    #[test]
    fn units_are_converted_by_the_rule_of_one_process() {
        for (from, to, expected) in [
            ("rad/s", "rad/s", 10.0),
            ("rpm", "rad/s", std::f64::consts::PI / 3.0),
            ("deg", "rad", std::f64::consts::PI / 18.0),
            ("bar", "Pa", 1e6),
            ("degC", "K", 283.15),
            ("%", "1", 0.1),
            ("", "", 10.0),
            ("s", "ms", 1e4),
        ] {
            let value = ten("double", from, to).unwrap();
            assert!((value - expected).abs() <= 1e-15 * expected.abs(), "{from} to {to}: {value}");
        }
        for (from, to) in
            [("rad/s", "1/s"), ("rad", "1"), ("rad", ""), ("", "N"), ("N", ""), ("Hz", "rad/s"), ("K", "s")]
        {
            let error = ten("double", from, to).unwrap_err();
            let named = ["\"r.u\"", "A/w.y", "measures something else", "correct a unit"];
            assert!(named.iter().all(|word| error.contains(word)), "{from} to {to}: {error}");
        }
        let error = ten("double", "fnord", "N").unwrap_err();
        assert!(error.contains("A/w.y") && error.contains("\"fnord\" is not a known unit"), "{error}");
    }

    #[test]
    fn types_other_than_numbers_are_refused_by_name() {
        for kind in ["double", "int64", "bool", "time", "any"] {
            assert_eq!(ten(kind, "", ""), Ok(10.0));
        }
        for kind in
            ["string", "double_vector", "complex", "complex_vector", "named_point", "char", "raw", "json", "mine"]
        {
            let error = ten(kind, "", "").unwrap_err();
            let named = ["\"r.u\"", "A/w.y", &format!("is a {kind}"), "publish a double"];
            assert!(named.iter().all(|word| error.contains(word)), "{error}");
        }
        // A publication without a type shows it with its first value.
        let mut own = received("");
        own.learn("any", "", false).unwrap();
        assert!(own.take(5.0, 2).unwrap_err().to_string().contains("vector of 2 numbers"));
    }

    #[test]
    fn the_value_of_the_start_holds_until_a_number_arrives() {
        let mut own = received("N");
        own.learn("double", "kN", false).unwrap();
        assert_eq!(own.value, 3.0);
        let error = own.take(-1e49, 1).unwrap_err().to_string();
        assert!(error.contains("\"r.u\"") && error.contains("A/w.y") && error.contains("no number"), "{error}");
        assert_eq!(own.value, 3.0);
        own.take(2.0, 1).unwrap();
        assert_eq!(own.value, 2000.0);
    }

    #[test]
    fn an_input_that_the_broker_may_link_later_is_judged_by_its_first_value() {
        let mut own = Received::new(&Variable::output("r.u", "N").start(3.0), None);
        own.learn("any", "", false).unwrap();
        assert!(!own.is_known() && own.value == 3.0);
        let error = own.learn("any", "", true).unwrap_err().to_string();
        assert!(error.contains("linked by the broker") && error.contains("a plain number"), "{error}");
        own.learn("double", "N", true).unwrap();
        assert!(own.is_known());
    }
}
