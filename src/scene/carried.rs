//! Poses, forces and reactions of mechanisms among coupled simulators: they travel as further outputs, which those who read the results do not see.
//! Reactions come from the multipliers that steps have, at output times: a solve at every communication point would double the time of the press.

use crate::coupled::{CoupledModel, SimulatorKind, SimulatorModel};
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

/// A name in letters that measures may have: what is no letter or digit of ASCII and no point is written `_HEX_`.
fn spelt(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_ascii_alphanumeric() || c == '.' {
            true => text.push(c),
            false => text.push_str(&format!("_{:x}_", u32::from(c))),
        }
    }
    text
}

/// The name that was spelt so.
#[cfg(feature = "report")]
fn read_name(text: &str) -> String {
    let mut parts = text.split('_');
    let mut name = parts.next().unwrap_or_default().to_owned();
    while let Some(code) = parts.next() {
        name.extend(u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
        name.push_str(parts.next().unwrap_or_default());
    }
    name
}

/// What a hidden column is of.
#[cfg(feature = "report")]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// A body.
    Body(String),
    /// A force element.
    Force(String),
    /// A joint, a motion or whatever else constrains.
    Constraint(String),
}

#[cfg(feature = "report")]
impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, name) = match self {
            Self::Body(name) => ("body", name),
            Self::Force(name) => ("force", name),
            Self::Constraint(name) => ("constraint", name),
        };
        write!(f, "the {kind} \"{name}\"")
    }
}

/// A hidden column by its heading: what stands before the mark, the rest without the unit, and what it is of.
#[cfg(feature = "report")]
pub(super) fn column(heading: &str) -> Option<(&str, &str, Owner)> {
    let (before, tail) = heading.split_once(MARK)?;
    let tail = tail.split(" [").next().unwrap_or_default();
    let (kind, name) = tail.split_once('_').unwrap_or(("", tail));
    let name = read_name(name.rsplit_once('.').map_or(name, |(name, _)| name));
    let owner = match kind.as_bytes().first() {
        Some(b'f') => Owner::Force(name),
        Some(b'w') => Owner::Constraint(name),
        _ => Owner::Body(name),
    };
    Some((before, tail, owner))
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

/// A simulator by its name, `outer.inner` within a coupled one.
fn simulator_of<'a>(model: &'a mut CoupledModel, simulator: &str) -> Option<&'a mut SimulatorModel> {
    let (name, within) = simulator.split_once('.').map_or((simulator, None), |(name, rest)| (name, Some(rest)));
    let own = model.simulators.iter_mut().find(|own| own.name == name)?;
    match within {
        None => Some(own),
        Some(rest) => match &mut own.kind {
            SimulatorKind::Coupled(model) => simulator_of(model, rest),
            _ => None,
        },
    }
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
        let Some(own) = simulator_of(model, simulator) else { return };
        let SimulatorKind::Mechanism(target) = &mut own.kind else { return };
        let mut names = self.add_to_mechanism(target, mechanism);
        if !self.reactions.is_empty() {
            let outputs = ReactionOutputs { sets: self.named_sets(mechanism), every: None };
            let all = |(_, name): &(usize, String)| WRENCH.map(|part| format!("{name}.{part}"));
            names.extend(outputs.sets.iter().flat_map(all));
            own.reactions = Some(outputs);
        }
        if let Some(record) = &mut model.simulation.record {
            record.extend(names.iter().map(|name| format!("{simulator}.{name}")));
        }
    }

    /// Adds poses and forces to the measures of a model; the names of their columns.
    pub(super) fn add_to_mechanism(&self, target: &mut MechanismModel, mechanism: &Mechanism) -> Vec<String> {
        for body in mechanism.bodies() {
            let i = body.name.as_str();
            let position = VectorMeasure { i: i.into(), j: None, frame: None, seen_from: None, component: None };
            let turn = PairMeasure { i: i.into(), j: None };
            let [r, q] = pose_tails(i).map(|tail| format!("{MARK}{tail}"));
            target.model.measures.push(Measure { name: r, kind: MeasureKind::Position(position) });
            target.model.measures.push(Measure { name: q, kind: MeasureKind::Quaternion(turn) });
        }
        for (k, load) in self.elements.iter().enumerate() {
            let quantity = if load.is_torque { Quantity::Torque } else { Quantity::Force };
            let name = format!("{MARK}{}", load_tail(k, &load.name));
            target.model.measures.push(Measure { name, kind: force_of(&load.name, quantity) });
        }
        let reactions = WRENCH.len() * self.reactions.len();
        let mut tails = self.tails(mechanism);
        tails.truncate(tails.len() - reactions);
        tails.into_iter().map(|tail| format!("{MARK}{tail}")).collect()
    }

    /// The constraint sets whose reactions are carried, with the names of these.
    fn named_sets(&self, mechanism: &Mechanism) -> Vec<(usize, String)> {
        let sets = mechanism.constraint_sets();
        let named = |&set: &usize| (set, format!("{MARK}{}", reaction_tail(set, &sets[set].name)));
        self.reactions.iter().map(named).collect()
    }

    /// The names of the columns in their order, without what begins all of them.
    pub(super) fn tails(&self, mechanism: &Mechanism) -> Vec<String> {
        let of = |tail: String, parts: &'static [&str]| parts.iter().map(move |part| format!("{tail}.{part}"));
        let poses = mechanism.bodies().iter().flat_map(|body| {
            let [r, q] = pose_tails(&body.name);
            of(r, &["x", "y", "z"]).chain(of(q, &["e0", "e1", "e2", "e3"]))
        });
        let loads = self.elements.iter().enumerate();
        let sets = mechanism.constraint_sets();
        let reactions = self.reactions.iter().flat_map(|&set| of(reaction_tail(set, &sets[set].name), &WRENCH));
        poses
            .chain(loads.flat_map(|(k, load)| of(load_tail(k, &load.name), &["x", "y", "z"])))
            .chain(reactions)
            .collect()
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

/// The heading of the hidden column of that name, of a mechanism or of a simulator.
#[cfg(feature = "report")]
pub(super) fn heading(simulator: &str, tail: &str) -> String {
    let before = if simulator.is_empty() { String::new() } else { format!("{simulator}.") };
    format!("{before}{MARK}{tail}")
}

/// The position and the quaternion of a body.
fn pose_tails(body: &str) -> [String; 2] {
    ["r", "q"].map(|kind| format!("{kind}_{}", spelt(body)))
}

/// The k-th force element: several may have one name.
fn load_tail(k: usize, element: &str) -> String {
    format!("f{k}_{}", spelt(element))
}

/// The constraint set of that index: several may have one name.
fn reaction_tail(set: usize, name: &str) -> String {
    format!("w{set}_{}", spelt(name))
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

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_spelt_in_letters_that_a_measure_may_have_and_read_again() {
        for name in ["crank", "left arm", "a.b_3", "Kolben Nr. 2", "\u{e4}u\u{df}eres Rad", "__", "", "5f", "x\"y,z"] {
            let text = spelt(name);
            assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.'), "{text}");
            assert_eq!(read_name(&text), name);
            let [r, _] = pose_tails(name);
            let heading = format!("press.{MARK}{r}.x [m]");
            let (before, tail, owner) = column(&heading).unwrap();
            assert_eq!((before, tail, owner), ("press.", &*format!("{r}.x"), Owner::Body(name.to_owned())));
        }
    }
}
