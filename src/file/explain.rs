//! The words for a fault of a model file: what is wrong, with which entry, and the remedy.

mod contact;
mod coupled;

use super::diagnostic::{Diagnostic, line_number};
use super::issue::{Issue, IssueKind, Segment};
use super::names;
use crate::circuit::CircuitModel;
use crate::coupled::{CoupledModel, SimulatorKind};
use crate::linear::LinearModel;
use crate::mechanism::MechanismModel;
use crate::{Document, Error};
use fourbar_linalg::text::Brief;
use fourbar_multibody::dae::EvalError;
use fourbar_multibody::expression::nearest_name;
use fourbar_multibody::model::Model;
use fourbar_multibody::{Error as MechanismError, Location, ModelError};
use toml::de::{DeTable, DeValue};

/// The sections that hold one entry for each double-bracketed header.
pub(crate) const ENTRY_SECTIONS: &[&str] = &[
    "spline",
    "body",
    "flexible",
    "marker",
    "joint",
    "rolling",
    "motion",
    "coupler",
    "gear",
    "rack_and_pinion",
    "curve",
    "point_on_curve",
    "curve_on_curve",
    "constraint",
    "actuator",
    "force",
    "friction",
    "sensor",
    "activity",
    "measure",
    "shape",
    "contact",
    "copies",
    "include",
    "display",
    "block",
    "input",
    "output",
    "node",
    "component",
    "simulator",
    "connection",
    "port",
    "state",
    "transfer_function",
    "pid",
    "parameter",
];

/// Words `issue` for the file of this name and text.
pub(crate) fn explain(issue: Issue, file: &str, text: &str, table: &DeTable<'_>) -> Diagnostic {
    let mut path = issue.path;
    path.reverse();
    let place = thing(&path, table);
    let place = if place.is_empty() { String::new() } else { format!(" in {place}") };
    let mut related = None;
    let (problem, remedy) = match issue.kind {
        IssueKind::UnknownField { field, expected } => {
            let remedy = names::included_section(&path, &field)
                .unwrap_or_else(|| did_you_mean(&field, &expected, "the fields here are"));
            (format!("unknown field `{field}`{place}"), remedy)
        }
        IssueKind::MissingField(field) => (format!("missing field `{field}`{place}"), missing_remedy(field)),
        IssueKind::UnknownWord { word, expected } => {
            (format!("unknown {} `{word}`{place}", last_key(&path)), did_you_mean(&word, &expected, "write one of"))
        }
        IssueKind::WrongValue { found, expected } => {
            let field = last_key(&path);
            // At the top of a file, or of a model in place.
            let at_top = path.len() == 1
                || matches!(path.as_slice(), [_, Segment::Index(_), Segment::Key(place), Segment::Key(_)] if place == "model");
            if at_top && ENTRY_SECTIONS.contains(&field) {
                let remedy = format!("each {field} is an entry of its own: head it with [[{field}]]");
                (format!("`{field}` is {found}"), remedy)
            } else {
                (format!("`{field}` is {found}{place}"), format!("write {}", in_words(&expected)))
            }
        }
        IssueKind::WrongLength { found, expected } => {
            let entries = if found == 1 { "entry" } else { "entries" };
            let problem = format!("`{}` has {found} {entries}{place}", last_key(&path));
            (problem, format!("write {}", in_words(&expected)))
        }
        IssueKind::NotFinite(number) => (
            format!("`{}` is {number}, not a finite number{place}", last_key(&path)),
            "write a finite number".to_owned(),
        ),
        IssueKind::TooLarge(number) => (
            format!("the integer {number} of `{}` does not fit 64 bits{place}", last_key(&path)),
            match last_key(&path) {
                "seed" => format!("write a whole number from 0 to {}", u64::MAX),
                _ => "write it with a decimal point or an exponent, as in 1e20".to_owned(),
            },
        ),
        IssueKind::DuplicateName { name, first } => {
            let section = last_key(&path);
            related = Some((line_number(text, first.start), format!("the first {section} \"{name}\"")));
            (format!("two {} are named \"{name}\"", plural(section)), "give each its own name".to_owned())
        }
        IssueKind::Expression(error) => (
            format!("`{}` cannot be read{place}: {}", last_key(&path), error.problem),
            "expressions are described in docs/model-format.md, section Expressions".to_owned(),
        ),
        IssueKind::Message(message) => {
            let (message, remedy) = names::message_remedy(&message);
            (format!("`{}`{place}: {message}", last_key(&path)), remedy.to_owned())
        }
    };
    let mut diagnostic = Diagnostic::new(file, text, issue.span.unwrap_or(0..0), problem, remedy);
    diagnostic.related = related;
    diagnostic
}

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

/// "joint \"A\"", "[simulation]" or nothing for the top of the file.
fn thing(path: &[Segment], table: &DeTable<'_>) -> String {
    match path {
        // A simulator or an included mechanism written in place.
        [Segment::Key(section), Segment::Index(index), Segment::Key(place), rest @ ..]
            if ["simulator", "include"].contains(&section.as_str())
                && ["model", "equations"].contains(&place.as_str())
                && !rest.is_empty() =>
        {
            let whole = thing(&path[..2], table);
            match inner(table, section, *index, place).map(|inner| thing(rest, inner)) {
                Some(part) if !part.is_empty() => format!("{part} of {whole}"),
                _ => whole,
            }
        }
        [Segment::Key(section), Segment::Index(index), ..] if ENTRY_SECTIONS.contains(&section.as_str()) => {
            let entry = table.get(section.as_str()).and_then(|value| value.get_ref().get(*index));
            match entry.and_then(|entry| entry.get_ref().get("name")).map(|name| name.get_ref()) {
                Some(DeValue::String(name)) => format!("{section} \"{name}\""),
                _ => format!("{section} number {}", index + 1),
            }
        }
        [Segment::Key(section), Segment::Key(_), ..] => format!("[{section}]"),
        [Segment::Key(section)] if table.get(section.as_str()).is_some_and(|value| value.get_ref().is_table()) => {
            format!("[{section}]")
        }
        _ => String::new(),
    }
}

/// The table in which entry `index` of a section is written in place.
fn inner<'a, 'i>(table: &'a DeTable<'i>, section: &str, index: usize, place: &str) -> Option<&'a DeTable<'i>> {
    match table.get(section)?.get_ref().get(index)?.get_ref().get(place)?.get_ref() {
        DeValue::Table(inner) => Some(inner),
        _ => None,
    }
}

/// The innermost key, with the position in its array if the fault is one of several components.
fn last_key(path: &[Segment]) -> &str {
    path.iter()
        .rev()
        .find_map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
        .unwrap_or("the file")
}

fn plural(section: &str) -> String {
    match section {
        "body" => "bodies".to_owned(),
        "copies" => section.to_owned(),
        other => format!("{other}s"),
    }
}

fn did_you_mean(word: &str, expected: &[&'static str], otherwise: &str) -> String {
    let list = expected.join(", ");
    // Every letter is near every other one.
    let near = if word.chars().count() > 1 { nearest_name(word, expected.iter().copied()) } else { None };
    match near {
        Some(name) => format!("did you mean `{name}`? ({otherwise} {list})"),
        None if expected.is_empty() => "remove it".to_owned(),
        None => format!("{otherwise} {list}"),
    }
}

/// What serde expects by Rust's names, in the words of the file format.
fn in_words(expected: &str) -> String {
    match expected {
        "u8" | "u32" | "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "i64" => "a whole number".to_owned(),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        "a map" => "a table".to_owned(),
        "a sequence" => "an array in brackets".to_owned(),
        "an array of length 3" => "three components, as in [0, 0, 1]".to_owned(),
        "an array of length 4" => "four components, as in [1, 0, 0, 0]".to_owned(),
        other => other.strip_prefix("struct ").map_or_else(|| other.to_owned(), |_| "a table".to_owned()),
    }
}

fn missing_remedy(field: &str) -> String {
    let example = match field {
        "mass" => "mass = 1.0  # kg",
        "name" => "name = \"...\", unique in its section",
        "type" => "type = \"...\"; the types are listed in docs/model-format.md",
        "i" | "j" => "i = \"marker\" and j = \"marker\", or { body = \"...\", position = [0, 0, 0] }",
        "value" => "value = \"an expression of time and measures\"",
        "joint" => "joint = \"the name of the joint that is driven\"",
        "body" => "body = \"the name of a body, or ground\"",
        "expression" => "expression = \"an expression of time and measures\"",
        "quantity" => "quantity = \"force\" or quantity = \"torque\"; of a contact \"gap\" or \"normal_force\"",
        "on" => "on = \"the name of a marker or body\"",
        "of" => "of = \"the name of a body\"",
        "contact" => "contact = \"the name of a contact\"",
        "file" => {
            "file = \"the model file of the simulator\", or write the model in place: [simulator.model] or [simulator.equations]"
        }
        "from" | "to" => {
            "from = \"simulator.output\" and to = \"simulator.input\" (of a component: the names of nodes)"
        }
        "rate" => "rate = \"an expression of time, inputs and states\"",
        "count" => "count = [2, 1, 1]",
        "spacing" => "spacing = [0.5, 0, 0]  # m",
        _ => return format!("add `{field}`"),
    };
    format!("add {example}")
}
