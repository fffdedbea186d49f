//! The matrices of a mechanism in the coordinates (V, omega) of its bodies, six a body: M, Phi_q, forces, gamma.

use super::mass;
use super::{BoundConstraint, Counted, DROPPED, Mechanism, Part};
use crate::break_state::BreakState;
use crate::constraint::{Constraint, MAX_ROWS, Row};
use crate::dae::EvalError;
use crate::drive::TimeFunction;
use crate::expression::Stack;
use crate::force::{FrictionLoads, Loads, Solve};
use crate::input::Inputs;
use crate::space::{Pose, V3};
use crate::state::{State, Tracked};
use fourbar_linalg::{CscMatrix, CsrMatrix, SparsityPattern};
use num_dual::Dual2_64;

/// Which constraint rows a [`System`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// All, redundant ones included.
    All,
    /// The independent ones.
    Independent,
}

/// Workspace of the analyses that work on accelerations, velocities and position corrections, and of those who build on them.
///
/// Coordinates are (V, omega) of each body, six a body, global frame; `poses` hold the bodies and, last, [`Pose::ground`].
#[derive(Debug, Clone)]
pub struct System {
    rows: Rows,
    /// M, 6 n x 6 n: m I and A J A^T of each body, and what couples the bodies of a flexible one.
    pub mass: CscMatrix<f64>,
    pub(super) places: mass::Places,
    /// Phi_q, rows x 6 n.
    pub phi: CsrMatrix<f64>,
    loads: Loads,
    wrenches: Vec<[V3; 2]>,
    pub(super) drives: Vec<[f64; 3]>,
    /// Counters of turns for composed rows, at the last step, and the time of the drives \[s\].
    angles: Vec<Tracked>,
    time: f64,
    /// The drives before a break.
    pub(super) before: Vec<[f64; 3]>,
    pub(super) stack: Stack<Dual2_64>,
}

impl Rows {
    /// Number among the rows held of row `k` of a constraint.
    fn place(self, bound: &BoundConstraint, k: usize) -> Option<usize> {
        match self {
            Self::All => Some(bound.first + k),
            Self::Independent => (bound.rows[k] != DROPPED).then_some(bound.rows[k] as usize),
        }
    }
}

impl System {
    /// Sets up the patterns of `mechanism`; values are filled by the calls below.
    #[must_use]
    pub fn new(mechanism: &Mechanism, rows: Rows) -> Self {
        let (mass, places) = mass::pattern(mechanism);
        Self {
            rows,
            mass,
            places,
            phi: jacobian_pattern(mechanism, rows),
            loads: Loads::new(mechanism),
            wrenches: vec![[V3::zeros(); 2]; mechanism.bodies.len() + 1],
            drives: vec![[0.0; 3]; mechanism.drives.len()],
            angles: mechanism.start.angles.clone(),
            time: mechanism.start.time,
            before: vec![[0.0; 3]; mechanism.drives.len()],
            stack: TimeFunction::stack(&mechanism.drives),
        }
    }

    /// Follows `mechanism`, which differs from the one of before in which rows are kept alone.
    pub(crate) fn renumber(&mut self, mechanism: &Mechanism) {
        self.phi = jacobian_pattern(mechanism, self.rows);
    }

    /// The inputs on which forces depend.
    pub fn inputs(&self) -> &Inputs {
        self.loads.inputs()
    }

    /// The inputs on which forces depend, to set them.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        self.loads.inputs_mut()
    }

    /// Where the run stands among the breaks of forces and motions.
    pub fn break_state(&self) -> &BreakState {
        self.loads.break_state()
    }

    /// The same, to go on.
    pub fn break_state_mut(&mut self) -> &mut BreakState {
        self.loads.break_state_mut()
    }

    pub(crate) fn loads(&self) -> &Loads {
        &self.loads
    }

    pub(crate) fn loads_mut(&mut self) -> &mut Loads {
        &mut self.loads
    }

    /// Forces and torques of the last [`System::forces`], of each body.
    pub(crate) fn wrenches(&self) -> &[[V3; 2]] {
        &self.wrenches
    }

    /// Number of constraint rows held.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.phi.nrows()
    }

    /// Lets composed rows count the turns of their angles on from `angles`, [`State::angles`]; those of the start at first. The calls below use
    /// the last ones, at the time of the drives.
    pub fn count_from(&mut self, angles: &[Tracked]) {
        self.angles.clear();
        self.angles.extend_from_slice(angles);
    }

    /// Evaluates the drives (f, f', f'') at time `t` \[s\]; `states` is [`State::drives`], with the unknowns of the user. The calls below use the
    /// last values.
    pub fn evaluate_drives(&mut self, mechanism: &Mechanism, t: f64, states: &[f64]) -> &[[f64; 3]] {
        self.loads.set_states(mechanism.states_in(states));
        let t = self.loads.break_state().sided(t);
        self.time = t;
        for (value, drive) in self.drives.iter_mut().zip(&mechanism.drives) {
            *value = drive.evaluate(t, states, &mut self.stack);
        }
        &self.drives
    }

    /// (f, f', f'') of each drive at the last evaluation.
    pub(crate) fn drives(&self) -> &[[f64; 3]] {
        &self.drives
    }

    /// Phi of the rows held, into [`System::row_count`] entries.
    pub fn defects(&self, mechanism: &Mechanism, poses: &[Pose], out: &mut [f64]) {
        self.each_row(mechanism, poses, |at, bound, part, row, drive| {
            part.put(&mut out[at], bound.defect(row.phi, drive[0]));
        });
    }

    /// `Phi_q` u + `Phi_t` of the rows held, into [`System::row_count`] entries.
    pub fn defect_rates(&self, mechanism: &Mechanism, poses: &[Pose], out: &mut [f64]) {
        self.each_row(mechanism, poses, |at, _, part, row, drive| {
            let (i, j) = (&poses[part.constraint.i.body], &poses[part.constraint.j.body]);
            part.put(&mut out[at], row.rate(i, j) - drive[1] + part.by_time);
        });
    }

    /// gamma: what `Phi_q` u' must be, [`System::row_count`] entries.
    pub fn gamma(&self, mechanism: &Mechanism, poses: &[Pose], out: &mut [f64]) {
        for bound in &mechanism.constraints {
            for part in bound.parts_at(poses, self.counted()) {
                let drive = bound.drive.map_or(0.0, |d| self.drives[d][2]);
                let bend = if part.leads { bound.bend(poses, self.counted()) } else { None };
                let bend = bend.map_or(0.0, |bend| bend.acceleration());
                let terms = part.constraint.convective(poses);
                for (k, term) in terms.iter().enumerate().take(part.constraint.row_count()) {
                    if let Some(at) = self.place(bound, k) {
                        part.put(&mut out[at], drive - part.weight * term - bend);
                    }
                }
            }
        }
    }

    /// Number of row `k` of a constraint among those held.
    #[inline]
    pub(super) fn place(&self, bound: &BoundConstraint, k: usize) -> Option<usize> {
        self.rows.place(bound, k)
    }

    /// Fills `Phi_q`.
    pub fn evaluate_phi(&mut self, mechanism: &Mechanism, poses: &[Pose]) {
        let ground = mechanism.bodies.len();
        let (held, mut rows) = (self.rows, [Row::zero(); MAX_ROWS]);
        let counted = Counted { angles: &self.angles, time: self.time };
        let (offsets, columns, values) = self.phi.csr_data_mut();
        for bound in &mechanism.constraints {
            for part in bound.parts_at(poses, counted) {
                part.gradients(poses, &mut rows);
                for (k, row) in rows.iter().enumerate().take(part.constraint.row_count()) {
                    let Some(at) = held.place(bound, k) else { continue };
                    let place = offsets[at]..offsets[at + 1];
                    match bound.is_composed() {
                        true => add_part(&part, row, ground, &columns[place.clone()], &mut values[place]),
                        false => put_row(bound, k, row, ground, &mut values[place]),
                    }
                }
            }
        }
    }

    /// Calls `visit` for each part of each row held: the number of the row, its constraint, the part, the part's row and the drive's (f, f', f'').
    fn each_row(
        &self,
        mechanism: &Mechanism,
        poses: &[Pose],
        mut visit: impl FnMut(usize, &BoundConstraint, &Part<'_>, &Row, [f64; 3]),
    ) {
        let mut rows = [Row::zero(); MAX_ROWS];
        for bound in &mechanism.constraints {
            for part in bound.parts_at(poses, self.counted()) {
                part.rows(poses, self.counted(), &mut rows);
                let drive = bound.drive.map_or([0.0; 3], |d| self.drives[d]);
                for (k, row) in rows.iter().enumerate().take(part.constraint.row_count()) {
                    if let Some(at) = self.place(bound, k) {
                        visit(at, bound, &part, row, drive);
                    }
                }
            }
        }
    }

    /// From where turns are counted, at the time of the drives.
    pub(super) fn counted(&self) -> Counted<'_> {
        Counted { angles: &self.angles, time: self.time }
    }

    /// Applied forces less gyroscopic torques, six a body: M u' + `Phi_q^T` lambda = this, friction at joints aside. `tracked` is [`State::angles`].
    ///
    /// # Errors
    /// [`EvalError`] naming the force that cannot be evaluated, or the point that is beyond the ends of its curve.
    pub fn forces(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        out: &mut [f64],
    ) -> Result<(), EvalError> {
        mechanism.check_ends(t, poses, Counted { angles: tracked, time: t })?;
        for (b, body) in mechanism.bodies.iter().enumerate() {
            self.wrenches[b] = [mechanism.gravity * body.mass, -poses[b].w.cross(&body.momentum(&poses[b]))];
        }
        if mechanism.has_implicit_states() {
            self.loads.settle(mechanism, t, poses, tracked, Solve::Implicit)?;
        }
        self.loads.apply(mechanism, t, poses, tracked, &mut self.wrenches)?;
        write_wrenches(&self.wrenches, out);
        Ok(())
    }

    /// Adds what friction at joints does at these multipliers of the independent rows to forces, six a body.
    pub fn add_friction(mechanism: &Mechanism, poses: &[Pose], multipliers: &[f64], out: &mut [f64]) {
        if mechanism.frictions.is_empty() {
            return;
        }
        let mut wrenches = vec![[V3::zeros(); 2]; poses.len()];
        FrictionLoads::apply(mechanism, poses, multipliers, &mut wrenches);
        for (block, wrench) in out.chunks_exact_mut(6).zip(&wrenches) {
            block.iter_mut().zip(wrench.iter().flat_map(|v| v.iter())).for_each(|(sum, part)| *sum += part);
        }
    }

    /// What program `p` of a force makes of the forces where it gives 1 and nothing else acts, six a body, as [`System::forces`] gives those of all.
    pub(crate) fn unit_forces(
        &mut self,
        mechanism: &Mechanism,
        p: usize,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        out: &mut [f64],
    ) {
        self.wrenches.fill([V3::zeros(); 2]);
        Loads::unit_wrenches(mechanism, p, t, poses, tracked, &mut self.wrenches);
        write_wrenches(&self.wrenches, out);
    }

    /// The function of a drive at time `t` \[s\], before what its law makes of it.
    pub(crate) fn function_of_drive(&mut self, mechanism: &Mechanism, drive: usize, t: f64) -> f64 {
        let t = self.loads.break_state().sided(t);
        mechanism.drives[drive].function.time_derivatives(t, &mut self.stack)[0]
    }

    /// Arguments of the conditions of forces, as of `sign(v)` and `if(x > 0, ..)`, in the order of [`Mechanism::condition_name`]; 0 for those on which
    /// nothing depends there. `tracked` is [`State::angles`].
    ///
    /// # Errors
    /// [`EvalError`] naming the force that cannot be evaluated.
    pub fn conditions(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        arguments: &mut Vec<f64>,
    ) -> Result<(), EvalError> {
        arguments.clear();
        arguments.resize(mechanism.watched.count(), 0.0);
        if arguments.is_empty() {
            return Ok(());
        }
        self.loads.hold(mechanism);
        let watched = self.loads.watch(mechanism, t, poses, tracked, arguments);
        self.loads.let_go();
        watched
    }

    /// Power of dampers, friction and applied forces, and of motions with the multipliers of `state` \[W\].
    ///
    /// # Errors
    /// [`EvalError`] naming the force that cannot be evaluated.
    pub fn power(&mut self, mechanism: &Mechanism, state: &State, poses: &[Pose]) -> Result<f64, EvalError> {
        let t = state.time;
        self.evaluate_drives(mechanism, t, &state.drives);
        self.loads.apply(mechanism, t, poses, &state.angles, &mut self.wrenches)?;
        let mut power = self.loads.power(mechanism, t, poses, &state.angles);
        power += FrictionLoads::power(mechanism, poses, &state.multipliers);
        let kept = |k: &usize| Some(&mechanism.constraints[*k]).filter(|bound| bound.rows[0] != DROPPED);
        for bound in mechanism.roles.driven.iter().filter_map(kept) {
            if let Some(d) = bound.drive {
                power -= state.multipliers[bound.rows[0] as usize] * self.drives[d][1];
            }
        }
        for bound in mechanism.roles.timed.iter().filter_map(kept) {
            let by_time: f64 = bound.parts_at(poses, self.counted()).map(|part| part.by_time).sum();
            power += state.multipliers[bound.rows[0] as usize] * by_time;
        }
        Ok(power)
    }
}

/// Forces and torques of each body, six numbers.
fn write_wrenches(wrenches: &[[V3; 2]], out: &mut [f64]) {
    for (block, wrench) in out.chunks_exact_mut(6).zip(wrenches) {
        block[..3].copy_from_slice(wrench[0].as_slice());
        block[3..].copy_from_slice(wrench[1].as_slice());
    }
}

/// Writes row `k` of a constraint between two bodies.
fn put_row(bound: &BoundConstraint, k: usize, row: &Row, ground: usize, values: &mut [f64]) {
    let mut next = 0;
    for (body, sign, turn) in ordered(&bound.constraint, row) {
        if body == ground {
            continue;
        }
        for a in (0..3).filter(|&a| bound.constraint.form.moves(k, a)) {
            values[next] = row.g[a] * sign;
            next += 1;
        }
        for a in (0..3).filter(|&a| bound.constraint.form.turns(k, a)) {
            values[next] = turn[a];
            next += 1;
        }
    }
}

/// Adds the gradients of a part of a composed row to its values, which are those of `columns`.
fn add_part(part: &Part<'_>, row: &Row, ground: usize, columns: &[usize], values: &mut [f64]) {
    if part.leads {
        values.fill(0.0);
    }
    for (body, sign, turn) in ordered(part.constraint, row) {
        if body == ground {
            continue;
        }
        for a in 0..3 {
            for (column, value) in [(6 * body + a, row.g[a] * sign), (6 * body + 3 + a, turn[a])] {
                if let Ok(at) = columns.binary_search(&column) {
                    values[at] += value;
                }
            }
        }
    }
}

/// Bodies of a row in ascending order, with sign of g and gradient by turning.
fn ordered<'a>(constraint: &Constraint, row: &'a Row) -> [(usize, f64, &'a V3); 2] {
    let (i, j) = ((constraint.i.body, 1.0, &row.gi), (constraint.j.body, -1.0, &row.gj));
    if i.0 < j.0 { [i, j] } else { [j, i] }
}

fn jacobian_pattern(mechanism: &Mechanism, rows: Rows) -> CsrMatrix<f64> {
    let ground = mechanism.bodies.len();
    let zero = Row::zero();
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    for bound in &mechanism.constraints {
        for k in 0..bound.constraint.row_count() {
            if rows == Rows::Independent && bound.rows[k] == DROPPED {
                continue;
            }
            let from = columns.len();
            for part in bound.parts() {
                let form = part.constraint.form;
                for (body, _, _) in ordered(part.constraint, &zero).into_iter().filter(|of| of.0 < ground) {
                    columns.extend((0..3).filter(|&a| form.moves(k, a)).map(|a| 6 * body + a));
                    columns.extend((0..3).filter(|&a| form.turns(k, a)).map(|a| 6 * body + 3 + a));
                }
            }
            if bound.is_composed() {
                // Terms may share bodies.
                let mut all = columns.split_off(from);
                all.sort_unstable();
                all.dedup();
                columns.append(&mut all);
            }
            offsets.push(columns.len());
        }
    }
    let n = offsets.len() - 1;
    let pattern =
        SparsityPattern::try_from_offsets_and_indices(n, 6 * ground, offsets, columns).expect("bodies ascend");
    let values = vec![0.0; pattern.nnz()];
    CsrMatrix::try_from_pattern_and_values(pattern, values).expect("one value an entry")
}
