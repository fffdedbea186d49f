//! Forces of closed contacts where several divisions hold a mechanism: one that only pushes, with friction inside its cones.
//!
//! The forces x of least norm with A x = b are taken if they lie in the cones, x_N >= 0 and |x_T| <= mu x_N. If not, they are projected onto the
//! cones and back onto A x = b in turn (alternating projections), which comes to a common point where there is one.

use nalgebra::{DMatrix, DVector};

/// Projections: four legs take some ten, stacks of boxes at the limit of friction some thousand.
const ROUNDS: usize = 5000;
/// Part of the largest force by which a force may leave its cone for projections to end.
const INSIDE: f64 = 1e-10;
/// The same where they come no nearer: projections at the rim of a cone close in slowly.
const AT_THE_RIM: f64 = 1e-6;
/// Refinements of a solution by its singular values: twice six digits.
const REFINEMENTS: usize = 2;
/// Singular values that count as zero, over the largest.
const DEPENDENT: f64 = 1e-10;

/// Rows of one contact: where they begin, and the limits of sliding, spinning and rolling friction over the normal force that it sticks by.
#[derive(Debug, Clone)]
pub(super) struct Cone {
    pub(super) first: usize,
    /// Rows of friction after the normal one: which of the forces, and the limit of their norm over the normal force [1, m].
    pub(super) groups: Vec<(std::ops::Range<usize>, f64)>,
}

/// Forces, and how far those of each cone are outside of it \[N\]: pulling, or friction beyond its limit.
pub(super) struct Division {
    pub(super) forces: DVector<f64>,
    pub(super) admissible: bool,
}

/// Divides forces among `cones`, x with `loaded` x = `needed`. None where the singular values of `loaded` cannot be found: numbers that overflow, or are none.
pub(super) fn divide(cones: &[Cone], loaded: &DMatrix<f64>, needed: &DVector<f64>) -> Option<Division> {
    if loaded.is_empty() {
        return Some(Division { forces: DVector::zeros(loaded.ncols()), admissible: true });
    }
    if !loaded.iter().chain(needed.iter()).all(|v| v.is_finite()) {
        return None;
    }
    let factors = fourbar_linalg::singular_values(loaded.clone(), true, true)?;
    let least = DEPENDENT * factors.singular_values.max();
    let solve = |right: &DVector<f64>| factors.solve(right, least).unwrap_or_else(|_| DVector::zeros(loaded.ncols()));
    // Factors of a matrix with equal singular values hold to six digits; each refinement gains as many.
    let nearest = |right: &DVector<f64>| {
        let mut forces = solve(right);
        for _ in 0..REFINEMENTS {
            forces += solve(&(right - loaded * &forces));
        }
        forces
    };
    let mut forces = nearest(needed);
    let unique = factors.rank(least) == loaded.ncols();
    for round in 0..ROUNDS {
        let last = unique || round + 1 == ROUNDS;
        let allowed = if last { AT_THE_RIM } else { INSIDE } * forces.amax();
        let mut inside = forces.clone();
        cones.iter().for_each(|cone| cone.project(&mut inside));
        let outside = (&inside - &forces).amax();
        if outside <= allowed {
            return Some(Division { forces, admissible: true });
        }
        if last {
            break;
        }
        forces = &inside - nearest(&(loaded * &inside - needed));
    }
    Some(Division { forces, admissible: false })
}

impl Cone {
    /// Normal force, negative where it pulls.
    pub(super) fn normal(&self, forces: &DVector<f64>) -> f64 {
        forces[self.first]
    }

    /// How far friction is beyond its limit, the largest of its groups, over the limit of this normal force.
    pub(super) fn use_of_friction(&self, forces: &DVector<f64>) -> f64 {
        let normal = self.normal(forces).max(0.0);
        let used = |(rows, limit): &(std::ops::Range<usize>, f64)| {
            let friction = forces.rows_range(rows.clone()).norm();
            if friction > 0.0 { friction / (limit * normal) } else { 0.0 }
        };
        self.groups.iter().map(used).fold(0.0, f64::max)
    }

    /// Projects the forces of this contact onto its cone; further kinds of friction onto their limits at its normal force.
    fn project(&self, forces: &mut DVector<f64>) {
        if let Some((rows, limit)) = self.groups.first() {
            let (normal, friction) = (forces[self.first], forces.rows_range(rows.clone()).norm());
            if friction > limit * normal {
                // Onto the ray (1, limit), or onto the tip.
                let along = ((normal + limit * friction) / (1.0 + limit * limit)).max(0.0);
                forces[self.first] = along;
                let factor = if friction > 0.0 { limit * along / friction } else { 0.0 };
                forces.rows_range_mut(rows.clone()).scale_mut(factor);
            }
        }
        forces[self.first] = forces[self.first].max(0.0);
        for (rows, limit) in self.groups.iter().skip(1) {
            let (most, norm) = (limit * forces[self.first], forces.rows_range(rows.clone()).norm());
            if norm > most {
                forces.rows_range_mut(rows.clone()).scale_mut(most / norm);
            }
        }
    }
}

/// The cones of contacts with rows as `groups` tells, each beginning with its normal row; `limits` are those of sliding, spinning and rolling.
pub(super) fn cones(limits: &[[f64; 3]], groups: &[[usize; 3]]) -> Vec<Cone> {
    let mut all = Vec::new();
    let mut at = 0;
    for (limits, groups) in limits.iter().zip(groups) {
        let first = at;
        at += 1;
        let mut of_friction = Vec::new();
        for (&limit, &count) in limits.iter().zip(groups).filter(|(_, count)| **count > 0) {
            of_friction.push((at..at + count, limit));
            at += count;
        }
        all.push(Cone { first, groups: of_friction });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One contact without friction.
    fn pushes() -> Vec<Cone> {
        cones(&[[0.0; 3]], &[[0; 3]])
    }

    #[test]
    fn forces_that_cannot_be_divided_are_no_forces_of_zero() {
        for wild in [f64::NAN, f64::INFINITY] {
            let loaded = DMatrix::from_element(1, 1, wild);
            assert!(divide(&pushes(), &loaded, &DVector::from_element(1, 3.0)).is_none(), "{wild}");
        }
    }

    #[test]
    fn a_force_pushes_or_is_not_admissible() {
        for (needed, admissible) in [(6.0, true), (-6.0, false)] {
            let loaded = DMatrix::from_element(1, 1, 2.0);
            let division = divide(&pushes(), &loaded, &DVector::from_element(1, needed)).expect("finite numbers");
            assert!(division.admissible == admissible && (division.forces[0] - needed / 2.0).abs() < 1e-12);
        }
        let nothing = divide(&[], &DMatrix::zeros(0, 0), &DVector::zeros(0)).expect("nothing to divide");
        assert!(nothing.admissible && nothing.forces.is_empty());
    }
}
