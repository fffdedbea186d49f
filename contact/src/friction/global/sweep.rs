//! Block Gauss-Seidel on velocities: each contact reads the velocities of its two bodies, is solved exactly, and changes them.

use super::compiled::{Compiled, Unit, apply, velocity};
use crate::friction::cone::{Cone, worst};

impl Compiled {
    /// One sweep over an island, upwards or downwards in the order of its contacts. With a `relaxation` other than 1, S becomes P_K(S + relaxation dS).
    pub(crate) fn sweep(&mut self, island: usize, upwards: bool, relaxation: f64) {
        let units = self.island(island);
        let count = units.len();
        for k in 0..count {
            let unit = &self.units[if upwards { units.start + k } else { units.end - 1 - k }];
            let u = velocity(unit, &self.rows, &self.bias, &self.v);
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
            apply(unit, &self.rows, &change, &mut self.v);
        }
    }

    /// Largest entry of the natural map of the island as a velocity [m/s]: |S' - P_K(S' - u~')| in scaled units, times
    /// sqrt(W) of its contact.
    pub(crate) fn residual(&self, island: usize) -> f64 {
        self.units[self.island(island)].iter().fold(0.0, |largest, unit| worst(largest, self.miss(unit)))
    }

    /// The contact of an island that misses its law most.
    pub(crate) fn hardest(&self, island: usize) -> Option<usize> {
        let contacts = self.units[self.island(island)].iter().filter(|unit| unit.cone.is_some());
        contacts.max_by(|a, b| self.miss(a).total_cmp(&self.miss(b))).map(|unit| unit.source)
    }

    /// That of a unit.
    fn miss(&self, unit: &Unit) -> f64 {
        let u = velocity(unit, &self.rows, &self.bias, &self.v);
        let s = &self.s[unit.first..unit.first + unit.size];
        let Some(cone) = unit.scaled_cone() else {
            return u[0].abs() * unit.bilateral_weight(&self.rows[unit.first]);
        };
        let (mut scaled_s, mut scaled_u) = ([0.0; 6], [0.0; 6]);
        for i in 0..unit.size {
            let unit = unit.unit(i);
            scaled_s[i] = s[i] / unit;
            scaled_u[i] = u[i] * unit;
        }
        cone.residual(&scaled_s, &scaled_u, 0.0) / unit.unit(0)
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
