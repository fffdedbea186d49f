//! Contacts as analyses hold them: closed as they stand, with the normal direction held, and the tangential ones where friction sticks.

use super::force_division::{Cone, Effort, cones, divide};
use crate::Error;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::{ContactId, Contacts as _, Unilateral};
use fourbar_linalg::text::{Brief, counted};
use fourbar_multibody::analysis::{ContactRow, ContactRows};
use fourbar_multibody::space::{Pose, V3, rotation_vector};
use fourbar_multibody::{Error as MechanismError, Mechanism, State};
use nalgebra::{DMatrix, DVector};

/// Gap up to which a contact counts as closed, in lengths of the mechanism or rad: a drawing with seven digits, a run that touches.
const CLOSED: f64 = 1e-6;
/// Tangential velocity up to which a contact sticks, as part of the largest velocity.
const STICKS: f64 = 1e-6;
/// Part of the largest force from which a normal force pulls.
const PULLS: f64 = 1e-6;
/// Times that contacts may close or open in one search: each of some twenty contacts several times.
const CHANGES: usize = 200;

/// What a contact carries that is held closed.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactForce {
    /// Name of the contact.
    pub name: String,
    /// Whether friction holds it; else it may slide, and friction is not considered.
    pub sticks: bool,
    /// Normal force \[N\] (of a stop of an angle: torque \[N m\]), positive where it pushes.
    pub normal: f64,
    /// Friction \[N\], its size.
    pub friction: f64,
    /// Force on body I, global axes \[N\].
    pub force: V3,
    /// Where it acts, global \[m\]; none of a gap without a place.
    pub point: Option<V3>,
}

/// What an analysis does where contacts cannot hold as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Opens what pulls; friction that does not hold is an error.
    Statics,
    /// Opens what pulls; what friction does not hold slides.
    Linear,
    /// Holds everything, and tells.
    Kinematics,
}

/// The closed contacts of a mechanism.
pub(crate) struct ClosedContacts {
    set: ContactSet,
    purpose: Purpose,
    length: f64,
    held: Vec<Held>,
    found: Vec<Unilateral>,
    poses: Vec<Pose>,
    changes: usize,
    effort: Effort,
    /// Warnings: contacts opened, slipping, pulling.
    told: Vec<String>,
    forces: Vec<ContactForce>,
}

struct Held {
    id: ContactId,
    /// Rows of sliding, spinning and rolling friction that stick.
    groups: [usize; 3],
    limits: [f64; 3],
    /// Gap at which it is held.
    gap: f64,
    /// Contact and poses of its bodies where friction holds it.
    base: Unilateral,
    places: [Pose; 2],
}

impl ClosedContacts {
    /// Those of `set` closed at `state`: in statics whatever touches or overlaps, stuck by any friction.
    pub(crate) fn new(set: ContactSet, mechanism: &Mechanism, state: &State, purpose: Purpose) -> Result<Self, Error> {
        let mut own = Self {
            set,
            purpose,
            length: mechanism.length(),
            held: Vec::new(),
            found: Vec::new(),
            poses: Vec::new(),
            changes: 0,
            effort: Effort::default(),
            told: Vec::new(),
            forces: Vec::new(),
        };
        ContactRows::begin(&mut own, state)?;
        Ok(own)
    }

    /// From now on `told` hears of the projections of a search as they are made.
    pub(super) fn watched_by(&mut self, told: impl FnMut(u64) + Send + 'static) {
        self.effort.watch = Some(Box::new(told));
    }

    /// What was told of contacts that opened, slid or pulled.
    pub(crate) fn told(&self) -> &[String] {
        &self.told
    }

    /// What the contacts carry, after the last judgement.
    pub(crate) fn forces(&self) -> &[ContactForce] {
        &self.forces
    }

    /// What the contacts of a pair carry.
    pub(super) fn carried(&self, pair: u32) -> impl Iterator<Item = &ContactForce> {
        self.held.iter().zip(&self.forces).filter(move |(held, _)| held.id.pair == pair).map(|(_, force)| force)
    }

    /// Gap of the nearest contact of a pair at `state`, and its rate; none where there is none at any distance.
    pub(super) fn nearest(&mut self, pair: u32, state: &State) -> Result<Option<[f64; 2]>, Error> {
        self.poses.clear();
        self.poses.extend(state.poses.iter().copied().chain([Pose::ground()]));
        for lengths in [1.0, f64::INFINITY] {
            self.find(state.time, lengths * self.length)?;
            let of_pair = self.found.iter().filter(|contact| contact.id.pair == pair);
            if let Some(contact) = of_pair.min_by(|a, b| a.gap.total_cmp(&b.gap)) {
                return Ok(Some([contact.gap, contact.rate(&self.poses)]));
            }
        }
        Ok(None)
    }

    fn find(&mut self, time: f64, margin: f64) -> Result<(), fourbar_contact::Error> {
        self.set.follow(&mut self.held.iter().map(|held| held.id));
        self.set.find(time, &self.poses, margin, &mut self.found)
    }

    /// Closes what has a gap of at most `gap` lengths of the mechanism, on the way a negative one. True if there was any.
    fn close(&mut self, state: &State, gap: f64) -> Result<bool, fourbar_contact::Error> {
        self.poses.clear();
        self.poses.extend(state.poses.iter().copied().chain([Pose::ground()]));
        self.find(state.time, self.length)?;
        let fastest = self.poses.iter().map(|pose| pose.v.norm().max(pose.w.norm() * self.length)).fold(0.0, f64::max);
        // In statics nothing moves, whatever the model starts with.
        let still = if self.purpose == Purpose::Statics { f64::INFINITY } else { STICKS * fastest };
        let begun = gap < 0.0;
        let (mut any, mut overlapping) = (false, Vec::new());
        for contact in &self.found {
            let places = contact.bodies.map(|body| self.poses[body]);
            if let Some(held) = self.held.iter_mut().find(|held| held.id == contact.id) {
                (held.base, held.places) = (*contact, places);
            } else if !begun && self.purpose == Purpose::Statics && contact.gap < -CLOSED * self.length {
                // Statics moves out of it what is drawn inside.
            } else if contact.gap <= gap * self.length {
                // Motions leave no room for another one: it is told alone.
                if begun && self.purpose == Purpose::Kinematics {
                    overlapping.push(contact.id);
                    continue;
                }
                any = true;
                self.held.push(Held::new(contact, places, CLOSED * self.length, still));
            }
        }
        self.held.sort_unstable_by_key(|held| held.id);
        for id in overlapping {
            let start = format!("the contact \"{}\" would overlap", self.set.describe(id));
            if !self.told.iter().any(|told| told.starts_with(&start)) {
                self.told.push(format!("{start} from t = {} s on: the motions drive it through", Brief(state.time)));
            }
        }
        Ok(any)
    }

    fn failed(&self, time: f64, problem: impl Into<String>) -> MechanismError {
        MechanismError::Contacts { time, problem: problem.into() }
    }

    /// Counts a change.
    fn changed(&mut self, time: f64) -> Result<(), MechanismError> {
        self.changes += 1;
        if self.changes > CHANGES {
            let problem = format!(
                "after {CHANGES} changes contacts still close and open in turn; start nearer to rest, or let a run come to rest"
            );
            return Err(self.failed(time, problem));
        }
        Ok(())
    }

    /// Opens the contact that pulls most, or says of the one that slips most what its friction does not hold. `forces` are those that come nearest.
    fn give_way(&mut self, time: f64, cones: &[Cone], forces: &DVector<f64>) -> Result<(), MechanismError> {
        self.changed(time)?;
        let all = || cones.iter().enumerate();
        let least = all().min_by(|a, b| a.1.normal(forces).total_cmp(&b.1.normal(forces)));
        if let Some((k, normal)) =
            least.map(|(k, cone)| (k, cone.normal(forces))).filter(|(_, n)| *n < -PULLS * forces.amax())
        {
            let held = self.held.remove(k);
            let name = self.set.describe(held.id);
            self.told.push(format!("the contact \"{name}\" would pull with {:.4} N and was opened", Brief(-normal)));
            return Ok(());
        }
        let most = all().max_by(|a, b| a.1.use_of_friction(forces).total_cmp(&b.1.use_of_friction(forces)));
        let Some((k, part)) = most.map(|(k, cone)| (k, cone.use_of_friction(forces))) else { return Ok(()) };
        let (name, normal) = (self.set.describe(self.held[k].id), cones[k].normal(forces));
        let problem = format!(
            "friction does not hold \"{name}\": under the normal force {:.4} N it would need {:.4} times its coefficient of friction",
            Brief(normal),
            Brief(part)
        );
        if self.purpose == Purpose::Statics {
            let remedy = "raise the friction, change the loads, or run the dynamics, in which it slides";
            return Err(self.failed(time, format!("{problem}; {remedy}")));
        }
        self.held[k].groups = [0; 3];
        self.told.push(format!("{problem}; it slides, without friction"));
        Ok(())
    }

    fn keep(&mut self, cones: &[Cone], forces: &DVector<f64>) {
        self.forces = self
            .held
            .iter()
            .zip(cones)
            .map(|(held, cone)| {
                let mut force = held.base.rows[0].g * forces[cone.first];
                let mut friction = 0.0;
                if held.groups[0] > 0 {
                    let [x, y] = [forces[cone.first + 1], forces[cone.first + 2]];
                    friction = x.hypot(y);
                    force += held.base.rows[1].g * x + held.base.rows[2].g * y;
                }
                ContactForce {
                    name: self.set.describe(held.id),
                    sticks: held.groups[0] > 0,
                    normal: forces[cone.first],
                    friction,
                    force,
                    point: held.base.point,
                }
            })
            .collect();
    }
}

impl Held {
    fn new(contact: &Unilateral, places: [Pose; 2], closed: f64, still: f64) -> Self {
        let surface = &contact.surface;
        let limits = [surface.friction, surface.spinning, surface.rolling];
        let mut groups = [2, 1, 2];
        for (count, limit) in groups.iter_mut().zip(limits) {
            *count = if limit > 0.0 { *count } else { 0 };
        }
        let [i, j] = &places;
        let slip = contact.rows[1].rate(i, j).hypot(contact.rows[2].rate(i, j));
        if slip > still {
            groups = [0; 3];
        }
        let gap = if contact.gap.abs() <= closed { contact.gap } else { 0.0 };
        Self { id: contact.id, groups, limits, gap, base: *contact, places }
    }

    /// Its rows at `contact`, with the bodies at `places`.
    fn rows(&self, contact: &Unilateral, places: [&Pose; 2], out: &mut Vec<ContactRow>) {
        let row = |k: usize, value: f64| {
            let row = &contact.rows[k];
            let [rate, drift] = if k == 0 { [contact.gap_rate, contact.gap_rate_drift] } else { [0.0; 2] };
            ContactRow {
                bodies: contact.bodies,
                g: row.g,
                turns: [row.gi, row.gj],
                value,
                rate,
                drift: row.drift + drift,
                normal: k == 0,
            }
        };
        out.push(row(0, contact.gap - self.gap));
        let ways = [0, 1].map(|side| {
            let turn = places[side].a * self.places[side].a.transpose();
            (places[side].x - self.places[side].x, rotation_vector(&turn))
        });
        // The way along a tangent by the trapezoidal rule from where it stuck: a rolling contact has no coordinate for it.
        let way = |k: usize| {
            let along = |row: &fourbar_contact::unilateral::Row| {
                row.g.dot(&(ways[0].0 - ways[1].0)) + row.gi.dot(&ways[0].1) + row.gj.dot(&ways[1].1)
            };
            0.5 * (along(&contact.rows[k]) + along(&self.base.rows[k]))
        };
        for (first, count) in [1, 3, 4].into_iter().zip(self.groups) {
            out.extend((first..first + count).map(|k| row(k, way(k))));
        }
    }
}

impl ContactRows for ClosedContacts {
    fn rows(&mut self, time: f64, poses: &[Pose], rows: &mut Vec<ContactRow>) -> Result<(), MechanismError> {
        rows.clear();
        if self.held.is_empty() {
            return Ok(());
        }
        self.poses.clear();
        self.poses.extend_from_slice(poses);
        self.find(time, self.length).map_err(|error| self.failed(time, error.to_string()))?;
        for held in &self.held {
            let Some(contact) = self.found.iter().find(|found| found.id == held.id) else {
                let (name, why) = (self.set.describe(held.id), self.set.lost(held.id));
                return Err(self.failed(time, format!("\"{name}\" cannot be held closed: {why}")));
            };
            held.rows(contact, contact.bodies.map(|body| &poses[body]), rows);
        }
        Ok(())
    }

    fn begin(&mut self, state: &State) -> Result<(), MechanismError> {
        self.held.clear();
        self.told.clear();
        self.forces.clear();
        self.changes = 0;
        self.effort.begin();
        self.close(state, CLOSED).map_err(|error| self.failed(state.time, error.to_string()))?;
        Ok(())
    }

    fn arrive(&mut self, state: &State) -> Result<bool, MechanismError> {
        let any = self.close(state, -CLOSED).map_err(|error| self.failed(state.time, error.to_string()))?;
        if any {
            self.changed(state.time)?;
        }
        Ok(any)
    }

    fn judge(
        &mut self,
        time: f64,
        loaded: &DMatrix<f64>,
        needed: &DVector<f64>,
    ) -> Result<Option<DVector<f64>>, MechanismError> {
        let groups: Vec<_> = self.held.iter().map(|held| held.groups).collect();
        let limits: Vec<_> = self.held.iter().map(|held| held.limits).collect();
        let cones = cones(&limits, &groups);
        let division = divide(&cones, loaded, needed, &mut self.effort).ok_or_else(|| {
            let problem = "their forces cannot be divided: the equations of the contacts have entries beyond the range of numbers; look for a mass or a \
                           moment of inertia out of proportion, and write them in units near 1";
            self.failed(time, problem)
        })?;
        if self.effort.is_spent() {
            let problem = format!(
                "the forces of {} are not divided after {} projections; let a run come to rest, or hold fewer bodies by contacts",
                counted(self.held.len(), "contact"),
                self.effort.projections
            );
            return Err(self.failed(time, problem));
        }
        if !division.admissible {
            if self.purpose != Purpose::Kinematics {
                self.give_way(time, &cones, &division.forces)?;
                return Ok(None);
            }
            self.tell_pulls(time, &cones, &division.forces);
        }
        self.keep(&cones, &division.forces);
        Ok(Some(division.forces))
    }

    fn name(&self, row: usize) -> String {
        let mut first = 0;
        let own = self.held.iter().find(|held| {
            first += 1 + held.groups.iter().sum::<usize>();
            row < first
        });
        own.map_or_else(String::new, |held| format!("contact \"{}\"", self.set.describe(held.id)))
    }
}

impl ClosedContacts {
    /// Tells of contacts that pull, each once.
    fn tell_pulls(&mut self, time: f64, cones: &[Cone], forces: &DVector<f64>) {
        for (held, cone) in self.held.iter().zip(cones) {
            let normal = cone.normal(forces);
            let start = format!("the contact \"{}\" would open", self.set.describe(held.id));
            if normal < -PULLS * forces.amax() && !self.told.iter().any(|told| told.starts_with(&start)) {
                let (time, pull) = (Brief(time), Brief(-normal));
                self.told.push(format!("{start} from t = {time} s on: held closed it pulls with {pull:.4} N there"));
            }
        }
    }
}
