//! An island of moderate size in cone form, W = J M^-1 J^T after all, for contacts that slip and turn each other's normal forces:
//! nonsmooth Newton on the exact law from where the augmented Lagrangian stopped, then the fixed point over convex problems.

use super::compiled::{Compiled, Unit, dot};
use crate::friction::{
    block::Block,
    convex, newton,
    scaled::{Iterate, Scaled},
};

/// Newton iterations before the fixed point over convex problems has its turn.
const ITERATIONS: usize = 30;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dense {
    problem: Scaled,
    x: Iterate,
    newton: newton::Room,
    convex: convex::Room,
}

impl Dense {
    /// Solves an island of at most `limit` rows, none of them bilateral, from its impulses, which become the answer, to `tolerance`
    /// [m/s]. Returns the iterations, 0 if it is not for this method.
    pub(crate) fn solve(&mut self, compiled: &mut Compiled, island: usize, tolerance: f64, limit: usize) -> usize {
        let range = compiled.island(island);
        let units = &compiled.units[range.clone()];
        let rows: usize = units.iter().map(|unit| unit.size).sum();
        if rows > limit || units.iter().any(|unit| unit.cone.is_none()) {
            return 0;
        }
        self.assemble(compiled, units, rows);
        self.x.s.clear();
        for unit in units {
            self.x.s.extend((0..unit.size).map(|i| compiled.s[unit.first + i] / unit.unit(i)));
        }
        self.problem.refresh(&mut self.x);
        // The largest scale of a velocity decides how small the measure must be.
        let unit = units.iter().map(|unit| unit.unit(0)).fold(f64::INFINITY, f64::min);
        let target = 0.1 * tolerance * unit / self.problem.size.max(f64::MIN_POSITIVE);
        let mut done = newton::newton(&self.problem, &mut self.x, ITERATIONS, target, &mut self.newton);
        if self.problem.measure(&self.x) > target {
            done += convex::fixed_point(&self.problem, &mut self.x, target, target, &mut self.convex, &mut self.newton);
        }
        let mut at = 0;
        for unit in &compiled.units[range] {
            for i in 0..unit.size {
                compiled.s[unit.first + i] = self.x.s[at + i] * unit.unit(i);
            }
            if let Some(cone) = unit.cone {
                cone.project(&mut compiled.s[unit.first..unit.first + unit.size]);
            }
            at += unit.size;
        }
        done
    }

    /// W' and q' of the units.
    fn assemble(&mut self, compiled: &Compiled, units: &[Unit], n: usize) {
        let problem = &mut self.problem;
        problem.reset(n);
        let mut column = 0;
        for (k, b) in units.iter().enumerate() {
            let mut row = column;
            for a in &units[k..] {
                if a.bodies.iter().any(|body| b.bodies.contains(body)) {
                    for i in 0..a.size {
                        for j in 0..b.size {
                            let w = coupling(compiled, (a, i), (b, j)) * a.unit(i) * b.unit(j);
                            problem.w[(column + j) * n + row + i] = w;
                            problem.w[(row + i) * n + column + j] = w;
                        }
                    }
                }
                row += a.size;
            }
            column += b.size;
        }
        let mut first = 0;
        for unit in units {
            let cone = unit.scaled_cone().unwrap_or_else(crate::friction::Cone::smooth);
            let block = Block::new(&cone, |i, j| problem.w[(first + j) * n + first + i]);
            let free = free_velocity(compiled, unit);
            problem.push(cone, block, &free[..unit.size]);
            first += unit.size;
        }
    }
}

/// u' of a unit without any impulse.
fn free_velocity(compiled: &Compiled, unit: &Unit) -> [f64; 6] {
    let mut u = super::compiled::velocity(unit, &compiled.rows, &compiled.bias, &compiled.free);
    for (i, u) in u.iter_mut().enumerate().take(unit.size) {
        *u *= unit.unit(i);
    }
    u
}

/// Entry of J M^-1 J^T of two rows.
fn coupling(compiled: &Compiled, (a, i): (&Unit, usize), (b, j): (&Unit, usize)) -> f64 {
    let (x, y) = (&compiled.rows[a.first + i], &compiled.rows[b.first + j]);
    let mut sum = 0.0;
    for (side, body) in a.bodies.iter().enumerate() {
        for (other, shared) in b.bodies.iter().enumerate() {
            if body != shared {
                continue;
            }
            let sign = if side == other { 1.0 } else { -1.0 };
            sum += sign * a.inverse_mass[side] * dot(&x.g, &y.g);
            sum += dot(if side == 0 { &x.gi } else { &x.gj }, if other == 0 { &y.mi } else { &y.mj });
        }
    }
    sum
}
