//! Block Gauss-Seidel: contact after contact is solved exactly, the others held (Jean, Comput. Methods Appl. Mech. Eng. 177 (1999)
//! 235).

use super::scaled::{Iterate, Scaled};

/// One sweep over all contacts. Returns the largest change of a velocity by a contact's own impulse, over the largest entry of q'.
pub(crate) fn sweep(problem: &Scaled, x: &mut Iterate) -> f64 {
    let mut largest = 0.0_f64;
    for (c, cone) in problem.cones.iter().enumerate() {
        let rows = problem.offsets[c]..problem.offsets[c + 1];
        let change = problem.blocks[c].solve(cone, &x.s[rows.clone()], &x.u[rows.clone()]);
        for (i, row) in rows.enumerate() {
            if change[i] != 0.0 {
                x.s[row] += change[i];
                x.u.iter_mut().zip(problem.column(row)).for_each(|(u, w)| *u += w * change[i]);
                largest = largest.max(change[i].abs());
            }
        }
    }
    if problem.size > 0.0 { largest / problem.size } else { largest }
}

/// Sweeps until the measure is at most `target`, at most `limit` times; u is made anew before it is measured. Returns the sweeps.
pub(crate) fn sweeps(problem: &Scaled, x: &mut Iterate, limit: usize, target: f64) -> usize {
    for done in 0..limit {
        // A small change says little where sweeps creep: the measure decides, and is asked only when the change allows it.
        if sweep(problem, x) <= 10.0 * target || done % 64 == 63 {
            problem.refresh(x);
            if problem.measure(x) <= target {
                return done + 1;
            }
        }
    }
    problem.refresh(x);
    limit
}
