//! Kinematics of a mechanism whose motions leave it no freedom, as a table over time.

use super::closed_contacts::{ClosedContacts, Purpose};
use super::contact_measures::ContactMeasures;
use super::statics::{quaternion, with_ground};
use super::wrenches::NamedWrench;
use crate::Error;
use crate::mechanism::MechanismModel;
use crate::result_units::Conversion;
use crate::results::Column;
use crate::run::{Frame, Plan};
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::analysis::{Kinematics, Reactions};
use fourbar_multibody::{Mechanism, ModelError};
use std::sync::Arc;

/// A kinematic analysis with its columns: the measures, the efforts of motions, and if asked for the bodies and all reactions.
pub struct KinematicRun {
    mechanism: Arc<Mechanism>,
    kinematics: Kinematics,
    reactions: Reactions,
    contacts: Option<ClosedContacts>,
    contact_measures: ContactMeasures,
    /// The measures as they are shown, those of contacts behind the others.
    shown: Vec<(Column, Conversion)>,
    plan: Plan,
    all: bool,
    /// The quaternion of each body in the row before: the next one has the sign nearer to it.
    quaternions: Vec<[f64; 4]>,
}

impl KinematicRun {
    /// Begins at the start of the model. `end` and `output_step` \[s\] take precedence over its settings; `all` asks for the
    /// columns of bodies and joints.
    ///
    /// # Errors
    /// What is wrong with the model; [`Error::Multibody`] if motions leave degrees of freedom; [`Error::NoEnd`], [`Error::TooManyOutputs`].
    pub fn new(model: &MechanismModel, end: Option<f64>, output_step: Option<f64>, all: bool) -> Result<Self, Error> {
        let model = model.expand().map_err(fourbar_multibody::Error::Model)?;
        if let Some(location) = model.model.first_change() {
            let problem = "kinematics does not follow what switches while the mechanism moves";
            let remedy = "run its dynamics, or take sensors and `active` out";
            return Err(fourbar_multibody::Error::from(ModelError::new(location, problem, remedy)).into());
        }
        let mechanism = Arc::new(Mechanism::compile(&model.model)?);
        let contacts = model.has_contacts().then(|| {
            let set = ContactSet::compile(&model.model, &model.contacts, &mechanism)?;
            ClosedContacts::new(set, &mechanism, mechanism.start(), Purpose::Kinematics)
        });
        let mut contacts = contacts.transpose()?;
        let kinematics = match &mut contacts {
            Some(contacts) => Kinematics::with(&mechanism, contacts)?,
            None => Kinematics::new(&mechanism)?,
        };
        let reactions = Reactions::new(&mechanism, &with_ground(mechanism.start()), mechanism.start().time)?;
        let contact_measures = ContactMeasures::new(&model)?;
        let shown = super::shown(&model, &mechanism, &contact_measures)?;
        let quaternions = mechanism.start().poses.iter().map(quaternion).collect();
        Ok(Self {
            plan: super::plan(&model, end, output_step)?,
            mechanism,
            kinematics,
            reactions,
            contacts,
            contact_measures,
            shown,
            all,
            quaternions,
        })
    }

    /// The times of its rows.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Headings, with the unit in brackets. The first is the time.
    ///
    /// Of a body: origin of its frame x, y, z; quaternion qw, qx, qy, qz; velocity and acceleration of the centre of mass vx .. az; angular
    /// velocity and acceleration wx .. `alpha_z`. Of a joint or motion: what it does to the body of its marker I, force fx, fy, fz and
    /// torque tx, ty, tz about the origin of that marker. All in global axes.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let bracket =
            |name: &str, unit: &str| if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        let mut columns = vec![bracket("time", "s")];
        columns.extend(self.shown.iter().map(|(measure, _)| bracket(&measure.name, &measure.unit)));
        let sets = self.mechanism.constraint_sets();
        for motion in sets.iter().filter(|set| set.is_motion()) {
            columns.push(format!("{} effort", motion.name));
        }
        if self.all {
            let parts = |name: &str, parts: &[(&str, &str)]| {
                parts.iter().map(|(part, unit)| bracket(&format!("{name} {part}"), unit)).collect::<Vec<_>>()
            };
            columns.extend(self.mechanism.bodies().iter().flat_map(|body| parts(&body.name, &OF_BODY)));
            columns.extend(sets.iter().flat_map(|set| parts(&set.name, &OF_JOINT)));
        }
        columns
    }

    /// The values at `time` \[s\], in the order of the columns.
    ///
    /// # Errors
    /// [`Error::LockedUp`] where the joints cannot follow the motions, with the last time at which they could, or a force cannot be
    /// evaluated; [`Error::Multibody`] at a singular position.
    pub fn row(&mut self, time: f64) -> Result<Vec<f64>, Error> {
        let gone = match &mut self.contacts {
            Some(contacts) => self.kinematics.go_with(time, contacts),
            None => self.kinematics.go_to(time),
        };
        gone.map_err(|source| {
            let reached = self.kinematics.state().time;
            Error::LockedUp { time: reached, source: Box::new(source.into()) }
        })?;
        let mut row = vec![0.0; 1 + self.mechanism.measures().len()];
        row[0] = time;
        self.kinematics.measures(&mut row[1..])?;
        let state = self.kinematics.state().clone();
        if let Some(contacts) = &mut self.contacts {
            row.extend(self.contact_measures.values(contacts, &state)?);
        }
        row[1..].iter_mut().zip(&self.shown).for_each(|(value, (_, conversion))| *value = conversion.apply(*value));
        let wrenches = NamedWrench::all(&mut self.reactions, &self.mechanism, &state)?;
        row.extend(wrenches.iter().filter_map(|wrench| wrench.effort));
        if self.all {
            let bodies = self.mechanism.bodies().iter().zip(&state.poses).zip(&state.accelerations);
            for (((body, pose), [a, alpha]), last) in bodies.zip(&mut self.quaternions) {
                row.extend((pose.x - pose.a * body.center_of_mass()).iter());
                let q = quaternion(pose);
                let nearness: f64 = q.iter().zip(&*last).map(|(a, b)| a * b).sum();
                *last = if nearness < 0.0 { q.map(|part| -part) } else { q };
                row.extend(*last);
                row.extend(pose.v.iter().chain(a.iter()).chain(pose.w.iter()).chain(alpha.iter()));
            }
            row.extend(
                wrenches.iter().flat_map(|of| [of.wrench.force, of.wrench.torque]).flat_map(|v| [v.x, v.y, v.z]),
            );
        }
        Ok(row)
    }

    /// The bodies and reactions of the row given last, for those who draw them.
    ///
    /// # Errors
    /// [`Error::Multibody`] at a singular position.
    pub fn frame(&mut self) -> Result<Frame, Error> {
        let state = self.kinematics.state().clone();
        let wrenches = NamedWrench::all(&mut self.reactions, &self.mechanism, &state)?;
        let reactions = wrenches.into_iter().map(|of| of.wrench).collect();
        Ok(Frame { time: state.time, poses: with_ground(&state), reactions, ..Frame::default() })
    }

    /// Warnings for a person: measures that were uncertain.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let told = self.contacts.iter().flat_map(|contacts| contacts.told().iter().cloned());
        let left_out = self.contact_measures.told("kinematics");
        self.kinematics.uncertain().map(ToString::to_string).into_iter().chain(told).chain(left_out).collect()
    }
}

const OF_BODY: [(&str, &str); 19] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("qw", ""),
    ("qx", ""),
    ("qy", ""),
    ("qz", ""),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("ax", "m/s2"),
    ("ay", "m/s2"),
    ("az", "m/s2"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
    ("alpha_x", "rad/s2"),
    ("alpha_y", "rad/s2"),
    ("alpha_z", "rad/s2"),
];

const OF_JOINT: [(&str, &str); 6] =
    [("fx", "N"), ("fy", "N"), ("fz", "N"), ("tx", "N m"), ("ty", "N m"), ("tz", "N m")];
