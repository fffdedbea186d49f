//! The gap scheme for many bodies: contacts and joints in global form, W never formed.

use super::ContactRecord;
use super::gap_lcp::bounce;
use super::workbench::{Bounce, CLOSED, Workbench};
use crate::configuration::Configuration;
use crate::error::Error;
use crate::friction::{Cone, GlobalCoulomb, GlobalSolution, GlobalWorkspace};
use crate::problem::GlobalFriction;
use crate::problem::friction_global::GlobalBilateral;
use crate::problem::friction_global::{FreeBody, GlobalContact};
use crate::unilateral::{ContactId, Contacts, Row, Unilateral};
use fourbar_multibody::Mechanism;
use fourbar_multibody::space::{M3, V3};

/// Part of the residual that may be kept, while a pile comes to rest.
const QUIET: f64 = 0.01;

/// Problem, solver and the impulses of the last step, from which contacts that are still there start.
#[derive(Debug, Clone)]
pub(super) struct Free {
    solver: GlobalCoulomb,
    problem: GlobalFriction,
    workspace: GlobalWorkspace,
    solution: GlobalSolution,
    ids: Vec<ContactId>,
    last: Vec<[f64; 6]>,
    /// Inverse inertias in body axes.
    inverse: Vec<M3>,
    before: Vec<f64>,
    free: Vec<f64>,
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
            workspace: GlobalWorkspace::default(),
            solution: GlobalSolution::default(),
            ids: Vec::new(),
            last: Vec::new(),
            inverse: inverse?,
            before: Vec::new(),
            free: Vec::new(),
            joints: Vec::new(),
            rates: vec![0.0; mechanism.row_count()],
            change: Vec::new(),
            answer: Vec::new(),
        })
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

    /// Rows of the joints at the positions and the time of `configuration`: `Phi_q` u + `Phi_t` = 0.
    fn join(&mut self, configuration: &mut Configuration) {
        configuration.joint_rows(&mut self.joints);
        configuration.defect_rates(&mut self.rates);
        let poses = configuration.poses();
        self.problem.bilateral.clear();
        self.problem.bilateral.extend(self.joints.iter().zip(&self.rates).map(|(&(bodies, row), rate)| {
            GlobalBilateral { bodies, row, bias: rate - row.rate(&poses[bodies[0]], &poses[bodies[1]]) }
        }));
    }

    /// Rate of a normal row at the free velocities.
    fn free_rate(&self, contact: &Unilateral) -> f64 {
        rate(contact, |b| self.problem.bodies.get(b).map_or((V3::zeros(), V3::zeros()), |b| (b.velocity, b.spin)))
    }
}

/// Rate of a normal row at the (velocity, angular velocity) of its bodies.
fn rate(contact: &Unilateral, at: impl Fn(usize) -> (V3, V3)) -> f64 {
    let ((vi, wi), (vj, wj), row) = (at(contact.bodies[0]), at(contact.bodies[1]), &contact.rows[0]);
    row.g.dot(&(vi - vj)) + row.gi.dot(&wi) + row.gj.dot(&wj) + contact.gap_rate
}

fn velocity(solution: &GlobalSolution, body: usize) -> (V3, V3) {
    let split = |u: &[f64; 6]| (V3::new(u[0], u[1], u[2]), V3::new(u[3], u[4], u[5]));
    solution.velocities.get(body).map_or_else(|| (V3::zeros(), V3::zeros()), split)
}

/// One step: (4) to (7) with Coulomb's law in the velocities of the bodies, joints projected, then restitution as in the gap scheme.
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>, free: &mut Free) -> Result<(), Error> {
    let h = bench.h;
    bench.configuration.look(&bench.state);
    bench.push_and_spin(1.0)?;
    bench.find_first()?;
    bench.configuration.advance(&mut bench.state, h);
    free.join(&mut bench.configuration);
    free.fly(&mut bench.configuration, &bench.force, h)?;
    free.problem.contacts.clear();
    free.before.clear();
    free.free.clear();
    for contact in &bench.found {
        free.before.push(contact.rate(bench.configuration.poses()));
        free.free.push(free.free_rate(contact));
        let mut bias = [0.0; 6];
        bias[0] = contact.gap / h + contact.gap_rate;
        free.problem.contacts.push(global(contact, bias));
    }
    free.warm(&bench.found);
    bench.record.residual = free.solve()?;
    bench.rebounds.clear();
    for (k, impulse) in free.solution.impulses.iter().enumerate() {
        let contact = &bench.found[k];
        let end = contact.gap + h * rate(contact, |b| velocity(&free.solution, b));
        let touches = impulse[0] > 0.0 || end <= CLOSED;
        let bounce = if touches { bounce(contact, free.before[k], free.free[k], h) } else { Bounce::default() };
        let (id, gap) = (contact.id, contact.gap);
        bench.contacts_done.push(ContactRecord { id, gap, approach: bounce.approach, impulse: *impulse });
        bench.rebounds.push(bounce.rebound);
    }
    let set = |bench: &mut Workbench<C>, velocities: &[[f64; 6]]| {
        for (pose, u) in bench.state.poses.iter_mut().zip(velocities) {
            (pose.v, pose.w) = (V3::new(u[0], u[1], u[2]), V3::new(u[3], u[4], u[5]));
        }
    };
    set(bench, &free.solution.velocities);
    bench.configuration.look(&bench.state);
    bench.configuration.drift(h);
    bench.configuration.store(&mut bench.state);
    if !free.joints.is_empty() {
        bench.project_positions()?;
        bench.project_velocities()?;
    }
    if bench.rebounds.iter().any(|r| *r > 0.0) {
        rebound(bench, free)?;
        set(bench, &free.solution.velocities);
        if !free.joints.is_empty() {
            bench.project_velocities()?;
        }
    }
    Ok(())
}

/// Restitution at the new positions: those that closed rebound with e times their approach, the closed ones stay closed.
fn rebound<C: Contacts>(bench: &mut Workbench<C>, free: &mut Free) -> Result<(), Error> {
    bench.find(bench.reach)?;
    let mut found = std::mem::take(&mut bench.found);
    found.retain(|c| c.gap <= CLOSED || bench.asked(c).is_some_and(|asked| asked > 0.0));
    bench.found = found;
    for ((body, pose), inverse) in free.problem.bodies.iter_mut().zip(bench.configuration.poses()).zip(&free.inverse) {
        (body.velocity, body.spin) = (pose.v, pose.w);
        body.inverse_inertia = pose.a * inverse * pose.a.transpose();
    }
    free.join(&mut bench.configuration);
    free.problem.contacts.clear();
    for contact in &bench.found {
        let mut bias = [0.0; 6];
        bias[0] = contact.gap_rate - bench.asked(contact).unwrap_or(0.0);
        free.problem.contacts.push(global(contact, bias));
    }
    let kept = std::mem::take(&mut free.solution.impulses);
    let reactions = std::mem::take(&mut free.solution.bilateral);
    let residual = free.solve()?;
    bench.record.residual = bench.record.residual.max(residual);
    for (contact, impulse) in bench.found.iter().zip(&free.solution.impulses) {
        if let Ok(k) = bench.contacts_done.binary_search_by_key(&contact.id, |r| r.id) {
            bench.contacts_done[k].impulse.iter_mut().zip(impulse).for_each(|(sum, s)| *sum += s);
        }
    }
    // The next step starts from the impulses that carried this one, without those of the rebound.
    (free.solution.impulses, free.solution.bilateral) = (kept, reactions);
    Ok(())
}

fn global(contact: &Unilateral, bias: [f64; 6]) -> GlobalContact {
    GlobalContact { bodies: contact.bodies, cone: Cone::of(&contact.surface), rows: contact.rows, bias }
}
