//! Analyses of mechanisms that are no runs over time: static equilibrium and quasi-statics, kinematics, linearization with its modes.
//!
//! Contacts are held closed as they stand: the normal direction, and the tangential ones where friction sticks. In statics and linearization those
//! that would pull are opened.

pub(crate) mod closed_contacts;
mod contact_measures;
#[cfg(feature = "report")]
mod drawing;
mod force_division;
mod kinematics;
mod mode_shapes;
mod modes;
mod operating_point;
mod statics;
mod wrenches;

pub use closed_contacts::ContactForce;
pub use kinematics::KinematicRun;
pub use modes::{Advice, Mode, ModeMotion, Modes, damping_ratio};
pub use operating_point::{At, OperatingPoint};
pub use statics::{Place, QuasiStatics, Statics};
pub use wrenches::NamedWrench;

use crate::Error;
use crate::mechanism::MechanismModel;
use crate::result_units::{Conversion, ResultUnits};
use crate::results::Column;
use crate::run::{Overrides, Plan};
use contact_measures::ContactMeasures;
use fourbar_multibody::{Mechanism, Simulation};

/// The measures of a model whose copies are written out, as they are shown; those of contacts behind the others.
fn shown(
    model: &MechanismModel,
    mechanism: &Mechanism,
    contacts: &ContactMeasures,
) -> Result<Vec<(Column, Conversion)>, Error> {
    let own = mechanism.measures().iter().map(|m| Column { name: m.name.clone(), unit: m.unit.clone() });
    let mut columns: Vec<Column> = own.chain(contacts.columns().iter().cloned()).collect();
    let units = ResultUnits::of_mechanism(model).map_err(fourbar_multibody::Error::Model)?;
    let conversions = units.show(&mut columns).map_err(fourbar_multibody::Error::Model)?;
    Ok(columns.into_iter().zip(conversions).collect())
}

/// The times of the model's outputs; `end` and `output_step` \[s\] take precedence over its settings.
fn plan(model: &MechanismModel, end: Option<f64>, output_step: Option<f64>) -> Result<Plan, Error> {
    let overrides = Overrides { end, output_step, ..Overrides::default() };
    let Simulation { end, output_step, .. } = Simulation::new(&model.model, &overrides.for_mechanism()?)?;
    Plan::new(end, output_step)
}
