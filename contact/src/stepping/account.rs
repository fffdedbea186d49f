//! Restitution and energy of an impact, of reduced and body-space form alike.
//!
//! The account of a step is E = S^T ((u+ + u~)/2 + (theta - 1/2) h a) - Q^T dq ([`super::impact`]), u~ the velocities without impulses, h a = u~ - u.
//! Where velocities asked for would make it positive, or cannot be had, all rebounds are lowered by the one factor that leaves no gain.

use crate::error::Error;

/// Problems solved in search of the factor of the rebounds.
const LOWERINGS: usize = 24;
/// How many times what counts as no energy may be lost beyond what the law loses, as the factor is not found exactly.
const ENOUGH: f64 = 100.0;
/// Distance of two factors that are one; and the same where what is above cannot be had at all.
const NARROW: f64 = 1e-12;
const UNKNOWN: f64 = 1e-2;

/// Energy that impulses give the bodies, and the size of its terms \[J\].
#[derive(Debug, Clone, Copy)]
pub(super) struct Account {
    pub(super) gain: f64,
    /// The part of it that friction has.
    pub(super) friction: f64,
    size: f64,
}

impl Account {
    /// Of no impulses yet, on bodies whom contacts gave the energy `lifted` by moving them.
    pub(super) fn new(lifted: f64) -> Self {
        Self { gain: lifted, friction: 0.0, size: lifted.abs() }
    }

    /// Adds the impulse of a row, of friction or normal, whose velocity was, is without impulses and is with them; `shift` is theta - 1/2.
    pub(super) fn add(&mut self, impulse: f64, [before, free, after]: [f64; 3], shift: f64, is_friction: bool) {
        let gain = impulse * (0.5 * (free + after) + shift * (free - before));
        self.gain += gain;
        self.friction += if is_friction { gain } else { 0.0 };
        self.size += (impulse * free).abs() + (impulse * (after - free)).abs();
    }

    /// What of the gain may be error, as a part of the size of its terms.
    fn allowed(&self, part: f64) -> f64 {
        part * self.size
    }
}

/// An impact whose rebounds are asked for, in one of the two forms.
pub(super) trait Rebounds {
    /// Energy that the solver may leave, as part of the work of all impulses.
    const LEFT: f64;
    /// Residual of a problem that counts as not solved.
    const UNSOLVED: f64;

    /// Solves for the velocities asked for times `factor`; the residual.
    fn attempt(&mut self, factor: f64) -> Result<f64, Error>;
    /// The account of the impulses found last.
    fn account(&self) -> Account;
    /// Takes the impulse of an energetic law instead, where there is one.
    fn follow_path(&mut self) -> bool {
        false
    }
}

/// Solves an impact with the velocities asked for, or lower ones where these would create energy or cannot be had. Returns the residual, and whether
/// lower ones took their place.
pub(super) fn collide<R: Rebounds>(rebounds: &mut R, asks: bool) -> Result<(f64, bool), Error> {
    let residual = rebounds.attempt(1.0)?;
    let account = rebounds.account();
    let solved = residual <= R::UNSOLVED;
    if !asks || solved && account.gain <= account.allowed(R::LEFT) {
        return Ok((residual, false));
    }
    if rebounds.follow_path() {
        let account = rebounds.account();
        if account.gain <= account.allowed(R::LEFT) {
            return Ok((0.0, true));
        }
    }
    Ok((lower(rebounds, if solved { account.gain } else { f64::INFINITY })?, true))
}

/// The largest factor of all rebounds without gain; the residual with it.
fn lower<R: Rebounds>(rebounds: &mut R, asked: f64) -> Result<f64, Error> {
    let (mut factor, mut tried, mut residual) = (Factor { low: [0.0; 2], high: [1.0, asked] }, 1.0, f64::INFINITY);
    for _ in 0..LOWERINGS {
        tried = factor.next();
        residual = rebounds.attempt(tried)?;
        let account = rebounds.account();
        let allowed = account.allowed(R::LEFT);
        let gain = if residual <= R::UNSOLVED { account.gain } else { f64::INFINITY };
        factor.learn(tried, gain, allowed);
        if gain <= allowed && gain >= -ENOUGH * allowed || factor.narrow() {
            break;
        }
    }
    if tried == factor.low[0] { Ok(residual) } else { rebounds.attempt(factor.low[0]) }
}

/// The factor of the rebounds between one without gain and one with, closed in on by the rule of false position (Illinois).
#[derive(Debug, Clone, Copy)]
struct Factor {
    low: [f64; 2],
    high: [f64; 2],
}

impl Factor {
    fn next(&self) -> f64 {
        let ([a, ga], [b, gb]) = (self.low, self.high);
        let chord = a - ga * (b - a) / (gb - ga);
        let inside = gb.is_finite() && chord > a && chord < b;
        if inside { chord } else { 0.5 * (a + b) }
    }

    fn learn(&mut self, factor: f64, gain: f64, allowed: f64) {
        if gain <= allowed {
            self.low = [factor, gain.min(0.0)];
            self.high[1] *= 0.5;
        } else {
            self.high = [factor, gain];
            self.low[1] *= 0.5;
        }
    }

    /// Whether the two are as near as matters.
    fn narrow(&self) -> bool {
        self.high[0] - self.low[0] <= if self.high[1].is_finite() { NARROW } else { UNKNOWN }
    }
}
