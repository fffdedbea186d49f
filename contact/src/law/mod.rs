//! Laws of impact on plain data: W, the velocities before, and the surfaces; out come impulses, velocities after and the energy lost.
//!
//! | law | what a coefficient e means |
//! |---|---|
//! | [`Restitution::Newton`] | u_N+ = -e u_N- where there is an impulse |
//! | [`Restitution::Poisson`] | the impulse of expansion is e times that of compression |
//! | [`Restitution::Energetic`] | the work of expansion is -e^2 times that of compression (Stronge) |
//!
//! They agree for one contact without friction. One contact with friction follows [`routh`]; several at once are solved together
//! ([`Sequence::Simultaneous`]) or one after the other ([`Sequence::Pairwise`]); a Newton's cradle does the latter. The energy
//! account of every impact is T+ - T- = S^T (u+ + u-)/2 over all rows. That sum alone decides: a law by which it is positive beyond
//! [`ImpactLaw::energy_tolerance`], or whose problem has no solution, is replaced by one that creates none, and [`Outcome::applied`] says
//! so. Newton's law is the one that can (T. R. Kane, D. A. Levinson, Dynamics, 1985).

mod check;
pub(crate) mod cone;
mod expansion;
mod pairwise;
mod rounds;
pub mod routh;
mod simultaneous;

use crate::error::Error;
use crate::surface::Surface;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// What a coefficient of restitution means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Restitution {
    /// Ratio of normal velocities.
    #[default]
    Newton,
    /// Ratio of normal impulses.
    Poisson,
    /// Square root of the ratio of normal works. Several contacts at once expand with impulses in the ratio of Poisson's law,
    /// scaled so that their works together obey it.
    Energetic,
}

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

/// Velocity that is round-off, as part of the speeds of a scene: what rests closes with a hundred thousand units of it at most.
const STILL: f64 = 1e-11;

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
    /// Impacts of single contacts, for [`Sequence::Pairwise`]; else rounds, mostly 1.
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
struct Attempt {
    impulses: DVector<f64>,
    impacts: usize,
    residual: f64,
}

impl Impact<'_> {
    /// First row of each contact and, last, the number of rows.
    fn first(&self) -> Vec<usize> {
        let mut first = vec![0];
        for surface in self.surfaces {
            first.push(first[first.len() - 1] + 1 + surface.friction_rows());
        }
        first
    }

    /// u + W S.
    fn after(&self, impulses: &DVector<f64>) -> DVector<f64> {
        DVector::from_column_slice(self.rates) + self.w * impulses
    }

    /// T+ - T- = S^T (u+ + u-)/2.
    fn energy(&self, impulses: &DVector<f64>) -> f64 {
        let after = self.after(impulses);
        0.5 * impulses.iter().zip(after.iter().zip(self.rates)).map(|(s, (a, b))| s * (a + b)).sum::<f64>()
    }

    /// The part of [`Impact::energy`] in the friction rows.
    fn friction_work(&self, first: &[usize], impulses: &DVector<f64>) -> f64 {
        let after = self.after(impulses);
        let rows = first.windows(2).flat_map(|pair| pair[0] + 1..pair[1]);
        rows.map(|i| 0.5 * impulses[i] * (after[i] + self.rates[i])).sum()
    }
}

impl ImpactLaw {
    /// Solves `impact`. A law that creates energy, or whose problem the solver does not finish, gives way to the next: the
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

fn outcome(impact: &Impact, first: &[usize], attempt: Attempt, applied: Applied) -> Outcome {
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
