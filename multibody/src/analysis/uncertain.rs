//! Whether positions and velocities determine accelerations and reactions: beside a singular position they hardly do.
//!
//! Constraint rows that nearly depend on each other magnify errors. At the distance d from a singular position (in rad, or lengths of the
//! mechanism) a violation r of the rows leaves positions uncertain by r/d, velocities by r/d^2, accelerations by r/d^3 and multipliers by
//! r/d^4. So the state is moved as the violations that it has, and round-off, allow; what this does to accelerations and multipliers is their
//! uncertainty. Rows that depend on others everywhere are not among those held, and magnify nothing.
//!
//! Velocities of index 3 are derivatives of positions and miss their rows by what these miss of the motion: as much, and no more, may be
//! missing in the direction that the rows do not see.

use super::acceleration::Accelerations;
use super::assembly::displace;
use crate::mechanism::{DROPPED, Mechanism, System};
use crate::space::{Pose, V3};
use crate::state::State;
use fourbar_linalg::text::Brief;
use std::fmt;

/// From here on rows magnify violations more than at a regular position: so many times as much as at the start. There bodies move by a few times
/// what their rows are open by, at the end of a chain by the square of the number of bodies, which each turn a little more. Where they move
/// further, the start was no regular position.
const MAGNIFIED: f64 = 10.0;
/// Part of the largest magnification that violations with any signs come to at least: they see the most magnified combination of rows, which some
/// ten of them take part in.
const SEEN: f64 = 0.1;
/// Errors relative to the largest acceleration or reaction above which fewer than three digits are certain.
const UNCERTAIN: f64 = 1e-3;
/// Round-off of the rows, in units in the last place of the largest coordinate: each is a sum of a dozen products.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// Part of the largest multiplier from which a row takes part in the dependence.
pub(super) const TAKES_PART: f64 = 0.1;

/// Joints and motions that a message names.
const SHOWN: usize = 8;

/// Accelerations or reactions that positions and velocities do not determine to three digits.
#[derive(Debug, Clone, PartialEq)]
pub struct Uncertain {
    /// Number of times at which samples had such values.
    pub samples: usize,
    /// Time of the worst of them \[s\].
    pub time: f64,
    /// Estimated error of the accelerations or reactions there, relative to the largest so far; infinite at a singular position.
    pub error: f64,
    /// Joints and motions whose rows nearly depend on each other there.
    pub constraints: Vec<String>,
}

impl fmt::Display for Uncertain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { samples, time, error, constraints } = self;
        let outputs = if *samples == 1 { "an output".to_owned() } else { format!("{samples} outputs") };
        write!(f, "accelerations and reactions of {outputs} are uncertain, ")?;
        match *error < 1.0 {
            true => write!(f, "at t = {:.6} s by {:.1} of the largest", Brief(*time), Brief(*error))?,
            false => write!(f, "no digit of them is sure at t = {:.6} s", Brief(*time))?,
        }
        write!(
            f,
            ": there the mechanism is at or beside a singular position; write outputs at other times, or keep it away from there (other lengths, \
             a smaller range of the motions). Constraints that depend on each other there: {}",
            constraints.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", "),
        )?;
        match constraints.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

/// Workspace of the estimate.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    /// A violation of one length of the mechanism, or one rad, of every row, with signs that favour no combination.
    unit: Vec<f64>,
    /// The choice of rows whose units these are.
    mark: u64,
    /// Magnification from which on the position counts as nearly singular.
    limit: f64,
    top: Vec<f64>,
    bottom: Vec<f64>,
    /// Sizes of the certain samples so far: of what has come to rest only noise is left.
    sizes: Sizes,
    worst: Option<Uncertain>,
    /// Time of the last uncertain sample \[s\].
    last: Option<f64>,
}

/// Estimated errors relative to the largest value.
#[derive(Debug, Clone, Copy)]
struct Errors {
    acceleration: f64,
    reaction: f64,
}

const UNKNOWN: Errors = Errors { acceleration: f64::INFINITY, reaction: f64::INFINITY };

impl Probe {
    /// `accelerations` have been set up at the start.
    pub(super) fn new(mechanism: &Mechanism, accelerations: &mut Accelerations) -> Self {
        let unit = units(mechanism);
        let (top, bottom) = (vec![0.0; 6 * mechanism.bodies.len()], vec![0.0; unit.len()]);
        let (sizes, mark) = (Sizes::default(), mechanism.choice.mark);
        let mut probe = Self { unit, mark, limit: 0.0, top, bottom, sizes, worst: None, last: None };
        let at_start = probe.magnified(accelerations, mechanism);
        probe.limit = MAGNIFIED * at_start.clamp(1.0, (mechanism.bodies.len() as f64).powi(2).max(1.0));
        probe
    }

    pub(super) fn worst(&self) -> Option<&Uncertain> {
        self.worst.as_ref()
    }

    /// Takes note if the accelerations of `state`, or with `reactions` its multipliers, are uncertain. `solved` has just solved for them under
    /// `loads`.
    pub(super) fn look(
        &mut self,
        solved: &mut Accelerations,
        mechanism: &Mechanism,
        state: &State,
        (loads, reactions): (&[f64], bool),
    ) {
        if self.mark != mechanism.choice.mark {
            (self.unit, self.mark) = (units(mechanism), mechanism.choice.mark);
        }
        let sizes = self.sizes.max(Sizes::of(solved, mechanism, state, &self.unit));
        if self.magnified(solved, mechanism) < self.limit {
            self.sizes = sizes;
            return;
        }
        let constraints = self.constraints(mechanism);
        let errors = self.errors(solved, mechanism, state, (loads, sizes)).unwrap_or(UNKNOWN);
        let error = if reactions { errors.acceleration.max(errors.reaction) } else { errors.acceleration };
        if error <= UNCERTAIN {
            self.sizes = sizes;
            return;
        }
        let again = self.last.replace(state.time) == Some(state.time);
        let samples = self.worst.as_ref().map_or(0, |worst| worst.samples) + usize::from(!again);
        match &mut self.worst {
            Some(worst) if worst.error >= error => worst.samples = samples,
            worst => *worst = Some(Uncertain { samples, time: state.time, error, constraints }),
        }
    }

    /// Whether rows nearly depend on each other where `solved` has just been set up.
    pub(super) fn is_beside(&mut self, solved: &mut Accelerations, mechanism: &Mechanism) -> bool {
        self.magnified(solved, mechanism) >= self.limit
    }

    /// How far bodies move, in lengths of the mechanism and rad, where rows are open by one such unit at most; the displacements in `self.top`, the
    /// multipliers in `self.bottom`. Infinite if there is no solution. Once with any signs; if much may come of that, once more in proportion to the
    /// multipliers (inverse iteration).
    fn magnified(&mut self, solved: &mut Accelerations, mechanism: &Mechanism) -> f64 {
        self.bottom.copy_from_slice(&self.unit);
        let once = self.open(solved, mechanism);
        if once < SEEN * self.limit || !once.is_finite() {
            return once;
        }
        let largest = self.bottom.iter().zip(&self.unit).fold(0.0_f64, |a, (row, unit)| a.max((row * unit).abs()));
        for (row, unit) in self.bottom.iter_mut().zip(&self.unit) {
            *row *= unit * unit / largest;
        }
        self.open(solved, mechanism).max(once)
    }

    /// How far bodies move where rows are open by `self.bottom`.
    fn open(&mut self, solved: &mut Accelerations, mechanism: &Mechanism) -> f64 {
        self.top.fill(0.0);
        match solved.kkt.solve(&mut self.top, &mut self.bottom) {
            Ok(_) => largest_way(mechanism, &self.top),
            Err(_) => f64::INFINITY,
        }
    }

    /// Joints and motions whose rows take part.
    fn constraints(&self, mechanism: &Mechanism) -> Vec<String> {
        let size = |row: u32| (self.bottom[row as usize] * self.unit[row as usize]).abs();
        let largest = (0..self.unit.len() as u32).map(size).fold(0.0, f64::max);
        let takes_part = |&&row: &&u32| row != DROPPED && size(row) >= TAKES_PART * largest;
        let mut sets: Vec<usize> = mechanism
            .constraints
            .iter()
            .filter(|bound| bound.rows[..bound.constraint.row_count()].iter().any(|row| takes_part(&row)))
            .map(|bound| bound.set)
            .collect();
        sets.dedup();
        sets.into_iter().map(|set| mechanism.set_name(set)).collect()
    }

    /// What moving the state does to its accelerations and multipliers, by first order on the factors in place. None where it moves so
    /// far that nothing is known.
    fn errors(
        &mut self,
        solved: &mut Accelerations,
        mechanism: &Mechanism,
        state: &State,
        (loads, sizes): (&[f64], Sizes),
    ) -> Option<Errors> {
        let [open, rate] = self.violations(solved, mechanism);
        if !(open * largest_way(mechanism, &self.top) < 1.0) {
            return None;
        }
        let mut rates = vec![0.0; self.unit.len()];
        solved.system.defect_rates(mechanism, &solved.poses, &mut rates);
        displace(&mut solved.poses, &self.top, open);
        let unseen = self.top.clone();
        self.follow(solved, mechanism, &rates)?;
        change_velocities(&mut solved.poses, &unseen, rate / largest_way(mechanism, &unseen));
        self.imbalance(solved, mechanism, state, loads)?;
        solved.kkt.solve(&mut self.top, &mut self.bottom).ok()?;
        let length = mechanism.length;
        let mut errors = Errors { acceleration: 0.0, reaction: 0.0 };
        let bodies = mechanism.bodies.iter().zip(solved.system.wrenches());
        for (change, (body, [force, _])) in self.top.chunks_exact(6).zip(bodies) {
            let free = if body.mass > 0.0 { force.norm() / (body.mass * length) } else { 0.0 };
            let size = sizes.acceleration.max(free);
            if size > 0.0 {
                errors.acceleration = errors.acceleration.max(way(length, change) / size);
            }
        }
        for (change, unit) in self.bottom.iter().zip(&self.unit) {
            if sizes.work > 0.0 {
                errors.reaction = errors.reaction.max((change * unit).abs() / sizes.work);
            }
        }
        Some(errors)
    }

    /// Largest violation of the rows, and of their rates, in lengths of the mechanism and rad, at least round-off.
    fn violations(&mut self, solved: &Accelerations, mechanism: &Mechanism) -> [f64; 2] {
        let length = mechanism.length;
        let (mut far, mut fast) = (length, 0.0_f64);
        for pose in &solved.poses {
            far = far.max(pose.x.amax());
            fast = fast.max(pose.v.norm() / length).max(pose.w.norm());
        }
        let round_off = ROUND_OFF * (far / length);
        let rows = &mut self.bottom;
        let mut largest = |fill: &dyn Fn(&mut [f64]), least: f64| {
            fill(rows);
            rows.iter().zip(&self.unit).fold(least, |a, (row, unit)| a.max((row / unit).abs()))
        };
        let open = largest(&|rows| solved.system.defects(mechanism, &solved.poses, rows), round_off);
        let rate = largest(&|rows| solved.system.defect_rates(mechanism, &solved.poses, rows), round_off * fast);
        [open, rate]
    }

    /// Changes the velocities the least that lets the rows open as fast at the displaced poses as they did.
    fn follow(&mut self, solved: &mut Accelerations, mechanism: &Mechanism, rates: &[f64]) -> Option<()> {
        solved.system.defect_rates(mechanism, &solved.poses, &mut self.bottom);
        self.bottom.iter_mut().zip(rates).for_each(|(row, before)| *row = before - *row);
        self.top.fill(0.0);
        solved.kkt.solve(&mut self.top, &mut self.bottom).ok()?;
        change_velocities(&mut solved.poses, &self.top, 1.0);
        Some(())
    }

    /// What the accelerations and multipliers of `state` leave over of the equations at the displaced poses.
    fn imbalance(
        &mut self,
        solved: &mut Accelerations,
        mechanism: &Mechanism,
        state: &State,
        loads: &[f64],
    ) -> Option<()> {
        let Accelerations { system, poses, .. } = solved;
        system.evaluate_mass(mechanism, poses);
        system.evaluate_phi(mechanism, poses);
        system.forces(mechanism, state.time, poses, &state.angles, &mut self.top).ok()?;
        System::add_friction(mechanism, poses, &state.multipliers, &mut self.top);
        system.gamma(mechanism, poses, &mut self.bottom);
        self.top.iter_mut().zip(loads).for_each(|(top, load)| *top += load);
        let acceleration = |k: usize| state.accelerations[k / 6][k % 6 / 3][k % 3];
        for (i, j, value) in system.mass.triplet_iter() {
            self.top[i] -= value * acceleration(j);
        }
        for (row, column, value) in system.phi.triplet_iter() {
            self.top[column] -= value * state.multipliers[row];
            self.bottom[row] -= value * acceleration(column);
        }
        Some(())
    }
}

/// A violation of one length of the mechanism, or one rad, of every row, with signs that favour no combination.
pub(super) fn units(mechanism: &Mechanism) -> Vec<f64> {
    let golden = 0.618_033_988_75;
    let mut unit = vec![0.0; mechanism.row_count()];
    for bound in &mechanism.constraints {
        let size = if bound.constraint.is_angular() { 1.0 } else { mechanism.length };
        for &row in bound.rows.iter().take(bound.constraint.row_count()).filter(|&&row| row != DROPPED) {
            let sign = if (f64::from(row + 1) * golden).fract() < 0.5 { 1.0 } else { -1.0 };
            unit[row as usize] = sign * size;
        }
    }
    unit
}

fn change_velocities(poses: &mut [Pose], change: &[f64], factor: f64) {
    for (pose, d) in poses.iter_mut().zip(change.chunks_exact(6)) {
        pose.v += V3::new(d[0], d[1], d[2]) * factor;
        pose.w += V3::new(d[3], d[4], d[5]) * factor;
    }
}

/// What errors are relative to, beside the acceleration that the forces on a body would give it if it were free.
#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    /// Largest acceleration, gravity and accelerations towards centres of turning included, in lengths of the mechanism over s^2 and rad/s^2.
    acceleration: f64,
    /// Largest force times the length of the mechanism, or torque \[N m\].
    work: f64,
}

impl Sizes {
    fn of(solved: &Accelerations, mechanism: &Mechanism, state: &State, unit: &[f64]) -> Self {
        let length = mechanism.length;
        let (mut acceleration, mut work) = (mechanism.gravity.norm() / length, 0.0_f64);
        for ((body, pose), [a, alpha]) in mechanism.bodies.iter().zip(&state.poses).zip(&state.accelerations) {
            let turning = (pose.v.norm() / length).max(pose.w.norm());
            acceleration = acceleration.max(a.norm() / length).max(alpha.norm()).max(turning * turning);
            work = work.max(body.mass * a.norm() * length);
        }
        for [force, torque] in &solved.system.wrenches()[..mechanism.bodies.len()] {
            work = work.max(force.norm() * length).max(torque.norm());
        }
        let reactions = state.multipliers.iter().zip(unit).map(|(lambda, unit)| (lambda * unit).abs());
        Self { acceleration, work: reactions.fold(work, f64::max) }
    }

    fn max(self, other: Self) -> Self {
        Self { acceleration: self.acceleration.max(other.acceleration), work: self.work.max(other.work) }
    }
}

/// Largest of the displacements, six numbers a body, in lengths of the mechanism and rad.
pub(super) fn largest_way(mechanism: &Mechanism, displacements: &[f64]) -> f64 {
    displacements.chunks_exact(6).map(|body| way(mechanism.length, body)).fold(0.0, f64::max)
}

fn way(length: f64, body: &[f64]) -> f64 {
    let [x, turn] = [&body[..3], &body[3..]].map(|of| V3::from_column_slice(of).norm());
    (x / length).max(turn)
}
