//! What an analysis of a machine gives, by names.

use super::carry::{axes, numbers};
use fourbar::analysis::{At, KinematicRun, OperatingPoint, QuasiStatics};
use fourbar::lti::StateSpace;
use fourbar::mechanism::MechanismModel;
use fourbar::multibody::Mechanism;
use fourbar::multibody::analysis::{Linearization, Stability};
use fourbar::multibody::model::Model;
use fourbar::multibody::space::{Pose, V3};
use fourbar::results::{Column, Status};
use fourbar::run::{Frame, Observer, Overrides, Run, Step};
use fourbar::{Document, Error};
use nalgebra::Complex;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::AtomicBool;

/// What a joint or motion does to the body of its marker I.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) force: V3,
    /// About `point`.
    pub(super) torque: V3,
    /// Origin of marker I.
    pub(super) point: V3,
}

/// A machine at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) time: f64,
    pub(super) poses: BTreeMap<String, Pose>,
    pub(super) loads: BTreeMap<String, Load>,
    /// In the order of the columns.
    pub(super) measures: Vec<f64>,
}

/// What came of an analysis.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// How it ended, with the kind of error.
    pub(super) ending: String,
    /// The error as it is written.
    pub(super) error: Option<String>,
    /// Kinds of the warnings, sorted.
    pub(super) warnings: Vec<String>,
    pub(super) steps: Option<u64>,
    /// Below which a tenth of the steps are \[s\].
    pub(super) short_step: Option<f64>,
    pub(super) rows: Vec<Row>,
    pub(super) columns: Vec<Column>,
    pub(super) poles: Vec<Complex<f64>>,
}

impl Outcome {
    /// How it ended, as it is written.
    pub(super) fn text(&self) -> &str {
        self.error.as_deref().unwrap_or(&self.ending)
    }
}

/// Begin of the keys of couplers, gears, curves and the like.
pub(super) const RELATION: &str = "relation";

/// Key of a constraint set among the loads.
pub(super) fn key(set: &fourbar::multibody::mechanism::ConstraintSet) -> String {
    let kind = match (set.is_motion(), set.joint) {
        (true, _) => "motion",
        (false, Some(_)) => "joint",
        (false, None) => RELATION,
    };
    format!("{kind} {}", set.name)
}

/// A message without its numbers, names, and short words such as axes: its kind.
pub(super) fn kind_of(message: &str) -> String {
    let unquoted: String = message.split(['"', '`']).step_by(2).collect();
    let words = unquoted.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| word.len() > 2 && !word.contains(|letter: char| letter.is_ascii_digit()));
    words.take(WORDS).collect::<Vec<_>>().join(" ")
}

/// Words of a message that say its kind.
const WORDS: usize = 8;

fn failed(error: &dyn std::error::Error) -> Outcome {
    let mut whole = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        whole = format!("{whole}: {source}");
        next = source.source();
    }
    Outcome { ending: format!("error: {}", kind_of(&whole)), error: Some(whole), ..Outcome::default() }
}

fn kinds(warnings: Vec<String>) -> Vec<String> {
    let mut kinds: Vec<String> = warnings.iter().map(|warning| kind_of(warning)).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

fn row(mechanism: &Mechanism, frame: &Frame, measures: Vec<f64>) -> Row {
    // What carries modal coordinates is no place: of equal frequencies any pair of shapes will do.
    let bodies = mechanism.bodies().iter().enumerate();
    let bodies = bodies.zip(frame.poses.iter().copied()).filter(|((k, _), _)| !mechanism.carries_modes(*k));
    let sets = mechanism.constraint_sets().iter();
    let load =
        |(set, wrench): (&fourbar::multibody::mechanism::ConstraintSet, &fourbar::multibody::analysis::Wrench)| {
            let point = set.i.origin(&frame.poses);
            (key(set), Load { force: wrench.force, torque: wrench.torque, point })
        };
    Row {
        time: frame.time,
        poses: bodies.map(|((_, body), pose)| (body.name.clone(), pose)).collect(),
        loads: sets.zip(&frame.reactions).map(load).collect(),
        measures,
    }
}

/// Keeps what a run shows.
struct Watch<'a> {
    mechanism: &'a Mechanism,
    values: Vec<f64>,
    rows: Vec<Row>,
    steps: Vec<f64>,
}

impl Observer for Watch<'_> {
    fn output(&mut self, _time: f64, values: &[f64]) -> io::Result<()> {
        self.values = values.to_vec();
        Ok(())
    }

    fn wants_frames(&self) -> bool {
        true
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        self.steps.push(step.size);
        Ok(())
    }

    fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        self.rows.push(row(self.mechanism, frame, self.values.clone()));
        Ok(())
    }
}

fn document(model: &Model) -> Document {
    MechanismModel::from(model.clone()).into()
}

/// `fourbar run`.
pub(super) fn run(model: &Model, overrides: &Overrides) -> Outcome {
    let run = match Run::new(&document(model), overrides) {
        Ok(run) => run,
        Err(error) => return failed(&error),
    };
    let mechanism = run.mechanism().expect("a mechanism");
    let mut watch = Watch { mechanism, values: Vec::new(), rows: Vec::new(), steps: Vec::new() };
    let outcome = match run.execute(&mut [&mut watch], &AtomicBool::new(false)) {
        Ok(outcome) => outcome,
        Err(error) => return failed(&error),
    };
    let (rows, mut sizes) = (watch.rows, watch.steps);
    sizes.sort_by(f64::total_cmp);
    let short_step = sizes.get(sizes.len() / 10).copied();
    let summary = outcome.summary;
    let end = match (&outcome.failure, summary.status) {
        (Some(error), _) => failed(error),
        (None, Status::Done) => Outcome { ending: "done".to_owned(), ..Outcome::default() },
        (None, _) => Outcome { ending: "interrupted".to_owned(), ..Outcome::default() },
    };
    let steps = summary.mechanism().map(|details| details.statistics.steps);
    Outcome { warnings: kinds(summary.warnings), steps, short_step, rows, columns: run.columns().to_vec(), ..end }
}

/// `fourbar statics --at`.
pub(super) fn statics(model: &Model, time: f64) -> Outcome {
    let model = MechanismModel::from(model.clone());
    let found = QuasiStatics::new(&model, None, None).and_then(|mut statics| statics.at(time));
    let statics = match found {
        Ok(statics) => statics,
        Err(error) => return failed(&error),
    };
    let mechanism = Mechanism::compile(&model.model).expect("it is compiled before");
    let (columns, values) = statics.measures.iter().cloned().unzip();
    Outcome {
        ending: format!("{}", statics.equilibrium.stability()),
        rows: vec![row(&mechanism, &statics.frame(), values)],
        warnings: kinds(statics.warnings),
        columns,
        ..Outcome::default()
    }
}

/// `fourbar kinematics`, at these times.
pub(super) fn kinematics(model: &Model, times: &[f64]) -> Outcome {
    let whole = MechanismModel::from(model.clone());
    let end = times.iter().copied().fold(0.0, f64::max);
    let mut kinematics = match KinematicRun::new(&whole, Some(end), Some(end), false) {
        Ok(kinematics) => kinematics,
        Err(error) => return failed(&error),
    };
    let mechanism = Mechanism::compile(model).expect("it is compiled before");
    let mut rows = Vec::new();
    let count = mechanism.measures().len();
    for time in times {
        let values = match kinematics.row(*time).and_then(|values| kinematics.frame().map(|frame| (values, frame))) {
            Ok((values, frame)) => row(&mechanism, &frame, values[1..=count].to_vec()),
            Err(error) => return Outcome { rows, ..failed(&error) },
        };
        rows.push(values);
    }
    let column =
        |info: &fourbar::multibody::measure::MeasureInfo| Column { name: info.name.clone(), unit: info.unit.clone() };
    let columns = mechanism.measures().iter().map(column).collect();
    Outcome { ending: "done".to_owned(), rows, columns, warnings: kinds(kinematics.warnings()), ..Outcome::default() }
}

/// `fourbar linear .. poles --at`; an error where it moves and is not told to.
pub(super) fn poles(model: &Model, at: At) -> Outcome {
    let whole = MechanismModel::from(model.clone());
    let found = || -> Result<Outcome, Error> {
        let mut point = OperatingPoint::new(&whole, at)?;
        if at == At::Equilibrium && point.equilibrium().is_none() {
            return Ok(Outcome { ending: "error: it moves".to_owned(), ..Outcome::default() });
        }
        if point.equilibrium() == Some(Stability::Neutral) {
            return Ok(Outcome { ending: "error: neutral, one of many places".to_owned(), ..Outcome::default() });
        }
        let linearization = point.linearize()?;
        let warnings = kinds(point.warnings(&linearization)?);
        let Linearization { a, b, c, d, .. } = linearization;
        let refused = |source| Error::Linear { time: point.time(), source };
        let poles = StateSpace::new(a, b, c, d).and_then(|system| system.poles()).map_err(refused)?;
        Ok(Outcome { ending: "done".to_owned(), poles, warnings, ..Outcome::default() })
    };
    found().unwrap_or_else(|error| failed(&error))
}

/// The model, whose markers are written in axes of their bodies, with its bodies at rest at its static equilibrium.
pub(super) fn at_equilibrium(model: &Model) -> Option<Model> {
    let statics =
        QuasiStatics::new(&MechanismModel::from(model.clone()), None, None).and_then(|mut of| of.at(0.0)).ok()?;
    let mut other = model.clone();
    for (body, pose) in other.bodies.iter_mut().zip(&statics.places) {
        let [w, x, y, z] = pose.quaternion;
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        body.position = numbers(&pose.position);
        body.orientation = axes(&turn.to_rotation_matrix().into_inner());
        (body.velocity, body.angular_velocity) = (numbers(&V3::zeros()), numbers(&V3::zeros()));
    }
    Some(other)
}
