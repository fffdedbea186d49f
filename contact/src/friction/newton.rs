//! Nonsmooth Newton on the function F of Alart and Curnier, with a line search.
//!
//! Open contacts leave the linear system. Where W is singular, S is not unique and W + alpha I takes its place in the Jacobian alone,
//! alpha falling with the residual: the equation solved stays the one given, and the step stays small along what the contacts leave open.

use super::{
    alart_curnier::{Closed, differentiate, fill_columns, merit},
    cone::{ROWS, worst},
    scaled::{Iterate, Scaled},
    skyline::Skyline,
};

/// Bounds of alpha.
const ALPHA: (f64, f64) = (1e-11, 1e-2);
/// Halvings of a step at most, in the line search.
const HALVINGS: usize = 12;
/// Full steps at most, where the line search has ended.
const UNDAMPED: usize = 15;
/// Iterations without a point that is better by the factor `WORTH`, after which there is nothing more to be had.
const PATIENCE: usize = 3;
/// The same of a patient effort.
const LONG_PATIENCE: usize = 5;
/// Factor of the measure by which a point is better.
const WORTH: f64 = 0.7;
/// Factor of the measure by which an iteration is so good that it does not count.
const FAST: f64 = 0.5;
/// Share of the first measure that the line search must leave at most, for full steps to be tried after it.
const HOPE: f64 = 0.3;
/// Part of the fall that the slope promises (Armijo's rule; J. Nocedal, S. Wright, Numerical Optimization, 2006, section 3.1).
const DESCENT: f64 = 1e-4;
/// Smallest measure worth asking for.
const FLOOR: f64 = 1e-15;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    skyline: Skyline,
    /// Closed contacts in the order of their coupling.
    contacts: Vec<Closed>,
    /// Place of each contact among them.
    place: Vec<usize>,
    /// Rows of closed contacts.
    closed: Vec<usize>,
    /// First column of each of these rows.
    reach: Vec<usize>,
    step: Vec<f64>,
    rate: Vec<f64>,
    function: Vec<f64>,
    trial: Iterate,
    best: Iterate,
}

/// delta D of each contact.
pub(crate) type Compliance = Vec<f64>;

/// How soon the method gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Others wait to take over.
    Quick,
    /// All there is to be had.
    Patient,
}

/// Stands for the place of a contact that is open.
const OPEN: usize = usize::MAX;

/// Iterates from x, which becomes the best point seen: with the line search, and where that comes nearer but finds no way, with full
/// steps, which may lead uphill and behind it. Stops when the measure no longer falls below `target`, or after `limit` iterations that
/// brought little. Returns the iterations.
pub(crate) fn newton(
    problem: &Scaled,
    x: &mut Iterate,
    limit: usize,
    target: f64,
    effort: Effort,
    workspace: &mut Workspace,
) -> usize {
    let (patience, hope) = match effort {
        Effort::Quick => (PATIENCE, HOPE),
        Effort::Patient => (LONG_PATIENCE, 1.0),
    };
    let start = problem.measure(x);
    let mut least = start;
    workspace.best.copy_from(x);
    let done = iterate(problem, x, (limit, patience), target, true, &mut least, workspace);
    if least <= target || least > hope * start {
        return done;
    }
    done + iterate(problem, x, (limit.min(UNDAMPED), patience), target, false, &mut least, workspace)
}

fn iterate(
    problem: &Scaled,
    x: &mut Iterate,
    (limit, patience): (usize, usize),
    target: f64,
    damped: bool,
    least: &mut f64,
    workspace: &mut Workspace,
) -> usize {
    let (mut done, mut counted, mut idle) = (0, 0, 0);
    while counted < limit && *least > FLOOR && idle < patience && !problem.meter.is_over() {
        (done, counted) = (done + 1, counted + 1);
        let measure = problem.measure(x);
        if !step(problem, x, measure, damped, workspace) {
            break;
        }
        let measure = problem.measure(x);
        if measure < *least {
            idle = if measure < WORTH * *least { 0 } else { idle + 1 };
            counted -= usize::from(measure < FAST * *least);
            let enough = *least <= target && measure > 0.1 * *least;
            *least = measure;
            workspace.best.copy_from(x);
            if enough {
                break;
            }
        } else if *least <= target {
            break;
        } else {
            idle += 1;
        }
    }
    x.copy_from(&workspace.best);
    done
}

/// One step, with its line search if `damped`; false if none was found.
fn step(problem: &Scaled, x: &mut Iterate, measure: f64, damped: bool, workspace: &mut Workspace) -> bool {
    // Open contacts carry nothing: exactly their equation, and they need no unknowns.
    if open_contacts(problem, x) {
        problem.refresh(x);
    }
    collect_closed(problem, x, workspace);
    let before = merit(problem, x, &mut workspace.function);
    if before == 0.0 || workspace.closed.is_empty() {
        return false;
    }
    let alpha = measure.clamp(ALPHA.0, ALPHA.1);
    if !direction(problem, x, alpha, workspace) {
        return false;
    }
    workspace.rate.clear();
    workspace.rate.resize(problem.n, 0.0);
    problem.add_product(&workspace.step, &mut workspace.rate);
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        workspace.trial.s.clear();
        workspace.trial.u.clear();
        workspace.trial.s.extend(x.s.iter().zip(&workspace.step).map(|(s, ds)| s + length * ds));
        workspace.trial.u.extend(x.u.iter().zip(&workspace.rate).map(|(u, du)| u + length * du));
        if !damped || merit(problem, &workspace.trial, &mut workspace.function) <= (1.0 - DESCENT * length) * before {
            std::mem::swap(&mut x.s, &mut workspace.trial.s);
            problem.refresh(x);
            return true;
        }
        length *= 0.5;
    }
    false
}

/// Empties the contacts that are open; says whether any changed.
pub(crate) fn open_contacts(problem: &Scaled, x: &mut Iterate) -> bool {
    let mut changed = false;
    for c in 0..problem.cones.len() {
        let rows = problem.offsets[c]..problem.offsets[c + 1];
        if x.s[rows.start] - x.u[rows.start] <= 0.0 && x.s[rows.clone()].iter().any(|&s| s != 0.0) {
            x.s[rows].fill(0.0);
            changed = true;
        }
    }
    changed
}

fn collect_closed(problem: &Scaled, x: &Iterate, workspace: &mut Workspace) {
    workspace.closed.clear();
    workspace.contacts.clear();
    workspace.reach.clear();
    workspace.place.clear();
    workspace.place.resize(problem.cones.len(), OPEN);
    for &contact in &problem.graph.order {
        let rows = problem.offsets[contact]..problem.offsets[contact + 1];
        if x.s[rows.start] - x.u[rows.start] > 0.0 {
            let begin = workspace.closed.len();
            workspace.place[contact] = workspace.contacts.len();
            let earliest = problem.graph.neighbours(contact).iter().map(|&c| workspace.place[c]).min();
            let reach = earliest.and_then(|place| workspace.contacts.get(place)).map_or(begin, |closed| closed.begin);
            let zero = [[0.0; ROWS]; ROWS];
            workspace.contacts.push(Closed { contact, begin, by_s: zero, by_u: zero });
            workspace.reach.extend(rows.clone().map(|_| reach));
            workspace.closed.extend(rows);
        }
    }
}

/// u of compliant contacts: (q' + W' S + d S)/(1 + d), which suits S - u whatever d.
pub(crate) fn comply(problem: &Scaled, compliance: &Compliance, x: &mut Iterate) {
    problem.refresh(x);
    for (c, d) in compliance.iter().enumerate() {
        for i in problem.offsets[c]..problem.offsets[c + 1] {
            x.u[i] = (x.u[i] + d * x.s[i]) / (1.0 + d);
        }
    }
}

impl Workspace {
    /// Fills F at x; returns its largest entry.
    pub(crate) fn evaluate(&mut self, problem: &Scaled, x: &Iterate) -> f64 {
        merit(problem, x, &mut self.function);
        self.function.iter().fold(0.0, |largest: f64, f| worst(largest, f.abs()))
    }

    /// Sign of the determinant that was factored last.
    pub(crate) fn sign(&self) -> f64 {
        self.skyline.sign()
    }

    /// Factors the derivatives of F by S and by log delta at u of `comply`, bordered by a row of which S has a weight. Solves for the step
    /// back to F = 0 across that row (`correct`), or for that along F with one in the row; the last entry is that of log delta.
    pub(crate) fn bordered(
        &mut self,
        problem: &Scaled,
        x: &Iterate,
        compliance: &Compliance,
        (row, weight): (&[f64], f64),
        correct: bool,
        step: &mut Vec<f64>,
    ) -> bool {
        collect_closed(problem, x, self);
        differentiate(problem, x, &mut self.contacts);
        for closed in &mut self.contacts {
            let share = 1.0 / (1.0 + compliance[closed.contact]);
            closed.by_u.iter_mut().flatten().for_each(|by| *by *= share);
        }
        let (n, contacts, place, reach, closed) =
            (self.closed.len(), &self.contacts, &self.place, &self.reach, &self.closed);
        let m = n + 1;
        let fill = |a: &mut Vec<f64>| {
            a.resize(m * m, 0.0);
            for by in contacts {
                let d = compliance[by.contact];
                fill_columns(problem, d, (contacts, place), by, m, &mut a[by.begin * m..]);
                let (first, size) = (problem.offsets[by.contact], problem.cones[by.contact].size());
                for i in 0..size {
                    let along = |j: usize| by.by_u[i][j] * d * (x.s[first + j] - x.u[first + j]);
                    a[n * m + by.begin + i] = (0..size).map(along).sum();
                }
            }
            for (k, &at) in closed.iter().enumerate() {
                a[k * m + n] = weight * row[at];
            }
            a[n * m + n] = row[problem.n];
        };
        let factored = self.skyline.factor(m, |i| reach.get(i).copied().unwrap_or(0), fill);
        problem.meter.spend(self.skyline.work());
        if !factored {
            return false;
        }
        self.rate.clear();
        self.rate.extend(self.closed.iter().map(|&at| if correct { -self.function[at] } else { 0.0 }));
        self.rate.push(if correct { 0.0 } else { 1.0 });
        let solved = self.skyline.solve(&mut self.rate);
        step.clear();
        step.resize(problem.n + 1, 0.0);
        for (&at, &value) in self.closed.iter().zip(&self.rate) {
            step[at] = value;
        }
        step[problem.n] = self.rate[n];
        solved && step.iter().all(|value| value.is_finite())
    }
}

/// Solves for the step from F in `function`; false if the Jacobian is singular.
fn direction(problem: &Scaled, x: &Iterate, alpha: f64, workspace: &mut Workspace) -> bool {
    differentiate(problem, x, &mut workspace.contacts);
    let (m, contacts, place, reach) = (workspace.closed.len(), &workspace.contacts, &workspace.place, &workspace.reach);
    let fill = |a: &mut Vec<f64>| {
        a.resize(m * m, 0.0);
        for closed in contacts {
            let columns = &mut a[closed.begin * m..];
            fill_columns(problem, alpha, (contacts, place), closed, m, columns);
        }
    };
    let factored = workspace.skyline.factor(m, |row| reach[row], fill);
    problem.meter.spend(workspace.skyline.work());
    if !factored {
        return false;
    }
    // The front of `rate` holds the right-hand side.
    workspace.rate.clear();
    workspace.rate.extend(workspace.closed.iter().map(|&row| -workspace.function[row]));
    if !workspace.skyline.solve(&mut workspace.rate) {
        return false;
    }
    workspace.step.clear();
    workspace.step.resize(problem.n, 0.0);
    for (&row, &value) in workspace.closed.iter().zip(&workspace.rate) {
        workspace.step[row] = value;
    }
    workspace.step.iter().all(|value| value.is_finite())
}
