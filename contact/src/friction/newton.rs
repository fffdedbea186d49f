//! Nonsmooth Newton on the function of Alart and Curnier (Comput. Methods Appl. Mech. Eng. 92 (1991) 353), with a line search.
//!
//! With y = S - u in scaled units, a contact is open where y_N <= 0: F = S. Else F_N = u_N, and for each part of the friction
//! F_k = u_k where |y_k| <= mu_k y_N (stick), F_k = S_k - mu_k y_N y_k/|y_k| (slip). Open contacts leave the linear system. Where
//! W is singular, S is not unique and W + alpha I takes its place in the Jacobian alone, alpha falling with the residual: the
//! equation solved stays the one given, and the step stays small along what the contacts leave open.

use std::ops::Range;

use super::{
    cone::{Cone, ROWS, norm},
    scaled::{Iterate, Scaled},
};
use crate::dense::Lu;

/// Bounds of alpha.
const ALPHA: (f64, f64) = (1e-11, 1e-2);
/// Halvings of a step.
const HALVINGS: usize = 12;
/// Full steps after the line search.
const UNDAMPED: usize = 15;
/// Smallest measure worth asking for.
const FLOOR: f64 = 1e-15;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    lu: Lu,
    /// Rows of closed contacts.
    closed: Vec<usize>,
    /// Contact of each of these rows.
    owner: Vec<usize>,
    step: Vec<f64>,
    rate: Vec<f64>,
    function: Vec<f64>,
    trial: Iterate,
    best: Iterate,
}

/// Iterates from x, which becomes the best point seen: with the line search, and where that finds no way, with full steps, which may
/// lead uphill and behind it. Stops when the measure no longer falls below `target`. Returns the iterations.
pub(crate) fn newton(problem: &Scaled, x: &mut Iterate, limit: usize, target: f64, room: &mut Room) -> usize {
    let mut least = problem.measure(x);
    room.best.copy_from(x);
    let done = iterate(problem, x, limit, target, true, &mut least, room);
    if least <= target {
        return done;
    }
    done + iterate(problem, x, limit.min(UNDAMPED), target, false, &mut least, room)
}

fn iterate(
    problem: &Scaled,
    x: &mut Iterate,
    limit: usize,
    target: f64,
    damped: bool,
    least: &mut f64,
    room: &mut Room,
) -> usize {
    let mut done = 0;
    while done < limit && *least > FLOOR {
        done += 1;
        let measure = problem.measure(x);
        if !step(problem, x, measure, damped, room) {
            break;
        }
        let measure = problem.measure(x);
        if measure < *least {
            let enough = *least <= target && measure > 0.1 * *least;
            *least = measure;
            room.best.copy_from(x);
            if enough {
                break;
            }
        } else if *least <= target {
            break;
        }
    }
    x.copy_from(&room.best);
    done
}

/// One step, with its line search if `damped`; false if none was found.
fn step(problem: &Scaled, x: &mut Iterate, measure: f64, damped: bool, room: &mut Room) -> bool {
    // Open contacts carry nothing: exactly their equation, and they need no unknowns.
    if let Some(()) = open_contacts(problem, x) {
        problem.refresh(x);
    }
    collect_closed(problem, x, room);
    let merit = merit(problem, x, &mut room.function);
    if merit == 0.0 || room.closed.is_empty() {
        return false;
    }
    let alpha = measure.clamp(ALPHA.0, ALPHA.1);
    if !direction(problem, x, alpha, room) {
        return false;
    }
    room.rate.clear();
    room.rate.resize(problem.n, 0.0);
    problem.add_product(&room.step, &mut room.rate);
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        room.trial.s.clear();
        room.trial.u.clear();
        room.trial.s.extend(x.s.iter().zip(&room.step).map(|(s, ds)| s + length * ds));
        room.trial.u.extend(x.u.iter().zip(&room.rate).map(|(u, du)| u + length * du));
        if !damped || self::merit(problem, &room.trial, &mut room.function) <= (1.0 - 1e-4 * length) * merit {
            std::mem::swap(&mut x.s, &mut room.trial.s);
            problem.refresh(x);
            return true;
        }
        length *= 0.5;
    }
    false
}

/// Empties the contacts that are open; says whether any changed.
fn open_contacts(problem: &Scaled, x: &mut Iterate) -> Option<()> {
    let mut changed = None;
    for c in 0..problem.cones.len() {
        let rows = problem.offsets[c]..problem.offsets[c + 1];
        if x.s[rows.start] - x.u[rows.start] <= 0.0 && x.s[rows.clone()].iter().any(|&s| s != 0.0) {
            x.s[rows].fill(0.0);
            changed = Some(());
        }
    }
    changed
}

fn collect_closed(problem: &Scaled, x: &Iterate, room: &mut Room) {
    room.closed.clear();
    room.owner.clear();
    for c in 0..problem.cones.len() {
        let rows = problem.offsets[c]..problem.offsets[c + 1];
        if x.s[rows.start] - x.u[rows.start] > 0.0 {
            room.owner.extend(rows.clone().map(|_| c));
            room.closed.extend(rows);
        }
    }
}

/// Fills F and returns |F|^2.
fn merit(problem: &Scaled, x: &Iterate, function: &mut Vec<f64>) -> f64 {
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

/// Solves for the step from F in `function`; false if the Jacobian is singular.
fn direction(problem: &Scaled, x: &Iterate, alpha: f64, room: &mut Room) -> bool {
    let m = room.closed.len();
    let (closed, owner) = (&room.closed, &room.owner);
    let fill = |a: &mut [f64]| {
        for (column, &j) in closed.iter().enumerate() {
            fill_column(problem, x, alpha, (closed, owner), (j, owner[column]), &mut a[column * m..(column + 1) * m]);
        }
    };
    if !room.lu.factor(m, 0.0, fill) {
        return false;
    }
    // The front of `rate` holds the right-hand side.
    room.rate.clear();
    room.rate.extend(closed.iter().map(|&row| -room.function[row]));
    room.lu.solve(&mut room.rate);
    room.step.clear();
    room.step.resize(problem.n, 0.0);
    for (&row, &value) in closed.iter().zip(&room.rate) {
        room.step[row] = value;
    }
    room.step.iter().all(|value| value.is_finite())
}

/// Derivative of F of the closed contacts by S_j, j a row of contact `owner_j`.
fn fill_column(
    problem: &Scaled,
    x: &Iterate,
    alpha: f64,
    (closed, owner): (&[usize], &[usize]),
    (j, owner_j): (usize, usize),
    out: &mut [f64],
) {
    let column = problem.column(j);
    let mut k = 0;
    while k < closed.len() {
        let c = owner[k];
        let (first, size) = (closed[k], problem.cones[c].size());
        let (mut ds, mut du) = ([0.0; ROWS], [0.0; ROWS]);
        du[..size].copy_from_slice(&column[first..first + size]);
        if c == owner_j {
            ds[j - first] = 1.0;
            du[j - first] += alpha;
        }
        let rows = first..first + size;
        derivative(&problem.cones[c], &x.s[rows.clone()], &x.u[rows], &ds, &du, &mut out[k..k + size]);
        k += size;
    }
}

/// dF of a closed contact along (ds, du).
fn derivative(cone: &Cone, s: &[f64], u: &[f64], ds: &[f64; ROWS], du: &[f64; ROWS], out: &mut [f64]) {
    out[0] = du[0];
    let (yn, dyn_) = (s[0] - u[0], ds[0] - du[0]);
    for part in cone.parts() {
        let (length, radius) = (difference(s, u, part.rows.clone()), part.mu * yn);
        if length <= radius {
            out[part.rows.clone()].copy_from_slice(&du[part.rows]);
            continue;
        }
        // d (mu y_N y_k/|y_k|) = mu d dy_N + mu y_N/|y_k| (I - d d^T) dy_k.
        let along: f64 = part.rows.clone().map(|i| (s[i] - u[i]) / length * (ds[i] - du[i])).sum();
        for i in part.rows {
            let d = (s[i] - u[i]) / length;
            out[i] = ds[i] - part.mu * d * dyn_ - radius / length * (ds[i] - du[i] - d * along);
        }
    }
}
