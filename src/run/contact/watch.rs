//! What is seen of a mechanism with contacts at an output: its measures, those of its contacts, and columns that every such run has.

use crate::Error;
use crate::mechanism::{ContactQuantity, MechanismModel};
use crate::results::{Column, ContactViolation, VIOLATIONS};
use crate::run::{Frame, Framer, contact_load};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::ContactRecord;
use fourbar_contact::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_multibody::analysis::Sampler;
use fourbar_multibody::mechanism::{Rows, System};
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Inputs, Mechanism, ModelError, State};
use std::sync::Arc;

/// Distances \[m\] within which the nearest contact is looked for, one after the other.
const MARGINS: [f64; 5] = [1e-2, 1e-1, 1.0, 10.0, f64::INFINITY];

/// A measured number of a contact.
#[derive(Debug, Clone, Copy)]
struct Probe {
    pair: u32,
    quantity: ContactQuantity,
}

/// A column that every run with contacts has, unless a measure has its name.
#[derive(Debug, Clone, Copy)]
enum Extra {
    Gap,
    Impulse,
    Energy,
    Violation,
    ViolationRate,
}

impl Extra {
    const ALL: [(&'static str, &'static str, Self); 5] = [
        ("contact_gap", "m", Self::Gap),
        ("contact_impulse", "N s", Self::Impulse),
        ("total_energy", "J", Self::Energy),
        (VIOLATIONS[0], "m", Self::Violation),
        (VIOLATIONS[1], "m/s", Self::ViolationRate),
    ];
}

/// The columns of a run, and where the numbers of contacts come from.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) all: Vec<Column>,
    probes: Vec<Probe>,
    extras: Vec<Extra>,
}

impl Columns {
    pub(crate) fn new(model: &MechanismModel, mechanism: &Mechanism) -> Result<Self, Box<ModelError>> {
        let column = |name: &str, unit: &str| Column { name: name.to_owned(), unit: unit.to_owned() };
        let mut all: Vec<Column> = mechanism.measures().iter().map(|m| column(&m.name, &m.unit)).collect();
        let mut probes = Vec::with_capacity(model.measures.len());
        for (measure, pair) in model.measures.iter().zip(model.measured_pairs()?) {
            probes.push(Probe { pair: pair as u32, quantity: measure.quantity });
            all.push(column(&measure.name, measure.quantity.unit()));
        }
        let mut extras = Vec::new();
        for (name, unit, extra) in Extra::ALL {
            let of_joints = matches!(extra, Extra::ViolationRate);
            if all.iter().all(|column| column.name != name) && (!of_joints || mechanism.all_row_count() > 0) {
                all.push(column(name, unit));
                extras.push(extra);
            }
        }
        Ok(Self { all, probes, extras })
    }
}

/// What the contacts did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Loads {
    /// Force of each contact that has one, sorted by id: normal, two tangential, spinning, two rolling [N, N m].
    pub(crate) forces: Vec<(ContactId, [f64; 6])>,
    /// Normal impulse of each pair since the output before [N s].
    pub(crate) impulses: Vec<f64>,
}

impl Stored for Loads {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.forces, to);
        self.impulses.store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.forces)?;
        self.impulses.load(from)?;
        let pairs = self.impulses.len();
        let known = self.forces.iter().all(|(id, _)| (id.pair as usize) < pairs);
        if known { Ok(()) } else { Err(from.refuse("a contact")) }
    }
}

impl Loads {
    pub(crate) fn new(pairs: usize) -> Self {
        Self { forces: Vec::new(), impulses: vec![0.0; pairs] }
    }

    /// Adds an impulse of a pair.
    pub(crate) fn push(&mut self, pair: u32, impulse: f64) {
        self.impulses[pair as usize] += impulse;
    }

    /// Adds the present normal forces over `time` \[s\].
    pub(crate) fn hold(&mut self, time: f64) {
        for (id, force) in &self.forces {
            self.impulses[id.pair as usize] += force[0] * time;
        }
    }

    /// Takes over what the contacts did in a step of `step` \[s\].
    pub(crate) fn take_step(&mut self, contacts: &[ContactRecord], step: f64) {
        self.forces.clear();
        for contact in contacts.iter().filter(|contact| contact.impulse[0] != 0.0) {
            self.impulses[contact.id.pair as usize] += contact.impulse[0];
            self.forces.push((contact.id, contact.impulse.map(|impulse| impulse / step)));
        }
    }

    fn of(&self, pair: u32) -> impl Iterator<Item = &[f64; 6]> {
        self.forces.iter().filter(move |(id, _)| id.pair == pair).map(|(_, force)| force)
    }
}

/// Workspace.
pub(crate) struct Watch {
    mechanism: Arc<Mechanism>,
    detector: ContactSet,
    /// Whether contacts that press have been followed by events, feature by feature.
    followed: bool,
    sampler: Sampler,
    system: System,
    columns: Columns,
    found: Vec<Unilateral>,
    poses: Vec<Pose>,
    rows: Vec<f64>,
    wrenches: Vec<f64>,
    state: State,
    /// Made when the first frame is asked for.
    framer: Option<Box<Framer>>,
}

impl Watch {
    pub(crate) fn new(mechanism: &Arc<Mechanism>, detector: ContactSet, columns: &Columns) -> Result<Self, Error> {
        let (state, system) = (mechanism.start().clone(), System::new(mechanism, Rows::All));
        let poses = state.poses.iter().copied().chain([Pose::ground()]).collect();
        Ok(Self {
            sampler: Sampler::new(mechanism, &state)?,
            rows: vec![0.0; system.row_count()],
            wrenches: vec![0.0; 6 * mechanism.bodies().len()],
            mechanism: Arc::clone(mechanism),
            detector,
            followed: false,
            system,
            columns: columns.clone(),
            found: Vec::new(),
            poses,
            state,
            framer: None,
        })
    }

    /// Names of the contacts.
    pub(crate) fn detector(&self) -> &ContactSet {
        &self.detector
    }

    /// Kinetic and potential energy of `state` \[J\].
    pub(crate) fn energy(&mut self, state: &State) -> [f64; 2] {
        self.look(state);
        [self.mechanism.kinetic_energy(&state.poses), self.mechanism.potential_energy(state, &self.poses)]
    }

    /// Violation of the joints at `state`, redundant rows included, and of the contact with the smallest gap.
    pub(crate) fn violation(&mut self, state: &State, gap: f64) -> ContactViolation {
        self.look(state);
        let largest = |rows: &[f64]| rows.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        self.system.evaluate_drives(&self.mechanism, state.time, &state.drives);
        self.system.count_from(&state.angles);
        self.system.defects(&self.mechanism, &self.poses, &mut self.rows);
        let joints = largest(&self.rows);
        self.system.defect_rates(&self.mechanism, &self.poses, &mut self.rows);
        ContactViolation::new(joints, largest(&self.rows), gap)
    }

    /// Largest depth by which shapes overlap \[m\], measured apart from the gaps.
    pub(crate) fn overlap(&mut self, state: &State) -> f64 {
        self.look(state);
        self.detector.overlap(&self.poses)
    }

    /// Smallest gap at `state` \[m, rad\]; infinite if there is none.
    pub(crate) fn gap(&mut self, state: &State) -> Result<f64, Error> {
        self.look(state);
        for margin in MARGINS {
            self.detector.find(state.time, &self.poses, margin, &mut self.found)?;
            if !self.found.is_empty() {
                break;
            }
        }
        Ok(self.found.iter().fold(f64::INFINITY, |least, contact| least.min(contact.gap)))
    }

    /// Sets the inputs on which forces and expressions depend.
    pub(crate) fn set_inputs(&mut self, inputs: &Inputs) {
        self.sampler.set_inputs(inputs);
    }

    /// What to say of the values written so far.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        self.sampler
            .uncertain()
            .map(ToString::to_string)
            .into_iter()
            .chain(self.sampler.wide_angles().map(ToString::to_string))
    }

    /// The forces of the contacts at `state` as wrenches on the bodies, six numbers a body: force and torque about the centre of mass.
    pub(crate) fn wrenches(&mut self, state: &State, loads: &Loads) -> Result<&[f64], Error> {
        self.look(state);
        self.find(state.time, loads)?;
        self.load(loads);
        Ok(&self.wrenches)
    }

    /// The bodies at `state`, and what acts on them.
    pub(crate) fn frame(&mut self, state: &State, loads: &Loads) -> Result<&Frame, Error> {
        self.look(state);
        self.find(state.time, loads)?;
        self.load(loads);
        let pressing = loads.forces.iter().filter_map(|(id, force)| {
            let at = self.found.binary_search_by_key(id, |contact| contact.id).ok()?;
            contact_load(&self.found[at], force)
        });
        let framer = self.framer.get_or_insert_with(|| Box::new(Framer::new(&self.mechanism, state)));
        Ok(framer.take(&self.mechanism, state, &self.wrenches, pressing))
    }

    /// Values of all columns.
    pub(crate) fn values(&mut self, state: &State, loads: &Loads, values: &mut [f64]) -> Result<(), Error> {
        self.look(state);
        self.find(state.time, loads)?;
        self.load(loads);
        self.state.clone_from(state);
        let (of_mechanism, rest) = values.split_at_mut(self.mechanism.measures().len());
        self.sampler.sample_loaded(&self.mechanism, &mut self.state, &self.wrenches, of_mechanism)?;
        let (of_contacts, of_run) = rest.split_at_mut(self.columns.probes.len());
        for (value, probe) in of_contacts.iter_mut().zip(&self.columns.probes) {
            *value = self.probe(probe, loads);
        }
        let gap = self.found.iter().fold(f64::INFINITY, |least, contact| least.min(contact.gap));
        let ([kinetic, potential], violation) = (self.energy(state), self.violation(state, gap));
        for (value, extra) in of_run.iter_mut().zip(&self.columns.extras) {
            *value = match extra {
                Extra::Gap => gap,
                Extra::Impulse => loads.impulses.iter().fold(0.0, |sum, impulse| sum + impulse),
                Extra::Energy => kinetic + potential,
                Extra::Violation => violation.joints.max(violation.penetration),
                Extra::ViolationRate => violation.rates,
            };
        }
        Ok(())
    }

    fn look(&mut self, state: &State) {
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
    }

    /// Finds contacts, farther and farther until each measured pair has one, and those that press wherever events have followed them.
    fn find(&mut self, time: f64, loads: &Loads) -> Result<(), Error> {
        self.followed |= loads.forces.iter().any(|(id, _)| self.detector.region(*id).is_some());
        if self.followed {
            self.detector.follow(&mut loads.forces.iter().map(|(id, _)| *id));
        }
        for margin in MARGINS {
            self.detector.find(time, &self.poses, margin, &mut self.found)?;
            let has = |probe: &Probe| self.found.iter().any(|contact| contact.id.pair == probe.pair);
            if !self.found.is_empty() && self.columns.probes.iter().all(has) {
                break;
            }
        }
        Ok(())
    }

    /// The forces of the contacts as wrenches on the bodies.
    fn load(&mut self, loads: &Loads) {
        self.wrenches.fill(0.0);
        for (id, force) in &loads.forces {
            let Ok(at) = self.found.binary_search_by_key(id, |contact| contact.id) else { continue };
            let contact = &self.found[at];
            for (row, f) in contact.rows.iter().zip(force) {
                let [i, j] = contact.bodies;
                for (body, force, torque) in [(i, row.g * *f, row.gi * *f), (j, -row.g * *f, row.gj * *f)] {
                    if let Some(block) = self.wrenches.get_mut(6 * body..6 * body + 6) {
                        for axis in 0..3 {
                            block[axis] += force[axis];
                            block[3 + axis] += torque[axis];
                        }
                    }
                }
            }
        }
    }

    fn probe(&self, probe: &Probe, loads: &Loads) -> f64 {
        let nearest = || {
            let of_pair = self.found.iter().filter(|contact| contact.id.pair == probe.pair);
            of_pair.min_by(|a, b| a.gap.total_cmp(&b.gap))
        };
        match probe.quantity {
            ContactQuantity::Gap => nearest().map_or(f64::INFINITY, |contact| contact.gap),
            ContactQuantity::ClosingSpeed => nearest().map_or(0.0, |contact| -contact.rate(&self.poses)),
            ContactQuantity::NormalForce => loads.of(probe.pair).fold(0.0, |sum, force| sum + force[0]),
            ContactQuantity::FrictionForce => {
                loads.of(probe.pair).fold(0.0, |sum, force| sum + force[1].hypot(force[2]))
            }
            ContactQuantity::NormalImpulse => loads.impulses[probe.pair as usize],
        }
    }
}
