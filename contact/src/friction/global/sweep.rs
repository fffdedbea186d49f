//! Block Gauss-Seidel on velocities: each contact reads the velocities of its two bodies, is solved exactly, and changes them.

use super::{
    compiled::{apply, velocity},
    island::Island,
};
use crate::friction::cone::Cone;

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
