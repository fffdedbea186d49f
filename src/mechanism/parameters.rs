//! Parameters of a mechanism, of those it takes in, and of their copies, by name.

use super::{Include, MechanismModel};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, ModelError};

impl MechanismModel {
    /// Gives the parameter `name` another value: an own one, `include.name` of a mechanism taken in, or `include_3.name` of its third copy.
    ///
    /// # Errors
    /// A parameter that it does not have, with the nearest name.
    pub(crate) fn set_parameter(&mut self, name: &str, value: Expression) -> Result<(), Box<ModelError>> {
        if let Some(own) = self.model.parameters.get_mut(name) {
            *own = value;
            return Ok(());
        }
        let parts = name.split_once('.');
        if let Some((part, rest)) = parts {
            // Whether it has such a one is seen when it is written out.
            if let Some(include) = self.includes.iter_mut().find(|include| include.name == part) {
                include.parameters.insert(rest.to_owned(), value);
                return Ok(());
            }
            let includes = &self.includes;
            let is_copy = |copies: &super::Copies| {
                includes.iter().any(|include| include.name == copies.of) && copies.names().any(|name| name == part)
            };
            if let Some(position) = self.copies.iter().position(is_copy) {
                let of = self.copies[position].parameters.entry(part.to_owned()).or_default();
                of.insert(rest.to_owned(), value);
                return Ok(());
            }
        }
        let location = Location { section: "", index: 0, name: String::new(), field: String::new() };
        let known = self.parameter_names();
        Err(ModelError::unknown("parameter", name, known.iter().map(String::as_str), &location))
    }

    /// Names of all parameters, those of includes with their names before them.
    fn parameter_names(&self) -> Vec<String> {
        let inner = |prefix: &str, include: &Include| {
            let names = include.model.as_ref().map(|model| model.parameter_names()).unwrap_or_default();
            names.into_iter().map(|name| format!("{prefix}.{name}")).collect::<Vec<_>>()
        };
        let mut names: Vec<String> = self.model.parameters.keys().cloned().collect();
        for include in &self.includes {
            names.extend(inner(&include.name, include));
            // The first copies stand for all of them: there may be thousands.
            let copies = self.copies.iter().filter(|copies| copies.of == include.name);
            let copies = copies.flat_map(|copies| copies.names().take(NAMED));
            names.extend(copies.flat_map(|name| inner(&name, include)));
        }
        names
    }
}

/// Copies whose parameters are among the names that a message compares with.
const NAMED: usize = 10;
