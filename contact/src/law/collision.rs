//! An impact as plain data, and what a law makes of it.

use super::restitution::Restitution;
use crate::surface::Surface;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use nalgebra::{DMatrix, DVector};

/// An impact as plain data. Each contact has one normal row and the [`Surface::friction_rows`] of its surface after it.
#[derive(Debug, Clone, Copy)]
pub struct Impact<'a> {
    /// W = J M^ J^T, symmetric positive semidefinite, rows contact by contact [1/kg in translational rows].
    pub w: &'a DMatrix<f64>,
    /// Velocities of the rows before the impact [m/s, rad/s].
    pub rates: &'a [f64],
    /// The surfaces, one a contact.
    pub surfaces: &'a [Surface],
}

/// What an impact did.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Impulses of the rows [N s, N m s].
    pub impulses: Vec<f64>,
    /// Velocities of the rows after [m/s, rad/s].
    pub rates: Vec<f64>,
    /// S^T (u+ + u-)/2 \[J\]; not positive but for round-off. It is T+ - T- where nothing moves the surfaces; where a wall moves,
    /// it is that as seen from the wall, T+ - T- less the work of the wall.
    pub energy: f64,
    /// The part of it in the friction rows \[J\].
    pub friction_work: f64,
    /// What was done: the law asked for, or the one that took its place.
    pub applied: Applied,
    /// Impacts of single contacts, for [`Sequence::Pairwise`](super::Sequence::Pairwise); else rounds, mostly 1.
    pub impacts: usize,
    /// Residual of the complementarity problem solved, scaled to its velocities.
    pub residual: f64,
}

/// The law an impact obeyed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Applied {
    /// The one asked for.
    AsAsked,
    /// The law asked for would have created this energy \[J\]; this one took its place. Not positive where the problem of the law asked
    /// for has no solution, as in a groove so steep that friction holds the ball, or where the solver did not find one.
    Instead {
        /// The law applied.
        restitution: Restitution,
        /// Energy that the law asked for would have created \[J\].
        gain: f64,
    },
    /// Every law would have created energy, this much with the one asked for; the impact was taken as plastic (e = 0).
    Plastic {
        /// Energy that the law asked for would have created \[J\].
        gain: f64,
    },
}

/// Impulses of one law: they, and the residual and number of impacts they were found with.
pub(super) struct Attempt {
    pub(super) impulses: DVector<f64>,
    pub(super) impacts: usize,
    pub(super) residual: f64,
}

impl Impact<'_> {
    /// First row of each contact and, last, the number of rows.
    pub(super) fn first(&self) -> Vec<usize> {
        let mut first = vec![0];
        for surface in self.surfaces {
            first.push(first[first.len() - 1] + 1 + surface.friction_rows());
        }
        first
    }

    /// u + W S.
    pub(super) fn after(&self, impulses: &DVector<f64>) -> DVector<f64> {
        DVector::from_column_slice(self.rates) + self.w * impulses
    }

    /// T+ - T- = S^T (u+ + u-)/2.
    pub(super) fn energy(&self, impulses: &DVector<f64>) -> f64 {
        let after = self.after(impulses);
        0.5 * impulses.iter().zip(after.iter().zip(self.rates)).map(|(s, (a, b))| s * (a + b)).sum::<f64>()
    }

    /// The part of [`Impact::energy`] in the friction rows.
    pub(super) fn friction_work(&self, first: &[usize], impulses: &DVector<f64>) -> f64 {
        let after = self.after(impulses);
        let rows = first.windows(2).flat_map(|pair| pair[0] + 1..pair[1]);
        rows.map(|i| 0.5 * impulses[i] * (after[i] + self.rates[i])).sum()
    }
}

/// What an attempt did.
pub(super) fn outcome(impact: &Impact, first: &[usize], attempt: Attempt, applied: Applied) -> Outcome {
    Outcome {
        friction_work: impact.friction_work(first, &attempt.impulses),
        rates: impact.after(&attempt.impulses).iter().copied().collect(),
        energy: impact.energy(&attempt.impulses),
        impulses: attempt.impulses.iter().copied().collect(),
        applied,
        impacts: attempt.impacts,
        residual: attempt.residual,
    }
}

impl Stored for Applied {
    fn store(&self, to: &mut Vec<u8>) {
        match self {
            Self::AsAsked => to.push(0),
            Self::Instead { restitution, gain } => {
                to.push(1);
                restitution.store(to);
                gain.store(to);
            }
            Self::Plastic { gain } => {
                to.push(2);
                gain.store(to);
            }
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = match from.value::<u8>()? {
            0 => Self::AsAsked,
            1 => {
                let mut restitution = Restitution::Newton;
                restitution.load(from)?;
                Self::Instead { restitution, gain: from.value()? }
            }
            2 => Self::Plastic { gain: from.value()? },
            _ => return Err(from.refuse("a law of impact")),
        };
        Ok(())
    }
}
