//! Modes of touching contacts, and Painlevé shocks: slip that no finite force goes with (Painleve's paradox) is ended by impulses first.

use super::contact_modes::{decide, hold, observe};
use super::handle::Signs;
use super::log::{Event, EventKind, Reached};
use super::mode::{self, Closed, Friction};
use super::rows::Decision;
use super::stepper::EventStepper;
use crate::configuration::Delassus;
use crate::error::Error;
use crate::law::routh;
use crate::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_multibody::integrator::Integrator;
use nalgebra::{Matrix3, Vector3};

/// Painlevé shocks dealt with at one instant.
const SHOCKS: usize = 8;
/// Decisions with the friction of joints that follows from the one before.
const FRICTIONS: usize = 8;

impl<C: Contacts> EventStepper<C> {
    /// Modes of the touching contacts, and whether all their rows could be imposed. Friction at joints follows from these, as they from it: they are
    /// decided again until they stand.
    pub(super) fn decide(
        &mut self,
        time: f64,
        touching: Vec<Unilateral>,
        signs: &Signs,
    ) -> Result<(Vec<Closed>, bool), Error> {
        if !self.stepper.ode().configuration.rubs() {
            return self.decide_once(time, touching, signs);
        }
        let mut decided = self.decide_once(time, touching.clone(), signs)?;
        for _ in 0..FRICTIONS {
            let flow = self.stepper.ode_mut();
            let before = std::mem::replace(&mut flow.modes.closed, decided.0.clone());
            let found = flow.accelerations().map(|_| ());
            flow.modes.closed = before;
            match found {
                Err(Error::Dependent { .. }) => break,
                found => found?,
            }
            let again = self.decide_once(time, touching.clone(), signs)?;
            if mode::alike(&again.0, &decided.0) {
                break;
            }
            decided = again;
        }
        Ok(decided)
    }

    /// The same with the friction of joints by the reactions that are known.
    fn decide_once(
        &mut self,
        time: f64,
        mut touching: Vec<Unilateral>,
        signs: &Signs,
    ) -> Result<(Vec<Closed>, bool), Error> {
        let pole = signs.unbounded;
        let mut unbounded = pole;
        for _ in 0..SHOCKS {
            self.stop_what_stays(&mut touching)?;
            if !unbounded
                && !signs.changing
                && signs.slipping.is_empty()
                && let Some(held) = self.stepper.ode_mut().all_held(&touching)?
            {
                return Ok(held);
            }
            let flow = self.stepper.ode_mut();
            let n = flow.configuration.dimension();
            let (mut u, mut multipliers) = (vec![0.0; n], vec![0.0; flow.configuration.row_count()]);
            flow.configuration.free_rubbed(&flow.state, &mut u, &mut multipliers)?;
            let slipping = |id: ContactId, g: usize| {
                signs.slipping.iter().find(|(other, group, _)| *other == id && *group == g).map(|(.., d)| *d)
            };
            let friction = observe(&touching, flow.configuration.poses(), &flow.thresholds, slipping);
            match decide(&mut flow.configuration, &touching, &u, friction, [unbounded, pole])? {
                Decision::Modes(closed, whole) => {
                    self.begin_slips_at_rest(&touching, &closed)?;
                    return Ok((closed, whole));
                }
                Decision::Shock(id, impulses) => self.shock(time, id, &touching, &impulses)?,
            }
            unbounded = false;
            // Their accelerations depend on the velocities.
            let flow = self.stepper.ode_mut();
            flow.look()?;
            let poses = flow.configuration.poses();
            let stays = |c: &&Unilateral| {
                touching.binary_search_by_key(&c.id, |t| t.id).is_ok() && c.rate(poses) <= flow.thresholds.rate(c)
            };
            touching = flow.found.iter().filter(stays).copied().collect();
        }
        Err(Error::Undecided { contacts: touching.len() })
    }

    /// Takes away, in the mass norm, the normal velocities of `touching` and those of what sticks there: rebounds too low to be resolved,
    /// and what counts as none beside slip. Else they would be set to zero in some rows but not in those that depend on them, and
    /// accelerations decided at velocities that no motion has, where friction that can bring a Painlevé shock has no answer: a ball that rocks in a groove, on
    /// each face in turn, would end spinning between both.
    fn stop_what_stays(&mut self, touching: &mut Vec<Unilateral>) -> Result<(), Error> {
        let flow = self.stepper.ode_mut();
        let (poses, thresholds) = (flow.configuration.poses(), &flow.thresholds);
        let friction = observe(touching, poses, thresholds, |_, _| None);
        let slips = friction.iter().flatten().any(|f| matches!(f, Friction::Slip(_)));
        let moves = |(contact, friction): (&Unilateral, &[Friction; 3])| {
            let creeps = |g: usize| {
                let u = mode::velocity(contact, g, poses);
                friction[g] == Friction::Stick && u[0].hypot(u[1]) > thresholds.back(g)
            };
            let none = if slips { thresholds.round_off(contact) } else { thresholds.rate(contact) };
            contact.rate(poses).abs() > none || slips && (0..3).any(creeps)
        };
        if !touching.iter().zip(&friction).any(moves) {
            return Ok(());
        }
        flow.modes.closed = hold(&mut flow.configuration, touching, &friction, |_| 0.0)?.0;
        flow.restore()?;
        flow.look()?;
        let stays = |c: &&Unilateral| touching.binary_search_by_key(&c.id, |t| t.id).is_ok();
        *touching = flow.found.iter().filter(stays).copied().collect();
        Ok(())
    }

    /// Takes what is left of velocities that count as none from slip that begins: their direction is any, and friction would jump from
    /// that of the slip to come to it and back.
    fn begin_slips_at_rest(&mut self, touching: &[Unilateral], closed: &[Closed]) -> Result<(), Error> {
        let flow = self.stepper.ode_mut();
        let (mut stay, mut friction, mut creeps) = (Vec::new(), Vec::new(), false);
        for closed in closed {
            let Ok(k) = touching.binary_search_by_key(&closed.id, |t| t.id) else { continue };
            let still = |g: usize| {
                let u = mode::velocity(&touching[k], g, flow.configuration.poses());
                let speed = u[0].hypot(u[1]);
                let slow = matches!(closed.friction[g], Friction::Slip(_)) && speed <= flow.thresholds.slip(g);
                (slow, slow && speed > flow.thresholds.back(g))
            };
            stay.push(touching[k]);
            friction.push(std::array::from_fn(|g| if still(g).0 { Friction::Stick } else { closed.friction[g] }));
            creeps |= (0..3).any(|g| still(g).1);
        }
        if creeps {
            flow.modes.closed = hold(&mut flow.configuration, &stay, &friction, |_| 0.0)?.0;
            flow.restore()?;
        }
        Ok(())
    }

    /// Whether something slips, and no step has been too short at this time before.
    pub(super) fn slips_at_a_pole(&self) -> bool {
        let slips = |closed: &Closed| closed.friction.iter().any(|f| matches!(f, Friction::Slip(_)));
        self.pole != self.stepper.time() && self.stepper.ode().modes.closed.iter().any(slips)
    }

    /// Whether rows have become dependent, and no step has been too short at this time before.
    pub(super) fn is_worn(&self) -> bool {
        self.pole != self.stepper.time() && self.stepper.ode().refusal.is_worn()
    }

    /// Goes on where rows have become dependent, as corners that slide come to lie on a line: with others.
    pub(super) fn choose_anew(&mut self) -> Result<Reached, Error> {
        self.visit()?;
        self.commit(|run| {
            run.pole = run.stepper.time();
            run.stepper.ode_mut().choose_rows()?;
            run.count(run.pole)?;
            run.settle(&Signs { changing: true, ..Signs::default() })
        })?;
        Ok(Reached::Event)
    }

    /// Goes on where forces grow so fast that no step is short enough: asks what lies beyond.
    pub(super) fn pass_pole(&mut self) -> Result<Reached, Error> {
        self.visit()?;
        self.commit(|run| {
            run.pole = run.stepper.time();
            run.stepper.ode_mut().restore()?;
            run.count(run.pole)?;
            run.settle(&Signs { unbounded: true, ..Signs::default() })
        })?;
        Ok(Reached::Event)
    }

    /// The impulse of contact `id`, where it has a shock by itself: Routh's path from u_N = 0 back to u_N = 0. Else `impulses` of all, which have one
    /// together.
    fn shock(&mut self, time: f64, id: ContactId, touching: &[Unilateral], impulses: &[f64]) -> Result<(), Error> {
        let flow = self.stepper.ode_mut();
        let Some(at) = touching.iter().position(|c| c.id == id) else {
            return Err(Error::Undecided { contacts: touching.len() });
        };
        let mut delassus = Delassus::default();
        delassus.assemble(&mut flow.configuration, &touching[at..=at], |_| 2)?;
        let mut rates = [0.0; 3];
        delassus.rates(&touching[at..=at], flow.configuration.poses(), &mut rates);
        let w = Matrix3::from_fn(|i, j| delassus.matrix()[(i, j)]);
        let single = routh::painleve_shock(&w, &Vector3::from(rates), touching[at].surface.friction);
        if let Some(single) = single {
            self.strike(time, &touching[at..=at], &delassus, single.impulse.as_slice());
        } else {
            delassus.assemble(&mut flow.configuration, touching, |c| c.surface.friction_rows())?;
            self.strike(time, touching, &delassus, impulses);
        }
        Ok(())
    }

    /// Applies the impulses of the rows of `delassus`, which are those of `contacts`, and writes down a shock of each that is struck.
    fn strike(&mut self, time: f64, contacts: &[Unilateral], delassus: &Delassus, impulses: &[f64]) {
        let flow = self.stepper.ode_mut();
        let mut rates = vec![0.0; delassus.row_count()];
        delassus.rates(contacts, flow.configuration.poses(), &mut rates);
        let mut energy = 0.5 * impulses.iter().zip(&rates).map(|(s, u)| s * u).sum::<f64>();
        let mut change = vec![0.0; flow.configuration.dimension()];
        delassus.apply(impulses, &mut change);
        flow.configuration.accelerate(&change);
        flow.configuration.store(&mut flow.state);
        delassus.rates(contacts, flow.configuration.poses(), &mut rates);
        energy += 0.5 * impulses.iter().zip(&rates).map(|(s, u)| s * u).sum::<f64>();
        for (contact, &at) in contacts.iter().zip(delassus.first()).filter(|(_, at)| impulses[**at] > 0.0) {
            let (kind, impulse) = (EventKind::PainleveShock, impulses[at]);
            self.log.push(Event { time, kind, contact: contact.id, closing_speed: 0.0, impulse, energy, wall: 0.0 });
            energy = 0.0;
        }
    }
}
