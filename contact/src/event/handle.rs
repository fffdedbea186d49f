//! What happens at an event: impacts, decisions, accumulations, restart.

use super::accumulation::Cycle;
use super::log::{Event, EventKind, Reached};
use super::mode::Friction;
use super::mode::Watch;
use super::pending::Pending;
use super::stepper::EventStepper;
use super::watching::Lift;
use super::{accumulation, groups};
use crate::error::Error;
use crate::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_multibody::integrator::{Direction, Integrator};

/// Decisions at one instant, each at the velocities that the one before left.
const ROUNDS: usize = 8;

/// A contact that rebounds.
struct Bounce<'a> {
    contact: &'a Unilateral,
    /// Speed after [m/s], and over that before.
    rebound: f64,
    ratio: f64,
    /// Mass that strikes: impulse over change of speed \[kg\].
    mass: f64,
    /// Whether it continues a geometric sequence, slowly enough to be passed in closed form.
    passes: bool,
}

/// What the root functions said.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// Contacts whose gaps closed.
    pub(super) closing: Vec<ContactId>,
    /// Contacts whose normal forces fell to zero.
    pub(super) opening: Vec<ContactId>,
    /// Friction at its limit: contact, group, direction of the slip to come.
    pub(super) slipping: Vec<(ContactId, usize, [f64; 2])>,
    /// Whether closed contacts have left the regions in which their features touch.
    pub(super) leaving: bool,
    /// Friction whose slip stopped.
    pub(super) stopping: bool,
    /// Redundant contacts that would do something else now.
    pub(super) changing: bool,
    /// Forces that grow without bound.
    pub(super) unbounded: bool,
}

impl<C: Contacts> EventStepper<C> {
    /// Contacts that touch at the start collide or close.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.visit()?;
        let flow = self.stepper.ode_mut();
        if let Some((contact, depth, allowed)) = flow.deepest() {
            return Err(Error::Penetrating { contact, depth, allowed });
        }
        flow.meet(&flow.entered())?;
        flow.restore()?;
        self.settle(&Signs::default())
    }

    /// Deals with the root functions that changed their signs.
    pub(super) fn handle(&mut self) -> Result<Reached, Error> {
        let events = self.stepper.events().to_vec();
        self.visit()?;
        let flow = self.stepper.ode_mut();
        flow.accelerations()?;
        let (mut signs, mut leaving) = (Signs::default(), false);
        for event in events.iter().filter(|e| e.direction == Direction::Falling) {
            match flow.watch(event.index) {
                // A contact that leaves slowly may seem to close by round-off.
                Some(Watch::Gap(k)) if flow.leaves(k) => leaving = true,
                Some(Watch::Gap(k)) => signs.closing.push(flow.modes.watched[k]),
                Some(Watch::New) => signs.closing.extend(flow.arrived()),
                Some(Watch::Modes) => signs.changing = true,
                Some(Watch::Pole) => signs.unbounded = true,
                Some(Watch::Region(_)) => signs.leaving = true,
                Some(Watch::Normal(c)) => signs.opening.push(flow.modes.closed[c].id),
                Some(Watch::Friction(c, g)) => match flow.modes.closed[c].friction[g] {
                    Friction::Stick => {
                        let force = &flow.imposed.multipliers[c][groups::rows(g)];
                        let size = force.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
                        let d = [-force[0] / size, -force.get(1).unwrap_or(&0.0) / size];
                        signs.slipping.push((flow.modes.closed[c].id, g, d));
                    }
                    _ => signs.stopping = true,
                },
                None => {}
            }
        }
        if !signs.opening.is_empty() {
            signs.opening.extend(flow.idle());
        }
        if self.pending.steered {
            // What forces did under other inputs says nothing.
            signs = Signs { closing: signs.closing, leaving: signs.leaving, changing: true, ..Signs::default() };
        }
        let nothing = signs.closing.is_empty() && signs.opening.is_empty() && signs.slipping.is_empty();
        if nothing && !(signs.stopping || signs.changing || signs.unbounded || signs.leaving) {
            if leaving {
                // Seen to close once, it would not be seen to close again.
                self.commit(Self::begin_anew)?;
            }
            return Ok(Reached::Step);
        }
        self.commit(|run| {
            let flow = run.stepper.ode_mut();
            flow.let_go()?;
            flow.meet(&signs.closing)?;
            flow.restore()?;
            run.count(run.stepper.time())?;
            run.settle(&signs)
        })?;
        Ok(Reached::Event)
    }

    /// After a smooth step: contacts that came within reach are watched, modes that do not last are decided anew.
    pub(super) fn look_around(&mut self) -> Result<Reached, Error> {
        self.visit()?;
        self.hold_apart()?;
        let flow = self.stepper.ode_mut();
        let known = flow.found.iter().all(|c| flow.knows(c.id));
        let closing = flow.entered();
        let (stopping, leaving) = (flow.reversed(), !flow.left().is_empty());
        let steered = self.pending.steered;
        if known && closing.is_empty() && !stopping && !leaving && !steered && (flow.modes.guarded || flow.lasts()?) {
            return Ok(Reached::Step);
        }
        self.commit(|run| {
            let flow = run.stepper.ode_mut();
            flow.let_go()?;
            if !closing.is_empty() {
                flow.meet(&closing)?;
            }
            if stopping || !closing.is_empty() {
                flow.restore()?;
            }
            run.count(run.stepper.time())?;
            run.settle(&Signs { closing, stopping, leaving, ..Signs::default() })
        })?;
        Ok(Reached::Event)
    }

    /// Refuses closed contacts that enter the material, as those whose rows depend on others may.
    fn hold_apart(&self) -> Result<(), Error> {
        let flow = self.stepper.ode();
        let closed = |c: &&Unilateral| flow.modes.is_closed(c.id);
        let entered: Vec<&Unilateral> =
            flow.found.iter().filter(|c| flow.thresholds.penetrated(c)).filter(closed).collect();
        if entered.is_empty() {
            return Ok(());
        }
        let left = entered.iter().fold(0.0_f64, |a, c| a.max(-c.gap));
        let contacts = entered.iter().map(|c| c.id).collect();
        Err(Error::Squeezed { contacts, names: Vec::new(), time: self.time(), left })
    }

    /// Impact, decision and restart at the configuration where the flow stands.
    pub(super) fn settle(&mut self, signs: &Signs) -> Result<(), Error> {
        let time = self.stepper.time();
        let flow = self.stepper.ode_mut();
        flow.look()?;
        let closed = |id: &ContactId| flow.modes.is_closed(*id);
        let touches = |c: &&Unilateral| {
            !signs.opening.contains(&c.id)
                && (closed(&c.id) || signs.closing.contains(&c.id) || flow.thresholds.touches(c))
        };
        let touching: Vec<Unilateral> = flow.found.iter().filter(touches).copied().collect();
        let before = flow.modes.closed.clone();
        flow.configuration.factor()?;
        let (resting, loss) = self.collide(time, &touching)?;
        self.come_to_modes(time, touching.iter().map(|c| c.id).collect(), resting, loss, signs)?;
        self.note_changes(time, &before);
        self.check_depth(time)?;
        self.begin_anew()
    }

    /// Refuses contacts left inside by an event, as where the closest point of a pair goes to and fro between two places.
    fn check_depth(&self, time: f64) -> Result<(), Error> {
        let deepest = self.stepper.ode().deepest();
        deepest.map_or(Ok(()), |(contact, depth, allowed)| Err(Error::Entered { contact, time, depth, allowed }))
    }

    /// Restarts the integrator where the flow stands, and watches the open contacts from there.
    fn begin_anew(&mut self) -> Result<(), Error> {
        let time = self.stepper.time();
        let flow = self.stepper.ode_mut();
        flow.modes.watched.clear();
        for contact in &flow.found {
            if !flow.modes.is_closed(contact.id) {
                flow.modes.watched.push(contact.id);
            }
        }
        flow.settle_states()?;
        flow.write_state(&mut self.y);
        flow.arm()?;
        if let Err(error) = self.stepper.restart(time, &self.y, &[]) {
            return Err(self.stepper.ode_mut().refusal.stopped(error));
        }
        self.pending = Pending::NOTHING;
        Ok(())
    }

    /// Decides on the contacts `touching`, of which `resting` lose what is left of their rebounds. That turns the slip of the others, so
    /// that it is decided again at the velocities that are left, until these and the modes agree.
    fn come_to_modes(
        &mut self,
        time: f64,
        touching: Vec<ContactId>,
        mut resting: Vec<ContactId>,
        loss: Option<f64>,
        signs: &Signs,
    ) -> Result<(), Error> {
        let fresh = Signs::default();
        let mut passed: Option<(Lift, Cycle, f64)> = None;
        for round in 0..ROUNDS {
            let flow = self.stepper.ode_mut();
            flow.look()?;
            let poses = flow.configuration.poses();
            let stays = |c: &&Unilateral| {
                touching.contains(&c.id) && (c.rate(poses) <= flow.thresholds.rate(c) || resting.contains(&c.id))
            };
            let stay: Vec<Unilateral> = flow.found.iter().filter(stays).copied().collect();
            let decided = self.decide(time, stay, if round == 0 { signs } else { &fresh })?;
            let flow = self.stepper.ode_mut();
            (flow.modes.closed, flow.modes.guarded) = decided;
            flow.modes.decided = time;
            flow.restore()?;
            flow.look()?;
            let changed = !resting.is_empty() || flow.reversed();
            if let Some((lift, cycle, before)) = passed.take() {
                let (kind, id) = (EventKind::Accumulation, lift.contact.id);
                let energy = flow.kinetic() - before;
                let (time, impulse) = (cycle.end.max(time), 2.0 * energy / lift.rate);
                self.log.push(Event { time, kind, contact: id, closing_speed: lift.rate, impulse, energy, wall: 0.0 });
            }
            let lifts = self.stepper.ode_mut().lifted(&touching)?;
            resting = lifts.iter().filter(|lift| self.is_spent(lift, loss)).map(|lift| lift.contact.id).collect();
            if let Some((lift, cycle)) = self.first_in_cycle(&lifts) {
                // All that take part in the cycles rest, whichever of redundant contacts took the impulses.
                let slow = |lift: &&Lift| lift.rate < self.accumulates(&lift.contact);
                resting = lifts.iter().filter(slow).map(|lift| lift.contact.id).collect();
                resting.iter().for_each(|id| self.accumulations.forget(*id));
                passed = Some((lift, cycle, self.stepper.ode().kinetic()));
            }
            if !changed && resting.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Counts an event; too many in a second are an accumulation that nothing ends.
    pub(super) fn count(&mut self, time: f64) -> Result<(), Error> {
        let (period, most) = (self.stepper.ode().thresholds.period(), self.options.events_max);
        let Err(since) = self.guard.count(time, period, most) else { return Ok(()) };
        let contacts = self.names(self.log.recent().to_vec());
        Err(Error::Accumulating { events: most, since, time, contacts })
    }

    /// Lets closing contacts collide; returns those whose impacts accumulate and that rest from now on, and the energy lost if any
    /// collide \[J\].
    fn collide(&mut self, time: f64, touching: &[Unilateral]) -> Result<(Vec<ContactId>, Option<f64>), Error> {
        let flow = self.stepper.ode_mut();
        let closing_speed: Vec<f64> = touching.iter().map(|c| -c.rate(flow.configuration.poses())).collect();
        let none: Vec<f64> = touching.iter().map(|c| flow.thresholds.rate(c)).collect();
        if closing_speed.iter().zip(&none).all(|(u, none)| u <= none) {
            return Ok((Vec::new(), None));
        }
        let outcome = self.impact.collide(&self.options.law, &mut flow.configuration, touching)?;
        flow.configuration.store(&mut flow.state);
        // Accelerations along the rows depend on the velocities.
        flow.look()?;
        let (mut at, loss) = (0, -outcome.energy);
        let mut wall = self.impact.walls_work();
        let (mut energy, mut bouncing) = (outcome.energy + wall, Vec::new());
        for ((contact, &closing_speed), &none) in touching.iter().zip(&closing_speed).zip(&none) {
            let impulse = outcome.impulses[at];
            at += 1 + contact.surface.friction_rows();
            if impulse == 0.0 || closing_speed <= none {
                continue;
            }
            let kind = EventKind::Impact(outcome.applied);
            self.log.push(Event { time, kind, contact: contact.id, closing_speed, impulse, energy, wall });
            (energy, wall) = (0.0, 0.0);
            let rebound = contact.rate(self.stepper.ode().configuration.poses());
            let geometric = self.accumulations.note(contact.id, time, closing_speed, rebound);
            if rebound > none {
                let passes = geometric && closing_speed < self.accumulates(contact);
                let mass = impulse / (closing_speed + rebound);
                bouncing.push(Bounce { contact, rebound, ratio: rebound / closing_speed, mass, passes });
            }
        }
        Ok((self.accumulate(time, &bouncing)?, Some(loss)))
    }

    /// Closing speed of a contact below which accumulations are passed [m/s, rad/s].
    fn accumulates(&self, contact: &Unilateral) -> f64 {
        let asked = self.options.accumulation_speed;
        let fastest = self.accumulations.fastest(contact.id);
        if asked.is_finite() { asked } else { self.stepper.ode().thresholds.accumulates(contact, fastest) }
    }

    /// Whether a contact that others lift gets no higher than is resolved: round-off of gaps, or so little that an impact which loses
    /// `loss` takes no more than bodies gain as round-off of gaps puts them back on the surface: such cycles would never end.
    fn is_spent(&self, lift: &Lift, loss: Option<f64>) -> bool {
        let (flow, height) = (self.stepper.ode(), lift.height());
        let gained = lift.mass * lift.deceleration * flow.lowest();
        height <= flow.lowest()
            || height <= flow.thresholds.touching(&lift.contact) && loss.is_some_and(|loss| loss <= gained)
    }

    /// The first of `lifts` that is in a long geometric sequence of cycles, slow enough to be passed in closed form.
    fn first_in_cycle(&self, lifts: &[Lift]) -> Option<(Lift, Cycle)> {
        let lowest = self.stepper.ode().lowest();
        lifts.iter().find_map(|lift| {
            let cycle = self.accumulations.cycle(lift.contact.id)?;
            let slow = cycle.closing_speed.max(lift.rate) < self.accumulates(&lift.contact);
            (slow && cycle.is_long(lift.height(), lowest)).then_some((*lift, cycle))
        })
    }

    /// Passes accumulation points in closed form: geometric sequences, and rebounds too low to be resolved, as those of several
    /// contacts in turn become.
    fn accumulate(&mut self, time: f64, bouncing: &[Bounce]) -> Result<Vec<ContactId>, Error> {
        let mut resting = Vec::new();
        if bouncing.is_empty() {
            return Ok(resting);
        }
        let flow = self.stepper.ode_mut();
        let accelerations = flow.accelerations()?.to_vec();
        let lowest = flow.lowest();
        for Bounce { contact, rebound, ratio, mass, passes } in bouncing {
            let Ok(now) = flow.found.binary_search_by_key(&contact.id, |c| c.id) else { continue };
            let now = &flow.found[now];
            let row = (now.bodies, now.rows[0]);
            let a = crate::configuration::gather(&row, &accelerations) + row.1.drift + now.gap_rate_drift;
            let e = if *passes { *ratio } else { contact.surface.restitution };
            let height = -0.5 * rebound * rebound / a;
            // A bounce that loses no more than bodies gain as round-off of gaps puts them back on the surface would never end.
            let spent = height <= flow.thresholds.touching(contact) && height * (1.0 - e * e) <= lowest * e * e;
            let low = (height <= lowest || spent) && e < 1.0;
            if a < 0.0 && (*passes || low) {
                let time = time + accumulation::remaining(*rebound, -a, e);
                let (kind, closing_speed) = (EventKind::Accumulation, *rebound);
                // It counts as resting at once: the rebound is taken away.
                let (impulse, energy) = (-mass * rebound, -0.5 * mass * rebound * rebound);
                self.log.push(Event { time, kind, contact: contact.id, closing_speed, impulse, energy, wall: 0.0 });
                self.accumulations.forget(contact.id);
                resting.push(contact.id);
            }
        }
        Ok(resting)
    }

    /// Writes down what changed in the modes since `before`.
    fn note_changes(&mut self, time: f64, before: &[super::mode::Closed]) {
        let now = &self.stepper.ode().modes.closed;
        let mut note = |kind, contact| {
            self.log.push(Event { time, kind, contact, closing_speed: 0.0, impulse: 0.0, energy: 0.0, wall: 0.0 });
        };
        for old in before.iter().filter(|old| now.iter().all(|new| new.id != old.id)) {
            note(EventKind::Opened, old.id);
        }
        for new in now {
            let Some(old) = before.iter().find(|old| old.id == new.id) else {
                note(EventKind::Closed, new.id);
                continue;
            };
            for (g, (old, next)) in (0_u8..).zip(old.friction.iter().zip(&new.friction)) {
                match (old, next) {
                    (Friction::Slip(_), Friction::Stick) => note(EventKind::Stuck(g), new.id),
                    (Friction::Stick, Friction::Slip(_)) => note(EventKind::Slipped(g), new.id),
                    _ => {}
                }
            }
        }
    }
}
