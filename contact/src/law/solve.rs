//! The law of impact: which is asked for, and which takes its place where that would create energy.

use super::collision::{Applied, Attempt, Impact, Outcome, outcome};
use super::restitution::Restitution;
use super::{pairwise, rounds, simultaneous};
use crate::error::Error;
use nalgebra::DVector;
use serde::{Deserialize, Serialize};

/// Velocity that is round-off, as part of the speeds of a scene: what rests closes with a hundred thousand units of it at most.
const STILL: f64 = 1e-11;

/// How several contacts take part in one impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sequence {
    /// All that close at once. Contacts that touch but open collide after those, round by round, as soon as these have turned them round, as
    /// where a light body goes to and fro between heavy ones.
    #[default]
    Simultaneous,
    /// One after the other, the fastest closing contact first, until none closes. Sequences without end (their velocities fall in
    /// a geometric series) are cut where what is left is round-off, which a plastic impact of all takes up.
    Pairwise,
}

/// The law of impact: what restitution means, how several contacts share, what happens where energy would be created.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImpactLaw {
    /// Meaning of the coefficient of restitution.
    pub restitution: Restitution,
    /// One after the other or all at once.
    pub sequence: Sequence,
    /// Energy that an impact may create, as part of the kinetic energy of the contacts, before another law takes its place.
    pub energy_tolerance: f64,
}

impl Default for ImpactLaw {
    fn default() -> Self {
        Self { restitution: Restitution::Newton, sequence: Sequence::Simultaneous, energy_tolerance: 1e-12 }
    }
}

impl ImpactLaw {
    /// Solves `impact`. A law that creates energy, or whose problem the solver does not finish, falls back to the next: the
    /// energetic one, Poisson's, a plastic impact. Newton's law of several contacts at once may let friction do work on the bodies, as it
    /// prescribes normal velocities whatever slip they bring ([`Outcome::friction_work`] tells); it stays as long as T does not grow.
    ///
    /// # Errors
    /// [`Error::Coefficient`] for a surface that cannot be; [`Error::Impact`] if sizes do not match or a number is not finite;
    /// [`Error::Unstopped`] if no impulse ends the impact, as where a body is squeezed between two that do not give way.
    pub fn solve(&self, impact: &Impact) -> Result<Outcome, Error> {
        let first = impact.check()?;
        if let Some(attempt) = self.in_turn(impact, &first)? {
            return Ok(outcome(impact, &first, attempt, Applied::AsAsked));
        }
        let asked = self.attempt(impact, &first, self.restitution)?;
        let scale = 0.5 * impact.rates.iter().zip(&asked.impulses).map(|(u, s)| (u * s).abs()).sum::<f64>();
        let allowed = self.energy_tolerance * scale;
        let gain = impact.energy(&asked.impulses);
        let ends = impact.ends(&first, &asked);
        if ends && gain <= allowed {
            return Ok(outcome(impact, &first, asked, Applied::AsAsked));
        }
        for restitution in [Restitution::Energetic, Restitution::Poisson] {
            if restitution != self.restitution {
                let other = self.attempt(impact, &first, restitution)?;
                if impact.ends(&first, &other) && impact.energy(&other.impulses) <= allowed {
                    return Ok(outcome(impact, &first, other, Applied::Instead { restitution, gain }));
                }
            }
        }
        let plastic = simultaneous::plastic(impact)?;
        if !impact.ends(&first, &plastic) {
            return Err(impact.unstopped(&first, &plastic));
        }
        Ok(outcome(impact, &first, plastic, Applied::Plastic { gain }))
    }

    /// The same among velocities as large as `speed` [m/s]: contacts that close with round-off of these alone, and cannot be stopped, are let be.
    ///
    /// # Errors
    /// Those of [`ImpactLaw::solve`].
    pub fn solve_beside(&self, impact: &Impact, speed: f64) -> Result<Outcome, Error> {
        match self.solve(impact) {
            Err(Error::Unstopped { .. }) if impact.fastest() <= STILL * speed => {
                let none = Attempt { impulses: DVector::zeros(impact.rates.len()), impacts: 0, residual: 0.0 };
                Ok(outcome(impact, &impact.first(), none, Applied::AsAsked))
            }
            solved => solved,
        }
    }

    /// Contacts that open collide after those that close, as soon as these have turned them round. `None` where none opens, or the impact does
    /// not end so.
    fn in_turn(&self, impact: &Impact, first: &[usize]) -> Result<Option<Attempt>, Error> {
        if self.sequence == Sequence::Pairwise {
            return Ok(None);
        }
        let allowed = |impact: &Impact, impulses: &DVector<f64>| {
            let works = impact.rates.iter().zip(impulses).map(|(u, s)| (u * s).abs());
            impact.energy(impulses) <= 0.5 * self.energy_tolerance * works.sum::<f64>()
        };
        let attempt = rounds::solve(impact, first, self.restitution, allowed)?;
        Ok(attempt.filter(|attempt| impact.ends(first, attempt) && allowed(impact, &attempt.impulses)))
    }

    fn attempt(&self, impact: &Impact, first: &[usize], restitution: Restitution) -> Result<Attempt, Error> {
        match self.sequence {
            Sequence::Simultaneous => simultaneous::solve(impact, first, restitution),
            Sequence::Pairwise => pairwise::solve(impact, first, restitution),
        }
    }
}
