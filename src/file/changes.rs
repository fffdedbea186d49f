//! What a caller changes of a model that was read: parameters, where its simulators run, the federation in which it takes part.

use super::ModelFile;
#[cfg(feature = "helics")]
use crate::{Document, Error};
use fourbar_multibody::ModelError;
use fourbar_multibody::expression::Expression;

impl ModelFile {
    /// Gives a parameter another value: see [`Document::set_parameter`](crate::Document::set_parameter).
    ///
    /// # Errors
    /// A parameter that the model does not have.
    pub fn set_parameter(&mut self, name: &str, value: Expression) -> Result<(), Box<ModelError>> {
        let text = value.to_string();
        self.document.set_parameter(name, value)?;
        self.set.retain(|(other, _)| other != name);
        self.set.push((name.to_owned(), text));
        Ok(())
    }

    /// Gives a variable of an FMU a text, or the item of an enumeration; whether the model has such a simulator.
    pub fn set_text(&mut self, name: &str, text: &str) -> bool {
        let is_set = self.document.set_text(name, text);
        if is_set {
            self.set.retain(|(other, _)| other != name);
            self.set.push((name.to_owned(), text.to_owned()));
        }
        is_set
    }

    /// Has a simulator run on another computer: [`Place::host`](crate::coupled::Place::host). In a model that is not coupled there is none.
    ///
    /// # Errors
    /// A simulator that the model does not have.
    pub fn set_host(&mut self, simulator: &str, address: &str) -> Result<(), Box<ModelError>> {
        self.document.set_host(simulator, address)
    }

    /// Puts the model into a federation: [`CoupledModel::federated`](crate::coupled::CoupledModel::federated). A model of another kind becomes the one
    /// simulator of a coupled one.
    ///
    /// # Errors
    /// As that, and as of [`Run::new`](crate::run::Run::new).
    #[cfg(feature = "helics")]
    pub fn federate(
        &mut self,
        federate: &crate::coupled::Federate,
        overrides: &crate::run::Overrides,
    ) -> Result<(), Error> {
        let mut model = crate::coupled::CoupledModel::around(&self.document)?;
        // The federation grants the time.
        model.simulation.real_time_factor = None;
        let federated = model.federated(federate, &overrides.for_coupled()?)?;
        self.document = Document::Coupled(Box::new(federated));
        Ok(())
    }

    /// Parameters with other values than the file gives: name and expression.
    #[cfg(feature = "fmi-export")]
    pub(crate) fn set_parameters(&self) -> &[(String, String)] {
        &self.set
    }
}
