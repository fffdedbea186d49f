//! A mechanism as an explicit system y' = f(t, y), by coordinate partitioning (Wehage, Haug, J. Mech. Des. 104 (1982) 247).
//!
//! Unknowns of a body b, in this order, three each: x, p, V, omega, with the rotation vector p from a reference orientation
//! that follows the body; then the coordinates of motions given by velocity or acceleration, then unknowns of the user. Of the positions and of
//! the velocities as many depend on the others as there are independent constraint rows. Each evaluation
//!
//! 1. finds the positions from Phi(q, t) = 0 by Newton's iteration, begun at their values in y, the independent ones held;
//! 2. finds the velocities from Phi_q u + Phi_t = 0 in the same way;
//! 3. solves the saddle-point system for accelerations and multipliers, [`accelerations`](Supplement) of supplementary rows included: in the
//!    independent coordinates where these are few, else with the bodies eliminated first, and as a whole where neither satisfies the rows.
//!
//! Where degrees of freedom are few, independent coordinates are those along the motions that the constraints allow where the step begins
//! (`tangent`): q moves the shortest way, and the partition is but a way to find it. With many the independent ones are single coordinates,
//! and stay. So f is a function of the independent coordinates alone; the others are integrated along as first guesses, and put right at
//! the end of each step. y is the same whatever the partition: where the dependent coordinates begin to move much more than the independent ones,
//! another partition takes over between two steps without a trace. A violation at a restart is removed in the same way.
//!
//! Where constraints become dependent (a flat parallelogram) no partition is regular: the run ends with an error that names a row there,
//! unless a step leads across.

mod accelerations;
mod breaks;
mod closing;
mod elimination;
mod held;
mod joined;
mod last;
mod left;
mod local;
mod partition;
mod reduced;
mod saddle;
mod semi_explicit;
mod spread;
mod structure;
mod system;
mod tangent;
mod time_defect;
mod trouble;

use super::sizes::{self, Sizes};
use super::state_sizes::StateSizes;
use super::supplement::{NoSupplement, Supplement};
use crate::analysis::Crossing;
use crate::dae::{EvalError, Unknown};
use crate::error::Error;
use crate::input::Inputs;
use crate::interrupt::Interrupt;
use crate::mechanism::Mechanism;
use crate::space::{M3, Pose, V3};
use crate::state::{State, Tracked};
use accelerations::{Accelerations, At, Failure};
use held::Point;
use joined::Joined;
use last::{Known, Last};
use local::PER_BODY;
use partition::Partition;
use std::sync::Arc;
pub use structure::AlgebraicVariable;
use time_defect::Timed;
use trouble::Trouble;

/// How much a partition may worsen before another is chosen.
const WEAR_MAX: f64 = 5.0;

/// Smallest pivot relative to the largest at which constraints count as dependent: round-off in velocities comes near to common
/// tolerances then.
const SINGULAR: f64 = 1e-6;

/// A mechanism as y' = f(t, y), with supplementary rows. See the [module](self).
#[derive(Debug)]
pub struct Partitioned<S = NoSupplement> {
    mechanism: Arc<Mechanism>,
    joined: Joined<S>,
    solvers: Option<Solvers>,
    /// Where the solvers were set up; a restored run sets up the same ones there.
    chosen_at: Point,
    /// Where the independent coordinates were held last.
    held_at: Point,
    unknowns: Vec<Unknown>,
    sizes: Sizes,
    references: Vec<M3>,
    /// Those before they were moved last.
    former: Vec<M3>,
    tracked: Vec<Tracked>,
    /// y with its dependent coordinates found, and what follows from it.
    y: Vec<f64>,
    last: Last,
    poses: Vec<Pose>,
    tangents: Vec<M3>,
    drive_rates: Vec<f64>,
    /// Rates of the unknowns of the user.
    state_rates: Vec<f64>,
    state_sizes: StateSizes,
    defects: Vec<f64>,
    timed: Timed,
    /// Made at the first break.
    crossing: Option<Box<Crossing>>,
    interrupt: Interrupt,
}

/// What depends on the rows in force and on a choice of columns.
#[derive(Debug, Clone)]
struct Solvers {
    positions: Partition,
    /// None if the rows of positions and velocities are the same; the columns then are, too.
    velocities: Option<Partition>,
    accelerations: Accelerations,
}

impl Partitioned {
    /// Sets up the equations at `state`.
    ///
    /// # Errors
    /// [`Error::Singular`] naming a row that has no regular partition there; [`Error::Evaluation`]; [`Error::StateUnsupported`].
    pub fn new(mechanism: Arc<Mechanism>, state: &State) -> Result<Self, Error> {
        Self::with_supplement(mechanism, NoSupplement, state)
    }
}

impl<S: Supplement> Partitioned<S> {
    /// Sets up the equations at `state` with supplementary rows.
    ///
    /// # Errors
    /// As [`Partitioned::new`].
    pub fn with_supplement(mechanism: Arc<Mechanism>, supplement: S, state: &State) -> Result<Self, Error> {
        if let Some(state) = mechanism.user_states().iter().find(|state| state.implicit) {
            return Err(Error::StateUnsupported {
                state: state.name.clone(),
                analysis: "the methods for y' = f(t, y)",
                remedy: "it has an equation `zero`; choose gstiff, wstiff, dstiff, constant_bdf or hht, or give it a `rate`",
            });
        }
        let n = mechanism.bodies.len();
        let dimension = PER_BODY * n + mechanism.drive_unknowns() + mechanism.user_states().len();
        let poses = crate::analysis::with_ground(&state.poses);
        let mut equations = Self {
            joined: Joined::new(&mechanism, supplement),
            solvers: None,
            chosen_at: Point { time: state.time, poses: poses.clone(), drives: state.drives.clone() },
            held_at: Point { time: state.time, poses: poses.clone(), drives: state.drives.clone() },
            unknowns: system::unknowns(&mechanism),
            sizes: Sizes::new(&mechanism, &state.poses, sizes::EXPLICIT),
            former: vec![M3::identity(); n],
            references: state.poses.iter().map(|pose| pose.a).collect(),
            tracked: state.angles.clone(),
            y: vec![0.0; dimension],
            last: Last::new(dimension),
            poses,
            tangents: vec![M3::identity(); n],
            drive_rates: vec![0.0; mechanism.drive_unknowns()],
            state_rates: vec![0.0; mechanism.user_states().len()],
            state_sizes: StateSizes::new(&mechanism, mechanism.states_in(&state.drives), sizes::EXPLICIT),
            defects: Vec::new(),
            timed: Timed::new(&mechanism),
            crossing: None,
            interrupt: Interrupt::default(),
            mechanism,
        };
        equations.joined.system.loads_mut().hold(&equations.mechanism);
        let mut y = vec![0.0; dimension];
        equations.write(state, &mut y)?;
        Ok(equations)
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// The inputs on which forces depend, to set them between steps; restart then.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        self.last.forget();
        // Conditions on them may hold on the other side now.
        self.joined.system.loads_mut().release();
        self.joined.system.inputs_mut()
    }

    /// The inputs, to set them where they go on without a jump: conditions stay on their sides, and [`Ode::watch`](crate::ode::Ode::watch) tells which
    /// are to be turned.
    pub fn continuous_inputs_mut(&mut self) -> &mut Inputs {
        self.last.forget();
        self.joined.system.inputs_mut()
    }

    /// From now on conditions of forces hold as the point of each evaluation says, instead of on one side as long as a step lasts.
    pub fn let_conditions_go(&mut self) {
        self.last.forget();
        self.joined.system.loads_mut().let_go();
    }

    /// Evaluations fail once this is raised.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// The supplementary rows.
    #[must_use]
    pub fn supplement(&self) -> &S {
        &self.joined.supplement
    }

    /// The supplementary rows, to change which are in force; [`Partitioned::write`] then, and restart.
    pub fn supplement_mut(&mut self) -> &mut S {
        self.last.forget();
        &mut self.joined.supplement
    }

    /// Lambda of the supplementary rows at the last evaluation [N, N m].
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        self.solvers.as_ref().map_or(&[], |s| &s.accelerations.multipliers)
    }

    /// Writes a state as y (`dimension` entries), with a partition chosen for it and for the supplementary rows in force. What
    /// violates constraints is removed by moving dependent coordinates.
    ///
    /// # Errors
    /// As [`Partitioned::new`].
    pub fn write(&mut self, state: &State, y: &mut [f64]) -> Result<(), Error> {
        for ((y, pose), reference) in y.chunks_exact_mut(PER_BODY).zip(&state.poses).zip(&mut self.references) {
            *reference = pose.a;
            for (k, v) in [pose.x, V3::zeros(), pose.v, pose.w].into_iter().enumerate() {
                y[3 * k..3 * k + 3].copy_from_slice(v.as_slice());
            }
        }
        y[PER_BODY * state.poses.len()..].copy_from_slice(&state.drives);
        self.tracked.copy_from_slice(&state.angles);
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        self.joined.rebuild(&self.mechanism, state.time, &self.poses)?;
        self.choose(state.time, &state.drives)?;
        self.close(state.time, y).map_err(|e| self.singular(state.time, e))?;
        y.copy_from_slice(&self.y);
        Ok(())
    }

    /// Follows `mechanism`, which differs from the one of before in which rows are kept alone, at `state`. y and its rates stay what they are.
    ///
    /// # Errors
    /// As [`Partitioned::new`].
    pub fn renumber(&mut self, mechanism: Arc<Mechanism>, state: &State) -> Result<(), Error> {
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        self.follow(mechanism, state.time)?;
        self.choose(state.time, &state.drives)
    }

    /// As [`Partitioned::renumber`] before a saved point is restored, which knows where partitions were chosen.
    pub(crate) fn follow(&mut self, mechanism: Arc<Mechanism>, time: f64) -> Result<(), Error> {
        self.mechanism = mechanism;
        self.crossing = None;
        self.last.forget();
        self.joined.renumber(&self.mechanism);
        Ok(self.joined.rebuild(&self.mechanism, time, &self.poses)?)
    }

    /// Reads y at time `t` back into a state, constraints satisfied, with accelerations and multipliers.
    ///
    /// # Errors
    /// [`Error::Evaluation`] if the constraints cannot be satisfied there or a force cannot be evaluated.
    pub fn read(&mut self, t: f64, y: &[f64], state: &mut State) -> Result<(), Error> {
        self.evaluate(t, y)?;
        let n = state.poses.len();
        state.time = t;
        state.poses.copy_from_slice(&self.poses[..n]);
        state.drives.copy_from_slice(&self.y[PER_BODY * n..]);
        if let Some(solvers) = &self.solvers {
            let found = &solvers.accelerations;
            for (a, u) in state.accelerations.iter_mut().zip(found.accelerations.chunks_exact(6)) {
                *a = [V3::new(u[0], u[1], u[2]), V3::new(u[3], u[4], u[5])];
            }
            state.multipliers.copy_from_slice(&found.joints);
        }
        for (k, tracked) in self.tracked.iter().enumerate() {
            let [raw, rate] = self.mechanism.tracked_angle(k, &self.poses);
            state.angles[k] = Tracked { time: t, angle: tracked.continued(raw, rate, t), rate };
        }
        Ok(())
    }

    /// Chooses partitions and orders the solvers at `self.poses`.
    fn choose(&mut self, time: f64, drives: &[f64]) -> Result<(), Error> {
        self.chosen_at.set(time, &self.poses, drives);
        self.set_up(false).map_err(|source| self.singular(time, self.refused(source, time)))
    }

    /// Sets up the solvers at the point where they were chosen; with `whole` without an elimination of bodies.
    fn set_up(&mut self, whole: bool) -> Result<(), Trouble> {
        self.last.forget();
        self.held_at.set(self.chosen_at.time, &self.chosen_at.poses, &self.chosen_at.drives);
        self.evaluate_held()?;
        let Self { mechanism, joined, chosen_at, .. } = self;
        let rows = joined.joint_rows() + joined.rows.len();
        let all: Vec<usize> = (0..rows).collect();
        let held: Vec<usize> = all.iter().copied().filter(|&row| joined.holds_positions(row)).collect();
        let unit = |column: usize| if column % 6 < 3 { mechanism.length } else { 1.0 };
        let mut parts = Vec::with_capacity(2);
        for rows in [&held, &all] {
            if parts.is_empty() || rows.len() > held.len() {
                let mut part = Partition::choose(&joined.jacobian, joined.jacobian.values(), rows, unit)?;
                part.factor(joined.jacobian.values())?;
                let _ = part.wear(&joined.jacobian, joined.jacobian.values(), unit)?;
                part.stale = false;
                part.hold(joined.jacobian.values());
                if part.weakest.0 < SINGULAR {
                    return Err(Trouble::Dependent(part.weakest.1));
                }
                parts.push(part);
            }
        }
        if joined.rows.is_empty() {
            // The last one is that of the velocities.
            let chosen = |row: &usize| parts.last().is_some_and(|part| part.rows.binary_search(row).is_ok());
            if let Some(missing) = all.iter().find(|row| !chosen(row)) {
                return Err(Trouble::Dependent(*missing));
            }
        }
        let accelerations = Accelerations::new(mechanism, joined, &mut parts[0], &chosen_at.poses, whole)?;
        let mut parts = parts.into_iter();
        let Some(positions) = parts.next() else { return Ok(()) };
        self.solvers = Some(Solvers { positions, velocities: parts.next(), accelerations });
        Ok(())
    }

    /// Finds the dependent coordinates of `y` at `t`; the result is in `self.y` and `self.poses`.
    fn close(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        if self.last.knows(Known::Closed, t, y) {
            return Ok(());
        }
        self.last.begin(t, y);
        self.y.copy_from_slice(y);
        self.evaluate_motions(t);
        self.close_positions(t).and_then(|()| self.close_velocities()).map_err(|trouble| self.refused(trouble, t))?;
        self.reach(Known::Closed);
        Ok(())
    }

    /// Motions at `t` and `self.y`, and from where composed rows count.
    fn evaluate_motions(&mut self, t: f64) {
        let drives = PER_BODY * self.mechanism.bodies.len();
        let Self { mechanism, joined, tracked, y, drive_rates, .. } = self;
        joined.system.count_from(tracked);
        let values = joined.system.evaluate_drives(mechanism, t, &y[drives..]);
        for (drive, value) in mechanism.drives.iter().zip(values) {
            for k in 0..drive.law.unknowns() {
                drive_rates[drive.first + k] = value[k + 1];
            }
        }
    }

    /// Everything at (t, y): poses, accelerations, multipliers.
    fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        if self.last.knows(Known::Evaluated, t, y) {
            return Ok(());
        }
        self.close(t, y)?;
        self.last.keep_only(Known::Closed);
        let Self { mechanism, joined, solvers, poses, tracked, .. } = self;
        let Some(Solvers { positions, accelerations, .. }) = solvers else { return Ok(()) };
        let solved = joined
            .supplement
            .evaluate(t, poses, &mut joined.rows)
            .map_err(Failure::Evaluation)
            .and_then(|()| accelerations.solve(mechanism, joined, positions, At { t, poses, tracked }));
        solved.map_err(|failure| self.refused(failure.into(), t))?;
        self.joined.system.loads().rates(&self.mechanism, &mut self.state_rates);
        self.reach(Known::Evaluated);
        Ok(())
    }

    /// Notes what is known of the present point; never with supplementary rows or roots, which may follow evaluations.
    fn reach(&mut self, known: Known) {
        if self.joined.rows.is_empty() && self.joined.supplement.root_count() == 0 {
            self.last.reach(known);
        }
    }

    /// Whether another partition is due at the accepted point at which `self` was closed last.
    fn partition_is_due(&mut self) -> Result<bool, Trouble> {
        let Self { mechanism, joined, solvers, .. } = self;
        let Some(Solvers { positions, velocities, accelerations }) = solvers else { return Ok(false) };
        let unit = |column: usize| if column % 6 < 3 { mechanism.length } else { 1.0 };
        let mut stale = accelerations.stale;
        if velocities.is_some() {
            // The others were factored for the velocities.
            positions.factor(joined.jacobian.values())?;
        }
        for part in std::iter::once(positions).chain(velocities.as_mut()) {
            let wear = part.wear(&joined.jacobian, joined.jacobian.values(), unit)?;
            stale |= part.stale || wear > WEAR_MAX;
        }
        Ok(stale)
    }

    /// The error for an integrator that asked for a point at `time`.
    fn refused(&self, trouble: Trouble, time: f64) -> EvalError {
        trouble.at(time, &self.mechanism, &self.joined, &self.defects)
    }

    fn singular(&self, time: f64, error: EvalError) -> Error {
        match error {
            EvalError::Recoverable { reason, .. } => Error::Singular {
                analysis: "partitioned coordinates",
                time,
                place: format!("this position ({reason})"),
                remedy: "look for a singular position of the mechanism, and start it a little away from it".to_owned(),
            },
            fatal @ EvalError::Fatal { .. } => Error::Evaluation(fatal),
        }
    }
}
