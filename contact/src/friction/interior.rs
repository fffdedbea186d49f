//! The convex problem of contacts whose normal velocities are raised by given s: min 1/2 S^T W S + S^T (q + s e_N) over the cones.
//!
//! Every part of the friction of a contact is a second-order cone p = (mu_k S_N, S_k), a contact without friction a half line p = S_N;
//! together p = G S. Primal-dual path with Mehrotra's predictor on W S + q + s e_N = G^T l, p o l = mu e, in the scaling of Nesterov
//! and Todd: (W + G^T F^-2 G) dS = r is positive definite whatever the rank of W. Ten to twenty steps whatever the masses. With s = 0 this
//! is the associated law (Anitescu), with s = mu |u_T| that of Coulomb.

use super::{
    envelope::Envelope,
    jordan::{Point, Scaling, divide, dot, largest_step, product},
    scaled::{Iterate, Scaled},
    trail::Trail,
};

/// Steps.
const STEPS: usize = 60;
/// Length below which a step is short, and number of short ones in turn at which the path is jammed; and number of steps at which it is
/// if none brought gap and residual below half of what they were, and rows from which on that is not asked: what it still brings is dear
/// to regain.
const SHORT: f64 = 0.03;
const JAMMED: usize = 3;
const LOST: usize = 7;
const LARGE: usize = 200;
/// Impulses of the normals at which the paths of smaller problems begin, over the largest entry of q', which is that of velocities.
const START: f64 = 3.0;
/// Gap at which a path is entered anew, over what the change of s makes of it.
const BACK: f64 = 0.1;
/// Share of the way to the boundary.
const SHARE: f64 = 0.99;

/// One cone: (mu S_N, S_rows).
#[derive(Debug, Clone)]
struct Part {
    mu: f64,
    /// Unknowns: the normal, then those of the part.
    unknowns: [usize; 3],
    dimension: usize,
    p: Point,
    l: Point,
    scaling: Scaling,
    /// F^-1 p = F l.
    middle: Point,
    /// Steps of p and l.
    dp: Point,
    dl: Point,
}

impl Part {
    /// Component of p by its unknown.
    #[inline]
    fn gain(&self, i: usize) -> f64 {
        if i == 0 { self.mu } else { 1.0 }
    }

    /// G x.
    #[inline]
    fn gather(&self, x: &[f64]) -> Point {
        std::array::from_fn(|i| if i < self.dimension { self.gain(i) * x[self.unknowns[i]] } else { 0.0 })
    }

    /// x += factor G^T y.
    #[inline]
    fn scatter(&self, y: &Point, factor: f64, x: &mut [f64]) {
        for i in 0..self.dimension {
            x[self.unknowns[i]] += factor * self.gain(i) * y[i];
        }
    }
}

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    parts: Vec<Part>,
    /// Row of each unknown; rows of parts without friction are no unknowns.
    rows: Vec<usize>,
    s: Vec<f64>,
    step: Vec<f64>,
    /// W S + q + s e_N - G^T l.
    dual: Vec<f64>,
    /// s of each contact.
    lift: Vec<f64>,
    /// Whether s follows u.
    exact: bool,
    /// Unknown of the normal of each contact and the first of its unknowns, and the first unknown with which each unknown is coupled.
    normals: Vec<usize>,
    begins: Vec<usize>,
    reach: Vec<usize>,
    /// W of the unknowns, column by column.
    w: Vec<f64>,
    envelope: Envelope,
    /// Of the last path with given s.
    trail: Trail,
}

impl Room {
    /// At the beginning of a path.
    fn prepare(&mut self, problem: &Scaled) {
        self.trail.clear();
        self.parts.clear();
        self.rows.clear();
        let start = if problem.size > 0.0 { problem.size } else { 1.0 };
        self.reach.clear();
        self.normals.clear();
        self.normals.resize(problem.cones.len(), 0);
        self.begins.clear();
        self.begins.resize(problem.cones.len(), usize::MAX);
        for &contact in &problem.coupling.order {
            let (cone, first, begin) = (&problem.cones[contact], problem.offsets[contact], self.rows.len());
            let frictional = || cone.parts().filter(|part| part.mu > 0.0);
            // The normal comes last: its row alone loses its symmetry, and is eliminated when the friction is.
            let normal = begin + frictional().map(|part| part.rows.len()).sum::<usize>();
            let before = self.parts.len();
            for part in frictional() {
                let mut unknowns = [normal; 3];
                for (k, row) in part.rows.clone().enumerate() {
                    unknowns[k + 1] = self.rows.len();
                    self.rows.push(first + row);
                }
                self.push(part.mu, unknowns, 1 + part.rows.len(), (beginning(problem) * start, start));
            }
            if self.parts.len() == before {
                self.push(1.0, [normal; 3], 1, (beginning(problem) * start, start));
            }
            self.rows.push(first);
            // Neighbours that come later have none yet.
            let neighbours = problem.coupling.neighbours(contact).iter();
            let reach = neighbours.map(|&c| self.begins[c]).min().unwrap_or(begin).min(begin);
            self.reach.resize(self.rows.len(), reach);
            (self.normals[contact], self.begins[contact]) = (normal, begin);
        }
        self.w.clear();
        for &column in &self.rows {
            let column = problem.column(column);
            self.w.extend(self.rows.iter().map(|&row| column[row]));
        }
        self.s.clear();
        self.s.resize(self.rows.len(), 0.0);
        for part in &self.parts {
            self.s[part.unknowns[0]] = beginning(problem) * start;
        }
    }

    /// On the last path, where s that moved so far is small beside the gap. False if it is nowhere.
    fn back(&mut self, problem: &Scaled, moved: f64) -> bool {
        let Some(place) = self.trail.before(BACK * moved * problem.size) else { return false };
        self.s.copy_from_slice(&place.s);
        for (part, &(p, l)) in self.parts.iter_mut().zip(&place.parts) {
            (part.p, part.l) = (p, l);
        }
        true
    }

    fn push(&mut self, mu: f64, unknowns: [usize; 3], dimension: usize, (impulse, start): (f64, f64)) {
        let (p, l) = ([mu * impulse, 0.0, 0.0], [start, 0.0, 0.0]);
        let (scaling, zero) = (Scaling::default(), [0.0; 3]);
        self.parts.push(Part { mu, unknowns, dimension, p, l, scaling, middle: zero, dp: zero, dl: zero });
    }

    /// Duality measure mu = p . l over the number of cones.
    fn gap(&self) -> f64 {
        self.parts.iter().map(|part| dot(&part.p, &part.l)).sum::<f64>() / self.parts.len() as f64
    }

    fn largest_step(&self) -> f64 {
        self.parts
            .iter()
            .fold(1.0, |t, part| t.min(largest_step(&part.p, &part.dp)).min(largest_step(&part.l, &part.dl)))
    }

    /// The step to the right-hand side r_k of each F^-1 dp + F dl, `of` part and its middle. False if there is none.
    fn solve(&mut self, of: impl Fn(&Part) -> Point) -> bool {
        self.step.clear();
        self.step.extend(self.dual.iter().map(|r| -r));
        for part in &mut self.parts {
            // dl of a step that leaves p; the rest follows from dS.
            part.dl = part.scaling.undo(&divide(&part.middle, &of(part)));
            let dl = part.dl;
            part.scatter(&dl, 1.0, &mut self.step);
        }
        let solved = self.envelope.solve(&mut self.step);
        for part in &mut self.parts {
            part.dp = part.gather(&self.step);
            let back = part.scaling.undo(&part.scaling.undo(&part.dp));
            for i in 0..3 {
                part.dl[i] -= back[i];
            }
        }
        solved
    }
}

/// Impulses of the normals at which a path begins, over the largest entry of q', which is that of velocities.
fn beginning(problem: &Scaled) -> f64 {
    if problem.n < LARGE { START } else { 1.0 }
}

/// Solves for given `lift` s of each contact and writes S and u to x, to `target` relative to q'. The last problem solved so had an s that is
/// at most `moved` away; at infinity there was none. Returns the steps.
pub(crate) fn solve(
    problem: &Scaled,
    (lift, moved): (&[f64], f64),
    target: f64,
    x: &mut Iterate,
    room: &mut Room,
) -> usize {
    room.exact = false;
    room.lift.clear();
    room.lift.extend_from_slice(lift);
    if room.back(problem, moved) {
        room.trail.cut(BACK * moved * problem.size);
    } else {
        room.prepare(problem);
    }
    follow(problem, target, 0.0, x, room).0
}

/// Begins the same for s = mu |u_T| itself: s is part of the equations on the path; the matrix loses its symmetry (Acary, Armand, Nguyen,
/// Shpakovych, Optim. Methods Softw. 38 (2023)).
pub(crate) fn begin_exact(problem: &Scaled, room: &mut Room) {
    room.exact = true;
    room.lift.clear();
    room.lift.resize(problem.cones.len(), 0.0);
    room.prepare(problem);
}

/// The same from the path of the last convex problem, whose s is so far from that of its solution. False if it was nowhere near.
pub(crate) fn turn_exact(problem: &Scaled, moved: f64, room: &mut Room) -> bool {
    room.exact = true;
    room.back(problem, moved)
}

/// Goes on along the path: to `target`, or until the measure is at most `near`, or until it jams. Returns the steps, and whether more may
/// be had from it.
pub(crate) fn follow(problem: &Scaled, target: f64, near: f64, x: &mut Iterate, room: &mut Room) -> (usize, bool) {
    let size = if problem.size > 0.0 { problem.size } else { 1.0 };
    let (mut steps, mut short, mut best, mut since) = (0, 0, f64::INFINITY, 0);
    while steps < STEPS && !room.parts.is_empty() && !problem.meter.is_over() {
        let residual = dual_residual(problem, x, room);
        let gap = room.gap();
        if residual <= target * size && gap <= target * size * size {
            return (steps, false);
        }
        if near > 0.0 && problem.measure(x) <= near {
            return (steps, true);
        }
        let left = gap.max(residual * residual);
        if left < 0.5 * best {
            (best, since) = (left, steps);
        }
        let jammed = short >= JAMMED || room.exact && problem.n < LARGE && steps - since >= LOST;
        if jammed || !factor(x, room) {
            return (steps, false);
        }
        problem.meter.spend(room.envelope.work() + room.rows.len() * room.rows.len());
        if !room.exact {
            let parts = room.parts.iter().map(|part| (part.p, part.l));
            room.trail.note(gap, &room.s, parts);
        }
        steps += 1;
        let t = step(target, size, room);
        if !(t > 1e-10) {
            break;
        }
        short = if room.exact && t < SHORT { short + 1 } else { 0 };
        advance(room, t);
    }
    dual_residual(problem, x, room);
    (steps, false)
}

/// Whether the path has been followed to `target`.
pub(crate) fn ended(problem: &Scaled, target: f64, room: &Room) -> bool {
    room.gap() <= target * problem.size * problem.size
}

/// Predictor, then corrector with mu by the cube of what the predictor would leave (Mehrotra), but not below the target: there F^-2 would
/// leave what W does not determine to round-off. Returns the length of the step.
fn step(target: f64, size: f64, room: &mut Room) -> f64 {
    if !room.solve(|part| product(&part.middle, &part.middle).map(|v| -v)) {
        return 0.0;
    }
    let left = 1.0 - room.largest_step();
    let aim = (left * left * left * room.gap()).max(0.1 * target * size * size);
    let solved = room.solve(|part| {
        let (a, b) =
            (product(&part.middle, &part.middle), product(&part.scaling.undo(&part.dp), &part.scaling.apply(&part.dl)));
        [aim - a[0] - b[0], -a[1] - b[1], -a[2] - b[2]]
    });
    if solved { (SHARE * room.largest_step()).min(1.0) } else { 0.0 }
}

fn advance(room: &mut Room, t: f64) {
    for (s, ds) in room.s.iter_mut().zip(&room.step) {
        *s += t * ds;
    }
    for part in &mut room.parts {
        part.p = part.gather(&room.s);
        for i in 0..3 {
            part.l[i] += t * part.dl[i];
        }
    }
}

/// Brings S and u = W S + q into x, fills the dual residual, returns its largest entry.
fn dual_residual(problem: &Scaled, x: &mut Iterate, room: &mut Room) -> f64 {
    x.s.clear();
    x.s.resize(problem.n, 0.0);
    for (&row, &s) in room.rows.iter().zip(&room.s) {
        x.s[row] = s;
    }
    problem.refresh(x);
    if room.exact {
        for (c, cone) in problem.cones.iter().enumerate() {
            let u = &x.u[problem.offsets[c]..problem.offsets[c + 1]];
            room.lift[c] = cone.lift(u);
        }
    }
    room.dual.clear();
    room.dual.extend(room.rows.iter().map(|&row| x.u[row]));
    for (&normal, lift) in room.normals.iter().zip(&room.lift) {
        room.dual[normal] += lift;
    }
    for part in &room.parts {
        part.scatter(&part.l, -1.0, &mut room.dual);
    }
    room.dual.iter().fold(0.0, |worst: f64, r| worst.max(r.abs()))
}

/// Factors W + G^T F^-2 G, with the derivative of s if that follows u.
fn factor(x: &Iterate, room: &mut Room) -> bool {
    let m = room.rows.len();
    for part in &mut room.parts {
        part.scaling = Scaling::new(&part.p, &part.l);
        part.middle = part.scaling.apply(&part.l);
    }
    let (parts, rows, w, exact) = (&room.parts, &room.rows, &room.w, room.exact);
    let fill = |a: &mut Vec<f64>| {
        a.extend_from_slice(w);
        for part in parts {
            let inverse = part.scaling.inverse_square();
            for i in 0..part.dimension {
                for j in 0..part.dimension {
                    let (row, column) = (part.unknowns[i], part.unknowns[j]);
                    a[column * m + row] += part.gain(i) * inverse[i][j] * part.gain(j);
                }
            }
            if exact {
                add_slope(x, part, rows, w, a);
            }
        }
    };
    room.envelope.factor(m, |unknown| room.reach[unknown], fill)
}

/// Adds d(mu |u_k|)/dS to the row of the normal.
fn add_slope(x: &Iterate, part: &Part, rows: &[usize], w: &[f64], a: &mut [f64]) {
    let m = rows.len();
    let tail = &part.unknowns[1..part.dimension];
    let length = tail.iter().map(|&k| x.u[rows[k]].powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return;
    }
    for (a, w) in a.chunks_exact_mut(m).zip(w.chunks_exact(m)) {
        let slope: f64 = tail.iter().map(|&k| x.u[rows[k]] * w[k]).sum();
        a[part.unknowns[0]] += part.mu * slope / length;
    }
}
