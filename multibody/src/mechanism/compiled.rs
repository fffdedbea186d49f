//! The compiled model: indices and numbers.

use super::body::RigidBody;
use super::composed::Relation;
use super::function::Function;
use super::report::AssemblyReport;
use super::rows::{BoundConstraint, DROPPED, Redundancy};
use super::rows::{Choice, Roles};
use super::stated::Stated;
use super::switches::{Origin, Switches};
use super::turn_counter::TurnCounter;
use super::user_state::UserState;
use crate::drive::{Drive, TimeFunction};
use crate::expression::{Break, Changes, Program};
use crate::flexible::FlexibleBody;
use crate::force::{ElasticForce, JointFriction, ScalarForce, VectorForce, Watched};
use crate::host::HostElement;
use crate::input::InputInfo;
use crate::measure::{Load, MeasureInfo, ScalarMeasure, Source};
use crate::model::JointKind;
use crate::space::{FixedFrame, Pose, V3};
use crate::state::State;
use fourbar_linalg::Kkt;
use std::sync::Arc;

/// A compiled model. See the module.
#[derive(Debug, Clone)]
pub struct Mechanism {
    pub(crate) name: String,
    pub(crate) bodies: Vec<RigidBody>,
    pub(crate) gravity: V3,
    /// Flexible bodies, each several of `bodies`.
    pub(crate) flexible: Vec<FlexibleBody>,
    pub(crate) sets: Vec<ConstraintSet>,
    pub(crate) constraints: Vec<BoundConstraint>,
    /// Of the constraints.
    pub(crate) roles: Roles,
    pub(crate) independent_rows: usize,
    pub(crate) redundancies: Vec<Redundancy>,
    /// Which dependent rows are kept.
    pub(crate) choice: Choice,
    /// The saddle-point system of the independent rows, its pivots chosen; shared by all analyses.
    pub(crate) saddle: Option<Arc<Kkt>>,
    pub(crate) drives: Vec<Drive>,
    /// Initial conditions of joints.
    pub(crate) stated: Vec<Stated>,
    pub(crate) inputs: Vec<InputInfo>,
    /// Unknowns of the user.
    pub(crate) states: Vec<UserState>,
    pub(crate) programs: Vec<BoundProgram>,
    pub(crate) host_forces: Vec<HostElement>,
    pub(crate) scalar_forces: Vec<ScalarForce>,
    pub(crate) vector_forces: Vec<VectorForce>,
    pub(crate) elastic_forces: Vec<ElasticForce>,
    /// Friction at joints.
    pub(crate) frictions: Vec<JointFriction>,
    pub(crate) measures: Vec<ScalarMeasure>,
    pub(crate) measure_infos: Vec<MeasureInfo>,
    /// Scalars in an order in which each follows those it uses.
    pub(crate) measure_order: Vec<usize>,
    /// Scalars that forces depend on, in such an order, and the bodies each depends on.
    pub(crate) force_measures: Vec<usize>,
    pub(crate) measure_bodies: Vec<Vec<usize>>,
    /// Of these, the unknowns of the user that each depends on.
    pub(crate) measure_states: Vec<Vec<usize>>,
    /// Place of each scalar among those that forces depend on.
    pub(crate) force_places: Vec<Option<usize>>,
    /// Pairs of frames whose angle is counted through full turns.
    pub(crate) tracked: Vec<TurnCounter>,
    /// Times at which forces and motions jump or bend, and conditions of forces at which they do so.
    pub(crate) breaks: Arc<[Break]>,
    pub(crate) watched: Watched,
    /// Measures that depend on the time by themselves, as places among those that forces use.
    pub(crate) timed_places: Vec<usize>,
    /// Length that stands for the size of the mechanism \[m\].
    pub(crate) length: f64,
    /// Sensors, activities, and which elements act.
    pub(crate) switches: Switches,
    /// What it was compiled from, where it may switch.
    pub(crate) origin: Option<Arc<Origin>>,
    /// What a reader should know of the model.
    pub(crate) advice: Vec<String>,
    pub(crate) start: State,
    pub(crate) assembly: AssemblyReport,
}

/// The rows of one joint, motion or relation of joints.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintSet {
    /// Name in the model.
    pub name: String,
    /// Kind of the joint; none for others.
    pub joint: Option<JointKind>,
    /// What relates coordinates, as a coupler or a curve; none for joints and motions. Markers of couplers, gears and racks are those of their
    /// first joint.
    pub relation: Option<Relation>,
    /// Marker I.
    pub i: FixedFrame,
    /// Marker J.
    pub j: FixedFrame,
    /// Its constraints among those of the mechanism.
    pub constraints: std::ops::Range<usize>,
}

impl ConstraintSet {
    /// Whether it relates coordinates of joints: a coupler, gear or rack.
    #[must_use]
    pub fn is_relation(&self) -> bool {
        self.relation.is_some() && !self.is_within_flexible()
    }

    /// Whether it is a part of a flexible body: it holds a node, or what carries modal coordinates.
    #[must_use]
    pub fn is_within_flexible(&self) -> bool {
        matches!(self.relation, Some(Relation::Node | Relation::Carrier))
    }

    /// Whether it is a motion.
    #[must_use]
    pub fn is_motion(&self) -> bool {
        self.joint.is_none() && self.relation.is_none()
    }
}

/// A number that a force is made of, or that an unknown of the user follows, with the bodies and unknowns of the user it depends on.
#[derive(Debug, Clone)]
pub(crate) struct BoundProgram {
    /// Force or unknown it belongs to.
    pub owner: String,
    pub value: Value,
    pub bodies: Vec<usize>,
    pub states: Vec<usize>,
}

/// Where a number comes from.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// An expression.
    Program(Program),
    /// A component of a host force.
    Host { element: usize, component: usize },
    /// A component of an elastic element.
    Elastic { element: usize },
}

/// What a measured scalar is made of.
enum Traced {
    Scalar(usize),
    Input(usize),
}

impl Mechanism {
    /// Title of the model.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bodies, in the order of the model, without the ground.
    #[must_use]
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// Joints, then motions, then couplers, gears and racks, then points and curves on curves and constraints by expression, each in the order of the
    /// model.
    #[must_use]
    pub fn constraint_sets(&self) -> &[ConstraintSet] {
        &self.sets
    }

    /// The length that stands for its size \[m\].
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Acceleration of gravity, global frame [m/s^2].
    #[must_use]
    pub fn gravity(&self) -> V3 {
        self.gravity
    }

    /// Number of force elements, gravity apart.
    #[must_use]
    pub fn force_count(&self) -> usize {
        // The force and the torque of an element of both count once.
        let names = self.vector_forces.iter().map(|force| &force.name);
        let twice = names.clone().zip(names.skip(1)).filter(|(one, next)| one == next).count();
        self.scalar_forces.len() + self.vector_forces.len() - twice
    }

    /// Friction at joints, in the order of the model; one with two pins comes twice.
    #[must_use]
    pub fn frictions(&self) -> &[JointFriction] {
        &self.frictions
    }

    /// The least velocity of transition of friction at joints [m/s]; infinite without friction.
    pub(crate) fn slowest_transition(&self) -> f64 {
        self.frictions.iter().map(|friction| friction.law.transition).fold(f64::INFINITY, f64::min)
    }

    /// Whether a measure of a force element asks for friction at a joint.
    pub(crate) fn is_friction(&self, load: &Load) -> bool {
        self.frictions.iter().any(|friction| friction.name == load.force)
    }

    /// Number of independent constraint rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.independent_rows
    }

    /// Number of all constraint rows, redundant ones included.
    #[must_use]
    pub fn all_row_count(&self) -> usize {
        self.constraints.iter().map(|c| c.constraint.row_count()).sum()
    }

    /// Degrees of freedom at the start: coordinates less independent rows, motions counted as constraints.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        (6 * self.bodies.len()).saturating_sub(self.independent_rows)
    }

    /// Independent rows that hold velocities alone, of rolling: positions have so many degrees of freedom more than
    /// [`Mechanism::degrees_of_freedom`], which counts velocities.
    #[must_use]
    pub fn velocity_row_count(&self) -> usize {
        let held = self.constraints.iter().filter(|bound| bound.constraint.form.holds_velocities_only());
        held.filter(|bound| bound.rows[0] != DROPPED).count()
    }

    /// Constraint rows that depend on others and were dropped.
    #[must_use]
    pub fn redundancies(&self) -> &[Redundancy] {
        &self.redundancies
    }

    /// Of each drive, whether it prescribes an angle.
    pub(crate) fn drives_angular(&self) -> impl Iterator<Item = bool> {
        (0..self.drives.len()).map(|d| self.constraints.iter().any(|c| c.drive == Some(d) && c.constraint.is_angular()))
    }

    /// Assembled start state, with consistent velocities, accelerations and multipliers.
    #[must_use]
    pub fn start(&self) -> &State {
        &self.start
    }

    /// What the model allows and a reader may not mean: sensors that switch elements to what they are, or set what nothing reads.
    #[must_use]
    pub fn advice(&self) -> &[String] {
        &self.advice
    }

    /// What the initial-condition analysis did.
    #[must_use]
    pub fn assembly(&self) -> &AssemblyReport {
        &self.assembly
    }

    /// Names and units of the measured scalars.
    #[must_use]
    pub fn measures(&self) -> &[MeasureInfo] {
        &self.measure_infos
    }

    /// Numbers that come from outside while it runs, in the order of the model.
    #[must_use]
    pub fn inputs(&self) -> &[InputInfo] {
        &self.inputs
    }

    /// Inputs on which measured scalar `m` depends without delay: all for accelerations and reactions, which follow forces at once;
    /// those it names for an expression.
    #[must_use]
    pub fn feedthrough(&self, m: usize) -> Vec<usize> {
        let mut depends = vec![false; self.inputs.len()];
        self.trace(m, &mut |slot| match slot {
            Traced::Input(k) => depends[k] = true,
            Traced::Scalar(k) => {
                if let Source::Acceleration { .. } | Source::Reaction(_) | Source::Load(_) = self.measures[k].source {
                    depends.fill(true);
                }
            }
        });
        (0..depends.len()).filter(|&k| depends[k]).collect()
    }

    /// How measured scalar `m` changes where inputs change as `inputs` says: read from the operations of expressions.
    #[must_use]
    pub fn changes(&self, m: usize, inputs: Changes) -> Changes {
        let scalars = self.measures.len();
        match self.measures.get(m).map(|measure| &measure.source) {
            // Slot 0 is the time; scalars follow, then inputs.
            Some(Source::Expression(program)) => program.changes(|slot| match slot.checked_sub(1) {
                Some(k) if k >= scalars => inputs,
                Some(k) => self.changes(k, inputs),
                None => Changes::Continuously,
            }),
            _ => Changes::Continuously,
        }
    }

    /// Calls `visit` once for measured scalar `m` and once for each scalar and input that it is made of.
    fn trace(&self, m: usize, visit: &mut dyn FnMut(Traced)) {
        let scalars = self.measures.len();
        let mut seen = vec![false; scalars + self.inputs.len()];
        let mut pending: Vec<usize> = (m < scalars).then_some(m).into_iter().collect();
        while let Some(k) = pending.pop() {
            if seen.get(k).is_none_or(|seen| *seen) {
                continue;
            }
            seen[k] = true;
            if k >= scalars {
                visit(Traced::Input(k - scalars));
                continue;
            }
            visit(Traced::Scalar(k));
            if let Source::Expression(program) = &self.measures[k].source {
                pending.extend(program.slots().iter().filter_map(|slot| slot.checked_sub(1)));
            }
        }
    }

    /// Whether measured scalar `m` is an acceleration, a reaction or an expression of such, which forces change at once.
    #[must_use]
    pub fn follows_forces(&self, m: usize) -> bool {
        let mut follows = false;
        self.trace(m, &mut |traced| {
            if let Traced::Scalar(k) = traced {
                follows |= matches!(
                    self.measures[k].source,
                    Source::Acceleration { .. } | Source::Reaction(_) | Source::Load(_)
                );
            }
        });
        follows
    }

    /// Whether nothing does work but gravity and springs.
    #[must_use]
    pub fn is_conservative(&self) -> bool {
        use crate::force::ScalarLaw;
        let spring = |law: &ScalarLaw| matches!(law, ScalarLaw::Spring { damping, .. } if *damping == 0.0);
        let timed = self.constraints.iter().any(BoundConstraint::is_timed);
        let driven = !self.drives.is_empty() || !self.frictions.is_empty() || timed;
        !driven
            && self.vector_forces.is_empty()
            && self.scalar_forces.iter().all(|f| spring(&f.law))
            && !self.flexible.iter().any(FlexibleBody::is_damped)
    }

    pub(crate) fn drive_unknowns(&self) -> usize {
        self.drives.iter().map(|d| d.law.unknowns()).sum()
    }

    pub(crate) fn drive_unknown_name(&self, k: usize) -> String {
        if let Some(state) = k.checked_sub(self.drive_unknowns()).and_then(|k| self.states.get(k)) {
            return format!("state \"{}\"", state.name);
        }
        let owner = self.drives.iter().position(|d| (d.first..d.first + d.law.unknowns()).contains(&k));
        let bound = owner.and_then(|d| self.constraints.iter().find(|c| c.drive == Some(d)));
        bound.map_or_else(|| format!("motion coordinate {k}"), |c| format!("motion \"{}\"", self.sets[c.set].name))
    }

    /// The programs on which the motion depends: of forces, of the measures that these use, of motions, and of constraints. Slot 0 is the time.
    pub(crate) fn moving_programs(&self) -> impl Iterator<Item = &Program> {
        let forces = self.programs.iter().filter_map(|bound| match &bound.value {
            Value::Program(program) => Some(program),
            Value::Host { .. } | Value::Elastic { .. } => None,
        });
        let measures = self.force_measures.iter().filter_map(|&m| match &self.measures[m].source {
            Source::Expression(program) => Some(program),
            _ => None,
        });
        let drives = self.drives.iter().filter_map(|drive| match &drive.function {
            TimeFunction::Program(program) => Some(program),
            TimeFunction::Host(_) => None,
        });
        let equations = self.constraints.iter().filter_map(|bound| match bound.function() {
            Some(Function::Expression(program)) => Some(program),
            _ => None,
        });
        forces.chain(measures).chain(drives).chain(equations)
    }

    /// Of the measures that forces use, by their places: which depend on the time by themselves, directly or by others.
    fn timed_measures(&self) -> Vec<bool> {
        let mut timed = vec![false; self.force_measures.len()];
        for (at, &m) in self.force_measures.iter().enumerate() {
            if let Source::Expression(program) = &self.measures[m].source {
                timed[at] = self.is_timed(program, &timed);
            }
        }
        timed
    }

    fn is_timed(&self, program: &Program, measures: &[bool]) -> bool {
        program.slots().iter().any(|slot| match slot.checked_sub(1) {
            None => true,
            Some(m) => self.force_measure_place(m).is_some_and(|at| measures[at]),
        })
    }

    /// The programs of forces that depend on the time by themselves.
    pub(crate) fn timed_programs(&self) -> impl Iterator<Item = usize> + '_ {
        let measures = self.timed_measures();
        (0..self.programs.len()).filter(move |&p| match &self.programs[p].value {
            Value::Program(program) => self.is_timed(program, &measures),
            Value::Host { .. } | Value::Elastic { .. } => false,
        })
    }

    /// The measures on which these depend and which depend on the time, as places among those that forces use.
    pub(crate) fn timed_places(&self) -> Vec<usize> {
        let timed = self.timed_measures();
        (0..timed.len()).filter(|&at| timed[at]).collect()
    }

    /// The conditions of the programs of forces and of the measures that these use.
    pub(crate) fn conditions(&self) -> Watched {
        let measures = self.force_measures.iter().map(|&m| match &self.measures[m].source {
            Source::Expression(program) => Some(program),
            _ => None,
        });
        let programs = self.programs.iter().map(|bound| match &bound.value {
            Value::Program(program) => Some(program),
            Value::Host { .. } | Value::Elastic { .. } => None,
        });
        Watched::new(measures, programs)
    }

    pub(crate) fn measure_programs(&self) -> impl Iterator<Item = &Program> {
        self.measures.iter().filter_map(|m| match &m.source {
            Source::Expression(program) => Some(program),
            _ => None,
        })
    }

    /// Place of scalar `m` among those that forces depend on.
    pub(crate) fn force_measure_place(&self, m: usize) -> Option<usize> {
        self.force_places.get(m).copied().flatten()
    }

    /// Angle of tracked pair `k` modulo 2 pi, and its rate.
    pub(crate) fn tracked_angle(&self, k: usize, poses: &[Pose]) -> [f64; 2] {
        self.tracked[k].angle(poses)
    }

    pub(crate) fn tracked_bodies(&self, k: usize) -> (usize, usize) {
        (self.tracked[k].i.body, self.tracked[k].j.body)
    }
}
