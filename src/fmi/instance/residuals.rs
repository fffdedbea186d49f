//! Residuals for the importer (FMI-LS-DAE 1.0.0-alpha.1): what turns them on in the configuration mode, and algebraic variables as it sets them.
//!
//! The initialization is that of the ordinary equations, whose start is consistent (section 2.3.2.1 leaves that to the unit).

use super::{Instance, Phase};
use crate::fmi::variables::Local;
use crate::fmi::{Causality, Error, FmuInterface, exchange};

/// The value reference of an unknown, and those of the variables on which it depends.
pub(in crate::fmi) type Dependencies = (u32, Vec<u32>);

impl Instance {
    /// Whether the unit hands out residuals.
    fn check_residuals(&self) -> Result<(), Error> {
        if self.contents.interfaces().have_residuals() {
            return Ok(());
        }
        let reason = "the unit hands out no residuals; export it with `--interface dae`";
        Err(Error::Unsupported { what: "the configuration mode", reason })
    }

    /// Begins to set structural parameters.
    ///
    /// # Errors
    /// [`Error::State`]; [`Error::Unsupported`] of a unit without residuals.
    pub fn enter_configuration(&mut self) -> Result<(), Error> {
        self.check_residuals()?;
        self.check("the configuration mode", &[Phase::Instantiated], "allowed before the initialization")?;
        self.phase = Phase::Configuration;
        Ok(())
    }

    /// Ends to set structural parameters.
    ///
    /// # Errors
    /// As [`Instance::enter_configuration`].
    pub fn exit_configuration(&mut self) -> Result<(), Error> {
        self.check_residuals()?;
        self.check("the end of the configuration mode", &[Phase::Configuration], "allowed after its begin")?;
        self.phase = Phase::Instantiated;
        Ok(())
    }

    fn check_switch(&self, reference: u32) -> Result<(), Error> {
        match self.variables.get(reference) {
            Some(own) if own.causality == Causality::Switch => Ok(()),
            _ => Err(Error::Reference { kind: "Boolean", reference }),
        }
    }

    /// Whether the importer solves for the algebraic variables, by the variable that says so.
    ///
    /// # Errors
    /// [`Error::Reference`].
    pub fn truth(&self, reference: u32) -> Result<bool, Error> {
        self.check_switch(reference)?;
        Ok(self.solves)
    }

    /// Says whether the importer solves for the algebraic variables.
    ///
    /// # Errors
    /// [`Error::Reference`]; [`Error::NotSettable`] outside of the configuration mode; [`Error::Unsupported`] in co-simulation.
    pub fn set_truth(&mut self, reference: u32, solves: bool) -> Result<(), Error> {
        self.check_switch(reference)?;
        if self.phase != Phase::Configuration {
            let name = self.variable_of_any_kind(reference)?.name.clone();
            let reason = "it is a structural parameter; set it in the configuration mode, before the initialization";
            return Err(Error::NotSettable { name, state: self.phase.words(), reason });
        }
        if solves && self.interface != FmuInterface::ModelExchange {
            let reason = "the instance was made for co-simulation";
            return Err(Error::Unsupported { what: "solving for algebraic variables", reason });
        }
        self.become_solved(solves);
        Ok(())
    }

    /// From now on the importer solves for the algebraic variables, or not; equations that were made for another are given up.
    pub(in crate::fmi) fn become_solved(&mut self, solves: bool) {
        if self.solves != solves {
            (self.solves, self.motion) = (solves, None);
            self.forget_outputs();
        }
    }

    /// Sets those of `references` that are algebraic variables. Before the end of the initialization they are guesses, and the unit knows better.
    pub(super) fn set_algebraic(&mut self, references: &[u32], values: &[f64]) -> Result<(), Error> {
        if !self.solves || self.phase.is_early() {
            return Ok(());
        }
        let mut any = false;
        for (reference, value) in references.iter().zip(values) {
            let Some(Local::Algebraic(k)) = self.variables.local(*reference) else { continue };
            if let Some(exchange) = self.motion()?.exchange() {
                exchange.set_algebraic(k, *value);
            }
            any = true;
        }
        if any {
            self.locals = None;
        }
        Ok(())
    }

    /// An algebraic variable, or a residual, of model exchange.
    pub(super) fn open_value(exchange: &mut exchange::Exchange, which: Local) -> Option<Result<f64, Error>> {
        match which {
            Local::Algebraic(k) => Some(exchange.algebraic(k).map_err(Error::from)),
            Local::Residual(k) => Some(exchange.residual(k).map_err(Error::from)),
            _ => None,
        }
    }

    /// Of each derivative of an unknown, then of each residual, its value reference and those of the unknowns and algebraic variables on which it depends;
    /// none of a unit without residuals.
    ///
    /// # Errors
    /// [`Error::Model`].
    pub(in crate::fmi) fn residual_structure(&self) -> Result<Option<Vec<Dependencies>>, Error> {
        if !self.contents.interfaces().have_residuals() {
            return Ok(None);
        }
        let file = self.file()?;
        let started = exchange::begin(file.document(), self.compiled.clone(), None, 0.0);
        let mut start = started.map_err(|error| Error::Model(file.explain(error)))?;
        let Some(structure) = start.structure() else { return Ok(None) };
        let references = |one, two| {
            let of = |causality| self.variables.with(causality).map(|(reference, _)| reference);
            of(one).chain(of(two)).collect::<Vec<u32>>()
        };
        let knowns = references(Causality::State, Causality::Algebraic);
        let unknowns = references(Causality::Derivative, Causality::Residual);
        let known = |columns: Vec<usize>| columns.into_iter().filter_map(|k| knowns.get(k).copied()).collect();
        Ok(Some(unknowns.into_iter().zip(structure.into_iter().map(known)).collect()))
    }
}
