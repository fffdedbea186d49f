//! The start of a run at order 2: second derivatives of positions from the accelerations that are known there.
//!
//! x'' = V', and from omega = G(e) e' follows e'' = G^-1 (omega' - d(G e')/de e'). Second derivatives of velocities and multipliers are not
//! known; they are left at 0, and to the error test. At rest without damping those of velocities are 0.

use super::equations::{Equations, at, put};

impl Equations {
    /// Writes y'' at (y, y') to `ypp`, as far as it is known; returns the first step of order 2 \[s\].
    pub(super) fn begin_at_order_2(&self, y: &[f64], yp: &[f64], ypp: &mut [f64]) -> f64 {
        let l = self.layout;
        ypp.fill(0.0);
        let mut accelerations = [0.0_f64; 2];
        for b in 0..l.bodies {
            let (e, rates) = (self.charts[b].euler(&y[l.e(b)..l.e(b) + 3]), at(yp, l.e(b)));
            let (a, alpha) = (at(yp, l.v(b)), at(yp, l.w(b)));
            put(ypp, l.x(b), &a);
            put(ypp, l.e(b), &e.rates(&(alpha - e.rate_gradient(rates.as_slice()) * rates)));
            accelerations = [accelerations[0].max(a.norm()), accelerations[1].max(alpha.norm())];
        }
        self.sizes.first_step_of_order_2(accelerations)
    }
}
