//! A mechanism with its contacts, compiled.

use super::method::Method;
use crate::Error;
use crate::mechanism::{Following, MechanismModel};
use crate::results::Column;
use crate::run::contact::watch::{Columns, Watch};
use crate::run::{Overrides, Plan};
use fourbar_contact::pair::ContactSet;
use fourbar_linalg::checkpoint::Fingerprint;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::{DynamicsOptions, Mechanism, Simulation};
use std::sync::Arc;

/// A mechanism with its contacts, compiled. It never changes; threads share it.
pub struct CompiledModel {
    model: MechanismModel,
    mechanism: Arc<Mechanism>,
    contacts: Option<Contacts>,
    columns: Vec<Column>,
    fingerprint: Fingerprint,
}

struct Contacts {
    finder: ContactSet,
    columns: Columns,
}

impl CompiledModel {
    /// Compiles `model` with its copies; forces and motions that `functions` names are computed by them.
    ///
    /// # Errors
    /// [`Error::Multibody`] or [`Error::Contact`] saying what is wrong in the model, where, and what to do.
    pub fn new(model: &MechanismModel, functions: &HostFunctions) -> Result<Self, Error> {
        let model = model.expand().map_err(fourbar_multibody::Error::Model)?;
        let mechanism = Arc::new(Mechanism::compile_with(&model.model, functions)?);
        model.measured_pairs().map_err(fourbar_multibody::Error::Model)?;
        let contacts = if model.has_contacts() {
            let finder = ContactSet::compile(&model.model, &model.contacts, &mechanism)?;
            let columns = Columns::new(&model, &mechanism).map_err(fourbar_multibody::Error::Model)?;
            Some(Contacts { finder, columns })
        } else {
            None
        };
        let columns = match &contacts {
            Some(contacts) => contacts.columns.all.clone(),
            None => {
                mechanism.measures().iter().map(|m| Column { name: m.name.clone(), unit: m.unit.clone() }).collect()
            }
        };
        let fingerprint = Fingerprint::default().data(&model);
        Ok(Self { model, mechanism, contacts, columns, fingerprint })
    }

    #[cfg(feature = "report")]
    pub(crate) fn model(&self) -> &MechanismModel {
        &self.model
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// What may touch, if anything.
    #[must_use]
    pub fn contacts(&self) -> Option<&ContactSet> {
        self.contacts.as_ref().map(|contacts| &contacts.finder)
    }

    /// Names and units of the measures: those of the mechanism, and where something may touch those of contacts and of the run as a whole.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Tells models apart, also from one process to another. Functions of the host count by their names.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// How the motion of the mechanism is integrated without end, contacts left aside.
    ///
    /// # Errors
    /// [`Error::Multibody`] for settings out of range, [`Error::NotForKind`] for those that a mechanism does not have.
    pub fn dynamics(&self, overrides: &Overrides) -> Result<DynamicsOptions, Error> {
        let simulation = Simulation::new(&self.model.model, &overrides.for_mechanism()?)?;
        let mut dynamics = DynamicsOptions { end: f64::INFINITY, ..simulation.dynamics };
        if let Some(step) = Plan::output_step(simulation.end, simulation.output_step) {
            dynamics.method.limit_step(step);
        }
        Ok(dynamics)
    }

    /// Relative tolerance of its integrator; none of fixed steps.
    #[cfg(feature = "fmi")]
    pub(crate) fn tolerance(&self) -> Option<f64> {
        match self.method(&Overrides::default()).ok()? {
            Method::Smooth(dynamics) => Some(dynamics.method.tolerance().relative),
            Method::Contacts(Following::Event(events)) => Some(events.tolerance),
            Method::Contacts(Following::Steps(..)) => None,
        }
    }

    /// How the model is followed.
    pub(super) fn method(&self, overrides: &Overrides) -> Result<Method, Error> {
        let Some(finder) = self.contacts() else {
            return Ok(Method::Smooth(Box::new(self.dynamics(overrides)?)));
        };
        let (times, overrides) = overrides.for_contacts()?;
        let mut following = Following::new(&self.model, &overrides).map_err(fourbar_multibody::Error::Model)?;
        crate::run::contact::check_overrides(&following, &overrides)?;
        let Simulation { end, output_step, .. } = Simulation::new(&self.model.model, &times)?;
        following.fit_step(&self.mechanism, finder, Plan::output_step(end, output_step))?;
        Ok(Method::Contacts(following))
    }

    /// What watches a simulation with contacts.
    pub(super) fn watch(&self) -> Result<Option<Watch>, Error> {
        let watch = |contacts: &Contacts| Watch::new(&self.mechanism, contacts.finder.clone(), &contacts.columns);
        self.contacts.as_ref().map(watch).transpose()
    }
}
