//! The impact of a step: with which velocities contacts that closed in it leave, and what becomes of the energy.
//!
//! A scheme that moves by q+ = q + h (theta u+ + (1 - theta) u) has the velocities u^ = u + (theta - 1/2) h a at its positions, a the
//! acceleration of the step: with them free flight under constant forces keeps its energy exactly. At the end of a step, at the new
//! positions, u~ are the velocities without impulses and p how deep flight without impulses would have got. A contact then met at
//!
//! ```text
//! v^2 = u^_N^2 + 2 a p   and is to leave with   u^_N+ = e v,      0 <= S_N _|_ u_N+ - (e v - (theta - 1/2) h a) >= 0   (Newton)
//! ```
//!
//! Gaps, normals and velocities are those of one and the same configuration, as otherwise spheres that meet obliquely would gain with h.
//! A rebound whose flight would not last a step, 2 e v/|a| <= h, is not resolved: the contact rests. The account of a step is
//!
//! ```text
//! E = S^T ((u+ + u~)/2 + (theta - 1/2) h a) - Q^T dq,
//! ```
//!
//! dq what contacts moved the bodies. Newton's law can make it positive, with friction, or where a contact opens as others collide.
//! Then one contact alone follows Routh's path with the energetic law ([`crate::law`]); of several at once all rebounds are lowered by
//! the one factor that leaves no gain. That is done as well where the velocities asked for cannot be had.

use super::step_workspace::Workbench;
use super::{ContactRecord, UNSOLVED};
use crate::configuration::gather;
use crate::error::Error;
use crate::law::{Restitution, routh};
use crate::unilateral::{Contacts, Unilateral};
use fourbar_multibody::space::{Pose, V3};
use nalgebra::{Matrix3, Vector3};

/// Energy that is round-off, as part of the work of all impulses.
const ROUND_OFF: f64 = 1e-11;
/// Part of a flight of a step, that it must be longer to be resolved: with e = 1 what rests is at the limit.
const RESTS: f64 = 1e-6;
/// Rebound that is none, as part of what forces change a velocity by in the step: bodies at rest on one another fall alike, so that nothing ends
/// what round-off leaves between them.
const SLOWEST: f64 = 1e-4;
/// Problems solved in search of the factor of the rebounds.
pub(super) const LOWERINGS: usize = 24;
/// Part of the work of all impulses that may be lost beyond what the law loses, as the factor is not found exactly.
const LOST: f64 = 1e-9;

/// What the impact of a step is made of, kept from step to step for its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Impact {
    /// Velocity asked of each contact in `found` after the impact [m/s], and the speed with which it closed.
    pub(super) asked: Vec<f64>,
    pub(super) closing_speeds: Vec<f64>,
    /// Whether each contact done touches at the end of the step, and whether one of these may rebound.
    pub(super) touched: Vec<bool>,
    pub(super) elastic: bool,
    /// Energy that contacts gave the bodies by moving them \[J\].
    pub(super) lifted: f64,
    /// What contacts moved the bodies, six numbers a body.
    pub(super) moved: Vec<f64>,
    /// Energy that bodies were given in earlier steps and that no impact has taken back yet \[J\], negative if they lost it.
    pub(super) debt: f64,
    /// The same when the step began.
    pub(super) debt_before: f64,
    /// Velocities at the begin of the step, bodies and the ground.
    begin: Vec<Pose>,
}

impl Impact {
    /// A step begins.
    pub(super) fn begin_step(&mut self) {
        self.clear();
        self.debt_before = self.debt;
    }

    /// The step is taken back.
    pub(super) fn take_back(&mut self) {
        self.clear();
        self.debt = self.debt_before;
    }

    pub(super) fn clear(&mut self) {
        self.asked.clear();
        self.closing_speeds.clear();
        self.touched.clear();
        (self.elastic, self.lifted) = (false, 0.0);
    }

    /// Bodies with the velocities they had when the step began.
    pub(super) fn begin(&mut self, poses: &[Pose]) -> &[Pose] {
        self.begin.clear();
        self.begin.extend(poses.iter().copied().chain([Pose::ground()]));
        &self.begin
    }
}

/// A normal row at the end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    /// Velocity before the step and at its end without impulses [m/s].
    pub(super) before: f64,
    pub(super) free: f64,
    /// Gap that flight without impulses would have had \[m\].
    pub(super) gap: f64,
    pub(super) restitution: f64,
}

impl Meeting {
    /// Speed with which the contact closed, and velocity to ask of it after the step [m/s].
    pub(super) fn bounce(&self, theta: f64, h: f64) -> [f64; 2] {
        let gained = self.free - self.before;
        let shift = (theta - 0.5) * gained;
        let there = self.free + shift;
        let square = there * there + 2.0 * gained / h * (-self.gap).max(0.0);
        if there >= 0.0 || square <= 0.0 {
            return [0.0; 2];
        }
        let closing_speed = square.sqrt();
        let rebound = self.restitution * closing_speed;
        let rests = rebound <= -0.5 * gained * (1.0 + RESTS);
        [closing_speed, if rests { 0.0 } else { (rebound - shift).max(0.0) }]
    }
}

/// The factor of the rebounds between one without gain and one with, closed in on by the rule of false position (Illinois).
#[derive(Debug, Clone, Copy)]
pub(super) struct Factor {
    low: [f64; 2],
    high: [f64; 2],
}

impl Factor {
    /// Between a plastic impact, whose account is `plastic` \[J\], and one as asked, whose account is `asked` or infinite.
    pub(super) fn new(plastic: f64, asked: f64) -> Self {
        Self { low: [0.0, plastic.min(0.0)], high: [1.0, asked] }
    }

    pub(super) fn next(&self) -> f64 {
        let ([a, ga], [b, gb]) = (self.low, self.high);
        let chord = a - ga * (b - a) / (gb - ga);
        let inside = gb.is_finite() && chord > a && chord < b;
        if inside { chord } else { 0.5 * (a + b) }
    }

    pub(super) fn learn(&mut self, factor: f64, gain: f64, allowed: f64) {
        if gain <= allowed {
            self.low = [factor, gain.min(0.0)];
            self.high[1] *= 0.5;
        } else {
            self.high = [factor, gain];
            self.low[1] *= 0.5;
        }
    }

    /// The largest known factor without gain.
    pub(super) fn safe(&self) -> f64 {
        self.low[0]
    }

    /// Whether the two are as near as matters: next to nothing, or a little where what is above cannot be had at all.
    pub(super) fn narrow(&self) -> bool {
        let near = if self.high[1].is_finite() { 1e-12 } else { 1e-2 };
        self.high[0] - self.low[0] <= near
    }
}

impl<C: Contacts> Workbench<C> {
    /// Writes down the contacts of the step with the impulses that hold their gaps. Those touch that have an impulse or whose gap at the
    /// end, `end`(contact, velocity before, after), closes by itself.
    pub(super) fn note(&mut self, end: impl Fn(&Unilateral, f64, f64) -> f64) {
        self.contacts_done.clear();
        self.impact.clear();
        for (c, contact) in self.found.iter().enumerate() {
            let rows = self.delassus.first()[c]..self.delassus.first()[c + 1];
            let mut impulse = [0.0; 6];
            impulse[..rows.len()].copy_from_slice(&self.impulses[rows.clone()]);
            let after = contact.rate(self.configuration.poses());
            let touches = impulse[0] > 0.0 || self.is_closed(contact, end(contact, self.before[rows.start], after));
            self.impact.touched.push(touches);
            self.impact.elastic |= touches && contact.surface.restitution > 0.0;
            self.contacts_done.push(ContactRecord { id: contact.id, gap: contact.gap, closing_speed: 0.0, impulse });
        }
        let works = self.impulses.iter().zip(self.free.iter().zip(&self.before));
        self.impact.lifted = -self.theta * works.map(|(s, (free, before))| s * (free - before)).sum::<f64>();
        self.impact.moved.clear();
        let far = self.theta * self.h;
        self.impact.moved.extend(self.top.iter().map(|d| far * d));
        self.record.impact_energy = self.energy(self.theta - 0.5, self.impact.lifted)[0];
    }

    /// The impact at the end of a step, at its positions (factored): contacts that touched leave with what is asked of them, those that
    /// are closed stay so. If none rebounds there is nothing to do unless `always`.
    pub(super) fn rebound(&mut self, always: bool) -> Result<(), Error> {
        if !(always || self.impact.elastic) {
            return Ok(());
        }
        self.find(self.reach)?;
        self.fly_on()?;
        self.ask();
        if !always && self.impact.asked.iter().all(|asked| *asked <= 0.0) {
            self.configuration.look(&self.state);
            return Ok(());
        }
        self.delassus.assemble(&mut self.configuration, &self.found, |c| c.surface.friction_rows())?;
        let rows = self.delassus.row_count();
        self.before.resize(rows, 0.0);
        self.free.resize(rows, 0.0);
        self.delassus.rates(&self.found, self.configuration.poses(), &mut self.free);
        self.delassus.rates(&self.found, self.impact.begin(&self.saved.poses), &mut self.before);
        let lifted = self.impact.lifted - self.pushed_out();
        self.collide(self.theta - 0.5, lifted)?;
        self.contacts_done.iter_mut().for_each(|c| c.impulse = [0.0; 6]);
        for (c, contact) in self.found.iter().enumerate() {
            let rows = self.delassus.first()[c]..self.delassus.first()[c + 1];
            if let Some(k) = self.done(contact) {
                self.contacts_done[k].impulse[..rows.len()].copy_from_slice(&self.impulses[rows]);
                self.contacts_done[k].closing_speed = self.impact.closing_speeds[c];
            }
        }
        self.configuration.store(&mut self.state);
        self.turning.leave(self.configuration.mechanism(), &mut self.state.poses);
        Ok(())
    }

    /// Which of the contacts done `contact` is.
    pub(super) fn done(&self, contact: &Unilateral) -> Option<usize> {
        self.contacts_done.binary_search_by_key(&contact.id, |r| r.id).ok()
    }

    /// Keeps those of `found` that touched or are closed, and works out what is asked of them, from the velocities without impulses that
    /// the configuration has.
    pub(super) fn ask(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        found.retain(|c| self.is_closed(c, c.gap) || self.done(c).is_some_and(|k| self.impact.touched[k]));
        self.impact.asked.clear();
        self.impact.closing_speeds.clear();
        self.impact.begin(&self.saved.poses);
        for contact in &found {
            let touched = self.done(contact).is_some_and(|k| self.impact.touched[k]);
            let row = (contact.bodies, contact.rows[0]);
            let moved = gather(&row, &self.impact.moved) + gather(&row, self.projector.pushed());
            let meeting = Meeting {
                before: contact.rate(&self.impact.begin),
                free: contact.rate(self.configuration.poses()),
                gap: contact.gap - moved,
                restitution: contact.surface.restitution,
            };
            let [closing_speed, asked] = if touched { meeting.bounce(self.theta, self.h) } else { [0.0; 2] };
            self.impact.asked.push(asked);
            self.impact.closing_speeds.push(closing_speed);
        }
        self.found = found;
        let noise = SLOWEST * self.fall();
        self.impact.asked.iter_mut().filter(|asked| **asked <= noise).for_each(|asked| *asked = 0.0);
    }

    /// Impulses of the contacts in `found` that give them the velocities asked for, or lower ones where these would create energy, applied
    /// to the velocities of the configuration. `shift` is theta - 1/2, `lifted` the energy of what contacts moved the bodies.
    pub(super) fn collide(&mut self, shift: f64, lifted: f64) -> Result<(), Error> {
        let mut residual = self.try_rebound(1.0)?;
        let asks = self.impact.asked.iter().any(|asked| *asked > 0.0);
        let [mut gain, mut allowed] = self.energy(shift, lifted);
        if asks && !(residual <= UNSOLVED && gain <= allowed) {
            self.record.replaced |= self.throws();
            if self.follow_path(shift) {
                residual = 0.0;
                [gain, allowed] = self.energy(shift, lifted);
            }
            if !(residual <= UNSOLVED && gain <= allowed) {
                let asked = if residual <= UNSOLVED { gain } else { f64::INFINITY };
                residual = self.lower_rebounds(shift, lifted, asked)?;
                [gain, _] = self.energy(shift, lifted);
            }
        }
        self.record.residual = self.record.residual.max(residual);
        self.record.impact_energy = gain;
        self.push_apart();
        Ok(())
    }

    /// The largest change of a velocity in the step by forces [m/s].
    pub(super) fn fall(&self) -> f64 {
        let fall = |change: &[f64]| V3::from_column_slice(&change[..3]).norm();
        self.change.chunks_exact(6).map(fall).fold(0.0, f64::max)
    }

    /// Whether a rebound is asked for that forces do not end within half a step: those of bodies at rest on one another, which fall alike and
    /// so keep whatever velocity round-off has left between them, are too slow for it to matter which law they follow.
    pub(super) fn throws(&self) -> bool {
        let fall = self.fall();
        self.impact.asked.iter().any(|asked| *asked > 0.5 * fall)
    }

    /// The largest factor of all rebounds without gain; the residual with it.
    fn lower_rebounds(&mut self, shift: f64, lifted: f64, asked: f64) -> Result<f64, Error> {
        let mut residual = self.try_rebound(0.0)?;
        let [plastic, _] = self.energy(shift, lifted);
        let (mut factor, mut tried) = (Factor::new(plastic, asked), 0.0);
        for _ in 0..LOWERINGS {
            tried = factor.next();
            residual = self.try_rebound(tried)?;
            let [gain, allowed] = self.energy(shift, lifted);
            let gain = if residual <= UNSOLVED { gain } else { f64::INFINITY };
            factor.learn(tried, gain, allowed);
            let close = gain <= allowed && gain >= -LOST / ROUND_OFF * allowed;
            if close || factor.narrow() {
                break;
            }
        }
        if tried == factor.safe() { Ok(residual) } else { self.try_rebound(factor.safe()) }
    }

    /// Solves for the velocities asked for times `factor`; the residual.
    fn try_rebound(&mut self, factor: f64) -> Result<f64, Error> {
        self.q.clone_from(&self.free);
        for (asked, &at) in self.impact.asked.iter().zip(self.delassus.first()) {
            self.q[at] -= factor * asked;
        }
        self.solve()
    }

    /// One contact alone with Stronge's law, the coefficient that of the velocities; whether there is just one and its path ends.
    fn follow_path(&mut self, shift: f64) -> bool {
        let ([contact], rows) = (self.found.as_slice(), self.free.len()) else { return false };
        let there = |i: usize| self.free[i] + shift.max(0.0) * (self.free[i] - self.before[i]);
        if rows == 1 || rows > 3 || there(0) >= 0.0 {
            return false;
        }
        let w = self.delassus.matrix();
        let w = Matrix3::from_fn(|i, j| if i < rows && j < rows { w[(i, j)] } else { f64::from(u8::from(i == j)) });
        let rates = Vector3::from_fn(|i, _| if i < rows { there(i) } else { 0.0 });
        let e = (-(self.impact.asked[0] + there(0) - self.free[0]) / there(0)).min(1.0);
        let Some(single) = routh::impact(&w, &rates, contact.surface.friction, e, Restitution::Energetic) else {
            return false;
        };
        self.impulses.clear();
        self.impulses.extend_from_slice(&single.impulse.as_slice()[..rows]);
        true
    }

    /// The account of the impulses, and how much of it is round-off \[J\].
    fn energy(&self, shift: f64, lifted: f64) -> [f64; 2] {
        let w = self.delassus.matrix();
        let (mut sum, mut size) = (lifted, lifted.abs());
        for (i, s) in self.impulses.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            let change: f64 = self.impulses.iter().enumerate().map(|(j, s)| w[(j, i)] * s).sum();
            let (before, free) = (self.before[i], self.free[i]);
            sum += s * (free + 0.5 * change + shift * (free - before));
            size += (s * free).abs() + (s * change).abs();
        }
        [sum, ROUND_OFF * size]
    }

    /// Writes down the contacts of an impact that is all there is of them, and what it leaves of the debt.
    pub(super) fn note_impact(&mut self) {
        if self.impulses.iter().any(|s| *s != 0.0) {
            self.impact.debt = self.record.impact_energy.max(0.0);
        }
        for (c, contact) in self.found.iter().enumerate() {
            let rows = self.delassus.first()[c]..self.delassus.first()[c + 1];
            let mut impulse = [0.0; 6];
            impulse[..rows.len()].copy_from_slice(&self.impulses[rows]);
            let closing_speed = if impulse[0] > 0.0 { self.impact.closing_speeds[c] } else { 0.0 };
            self.contacts_done.push(ContactRecord { id: contact.id, gap: contact.gap, closing_speed, impulse });
        }
    }
}

/// Velocity of a normal row at the (velocity, angular velocity) of its bodies.
pub(super) fn rate(contact: &Unilateral, at: impl Fn(usize) -> (V3, V3)) -> f64 {
    let ((vi, wi), (vj, wj), row) = (at(contact.bodies[0]), at(contact.bodies[1]), &contact.rows[0]);
    row.g.dot(&(vi - vj)) + row.gi.dot(&wi) + row.gj.dot(&wj) + contact.gap_rate
}
