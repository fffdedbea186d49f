//! The gap scheme for many bodies: contacts and joints in body-space form, W never formed.

use super::account::{Account, Rebounds, collide};
use super::impact::Impact;
use super::motion::Motion;
use super::nearby::is_closed;
use super::shares::Shares;
use super::workspace::{StepWorkspace, WORK, record_impact};
use super::{ContactRecord, StepRecord};
use crate::budget::Budget;
use crate::configuration::gather;
use crate::error::Error;
use crate::friction::{Cone, GlobalCoulomb, GlobalSolution, GlobalWorkspace};
use crate::problem::GlobalFriction;
use crate::problem::friction_global::{FreeBody, GlobalBilateral, GlobalContact};
use crate::unilateral::{ContactId, Contacts, Row, Unilateral};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_multibody::Mechanism;
use fourbar_multibody::space::{M3, Pose, V3};

/// Residual above which a step is solved again from where it stands, with so many minimizations and reduced form up to so many rows: from there on a run warns.
const AGAIN: f64 = 1e-3;
const MORE_ROUNDS: usize = 60;
const MORE_ROWS: usize = 600;
/// Energy that the solver may leave, as part of the work of all impulses: its residual.
const LEFT: f64 = 1e-8;
/// What divides a step in this form, whose solver stops at 1e-8 and, in hard steps, at the end of its sweeps.
pub(super) const UNSOLVED: f64 = 1e-3;

/// Problem, solver and the impulses of the last step, from which contacts that are still there start.
#[derive(Debug, Clone)]
pub(super) struct BodySpace {
    solver: GlobalCoulomb,
    problem: GlobalFriction,
    workspace: GlobalWorkspace,
    solution: GlobalSolution,
    shares: Shares,
    /// Impulses that are reported, and those of the solver that they are of.
    reported: Vec<[f64; 6]>,
    reported_of: Vec<[f64; 6]>,
    ids: Vec<ContactId>,
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

impl BodySpace {
    /// `None` if a body has no inertia to invert, or a row acts on more than two bodies, as couplers do.
    pub(super) fn new(mechanism: &Mechanism) -> Option<Self> {
        if mechanism.has_composed_rows() {
            return None;
        }
        let inverse: Option<Vec<M3>> = mechanism.bodies().iter().map(|b| b.inertia.try_inverse()).collect();
        Some(Self {
            solver: GlobalCoulomb::stepping(),
            problem: GlobalFriction::default(),
            workspace: GlobalWorkspace::within(Budget { work: Some(WORK), ..Budget::default() }),
            solution: GlobalSolution::default(),
            shares: Shares::default(),
            reported: Vec::new(),
            reported_of: Vec::new(),
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

    /// Forgets the impulses of the joints in the last step, whose rows are others now.
    pub(super) fn forget_joints(&mut self) {
        self.solution.bilateral.clear();
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
        if !self.ids.iter().copied().eq(found.iter().map(|c| c.id)) {
            self.reported_of.clear();
        }
        self.ids.clear();
        self.ids.extend(found.iter().map(|c| c.id));
    }

    /// Solves, and what is hard once more with more effort.
    fn solve(&mut self) -> Result<f64, Error> {
        self.solver.solve(&self.problem, &mut self.workspace, &mut self.solution)?;
        if self.solution.residual > AGAIN {
            let solver = GlobalCoulomb { rounds: MORE_ROUNDS, reduced_rows: MORE_ROWS, ..self.solver };
            solver.solve(&self.problem, &mut self.workspace, &mut self.solution)?;
        }
        Ok(self.solution.residual)
    }

    /// What is reported of the impulses: those of each pair of bodies shared evenly. The solver continues from its own.
    fn share(&mut self) {
        let slow = self.solver.tolerance * self.workspace.reference;
        let Self { shares, problem, solution, reported, reported_of, .. } = self;
        let impulses = &solution.impulses;
        // At rest they are those of the last step.
        let known = reported_of.len() == impulses.len();
        if !known {
            reported.clone_from(impulses);
        }
        let changed = |c: usize| !(known && reported_of[c] == impulses[c]);
        shares.pairs(problem, (&solution.velocities, slow), (impulses, changed), reported);
        reported_of.clone_from(impulses);
    }

    /// Velocities of the step without contacts: those of free bodies, or of bodies that joints hold, which the factors of
    /// the mechanism answer at once.
    fn fly(&mut self, motion: &mut Motion) -> Result<(), Error> {
        self.change.clear();
        self.change.extend(motion.force().iter().map(|f| f * motion.h()));
        let jointed = !self.joints.is_empty();
        if jointed {
            motion.configuration_mut().factor()?;
            self.answer.clear();
            self.answer.extend(self.rates.iter().map(|rate| -rate));
            motion.configuration_mut().solve(&mut self.change, &mut self.answer)?;
        }
        self.problem.bodies.clear();
        let mechanism = motion.mechanism();
        let poses = motion.configuration().poses();
        for (((body, pose), inverse), d) in
            mechanism.bodies().iter().zip(poses).zip(&self.inverse).zip(self.change.chunks_exact(6))
        {
            let inverse_inertia = pose.a * inverse * pose.a.transpose();
            let (mut push, mut turn) = split(d);
            if !jointed {
                (push, turn) = (push / body.mass, inverse_inertia * turn);
            }
            let (velocity, spin) = (pose.v + push, pose.w + turn);
            self.problem.bodies.push(FreeBody { inverse_mass: 1.0 / body.mass, inverse_inertia, velocity, spin });
        }
        motion.take_flight(self.problem.bodies.iter().map(|body| (body.velocity, body.spin)));
        Ok(())
    }

    /// Whether the velocities of the solution ask for another gyroscopic impulse: then the bodies have those without contacts that are so.
    fn turns_otherwise(&mut self, motion: &mut Motion) -> Result<bool, Error> {
        let after = self.solution.velocities.iter().map(|u| V3::new(u[3], u[4], u[5]));
        let Some(impulse) = motion.gyroscopic_change(after) else { return Ok(false) };
        self.change.clear();
        self.change.extend_from_slice(impulse);
        if !self.joints.is_empty() {
            self.answer.fill(0.0);
            motion.configuration_mut().solve(&mut self.change, &mut self.answer)?;
        }
        for (body, d) in self.problem.bodies.iter_mut().zip(self.change.chunks_exact(6)) {
            let (push, turn) = split(d);
            // Turning pushes no free body.
            let turn = if self.joints.is_empty() { body.inverse_inertia * turn } else { turn };
            (body.velocity, body.spin) = (body.velocity + push, body.spin + turn);
        }
        Ok(true)
    }

    /// Rows of the joints at the positions and the time of the configuration: `Phi_q` u + `Phi_t` = 0.
    fn join(&mut self, motion: &mut Motion) {
        let configuration = motion.configuration_mut();
        configuration.joint_rows(&mut self.joints);
        configuration.violation_rates(&mut self.rates);
        let poses = configuration.poses();
        self.problem.bilateral.clear();
        self.problem.bilateral.extend(self.joints.iter().zip(&self.rates).map(|(&(bodies, row), rate)| {
            GlobalBilateral { bodies, row, bias: rate - row.rate(&poses[bodies[0]], &poses[bodies[1]]) }
        }));
    }

    /// Writes down the contacts of the step with the impulses that hold their gaps, and what they moved.
    fn note<C: Contacts>(&mut self, step: &mut StepWorkspace<C>) {
        let StepWorkspace { motion, nearby, impact, record, contacts, .. } = step;
        let h = motion.h();
        impact.clear();
        self.share();
        for ((contact, impulse), reported) in nearby.found().iter().zip(&self.solution.impulses).zip(&self.reported) {
            let end = contact.gap + h * rate(contact, |b| velocity(&self.solution.velocities, b));
            impact.note(contact, impulse[0] > 0.0 || is_closed(nearby.scales(), contact, end));
            contacts.push(ContactRecord { id: contact.id, gap: contact.gap, closing_speed: 0.0, impulse: *reported });
        }
        self.take_rates(motion.begin(), nearby.found());
        let moved = self.problem.bodies.iter().zip(&self.solution.velocities).flat_map(|(body, after)| {
            let free = [body.velocity, body.spin];
            (0..6).map(move |k| h * (after[k] - free[k / 3][k % 3]))
        });
        impact.note_moved(moved, self.lifted());
        record.take_energy(&self.account(impact.lifted()));
    }

    fn take_rates(&mut self, begin: &[Pose], found: &[Unilateral]) {
        self.begin.clear();
        self.begin.extend(begin.iter().map(|p| [p.v.x, p.v.y, p.v.z, p.w.x, p.w.y, p.w.z]));
        self.walls.clear();
        self.walls.extend(found.iter().map(|contact| contact.gap_rate));
    }

    /// Impulses of the rows in use, contact by contact, for whoever takes the step again.
    pub(super) fn suggest(&self, guess: &mut Vec<f64>) {
        guess.clear();
        for (contact, impulse) in self.problem.contacts.iter().zip(&self.solution.impulses) {
            guess.extend_from_slice(&impulse[..contact.cone.size()]);
        }
    }

    /// Notes how the last solve ended.
    fn tell(&self, found: &[Unilateral], record: &mut StepRecord) {
        record.out_of_budget |= self.solution.out_of_budget;
        if let Some(contact) = self.solution.hardest.and_then(|c| found.get(c)) {
            record.hardest = contact.id;
        }
    }

    /// Velocities of the rows of a contact: at the begin of the step, without impulses, with them, each without what walls do.
    fn velocities(&self, contact: &GlobalContact, row: usize) -> [f64; 3] {
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

    /// Number, impulse and velocities of each row that pushes, with what walls do.
    fn pushing_rows(&self) -> impl Iterator<Item = (usize, f64, [f64; 3])> {
        let contacts = self.problem.contacts.iter().zip(&self.solution.impulses).zip(&self.walls);
        contacts.filter(|((_, impulse), _)| impulse[0] > 0.0).flat_map(move |((contact, impulse), wall)| {
            impulse[..contact.cone.size()].iter().enumerate().map(move |(row, impulse)| {
                let wall = if row == 0 { *wall } else { 0.0 };
                (row, *impulse, self.velocities(contact, row).map(|velocity| velocity + wall))
            })
        })
    }

    /// -Q dq of what contacts moved the bodies.
    fn lifted(&self) -> f64 {
        self.pushing_rows().map(|(_, impulse, [before, free, _])| -impulse * (free - before)).sum()
    }

    /// The account of the impulses; velocities are half a step behind positions.
    fn account(&self, lifted: f64) -> Account {
        let mut account = Account::new(lifted);
        self.pushing_rows().for_each(|(row, impulse, velocities)| account.add(impulse, velocities, 0.5, row > 0));
        account
    }
}

fn split(d: &[f64]) -> (V3, V3) {
    (V3::new(d[0], d[1], d[2]), V3::new(d[3], d[4], d[5]))
}

fn velocity(velocities: &[[f64; 6]], body: usize) -> (V3, V3) {
    velocities.get(body).map_or_else(|| (V3::zeros(), V3::zeros()), |u| split(u))
}

/// Velocity of a normal row at the (velocity, angular velocity) of its bodies.
fn rate(contact: &Unilateral, at: impl Fn(usize) -> (V3, V3)) -> f64 {
    let ((vi, wi), (vj, wj), row) = (at(contact.bodies[0]), at(contact.bodies[1]), &contact.rows[0]);
    row.g.dot(&(vi - vj)) + row.gi.dot(&wi) + row.gj.dot(&wj) + contact.gap_rate
}

fn global(contact: &Unilateral, normal: f64) -> GlobalContact {
    let bias = std::array::from_fn(|row| if row == 0 { normal } else { 0.0 });
    GlobalContact { bodies: contact.bodies, cone: Cone::of(&contact.surface), rows: contact.rows, bias }
}

/// One step: (4) to (7) with Coulomb's law in the velocities of the bodies, joints projected, then restitution as in the gap scheme.
pub(super) fn step<C: Contacts>(step: &mut StepWorkspace<C>, bodies: &mut BodySpace) -> Result<(), Error> {
    let h = step.motion.h();
    step.motion.look();
    step.apply_forces()?;
    step.nearby.find_first(&step.motion)?;
    step.motion.advance()?;
    bodies.workspace.reference = step.nearby.scales().speed;
    bodies.join(&mut step.motion);
    bodies.fly(&mut step.motion)?;
    bodies.problem.contacts.clear();
    let fall = step.motion.fall();
    for contact in step.nearby.found() {
        let out = step.nearby.push_out(&step.motion, contact, fall);
        bodies.problem.contacts.push(global(contact, (contact.gap / h).max(-out) + contact.gap_rate));
    }
    if step.closes_under_friction() {
        let closing = step.motion.foresee_closing(true)?;
        for (global, contact) in bodies.problem.contacts.iter_mut().zip(step.nearby.found()) {
            for k in 1..=contact.surface.friction_rows() {
                global.bias[k] = gather(&(contact.bodies, contact.rows[k]), closing);
            }
        }
    }
    bodies.warm(step.nearby.found());
    step.record.residual = bodies.solve()?;
    while bodies.turns_otherwise(&mut step.motion)? {
        step.record.residual = bodies.solve()?;
    }
    bodies.tell(step.nearby.found(), &mut step.record);
    bodies.note(step);
    step.motion.set_velocities(&bodies.solution.velocities);
    step.motion.look();
    step.motion.drift();
    let jointed = !bodies.joints.is_empty();
    if jointed {
        step.close_joints()?;
    }
    step.motion.store();
    if jointed {
        step.put_back()?;
        step.project_velocities()?;
    }
    if step.impact.is_elastic() { rebound(step, bodies) } else { Ok(()) }
}

/// Restitution at the new positions, from the velocities without impulses: those that closed rebound, the closed ones stay closed.
fn rebound<C: Contacts>(step: &mut StepWorkspace<C>, bodies: &mut BodySpace) -> Result<(), Error> {
    if !step.ask()? {
        step.motion.look();
        return Ok(());
    }
    let poses = step.motion.configuration().poses();
    for ((body, pose), inverse) in bodies.problem.bodies.iter_mut().zip(poses).zip(&bodies.inverse) {
        (body.velocity, body.spin) = (pose.v, pose.w);
        body.inverse_inertia = pose.a * inverse * pose.a.transpose();
    }
    bodies.join(&mut step.motion);
    bodies.take_rates(step.motion.begin(), step.nearby.found());
    let kept = (std::mem::take(&mut bodies.solution.impulses), std::mem::take(&mut bodies.solution.bilateral));
    let collided = collide_bodies(step, bodies);
    bodies.reported_of.clear();
    bodies.share();
    bodies.reported_of.clear();
    // The next step starts from the impulses that carried this one, without those of the rebound.
    (bodies.solution.impulses, bodies.solution.bilateral) = kept;
    record_impact(&mut step.contacts, step.nearby.found(), &step.impact, |c| bodies.reported[c]);
    collided?;
    step.motion.set_velocities(&bodies.solution.velocities);
    step.motion.leave_impact();
    if bodies.joints.is_empty() { Ok(()) } else { step.project_velocities() }
}

/// Impulses with which the contacts leave as asked, or more slowly where that would create energy.
fn collide_bodies<C: Contacts>(step: &mut StepWorkspace<C>, bodies: &mut BodySpace) -> Result<(), Error> {
    let lifted = step.impact.lifted() - step.joints.pushed_out(&step.motion);
    let (impact, found) = (&step.impact, step.nearby.found());
    let (residual, replaced) = collide(&mut Global { bodies, found, impact, lifted }, true)?;
    step.record.replaced |= replaced && impact.throws(step.motion.fall());
    if residual > step.record.residual {
        step.record.residual = residual;
        bodies.tell(found, &mut step.record);
    }
    step.record.take_energy(&bodies.account(lifted));
    Ok(())
}

/// The impact of a step in body-space form.
struct Global<'a> {
    bodies: &'a mut BodySpace,
    found: &'a [Unilateral],
    impact: &'a Impact,
    lifted: f64,
}

impl Rebounds for Global<'_> {
    const LEFT: f64 = LEFT;
    const UNSOLVED: f64 = UNSOLVED;

    fn attempt(&mut self, factor: f64) -> Result<f64, Error> {
        self.bodies.problem.contacts.clear();
        for (contact, asked) in self.found.iter().zip(self.impact.asked()) {
            self.bodies.problem.contacts.push(global(contact, contact.gap_rate - factor * asked));
        }
        self.bodies.solve()
    }

    fn account(&self) -> Account {
        self.bodies.account(self.lifted)
    }
}

/// The impulses from which the next step starts.
impl BodySpace {
    pub(super) fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.ids, to);
        self.solution.store(to);
    }

    pub(super) fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.ids)?;
        self.solution.load(from)?;
        // One for each contact of the last step.
        if self.ids.len() == self.solution.impulses.len() { Ok(()) } else { Err(from.refuse("the impulses")) }
    }
}
