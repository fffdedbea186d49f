//! A machine in other sizes: every number times the unit of its dimension.

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{ActuatorKind, Dimension, MeasureKind, Model, Quantity, Walk};

/// What a length, a mass and a time of the machine is in those of another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Factors {
    pub(super) length: f64,
    pub(super) mass: f64,
    pub(super) time: f64,
}

impl Factors {
    pub(super) const ONE: Self = Self { length: 1.0, mass: 1.0, time: 1.0 };

    /// That of powers of length, mass and time.
    pub(super) fn power(&self, length: i32, mass: i32, time: i32) -> f64 {
        self.length.powi(length) * self.mass.powi(mass) * self.time.powi(time)
    }

    fn of(&self, Dimension { length, mass, time, force }: Dimension) -> f64 {
        self.power(length + force, mass + force, time - 2 * force)
    }

    pub(super) fn force(&self) -> f64 {
        self.of(Dimension::FORCE)
    }

    pub(super) fn torque(&self) -> f64 {
        self.of(Dimension::TORQUE)
    }
}

/// The model in other sizes.
pub(super) fn scaled(model: &Model, factors: Factors) -> Model {
    let measures = model.measures.iter().map(|measure| (measure.name.clone(), measured(&measure.kind)));
    let actuators = model.actuators.iter().flat_map(|actuator| {
        let (way, load) = match actuator.kind {
            ActuatorKind::Force => (Dimension::LENGTH, Dimension::FORCE),
            _ => (Dimension::NONE, Dimension::TORQUE),
        };
        let [first, second] = actuator.outputs();
        [(first, way), (second, way.times_time(-1)), (actuator.input(), load)]
    });
    let mut scaling = Scaling { factors, columns: measures.chain(actuators).collect() };
    let mut scaled = model.clone();
    scaled.walk(&mut scaling);
    scaled
}

/// Why it cannot be scaled, if so.
pub(super) fn refusal(model: &Model) -> Option<&'static str> {
    if model.inputs.iter().any(|input| !input.unit.is_empty()) {
        return Some("inputs with a unit are no numbers of the machine");
    }
    (!model.states.is_empty()).then_some("states of the user may have any unit")
}

/// What a measure measures. An expression is the same number in every size.
fn measured(kind: &MeasureKind) -> Dimension {
    use MeasureKind as K;
    match kind {
        K::Position(_) | K::Distance(_) => Dimension::LENGTH,
        K::Velocity(_) | K::DistanceRate(_) => Dimension::LENGTH.times_time(-1),
        K::Acceleration(_) => Dimension::LENGTH.times_time(-2),
        K::AngularVelocity(_) => Dimension::NONE.times_time(-1),
        K::AngularAcceleration(_) => Dimension::NONE.times_time(-2),
        K::Reaction(reaction) if reaction.quantity == Quantity::Force => Dimension::FORCE,
        K::Reaction(_) | K::KineticEnergy(_) | K::PotentialEnergy(_) | K::TotalEnergy(_) => Dimension::TORQUE,
        K::Momentum(_) => Dimension::FORCE.times_time(1),
        K::AngularMomentum(_) => Dimension::TORQUE.times_time(1),
        _ => Dimension::NONE,
    }
}

struct Scaling {
    factors: Factors,
    /// Dimension of each column that an expression may name.
    columns: Vec<(String, Dimension)>,
}

impl Scaling {
    fn of_name(&self, name: &str) -> f64 {
        if name == "time" {
            return self.factors.time;
        }
        let known = |wanted: &str| self.columns.iter().find(|(own, _)| own == wanted);
        let column = known(name).or_else(|| known(name.rsplit_once('.')?.0));
        column.map_or(1.0, |(_, dimension)| self.factors.of(*dimension))
    }
}

impl Walk for Scaling {
    fn number(&mut self, number: &mut f64, dimension: Dimension) {
        *number *= self.factors.of(dimension);
    }

    fn expression(&mut self, expression: &mut Expression, dimension: Dimension) {
        expression.convert(self.factors.of(dimension), &|name| self.of_name(name), &|_| 1.0);
    }
}
