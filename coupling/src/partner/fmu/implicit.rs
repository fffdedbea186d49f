//! Model exchange for stiff equations and for residuals: an FMU as a system F(t, y, y') = 0.
//!
//! F = y' - f(t, y) of a state, F = g(t, y) of an algebraic variable. The matrix comes from the directional derivatives of the FMU, where it gives
//! such, else from differences; columns that share no row are evaluated together. Which entries there are its model structure tells.

use super::foreign::Instance;
use super::model::{FmuDae, FmuDescription};
use super::system::{System, indicator};
use crate::function::Failure;
use fourbar_dae::{Dae, Differences, EvalError, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;
use std::collections::{BTreeSet, HashMap};

/// Magnitude below which the increment of a difference does not shrink, in typical sizes of the unknown: that of [`Differences::new`].
const FLOOR: f64 = 1e-3;

/// The equations with the structure of their matrix.
pub(super) struct Implicit {
    pub(super) system: System,
    pattern: SparsityPattern,
    differences: Differences,
    directional: Option<Directional>,
    /// Derivatives and residuals at a point.
    values: Vec<f64>,
}

/// Products of the Jacobian that the FMU gives.
struct Directional {
    unknowns: Vec<u32>,
    knowns: Vec<u32>,
    seed: Vec<f64>,
    product: Vec<f64>,
}

impl Implicit {
    pub(super) fn new(system: System, description: &FmuDescription, dae: Option<&FmuDae>) -> Result<Self, Failure> {
        let n = system.unknown_count();
        let pattern = Structure::new(description, dae, n).pattern()?;
        let floors: Vec<f64> = system.unknowns().iter().map(|unknown| FLOOR * unknown.typical).collect();
        let gives = description.model_exchange.as_ref().is_some_and(|me| me.provides_directional_derivatives);
        let directional = (gives && system.state_count > 0).then(|| Directional::new(description, dae, n));
        let differences = Differences::new(&pattern, &floors);
        Ok(Self { system, pattern, differences, directional, values: vec![0.0; n] })
    }

    /// y' of the states at (t, y).
    pub(super) fn derivative(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), Failure> {
        let n = self.system.state_count;
        self.system.evaluate(t, y, &mut self.values)?;
        yp.fill(0.0);
        yp[..n].copy_from_slice(&self.values[..n]);
        Ok(())
    }
}

/// F of states and algebraic variables from what the FMU gives.
fn assemble(given: &[f64], yp: &[f64], differential: usize, residual: &mut [f64]) {
    for (i, residual) in residual.iter_mut().enumerate() {
        *residual = if i < differential { yp[i] - given[i] } else { given[i] };
    }
}

impl Dae for Implicit {
    fn dimension(&self) -> usize {
        self.system.unknown_count()
    }

    fn unknowns(&self) -> &[Unknown] {
        self.system.unknowns()
    }

    fn unknown_name(&self, i: usize) -> String {
        self.system.name(i)
    }

    fn equation_name(&self, i: usize) -> String {
        self.system.equation(i)
    }

    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        let Self { system, values, .. } = self;
        system.evaluate(t, y, values).map_err(|failure| system.failed(t, failure))?;
        assemble(values, yp, system.differential_count(), residual);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        let Self { system, pattern, differences, directional, values: given } = self;
        let differential = system.differential_count();
        let Some(directional) = directional else {
            return differences.evaluate(pattern, y, yp, c, values, |y, yp, residual| {
                system.evaluate(t, y, given).map_err(|failure| system.failed(t, failure))?;
                assemble(given, yp, differential, residual);
                Ok(())
            });
        };
        let done = system.go(t, y).and_then(|()| {
            differences.groups().try_for_each(|group| directional.columns(&mut system.instance, group, pattern, values))
        });
        done.map_err(|failure| system.failed(t, failure))?;
        for column in 0..pattern.major_dim() {
            let entries = pattern.major_offsets()[column]..pattern.major_offsets()[column + 1];
            for (value, &row) in values[entries].iter_mut().zip(pattern.lane(column)) {
                // F = y' - f of states.
                let sign = if row < differential { -1.0 } else { 1.0 };
                let own = if row == column && row < differential { c } else { 0.0 };
                *value = sign * *value + own;
            }
        }
        Ok(())
    }

    fn root_count(&self) -> usize {
        self.system.indicator_count
    }

    fn root_name(&self, i: usize) -> String {
        indicator(i)
    }

    fn roots(&mut self, t: f64, y: &[f64], _yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        self.system.indicators(t, y, roots)
    }
}

impl Directional {
    fn new(description: &FmuDescription, dae: Option<&FmuDae>, n: usize) -> Self {
        let (states, derivatives) = (states(description), description.derivatives.clone());
        let (algebraic, residuals) = dae.map_or((&[][..], &[][..]), |dae| (&dae.algebraic, &dae.residuals));
        let references = |list: &[usize], more: &[usize]| {
            list.iter().chain(more).map(|index| description.variables[*index].value_reference).collect()
        };
        Self {
            unknowns: references(&derivatives, residuals),
            knowns: references(&states, algebraic),
            seed: vec![0.0; n],
            product: vec![0.0; n],
        }
    }

    /// The columns of a group, which share no row.
    fn columns(
        &mut self,
        instance: &mut Instance,
        group: &[usize],
        pattern: &SparsityPattern,
        values: &mut [f64],
    ) -> Result<(), Failure> {
        self.seed.fill(0.0);
        group.iter().for_each(|column| self.seed[*column] = 1.0);
        instance.directional_derivative(&self.unknowns, &self.knowns, &self.seed, &mut self.product)?;
        for &column in group {
            let entries = pattern.major_offsets()[column]..pattern.major_offsets()[column + 1];
            for (value, &row) in values[entries].iter_mut().zip(pattern.lane(column)) {
                *value = self.product[row];
            }
        }
        Ok(())
    }
}

/// The states in the order of their derivatives, by index.
pub(super) fn states(description: &FmuDescription) -> Vec<usize> {
    let state = |derivative: &usize| description.variables[*derivative].derivative_of.unwrap_or(*derivative);
    description.derivatives.iter().map(state).collect()
}

/// Which equation depends on which unknown.
struct Structure {
    entries: BTreeSet<(usize, usize)>,
    n: usize,
}

impl Structure {
    fn new(description: &FmuDescription, dae: Option<&FmuDae>, n: usize) -> Self {
        let (algebraic, residuals) = dae.map_or((&[][..], &[][..]), |dae| (&dae.algebraic, &dae.residuals));
        let mut unknowns = HashMap::new();
        let mut place = 0;
        for index in states(description).iter().chain(algebraic) {
            let count = description.element_count(*index);
            unknowns.insert(*index, place..place + count);
            place += count;
        }
        // Every state depends on its own derivative.
        let mut structure = Self { entries: (0..n).map(|i| (i, i)).collect(), n };
        let of_states = dae.map_or(&description.derivative_dependencies, |dae| &dae.derivative_dependencies);
        let of_residuals = dae.map_or(&[][..], |dae| &dae.residual_dependencies);
        let equations = description.derivatives.iter().chain(residuals);
        let mut row = 0;
        for (index, known) in equations.zip(of_states.iter().chain(of_residuals)) {
            let rows = row..row + description.element_count(*index);
            row = rows.end;
            match known {
                Some(list) => {
                    let columns = list.iter().filter_map(|index| unknowns.get(index)).cloned().flatten();
                    columns.for_each(|column| structure.entries.extend(rows.clone().map(|row| (column, row))));
                }
                None => (0..n).for_each(|column| structure.entries.extend(rows.clone().map(|row| (column, row)))),
            }
        }
        structure
    }

    /// Compressed by columns.
    fn pattern(&self) -> Result<SparsityPattern, Failure> {
        let mut offsets = vec![0; self.n + 1];
        let mut rows = Vec::with_capacity(self.entries.len());
        for (column, row) in self.entries.iter().filter(|(column, row)| *column < self.n && *row < self.n) {
            offsets[column + 1] += 1;
            rows.push(*row);
        }
        (0..self.n).for_each(|i| offsets[i + 1] += offsets[i]);
        SparsityPattern::try_from_offsets_and_indices(self.n, self.n, offsets, rows)
            .map_err(|error| Failure::new(format!("its model structure gives no matrix: {error}")))
    }
}
