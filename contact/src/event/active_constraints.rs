//! The rows that closed contacts impose at one configuration, and the multipliers that hold them.
//!
//! ```text
//! M u' + Phi_q^T lambda = Q + P^T Lambda,   Phi_q u' = gamma,   J u' + (dJ/dt) u = 0   =>   (J M^ P^T) Lambda = -(J u'_free + drift)
//! ```
//!
//! P = J but for the normal rows of contacts that slip ([`mode::push`]). Where contacts are redundant as many rows as are independent
//! hold, but all push: of the multipliers that do, those of least norm are taken, among contacts that press.

use super::groups;
use super::mode::{self, Closed, Friction};
use super::thresholds::Thresholds;
use crate::configuration::{Configuration, gather, scatter};
use crate::error::Error;
use crate::unilateral::{Row, Unilateral};
use nalgebra::{DMatrix, DVector, Dyn, LU};

/// One imposed row.
#[derive(Debug, Clone, Copy)]
struct Line {
    gradient: ([usize; 2], Row),
    push: ([usize; 2], Row),
    /// Gap of a normal row.
    gap: Option<f64>,
    /// Explicit parts of rate and acceleration.
    rate: f64,
    drift: f64,
    /// Contact among the closed ones, and its row.
    place: (usize, usize),
    /// Whether it does not depend on the others.
    independent: bool,
}

/// Normal multiplier that pulls, as part of the largest multiplier.
const PULLS: f64 = 1e-12;
/// Corrections of the multipliers, and accelerations that they may leave, as part of the largest without multipliers.
const REFINEMENTS: usize = 2;
const EXACT: f64 = 1e-13;

/// The rows and what belongs to them.
#[derive(Debug, Clone, Default)]
pub(super) struct Imposed {
    lines: Vec<Line>,
    responses: Vec<f64>,
    reaction: Vec<f64>,
    /// Multipliers of the last [`Imposed::hold`], six a closed contact.
    pub(super) multipliers: Vec<[f64; 6]>,
    /// Largest acceleration of a row without multipliers, in the last [`Imposed::hold`].
    free: f64,
    /// Lines that may push, where not all are independent.
    pushing: Vec<usize>,
    /// Factors of [`Imposed::answer`], as long as rows and responses stay.
    answers: Option<Answers>,
    /// Determinant of the matrix of the last [`Imposed::hold`], and with P = J at the last restart.
    determinant: f64,
    volume: f64,
    /// Directions of slip of each closed contact.
    pub(super) directions: Vec<[[f64; 2]; 3]>,
}

// What is not found again where the motion stands.
fourbar_linalg::stored!(struct Imposed { determinant, volume });

impl Imposed {
    /// Takes the rows of `closed` at the contacts `found`, sorted by id; the directions of slip are those of the velocities, or
    /// those before turned by `turns`, one a slipping group of two rows. Returns the first closed contact that is not found.
    pub(super) fn collect(
        &mut self,
        closed: &[Closed],
        found: &[Unilateral],
        configuration: &Configuration,
        thresholds: &Thresholds,
        turns: Option<&[f64]>,
    ) -> Option<usize> {
        let mut turns = turns.map(|turns| turns.iter());
        self.answers = None;
        self.lines.clear();
        self.directions.clear();
        self.multipliers.clear();
        self.multipliers.resize(closed.len(), [0.0; 6]);
        let poses = configuration.poses();
        for (c, closed) in closed.iter().enumerate() {
            let Ok(k) = found.binary_search_by_key(&closed.id, |f| f.id) else { return Some(c) };
            let contact = &found[k];
            let line = |row: usize, push: Row| Line {
                independent: closed.imposed[row],
                gradient: (contact.bodies, contact.rows[row]),
                push: (contact.bodies, push),
                gap: (row == 0).then_some(contact.gap),
                rate: if row == 0 { contact.gap_rate } else { 0.0 },
                drift: contact.rows[row].drift + if row == 0 { contact.gap_rate_drift } else { 0.0 },
                place: (c, row),
            };
            let mut directions = mode::directions(contact, &closed.friction, poses, thresholds);
            if let Some(turns) = &mut turns {
                for (g, direction) in directions.iter_mut().enumerate().filter(|(g, _)| groups::turns(*g)) {
                    if let Friction::Slip([x, y]) = closed.friction[g] {
                        let (s, c) = turns.next().map_or((0.0, 1.0), |turn| turn.sin_cos());
                        *direction = [c * x - s * y, s * x + c * y];
                    }
                }
            }
            self.directions.push(directions);
            self.lines.push(line(0, mode::push(contact, &closed.friction, &directions)));
            for (g, _) in closed.friction.iter().enumerate().filter(|(_, f)| **f == Friction::Stick) {
                self.lines.extend(groups::rows(g).map(|row| line(row, contact.rows[row])));
            }
        }
        None
    }

    /// Responses to the rows, pushes or gradients, and the matrix of the rows over them.
    fn matrix(&mut self, configuration: &mut Configuration, pushes: bool) -> Result<DMatrix<f64>, Error> {
        let (n, r) = (configuration.dimension(), self.lines.len());
        self.answers = None;
        self.responses.clear();
        self.responses.resize(n * r, 0.0);
        self.reaction.resize(configuration.row_count(), 0.0);
        for (line, response) in self.lines.iter().zip(self.responses.chunks_exact_mut(n.max(1))) {
            scatter(if pushes { &line.push } else { &line.gradient }, 1.0, response);
            configuration.respond(response, &mut self.reaction)?;
        }
        Ok(DMatrix::from_fn(r, r, |i, j| gather(&self.lines[i].gradient, &self.responses[j * n..(j + 1) * n])))
    }

    /// Solves for multipliers that take `rest` away and adds their responses to `x`; false where there are none. Rows that have come to depend on others
    /// ask for the same up to round-off, which is left: contacts that go on into the material are refused where their depth is looked at.
    fn cancel(&self, matrix: DMatrix<f64>, rest: &[f64], x: &mut [f64]) -> bool {
        let target = DVector::from_iterator(rest.len(), rest.iter().map(|r| -r));
        let solution = least_squares(matrix, &target);
        if let Some(solution) = &solution {
            self.apply(solution, x);
        }
        solution.is_some()
    }

    /// Adds the responses to multipliers to `x`.
    fn apply(&self, multipliers: &DVector<f64>, x: &mut [f64]) {
        let n = x.len();
        for (j, s) in multipliers.iter().enumerate() {
            for (x, response) in x.iter_mut().zip(&self.responses[j * n..(j + 1) * n]) {
                *x += s * response;
            }
        }
    }

    /// Makes the free accelerations `u` those with the contacts held; keeps the multipliers. False where the rows are dependent.
    pub(super) fn hold(&mut self, configuration: &mut Configuration, u: &mut [f64]) -> Result<bool, Error> {
        if self.lines.is_empty() {
            return Ok(true);
        }
        let matrix = self.matrix(configuration, true)?;
        let mut rest = self.accelerations(u);
        self.free = rest.iter().fold(f64::MIN_POSITIVE, |a, r| a.max(r.abs()));
        let Some(mut solution) = self.balance(&matrix, &rest) else { return Ok(false) };
        self.apply(&solution, u);
        // Between masses that differ by decades, round-off of the forces accelerates the light ones.
        for _ in 0..REFINEMENTS {
            rest = self.accelerations(u);
            let left = self.lines.iter().zip(&rest).filter(|(line, _)| line.independent);
            if left.fold(0.0_f64, |a, (_, rest)| a.max(rest.abs())) <= EXACT * self.free {
                break;
            }
            let Some(more) = self.correct(&matrix, &rest) else { break };
            self.apply(&more, u);
            solution += more;
        }
        for (line, value) in self.lines.iter().zip(&solution) {
            self.multipliers[line.place.0][line.place.1] = *value;
        }
        Ok(true)
    }

    /// Largest acceleration that the accelerations `u` of the last [`Imposed::hold`] leave to rows that depend on others, as part of the
    /// largest without multipliers.
    pub(super) fn slack(&self, u: &[f64]) -> f64 {
        let left = |line: &Line| (gather(&line.gradient, u) + line.drift).abs();
        self.lines.iter().filter(|line| !line.independent).map(left).fold(0.0, f64::max) / self.free
    }

    /// Multipliers that take `rest` away: the only ones, or those of least norm. `None` where the rows are dependent.
    fn balance(&mut self, matrix: &DMatrix<f64>, rest: &[f64]) -> Option<DVector<f64>> {
        let (hold, target) = self.held(rest);
        if hold.len() == rest.len() {
            let factors = matrix.clone().lu();
            self.determinant = factors.determinant();
            return factors.solve(&target).filter(finite);
        }
        let matrix = matrix.select_rows(&hold);
        let mut push: Vec<usize> = (0..rest.len()).collect();
        let mut best = least_norm(&matrix, &push, &target).or_else(|| least_squares(matrix.clone(), &target))?;
        self.pushing.clone_from(&push);
        // The least among those that press, contact by contact, as long as the others can do without.
        while let Some(pulling) = self.pulling(&best) {
            push.retain(|&i| self.lines[i].place.0 != pulling);
            match least_norm(&matrix, &push, &target) {
                Some(without) => {
                    best = without;
                    self.pushing.clone_from(&push);
                }
                None => break,
            }
        }
        Some(best)
    }

    /// The same from the lines that pushed in the last [`Imposed::balance`].
    fn correct(&self, matrix: &DMatrix<f64>, rest: &[f64]) -> Option<DVector<f64>> {
        let (hold, target) = self.held(rest);
        if hold.len() == rest.len() {
            return matrix.clone().lu().solve(&target).filter(finite);
        }
        let matrix = matrix.select_rows(&hold);
        least_norm(&matrix, &self.pushing, &target).or_else(|| least_squares(matrix, &target))
    }

    /// The lines that hold, and what they ask for where `rest` is to go.
    fn held(&self, rest: &[f64]) -> (Vec<usize>, DVector<f64>) {
        let hold: Vec<usize> = (0..rest.len()).filter(|&i| self.lines[i].independent).collect();
        let target = DVector::from_iterator(hold.len(), hold.iter().map(|&i| -rest[i]));
        (hold, target)
    }

    /// Accelerations of the lines at the accelerations `u` of the bodies.
    fn accelerations(&self, u: &[f64]) -> Vec<f64> {
        self.lines.iter().map(|l| gather(&l.gradient, u) + l.drift).collect()
    }

    /// Takes the measure of [`Imposed::openness`] where the configuration stands.
    pub(super) fn measure(&mut self, configuration: &mut Configuration) -> Result<(), Error> {
        self.volume = self.matrix(configuration, false)?.determinant();
        Ok(())
    }

    /// det (J M^ P^T) over det (J M^ J^T), 1 without slip: where it reaches zero the forces that hold the contacts grow without bound.
    pub(super) fn openness(&self) -> f64 {
        if self.volume > 0.0 { self.determinant / self.volume } else { 1.0 }
    }

    /// Accelerations `u` by a unit force along `row` with the rows held, after [`Imposed::hold`]; those that pushed push.
    pub(super) fn answer(
        &mut self,
        configuration: &mut Configuration,
        row: &([usize; 2], Row),
        u: &mut [f64],
    ) -> Result<(), Error> {
        u.fill(0.0);
        scatter(row, 1.0, u);
        self.reaction.resize(configuration.row_count(), 0.0);
        configuration.respond(u, &mut self.reaction)?;
        let hold: Vec<usize> = (0..self.lines.len()).filter(|&i| self.lines[i].independent).collect();
        if hold.is_empty() {
            return Ok(());
        }
        let target = DVector::from_iterator(hold.len(), hold.iter().map(|&i| -gather(&self.lines[i].gradient, u)));
        let answers = self.answers.take().unwrap_or_else(|| self.factors(&hold, u.len()));
        let multipliers = match &answers {
            Answers::Whole(factors) => factors.solve(&target),
            Answers::Least(factors) => factors.as_ref().and_then(|factors| factors.solve(&target)),
        };
        self.answers = Some(answers);
        if let Some(multipliers) = multipliers.filter(finite) {
            self.apply(&multipliers, u);
        }
        Ok(())
    }

    /// Factors of the rows `hold` over all lines that push, for bodies of `n` velocities.
    fn factors(&self, hold: &[usize], n: usize) -> Answers {
        let r = self.lines.len();
        let entry = |i: usize, j: usize| gather(&self.lines[hold[i]].gradient, &self.responses[j * n..(j + 1) * n]);
        let matrix = DMatrix::from_fn(hold.len(), r, entry);
        if hold.len() == r {
            Answers::Whole(matrix.lu())
        } else {
            Answers::Least(LeastNorm::new(&matrix, &self.pushing))
        }
    }

    /// The closed contact that pulls most.
    fn pulling(&self, multipliers: &DVector<f64>) -> Option<usize> {
        let normals = self.lines.iter().zip(multipliers).filter(|(line, _)| line.place.1 == 0);
        let (line, least) = normals.min_by(|a, b| a.1.total_cmp(b.1))?;
        (*least < -PULLS * multipliers.amax()).then_some(line.place.0)
    }

    /// Adds to the displacement `d`, which closes the joints, what closes the gaps too. False where the rows are dependent.
    pub(super) fn close(&mut self, configuration: &mut Configuration, d: &mut [f64]) -> Result<bool, Error> {
        self.lines.retain(|l| l.gap.is_some() && l.independent);
        if self.lines.is_empty() {
            return Ok(true);
        }
        let matrix = self.matrix(configuration, false)?;
        let rest: Vec<f64> = self.lines.iter().map(|l| gather(&l.gradient, d) + l.gap.unwrap_or(0.0)).collect();
        Ok(self.cancel(matrix, &rest, d))
    }

    /// Largest gap of the rows, open or penetrated.
    pub(super) fn gap(&self) -> f64 {
        self.lines.iter().filter_map(|l| l.gap).fold(0.0, |a, g| a.max(g.abs()))
    }

    /// Takes the velocities of the rows away, in the mass norm. False where the rows are dependent.
    pub(super) fn stop(&mut self, configuration: &mut Configuration) -> Result<bool, Error> {
        self.lines.retain(|l| l.independent);
        if self.lines.is_empty() {
            return Ok(true);
        }
        let matrix = self.matrix(configuration, false)?;
        let poses = configuration.poses();
        let rate = |l: &Line| l.gradient.1.rate(&poses[l.gradient.0[0]], &poses[l.gradient.0[1]]) + l.rate;
        let rest: Vec<f64> = self.lines.iter().map(rate).collect();
        let mut change = vec![0.0; configuration.dimension()];
        let solved = self.cancel(matrix, &rest, &mut change);
        configuration.accelerate(&change);
        Ok(solved)
    }
}

fn finite(solution: &DVector<f64>) -> bool {
    solution.iter().all(|s| s.is_finite())
}

/// The solution of `matrix` x = `target`; where rows depend on others the nearest one of least norm. Their pivots are below the square root of
/// round-off of the largest, as in [`least_norm`].
fn least_squares(matrix: DMatrix<f64>, target: &DVector<f64>) -> Option<DVector<f64>> {
    let smallest = f64::EPSILON.sqrt();
    if matrix.is_square() {
        let factors = matrix.clone().lu();
        let pivots = factors.u().diagonal().abs();
        if pivots.min() > smallest * pivots.max() {
            return factors.solve(target).filter(finite);
        }
    }
    let factors = fourbar_linalg::SingularValues::new(&matrix)?;
    Some(factors.solve(target, smallest * factors.largest())).filter(finite)
}

/// The solution of least norm of `matrix` x = `target` with the entries `push` alone. `None` where they do not reach every right-hand side.
fn least_norm(matrix: &DMatrix<f64>, push: &[usize], target: &DVector<f64>) -> Option<DVector<f64>> {
    LeastNorm::new(matrix, push)?.solve(target)
}

/// What answers to forces are solved with.
#[derive(Debug, Clone)]
enum Answers {
    /// All rows are independent.
    Whole(LU<f64, Dyn, Dyn>),
    /// Those that are do, if the lines that push reach every right-hand side.
    Least(Option<LeastNorm>),
}

/// Solutions of least norm, by a QR factorization of the columns that push, transposed.
#[derive(Debug, Clone)]
struct LeastNorm {
    push: Vec<usize>,
    columns: usize,
    q: DMatrix<f64>,
    r: DMatrix<f64>,
}

impl LeastNorm {
    fn new(matrix: &DMatrix<f64>, push: &[usize]) -> Option<Self> {
        if push.len() < matrix.nrows() {
            return None;
        }
        let (q, r) = matrix.select_columns(push).transpose().qr().unpack();
        let size = r.diagonal().amax();
        if r.diagonal().iter().any(|d| d.abs() <= f64::EPSILON.sqrt() * size) {
            return None;
        }
        Some(Self { push: push.to_vec(), columns: matrix.ncols(), q, r })
    }

    fn solve(&self, target: &DVector<f64>) -> Option<DVector<f64>> {
        let inner = &self.q * self.r.tr_solve_upper_triangular(target)?;
        let mut solution = DVector::zeros(self.columns);
        self.push.iter().zip(&inner).for_each(|(&i, value)| solution[i] = *value);
        Some(solution).filter(finite)
    }
}
