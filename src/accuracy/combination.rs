//! Integrators and formulations: every one that the settings of runs name.

use super::error::AccuracyError;
use crate::run::{Allowed, RunSetting};
use fourbar_multibody::model::{Model, Settings};
use fourbar_multibody::{Formulation, Method, Simulation};

/// An integrator with a formulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    /// Integrator by name.
    pub integrator: &'static str,
    /// Formulation by name; none where the integrator has a form of its own.
    pub formulation: Option<&'static str>,
}

/// Which integrators and formulations take part; all of them where a list is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Integrators by name; likewise methods of linear systems and schemes of contacts.
    pub integrators: Vec<String>,
    /// Formulations by name, among them those that integrators have of their own, as `partitioned`.
    pub formulations: Vec<String>,
}

/// The words that a setting of runs takes.
fn words(setting: &str) -> Vec<&'static str> {
    match RunSetting::find(setting).map(RunSetting::allowed) {
        Some(Allowed::Word(words)) => words,
        _ => Vec::new(),
    }
}

impl Combination {
    /// Every integrator with every formulation that it takes.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let formulations = words("formulation");
        let of = |integrator: &'static str| {
            let with = |formulation| Self { integrator, formulation };
            let own: Vec<Self> = formulations.iter().map(|name| with(Some(*name))).filter(Self::is_possible).collect();
            if own.is_empty() { vec![with(None)].into_iter().filter(Self::is_possible).collect() } else { own }
        };
        words("integrator").into_iter().flat_map(of).collect()
    }

    /// Constant steps follow no tolerance.
    fn is_possible(&self) -> bool {
        Simulation::new(&Model::default(), &self.settings())
            .is_ok_and(|simulation| !matches!(simulation.dynamics.method, Method::ConstantBdf(_)))
    }

    /// As settings of a run.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            integrator: Some(self.integrator.to_owned()),
            formulation: self.formulation.map(str::to_owned),
            ..Settings::default()
        }
    }

    /// Name of the formulation that `method` solves.
    pub(super) fn equations(&self, method: &Method) -> &'static str {
        self.formulation.unwrap_or_else(|| Formulation::default().solved_by(method))
    }

    /// Name of the formulation that it solves.
    #[must_use]
    pub fn formulation_name(&self) -> &'static str {
        match Simulation::new(&Model::default(), &self.settings()) {
            Ok(simulation) => self.equations(&simulation.dynamics.method),
            Err(_) => "",
        }
    }
}

impl Selection {
    /// The combinations that take part.
    ///
    /// # Errors
    /// [`AccuracyError::UnknownWord`] for a name that no setting has.
    pub fn combinations(&self) -> Result<Vec<Combination>, AccuracyError> {
        let all = Combination::all();
        let formulations: Vec<&'static str> = all.iter().map(Combination::formulation_name).collect();
        let all_methods = ["integrator", "method", "contacts"].map(words).concat();
        check("integrator", &self.integrators, all_methods)?;
        check("formulation", &self.formulations, formulations.clone())?;
        let is_in =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|own| own.eq_ignore_ascii_case(name));
        let chosen = all.into_iter().zip(formulations);
        Ok(chosen
            .filter(|(own, name)| is_in(&self.integrators, own.integrator) && is_in(&self.formulations, name))
            .map(|(own, _)| own)
            .collect())
    }
}

impl Selection {
    /// Those of `known` that take part: all of them where none is named.
    pub(super) fn methods(&self, known: Vec<&'static str>) -> Vec<&'static str> {
        let named = |name: &&&str| self.integrators.iter().any(|own| own.eq_ignore_ascii_case(name));
        let some: Vec<&'static str> = known.iter().filter(named).copied().collect();
        if some.is_empty() { known } else { some }
    }
}

fn check(setting: &'static str, given: &[String], known: Vec<&'static str>) -> Result<(), AccuracyError> {
    match given.iter().find(|name| !known.iter().any(|known| known.eq_ignore_ascii_case(name))) {
        Some(name) => {
            let mut known = known;
            known.dedup();
            Err(AccuracyError::UnknownWord { setting, name: name.clone(), known })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integrator_that_follows_a_tolerance_takes_part() {
        let all = Combination::all();
        for integrator in words("integrator") {
            let takes_part = all.iter().any(|own| own.integrator == integrator);
            assert_eq!(takes_part, integrator != "constant_bdf", "{integrator}");
        }
        assert!(all.contains(&Combination { integrator: "gstiff", formulation: Some("si2") }));
        let own = all.iter().find(|own| own.integrator == "rkf45").unwrap();
        assert_eq!((own.formulation, own.formulation_name()), (None, "partitioned"));
    }

    #[test]
    fn a_selection_narrows_and_refuses_what_is_not_there() {
        let select = |integrators: &[&str], formulations: &[&str]| Selection {
            integrators: integrators.iter().map(|name| (*name).to_owned()).collect(),
            formulations: formulations.iter().map(|name| (*name).to_owned()).collect(),
        };
        let chosen = select(&["GSTIFF"], &["i3"]).combinations().unwrap();
        assert_eq!(chosen, [Combination { integrator: "gstiff", formulation: Some("i3") }]);
        let error = select(&["ida"], &[]).combinations().unwrap_err().to_string();
        assert!(error.contains("\"ida\"") && error.contains("gstiff"), "{error}");
    }
}
