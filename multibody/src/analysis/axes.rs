//! Axes in which deviations of bodies from a motion are taken, so that a motion that is steady in some axes has a constant linear system.
//!
//! A body is taken in axes that turn as what carries it, as far as the motion leaves a choice: a rotor with an axis of symmetry in those of its bearing,
//! a mass on springs in those of the table that they stand on. Where the space of the deviations, T of [`super::tangent`], turns by itself, the axes
//! turn with it: the least-squares solution of
//!
//! ```text
//! (1 - T L) (F - W T) = 0
//! ```
//!
//! over the angular velocities in W, nearest to those of the carriers.

use super::tangent::{Axes, Tangent, blocks};
use crate::force::Line;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use fourbar_linalg::large_symmetric_eigen;
use nalgebra::{DMatrix, DVector, Matrix3};
use std::collections::BTreeSet;

/// Square of the part of its turn by which axes must move the space of deviations, or a matrix, to count as determined by it: round-off of products
/// of some hundred terms is far below.
const DETERMINED: f64 = 1e-12;
/// Solutions one after the other: the second takes away the round-off of the first.
const SOLUTIONS: usize = 2;

/// Axes, and along which angular velocities, six numbers a body, they may be others.
pub(super) struct Found {
    pub axes: Axes,
    /// A column for each.
    pub loose: DMatrix<f64>,
}

/// The axes at `state` for deviations that follow `tangent`; `pace` is the fastest rate in it \[1/s\].
pub(super) fn find(mechanism: &Mechanism, state: &State, tangent: &Tangent, pace: f64) -> Found {
    let axes = carried(mechanism, state);
    let free = turnable(mechanism);
    let weights = Weights::new(mechanism, tangent, pace);
    let gram = Gram::new(&weights.rows, &weights.space(tangent));
    let matrix = gram.matrix.select_rows(&free).select_columns(&free);
    let bound = DETERMINED * gram.bound;
    let eigen = large_symmetric_eigen(&matrix);
    let mut way = flat(&axes);
    for _ in 0..SOLUTIONS {
        let gradient = weights.gradient(tangent, &unflat(&way)).select_rows(&free);
        let parts = eigen.eigenvectors.tr_mul(&gradient);
        let parts = DVector::from_fn(parts.len(), |k, _| {
            if eigen.eigenvalues[k] > bound { parts[k] / eigen.eigenvalues[k] } else { 0.0 }
        });
        let step = &eigen.eigenvectors * parts;
        free.iter().zip(step.iter()).for_each(|(&k, step)| way[k] += step);
    }
    let open: Vec<usize> = (0..free.len()).filter(|&k| !(eigen.eigenvalues[k] > bound)).collect();
    let mut loose = DMatrix::zeros(way.len(), open.len());
    for (column, &k) in open.iter().enumerate() {
        free.iter().zip(eigen.eigenvectors.column(k).iter()).for_each(|(&row, part)| loose[(row, column)] = *part);
    }
    Found { axes: unflat(&way), loose: weights.felt(tangent, loose) }
}

/// Angular velocities as one vector, and back.
pub(super) fn flat(axes: &Axes) -> DVector<f64> {
    DVector::from_iterator(6 * axes.len(), axes.iter().flatten().flat_map(|w| [w.x, w.y, w.z]))
}

pub(super) fn unflat(flat: &DVector<f64>) -> Axes {
    let of = |six: &[f64]| [V3::new(six[0], six[1], six[2]), V3::new(six[3], six[4], six[5])];
    flat.as_slice().chunks_exact(6).map(of).collect()
}

/// Angular velocities that may be chosen: what carries modal coordinates has no axes.
fn turnable(mechanism: &Mechanism) -> Vec<usize> {
    (0..6 * mechanism.bodies.len()).filter(|k| !mechanism.carries_modes(k / 6)).collect()
}

/// Sizes of the rows of T and of x, for which a length of the mechanism weighs as 1 rad.
struct Weights {
    /// (1 - T L)^T (1 - T L), each row over its size.
    rows: DMatrix<f64>,
    columns: DVector<f64>,
}

impl Weights {
    fn new(mechanism: &Mechanism, tangent: &Tangent, pace: f64) -> Self {
        let half = tangent.t.nrows() / 2;
        let unit = |k: usize| if k % 6 < 3 { mechanism.length } else { 1.0 } * if k < half { 1.0 } else { pace };
        let lines = DVector::from_fn(2 * half, |k, _| 1.0 / unit(k));
        let (f, own) = (tangent.count, 2 * tangent.count..tangent.first_rolled);
        let size = |k: usize| match k {
            // Unknowns of the user move no body by themselves.
            _ if own.contains(&k) => 0.0,
            _ if (f..2 * f).contains(&k) => tangent.sizes[k] * pace,
            _ => tangent.sizes[k],
        };
        let columns = DVector::from_fn(tangent.sizes.len(), |k, _| size(k));
        let mut beside = DMatrix::identity(2 * half, 2 * half) - &tangent.t * &tangent.l;
        beside.row_iter_mut().zip(lines.iter()).for_each(|(mut row, line)| row *= *line);
        Self { rows: beside.tr_mul(&beside), columns }
    }

    /// T with its columns by their sizes.
    fn space(&self, tangent: &Tangent) -> DMatrix<f64> {
        self.sized(tangent.t.clone())
    }

    fn sized(&self, mut columns: DMatrix<f64>) -> DMatrix<f64> {
        columns.column_iter_mut().zip(self.columns.iter()).for_each(|(mut column, size)| column *= *size);
        columns
    }

    /// What a turn of each axis does to the squares of (1 - T L) (F - W T), halved and negative.
    fn gradient(&self, tangent: &Tangent, axes: &Axes) -> DVector<f64> {
        let left = &self.rows * self.sized(&tangent.f - tangent.turned(axes));
        let space = self.space(tangent);
        let mut gradient = DVector::zeros(6 * axes.len());
        for (at, (row, _)) in blocks(axes).enumerate() {
            let part = left.fixed_rows::<3>(row) * space.fixed_rows::<3>(row).transpose();
            for axis in 0..3 {
                gradient[3 * (at / 2) + axis] += unit_turn(axis).dot(&part);
            }
        }
        gradient
    }

    /// Those of `loose` that change the rates of x.
    fn felt(&self, tangent: &Tangent, loose: DMatrix<f64>) -> DMatrix<f64> {
        if loose.ncols() == 0 {
            return loose;
        }
        let mut seen = tangent.l.clone();
        for (mut row, size) in seen.row_iter_mut().zip(self.columns.iter()) {
            row *= if *size > 0.0 { 1.0 / size } else { 0.0 };
        }
        let gram = Gram::new(&seen.tr_mul(&seen), &self.space(tangent)).matrix;
        let eigen = large_symmetric_eigen(&(loose.transpose() * gram * &loose));
        let felt: Vec<usize> = (0..loose.ncols()).filter(|&k| eigen.eigenvalues[k] > DETERMINED).collect();
        loose * eigen.eigenvectors.select_columns(&felt)
    }
}

/// Products of what unit turns of the axes do to T.
struct Gram {
    matrix: DMatrix<f64>,
    /// What none is far above.
    bound: f64,
}

impl Gram {
    /// Of turns of `space`, with `metric` between its rows.
    fn new(metric: &DMatrix<f64>, space: &DMatrix<f64>) -> Self {
        let products = space * space.transpose();
        let half = space.nrows() / 2;
        let mut matrix = DMatrix::zeros(half, half);
        for (k, l) in (0..half / 3).flat_map(|k| (0..half / 3).map(move |l| (k, l))) {
            for (row, column) in [0, half].into_iter().flat_map(|r| [0, half].map(|c| (r + 3 * k, c + 3 * l))) {
                let of = metric.fixed_view::<3, 3>(row, column);
                let between = products.fixed_view::<3, 3>(row, column);
                for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
                    matrix[(3 * k + a, 3 * l + b)] += of.dot(&(unit_turn(a) * between * unit_turn(b).transpose()));
                }
            }
        }
        let bound = (0..space.nrows()).map(|k| metric[(k, k)] * products[(k, k)]).fold(1.0, f64::max);
        Self { matrix, bound }
    }
}

/// The cross product with a unit vector as a matrix.
fn unit_turn(axis: usize) -> Matrix3<f64> {
    V3::from_fn(|k, _| f64::from(u8::from(k == axis))).cross_matrix()
}

/// How fast what carries each body turns: the body nearer to the ground that a joint holds it on; of several their mean. What no joint holds is carried by
/// what forces connect it with; what nothing connects with the ground is taken in the axes of the ground.
fn carried(mechanism: &Mechanism, state: &State) -> Axes {
    let ground = mechanism.bodies.len();
    let (joints, forces) = (joined(mechanism), pushed(mechanism));
    let mut carriers: Vec<Option<Vec<usize>>> = vec![None; ground];
    let mut reached: BTreeSet<usize> = [ground].into();
    while let Some(next) =
        [&joints, &forces].into_iter().map(|links| beyond(links, &reached)).find(|next| !next.is_empty())
    {
        for (body, carrier) in next {
            reached.insert(body);
            carriers[body].get_or_insert_default().push(carrier);
        }
    }
    let rate = |body: &usize| state.poses.get(*body).map_or(V3::zeros(), |pose| pose.w);
    let mean = |of: &Option<Vec<usize>>| {
        let of = of.as_deref().unwrap_or_default();
        of.iter().map(rate).sum::<V3>() / (of.len().max(1) as f64)
    };
    carriers
        .iter()
        .enumerate()
        .map(|(body, of)| if mechanism.carries_modes(body) { [V3::zeros(); 2] } else { [mean(of); 2] })
        .collect()
}

/// Bodies that `links` join to those `reached`, each with one of these.
fn beyond(links: &BTreeSet<[usize; 2]>, reached: &BTreeSet<usize>) -> Vec<(usize, usize)> {
    let both = links.iter().flat_map(|&[i, j]| [(i, j), (j, i)]);
    both.filter(|(body, carrier)| !reached.contains(body) && reached.contains(carrier)).collect()
}

/// Pairs of bodies that a joint connects.
fn joined(mechanism: &Mechanism) -> BTreeSet<[usize; 2]> {
    let holds = |set: &&crate::mechanism::ConstraintSet| set.joint.is_some() || set.is_within_flexible();
    mechanism.sets.iter().filter(holds).map(|set| [set.i.body, set.j.body]).collect()
}

/// Pairs of bodies that a force connects.
fn pushed(mechanism: &Mechanism) -> BTreeSet<[usize; 2]> {
    let scalar = mechanism.scalar_forces.iter().map(|force| match &force.line {
        Line::Row { constraint, .. } => [constraint.i.body, constraint.j.body],
        Line::Axis { i, j } => [i.body, j.body],
    });
    let vector = mechanism
        .vector_forces
        .iter()
        .flat_map(|force| [[force.i.body, force.reaction], [force.i.body, force.frame.body]]);
    let elastic = mechanism.elastic_forces.iter().map(|force| match force.bodies[..] {
        [i, j] => [i, j],
        _ => [force.bodies.first().copied().unwrap_or(mechanism.bodies.len()), mechanism.bodies.len()],
    });
    scalar.chain(vector).chain(elastic).collect()
}
