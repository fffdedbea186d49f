//! The convex problem of contacts with a given De Saxcé correction s of their normal velocities: min 1/2 S^T W S + S^T (q + s e_N) over the cones.
//!
//! Every part of the friction of a contact is a second-order cone p = (mu_k S_N, S_k), a contact without friction a half line p = S_N;
//! together p = G S. Primal-dual path with Mehrotra's predictor on W S + q + s e_N = G^T l, p o l = mu e, in the scaling of Nesterov
//! and Todd: (W + G^T F^-2 G) dS = r is positive definite whatever the rank of W. Ten to twenty steps whatever the masses. With s = 0 this
//! is the associated law (Anitescu), with s = mu |u_T| that of Coulomb.

use super::{
    jordan::{Point, Scaling, divide, dot, largest_step, product},
    scaled::{Iterate, Scaled},
    skyline::Skyline,
};

/// Steps of the path at most.
const STEPS: usize = 60;
/// Length below which a step is short.
const SHORT: f64 = 0.03;
/// Number of short steps in turn at which the path is stalled.
const STALLED: usize = 3;
/// Number of steps at which the path is stalled if none brought gap and residual below half of what they were.
const LOST: usize = 7;
/// Rows from which on that is not asked: what the path still brings is dear to regain.
const LARGE: usize = 200;
/// Impulses of the normals at which the paths of smaller problems begin, over the largest entry of q', which is that of velocities.
const START: f64 = 3.0;
/// Length of a step that leads nowhere: sixty of them change no digit that counts.
const NO_STEP: f64 = 1e-10;
/// Share of the way to the boundary that a step goes at most: impulses stay inside of the cones.
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

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    parts: Vec<Part>,
    /// Row of each unknown; rows of parts without friction are no unknowns.
    rows: Vec<usize>,
    s: Vec<f64>,
    step: Vec<f64>,
    /// W S + q + s e_N - G^T l.
    dual: Vec<f64>,
    /// s of each contact.
    correction: Vec<f64>,
    /// Whether s follows u.
    exact: bool,
    /// Unknown of the normal of each contact and the first of its unknowns, and the first unknown with which each unknown is coupled.
    normals: Vec<usize>,
    begins: Vec<usize>,
    reach: Vec<usize>,
    /// W of the unknowns, column by column.
    w: Vec<f64>,
    skyline: Skyline,
}

impl Workspace {
    /// At the beginning of a path.
    fn prepare(&mut self, problem: &Scaled) {
        self.parts.clear();
        self.rows.clear();
        let start = if problem.size > 0.0 { problem.size } else { 1.0 };
        self.reach.clear();
        self.normals.clear();
        self.normals.resize(problem.cones.len(), 0);
        self.begins.clear();
        self.begins.resize(problem.cones.len(), usize::MAX);
        for &contact in &problem.graph.order {
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
            let neighbours = problem.graph.neighbours(contact).iter();
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

    /// The path goes on with s = mu |u_T|.
    pub(crate) fn turn_exact(&mut self) {
        self.exact = true;
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
        let solved = self.skyline.solve(&mut self.step);
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

/// Begins the path of the cone problem of given s of each contact.
pub(crate) fn begin_cone_problem(problem: &Scaled, correction: &[f64], workspace: &mut Workspace) {
    workspace.exact = false;
    workspace.correction.clear();
    workspace.correction.extend_from_slice(correction);
    workspace.prepare(problem);
}

/// Begins that of the associated law, s = 0.
pub(crate) fn begin_associated(problem: &Scaled, workspace: &mut Workspace) {
    workspace.exact = false;
    workspace.correction.clear();
    workspace.correction.resize(problem.cones.len(), 0.0);
    workspace.prepare(problem);
}

/// Begins that of s = mu |u_T| itself: s is part of the equations on the path; the matrix loses its symmetry (V. Acary, P. Armand, H. M. Nguyen,
/// M. Shpakovych, Optim. Methods Softw. 38 (2023)).
pub(crate) fn begin_exact(problem: &Scaled, workspace: &mut Workspace) {
    begin_associated(problem, workspace);
    workspace.turn_exact();
}

/// Where a path is left before its target.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stop {
    /// Nowhere.
    Target,
    /// Where the measure is so small; zero is nowhere.
    Measure(f64),
    /// Where the gap is so small.
    Gap(f64),
}

/// Goes on along the path: to `target` relative to q', or to where it is to stop, or until it stalls; writes S and u to x. Returns the steps, and
/// whether more may be had from it.
pub(crate) fn follow(
    problem: &Scaled,
    target: f64,
    stop: Stop,
    x: &mut Iterate,
    workspace: &mut Workspace,
) -> (usize, bool) {
    let size = if problem.size > 0.0 { problem.size } else { 1.0 };
    let (mut steps, mut short, mut best, mut since) = (0, 0, f64::INFINITY, 0);
    while steps < STEPS && !workspace.parts.is_empty() && !problem.meter.is_over() {
        let residual = dual_residual(problem, x, workspace);
        let gap = workspace.gap();
        if residual <= target * size && gap <= target * size * size {
            return (steps, false);
        }
        let stopped = match stop {
            Stop::Target => false,
            Stop::Measure(near) => near > 0.0 && problem.measure(x) <= near,
            // A path begins far from its equations, too.
            Stop::Gap(small) => gap <= small && residual <= size,
        };
        if stopped {
            return (steps, true);
        }
        let left = gap.max(residual * residual);
        if left < 0.5 * best {
            (best, since) = (left, steps);
        }
        let stalled = short >= STALLED || workspace.exact && problem.n < LARGE && steps - since >= LOST;
        if stalled || !factor(x, workspace) {
            return (steps, false);
        }
        problem.meter.spend(workspace.skyline.work() + workspace.rows.len() * workspace.rows.len());
        steps += 1;
        let t = step(target, size, workspace);
        if !(t > NO_STEP) {
            break;
        }
        short = if workspace.exact && t < SHORT { short + 1 } else { 0 };
        advance(workspace, t);
    }
    dual_residual(problem, x, workspace);
    (steps, false)
}

/// Whether the path has been followed to `target`.
pub(crate) fn ended(problem: &Scaled, target: f64, workspace: &Workspace) -> bool {
    workspace.gap() <= target * problem.size * problem.size
}

/// Predictor, then corrector with mu by the cube of what the predictor would leave (Mehrotra), but not below the target: there F^-2 would
/// leave what W does not determine to round-off. Returns the length of the step.
fn step(target: f64, size: f64, workspace: &mut Workspace) -> f64 {
    if !workspace.solve(|part| product(&part.middle, &part.middle).map(|v| -v)) {
        return 0.0;
    }
    let left = 1.0 - workspace.largest_step();
    let aim = (left * left * left * workspace.gap()).max(0.1 * target * size * size);
    let solved = workspace.solve(|part| {
        let (a, b) =
            (product(&part.middle, &part.middle), product(&part.scaling.undo(&part.dp), &part.scaling.apply(&part.dl)));
        [aim - a[0] - b[0], -a[1] - b[1], -a[2] - b[2]]
    });
    if solved { (SHARE * workspace.largest_step()).min(1.0) } else { 0.0 }
}

fn advance(workspace: &mut Workspace, t: f64) {
    for (s, ds) in workspace.s.iter_mut().zip(&workspace.step) {
        *s += t * ds;
    }
    for part in &mut workspace.parts {
        part.p = part.gather(&workspace.s);
        for i in 0..3 {
            part.l[i] += t * part.dl[i];
        }
    }
}

/// Brings S and u = W S + q into x, fills the dual residual, returns its largest entry.
fn dual_residual(problem: &Scaled, x: &mut Iterate, workspace: &mut Workspace) -> f64 {
    x.s.clear();
    x.s.resize(problem.n, 0.0);
    for (&row, &s) in workspace.rows.iter().zip(&workspace.s) {
        x.s[row] = s;
    }
    problem.refresh(x);
    if workspace.exact {
        for (c, cone) in problem.cones.iter().enumerate() {
            let u = &x.u[problem.offsets[c]..problem.offsets[c + 1]];
            workspace.correction[c] = cone.correction(u);
        }
    }
    workspace.dual.clear();
    workspace.dual.extend(workspace.rows.iter().map(|&row| x.u[row]));
    for (&normal, correction) in workspace.normals.iter().zip(&workspace.correction) {
        workspace.dual[normal] += correction;
    }
    for part in &workspace.parts {
        part.scatter(&part.l, -1.0, &mut workspace.dual);
    }
    workspace.dual.iter().fold(0.0, |worst: f64, r| worst.max(r.abs()))
}

/// Factors W + G^T F^-2 G, with the derivative of s if that follows u.
fn factor(x: &Iterate, workspace: &mut Workspace) -> bool {
    let m = workspace.rows.len();
    for part in &mut workspace.parts {
        part.scaling = Scaling::new(&part.p, &part.l);
        part.middle = part.scaling.apply(&part.l);
    }
    let (parts, rows, w, exact) = (&workspace.parts, &workspace.rows, &workspace.w, workspace.exact);
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
    workspace.skyline.factor(m, |unknown| workspace.reach[unknown], fill)
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
