//! Block Gauss-Seidel on velocities: each contact reads the velocities of its two bodies, is solved exactly, and changes them.

use super::{
    compiled::{apply, velocity},
    island::Island,
};
use crate::budget::Meter;
use crate::friction::{anderson::Anderson, cone::Cone};

/// Sweeps that count as one step of a fixed point.
const EVERY: usize = 10;
/// Sweeps in which the residual must fall to a half for others to follow.
const WINDOW: usize = 50;

/// Many sweeps: a fixed point, which Anderson's method accelerates.
#[derive(Debug, Clone, Default)]
pub(super) struct Many {
    anderson: Anderson,
    /// Impulses before some sweeps, and what the acceleration makes of those after them.
    start: Vec<f64>,
    next: Vec<f64>,
    best: Vec<f64>,
}

impl Many {
    /// Sweeps over an island until its residual is at most `target`, at most `limit` times; it ends at the best point. Returns that residual and the
    /// sweeps.
    pub(super) fn sweep(&mut self, island: &mut Island<'_>, target: f64, limit: usize, meter: &Meter) -> (f64, usize) {
        let Self { anderson, start, next, best } = self;
        anderson.restart();
        island.save(best);
        let (mut done, mut before, mut least) = (0, f64::INFINITY, island.residual());
        let mut earlier = least;
        while done < limit && least > target && !meter.is_over() {
            start.clear();
            start.extend_from_slice(island.s);
            (0..EVERY).for_each(|k| island.sweep(k % 2 == 0, 1.0));
            done += EVERY;
            meter.spend((EVERY + 2) * island.sweep_work());
            let residual = island.residual();
            if residual < least {
                least = residual;
                island.save(best);
            }
            if done.is_multiple_of(WINDOW) {
                if least > 0.5 * earlier {
                    break;
                }
                earlier = least;
            }
            let moved =
                island.s.iter().zip(&*start).map(|(after, before)| (after - before).powi(2)).sum::<f64>().sqrt();
            // Beyond all range there is no way back.
            if !moved.is_finite() {
                break;
            }
            if moved > before {
                anderson.restart();
            }
            before = moved;
            next.clear();
            next.extend_from_slice(island.s);
            anderson.accelerate(start, next);
            island.s.copy_from_slice(next);
            for unit in &*island.units {
                if let Some(cone) = unit.cone {
                    cone.project(&mut island.s[unit.first..unit.first + unit.size]);
                }
            }
            island.refresh();
        }
        island.restore(best);
        (least, done)
    }
}

impl Island<'_> {
    /// One sweep over an island, upwards or downwards in the order of its contacts. With a `relaxation` other than 1, S becomes P_K(S + relaxation dS).
    pub(crate) fn sweep(&mut self, upwards: bool, relaxation: f64) {
        let count = self.units.len();
        for k in 0..count {
            let unit = &self.units[if upwards { k } else { count - 1 - k }];
            let u = velocity(unit, self.rows, self.bias, self.v);
            let s = &mut self.s[unit.first..unit.first + unit.size];
            let mut change = [0.0; 6];
            match &unit.cone {
                Some(cone) => change = unit.block.solve(cone, s, &u),
                None if unit.block.normal() > 0.0 => change[0] = -u[0] / unit.block.normal(),
                None => continue,
            }
            if relaxation != 1.0 {
                relax(unit.cone.as_ref(), s, relaxation, &mut change);
            }
            for i in 0..unit.size {
                s[i] += change[i];
            }
            apply(unit, self.rows, &change, self.v);
        }
    }
}

/// Stretches a change of the impulses s, as far as the cone goes.
fn relax(cone: Option<&Cone>, s: &[f64], relaxation: f64, change: &mut [f64; 6]) {
    let mut target = [0.0; 6];
    for (i, s) in s.iter().enumerate() {
        target[i] = s + relaxation * change[i];
    }
    if let Some(cone) = cone {
        cone.project(&mut target);
    }
    for (i, s) in s.iter().enumerate() {
        change[i] = target[i] - s;
    }
}
