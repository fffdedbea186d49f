//! The function whose zeros obey the law (P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353), and its derivatives.
//!
//! With y = S - u in scaled units, a contact is open where y_N <= 0: F = S. Else F_N = u_N, and for each part of the friction
//! F_k = u_k where |y_k| <= mu_k y_N (stick), F_k = S_k - mu_k y_N y_k/|y_k| (slip).

use std::ops::Range;

use super::{
    cone::{Cone, ROWS, norm},
    scaled::{Iterate, Scaled},
};

/// A closed contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closed {
    pub(super) contact: usize,
    /// First of its rows among those of all closed contacts.
    pub(super) begin: usize,
    /// dF/dS at fixed u, dF/du at fixed S.
    pub(super) by_s: [[f64; ROWS]; ROWS],
    pub(super) by_u: [[f64; ROWS]; ROWS],
}

/// Fills F and returns |F|^2.
pub(super) fn merit(problem: &Scaled, x: &Iterate, function: &mut Vec<f64>) -> f64 {
    function.clear();
    function.resize(problem.n, 0.0);
    for (c, cone) in problem.cones.iter().enumerate() {
        let rows = problem.offsets[c]..problem.offsets[c + 1];
        evaluate(cone, &x.s[rows.clone()], &x.u[rows.clone()], &mut function[rows]);
    }
    function.iter().map(|f| f * f).sum()
}

fn evaluate(cone: &Cone, s: &[f64], u: &[f64], function: &mut [f64]) {
    let yn = s[0] - u[0];
    if yn <= 0.0 {
        function.copy_from_slice(s);
        return;
    }
    function[0] = u[0];
    for part in cone.parts() {
        let (length, radius) = (difference(s, u, part.rows.clone()), part.mu * yn);
        for i in part.rows {
            function[i] = if length <= radius { u[i] } else { s[i] - radius * (s[i] - u[i]) / length };
        }
    }
}

/// |S_k - u_k|.
fn difference(s: &[f64], u: &[f64], rows: Range<usize>) -> f64 {
    let mut y = [0.0; 2];
    let count = rows.len();
    for (y, i) in y.iter_mut().zip(rows) {
        *y = s[i] - u[i];
    }
    norm(&y[..count])
}

/// Fills the derivatives of F of each closed contact by its S and by its u.
pub(super) fn differentiate(problem: &Scaled, x: &Iterate, contacts: &mut [Closed]) {
    for closed in contacts {
        let rows = problem.offsets[closed.contact]..problem.offsets[closed.contact + 1];
        (closed.by_s, closed.by_u) = ([[0.0; ROWS]; ROWS], [[0.0; ROWS]; ROWS]);
        closed.by_u[0][0] = 1.0;
        derivatives(&problem.cones[closed.contact], &x.s[rows.clone()], &x.u[rows], closed);
    }
}

/// Those of the friction of a closed contact.
fn derivatives(cone: &Cone, s: &[f64], u: &[f64], closed: &mut Closed) {
    let Closed { by_s, by_u, .. } = closed;
    for part in cone.parts() {
        let (length, radius) = (difference(s, u, part.rows.clone()), part.mu * (s[0] - u[0]));
        if length <= radius {
            part.rows.for_each(|i| by_u[i][i] = 1.0);
            continue;
        }
        // d (mu y_N y_k/|y_k|) = mu d dy_N + mu y_N/|y_k| (I - d d^T) dy_k.
        let direction = |i: usize| (s[i] - u[i]) / length;
        for i in part.rows.clone() {
            let d = direction(i);
            (by_s[i][0], by_u[i][0]) = (-part.mu * d, part.mu * d);
            for j in part.rows.clone() {
                let unit = f64::from(u8::from(i == j));
                by_u[i][j] = radius / length * (unit - d * direction(j));
                by_s[i][j] = unit - by_u[i][j];
            }
        }
    }
}

/// Derivatives of F of all closed contacts by S of one of them: dF/dS + dF/du (W + alpha I), one column of m after the other.
pub(super) fn fill_columns(
    problem: &Scaled,
    alpha: f64,
    (contacts, place): (&[Closed], &[usize]),
    by: &Closed,
    m: usize,
    columns: &mut [f64],
) {
    let (first, size) = (problem.offsets[by.contact], problem.cones[by.contact].size());
    for (k, out) in columns.chunks_exact_mut(m).take(size).enumerate() {
        let column = problem.column(first + k);
        let others = problem.graph.neighbours(by.contact).iter().filter_map(|&c| contacts.get(place[c]));
        for of in others.chain([by]) {
            let (row, count) = (problem.offsets[of.contact], problem.cones[of.contact].size());
            let (column, out) = (&column[row..row + count], &mut out[of.begin..of.begin + count]);
            match count {
                1 => multiply::<1>(&of.by_u, column, out),
                3 => multiply::<3>(&of.by_u, column, out),
                _ => out.iter_mut().zip(&of.by_u).for_each(|(out, by)| *out = row_times(by, column)),
            }
        }
        for i in 0..size {
            out[by.begin + i] += by.by_s[i][k] + alpha * by.by_u[i][k];
        }
    }
}

/// The leading N x N block of `by` times a column of N entries.
#[inline(always)]
fn multiply<const N: usize>(by: &[[f64; ROWS]; ROWS], column: &[f64], out: &mut [f64]) {
    let (column, out) = (&column[..N], &mut out[..N]);
    (0..N).for_each(|i| out[i] = row_times(&by[i], column));
}

#[inline(always)]
fn row_times(by: &[f64; ROWS], column: &[f64]) -> f64 {
    by.iter().zip(column).map(|(by, x)| by * x).sum()
}
