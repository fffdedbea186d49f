//! Friction at joints in a step of fixed length.
//!
//! A step has the friction of its end, c_k of each direction k in which surfaces slide ([`configuration`](crate::configuration)): it is repeated with the c_k
//! that it leaves until the forces settle, from those of the step before. mu(v)/v falls with the velocity, so that the rounds come down on the
//! solution from above, as the lagged diffusivity of total variation does (T. F. Chan, P. Mulet, On the convergence of the lagged diffusivity fixed
//! point method in total variation image restoration, SIAM J. Numer. Anal. 36 (1999) 354).

use crate::configuration::Configuration;
use crate::error::Error;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Rounds of a step at most: beyond the hump of mu(v) each takes a part of the error away that does not depend on the step.
const ROUNDS: usize = 40;
/// Change of the forces that does not count, as part of the largest: far below the error of a step, far above round-off of a solve.
const SETTLED: f64 = 1e-9;

/// The friction of a step, and what it follows from.
#[derive(Debug, Clone, Default)]
pub(super) struct Rubbing {
    /// c of each direction [N s/m, N m s] and its rate, of the last round.
    used: Vec<[f64; 2]>,
    next: Vec<[f64; 2]>,
    /// Impulses of forces and friction in this round, six numbers a body.
    pushed: Vec<f64>,
    /// What turning asked for in this step, six numbers a body; empty if nothing.
    spin: Vec<f64>,
    rounds: usize,
    scratch: [Vec<f64>; 2],
}

impl Rubbing {
    pub(super) fn begin_step(&mut self) {
        self.rounds = 0;
        self.spin.clear();
    }

    /// Factors the configuration with the friction of the last round.
    pub(super) fn factor(&self, configuration: &mut Configuration, h: f64) -> Result<(), Error> {
        if configuration.rubs() { configuration.factor_resisted(h, &self.used) } else { configuration.factor() }
    }

    /// Adds -h C u of the velocities that the configuration has to the impulses of forces in `pushed`, six numbers a body.
    pub(super) fn resist(&mut self, configuration: &Configuration, h: f64, pushed: &mut [f64]) {
        if configuration.rubs() {
            configuration.add_resistance(h, &self.used, pushed);
            self.pushed.clear();
            self.pushed.extend_from_slice(pushed);
        }
    }

    /// Notes what turning asks for.
    pub(super) fn add_spin(&mut self, impulse: &[f64]) {
        self.spin.resize(impulse.len(), 0.0);
        self.spin.iter_mut().zip(impulse).for_each(|(sum, more)| *sum += more);
    }

    /// What turning has asked for in this step, if anything.
    pub(super) fn spin(&self) -> Option<&[f64]> {
        Some(self.spin.as_slice()).filter(|spin| !spin.is_empty())
    }

    /// Takes the friction of the velocities that the configuration has and of the reactions of the joints, as accelerations ask for them under the impulses
    /// of contacts that `load` writes as six numbers a body; whether it is another than that of this round.
    pub(super) fn follow(
        &mut self,
        configuration: &mut Configuration,
        load: impl FnOnce(&mut [f64]),
        h: f64,
    ) -> Result<bool, Error> {
        let [top, reactions] = &mut self.scratch;
        top.clone_from(&self.pushed);
        load(top);
        top.iter_mut().zip(&self.spin).for_each(|(sum, spin)| *sum += spin);
        reactions.clear();
        reactions.resize(configuration.row_count(), 0.0);
        configuration.find_reactions_to(top, reactions, h)?;
        configuration.resistances(&mut self.next);
        std::mem::swap(&mut self.used, &mut self.next);
        let force = |[c, rate]: &[f64; 2]| (c * rate).abs();
        let largest = self.used.iter().map(force).fold(0.0, f64::max);
        let change =
            |(k, [c, rate]): (usize, &[f64; 2])| ((c - self.next.get(k).map_or(0.0, |before| before[0])) * rate).abs();
        let settled = self.used.iter().enumerate().map(change).fold(0.0, f64::max) <= SETTLED * largest;
        self.rounds += 1;
        Ok(!settled && self.rounds < ROUNDS)
    }
}

/// The coefficients from which the next step begins.
impl Stored for Rubbing {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.used, to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.used)
    }
}
