//! What a step leaves behind for whoever records it.

use super::account::Account;
use crate::unilateral::ContactId;
use fourbar_linalg::stored;

/// A contact in one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactRecord {
    /// Which one.
    pub id: ContactId,
    /// Gap at the beginning of the step, or where it was linearized \[m\].
    pub gap: f64,
    /// Speed with which it closed, not negative; 0 if it did not [m/s].
    pub closing_speed: f64,
    /// Impulses of the step: normal, two tangential, spinning, two rolling [N s, N m s]. Over the step size they are forces.
    pub impulse: [f64; 6],
}

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepRecord {
    /// Time at its end \[s\].
    pub time: f64,
    /// Contacts within reach.
    pub contacts: usize,
    /// Contacts with an impulse.
    pub active: usize,
    /// Smallest gap at the end of the step \[m\], negative for a penetration; infinite without contact within reach.
    pub gap: f64,
    /// Sum of the normal impulses [N s].
    pub impulse: f64,
    /// Kinetic energy at the end \[J\].
    pub kinetic: f64,
    /// Potential energy of gravity and springs at the end \[J\].
    pub potential: f64,
    /// Largest violation of a joint row before projection and after it [m, rad].
    pub violation: [f64; 2],
    /// Largest rate of violation before projection and after it [m/s, rad/s].
    pub rate_violation: [f64; 2],
    /// Iterations of the projection of positions.
    pub projections: usize,
    /// Energy that contacts gave the bodies in the step \[J\]: the work of all impulses, that of friction included, and of the
    /// displacements by contacts. Walls that move with time count as at rest.
    pub impact_energy: f64,
    /// The part of it that friction gave, not positive but for walls that move and for round-off \[J\].
    pub friction_energy: f64,
    /// Whether the velocities of rebound asked for would have created energy, or could not be had, and lower ones took their place; reported of
    /// rebounds that forces do not end within half a step.
    pub replaced: bool,
    /// Largest overlap at the end of the step, as part of the smaller of the shapes or bodies that overlap (angles: in radians), of which contact, and
    /// how deep [m, rad].
    pub overlap: f64,
    /// Which one that is; [`ContactId::NONE`] without any.
    pub deepest: ContactId,
    /// Its overlap [m, rad].
    pub depth: f64,
    /// The contact that misses its law most; [`ContactId::NONE`] where that is not known.
    pub hardest: ContactId,
    /// Whether a solve ended at its budget of work.
    pub out_of_budget: bool,
    /// Worst residual of the complementarity problems of the step, as part of their velocities or of the speed of the scene, whichever is larger.
    pub residual: f64,
}

impl StepRecord {
    /// Of a step that has done nothing yet.
    pub(super) fn of_nothing() -> Self {
        Self { deepest: ContactId::NONE, hardest: ContactId::NONE, ..Self::default() }
    }

    /// Adds the step before this one, of which both are halves.
    pub(super) fn join(&mut self, before: &Self) {
        self.impulse += before.impulse;
        self.violation = larger(self.violation, before.violation);
        self.rate_violation = larger(self.rate_violation, before.rate_violation);
        self.projections += before.projections;
        self.impact_energy += before.impact_energy;
        self.friction_energy += before.friction_energy;
        self.replaced |= before.replaced;
        self.out_of_budget |= before.out_of_budget;
        if before.overlap > self.overlap {
            (self.overlap, self.deepest, self.depth) = (before.overlap, before.deepest, before.depth);
        }
        if before.residual > self.residual {
            (self.residual, self.hardest) = (before.residual, before.hardest);
        }
    }

    /// Takes over the energy that contacts gave.
    pub(super) fn take_energy(&mut self, account: &Account) {
        (self.impact_energy, self.friction_energy) = (account.gain, account.friction);
    }
}

impl ContactRecord {
    /// Adds what the same contact did in the half of the step before.
    pub(super) fn join(&mut self, before: &Self) {
        self.gap = before.gap;
        self.closing_speed = self.closing_speed.max(before.closing_speed);
        self.impulse.iter_mut().zip(before.impulse).for_each(|(sum, before)| *sum += before);
    }
}

fn larger(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    std::array::from_fn(|k| a[k].max(b[k]))
}

stored!(struct ContactRecord { id, gap, closing_speed, impulse });
stored!(struct StepRecord {
    time,
    contacts,
    active,
    gap,
    impulse,
    kinetic,
    potential,
    violation,
    rate_violation,
    projections,
    impact_energy,
    friction_energy,
    replaced,
    overlap,
    deepest,
    depth,
    hardest,
    out_of_budget,
    residual,
});
