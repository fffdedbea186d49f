//! Assembly: the positions nearest to the given ones that satisfy all constraints.
//!
//! Minimizes (q - q0)^T W (q - q0)/2 subject to Phi(q) = 0 by the Gauss-Newton iteration
//!
//! ```text
//! [ W    Phi_q^T ] (dq)   ( -W (q - q0) )
//! [ Phi_q  -eps  ] (l ) = ( -Phi        )
//! ```
//!
//! over all rows, dependent ones included. The small eps makes the matrix regular (a dual regularization, or quadratic penalty), and leaves
//! Phi = eps l as the limit; a second phase without the pull W (q - q0) closes that. Consistent rows contract by eps/(sigma^2 + eps) an
//! iteration. The iteration converges linearly, so it stops on dq, not on Phi alone. Rotations are corrected by rotation vectors.

use super::explain::named;
use crate::error::Error;
use crate::mechanism::{BoundConstraint, Mechanism, System};
use crate::space::{Pose, V3, rotation, rotation_vector};
use fourbar_linalg::{Calahan, CalahanOptions, CsrMatrix, Interrupt, SparsityPattern};
use std::f64::consts::FRAC_PI_2;

/// Regularization, relative to rows of order one in lengths of the mechanism.
const EPSILON: f64 = 1e-9;
/// Violation accepted as closed, times the length of the mechanism, or in rad.
pub(super) const CLOSED: f64 = 1e-9;
/// Violation from which the distance to the start matters more than the violation, in the same unit.
const NEARLY: f64 = 1e-6;
/// Iterations of Newton's method at most: damped ones halve what is open, and 1e-9 of any length is reached in thirty.
pub(super) const ITERATIONS: usize = 100;
/// Where exact data resist, the regularization lets each iteration close as little as half of what is open: to [`CLOSED`] these suffice.
const CLOSING: usize = 32;
/// Largest turn of a body in one iteration \[rad\]; its way is at most as many lengths of the mechanism.
pub(super) const LARGEST_TURN: f64 = 0.5;
/// What rows of lengths may be open for bodies to turn on the way, in lengths of the mechanism: half of the iterations go that far.
const NEAR: f64 = 0.5 * LARGEST_TURN * ITERATIONS as f64;
/// Distance from a right angle \[rad\] within which axes that are to be parallel do not come nearer: the gradient of their rows is as small, and each iteration
/// goes a hundredth of the way at most.
const ACROSS: f64 = 1e-2;
/// What the subtractions of coordinates in Phi are off, relative to the coordinates.
const ROUNDED: f64 = 64.0 * f64::EPSILON;

/// Largest violation of each joint and motion, given all rows.
pub(super) fn by_set(mechanism: &Mechanism, phi: &[f64]) -> Vec<f64> {
    let mut worst = vec![0.0_f64; mechanism.sets.len()];
    for bound in &mechanism.constraints {
        for value in &phi[bound.first..bound.first + bound.constraint.row_count()] {
            worst[bound.set] = worst[bound.set].max(value.abs());
        }
    }
    worst
}

/// Moves bodies by corrections (dx, rotation vector) of six numbers a body.
pub(super) fn displace(poses: &mut [Pose], correction: &[f64], factor: f64) {
    for (pose, d) in poses.iter_mut().zip(correction.chunks_exact(6)) {
        pose.x += V3::new(d[0], d[1], d[2]) * factor;
        pose.a = rotation(&(V3::new(d[3], d[4], d[5]) * factor)) * pose.a;
    }
}

/// Phi of all rows, lengths in lengths of the mechanism.
pub(super) fn unit_free(mechanism: &Mechanism, phi: &[f64]) -> Vec<f64> {
    scaled(mechanism, phi).collect()
}

fn scaled<'a>(mechanism: &'a Mechanism, phi: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    mechanism.constraints.iter().flat_map(move |bound| {
        let scale = if bound.constraint.is_angular() { 1.0 } else { 1.0 / mechanism.length };
        phi[bound.first..bound.first + bound.constraint.row_count()].iter().map(move |value| value * scale)
    })
}

/// Norm of Phi with lengths divided by the length of the mechanism.
fn merit(mechanism: &Mechanism, phi: &[f64]) -> f64 {
    scaled(mechanism, phi).map(|value| value * value).sum::<f64>().sqrt()
}

/// The regularized matrix over all rows, assembled from a [`System`].
struct Corrector {
    lu: Option<Calahan>,
    pattern: SparsityPattern,
    values: Vec<f64>,
    /// Place of each diagonal of W, each entry of `Phi_q` (twice), each -eps.
    weights: Vec<usize>,
    phi: Vec<[usize; 2]>,
    epsilon: Vec<usize>,
}

impl Corrector {
    fn new(phi: &CsrMatrix<f64>) -> Self {
        let (m, n) = (phi.nrows(), phi.ncols());
        // Columns of the combined matrix: (row, what) in ascending rows.
        let mut columns: Vec<Vec<usize>> = (0..n).map(|k| vec![k]).collect();
        columns.extend((0..m).map(|_| Vec::new()));
        for (r, row) in phi.row_iter().enumerate() {
            for &c in row.col_indices() {
                columns[c].push(n + r);
                columns[n + r].push(c);
            }
            columns[n + r].push(n + r);
        }
        let mut offsets = vec![0];
        let mut indices = Vec::new();
        for column in &columns {
            indices.extend(column);
            offsets.push(indices.len());
        }
        let place = |row: usize, column: usize| {
            offsets[column] + indices[offsets[column]..offsets[column + 1]].partition_point(|&r| r < row)
        };
        let weights = (0..n).map(|k| place(k, k)).collect();
        let epsilon = (0..m).map(|r| place(n + r, n + r)).collect();
        let entries = phi
            .row_iter()
            .enumerate()
            .flat_map(|(r, row)| row.col_indices().iter().map(move |&c| (r, c)).collect::<Vec<_>>());
        let phi_places = entries.map(|(r, c)| [place(n + r, c), place(c, n + r)]).collect();
        let values = vec![0.0; indices.len()];
        let pattern = SparsityPattern::try_from_offsets_and_indices(n + m, n + m, offsets, indices)
            .expect("entries were placed in ascending order");
        Self { lu: None, pattern, values, weights, phi: phi_places, epsilon }
    }

    fn factor(&mut self, weights: &[f64], phi: &[f64], epsilon: &[f64]) -> Result<(), fourbar_linalg::Error> {
        for (&at, &w) in self.weights.iter().zip(weights) {
            self.values[at] = w;
        }
        for (&[a, b], &value) in self.phi.iter().zip(phi) {
            self.values[a] = value;
            self.values[b] = value;
        }
        for (&at, &epsilon) in self.epsilon.iter().zip(epsilon) {
            self.values[at] = -epsilon;
        }
        match &mut self.lu {
            Some(lu) => lu.refactor(&self.values).map(|_| ()),
            None => {
                self.lu = Some(Calahan::new(&self.pattern, &self.values, &CalahanOptions::default())?);
                Ok(())
            }
        }
    }

    fn solve(&mut self, b: &mut [f64]) {
        if let Some(lu) = &mut self.lu {
            lu.solve(b);
        }
    }
}

/// Assembles `poses` (ground last) at time `t`. `open` lists rows that a motion without a given start leaves free. Returns the
/// number of iterations.
pub(super) fn assemble(
    mechanism: &Mechanism,
    system: &mut System,
    poses: &mut [Pose],
    t: f64,
    open: &[usize],
) -> Result<usize, Error> {
    let start = poses.to_vec();
    assemble_near(mechanism, system, poses, &start, t, open)
}

/// As [`assemble`], nearest to `start`, from `poses` on.
pub(super) fn assemble_near(
    mechanism: &Mechanism,
    system: &mut System,
    poses: &mut [Pose],
    start: &[Pose],
    t: f64,
    open: &[usize],
) -> Result<usize, Error> {
    let (m, n) = (system.row_count(), 6 * mechanism.bodies.len());
    let weights: Vec<f64> = mechanism.bodies.iter().flat_map(|b| b.weights[0]).collect();
    let mut corrector = Corrector::new(&system.phi);
    let (phi, trial, b) = (vec![0.0; m], vec![0.0; m], vec![0.0; n + m]);
    let mut work = Work { phi, trial, b, epsilon: epsilon(mechanism), open, way: mechanism.length };
    work.defects(mechanism, system, poses);
    if merit(mechanism, &work.phi) < 1e-14 {
        return Ok(0);
    }
    let mut done = work.approach(mechanism, system, &mut corrector, &weights, poses, t)?;
    // To the nearest assembled position; the regularization leaves it open by eps times the multipliers.
    for _ in 0..ITERATIONS {
        done += 1;
        let pull = |poses: &[Pose], top: &mut [f64]| pull(mechanism, poses, start, &weights, top);
        let moved = work.iterate(mechanism, system, &mut corrector, &weights, poses, t, pull)?;
        if moved < if merit(mechanism, &work.phi) < NEARLY { 1e-9 } else { 1e-13 } || !moved.is_finite() {
            break;
        }
    }
    // Onto the constraints from there, without the pull of the start.
    for _ in 0..CLOSING {
        let before = merit(mechanism, &work.phi);
        if before < 1e-15 {
            break;
        }
        done += 1;
        work.iterate(mechanism, system, &mut corrector, &weights, poses, t, |_, top| top.fill(0.0))?;
        if merit(mechanism, &work.phi) > 0.5 * before {
            break;
        }
    }
    let far = poses.iter().fold(0.0_f64, |far, pose| far.max(pose.x.amax()));
    let closed = CLOSED.max(ROUNDED * far / mechanism.length);
    if merit(mechanism, &work.phi) < closed { Ok(done) } else { Err(not_assembled(mechanism, poses, &work.phi, done)) }
}

/// Regularization of each row: W weighs turns by the square of the length of the mechanism, so rows of angles are that much smaller.
fn epsilon(mechanism: &Mechanism) -> Vec<f64> {
    let of = |angular| if angular { EPSILON / mechanism.length.powi(2) } else { EPSILON };
    let rows = |bound: &BoundConstraint| vec![of(bound.constraint.is_angular()); bound.constraint.row_count()];
    mechanism.constraints.iter().flat_map(rows).collect()
}

/// Vectors of the iteration.
struct Work<'a> {
    phi: Vec<f64>,
    trial: Vec<f64>,
    b: Vec<f64>,
    epsilon: Vec<f64>,
    open: &'a [usize],
    /// The way of a body that counts as a turn of 1 rad \[m\].
    way: f64,
}

impl Work<'_> {
    fn defects(&mut self, mechanism: &Mechanism, system: &System, poses: &[Pose]) {
        defects(mechanism, system, poses, self.open, &mut self.phi);
    }

    /// Brings bodies whose joints are drawn open by more than [`NEAR`] together, hardly turning them: a turn by which a lever would shorten its way
    /// means nothing there. Returns the number of iterations.
    fn approach(
        &mut self,
        mechanism: &Mechanism,
        system: &mut System,
        corrector: &mut Corrector,
        weights: &[f64],
        poses: &mut [Pose],
        t: f64,
    ) -> Result<usize, Error> {
        let far = furthest(mechanism, &self.phi) / mechanism.length;
        if far <= NEAR {
            return Ok(0);
        }
        let stiff = |(k, weight): (usize, &f64)| if k % 6 < 3 { *weight } else { *weight * far * far };
        let weights: Vec<f64> = weights.iter().enumerate().map(stiff).collect();
        self.way = far * mechanism.length;
        let mut done = 0;
        while done < ITERATIONS && furthest(mechanism, &self.phi) > LARGEST_TURN * mechanism.length {
            done += 1;
            self.iterate(mechanism, system, corrector, &weights, poses, t, |_, top| top.fill(0.0))?;
        }
        self.way = mechanism.length;
        Ok(done)
    }

    /// One damped step; returns its size (turn in rad, way in lengths of the mechanism).
    fn iterate(
        &mut self,
        mechanism: &Mechanism,
        system: &mut System,
        corrector: &mut Corrector,
        weights: &[f64],
        poses: &mut [Pose],
        t: f64,
        top: impl Fn(&[Pose], &mut [f64]),
    ) -> Result<f64, Error> {
        if Interrupt::thread_is_interrupted() {
            return Err(named(mechanism, "assembly", t, fourbar_linalg::Error::Interrupted, true));
        }
        let n = weights.len();
        let closed = merit(mechanism, &self.phi);
        system.evaluate_phi(mechanism, poses);
        silence(system, self.open);
        corrector
            .factor(weights, system.phi.values(), &self.epsilon)
            .map_err(|e| named(mechanism, "assembly", t, e, true))?;
        top(poses, &mut self.b[..n]);
        for (b, phi) in self.b[n..].iter_mut().zip(&self.phi) {
            *b = -phi;
        }
        corrector.solve(&mut self.b);
        let size = largest(mechanism.length, &self.b[..n]);
        let mut factor = (LARGEST_TURN / largest(self.way, &self.b[..n])).min(1.0);
        // Backtracking on the violation, as long as that is what the step is about.
        let before = poses.to_vec();
        for _ in 0..12 {
            displace(poses, &self.b[..n], factor);
            defects(mechanism, system, poses, self.open, &mut self.trial);
            if merit(mechanism, &self.trial) <= closed.max(NEARLY) * (1.0 + 1e-12) {
                break;
            }
            poses.copy_from_slice(&before);
            factor *= 0.5;
        }
        self.defects(mechanism, system, poses);
        Ok(size * factor)
    }
}

fn defects(mechanism: &Mechanism, system: &System, poses: &[Pose], open: &[usize], phi: &mut [f64]) {
    system.defects(mechanism, poses, phi);
    for &row in open {
        phi[row] = 0.0;
    }
}

/// Takes rows out of `Phi_q`.
fn silence(system: &mut System, rows: &[usize]) {
    for &row in rows {
        let range = system.phi.row_offsets()[row]..system.phi.row_offsets()[row + 1];
        system.phi.values_mut()[range].fill(0.0);
    }
}

/// -W (q - q0).
fn pull(mechanism: &Mechanism, poses: &[Pose], start: &[Pose], weights: &[f64], out: &mut [f64]) {
    for b in 0..mechanism.bodies.len() {
        let dx = poses[b].x - start[b].x;
        let turn = rotation_vector(&(poses[b].a * start[b].a.transpose()));
        for k in 0..3 {
            out[6 * b + k] = -weights[6 * b + k] * dx[k];
            out[6 * b + 3 + k] = -weights[6 * b + 3 + k] * turn[k];
        }
    }
}

/// What is open of rows of lengths, the largest \[m\].
fn furthest(mechanism: &Mechanism, phi: &[f64]) -> f64 {
    let lengths = mechanism.constraints.iter().filter(|bound| !bound.constraint.is_angular());
    let rows = lengths.flat_map(|bound| &phi[bound.first..bound.first + bound.constraint.row_count()]);
    rows.fold(0.0, |worst, value| worst.max(value.abs()))
}

/// Largest turn, or way in `length`.
fn largest(length: f64, correction: &[f64]) -> f64 {
    correction.chunks_exact(6).fold(1e-300_f64, |worst, d| {
        let way = V3::new(d[0], d[1], d[2]).norm() / length;
        worst.max(way).max(V3::new(d[3], d[4], d[5]).norm())
    })
}

/// A joint whose axes are to be parallel and stand across each other: its rows are at a maximum there.
fn across(mechanism: &Mechanism, poses: &[Pose]) -> Option<Error> {
    use crate::model::JointKind as K;
    mechanism.sets.iter().find_map(|set| {
        let kind = set.joint.filter(|kind| {
            matches!(
                kind,
                K::Revolute
                    | K::Prismatic
                    | K::Cylindrical
                    | K::Screw
                    | K::Planar
                    | K::Fixed
                    | K::ParallelAxes
                    | K::Orientation
            )
        })?;
        let angle = set.i.axis(poses, 2).angle(&set.j.axis(poses, 2));
        let name = |body: usize| match body < mechanism.bodies.len() {
            true => mechanism.known_body(body),
            false => "the ground".to_owned(),
        };
        let [i, j] = [set.i.body, set.j.body].map(name);
        ((angle - FRAC_PI_2).abs() < ACROSS).then(|| Error::AxesAcross {
            joint: set.name.clone(),
            kind: kind.word(),
            i,
            j,
            angle,
        })
    })
}

fn not_assembled(mechanism: &Mechanism, poses: &[Pose], phi: &[f64], iterations: usize) -> Error {
    if let Some(error) = across(mechanism, poses) {
        return error;
    }
    let worst = by_set(mechanism, phi);
    let residual = worst.iter().fold(0.0_f64, |a, &b| a.max(b));
    let mut order: Vec<usize> = (0..worst.len()).filter(|&k| worst[k] > 0.05 * residual).collect();
    order.sort_by(|&a, &b| worst[b].total_cmp(&worst[a]));
    let joints = order.into_iter().map(|k| mechanism.set_name(k)).collect();
    Error::NotAssembled { joints, residual, iterations }
}
