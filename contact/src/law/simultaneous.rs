//! Impacts of all contacts at once.
//!
//! Newton: 0 <= S_N _|_ u_N+ + e min(u_N-, 0) >= 0. Poisson: compression 0 <= P_N _|_ u_N^c >= 0, then expansion
//! 0 <= S_N - e P_N _|_ u_N+ >= 0 from u^c. Friction |S_T| <= mu S_N opposes u_T+ (in Poisson's law u_T at the end of each phase).
//! One contact follows Routh's path instead, as its slip may reverse inside the impact.

use super::collision::{Attempt, Impact};
use super::{cone, expansion, restitution::Restitution, routh};
use crate::error::Error;
use nalgebra::{DVector, Matrix3, Vector3};

/// Factors tried for the energetic law, at most.
const TRIALS: usize = 60;
/// The largest factor tried.
const FACTOR_MAX: f64 = 64.0;
/// Part of the work by which the law may be missed: round-off.
const SETTLED: f64 = 1e-15;

pub(super) fn solve(impact: &Impact, first: &[usize], restitution: Restitution) -> Result<Attempt, Error> {
    if let Some(attempt) = alone(impact, first, restitution) {
        return Ok(attempt);
    }
    match restitution {
        Restitution::Newton => {
            let q = DVector::from_fn(impact.rates.len(), |i, _| {
                let e = first.binary_search(&i).map_or(0.0, |c| impact.surfaces[c].restitution);
                impact.rates[i] + e * impact.rates[i].min(0.0)
            });
            once(cone::solve(impact, &q)?)
        }
        Restitution::Poisson => Phases::compress(impact, first)?.expand(1.0).and_then(once),
        Restitution::Energetic => energetic(&Phases::compress(impact, first)?),
    }
}

/// The plastic impact of all: e = 0, which never creates energy.
pub(super) fn plastic(impact: &Impact) -> Result<Attempt, Error> {
    once(cone::solve(impact, &DVector::from_column_slice(impact.rates))?)
}

fn once((impulses, residual): (DVector<f64>, f64)) -> Result<Attempt, Error> {
    Ok(Attempt { impulses, impacts: 1, residual })
}

/// One contact without rolling or spinning friction. `None` for anything else, and where Routh's path does not end.
fn alone(impact: &Impact, first: &[usize], restitution: Restitution) -> Option<Attempt> {
    let [surface] = impact.surfaces else { return None };
    let rows = first[1];
    if rows > 3 {
        return None;
    }
    let entry = |i: usize, j: usize| if i < rows && j < rows { impact.w[(i, j)] } else { f64::from(u8::from(i == j)) };
    let w = Matrix3::from_fn(entry);
    let rates = Vector3::from_fn(|i, _| if i < rows { impact.rates[i] } else { 0.0 });
    let single = routh::impact(&w, &rates, surface.friction, surface.restitution, restitution)?;
    let impulses = DVector::from_column_slice(&single.impulse.as_slice()[..rows]);
    Some(Attempt { impulses, impacts: 1, residual: 0.0 })
}

/// Compression of all contacts, ready to expand.
struct Phases<'a> {
    impact: &'a Impact<'a>,
    first: &'a [usize],
    compression: DVector<f64>,
    /// u at the end of compression.
    rates: DVector<f64>,
}

impl<'a> Phases<'a> {
    fn compress(impact: &'a Impact<'a>, first: &'a [usize]) -> Result<Self, Error> {
        let (compression, _) = cone::solve(impact, &DVector::from_column_slice(impact.rates))?;
        let rates = impact.after(&compression);
        Ok(Self { impact, first, compression, rates })
    }

    /// Impulses of both phases together, those of expansion at least `factor` e times those of compression.
    fn expand(&self, factor: f64) -> Result<(DVector<f64>, f64), Error> {
        let contacts = self.impact.surfaces.iter().zip(self.first);
        let floor: Vec<f64> = contacts.map(|(s, &i)| factor * s.restitution * self.compression[i]).collect();
        if floor.iter().all(|f| *f == 0.0) {
            return Ok((self.compression.clone(), 0.0));
        }
        let (expansion, residual) = if self.impact.surfaces.iter().all(|s| s.friction_rows() == 0) {
            // S = floor + rest, a complementarity problem in the rest.
            let floor = DVector::from_vec(floor);
            let q = &self.rates + self.impact.w * &floor;
            let (rest, residual) = cone::solve(self.impact, &q)?;
            (rest + floor, residual)
        } else {
            expansion::solve(self.impact, &self.rates, &floor, self.first)?
        };
        Ok((&self.compression + expansion, residual))
    }

    /// Work of the normal impulses between two velocities, weighted by contact.
    fn work(
        &self,
        impulses: &DVector<f64>,
        from: &DVector<f64>,
        to: &DVector<f64>,
        weight: impl Fn(usize) -> f64,
    ) -> f64 {
        let normals = self.first[..self.impact.surfaces.len()].iter().enumerate();
        normals.map(|(c, &i)| 0.5 * weight(c) * impulses[i] * (from[i] + to[i])).sum()
    }
}

/// Expansion scaled by the one factor with which the work of expansion is -sum e^2 (work of compression), found by the rule of false
/// position (Illinois), as that work grows with the factor.
fn energetic(phases: &Phases) -> Result<Attempt, Error> {
    let before = DVector::from_column_slice(phases.impact.rates);
    let square = |c: usize| phases.impact.surfaces[c].restitution.powi(2);
    let target = -phases.work(&phases.compression, &before, &phases.rates, square);
    let trial = |factor: f64| -> Result<Trial, Error> {
        let solved = phases.expand(factor)?;
        let expansion = &solved.0 - &phases.compression;
        let work = phases.work(&expansion, &phases.rates, &phases.impact.after(&solved.0), |_| 1.0);
        Ok(Trial { factor, excess: work - target, solved })
    };
    let near = |trial: &Trial| trial.excess.abs() <= SETTLED * target;
    let (mut low, mut high) = (trial(0.0)?, trial(1.0)?);
    while high.excess < 0.0 && high.factor < FACTOR_MAX {
        let factor = 2.0 * high.factor;
        low = std::mem::replace(&mut high, trial(factor)?);
    }
    let (mut below, mut above) = (low.excess, high.excess);
    for _ in 0..TRIALS {
        if near(&high) || high.excess < 0.0 {
            return once(high.solved);
        }
        let factor = low.factor - below * (high.factor - low.factor) / (above - below);
        if near(&low) || !(factor > low.factor && factor < high.factor) {
            break;
        }
        let next = trial(factor)?;
        if next.excess < 0.0 {
            (below, above) = (next.excess, 0.5 * above);
            low = next;
        } else {
            (below, above) = (0.5 * below, next.excess);
            high = next;
        }
    }
    once(low.solved)
}

/// A factor of expansion, the work beyond what the law asks for \[J\], the impulses of both phases and their residual.
struct Trial {
    factor: f64,
    excess: f64,
    solved: (DVector<f64>, f64),
}
