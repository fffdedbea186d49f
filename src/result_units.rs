//! Units in which runs and analyses report results.
//!
//! Models compute in SI units. What a run reports is in the units that the model asks for by `result_units`, or in those in which a mechanism is written
//! (`units`); a measure with a `unit` of its own has that one. A column whose unit measures what a wanted unit measures has that unit; of others, those parts
//! of the unit are replaced that do: `m/s` becomes `mm/s` where lengths are wanted in mm.

use crate::Document;
use crate::mechanism::MechanismModel;
use crate::observer::Column;
use fourbar_linalg::unit::Unit;
use fourbar_multibody::model::{Measure, MeasureKind};
use fourbar_multibody::{Location, ModelError};
use std::collections::BTreeMap;

/// Units that results are wanted in.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ResultUnits {
    wanted: Vec<(String, Unit)>,
    /// Of single measures, by their names.
    own: BTreeMap<String, String>,
}

/// How the values of a column become those that are shown: `gain` times the value, plus `offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Conversion {
    gain: f64,
    offset: f64,
}

impl Conversion {
    const NONE: Self = Self { gain: 1.0, offset: 0.0 };

    pub(crate) fn apply(&self, value: f64) -> f64 {
        if *self == Self::NONE { value } else { self.gain * value + self.offset }
    }
}

impl ResultUnits {
    /// The units of a list, as `"mm, deg, bar"`.
    ///
    /// # Errors
    /// A unit that is none, or two for the same.
    pub(crate) fn new(list: &str) -> Result<Self, Box<ModelError>> {
        let refuse = |problem: String| {
            let location = Location { section: "", index: 0, name: String::new(), field: "result_units".to_owned() };
            ModelError::new(location, problem, "write units with commas between them, as \"mm, deg, bar\"")
        };
        let mut wanted: Vec<(String, Unit)> = Vec::new();
        for text in list.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let unit = Unit::parse(text).map_err(|error| refuse(error.to_string()))?;
            if let Some((other, _)) = wanted.iter().find(|(_, other)| other.dimension == unit.dimension) {
                return Err(refuse(format!("\"{text}\" measures the same as \"{other}\"")));
            }
            wanted.push((text.to_owned(), unit));
        }
        Ok(Self { wanted, own: BTreeMap::new() })
    }

    /// Those of a model.
    ///
    /// # Errors
    /// As [`ResultUnits::new`].
    pub(crate) fn of(document: &Document) -> Result<Self, Box<ModelError>> {
        match document {
            Document::Mechanism(model) => Self::of_mechanism(model),
            Document::Linear(model) => Self::new(&model.result_units),
            Document::Circuit(circuit) => Self::new(&circuit.model.result_units),
            Document::Coupled(model) => Self::new(&model.result_units),
        }
    }

    /// Those of a mechanism.
    ///
    /// # Errors
    /// As [`ResultUnits::new`].
    pub(crate) fn of_mechanism(model: &MechanismModel) -> Result<Self, Box<ModelError>> {
        let list = if model.model.result_units.is_empty() { &model.model.units.0 } else { &model.model.result_units };
        Ok(Self { own: model.units_of_measures.clone(), ..Self::new(list)? })
    }

    /// Gives the columns their units, and says how values become those in them.
    ///
    /// # Errors
    /// A measure whose own unit measures something else.
    pub(crate) fn show(&self, columns: &mut [Column]) -> Result<Vec<Conversion>, Box<ModelError>> {
        columns.iter_mut().map(|column| self.show_one(column)).collect()
    }

    fn show_one(&self, column: &mut Column) -> Result<Conversion, Box<ModelError>> {
        let Ok(unit) = Unit::parse(&column.unit) else { return Ok(Conversion::NONE) };
        let by_name = |name: &str| self.own.get_key_value(name);
        let measure = || column.name.rsplit_once('.').and_then(|(measure, _)| by_name(measure));
        let label = match by_name(&column.name).or_else(measure) {
            Some((measure, own)) => {
                check_own(measure, own, unit, &column.unit)?;
                own.clone()
            }
            None => self.label(&column.unit, &unit),
        };
        let shown = Unit::parse(&label).unwrap_or(unit);
        let (gain, offset) = unit.conversion(&shown).unwrap_or((1.0, 0.0));
        column.unit = label;
        Ok(Conversion { gain, offset })
    }

    /// The unit in which values of this one are shown.
    fn label(&self, text: &str, unit: &Unit) -> String {
        let wanted = |unit: &Unit| self.wanted.iter().find(|(_, wanted)| wanted.dimension == unit.dimension);
        if let Some((label, _)) = wanted(unit) {
            return label.clone();
        }
        let ends = |c: char| !(c.is_alphabetic() || matches!(c, '%' | '\u{b0}'));
        let mut label = String::new();
        for part in text.split_inclusive(ends) {
            let (name, end) = part.split_at(part.find(ends).unwrap_or(part.len()));
            let other = Unit::parse(name).ok().filter(|_| !name.is_empty()).and_then(|unit| wanted(&unit));
            // A unit of several names would need parentheses here.
            let plain = other.map(|(label, _)| label.as_str()).filter(|label| !label.contains(ends));
            label += plain.unwrap_or(name);
            label += end;
        }
        let measures_the_same = Unit::parse(&label).is_ok_and(|shown| shown.dimension == unit.dimension);
        if measures_the_same { label } else { text.to_owned() }
    }
}

/// What a reader should know of measures by expression in a file with units of its own: their values are in the units of the file, whatever they state.
pub(crate) fn advice(model: &MechanismModel) -> Vec<String> {
    let Ok(units) = ResultUnits::new(&model.model.units.0) else { return Vec::new() };
    let differs = |text: &str| {
        let unit = Unit::parse(text).ok()?;
        let label = units.label(text, &unit);
        (Unit::parse(&label).ok()?.factor != unit.factor).then_some(label)
    };
    let told = |measure: &Measure| {
        match &measure.kind {
        MeasureKind::Expression(own) => differs(&own.unit).map(|label| {
            format!(
                "the measure \"{}\" states the unit {}, and its expression is in the units of the file; unless it converts, write `unit = \"{label}\"`",
                measure.name, own.unit
            )
        }),
        _ => None,
    }
    };
    model.model.measures.iter().filter_map(told).collect()
}

fn check_own(measure: &str, own: &str, unit: Unit, text: &str) -> Result<(), Box<ModelError>> {
    let problem = match Unit::parse(own) {
        Ok(shown) if shown.dimension == unit.dimension => return Ok(()),
        Ok(_) => format!("the measure is in {text}; \"{own}\" measures something else"),
        Err(error) => error.to_string(),
    };
    let location = Location { section: "measure", index: 0, name: measure.to_owned(), field: "unit".to_owned() };
    Err(ModelError::new(location, problem, format!("write a unit of what {text} measures, or leave it out")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(list: &str, unit: &str) -> (String, f64) {
        let mut columns = [Column { name: "x".to_owned(), unit: unit.to_owned() }];
        let conversions = ResultUnits::new(list).unwrap().show(&mut columns).unwrap();
        (columns[0].unit.clone(), conversions[0].apply(1.0))
    }

    #[test]
    fn units_are_replaced_whole_or_in_parts() {
        let cases = [
            ("mm", "m", "mm", 1e3),
            ("mm", "m/s", "mm/s", 1e3),
            ("mm, ms", "m/s^2", "mm/ms^2", 1e-3),
            ("mm, N", "N m", "N mm", 1e3),
            ("deg", "rad/s", "deg/s", 180.0 / std::f64::consts::PI),
            ("deg, rpm", "rad/s", "rpm", 30.0 / std::f64::consts::PI),
            ("bar, l/min", "m^3/s", "l/min", 6e4),
            ("bar", "Pa", "bar", 1e-5),
            ("t", "kg m^2", "t m^2", 1e-3),
            ("mm", "kg", "kg", 1.0),
            ("mm", "", "", 1.0),
            ("km/h", "m/s", "km/h", 3.6),
            ("", "m", "m", 1.0),
            ("degC", "K", "degC", 1.0 - 273.15),
        ];
        for (list, unit, label, value) in cases {
            let (found, converted) = shown(list, unit);
            assert_eq!(found, label, "{list} of {unit}");
            assert!((converted - value).abs() <= 1e-15 * value.abs().max(1e3), "{list} of {unit}: {converted}");
        }
        assert!(ResultUnits::new("mm, m").unwrap_err().to_string().contains("measures the same"));
        assert!(ResultUnits::new("mm, furlong").unwrap_err().to_string().contains("not a known unit"));
    }
}
