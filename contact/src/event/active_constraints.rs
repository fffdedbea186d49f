//! The rows that closed contacts impose at one configuration, and the multipliers that hold them.
//!
//! ```text
//! M u' + Phi_q^T lambda = Q + P^T Lambda,   Phi_q u' = gamma,   J u' + (dJ/dt) u = 0   =>   (J M^ P^T) Lambda = -(J u'_free + drift)
//! ```
//!
//! P = J but for the normal rows of contacts that slip ([`mode::push`]). Where contacts are redundant as many rows as are independent
//! hold, but all push: of the multipliers that do, those of least norm are taken, among contacts that press.

use super::balance::Balance;
use super::groups;
use super::mode::{self, Closed, Friction};
use super::thresholds::Thresholds;
use crate::configuration::{Configuration, gather, scatter};
use crate::error::Error;
use crate::unilateral::{Row, Unilateral};

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
    /// The matrix of the rows over the responses, column by column, and what solves it.
    matrix: Vec<f64>,
    balance: Balance,
    /// Lines that hold; those that may push, where not all are independent, and those among them that are tried.
    hold: Vec<usize>,
    pushing: Vec<usize>,
    tried: Vec<usize>,
    /// What the lines ask for, and multipliers that give it.
    rest: Vec<f64>,
    target: Vec<f64>,
    solution: Vec<f64>,
    change: Vec<f64>,
    velocities: Vec<f64>,
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
        self.balance.forget();
        self.lines.clear();
        self.solution.clear();
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

    /// Makes the responses to the rows, pushes or gradients, and the matrix of the rows over them.
    fn respond(&mut self, configuration: &mut Configuration, pushes: bool) -> Result<(), Error> {
        let (n, r) = (configuration.dimension(), self.lines.len());
        self.balance.forget();
        self.responses.clear();
        self.responses.resize(n * r, 0.0);
        self.reaction.resize(configuration.row_count(), 0.0);
        for (line, response) in self.lines.iter().zip(self.responses.chunks_exact_mut(n.max(1))) {
            scatter(if pushes { &line.push } else { &line.gradient }, 1.0, response);
            configuration.respond(response, &mut self.reaction)?;
        }
        let Self { lines, responses, matrix, .. } = self;
        matrix.clear();
        let columns = (0..r).map(|j| &responses[j * n..(j + 1) * n]);
        matrix.extend(columns.flat_map(|response| lines.iter().map(|line| gather(&line.gradient, response))));
        Ok(())
    }

    /// Solves for multipliers that take the rest away and adds their responses to `x`; false where there are none. Rows that have come to depend on others
    /// ask for the same up to round-off, which is left: contacts that go on into the material are refused where their depth is looked at.
    fn cancel(&mut self, x: &mut [f64]) -> bool {
        let Self { matrix, balance, hold, rest, target, solution, .. } = self;
        hold.clear();
        hold.extend(0..rest.len());
        target.clear();
        target.extend(rest.iter().map(|r| -r));
        let solved = balance.nearest(matrix, hold, target, solution);
        if solved {
            apply(&self.responses, &self.solution, x);
        }
        solved
    }

    /// Makes the free accelerations `u` those with the contacts held; keeps the multipliers. False where the rows are dependent.
    pub(super) fn hold(&mut self, configuration: &mut Configuration, u: &mut [f64]) -> Result<bool, Error> {
        if self.lines.is_empty() {
            return Ok(true);
        }
        self.respond(configuration, true)?;
        self.ask(u);
        self.free = self.rest.iter().fold(f64::MIN_POSITIVE, |a, r| a.max(r.abs()));
        if !self.share() {
            return Ok(false);
        }
        apply(&self.responses, &self.solution, u);
        // Between masses that differ by decades, round-off of the forces accelerates the light ones.
        for _ in 0..REFINEMENTS {
            self.ask(u);
            if self.target.iter().fold(0.0_f64, |a, left| a.max(left.abs())) <= EXACT * self.free {
                break;
            }
            let Self { matrix, balance, hold, target, change, .. } = self;
            if !(balance.solve(target, change) || balance.nearest(matrix, hold, target, change)) {
                break;
            }
            apply(&self.responses, &self.change, u);
            self.solution.iter_mut().zip(&self.change).for_each(|(sum, more)| *sum += more);
        }
        for (line, value) in self.lines.iter().zip(&self.solution) {
            self.multipliers[line.place.0][line.place.1] = *value;
        }
        Ok(true)
    }

    /// Multipliers of the last [`Imposed::hold`], one a line.
    pub(super) fn held(&self) -> &[f64] {
        &self.solution
    }

    /// Adds further multipliers, one a line.
    pub(super) fn push_more(&mut self, more: &[f64]) {
        for ((line, sum), more) in self.lines.iter().zip(&mut self.solution).zip(more) {
            *sum += more;
            self.multipliers[line.place.0][line.place.1] = *sum;
        }
    }

    /// Adds the reactions of the joints to the multipliers of the last [`Imposed::hold`] to `reactions`.
    pub(super) fn add_reactions(
        &mut self,
        configuration: &mut Configuration,
        reactions: &mut [f64],
    ) -> Result<(), Error> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let (mut load, mut own) = (vec![0.0; configuration.dimension()], vec![0.0; reactions.len()]);
        self.lines.iter().zip(&self.solution).for_each(|(line, s)| scatter(&line.push, *s, &mut load));
        configuration.solve(&mut load, &mut own)?;
        reactions.iter_mut().zip(&own).for_each(|(sum, part)| *sum += part);
        Ok(())
    }

    /// Puts accelerations in the place of a `load`, six numbers a body, with the rows held as by the last [`Imposed::hold`], and the multipliers of joints
    /// and `contacts` by it in that of zeros.
    pub(super) fn respond_held(
        &mut self,
        configuration: &mut Configuration,
        load: &mut Vec<f64>,
        joints: &mut [f64],
        contacts: &mut [f64],
    ) -> Result<(), Error> {
        let mut whole = load.clone();
        configuration.solve(load, joints)?;
        if self.resist(load) {
            contacts.copy_from_slice(&self.change);
            self.lines.iter().zip(&self.change).for_each(|(line, s)| scatter(&line.push, *s, &mut whole));
            joints.fill(0.0);
            configuration.solve(&mut whole, joints)?;
            *load = whole;
        }
        Ok(())
    }

    /// Largest acceleration that the accelerations `u` of the last [`Imposed::hold`] leave to rows that depend on others, as part of the
    /// largest without multipliers.
    pub(super) fn slack(&self, u: &[f64]) -> f64 {
        let left = |line: &Line| (gather(&line.gradient, u) + line.drift).abs();
        self.lines.iter().filter(|line| !line.independent).map(left).fold(0.0, f64::max) / self.free
    }

    /// Multipliers that give what is asked for, into the solution: the only ones, or those of least norm. False where there are none.
    fn share(&mut self) -> bool {
        let r = self.lines.len();
        self.pushing.clear();
        self.pushing.extend(0..r);
        let Self { matrix, balance, hold, pushing, target, solution, .. } = self;
        let reached = balance.factor(matrix, hold, pushing);
        if hold.len() == r {
            self.determinant = balance.determinant();
            return reached && balance.solve(target, solution);
        }
        if !(reached && balance.solve(target, solution) || balance.nearest(matrix, hold, target, solution)) {
            return false;
        }
        self.let_pulling_go();
        true
    }

    /// Makes the solution the one of least norm among those that press, contact by contact, as long as the others can do without.
    fn let_pulling_go(&mut self) {
        while let Some(pulling) = self.pulling() {
            let Self { lines, matrix, balance, hold, pushing, tried, target, solution, change, .. } = self;
            tried.clear();
            tried.extend(pushing.iter().copied().filter(|&i| lines[i].place.0 != pulling));
            if !(balance.factor(matrix, hold, tried) && balance.solve(target, change)) {
                balance.factor(matrix, hold, pushing);
                break;
            }
            std::mem::swap(pushing, tried);
            std::mem::swap(solution, change);
        }
    }

    /// Takes what the lines that hold ask for at the accelerations `u` of the bodies, and the accelerations of all.
    fn ask(&mut self, u: &[f64]) {
        let Self { lines, hold, rest, target, .. } = self;
        rest.clear();
        rest.extend(lines.iter().map(|l| gather(&l.gradient, u) + l.drift));
        hold.clear();
        hold.extend((0..lines.len()).filter(|&i| lines[i].independent));
        target.clear();
        target.extend(hold.iter().map(|&i| -rest[i]));
    }

    /// Takes the measure of [`Imposed::openness`] where the configuration stands.
    pub(super) fn measure(&mut self, configuration: &mut Configuration) -> Result<(), Error> {
        self.respond(configuration, false)?;
        let Self { lines, matrix, balance, hold, .. } = self;
        hold.clear();
        hold.extend(0..lines.len());
        balance.factor(matrix, hold, hold);
        self.volume = balance.determinant();
        balance.forget();
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
        if self.resist(u) {
            apply(&self.responses, &self.change, u);
        }
        Ok(())
    }

    /// Computes the multipliers that keep the accelerations `u` from the rows that hold, into the change. False if no row holds or none do.
    fn resist(&mut self, u: &[f64]) -> bool {
        let Self { lines, matrix, balance, hold, pushing, target, change, .. } = self;
        hold.clear();
        hold.extend((0..lines.len()).filter(|&i| lines[i].independent));
        if hold.is_empty() {
            return false;
        }
        target.clear();
        target.extend(hold.iter().map(|&i| -gather(&lines[i].gradient, u)));
        if !balance.is_factored() {
            balance.factor(matrix, hold, pushing);
        }
        balance.solve(target, change)
    }

    /// The closed contact that pulls most.
    fn pulling(&self) -> Option<usize> {
        let normals = self.lines.iter().zip(&self.solution).filter(|(line, _)| line.place.1 == 0);
        let (line, least) = normals.min_by(|a, b| a.1.total_cmp(b.1))?;
        let largest = self.solution.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
        (*least < -PULLS * largest).then_some(line.place.0)
    }

    /// Adds to the displacement `d`, which closes the joints, what closes the gaps too. False where the rows are dependent.
    pub(super) fn close(&mut self, configuration: &mut Configuration, d: &mut [f64]) -> Result<bool, Error> {
        self.lines.retain(|l| l.gap.is_some() && l.independent);
        if self.lines.is_empty() {
            return Ok(true);
        }
        self.respond(configuration, false)?;
        self.rest.clear();
        self.rest.extend(self.lines.iter().map(|l| gather(&l.gradient, d) + l.gap.unwrap_or(0.0)));
        Ok(self.cancel(d))
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
        self.respond(configuration, false)?;
        let poses = configuration.poses();
        let rate = |l: &Line| l.gradient.1.rate(&poses[l.gradient.0[0]], &poses[l.gradient.0[1]]) + l.rate;
        self.rest.clear();
        self.rest.extend(self.lines.iter().map(rate));
        let mut velocities = std::mem::take(&mut self.velocities);
        velocities.clear();
        velocities.resize(configuration.dimension(), 0.0);
        let solved = self.cancel(&mut velocities);
        configuration.accelerate(&velocities);
        self.velocities = velocities;
        Ok(solved)
    }
}

/// Adds the `responses` to multipliers to `x`.
fn apply(responses: &[f64], multipliers: &[f64], x: &mut [f64]) {
    for (s, response) in multipliers.iter().zip(responses.chunks_exact(x.len().max(1))) {
        x.iter_mut().zip(response).for_each(|(x, response)| *x += s * response);
    }
}
