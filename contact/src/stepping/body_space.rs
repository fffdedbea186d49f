//! The gap scheme for many bodies: contacts and joints in global form, W never formed.

use super::impact::{Factor, LOWERINGS, rate};
use super::step_workspace::{WORK, Workbench};
use super::{ContactRecord, UNSOLVED_GLOBAL};
use crate::budget::Budget;
use crate::configuration::Configuration;
use crate::error::Error;
use crate::friction::{Cone, GlobalCoulomb, GlobalSolution, GlobalWorkspace};
use crate::problem::GlobalFriction;
use crate::problem::friction_global::GlobalBilateral;
use crate::problem::friction_global::{FreeBody, GlobalContact};
use crate::unilateral::{ContactId, Contacts, Row, Unilateral};
use fourbar_multibody::Mechanism;
use fourbar_multibody::space::{M3, Pose, V3};

/// Part of the residual that may be kept, while a pile comes to rest.
const QUIET: f64 = 0.01;
/// Residual above which a step is solved again from where it stands, with so many minimizations and reduced form up to so many rows.
const RESISTS: f64 = 1e-5;
const MORE_ROUNDS: usize = 60;
const MORE_ROWS: usize = 600;
/// Energy that the solver may leave, as part of the work of all impulses, and how many times that may be lost.
const LEFT: f64 = 1e-8;
const ENOUGH: f64 = 100.0;

/// Problem, solver and the impulses of the last step, from which contacts that are still there start.
#[derive(Debug, Clone)]
pub(super) struct Free {
    solver: GlobalCoulomb,
    problem: GlobalFriction,
    workspace: GlobalWorkspace,
    pub(super) solution: GlobalSolution,
    pub(super) ids: Vec<ContactId>,
    last: Vec<[f64; 6]>,
    /// Inverse inertias in body axes.
    inverse: Vec<M3>,
    /// Velocities at the begin of the step.
    begin: Vec<[f64; 6]>,
    /// Rates of the gaps of the contacts at fixed positions [m/s].
    walls: Vec<f64>,
    /// Rows of the joints, and the rates of their violation.
    joints: Vec<([usize; 2], Row)>,
    rates: Vec<f64>,
    change: Vec<f64>,
    answer: Vec<f64>,
}

impl Free {
    /// `None` if a body has no inertia to invert.
    pub(super) fn new(mechanism: &Mechanism, solver: GlobalCoulomb) -> Option<Self> {
        let inverse: Option<Vec<M3>> = mechanism.bodies().iter().map(|b| b.inertia.try_inverse()).collect();
        Some(Self {
            solver,
            problem: GlobalFriction::default(),
            workspace: GlobalWorkspace::within(Budget { work: Some(WORK), ..Budget::default() }),
            solution: GlobalSolution::default(),
            ids: Vec::new(),
            last: Vec::new(),
            inverse: inverse?,
            begin: Vec::new(),
            walls: Vec::new(),
            joints: Vec::new(),
            rates: vec![0.0; mechanism.row_count()],
            change: Vec::new(),
            answer: Vec::new(),
        })
    }

    /// What the solves to come may cost.
    pub(super) fn set_budget(&mut self, budget: Budget) {
        self.workspace.budget = budget;
    }

    /// Impulses of the last step for those of `found` that were there, zero for the others; both lists are sorted by id.
    fn warm(&mut self, found: &[Unilateral]) {
        self.last.clone_from(&self.solution.impulses);
        self.solution.impulses.clear();
        let mut k = 0;
        for contact in found {
            while k < self.ids.len() && self.ids[k] < contact.id {
                k += 1;
            }
            let known = self.ids.get(k) == Some(&contact.id);
            self.solution.impulses.push(if known { self.last[k] } else { [0.0; 6] });
        }
        self.ids.clear();
        self.ids.extend(found.iter().map(|c| c.id));
    }

    /// Impulses that changed velocities are not yet those of the next step: kept within the tolerance, they would change the velocities
    /// once more, and so on for ever. After a solve that did anything, less is kept.
    fn solve(&mut self) -> Result<f64, Error> {
        let worked = self.solution.sweeps > 0;
        let keep = if worked { QUIET * self.solver.keep } else { self.solver.keep };
        let solver = GlobalCoulomb { keep, ..self.solver };
        solver.solve(&self.problem, &mut self.workspace, &mut self.solution)?;
        if self.solution.residual > RESISTS {
            let solver = GlobalCoulomb { rounds: MORE_ROUNDS, reduced_rows: MORE_ROWS, ..solver };
            solver.solve(&self.problem, &mut self.workspace, &mut self.solution)?;
        }
        Ok(self.solution.residual)
    }

    /// Velocities of the step without contacts: those of free bodies, or of bodies that joints hold, which the factors of
    /// the mechanism answer at once.
    fn fly(&mut self, configuration: &mut Configuration, force: &[f64], h: f64) -> Result<(), Error> {
        self.change.clear();
        self.change.extend(force.iter().map(|f| f * h));
        let jointed = !self.joints.is_empty();
        if jointed {
            configuration.factor()?;
            self.answer.clear();
            self.answer.extend(self.rates.iter().map(|rate| -rate));
            configuration.solve(&mut self.change, &mut self.answer)?;
        }
        self.problem.bodies.clear();
        let mechanism = std::sync::Arc::clone(configuration.mechanism());
        for (((body, pose), inverse), d) in
            mechanism.bodies().iter().zip(configuration.poses()).zip(&self.inverse).zip(self.change.chunks_exact(6))
        {
            let inverse_inertia = pose.a * inverse * pose.a.transpose();
            let (mut push, mut turn) = (V3::new(d[0], d[1], d[2]), V3::new(d[3], d[4], d[5]));
            if !jointed {
                (push, turn) = (push / body.mass, inverse_inertia * turn);
            }
            let (velocity, spin) = (pose.v + push, pose.w + turn);
            self.problem.bodies.push(FreeBody { inverse_mass: 1.0 / body.mass, inverse_inertia, velocity, spin });
        }
        Ok(())
    }

    /// [`Workbench::turns_otherwise`] with the velocities of the solution: then the bodies have those without contacts that are so.
    fn turns_otherwise<C: Contacts>(&mut self, bench: &mut Workbench<C>) -> Result<bool, Error> {
        let after = self.solution.velocities.iter().map(|u| V3::new(u[3], u[4], u[5]));
        let mechanism = std::sync::Arc::clone(bench.configuration.mechanism());
        let Some(impulse) = bench.turning.follow(&mechanism, &bench.saved.poses, after) else { return Ok(false) };
        self.change.clear();
        self.change.extend_from_slice(impulse);
        if !self.joints.is_empty() {
            self.answer.fill(0.0);
            bench.configuration.solve(&mut self.change, &mut self.answer)?;
        }
        for (body, d) in self.problem.bodies.iter_mut().zip(self.change.chunks_exact(6)) {
            let (push, turn) = (V3::new(d[0], d[1], d[2]), V3::new(d[3], d[4], d[5]));
            // Turning pushes no free body.
            let turn = if self.joints.is_empty() { body.inverse_inertia * turn } else { turn };
            (body.velocity, body.spin) = (body.velocity + push, body.spin + turn);
        }
        Ok(true)
    }

    /// Rows of the joints at the positions and the time of `configuration`: `Phi_q` u + `Phi_t` = 0.
    fn join(&mut self, configuration: &mut Configuration) {
        configuration.joint_rows(&mut self.joints);
        configuration.violation_rates(&mut self.rates);
        let poses = configuration.poses();
        self.problem.bilateral.clear();
        self.problem.bilateral.extend(self.joints.iter().zip(&self.rates).map(|(&(bodies, row), rate)| {
            GlobalBilateral { bodies, row, bias: rate - row.rate(&poses[bodies[0]], &poses[bodies[1]]) }
        }));
    }
}

fn velocity(velocities: &[[f64; 6]], body: usize) -> (V3, V3) {
    let split = |u: &[f64; 6]| (V3::new(u[0], u[1], u[2]), V3::new(u[3], u[4], u[5]));
    velocities.get(body).map_or_else(|| (V3::zeros(), V3::zeros()), split)
}

/// One step: (4) to (7) with Coulomb's law in the velocities of the bodies, joints projected, then restitution as in the gap scheme.
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>, free: &mut Free) -> Result<(), Error> {
    let h = bench.h;
    bench.configuration.look(&bench.state);
    bench.push_and_spin()?;
    bench.find_first()?;
    bench.configuration.advance(&mut bench.state, h)?;
    free.workspace.reference = bench.scales.speed;
    free.join(&mut bench.configuration);
    free.fly(&mut bench.configuration, &bench.force, h)?;
    free.note_change(&mut bench.change, bench.configuration.poses());
    free.problem.contacts.clear();
    let fall = bench.fall();
    for contact in &bench.found {
        let mut bias = [0.0; 6];
        let out = bench.push_out(contact, fall);
        bias[0] = (contact.gap / h).max(-out) + contact.gap_rate;
        free.problem.contacts.push(global(contact, bias));
    }
    free.warm(&bench.found);
    bench.record.residual = free.solve()?;
    while free.turns_otherwise(bench)? {
        bench.record.residual = free.solve()?;
    }
    free.tell(bench);
    free.note(bench);
    set(bench, &free.solution.velocities);
    bench.configuration.look(&bench.state);
    bench.configuration.drift(h);
    if !free.joints.is_empty() {
        bench.close_joints()?;
    }
    bench.configuration.store(&mut bench.state);
    if !free.joints.is_empty() {
        bench.put_back()?;
        bench.project_velocities()?;
    }
    if bench.impact.elastic { rebound(bench, free) } else { Ok(()) }
}

fn set<C: Contacts>(bench: &mut Workbench<C>, velocities: &[[f64; 6]]) {
    for (pose, u) in bench.state.poses.iter_mut().zip(velocities) {
        (pose.v, pose.w) = (V3::new(u[0], u[1], u[2]), V3::new(u[3], u[4], u[5]));
    }
}

/// Restitution at the new positions, from the velocities without impulses: those that closed rebound, the closed ones stay closed.
fn rebound<C: Contacts>(bench: &mut Workbench<C>, free: &mut Free) -> Result<(), Error> {
    bench.find(bench.reach)?;
    bench.fly_on()?;
    bench.ask();
    if bench.impact.asked.iter().all(|asked| *asked <= 0.0) {
        bench.configuration.look(&bench.state);
        return Ok(());
    }
    for ((body, pose), inverse) in free.problem.bodies.iter_mut().zip(bench.configuration.poses()).zip(&free.inverse) {
        (body.velocity, body.spin) = (pose.v, pose.w);
        body.inverse_inertia = pose.a * inverse * pose.a.transpose();
    }
    free.join(&mut bench.configuration);
    free.take_rates(&bench.saved.poses, &bench.found);
    let kept = std::mem::take(&mut free.solution.impulses);
    let reactions = std::mem::take(&mut free.solution.bilateral);
    let done = free.collide(bench);
    bench.contacts_done.iter_mut().for_each(|c| c.impulse = [0.0; 6]);
    for (c, contact) in bench.found.iter().enumerate() {
        if let Some(k) = bench.done(contact) {
            bench.contacts_done[k].impulse = free.solution.impulses[c];
            bench.contacts_done[k].closing_speed = bench.impact.closing_speeds[c];
        }
    }
    // The next step starts from the impulses that carried this one, without those of the rebound.
    (free.solution.impulses, free.solution.bilateral) = (kept, reactions);
    done?;
    set(bench, &free.solution.velocities);
    bench.turning.leave(bench.configuration.mechanism(), &mut bench.state.poses);
    if free.joints.is_empty() { Ok(()) } else { bench.project_velocities() }
}

impl Free {
    /// Writes down the contacts of the step with the impulses that hold their gaps, and what they moved.
    fn note<C: Contacts>(&mut self, bench: &mut Workbench<C>) {
        let h = bench.h;
        bench.impact.clear();
        for (k, impulse) in self.solution.impulses.iter().enumerate() {
            let contact = &bench.found[k];
            let end = contact.gap + h * rate(contact, |b| velocity(&self.solution.velocities, b));
            let touches = impulse[0] > 0.0 || bench.is_closed(contact, end);
            bench.impact.touched.push(touches);
            bench.impact.elastic |= touches && contact.surface.restitution > 0.0;
            let (id, gap) = (contact.id, contact.gap);
            bench.contacts_done.push(ContactRecord { id, gap, closing_speed: 0.0, impulse: *impulse });
        }
        bench.impact.moved.clear();
        for (body, after) in self.problem.bodies.iter().zip(&self.solution.velocities) {
            let free = [body.velocity, body.spin];
            let pushed: [f64; 6] = std::array::from_fn(|k| after[k] - free[k / 3][k % 3]);
            bench.impact.moved.extend(pushed.map(|d| h * d));
        }
        self.take_rates(&bench.saved.poses, &bench.found);
        bench.impact.lifted = self.lifted();
        bench.record.impact_energy = self.energy(bench.impact.lifted)[0];
    }

    fn take_rates(&mut self, begin: &[Pose], found: &[Unilateral]) {
        self.begin.clear();
        self.begin.extend(begin.iter().map(|p| [p.v.x, p.v.y, p.v.z, p.w.x, p.w.y, p.w.z]));
        self.walls.clear();
        self.walls.extend(found.iter().map(|contact| contact.gap_rate));
    }

    /// Change of the velocities of `poses` in flight without contacts.
    fn note_change(&self, change: &mut [f64], poses: &[Pose]) {
        for ((change, body), pose) in change.chunks_exact_mut(6).zip(&self.problem.bodies).zip(poses) {
            let (v, w) = (body.velocity - pose.v, body.spin - pose.w);
            change.copy_from_slice(&[v.x, v.y, v.z, w.x, w.y, w.z]);
        }
    }

    /// Impulses of the rows in use, contact by contact, for whoever takes the step again.
    pub(super) fn suggest(&self, guess: &mut Vec<f64>) {
        guess.clear();
        for (contact, impulse) in self.problem.contacts.iter().zip(&self.solution.impulses) {
            guess.extend_from_slice(&impulse[..contact.cone.size()]);
        }
    }

    /// Impulses with which the contacts leave as asked, or more slowly where that would create energy.
    fn collide<C: Contacts>(&mut self, bench: &mut Workbench<C>) -> Result<(), Error> {
        let lifted = bench.impact.lifted - bench.pushed_out();
        let mut residual = self.try_rebound(bench, 1.0)?;
        let [mut gain, allowed] = self.energy(lifted);
        if !(residual <= UNSOLVED_GLOBAL && gain <= allowed) {
            bench.record.replaced |= bench.throws();
            let asked = if residual <= UNSOLVED_GLOBAL { gain } else { f64::INFINITY };
            let mut factor = Factor::new(0.0, asked);
            let mut tried = 1.0;
            for _ in 0..LOWERINGS {
                tried = factor.next();
                residual = self.try_rebound(bench, tried)?;
                let [energy, allowed] = self.energy(lifted);
                let energy = if residual <= UNSOLVED_GLOBAL { energy } else { f64::INFINITY };
                factor.learn(tried, energy, allowed);
                if energy <= allowed && energy >= -ENOUGH * allowed || factor.narrow() {
                    break;
                }
            }
            if tried != factor.safe() {
                residual = self.try_rebound(bench, factor.safe())?;
            }
            gain = self.energy(lifted)[0];
        }
        if residual > bench.record.residual {
            bench.record.residual = residual;
            self.tell(bench);
        }
        bench.record.impact_energy = gain;
        Ok(())
    }

    /// Notes how the last solve ended.
    fn tell<C: Contacts>(&self, bench: &mut Workbench<C>) {
        bench.record.out_of_budget |= self.solution.out_of_budget;
        if let Some(contact) = self.solution.hardest.and_then(|c| bench.found.get(c)) {
            bench.record.hardest = contact.id;
        }
    }

    fn try_rebound<C: Contacts>(&mut self, bench: &Workbench<C>, factor: f64) -> Result<f64, Error> {
        self.problem.contacts.clear();
        for (contact, asked) in bench.found.iter().zip(&bench.impact.asked) {
            let mut bias = [0.0; 6];
            bias[0] = contact.gap_rate - factor * asked;
            self.problem.contacts.push(global(contact, bias));
        }
        self.solve()
    }

    /// Velocities of the rows of a contact: at the begin of the step, without impulses, with them, each without what walls do.
    fn rates(&self, contact: &GlobalContact, row: usize) -> [f64; 3] {
        let free = |b: usize| self.problem.bodies.get(b).map_or((V3::zeros(), V3::zeros()), |b| (b.velocity, b.spin));
        let row = &contact.rows[row];
        let at = |(vi, wi): (V3, V3), (vj, wj): (V3, V3)| row.g.dot(&(vi - vj)) + row.gi.dot(&wi) + row.gj.dot(&wj);
        let [i, j] = contact.bodies;
        let after = &self.solution.velocities;
        [
            at(velocity(&self.begin, i), velocity(&self.begin, j)),
            at(free(i), free(j)),
            at(velocity(after, i), velocity(after, j)),
        ]
    }

    /// -Q dq of what contacts moved the bodies.
    fn lifted(&self) -> f64 {
        self.works(|impulse, [before, free, _], _| -impulse * (free - before))
    }

    /// The account of [`super::impact`], and what of it the solver may have left.
    fn energy(&self, lifted: f64) -> [f64; 2] {
        let sum =
            self.works(|s, [before, free, after], wall| s * (wall + 0.5 * (after + free) + 0.5 * (free - before)));
        let size = self.works(|s, [_, free, after], _| (s * free).abs() + (s * after).abs());
        [sum + lifted, LEFT * (size + lifted.abs())]
    }

    /// Sum over the rows in use of what `work`(impulse, rates, rate of the wall) says.
    fn works(&self, work: impl Fn(f64, [f64; 3], f64) -> f64) -> f64 {
        let contacts = self.problem.contacts.iter().zip(&self.solution.impulses).zip(&self.walls);
        let mut sum = 0.0;
        for ((contact, impulse), wall) in contacts.filter(|((_, impulse), _)| impulse[0] > 0.0) {
            for (row, impulse) in impulse[..contact.cone.size()].iter().enumerate() {
                let wall = if row == 0 { *wall } else { 0.0 };
                sum += work(*impulse, self.rates(contact, row), wall);
            }
        }
        sum
    }
}

fn global(contact: &Unilateral, bias: [f64; 6]) -> GlobalContact {
    GlobalContact { bodies: contact.bodies, cone: Cone::of(&contact.surface), rows: contact.rows, bias }
}
