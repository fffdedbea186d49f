//! A mechanism at one configuration, its saddle-point matrix factored, and its contacts reduced to their own rows.
//!
//! K = [[M, `Phi_q^T`], [`Phi_q`, 0]] in the coordinates (V, omega), six a body. Impacts, projections, time steps and accelerations
//! with contacts are all solves with K; what they need of the contacts alone is [`Delassus`], W = J M^ J^T with
//! M^ = M^-1 - M^-1 Phi^T G^-1 Phi M^-1, never formed: its columns are the upper parts of K^-1 (J^T, 0).

mod breaks;
mod delassus;
mod friction;
mod kept_rows;
mod states;

pub use delassus::Delassus;
pub(crate) use delassus::{gather, scatter};
use friction::Resisted;

use crate::error::Error;
use crate::unilateral::Row;
use fourbar_linalg::Kkt;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_multibody::mechanism::{Rows, System};
use fourbar_multibody::space::{Pose, V3, rotation};
use fourbar_multibody::{Mechanism, RowGuard, State};
use std::sync::Arc;

/// Pivots, inputs and the breaks that are passed; where it stands and its factors follow when it goes to a state.
impl Stored for Configuration {
    fn store(&self, to: &mut Vec<u8>) {
        self.kkt.store(to);
        self.system.inputs().store(to);
        self.break_state().store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.kkt.load(from)?;
        self.system.inputs_mut().load(from)?;
        let mut break_state = [0.0; 3];
        break_state.load(from)?;
        self.set_break_state(break_state);
        Ok(())
    }
}

/// A mechanism at one time, position and velocity, with its factored saddle-point matrix. Reused from one to the next without allocating.
#[derive(Debug, Clone)]
pub struct Configuration {
    mechanism: Arc<Mechanism>,
    system: System,
    kkt: Kkt,
    time: f64,
    poses: Vec<Pose>,
    top: Vec<f64>,
    bottom: Vec<f64>,
    /// Unknowns of motions on the way over breaks.
    drives: Vec<f64>,
    /// Whether each independent row is a length; else it is an angle.
    lengths: Vec<bool>,
    /// Whether forces depend on the time by themselves.
    timed: bool,
    /// Watches which rows are kept, where that may change as the mechanism moves.
    rows: Option<Box<RowGuard>>,
    /// M with the friction of joints over a step, if joints have any.
    resisted: Option<Box<Resisted>>,
    /// Multipliers of the joints by which friction there is known \[N, N m\].
    reactions: Vec<f64>,
}

impl Configuration {
    /// Sets up the workspace at `state`, the independent constraint rows held: those that suit `state`, where there is a choice.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the joint or body where the equations are singular, or a flexible body.
    pub fn new(mechanism: &Arc<Mechanism>, state: &State) -> Result<Self, Error> {
        mechanism.refuse_flexible(
            "motion with contacts",
            "use a chain of bodies with beams, or forces in place of contacts",
        )?;
        let mut rows = RowGuard::new(mechanism, state.time).map(Box::new);
        let chosen = rows.as_mut().and_then(|rows| rows.chosen(mechanism, state));
        let mechanism = chosen.map_or_else(|| Arc::clone(mechanism), Arc::new);
        Ok(Self { rows, ..Self::with_rows_of(&mechanism, state)? })
    }

    /// With the rows that `mechanism` keeps, not watched.
    fn with_rows_of(mechanism: &Arc<Mechanism>, state: &State) -> Result<Self, Error> {
        let mut system = System::new(mechanism, Rows::Independent);
        let mut poses = state.poses.clone();
        poses.push(Pose::ground());
        system.evaluate_mass(mechanism, &poses);
        system.evaluate_phi(mechanism, &poses);
        system.evaluate_drives(mechanism, state.time, &state.drives);
        system.count_from(&state.angles);
        let resisted = Resisted::new(mechanism, &system.mass).map(Box::new);
        let mass = resisted.as_ref().map_or(&system.mass, |resisted| resisted.matrix());
        let kkt = Kkt::new(mass, &system.phi).map_err(|e| mechanism.explain("contact analysis", state.time, e))?;
        let (top, bottom) = (vec![0.0; 6 * mechanism.bodies().len()], vec![0.0; mechanism.row_count()]);
        // A displacement changes a length, and no angle.
        let moves = |(&column, &value): (&usize, &f64)| column % 6 < 3 && value != 0.0;
        let row_entries = system.phi.row_iter();
        let lengths = row_entries.map(|row| row.col_indices().iter().zip(row.values()).any(moves)).collect();
        let (mechanism, timed) = (Arc::clone(mechanism), mechanism.has_timed_forces());
        let (time, drives, reactions) = (state.time, state.drives.clone(), bottom.clone());
        Ok(Self {
            mechanism,
            system,
            kkt,
            time,
            poses,
            top,
            bottom,
            drives,
            lengths,
            timed,
            rows: None,
            resisted,
            reactions,
        })
    }

    /// Whether each independent row is a length \[m\]; else it is an angle \[rad\].
    #[must_use]
    pub fn lengths(&self) -> &[bool] {
        &self.lengths
    }

    /// The inputs on which forces depend, to set them.
    pub fn inputs_mut(&mut self) -> &mut fourbar_multibody::Inputs {
        self.system.inputs_mut()
    }

    /// Goes to `state`: evaluates M, `Phi_q` and the motions, and factors K.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the joint or body where the equations are singular.
    pub fn evaluate(&mut self, state: &State) -> Result<(), Error> {
        self.look(state);
        self.factor()
    }

    /// Takes positions, velocities and time of `state`, but neither matrices nor factors.
    pub fn look(&mut self, state: &State) {
        self.time = state.time;
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        self.system.evaluate_drives(&self.mechanism, state.time, &state.drives);
        self.system.count_from(&state.angles);
    }

    /// Evaluates M and `Phi_q` at the positions it has and factors K.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the joint or body where the equations are singular.
    pub fn factor(&mut self) -> Result<(), Error> {
        self.factor_with(|_| {})
    }

    /// The same of M as `change` leaves it.
    fn factor_with(&mut self, change: impl FnOnce(&mut Resisted)) -> Result<(), Error> {
        self.system.evaluate_mass(&self.mechanism, &self.poses);
        self.system.evaluate_phi(&self.mechanism, &self.poses);
        let mass = match &mut self.resisted {
            Some(resisted) => {
                resisted.take(&self.system.mass);
                change(resisted);
                resisted.matrix().values()
            }
            None => self.system.mass.values(),
        };
        let factored = self.kkt.refactor(mass, self.system.phi.values());
        factored.map_err(|e| self.mechanism.explain("contact analysis", self.time, e))?;
        Ok(())
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Bodies and, last, the ground.
    #[must_use]
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Number of velocity coordinates, six a body.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.top.len()
    }

    /// Number of independent constraint rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.bottom.len()
    }

    /// Moves the bodies by (dx, rotation vector) of six numbers a body. The factors stay those of the last [`Configuration::factor`].
    pub fn displace(&mut self, displacement: &[f64], factor: f64) {
        Mechanism::displace(&mut self.poses, displacement, factor);
    }

    /// Moves the bodies for the time `h` \[s\] with the velocities they have: x += h V, A = exp(h omega) A.
    pub fn drift(&mut self, h: f64) {
        for pose in &mut self.poses {
            pose.x += pose.v * h;
            pose.a = rotation(&(pose.w * h)) * pose.a;
        }
    }

    /// Adds `change`, six numbers a body, to the velocities.
    pub fn accelerate(&mut self, change: &[f64]) {
        for (pose, d) in self.poses.iter_mut().zip(change.chunks_exact(6)) {
            pose.v += V3::new(d[0], d[1], d[2]);
            pose.w += V3::new(d[3], d[4], d[5]);
        }
    }

    /// Writes positions and velocities back into `state` and counts its angles on.
    pub fn store(&self, state: &mut State) {
        let n = state.poses.len();
        state.poses.copy_from_slice(&self.poses[..n]);
        self.mechanism.count_angles(state, &self.poses);
    }

    /// Phi of the independent rows, into [`Configuration::row_count`] entries.
    pub fn violations(&self, out: &mut [f64]) {
        self.system.defects(&self.mechanism, &self.poses, out);
    }

    /// `Phi_q` u + `Phi_t` of the independent rows.
    pub fn violation_rates(&self, out: &mut [f64]) {
        self.system.defect_rates(&self.mechanism, &self.poses, out);
    }

    /// Evaluates `Phi_q` at the positions it has and lists its rows with the bodies of each (their number for the ground). A joint does
    /// not know where in the world it is, so that the gradients by the places of its two bodies are opposite.
    pub(crate) fn joint_rows(&mut self, rows: &mut Vec<([usize; 2], Row)>) {
        self.system.evaluate_phi(&self.mechanism, &self.poses);
        let ground = self.mechanism.bodies().len();
        rows.clear();
        rows.extend(self.system.phi.row_iter().map(|entries| {
            let (mut bodies, mut row) = ([ground; 2], Row::zero());
            for (&column, &value) in entries.col_indices().iter().zip(entries.values()) {
                let (body, k) = (column / 6, column % 6);
                if bodies[0] == ground {
                    bodies[0] = body;
                }
                match (body == bodies[0], k < 3) {
                    (true, true) => row.g[k] = value,
                    (true, false) => row.gi[k - 3] = value,
                    (false, linear) => {
                        bodies[1] = body;
                        if !linear {
                            row.gj[k - 3] = value;
                        }
                    }
                }
            }
            (bodies, row)
        }));
    }

    /// Applied forces less gyroscopic torques, six a body, at the positions and velocities it has.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the force that cannot be evaluated.
    pub fn forces(&mut self, state: &State, out: &mut [f64]) -> Result<(), Error> {
        let forces = self.system.forces(&self.mechanism, self.time, &self.poses, &state.angles, out);
        forces.map_err(fourbar_multibody::Error::from)?;
        Ok(())
    }

    /// Arguments of the conditions of forces at the positions and velocities it has.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the force that cannot be evaluated.
    pub(crate) fn conditions(&mut self, state: &State, arguments: &mut Vec<f64>) -> Result<(), Error> {
        let watched = self.system.conditions(&self.mechanism, self.time, &self.poses, &state.angles, arguments);
        Ok(watched.map_err(fourbar_multibody::Error::from)?)
    }

    /// Solves K (x, y) = (top, bottom) in place, with the factors of the last [`Configuration::factor`].
    ///
    /// # Errors
    /// [`Error::Multibody`] if the solution stays inaccurate or an argument is not finite.
    pub fn solve(&mut self, top: &mut [f64], bottom: &mut [f64]) -> Result<(), Error> {
        let solved = self.kkt.solve(top, bottom);
        solved.map_err(|e| self.mechanism.explain("contact analysis", self.time, e))?;
        Ok(())
    }

    /// M x, block by block, into `out`.
    pub fn multiply_mass(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (i, j, value) in self.system.mass.triplet_iter() {
            out[i] += value * x[j];
        }
    }

    /// Accelerations u' and multipliers lambda without contact: K (u', lambda) = (Q, gamma). Needs factors of these positions.
    ///
    /// # Errors
    /// [`Error::Multibody`] naming the force that cannot be evaluated or the joint where the equations are singular.
    pub fn free_acceleration(&mut self, state: &State, top: &mut [f64], bottom: &mut [f64]) -> Result<(), Error> {
        self.forces(state, top)?;
        self.accelerations(top, bottom)
    }

    /// Accelerations and multipliers in the place of the forces in `top`.
    fn accelerations(&mut self, top: &mut [f64], bottom: &mut [f64]) -> Result<(), Error> {
        self.system.gamma(&self.mechanism, &self.poses, bottom);
        self.solve(top, bottom)
    }

    /// Puts bodies at `time` where `poses` says (the ground may be left out) with the unknowns `drives` of motions.
    pub fn place(&mut self, time: f64, poses: &[Pose], drives: &[f64]) {
        self.time = time;
        self.poses[..poses.len()].copy_from_slice(poses);
        self.system.evaluate_drives(&self.mechanism, time, drives);
    }

    /// Rates of the unknowns of motions and, at the last forces, of those of the user.
    pub fn drive_rates(&self, rates: &mut [f64]) {
        let (motions, states) = rates.split_at_mut(rates.len() - self.mechanism.user_states().len());
        self.system.drive_rates(&self.mechanism, motions);
        self.system.state_rates(&self.mechanism, states);
    }

    /// Sizes of the terms of which the rates of the unknowns of the user are made, at the last forces.
    pub(crate) fn state_terms(&mut self, terms: &mut [f64]) {
        self.system.state_terms(&self.mechanism, &self.poses, terms);
    }

    /// The response of the mechanism to the generalized impulse in `top`: top becomes M^ top, `reaction` the multipliers.
    pub(crate) fn respond(&mut self, top: &mut [f64], reaction: &mut [f64]) -> Result<(), Error> {
        reaction.fill(0.0);
        self.solve(top, reaction)
    }

    /// Minimum-norm change of velocity (17'): K (du, sigma) = (0, -(`Phi_q` u + `Phi_t`)); returns the largest violation found.
    ///
    /// # Errors
    /// [`Error::Multibody`] if the equations are singular.
    pub fn project_velocities(&mut self) -> Result<f64, Error> {
        let (mut top, mut bottom) = (std::mem::take(&mut self.top), std::mem::take(&mut self.bottom));
        self.violation_rates(&mut bottom);
        let worst = bottom.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        top.fill(0.0);
        bottom.iter_mut().for_each(|b| *b = -*b);
        let solved = self.solve(&mut top, &mut bottom);
        if solved.is_ok() {
            self.accelerate(&top);
        }
        (self.top, self.bottom) = (top, bottom);
        solved.map(|()| worst)
    }
}
