//! Static equilibrium of a mechanism, and the equilibria that follow its motions and forces over time (quasi-statics).

use super::closed_contacts::{ClosedContacts, ContactForce, Purpose};
use super::contact_measures::ContactMeasures;
use super::wrenches::NamedWrench;
use crate::Error;
use crate::mechanism::MechanismModel;
use crate::result_units::Conversion;
use crate::results::Column;
use crate::run::{Frame, Plan};
use fourbar_contact::pair::ContactSet;
use fourbar_linalg::text::Brief;
use fourbar_multibody::analysis::{Equilibrium, Reactions, Sampler, Wrench};
use fourbar_multibody::space::{Pose, V3};
use fourbar_multibody::{Inputs, Mechanism, State};
use std::sync::Arc;

/// Where a body rests.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Name of the body.
    pub body: String,
    /// Origin of its frame, global \[m\].
    pub position: V3,
    /// Orientation of its frame as a quaternion, `[w, x, y, z]`, w not negative.
    pub quaternion: [f64; 4],
    /// Way of that origin from the start \[m\].
    pub moved: f64,
    /// Angle by which it has turned from the start \[rad\], 0 to pi.
    pub turned: f64,
}

/// A mechanism in static equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Statics {
    /// Time \[s\].
    pub time: f64,
    /// The equilibrium: its state, whether it is stable, how it was found.
    pub equilibrium: Equilibrium,
    /// The measures.
    pub measures: Vec<(Column, f64)>,
    /// The bodies, in the order of the model; of flexible ones the frames and the nodes.
    pub places: Vec<Place>,
    /// Modal coordinates of flexible bodies \[m\], by names such as `arm mode 4`.
    pub modes: Vec<(String, f64)>,
    /// What each joint and motion does to the body of its marker I.
    pub reactions: Vec<NamedWrench>,
    /// The same of all sets of constraints of the mechanism.
    all_reactions: Vec<Wrench>,
    /// What the closed contacts carry. Where several divisions hold the mechanism it is one of these.
    pub contacts: Vec<ContactForce>,
    /// What a person should know: contacts that would pull and were opened, motions that stand still.
    pub warnings: Vec<String>,
}

impl Statics {
    /// The bodies and reactions, for those who draw them.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let reactions = self.all_reactions.clone();
        Frame { time: self.time, poses: with_ground(&self.equilibrium.state), reactions, ..Frame::default() }
    }
}

/// Equilibria of a mechanism at one time after the other, each sought from the one before. Motions stand still at each time.
pub struct QuasiStatics {
    mechanism: Arc<Mechanism>,
    state: State,
    inputs: Inputs,
    sampler: Sampler,
    reactions: Reactions,
    plan: Result<Plan, Error>,
    contacts: Option<ClosedContacts>,
    contact_measures: ContactMeasures,
    /// The measures as they are shown, those of contacts behind the others.
    shown: Vec<(Column, Conversion)>,
}

impl QuasiStatics {
    /// Begins at the start of the model. `end` and `output_step` \[s\] take precedence over its settings.
    ///
    /// # Errors
    /// What is wrong with the model.
    pub fn new(model: &MechanismModel, end: Option<f64>, output_step: Option<f64>) -> Result<Self, Error> {
        let model = model.expand().map_err(fourbar_multibody::Error::Model)?;
        let mechanism = Arc::new(Mechanism::compile(&model.model)?);
        let state = mechanism.start().clone();
        let contacts = model.has_contacts().then(|| {
            let set = ContactSet::compile(&model.model, &model.contacts, &mechanism)?;
            ClosedContacts::new(set, &mechanism, &state, Purpose::Statics)
        });
        let contact_measures = ContactMeasures::new(&model)?;
        Ok(Self {
            contacts: contacts.transpose()?,
            shown: super::shown(&model, &mechanism, &contact_measures)?,
            contact_measures,
            sampler: Sampler::new(&mechanism, &state)?,
            reactions: Reactions::new(&mechanism, &with_ground(&state), state.time)?,
            inputs: Inputs::start(&mechanism),
            plan: super::plan(&model, end, output_step),
            state,
            mechanism,
        })
    }

    /// From now on `told` hears how many projections the forces of contacts have taken in the search under way, as they are made: piles take thousands.
    pub fn watched_by(&mut self, told: impl FnMut(u64) + Send + 'static) {
        if let Some(contacts) = &mut self.contacts {
            contacts.watched_by(told);
        }
    }

    /// The times of the model's outputs.
    ///
    /// # Errors
    /// [`Error::NoEnd`], [`Error::TooManyOutputs`].
    pub fn plan(&mut self) -> Result<Plan, Error> {
        std::mem::replace(&mut self.plan, Err(Error::NoEnd)).inspect(|plan| self.plan = Ok(*plan))
    }

    /// The equilibrium at `time` \[s\], with motions and forces as they are then.
    ///
    /// # Errors
    /// [`Error::Multibody`] if there is none, the joints cannot follow the motions, or motions are given by velocity and `time` is not 0: the state
    /// is then that of the last equilibrium.
    pub fn at(&mut self, time: f64) -> Result<Statics, Error> {
        let equilibrium = match &mut self.contacts {
            Some(contacts) => Equilibrium::find_with(&self.mechanism, &self.state, time, &self.inputs, contacts)?,
            None => Equilibrium::find_at(&self.mechanism, &self.state, time, &self.inputs)?,
        };
        self.state.clone_from(&equilibrium.state);
        let mut warnings = self.contacts.as_ref().map_or_else(Vec::new, |contacts| contacts.told().to_vec());
        let stand = |(name, rate): (String, f64)| {
            let (rate, time) = (Brief(rate), Brief(time));
            format!(
                "the motion \"{name}\" moves with {rate:.4} m/s or rad/s at t = {time} s; in statics it stands still"
            )
        };
        warnings.extend(self.mechanism.moving_motions(&self.state).into_iter().map(stand));
        let mut values = vec![0.0; self.mechanism.measures().len()];
        let mut state = self.state.clone();
        self.sampler.sample_at_rest(&self.mechanism, &mut state, &equilibrium.loads, &mut values)?;
        if let Some(contacts) = &mut self.contacts {
            values.extend(self.contact_measures.values(contacts, &self.state)?);
            warnings.extend(self.contact_measures.told("statics"));
        }
        let mut reactions = NamedWrench::all(&mut self.reactions, &self.mechanism, &equilibrium.state)?;
        let all_reactions = reactions.iter().map(|of| of.wrench).collect();
        let mut sets = self.mechanism.constraint_sets().iter();
        reactions.retain(|_| sets.next().is_some_and(|set| !set.is_within_flexible()));
        let poses = &equilibrium.state.poses;
        let modes = self.mechanism.modal_coordinates().map(|(name, [body, at])| (name, poses[body].x[at])).collect();
        let shown = self.shown.iter().zip(values);
        Ok(Statics {
            time,
            measures: shown.map(|((column, conversion), value)| (column.clone(), conversion.apply(value))).collect(),
            places: places(&self.mechanism, &equilibrium),
            modes,
            reactions,
            all_reactions,
            contacts: self.contacts.as_ref().map_or_else(Vec::new, |contacts| contacts.forces().to_vec()),
            warnings,
            equilibrium,
        })
    }
}

pub(super) fn with_ground(state: &State) -> Vec<Pose> {
    state.poses.iter().copied().chain([Pose::ground()]).collect()
}

fn places(mechanism: &Mechanism, equilibrium: &Equilibrium) -> Vec<Place> {
    let all = mechanism.bodies().iter().zip(&mechanism.start().poses).zip(&equilibrium.state.poses).enumerate();
    let placed = all.filter(|(index, _)| !mechanism.carries_modes(*index));
    placed
        .map(|(_, ((body, start), pose))| {
            let origin = |pose: &Pose| pose.x - pose.a * body.center_of_mass();
            let turn = nalgebra::Rotation3::from_matrix_unchecked(pose.a * start.a.transpose());
            let position = origin(pose);
            Place {
                body: body.name.clone(),
                position,
                quaternion: quaternion(pose),
                moved: (position - origin(start)).norm(),
                turned: turn.angle(),
            }
        })
        .collect()
}

/// `[w, x, y, z]` with w not negative.
pub(super) fn quaternion(pose: &Pose) -> [f64; 4] {
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(pose.a);
    let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    [q.w, q.i, q.j, q.k].map(|part| sign * part)
}
