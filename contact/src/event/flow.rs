//! Where the motion between two events stands: the mechanism, its contacts, what is closed; how it is put back on its constraints.

use super::active_constraints::Imposed;
use super::mode::{Closed, Friction, Modes};
use super::refusal::Refusal;
use super::thresholds::Thresholds;
use crate::configuration::Configuration;
use crate::error::Error;
use crate::scene_scales::SceneScales;
use crate::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_multibody::dae::{EvalError, Kind, Unknown};
use fourbar_multibody::force::settle;
use fourbar_multibody::formulation::{StateSizes, kinds};
use fourbar_multibody::space::{M3, V3, rotation};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Numbers a body in y.
pub(super) const BODY: usize = 12;
/// Corrections of positions at the end of a step, at most.
const CORRECTIONS: usize = 6;
/// Violation that ends these corrections, as part of the length of the scene: round-off.
const CLOSED: f64 = 4e-15;
/// Gap below zero at which an open contact closes, in units of round-off of the farthest body: above the round-off of the gap, so
/// that a contact that rebounds starts on the open side.
const AHEAD: f64 = 8.0 * f64::EPSILON;
/// Least distance of the farthest body, as part of the length of the scene: so far its contacts are from the origin.
const NEAREST: f64 = 0.1;

/// Ratio of masses up to which the forces between them have the digits that decisions take.
const MASSES: f64 = 1e6;

#[derive(Debug, Clone)]
pub(super) struct Flow<C> {
    pub(super) configuration: Configuration,
    pub(super) contacts: C,
    /// Contacts of the last evaluation, sorted by id.
    pub(super) found: Vec<Unilateral>,
    pub(super) modes: Modes,
    pub(super) imposed: Imposed,
    /// The state of the last evaluation.
    pub(super) state: State,
    pub(super) margin: f64,
    /// Whether contacts come and go at the regions of their features.
    pub(super) regions: bool,
    pub(super) thresholds: Thresholds,
    pub(super) reference: Vec<M3>,
    pub(super) unknowns: Vec<Unknown>,
    /// What the errors of the unknowns of the user are measured against.
    pub(super) state_sizes: StateSizes,
    pub(super) top: Vec<f64>,
    pub(super) bottom: Vec<f64>,
    /// What the last evaluation that failed said.
    pub(super) refusal: Refusal,
}

impl<C: Contacts> Flow<C> {
    pub(super) fn new(mechanism: &Arc<Mechanism>, mut contacts: C, start: &State, margin: f64) -> Result<Self, Error> {
        let mut configuration = Configuration::new(mechanism, start)?;
        let regions = contacts.follow(&mut std::iter::empty());
        let thresholds = Thresholds { scales: SceneScales::new(&mut configuration, &mut contacts, start)? };
        let unknown = |kind, typical| Unknown { kind, error_tested: true, scale_power: 0, typical };
        let mut unknowns = Vec::new();
        let [place, speed, turning] = thresholds.typical();
        for _ in mechanism.bodies() {
            let kinds = [kinds::POSITION, kinds::ORIENTATION, kinds::VELOCITY, kinds::ANGULAR_VELOCITY];
            for (kind, typical) in kinds.into_iter().zip([place, 1.0, speed, turning]) {
                unknowns.extend([unknown(kind, typical); 3]);
            }
        }
        let states = mechanism.user_states();
        unknowns.extend(start.drives.iter().skip(states.len()).map(|_| unknown(Kind::STATE, 1.0)));
        // What an equation 0 = f tells follows from the others, to the round-off of its iteration.
        let of_state = |implicit: bool| Unknown { error_tested: !implicit, ..unknown(Kind::STATE, 1.0) };
        unknowns.extend(states.iter().map(|state| of_state(state.implicit)));
        let (top, bottom) = (vec![0.0; configuration.dimension()], vec![0.0; configuration.row_count()]);
        Ok(Self {
            configuration,
            contacts,
            found: Vec::new(),
            modes: Modes::at(start.time),
            imposed: Imposed::default(),
            state: start.clone(),
            margin,
            regions,
            thresholds,
            reference: start.poses.iter().map(|p| p.a).collect(),
            unknowns,
            state_sizes: StateSizes::explicit(mechanism, mechanism.states_in(&start.drives)),
            top,
            bottom,
            refusal: Refusal::default(),
        })
    }

    /// Writes `state` as y, with its orientations as references.
    pub(super) fn write(&mut self, state: &State, y: &mut [f64]) {
        self.state.clone_from(state);
        self.write_state(y);
    }

    /// Writes the state itself into `y`, with references where the bodies are.
    pub(super) fn write_state(&mut self, y: &mut [f64]) {
        let state = &self.state;
        let nearest = NEAREST * self.thresholds.scales.length;
        self.modes.ahead = AHEAD * state.poses.iter().fold(nearest, |a, p| p.x.amax().max(a));
        for ((block, pose), reference) in y.chunks_exact_mut(BODY).zip(&state.poses).zip(&mut self.reference) {
            *reference = pose.a;
            block[..3].copy_from_slice(pose.x.as_slice());
            block[3..6].fill(0.0);
            block[6..9].copy_from_slice(pose.v.as_slice());
            block[9..].copy_from_slice(pose.w.as_slice());
        }
        let drives = BODY * state.poses.len();
        y[drives..].copy_from_slice(&state.drives);
    }

    /// Reads y at `t` into the state.
    pub(super) fn read(&mut self, t: f64, y: &[f64]) {
        self.state.time = t;
        let vector = |b: &[f64]| V3::new(b[0], b[1], b[2]);
        for ((block, pose), reference) in y.chunks_exact(BODY).zip(&mut self.state.poses).zip(&self.reference) {
            pose.x = vector(block);
            pose.a = rotation(&vector(&block[3..])) * reference;
            pose.v = vector(&block[6..]);
            pose.w = vector(&block[9..]);
        }
        let drives = BODY * self.state.poses.len();
        self.state.drives.copy_from_slice(&y[drives..]);
    }

    /// Goes to y at `t` and finds its contacts.
    pub(super) fn visit(&mut self, t: f64, y: &[f64]) -> Result<(), Error> {
        self.read(t, y);
        self.configuration.place(t, &self.state.poses, &self.state.drives);
        self.look()
    }

    /// Whether contacts that are not known yet may come to be near in a step.
    pub(super) fn meets(&self) -> bool {
        self.margin.is_finite() || self.regions
    }

    /// Closed contacts that have left the regions in which their features touch.
    pub(super) fn left(&self) -> Vec<ContactId> {
        let left = |id: &ContactId| self.contacts.region(*id).is_some_and(|region| region <= 0.0);
        self.modes.closed.iter().map(|closed| closed.id).filter(left).collect()
    }

    /// Lets closed contacts go that have left their regions: others take their places.
    pub(super) fn let_go(&mut self) -> Result<(), Error> {
        let left = self.left();
        self.modes.closed.retain(|closed| !left.contains(&closed.id));
        if left.is_empty() { Ok(()) } else { self.look() }
    }

    /// Finds the contacts at the configuration.
    pub(super) fn look(&mut self) -> Result<(), Error> {
        self.regions = self.contacts.follow(&mut self.modes.closed.iter().map(|closed| closed.id));
        self.contacts.find(self.configuration.time(), self.configuration.poses(), self.margin, &mut self.found)
    }

    /// Takes the rows of the closed contacts.
    fn collect(&mut self, turns: Option<&[f64]>) -> Result<(), Error> {
        match self.imposed.collect(&self.modes.closed, &self.found, &self.configuration, &self.thresholds, turns) {
            None => Ok(()),
            Some(c) => {
                let id = self.modes.closed[c].id;
                let (contact, reason) = (self.contacts.describe(id), self.contacts.lost(id));
                Err(Error::Lost { contact, time: self.configuration.time(), reason })
            }
        }
    }

    /// Accelerations with the contacts held, into the workspace; multipliers stay in `imposed`.
    pub(super) fn accelerations(&mut self) -> Result<&[f64], Error> {
        self.accelerations_turned(None)
    }

    /// The same with the directions of slip given: those before turned by `turns` \[rad\].
    pub(super) fn accelerations_turned(&mut self, turns: Option<&[f64]>) -> Result<&[f64], Error> {
        self.configuration.factor()?;
        self.configuration.free_acceleration(&self.state, &mut self.top, &mut self.bottom)?;
        self.collect(turns)?;
        if !self.imposed.hold(&mut self.configuration, &mut self.top)? {
            return Err(self.dependent());
        }
        self.rub()?;
        Ok(&self.top)
    }

    /// Adds what friction at joints does to the accelerations in the workspace and the multipliers of the contacts held, and keeps the reactions of the
    /// joints.
    fn rub(&mut self) -> Result<(), Error> {
        if !self.configuration.rubs() {
            return Ok(());
        }
        let Self { configuration, imposed, top, bottom, .. } = self;
        let (mechanism, poses) = (Arc::clone(configuration.mechanism()), configuration.poses().to_vec());
        imposed.add_reactions(configuration, bottom)?;
        let joints = bottom.len();
        let free = [bottom.as_slice(), imposed.held()].concat();
        let added = settle(&mechanism, configuration.time(), &poses, &free, |load, multipliers| {
            let (joints, contacts) = multipliers.split_at_mut(joints);
            imposed.respond_held(configuration, load, joints, contacts)
        })?;
        top.iter_mut().zip(&added.accelerations).for_each(|(sum, part)| *sum += part);
        let (of_joints, of_contacts) = added.multipliers.split_at(joints);
        bottom.iter_mut().zip(of_joints).for_each(|(sum, part)| *sum += part);
        imposed.push_more(of_contacts);
        configuration.reactions_mut().copy_from_slice(bottom);
        Ok(())
    }

    fn dependent(&self) -> Error {
        Error::Dependent { time: self.configuration.time() }
    }

    /// Puts the configuration back on joints, closed gaps and sticking directions, and the state with it.
    pub(super) fn restore(&mut self) -> Result<(), Error> {
        self.restore_positions()?;
        self.configuration.factor()?;
        self.configuration.project_velocities()?;
        self.collect(None)?;
        if !self.imposed.stop(&mut self.configuration)? {
            return Err(self.dependent());
        }
        let n = self.state.poses.len();
        self.state.poses.copy_from_slice(&self.configuration.poses()[..n]);
        Ok(())
    }

    /// Puts the positions on joints and closed gaps, those of `closing` among them if they are not redundant.
    pub(super) fn meet(&mut self, closing: &[ContactId]) -> Result<(), Error> {
        let kept = self.modes.closed.clone();
        let only = |id: &ContactId| Closed {
            id: *id,
            friction: [Friction::None; 3],
            imposed: std::array::from_fn(|row| row == 0),
        };
        self.modes.closed.extend(closing.iter().map(only));
        let met = self.restore_positions();
        self.modes.closed = kept;
        match met {
            Err(Error::Dependent { .. }) => self.restore_positions(),
            met => met,
        }
    }

    /// Solves the equations 0 = f of the unknowns of the user where the state is.
    pub(super) fn settle_states(&mut self) -> Result<(), Error> {
        self.configuration.settle_states(&mut self.state)
    }

    fn restore_positions(&mut self) -> Result<(), Error> {
        let mut best = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            self.collect(None)?;
            self.configuration.violations(&mut self.bottom);
            let worst = self.bottom.iter().fold(self.imposed.gap(), |a, b| a.max(b.abs()));
            if worst <= CLOSED * self.thresholds.scales.length || worst > 0.5 * best {
                break;
            }
            best = worst;
            self.configuration.factor()?;
            self.top.fill(0.0);
            self.bottom.iter_mut().for_each(|b| *b = -*b);
            self.configuration.solve(&mut self.top, &mut self.bottom)?;
            if !self.imposed.close(&mut self.configuration, &mut self.top)? {
                return Err(self.dependent());
            }
            self.configuration.displace(&self.top, 1.0);
            self.look()?;
        }
        Ok(())
    }

    /// Names the error of an evaluation for the integrator.
    pub(super) fn failed(&mut self, error: &Error) -> EvalError {
        self.refusal.note(error, self.configuration.time())
    }

    /// The contact that is deepest inside, if deeper than round-off of a start: its name, its overlap and what passes [m, rad].
    pub(super) fn deepest(&self) -> Option<(String, f64, f64)> {
        let entered = self.found.iter().filter(|c| c.gap < -self.thresholds.overlap(c));
        let deepest = entered.min_by(|a, b| a.gap.total_cmp(&b.gap))?;
        Some((self.contacts.describe(deepest.id), -deepest.gap, self.thresholds.overlap(deepest)))
    }

    /// Kinetic energy at the configuration \[J\].
    pub(super) fn kinetic(&self) -> f64 {
        let poses = &self.configuration.poses()[..self.state.poses.len()];
        let u: Vec<f64> =
            poses.iter().flat_map(|p| p.v.iter().chain(p.w.iter()).copied().collect::<Vec<_>>()).collect();
        let mut momentum = vec![0.0; u.len()];
        self.configuration.multiply_mass(&u, &mut momentum);
        0.5 * u.iter().zip(&momentum).map(|(u, p)| u * p).sum::<f64>()
    }

    /// The lightest and the heaviest of the bodies that touch, where their masses differ by more than contacts can tell apart.
    pub(super) fn masses(&self) -> Option<Error> {
        let bodies = self.configuration.mechanism().bodies();
        let touching = self.found.iter().filter(|c| self.thresholds.touches(c)).flat_map(|c| c.bodies);
        let touching = || touching.clone().filter_map(|b| bodies.get(b));
        let light = touching().min_by(|a, b| a.mass.total_cmp(&b.mass))?;
        let heavy = touching().max_by(|a, b| a.mass.total_cmp(&b.mass))?;
        let ratio = heavy.mass / light.mass;
        (ratio > MASSES).then(|| Error::Masses {
            bodies: [light.name.clone(), heavy.name.clone()],
            masses: [light.mass, heavy.mass],
            ratio,
            allowed: MASSES,
            time: self.configuration.time(),
        })
    }
}

/// As bytes, to go on from in another process.
impl<C: Contacts> Flow<C> {
    pub(super) fn store(&self, to: &mut Vec<u8>) {
        self.state.store(to);
        self.configuration.store_rows(to);
        Stored::store(&self.configuration, to);
        self.imposed.store(to);
        self.reference.store(to);
        self.modes.store(to);
        let mut sizes = Vec::with_capacity(self.state_sizes.stored());
        self.state_sizes.save(&mut sizes);
        sizes.store(to);
        self.contacts.break_state().store(to);
    }

    pub(super) fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.state.load(from)?;
        self.configuration.load_rows(from, &self.state)?;
        self.configuration.load(from)?;
        self.imposed.load(from)?;
        self.reference.load(from)?;
        self.modes.load(from)?;
        let mut sizes = vec![0.0; self.state_sizes.stored()];
        sizes.load(from)?;
        self.state_sizes.restore(&sizes);
        let mut break_state = [0.0; 3];
        break_state.load(from)?;
        self.contacts.set_break_state(break_state);
        Ok(())
    }
}
