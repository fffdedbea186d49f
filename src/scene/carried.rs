//! Poses, forces and reactions of mechanisms among coupled simulators: they travel as further outputs, which those who read the results do not see.
//! Reactions come from the multipliers that steps have, at output times: a solve at every communication point would double the time of the press.

use crate::coupled::{CoupledModel, SimulatorKind};
use crate::mechanism::MechanismModel;
use crate::run::Frame;
use fourbar_coupling::partner::ReactionOutputs;
use fourbar_multibody::Mechanism;
use fourbar_multibody::analysis::Wrench;
use fourbar_multibody::force::{ElementLoad, Loads};
use fourbar_multibody::model::{Measure, MeasureKind, PairMeasure, Quantity, ReactionMeasure, VectorMeasure};
use fourbar_multibody::space::{M3, Pose, V3};
use nalgebra::{Quaternion, UnitQuaternion};

/// Begins the names of measures that are carried. A model that has one of these names already is refused.
const MARK: &str = "fourbar_scene_";
/// Components of a reaction, as [`ReactionOutputs`] names them.
const WRENCH: [&str; 6] = ["fx", "fy", "fz", "tx", "ty", "tz"];

/// Whether a column of this name is one of those that are carried.
#[must_use]
pub fn is_hidden(name: &str) -> bool {
    name.contains(MARK)
}

/// What of a mechanism is carried, in the order of its columns: of each body seven numbers, of each element three.
#[derive(Debug)]
pub(super) struct Carried {
    /// Centres of mass in the frames of the bodies.
    centers: Vec<V3>,
    /// Force elements, as they are at the start.
    elements: Vec<ElementLoad>,
    /// Number of constraint sets.
    sets: usize,
    /// Those whose reactions are carried: what is shown in a scene.
    reactions: Vec<usize>,
}

impl Carried {
    /// All bodies, and with `forces` and `reactions` these too: simulators of mechanisms with contacts have no outputs for them.
    pub(super) fn new(mechanism: &Mechanism, forces: bool, reactions: bool) -> Self {
        let start = mechanism.start();
        let poses: Vec<Pose> = start.poses.iter().copied().chain([Pose::ground()]).collect();
        let mut elements = Vec::new();
        let mut loads = Loads::new(mechanism);
        if !forces || loads.elements(mechanism, start, &poses, &mut elements).is_err() {
            elements.clear();
        }
        let sets = mechanism.constraint_sets();
        let shown = (0..sets.len()).filter(|&set| reactions && !sets[set].is_within_flexible());
        Self {
            centers: mechanism.bodies().iter().map(|body| body.center_of_mass()).collect(),
            elements,
            sets: sets.len(),
            reactions: shown.collect(),
        }
    }

    /// Force elements and constraint sets.
    pub(super) fn counts(&self) -> [usize; 2] {
        [self.elements.len(), self.sets]
    }

    /// Adds them to the outputs of the simulator of that name.
    pub(super) fn add_to(&self, model: &mut CoupledModel, simulator: &str, mechanism: &Mechanism) {
        let Some(own) = model.simulators.iter_mut().find(|own| own.name == simulator) else { return };
        let SimulatorKind::Mechanism(target) = &mut own.kind else { return };
        let mut names = self.add_to_mechanism(target, mechanism);
        if !self.reactions.is_empty() {
            let sets = self.reactions.iter().map(|&set| (set, format!("{MARK}reaction{set}")));
            let outputs = ReactionOutputs { sets: sets.collect(), every: None };
            let all = |(_, name): &(usize, String)| WRENCH.map(|part| format!("{name}.{part}"));
            names.extend(outputs.sets.iter().flat_map(all));
            own.reactions = Some(outputs);
        }
        if let Some(record) = &mut model.simulation.record {
            record.extend(names.iter().map(|name| format!("{simulator}.{name}")));
        }
    }

    /// Adds them to the measures of a model; the names of their columns.
    pub(super) fn add_to_mechanism(&self, target: &mut MechanismModel, mechanism: &Mechanism) -> Vec<String> {
        let mut names = Vec::new();
        let mut add = |tail: String, kind: MeasureKind, parts: &[&str]| {
            let name = format!("{MARK}{tail}");
            names.extend(parts.iter().map(|part| format!("{name}.{part}")));
            target.model.measures.push(Measure { name, kind });
        };
        let axes = &["x", "y", "z"];
        for (k, body) in mechanism.bodies().iter().enumerate() {
            let i = body.name.as_str();
            let position = VectorMeasure { i: i.into(), j: None, frame: None, seen_from: None, component: None };
            add(format!("pose{k}r"), MeasureKind::Position(position), axes);
            let turn = PairMeasure { i: i.into(), j: None };
            add(format!("pose{k}q"), MeasureKind::Quaternion(turn), &["e0", "e1", "e2", "e3"]);
        }
        for (k, load) in self.elements.iter().enumerate() {
            let quantity = if load.is_torque { Quantity::Torque } else { Quantity::Force };
            add(format!("load{k}"), force_of(&load.name, quantity), axes);
        }
        names
    }

    /// Reads them from the front of `numbers` into a frame of several mechanisms, whose ground is the body `ground`.
    pub(super) fn read<'n>(&self, mut numbers: &'n [f64], frame: &mut Frame, ground: usize) -> &'n [f64] {
        let first = frame.poses.len();
        let mut next = |count: usize| {
            let (own, rest) = numbers.split_at_checked(count).unwrap_or((&[], numbers));
            numbers = rest;
            own
        };
        for center in &self.centers {
            let &[x, y, z, e0, e1, e2, e3] = next(7) else { continue };
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(e0, e1, e2, e3));
            let a: M3 = turn.to_rotation_matrix().into_inner();
            frame.poses.push(Pose { x: V3::new(x, y, z) + a * center, a, v: V3::zeros(), w: V3::zeros() });
        }
        for load in &self.elements {
            let mut load = load.clone();
            let vector = three(next(3));
            (load.force, load.torque) = if load.is_torque { (V3::zeros(), vector) } else { (vector, V3::zeros()) };
            self.place(&mut load, first, ground);
            frame.forces.push(load);
        }
        let before = frame.reactions.len();
        frame.reactions.resize(before + self.sets, Wrench { force: V3::zeros(), torque: V3::zeros() });
        for set in &self.reactions {
            let [force, torque] = [0, 1].map(|_| three(next(3)));
            frame.reactions[before + set] = Wrench { force, torque };
        }
        numbers
    }

    /// Adds the force elements as they are at the start to a frame; `first` is the first of the bodies in it.
    pub(super) fn begin(&self, frame: &mut Frame, first: usize, ground: usize) {
        for load in &self.elements {
            let mut load = load.clone();
            self.place(&mut load, first, ground);
            frame.forces.push(load);
        }
    }

    fn place(&self, load: &mut ElementLoad, first: usize, ground: usize) {
        load.i.body = if load.i.body == self.centers.len() { ground } else { first + load.i.body };
    }

    /// Bodies, elements and reactions: columns of seven, of three and of six numbers.
    pub(super) fn widths(&self) -> [usize; 3] {
        [self.centers.len(), self.elements.len(), self.reactions.len()]
    }

    /// The constraint sets whose reactions are carried.
    pub(super) fn reactions(&self) -> &[usize] {
        &self.reactions
    }
}

/// What is not finite is not drawn.
fn three(numbers: &[f64]) -> V3 {
    match numbers {
        &[x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => V3::new(x, y, z),
        _ => V3::zeros(),
    }
}

fn force_of(element: &str, quantity: Quantity) -> MeasureKind {
    MeasureKind::Reaction(ReactionMeasure {
        joint: None,
        motion: None,
        force: Some(element.to_owned()),
        coupler: None,
        gear: None,
        rack_and_pinion: None,
        point_on_curve: None,
        curve_on_curve: None,
        constraint: None,
        quantity,
        frame: None,
        component: None,
    })
}
