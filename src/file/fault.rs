//! The words for what the compiled model or its run finds wrong: which entry of the model, the fault and the remedy.

mod contact;
mod coupled;

use crate::circuit::CircuitModel;
use crate::coupled::{CoupledModel, SimulatorKind};
use crate::linear::LinearModel;
use crate::mechanism::MechanismModel;
use crate::{Document, Error};
use fourbar_linalg::text::Brief;
use fourbar_multibody::dae::EvalError;
use fourbar_multibody::model::Model;
use fourbar_multibody::{Error as MechanismError, Location, ModelError};

/// Place, problem and remedy.
type Fault = (Location, String, String);

/// The model that an error is about.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    Mechanism(&'a MechanismModel),
    Linear(&'a LinearModel),
    Circuit(&'a CircuitModel),
    Coupled(&'a CoupledModel),
    Equations,
    Library,
    Federation,
    Fmu,
}

impl<'a> Subject<'a> {
    pub(crate) fn of(document: &'a Document) -> Self {
        match document {
            Document::Mechanism(model) => Self::Mechanism(model),
            Document::Linear(model) => Self::Linear(model),
            Document::Circuit(model) => Self::Circuit(model),
            Document::Coupled(model) => Self::Coupled(model),
        }
    }

    pub(crate) fn of_simulator(kind: &'a SimulatorKind) -> Self {
        match kind {
            SimulatorKind::Mechanism(model) => Self::Mechanism(model),
            SimulatorKind::Linear(model) => Self::Linear(model),
            SimulatorKind::Circuit(model) => Self::Circuit(model),
            SimulatorKind::Equations(_) => Self::Equations,
            SimulatorKind::Library(_) => Self::Library,
            SimulatorKind::Federation(_) => Self::Federation,
            SimulatorKind::Fmu(_) => Self::Fmu,
            SimulatorKind::Coupled(model) => Self::Coupled(model),
        }
    }
}

/// Place, problem and remedy of a fault that the compiled model or its run found in `subject`; nothing where no line is to blame.
pub(crate) fn fault(error: &Error, subject: Subject<'_>) -> Option<Fault> {
    match (error, subject) {
        _ if error.is_of_surroundings() => None,
        (Error::Multibody(error), Subject::Mechanism(mechanism)) => of_mechanism(error, &mechanism.model),
        (Error::Contact(error), Subject::Mechanism(mechanism)) => contact::of_contact(error, mechanism),
        (Error::LinearModel(error) | Error::CoupledModel(error), _) => Some(of_model(error)),
        (Error::Circuit(error), Subject::Circuit(circuit)) => coupled::of_circuit(error, &circuit.model),
        #[cfg(feature = "network")]
        (Error::Coupling(error @ fourbar_coupling::Error::Remote(_)), _) => {
            let location = Location { section: "", index: 0, name: String::new(), field: "host".to_owned() };
            let text = error.to_string();
            let remedy = "correct `host`, or start `fourbar host` with this model there";
            let (problem, remedy) = text.rsplit_once("; ").unwrap_or((&text, remedy));
            Some((location, problem.to_owned(), remedy.to_owned()))
        }
        (Error::Coupling(error), Subject::Library) => {
            let location = Location { section: "", index: 0, name: String::new(), field: "library".to_owned() };
            Some((
                location,
                error.to_string(),
                "correct `library` or `parameters`, or build the library anew".to_owned(),
            ))
        }
        (Error::Coupling(error), Subject::Fmu) => {
            let location = Location { section: "", index: 0, name: String::new(), field: "fmu".to_owned() };
            let text = error.to_string();
            // Errors of FMUs end with the remedy.
            let (problem, remedy) = text.rsplit_once("; ").unwrap_or((&text, "correct `fmu` or `parameters`"));
            Some((location, problem.to_owned(), remedy.to_owned()))
        }
        (Error::Coupling(error), Subject::Coupled(model)) => coupled::of_coupling(error, model),
        (Error::Input { input, value, time }, Subject::Linear(model)) => {
            let index = model.inputs.iter().position(|other| other.name() == input)?;
            let location = Location { section: "input", index, name: input.clone(), field: "value".to_owned() };
            let problem = format!("the input \"{input}\" is {value} at t = {time} s");
            Some((location, problem, "write a signal that is finite throughout the run".to_owned()))
        }
        (Error::NoEnd, _) => {
            let remedy = "write `end = 1.0  # s` in the section [simulation], or give the run one (--end)";
            Some((setting(""), "the run has no end time".to_owned(), remedy.to_owned()))
        }
        (Error::TooManyOutputs { .. } | Error::OutputsBetweenSteps { .. } | Error::TooManySteps { .. }, _) => {
            let field = if matches!(error, Error::TooManySteps { .. }) { "step" } else { "output_step" };
            let text = error.to_string();
            let (problem, remedy) = text.split_once("; ")?;
            Some((setting(field), problem.to_owned(), remedy.to_owned()))
        }
        _ => None,
    }
}

/// A field of the section `[simulation]`.
fn setting(field: &str) -> Location {
    Location { section: "simulation", index: 0, name: String::new(), field: field.to_owned() }
}

fn of_model(error: &ModelError) -> Fault {
    let problem = match error.location.to_string() {
        thing if thing.is_empty() => error.problem.clone(),
        thing => format!("{thing}: {}", error.problem),
    };
    (error.location.clone(), problem, error.remedy.clone())
}

fn of_mechanism(error: &MechanismError, model: &Model) -> Option<Fault> {
    match error {
        MechanismError::Model(error) => Some(of_model(error)),
        MechanismError::NotAssembled { joints, residual, iterations } => {
            let problem = format!(
                "the model cannot be assembled: after {iterations} iterations {} remain open by up to {:.4} m or rad",
                joints.join(", "),
                Brief(*residual)
            );
            let remedy = "check that these joints do not contradict each other, that lengths let the loops close, and that \
                          the start positions are near an assembled one";
            Some((of_constraint(joints.first()?, model), problem, remedy.to_owned()))
        }
        MechanismError::Overdriven { motion, others } => {
            let problem = format!("{motion} prescribes a coordinate that {} already determine", others.join(", "));
            Some((of_constraint(motion, model), problem, "remove it or a joint".to_owned()))
        }
        MechanismError::InitialCondition { joint, .. } => {
            let message = error.to_string();
            let (problem, remedy) = message.split_once("; ")?;
            Some((of_constraint(&format!("joint \"{joint}\""), model), problem.to_owned(), remedy.to_owned()))
        }
        MechanismError::Singular { analysis, place, remedy, .. } => {
            let problem = format!("the equations of {analysis} are singular at {place}");
            Some((of_element(place, model)?, problem, remedy.clone()))
        }
        MechanismError::Evaluation(error) => of_evaluation(error, model),
        MechanismError::RightAngle { motion, .. } => {
            let message = error.to_string();
            let (problem, remedy) = message.split_once("; ")?;
            Some((of_constraint(&format!("motion \"{motion}\""), model), problem.to_owned(), remedy.to_owned()))
        }
        MechanismError::Opened { row, .. } => {
            let message = error.to_string();
            let (problem, remedy) = message.split_once("; ")?;
            Some((of_element(row, model)?, problem.to_owned(), remedy.to_owned()))
        }
        MechanismError::SingularPosition { constraints, .. } => {
            let message = error.to_string();
            let (problem, remedy) = message.split_once("; ")?;
            Some((of_constraint(constraints.first()?, model), problem.to_owned(), remedy.to_owned()))
        }
        MechanismError::Locked { motions, .. } => {
            let message = error.to_string();
            let (problem, remedy) = message.split_once("; ")?;
            Some((of_constraint(motions.first()?, model), problem.to_owned(), remedy.to_owned()))
        }
        _ => None,
    }
}

/// A force or motion whose expression has no value.
fn of_evaluation(error: &EvalError, model: &Model) -> Option<Fault> {
    let (EvalError::Recoverable { element, .. } | EvalError::Fatal { element, .. }) = error;
    let (place, message) = (of_element(element, model)?, error.to_string());
    // An equation without a solution says itself what to do.
    if let (true, Some((problem, remedy))) = (element.starts_with("state "), message.split_once("; ")) {
        return Some((place, problem.to_owned(), remedy.to_owned()));
    }
    let remedy = "write an expression that is finite there, or bound its arguments with max, min or if";
    Some((place, message, remedy.to_owned()))
}

/// Where the first element stands that a message names, as in `body "rod" rotation about x`.
fn of_element(message: &str, model: &Model) -> Option<Location> {
    let mut parts = message.split('"');
    let (kind, name) = (parts.next()?.split_whitespace().last()?, parts.next()?);
    match kind {
        "body" => {
            let of = |section, index| Location { section, index, name: name.to_owned(), field: String::new() };
            let rigid = model.bodies.iter().position(|body| body.name == name).map(|index| of("body", index));
            // Nodes and modes of a flexible body have its name before a slash.
            let whole = name.split('/').next();
            let flexible = || model.flexible.iter().position(|body| Some(body.name.as_str()) == whole);
            rigid.or_else(|| flexible().map(|index| of("flexible", index)))
        }
        "force" => {
            let index = model.forces.iter().position(|force| force.name() == name)?;
            Some(Location { section: "force", index, name: name.to_owned(), field: "value".to_owned() })
        }
        "state" => of_state(name, model),
        kind => Some(of_constraint(&format!("{kind} \"{name}\""), model)),
    }
}

/// Where the state stands, or the block to which it belongs.
fn of_state(name: &str, model: &Model) -> Option<Location> {
    let block = name.split_once('.').map_or(name, |(block, _)| block);
    let at = |section: &'static str, own: &str, index: Option<usize>| {
        index.map(|index| Location { section, index, name: own.to_owned(), field: String::new() })
    };
    let blocks = model.transfer_functions.iter().position(|of| of.name == block);
    at("state", name, model.states.iter().position(|state| state.name == name))
        .or_else(|| at("transfer_function", block, blocks))
        .or_else(|| at("state_space", block, model.state_spaces.iter().position(|of| of.name == block)))
        .or_else(|| at("pid", block, model.pids.iter().position(|of| of.name == block)))
}

/// Where the joint, motion or coupler stands that a message calls `joint "A"`, or `A` alone.
fn of_constraint(called: &str, model: &Model) -> Location {
    let (kind, name) = match called.split_once('"') {
        Some((kind, rest)) => (kind.trim(), rest.trim_end_matches('"')),
        None => ("", called),
    };
    let joint = model.joints.iter().position(|joint| joint.name == name).filter(|_| kind != "motion");
    let motion = || model.motions.iter().position(|motion| motion.name == name);
    let relations = [
        ("coupler", model.couplers.iter().position(|coupler| coupler.name == name)),
        ("gear", model.gears.iter().position(|gear| gear.name == name)),
        ("rack_and_pinion", model.racks.iter().position(|rack| rack.name == name)),
        ("point_on_curve", model.points_on_curves.iter().position(|each| each.name == name)),
        ("curve_on_curve", model.curves_on_curves.iter().position(|each| each.name == name)),
        ("constraint", model.equations.iter().position(|each| each.name == name)),
    ];
    let relation = relations.iter().find_map(|&(of, found)| found.filter(|_| of == kind).map(|index| (of, index)));
    let rolling = || model.rolling.iter().position(|rolling| rolling.name == name);
    let (section, index) = match (joint, motion()) {
        _ if relation.is_some() => relation.unwrap_or(("", 0)),
        (Some(index), _) => ("joint", index),
        (None, Some(index)) => ("motion", index),
        (None, None) => rolling().map_or(("", 0), |index| ("rolling", index)),
    };
    Location { section, index, name: name.to_owned(), field: String::new() }
}
