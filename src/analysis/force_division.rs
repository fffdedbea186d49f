//! Forces of closed contacts where several divisions hold a mechanism: one that only pushes, with friction inside its cones.
//!
//! The forces x of least norm with A x = b are taken if they lie in the cones, x_N >= 0 and |x_T| <= mu x_N. If not, they are projected onto the
//! cones and back onto A x = b in turn (alternating projections), which comes to a common point where there is one.

use nalgebra::{DMatrix, DVector};

/// Projections: four legs take some ten, stacks of boxes at the limit of friction some thousand.
const ROUNDS: usize = 5000;
/// Projections of one search together, each of as much work as its matrix has entries: some minutes. A pile of a hundred bricks takes a tenth.
const MOST_WORK: u64 = 20_000_000_000;
/// Projections between two looks of whoever watches.
const LOOK: u64 = 50;
/// Part of the largest force by which a force may leave its cone for projections to end.
const INSIDE: f64 = 1e-10;
/// The same where they come no nearer: projections at the rim of a cone close in slowly.
const AT_THE_RIM: f64 = 1e-6;
/// Part of the largest load that forces may leave: loads are known no better.
const CARRIED: f64 = 1e-6;
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

/// What the divisions of one search have taken, and who watches them.
#[derive(Default)]
pub(super) struct Effort {
    /// Projections so far.
    pub(super) projections: u64,
    work: u64,
    /// Called with the projections so far.
    pub(super) watch: Option<Box<dyn FnMut(u64) + Send>>,
}

impl Effort {
    /// Begins another search.
    pub(super) fn begin(&mut self) {
        (self.projections, self.work) = (0, 0);
    }

    /// Whether the search has taken all that it may.
    pub(super) fn is_spent(&self) -> bool {
        self.work > MOST_WORK
    }

    /// Counts a projection with a matrix of so many entries.
    fn count(&mut self, entries: usize) {
        self.projections += 1;
        self.work += entries as u64;
        if let Some(watch) = self.watch.as_mut().filter(|_| self.projections.is_multiple_of(LOOK)) {
            watch(self.projections);
        }
    }
}

/// Divides forces among `cones`, x with `loaded` x = `needed`. None where the singular values of `loaded` cannot be found: numbers that overflow, or are none.
/// The division is not admissible either where the `effort` of the search is spent.
pub(super) fn divide(
    cones: &[Cone],
    loaded: &DMatrix<f64>,
    needed: &DVector<f64>,
    effort: &mut Effort,
) -> Option<Division> {
    if loaded.is_empty() {
        return Some(Division { forces: DVector::zeros(loaded.ncols()), admissible: true });
    }
    if !loaded.iter().chain(needed.iter()).all(|v| v.is_finite()) {
        return None;
    }
    let factors = fourbar_linalg::SingularValues::new(loaded)?;
    let least = DEPENDENT * factors.largest();
    let nearest = |right: &DVector<f64>| factors.solve(right, least);
    let mut forces = nearest(needed);
    let left = (loaded * &forces - needed).amax();
    if !(left <= CARRIED * needed.amax()) {
        // The contacts do not carry the loads, whatever their forces.
        return Some(Division { forces, admissible: false });
    }
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
        effort.count(loaded.len());
        if last || effort.is_spent() {
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
            assert!(
                divide(&pushes(), &loaded, &DVector::from_element(1, 3.0), &mut Effort::default()).is_none(),
                "{wild}"
            );
        }
    }

    #[test]
    fn a_force_pushes_or_is_not_admissible() {
        for (needed, admissible) in [(6.0, true), (-6.0, false)] {
            let loaded = DMatrix::from_element(1, 1, 2.0);
            let division = divide(&pushes(), &loaded, &DVector::from_element(1, needed), &mut Effort::default())
                .expect("finite numbers");
            assert!(division.admissible == admissible && (division.forces[0] - needed / 2.0).abs() < 1e-12);
        }
        let nothing =
            divide(&[], &DMatrix::zeros(0, 0), &DVector::zeros(0), &mut Effort::default()).expect("nothing to divide");
        assert!(nothing.admissible && nothing.forces.is_empty());
    }

    /// A weight on a frame of two legs that only pull: no division is admissible, and projections would go on to their number. What is spent ends them.
    #[test]
    fn a_search_ends_when_its_effort_is_spent_and_tells_how_far_it_is() {
        let two = cones(&[[0.0; 3]; 2], &[[0; 3]; 2]);
        let (loaded, needed) = (DMatrix::from_element(1, 2, 1.0), DVector::from_element(1, -3.0));
        let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let told = std::sync::Arc::clone(&seen);
        let watch: Box<dyn FnMut(u64) + Send> = Box::new(move |count| told.lock().expect("no panic").push(count));
        let mut effort = Effort { watch: Some(watch), ..Effort::default() };
        assert!(!divide(&two, &loaded, &needed, &mut effort).expect("finite numbers").admissible);
        assert!(effort.projections == ROUNDS as u64 && !effort.is_spent());
        let seen = seen.lock().expect("no panic").clone();
        assert_eq!(seen, (1..=ROUNDS as u64 / LOOK).map(|k| k * LOOK).collect::<Vec<_>>());
        effort.work = MOST_WORK;
        assert!(!divide(&two, &loaded, &needed, &mut effort).expect("finite numbers").admissible);
        assert!(effort.projections == ROUNDS as u64 + 1 && effort.is_spent());
        effort.begin();
        assert!(effort.projections == 0 && !effort.is_spent());
    }
}
