//! The mass matrix M: three diagonal entries and a full 3 x 3 block of each body, and what flexible bodies have beyond.

use super::{Mechanism, System};
use crate::force::Entry;
use crate::space::Pose;
use nalgebra_sparse::CscMatrix;

/// Entries of a body by itself: three on the diagonal, nine of its inertia.
const OWN: usize = 12;

/// Where entries of M stand among its values, if flexible bodies couple others; both empty where the bodies' own follow each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    own: Vec<usize>,
    beyond: Vec<usize>,
}

impl System {
    /// Fills M.
    pub fn evaluate_mass(&mut self, mechanism: &Mechanism, poses: &[Pose]) {
        self.each_own(|b, block| {
            let body = &mechanism.bodies[b];
            block[..3].fill(body.mass);
            block[3..].copy_from_slice(body.global_inertia(&poses[b]).as_slice());
        });
        if mechanism.flexible.is_empty() {
            return;
        }
        let (values, mut places) = (self.mass.values_mut(), self.places.beyond.iter());
        each_beyond(mechanism, poses, |_, _, value| {
            if let Some(&place) = places.next() {
                values[place] += value;
            }
        });
    }

    /// Fills M with 1 for ways and `arm` squared for turns.
    pub(crate) fn evaluate_metric(&mut self, arm: f64) {
        self.each_own(|_, block| {
            block.fill(0.0);
            block[..3].fill(1.0);
            (0..3).for_each(|k| block[3 + 4 * k] = arm * arm);
        });
    }

    /// Fills M with the weights of corrections: of positions (`level` 0) or velocities (1).
    pub(crate) fn evaluate_weights(&mut self, mechanism: &Mechanism, level: usize) {
        self.each_own(|b, block| {
            let w = &mechanism.bodies[b].weights[level];
            block[..3].copy_from_slice(&w[..3]);
            block[3..].fill(0.0);
            (0..3).for_each(|k| block[3 + 4 * k] = w[3 + k]);
        });
    }

    /// Writes the own entries of each body, and zero between bodies.
    #[inline]
    fn each_own(&mut self, mut write: impl FnMut(usize, &mut [f64])) {
        let values = self.mass.values_mut();
        if self.places.own.is_empty() {
            values.chunks_exact_mut(OWN).enumerate().for_each(|(b, block)| write(b, block));
            return;
        }
        values.fill(0.0);
        let mut block = [0.0; OWN];
        for (b, places) in self.places.own.chunks_exact(OWN).enumerate() {
            write(b, &mut block);
            places.iter().zip(&block).for_each(|(&place, &value)| values[place] = value);
        }
    }
}

/// Row, column and value of each entry that flexible bodies add, always in the same order.
fn each_beyond(mechanism: &Mechanism, poses: &[Pose], mut visit: impl FnMut(usize, usize, f64)) {
    for flexible in &mechanism.flexible {
        flexible.emit_mass(poses, &mut |entry| {
            let Entry::Blocks { body, by, force, torque } = entry else { return };
            for (first, blocks) in [(6 * body, force), (6 * body + 3, torque)] {
                for (column, block) in [(6 * by, blocks[2]), (6 * by + 3, blocks[3])] {
                    for (k, value) in block.iter().flatten().enumerate() {
                        visit(first + k % 3, column + k / 3, *value);
                    }
                }
            }
        });
    }
}

/// M with its pattern, and where its entries stand.
pub(super) fn pattern(mechanism: &Mechanism) -> (CscMatrix<f64>, Places) {
    let n = 6 * mechanism.bodies.len();
    let mut own = Vec::with_capacity(OWN * mechanism.bodies.len());
    for b in 0..mechanism.bodies.len() {
        own.extend((0..3).map(|k| (6 * b + k, 6 * b + k)));
        (0..9).for_each(|k| own.push((6 * b + 3 + k / 3, 6 * b + 3 + k % 3)));
    }
    let (mut all, mut beyond) = (own.clone(), Vec::new());
    if !mechanism.flexible.is_empty() {
        let mut poses = mechanism.start.poses.clone();
        poses.push(Pose::ground());
        each_beyond(mechanism, &poses, |row, column, _| beyond.push((column, row)));
        all.extend(&beyond);
        all.sort_unstable();
        all.dedup();
    }
    let mut offsets = vec![0; n + 1];
    all.iter().for_each(|(column, _)| offsets[column + 1] += 1);
    (0..n).for_each(|k| offsets[k + 1] += offsets[k]);
    let rows = all.iter().map(|(_, row)| *row).collect();
    let matrix = CscMatrix::try_from_csc_data(n, n, offsets, rows, vec![0.0; all.len()]).expect("entries are sorted");
    let place = |entries: &[(usize, usize)]| entries.iter().map(|entry| all.partition_point(|e| e < entry)).collect();
    let places =
        if beyond.is_empty() { Places::default() } else { Places { own: place(&own), beyond: place(&beyond) } };
    (matrix, places)
}
