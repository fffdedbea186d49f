//! Which parts of the reactions of a redundant machine are not unique.

use super::observe::{Row, key};
use fourbar::multibody::Mechanism;
use fourbar::multibody::mechanism::{ConstraintSet, Rows, System};
use fourbar::multibody::model::JointKind;
use fourbar::multibody::space::{Pose, V3};
use nalgebra::{DMatrix, Vector6};
use std::collections::BTreeMap;

/// Singular values of the rows that count as zero, relative to the largest: positions are closed to 1e-9, and near a singular position what is
/// unique there is uncertain.
const ZERO: f64 = 1e-6;

/// Of each joint and motion an orthonormal basis of the forces and torques (about the origin of marker I, over the length of the mechanism) that may be
/// added without a change of the motion; none where relations of joints share them out.
pub(super) type Loose = BTreeMap<String, Vec<Vector6<f64>>>;

fn row_count(set: &ConstraintSet) -> Option<usize> {
    use JointKind as K;
    Some(match set.joint {
        None if set.is_motion() => 1,
        None => return None,
        Some(K::Revolute | K::Prismatic | K::Screw) => 5,
        Some(K::Cylindrical | K::Universal | K::ConstantVelocity | K::Hooke) => 4,
        Some(K::Spherical | K::Planar | K::Orientation | K::Rolling) => 3,
        Some(K::Inline | K::ParallelAxes) => 2,
        Some(K::Inplane | K::Perpendicular | K::Distance) => 1,
        Some(K::Fixed) => 6,
        Some(_) => return None,
    })
}

/// Those at a row of values of the mechanism; none if that cannot be said.
pub(super) fn loose(mechanism: &Mechanism, row: &Row) -> Option<Loose> {
    let sets = mechanism.constraint_sets();
    if mechanism.redundancies().is_empty() {
        return Some(sets.iter().map(|set| (key(set), Vec::new())).collect());
    }
    let counts: Option<Vec<usize>> = sets.iter().map(row_count).collect();
    let whole = Vector6::ith;
    let Some(counts) = counts.filter(|counts| counts.iter().sum::<usize>() == mechanism.all_row_count()) else {
        // Relations of joints share them out: nothing is taken for unique.
        return Some(sets.iter().map(|set| (key(set), (0..6).map(|k| whole(k, 1.0)).collect())).collect());
    };
    let poses = mechanism.bodies().iter().map(|body| row.poses.get(&body.name).copied());
    let poses: Vec<Pose> = poses.chain([Some(Pose::ground())]).collect::<Option<_>>()?;
    let mut system = System::new(mechanism, Rows::All);
    system.evaluate_phi(mechanism, &poses);
    let length = mechanism.length();
    let mut phi = DMatrix::zeros(system.phi.nrows(), system.phi.ncols());
    for (k, l, value) in system.phi.triplet_iter() {
        phi[(k, l)] = if l % 6 < 3 { *value } else { value / length };
    }
    let free = free_multipliers(&phi);
    let mut first = 0;
    let mut all = Loose::new();
    for (set, count) in sets.iter().zip(counts) {
        all.insert(key(set), of_set(set, &phi, first..first + count, &free, &poses, length));
        first += count;
    }
    Some(all)
}

/// Multipliers that load no body, as columns.
fn free_multipliers(phi: &DMatrix<f64>) -> DMatrix<f64> {
    let scaled = scaled_rows(phi);
    let eigen = (&scaled * scaled.transpose()).symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let free = (0..phi.nrows()).filter(|k| eigen.eigenvalues[*k] < ZERO * ZERO * largest);
    let columns: Vec<_> = free.map(|k| eigen.eigenvectors.column(k).into_owned()).collect();
    let mut multipliers = DMatrix::zeros(phi.nrows(), columns.len());
    for (k, column) in columns.iter().enumerate() {
        for row in 0..phi.nrows() {
            multipliers[(row, k)] = column[row] / size(phi, row);
        }
    }
    multipliers
}

fn size(phi: &DMatrix<f64>, row: usize) -> f64 {
    phi.row(row).norm().max(f64::MIN_POSITIVE)
}

fn scaled_rows(phi: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(phi.nrows(), phi.ncols(), |row, k| phi[(row, k)] / size(phi, row))
}

fn of_set(
    set: &ConstraintSet,
    phi: &DMatrix<f64>,
    rows: std::ops::Range<usize>,
    free: &DMatrix<f64>,
    poses: &[Pose],
    length: f64,
) -> Vec<Vector6<f64>> {
    let on_ground = set.i.body + 1 == poses.len();
    let body = if on_ground { set.j.body } else { set.i.body };
    let arm = (poses[body].x - set.i.origin(poses)) / length;
    let mut basis: Vec<Vector6<f64>> = Vec::new();
    for column in free.column_iter() {
        let mut load = Vector6::zeros();
        for row in rows.clone() {
            let part = phi.row(row);
            for k in 0..6 {
                load[k] += part[6 * body + k] * column[row];
            }
        }
        let force = V3::new(load[0], load[1], load[2]);
        let moved = arm.cross(&force);
        (0..3).for_each(|k| load[3 + k] += moved[k]);
        // Gram and Schmidt, twice.
        let before = load.norm();
        for _ in 0..2 {
            for known in &basis {
                load -= known * known.dot(&load);
            }
        }
        if load.norm() > ZERO * before.max(ZERO) {
            basis.push(load.normalize());
        }
    }
    basis
}
