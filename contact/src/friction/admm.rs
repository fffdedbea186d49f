//! Augmented Lagrangian by alternating directions: S = (W + rho I)^-1 (rho (z - y) - q - s e_N), z = P_K(S + y), y += S - z.
//!
//! One factorization for all iterations; s = mu |u_T| follows the iterates, so that a limit obeys the law of Coulomb itself (Tasora,
//! Mangoni, Benatti, Garziera, Comput. Methods Appl. Mech. Eng. 386 (2021) 114072).

use super::scaled::{Iterate, Scaled};
use crate::dense::Cholesky;

/// Iterations between looks at the measure.
const LOOK: usize = 20;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    cholesky: Cholesky,
    s: Vec<f64>,
    y: Vec<f64>,
    trial: Iterate,
}

/// Iterates from x, which becomes the best point seen, until the measure is at most `target`. Returns the iterations.
pub(crate) fn admm(problem: &Scaled, x: &mut Iterate, limit: usize, target: f64, rho: f64, room: &mut Room) -> usize {
    let n = problem.n;
    let fill = |a: &mut [f64]| {
        a.copy_from_slice(&problem.w);
        (0..n).for_each(|i| a[i * n + i] += rho);
    };
    if !room.cholesky.factor(n, 0.0, fill) {
        return 0;
    }
    problem.meter.spend(n * n * n / 3);
    room.trial.copy_from(x);
    // At a solution rho y = -u~, by which the iteration begins.
    room.y.clear();
    room.y.extend(x.u.iter().map(|u| -u / rho));
    let mut least = problem.measure(x);
    for done in 1..=limit {
        room.s.clear();
        room.s.extend((0..n).map(|i| rho * (room.trial.s[i] - room.y[i]) - problem.q[i]));
        for (c, cone) in problem.cones.iter().enumerate() {
            let rows = problem.offsets[c]..problem.offsets[c + 1];
            room.s[rows.start] -= cone.lift(&room.trial.u[rows.clone()]);
        }
        problem.meter.spend(n * n);
        room.cholesky.solve(&mut room.s);
        for (c, cone) in problem.cones.iter().enumerate() {
            let rows = problem.offsets[c]..problem.offsets[c + 1];
            for i in rows.clone() {
                room.trial.s[i] = room.s[i] + room.y[i];
            }
            cone.project(&mut room.trial.s[rows.clone()]);
            for i in rows {
                room.y[i] += room.s[i] - room.trial.s[i];
            }
        }
        problem.refresh(&mut room.trial);
        if done % LOOK == 0 || done == limit {
            let measure = problem.measure(&room.trial);
            if measure < least {
                least = measure;
                x.copy_from(&room.trial);
            }
            if least <= target || problem.meter.is_over() {
                return done;
            }
        }
    }
    limit
}
