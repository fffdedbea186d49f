//! Which parameters a running model can take new values of: those that stand in what it evaluates as it goes (masses, forces, gains, matrices,
//! openings), and not in what made it (places, joints, settings of the run), nor in the start alone.

use crate::Error;
use crate::circuit::CircuitModel;
use crate::coupled::{EquationsModel, SimulatorKind};
use crate::linear::LinearModel;
use crate::mechanism::MechanismModel;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Dimension, Frame, InitialConditions, Orientation, Placed, Spline, Walk};
use fourbar_multibody::{ModelError, Parameters};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter of a model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// Whether it has a number of its own, as opposed to one that follows from others.
    pub(crate) is_free: bool,
    /// Its unit, where the file gives one; else nothing.
    pub(crate) unit: &'static str,
}

/// Numbers are in SI; one that is written in degrees is an angle.
fn unit_of(expression: &Expression) -> &'static str {
    let number = expression.source().trim().strip_suffix("deg").map(str::trim_end);
    if number.is_some_and(|number| number.parse::<f64>().is_ok()) { "rad" } else { "" }
}

/// Parameters as numbers, in the order of their names.
pub(crate) fn numbers(
    parameters: &BTreeMap<String, Expression>,
    splines: &[Spline],
) -> Result<Vec<Named>, Box<ModelError>> {
    // Names are those of the model, which has been read, or of an FMU.
    let values = Parameters::of_any_names(parameters, splines)?;
    let named = parameters.iter().filter_map(|(name, expression)| {
        let (value, is_free) = (values.get(name)?, expression.variables().is_empty());
        Some(Named { name: name.clone(), value, is_free, unit: unit_of(expression) })
    });
    Ok(named.collect())
}

/// The parameters that stay as they are once a simulation has begun.
pub(crate) enum Fixed {
    All,
    Some(BTreeSet<String>),
}

impl Fixed {
    /// Whether a parameter stays as it is.
    pub(crate) fn holds(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Some(names) => names.contains(name),
        }
    }
}

/// Of what a simulator simulates. What only the compiled model knows comes on top, as transmission lines do. Foreign code tells its parameters itself.
pub(crate) fn of_kind(kind: &SimulatorKind) -> Result<Fixed, Error> {
    Ok(match kind {
        SimulatorKind::Mechanism(model) => of_mechanism(model)?,
        SimulatorKind::Circuit(model) => of_circuit(model),
        SimulatorKind::Linear(model) => of_linear(model),
        SimulatorKind::Equations(model) => of_equations(model),
        SimulatorKind::Library(_)
        | SimulatorKind::Federation(_)
        | SimulatorKind::Fmu(_)
        | SimulatorKind::Coupled(_) => Fixed::All,
    })
}

/// Of a mechanism with all that it includes.
pub(crate) fn of_mechanism(model: &MechanismModel) -> Result<Fixed, Error> {
    let whole = model.expand().map_err(fourbar_multibody::Error::Model)?;
    // What sensors made of a mechanism is known to the run alone.
    Ok(if whole.model.first_switch().is_some() { Fixed::All } else { of_whole(whole) })
}

/// Fixed are its settings.
pub(crate) fn of_linear(model: &LinearModel) -> Fixed {
    if model.diffusion.is_some() {
        return Fixed::All;
    }
    let settings = &model.simulation;
    let numbers = [&settings.end, &settings.output_step, &settings.step, &settings.tolerance];
    Fixed::Some(closed(names(numbers.into_iter().flatten().chain(&settings.stop_times)), &model.parameters))
}

/// Likewise.
pub(crate) fn of_circuit(circuit: &CircuitModel) -> Fixed {
    let settings = &circuit.simulation;
    let numbers = [&settings.end, &settings.output_step, &settings.tolerance, &settings.first_step, &settings.max_step];
    let used = names(numbers.into_iter().flatten().chain(&settings.stop_times));
    Fixed::Some(closed(used, &circuit.model.parameters))
}

/// Fixed is what stands in settings, and what stands in the start alone.
fn of_equations(model: &EquationsModel) -> Fixed {
    let parameters = &model.parameters;
    let starts: Vec<Expression> = model.inputs.iter().map(crate::linear::ExternalInput::start).collect();
    let starts = starts.iter().chain(model.states.iter().map(|state| &state.start));
    let rates = model.states.iter().map(|state| &state.rate);
    let running = closed(names(rates.chain(model.outputs.iter().map(|output| &output.value))), parameters);
    let mut fixed = closed(names(starts), parameters);
    fixed.retain(|name| !running.contains(name));
    fixed.extend(closed(names(model.solver_step.iter()), parameters));
    Fixed::Some(fixed)
}

/// Fixed is what stands in places and joints, and what stands in the start alone.
fn of_whole(mut whole: MechanismModel) -> Fixed {
    let parameters = std::mem::take(&mut whole.model.parameters);
    whole.displays.clear();
    let all = Names::of(&whole);
    without_running(&mut whole);
    let lasting = Names::of(&whole);
    without_start(&mut whole);
    let placed = Names::of(&whole);
    // Places in global axes are on the bodies where these start.
    if all.is_global {
        return Fixed::Some(closed(lasting.names(), &parameters));
    }
    let runs = |(name, count): (&String, &usize)| (lasting.counts.get(name) < Some(count)).then(|| name.clone());
    let running = closed(all.counts.iter().filter_map(runs).collect(), &parameters);
    let mut fixed = closed(lasting.names(), &parameters);
    fixed.retain(|name| !running.contains(name));
    fixed.extend(closed(placed.names(), &parameters));
    Fixed::Some(fixed)
}

/// Takes out of a mechanism where it starts.
fn without_start(whole: &mut MechanismModel) {
    let zero = || Expression::constant(0.0);
    for body in &mut whole.model.bodies {
        for vector in [&mut body.position, &mut body.velocity, &mut body.angular_velocity] {
            vector.fill_with(zero);
        }
        body.orientation = Orientation::default();
    }
    whole.model.joints.iter_mut().for_each(|joint| joint.initial = InitialConditions::default());
}

/// Takes out of a mechanism what it evaluates as it goes.
fn without_running(whole: &mut MechanismModel) {
    let zero = || Expression::constant(0.0);
    let own = &mut whole.model;
    own.gravity.fill_with(zero);
    for body in &mut own.bodies {
        body.mass = zero();
        body.inertia.fill_with(zero);
    }
    own.forces.clear();
    own.frictions.clear();
    own.measures.clear();
    own.transfer_functions.clear();
    for state in &mut own.states {
        (state.rate, state.zero) = (None, None);
    }
    for block in &mut own.state_spaces {
        for rows in [&mut block.a, &mut block.b, &mut block.c, &mut block.d] {
            rows.clear();
        }
        block.inputs.clear();
    }
    for block in &mut own.pids {
        for number in [&mut block.input, &mut block.kp, &mut block.ki, &mut block.kd] {
            *number = zero();
        }
        for number in [&mut block.filter, &mut block.lower, &mut block.upper, &mut block.tracking] {
            *number = None;
        }
    }
    for contact in &mut whole.contacts.contacts {
        for number in [&mut contact.restitution, &mut contact.friction, &mut contact.rolling, &mut contact.spinning] {
            *number = zero();
        }
    }
}

/// Those of `found` with all parameters from which they follow.
fn closed(mut found: BTreeSet<String>, parameters: &BTreeMap<String, Expression>) -> BTreeSet<String> {
    let mut open: Vec<String> = found.iter().cloned().collect();
    while let Some(name) = open.pop() {
        let Some(expression) = parameters.get(&name) else { continue };
        open.extend(names(std::iter::once(expression)).into_iter().filter(|name| found.insert(name.clone())));
    }
    found
}

fn names<'a>(expressions: impl Iterator<Item = &'a Expression>) -> BTreeSet<String> {
    expressions.flat_map(Expression::variables).cloned().collect()
}

/// How often names stand in expressions, and whether places are written in global axes.
#[derive(Default)]
struct Names {
    counts: BTreeMap<String, usize>,
    is_global: bool,
}

impl Names {
    fn of(model: &MechanismModel) -> Self {
        let mut own = Self::default();
        model.clone().walk(&mut own);
        own
    }

    fn names(&self) -> BTreeSet<String> {
        self.counts.keys().cloned().collect()
    }
}

impl Walk for Names {
    fn expression(&mut self, expression: &mut Expression, _: Dimension) {
        for name in expression.variables() {
            *self.counts.entry(name.clone()).or_default() += 1;
        }
    }

    fn place(&mut self, place: Placed<'_>) {
        self.is_global |= *place.frame == Frame::Global;
        self.parts_of_place(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::ModelFile;

    #[test]
    fn what_places_bodies_is_fixed_with_all_from_which_it_follows() {
        let text = r#"
            gravity = [0, "-g", 0]
            [parameters]
            g = 9.81
            length = 2
            half = "length/2"
            mass = 3
            stiffness = 10
            start = 0.1
            [[body]]
            name = "rod"
            mass = "mass"
            inertia = [1, 1, "mass*length^2/12"]
            center_of_mass = ["half", 0, 0]
            [[joint]]
            name = "pivot"
            type = "revolute"
            i = "rod"
            j = "ground"
            initial = { angle = "start - g*mass/stiffness" }
            [[force]]
            name = "spring"
            type = "torsion_spring_damper"
            i = "rod"
            j = "ground"
            stiffness = "stiffness"
        "#;
        let file = ModelFile::parse("rod.toml", text).unwrap();
        let fixed = of_mechanism(file.document().mechanism().unwrap()).unwrap();
        let names = ["g", "length", "half", "mass", "stiffness", "start"];
        assert_eq!(names.map(|name| fixed.holds(name)), [false, true, true, false, false, true]);
    }
}
