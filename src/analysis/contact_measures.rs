//! Measures of contacts in analyses that hold them closed: the gap and its rate of the nearest contact of a pair, and what those that are held carry.

use super::closed_contacts::ClosedContacts;
use crate::Error;
use crate::mechanism::{ContactQuantity, MechanismModel};
use crate::results::Column;
use fourbar_multibody::State;

/// The measures of the contacts of a model.
pub(super) struct ContactMeasures {
    columns: Vec<Column>,
    /// Pair and quantity of each.
    probes: Vec<(u32, ContactQuantity)>,
    /// Names of those that an analysis without steps in time does not have.
    left_out: Vec<String>,
}

impl ContactMeasures {
    pub(super) fn new(model: &MechanismModel) -> Result<Self, Error> {
        let mut own = Self { columns: Vec::new(), probes: Vec::new(), left_out: Vec::new() };
        let pairs = model.measured_pairs().map_err(fourbar_multibody::Error::Model)?;
        for (measure, pair) in model.measures.iter().zip(pairs) {
            if measure.quantity == ContactQuantity::NormalImpulse {
                own.left_out.push(format!("\"{}\"", measure.name));
                continue;
            }
            own.columns.push(Column { name: measure.name.clone(), unit: measure.quantity.unit().to_owned() });
            own.probes.push((pair as u32, measure.quantity));
        }
        Ok(own)
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What is missing, for a person.
    pub(super) fn told(&self, analysis: &str) -> Option<String> {
        let names = self.left_out.join(", ");
        (!names.is_empty()).then(|| {
            format!("{names} left out: `normal_impulse` sums over the time of a run, which {analysis} does not have")
        })
    }

    /// Their values at `state`, the last one that `contacts` judged; a pair that carries nothing has the force 0.
    pub(super) fn values(&self, contacts: &mut ClosedContacts, state: &State) -> Result<Vec<f64>, Error> {
        let mut values = Vec::with_capacity(self.probes.len());
        for &(pair, quantity) in &self.probes {
            values.push(match quantity {
                ContactQuantity::Gap => contacts.nearest(pair, state)?.map_or(f64::INFINITY, |[gap, _]| gap),
                ContactQuantity::ClosingSpeed => contacts.nearest(pair, state)?.map_or(0.0, |[_, rate]| -rate),
                ContactQuantity::NormalForce => contacts.carried(pair).map(|force| force.normal).sum(),
                _ => contacts.carried(pair).map(|force| force.friction).sum(),
            });
        }
        Ok(values)
    }
}
