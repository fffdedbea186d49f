//! A model in other units made one in SI units.

use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::model::{ActuatorKind, Dimension, MeasureKind, Model, Quantity, Units, Walk};
use fourbar_linalg::unit::{self, Unit};
use std::borrow::Cow;

/// SI units of one unit of length, mass, time and force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    length: f64,
    mass: f64,
    time: f64,
    force: f64,
}

impl Units {
    /// SI units of one unit each.
    ///
    /// # Errors
    /// A unit that is unknown, missing or given twice, or that measures something else.
    pub fn factors(&self) -> Result<Factors, Box<ModelError>> {
        let location = || Location { section: "", index: 0, name: String::new(), field: "units".to_owned() };
        let remedy = "write one unit each of length, mass, time and force, as \"mm, t, s, N\"";
        let refuse = |problem: String| Err(ModelError::new(location(), problem, remedy));
        let kinds = [("length", "m"), ("mass", "kg"), ("time", "s"), ("force", "N")];
        let mut found = [None; 4];
        for text in self.0.split(',').map(str::trim) {
            let unit = match Unit::parse(text) {
                Ok(unit) => unit,
                Err(error) => return refuse(error.to_string()),
            };
            let is_one = |(_, si): &(&str, &str)| Unit::parse(si).is_ok_and(|si| si.dimension == unit.dimension);
            match kinds.iter().position(is_one) {
                Some(kind) if found[kind].is_none() => found[kind] = Some(unit.factor),
                Some(kind) => return refuse(format!("\"{text}\" is a second unit of {}", kinds[kind].0)),
                None => return refuse(format!("\"{text}\" measures neither length nor mass, time or force")),
            }
        }
        let [Some(length), Some(mass), Some(time), Some(force)] = found else {
            let missing = kinds.iter().zip(&found).filter(|(_, unit)| unit.is_none()).map(|((name, _), _)| *name);
            return refuse(format!("there is no unit of {}", missing.collect::<Vec<_>>().join(" and none of ")));
        };
        Ok(Factors { length, mass, time, force })
    }
}

impl Factors {
    const SI: Self = Self { length: 1.0, mass: 1.0, time: 1.0, force: 1.0 };

    /// SI units in one unit of this dimension.
    #[must_use]
    pub fn of(&self, dimension: Dimension) -> f64 {
        let Dimension { length, mass, time, force } = dimension;
        self.length.powi(length) * self.mass.powi(mass) * self.time.powi(time) * self.force.powi(force)
    }

    /// SI units in one unit of the dimension of a named unit. Where units are not coherent, what has both mass and time is made of forces, as N and Pa
    /// are, and other masses are masses.
    fn of_unit(&self, [mass, length, time, ..]: &unit::Dimension) -> f64 {
        let (mass, length, time) = (*mass, *length, *time);
        let force = if time == 0 { 0 } else { mass };
        self.of(Dimension { length: length - force, mass: mass - force, time: time + 2 * force, force })
    }
}

/// Makes numbers SI units. Names in expressions keep the units of the file: a measure is given to them in these.
pub struct IntoSi {
    factors: Factors,
    /// Dimension of each column that an expression may name.
    columns: Vec<(String, Dimension)>,
}

impl IntoSi {
    /// The conversion of a model; nothing if it is in SI units.
    ///
    /// # Errors
    /// Units that are none.
    pub fn of(model: &Model) -> Result<Option<Self>, Box<ModelError>> {
        if model.units.is_empty() { Ok(None) } else { Self::always(model).map(Some) }
    }

    /// The same for models in SI units too: numbers with units of their own come to know what they should measure.
    ///
    /// # Errors
    /// As [`IntoSi::of`].
    pub fn always(model: &Model) -> Result<Self, Box<ModelError>> {
        let factors = if model.units.is_empty() { Factors::SI } else { model.units.factors()? };
        let measures = model.measures.iter().map(|measure| (measure.name.clone(), measured(&measure.kind)));
        let actuators = model.actuators.iter().flat_map(|actuator| {
            let force = actuator.kind == ActuatorKind::Force;
            let [way, rate] = actuator.outputs();
            let (first, input) = match force {
                true => (Dimension::LENGTH, Dimension::FORCE),
                false => (Dimension::NONE, Dimension::TORQUE),
            };
            [(way, first), (rate, first.times_time(-1)), (actuator.input(), input)]
        });
        Ok(Self { factors, columns: measures.chain(actuators).collect() })
    }

    /// SI units of what a name in an expression stands for.
    fn of_name(&self, name: &str) -> f64 {
        if name == "time" {
            return self.factors.time;
        }
        let known = |wanted: &str| self.columns.iter().find(|(own, _)| own == wanted);
        let column = known(name).or_else(|| known(name.rsplit_once('.')?.0));
        column.map_or(1.0, |(_, dimension)| self.factors.of(*dimension))
    }
}

impl Walk for IntoSi {
    fn number(&mut self, number: &mut f64, dimension: Dimension) {
        *number *= self.factors.of(dimension);
    }

    fn expression(&mut self, expression: &mut Expression, dimension: Dimension) {
        let is_known = dimension != Dimension::NONE;
        if is_known {
            expression.expect(dimension.in_si(), &dimension.unit());
        }
        // One number with its unit needs no units of the file.
        if !(is_known && expression.is_quantity()) {
            let of_unit = |dimension: &unit::Dimension| self.factors.of_unit(dimension);
            expression.convert(self.factors.of(dimension), &|name| self.of_name(name), &of_unit);
        }
    }
}

impl Model {
    /// The model with every number in SI units; itself if it is in them. Results are in SI units.
    ///
    /// # Errors
    /// Units that are none.
    pub fn in_si(&self) -> Result<Cow<'_, Self>, Box<ModelError>> {
        let Some(mut conversion) = IntoSi::of(self)? else { return Ok(Cow::Borrowed(self)) };
        let mut model = self.clone();
        model.walk(&mut conversion);
        model.units = Units::default();
        Ok(Cow::Owned(model))
    }
}

/// What a measure measures; expressions are as they are written.
fn measured(kind: &MeasureKind) -> Dimension {
    use MeasureKind as K;
    match kind {
        K::Position(_) | K::Distance(_) => Dimension::LENGTH,
        K::Velocity(_) | K::DistanceRate(_) => Dimension::LENGTH.times_time(-1),
        K::Acceleration(_) => Dimension::LENGTH.times_time(-2),
        K::AngularVelocity(_) => Dimension::NONE.times_time(-1),
        K::AngularAcceleration(_) => Dimension::NONE.times_time(-2),
        K::Angle(_)
        | K::AxisAngles(_)
        | K::EulerAngles(_)
        | K::YawPitchRoll(_)
        | K::Quaternion(_)
        | K::Expression(_) => Dimension::NONE,
        K::Reaction(reaction) => match reaction.quantity {
            Quantity::Force => Dimension::FORCE,
            Quantity::Torque => Dimension::TORQUE,
        },
        K::KineticEnergy(_) | K::PotentialEnergy(_) | K::TotalEnergy(_) => Dimension::TORQUE,
        K::Momentum(_) => Dimension::FORCE.times_time(1),
        K::AngularMomentum(_) => Dimension::TORQUE.times_time(1),
    }
}
