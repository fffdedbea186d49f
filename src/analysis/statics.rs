//! Static equilibrium of a mechanism, and the equilibria that follow its motions and forces over time (quasi-statics).

use super::wrenches::NamedWrench;
use crate::Error;
use crate::mechanism::MechanismModel;
use crate::results::Column;
use crate::run::{Overrides, Plan};
use crate::simulation::{CompiledModel, Simulation};
use fourbar_multibody::analysis::Equilibrium;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::space::{Pose, V3};
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
    /// The bodies, in the order of the model.
    pub places: Vec<Place>,
    /// What each joint and motion does to the body of its marker I.
    pub reactions: Vec<NamedWrench>,
}

/// Equilibria of a mechanism at one time after the other, each sought from the one before.
pub struct QuasiStatics {
    simulation: Simulation,
    plan: Result<Plan, Error>,
}

impl QuasiStatics {
    /// Begins at the start of the model. `end` and `output_step` \[s\] take precedence over its settings.
    ///
    /// # Errors
    /// What is wrong with the model; [`Error::WithContacts`] for a model with contacts.
    pub fn new(model: &MechanismModel, end: Option<f64>, output_step: Option<f64>) -> Result<Self, Error> {
        let compiled = Arc::new(CompiledModel::new(model, &HostFunctions::default())?);
        if compiled.contacts().is_some() {
            return Err(Error::WithContacts { analysis: "static analysis" });
        }
        let plan = super::plan(model, end, output_step);
        Ok(Self { simulation: Simulation::new(&compiled, &Overrides::default())?, plan })
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
    /// [`Error::Multibody`] if there is none or the joints cannot follow the motions: the state is then that of the last equilibrium.
    pub fn at(&mut self, time: f64) -> Result<Statics, Error> {
        if self.simulation.time() != time {
            let mut state = self.simulation.state()?.clone();
            state.time = time;
            self.simulation.set_state(&state)?;
        }
        let equilibrium = self.simulation.find_equilibrium()?;
        let compiled = Arc::clone(self.simulation.compiled());
        let mut values = vec![0.0; compiled.columns().len()];
        self.simulation.measures(&mut values)?;
        Ok(Statics {
            time,
            measures: compiled.columns().iter().cloned().zip(values).collect(),
            places: places(&compiled, &equilibrium),
            reactions: self.reactions(&equilibrium)?,
            equilibrium,
        })
    }

    fn reactions(&mut self, equilibrium: &Equilibrium) -> Result<Vec<NamedWrench>, Error> {
        let compiled = Arc::clone(self.simulation.compiled());
        let poses: Vec<Pose> = equilibrium.state.poses.iter().copied().chain([Pose::ground()]).collect();
        let mut all = Vec::new();
        for (k, set) in compiled.mechanism().constraint_sets().iter().enumerate() {
            all.extend(self.simulation.reaction(k)?.map(|wrench| NamedWrench::of(set, wrench, &poses)));
        }
        Ok(all)
    }
}

fn places(compiled: &CompiledModel, equilibrium: &Equilibrium) -> Vec<Place> {
    let mechanism = compiled.mechanism();
    let all = mechanism.bodies().iter().zip(&mechanism.start().poses).zip(&equilibrium.state.poses);
    all.map(|((body, start), pose)| {
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
