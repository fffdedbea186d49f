//! The inputs and outputs of an FMU as a partner's: numbers in arrays, by name, in units that fourbar knows.

use super::FmuOptions;
use super::error::FmuError;
use super::foreign::Group;
use super::model::{FmuCausality, FmuDescription, FmuType, FmuVariability, FmuVariable};
use crate::function::{Capabilities, Causality, Description, Variable};
use fourbar_linalg::unit::Unit;
use std::collections::HashMap;

/// What is written and read in one call each.
pub(super) struct Exchanged {
    /// Inputs that may be set at any time.
    pub(super) continuous: Vec<Group>,
    /// Inputs that are set at events, where the FMU has them.
    pub(super) discrete: Vec<Group>,
    /// Tunable parameters, inputs that are set where they change.
    pub(super) tunable: Vec<Group>,
    /// Real inputs that the FMU asks for within steps.
    pub(super) intermediate: Group,
    pub(super) outputs: Vec<Group>,
    /// Outputs that are continuous real numbers: they have derivatives.
    pub(super) differentiable: Group,
    variables: Vec<Variable>,
    /// Factor and offset from a variable's own unit to the one that is exchanged; empty if none differs.
    input_scales: Vec<(f64, f64)>,
    output_scales: Vec<(f64, f64)>,
}

impl Exchanged {
    pub(super) fn new(
        fmu: &str,
        description: &FmuDescription,
        options: &FmuOptions,
        solved: bool,
    ) -> Result<Self, FmuError> {
        let mut exchanged = Self {
            continuous: Vec::new(),
            discrete: Vec::new(),
            tunable: Vec::new(),
            intermediate: Group::new(FmuType::Float64),
            outputs: Vec::new(),
            differentiable: Group::new(FmuType::Float64),
            variables: Vec::new(),
            input_scales: Vec::new(),
            output_scales: Vec::new(),
        };
        let depends: HashMap<usize, &Vec<usize>> = description.outputs.iter().map(|(i, list)| (*i, list)).collect();
        let mut given = Units::new(fmu, options);
        for (i, variable) in description.variables.iter().enumerate() {
            if !variable.kind.is_number() || variable.clocked {
                continue;
            }
            let elements = elements(description, variable);
            match variable.causality {
                FmuCausality::Input => exchanged.input(variable, elements, &mut given)?,
                FmuCausality::Parameter if is_tunable(variable) => exchanged.input(variable, elements, &mut given)?,
                FmuCausality::Output => {
                    let inputs = depends.get(&i).filter(|_| solved).into_iter().flat_map(|list| list.iter());
                    let feedthrough = inputs.flat_map(|input| {
                        let input = &description.variables[*input];
                        let number = input.kind.is_number() && !input.clocked;
                        self::elements(description, input).into_iter().filter(move |_| number)
                    });
                    let feedthrough = feedthrough.collect();
                    exchanged.output(variable, elements, feedthrough, &mut given)?;
                }
                _ => {}
            }
        }
        given.finish()?;
        for scales in [&mut exchanged.input_scales, &mut exchanged.output_scales] {
            if scales.iter().all(|scale| *scale == (1.0, 0.0)) {
                scales.clear();
            }
        }
        Ok(exchanged)
    }

    fn input(&mut self, variable: &FmuVariable, names: Vec<String>, units: &mut Units<'_>) -> Result<(), FmuError> {
        let from = self.input_scales.len();
        let (unit, scale) = units.of(variable)?;
        let is_discrete = !variable.kind.is_float() || variable.variability == FmuVariability::Discrete;
        let values = names.iter().enumerate().map(|(k, name)| (from + k, name.clone()));
        let groups = match variable.causality {
            FmuCausality::Parameter => &mut self.tunable,
            _ if is_discrete => &mut self.discrete,
            _ => &mut self.continuous,
        };
        group(groups, variable.kind).add(variable.value_reference, values);
        if variable.intermediate_update && variable.kind == FmuType::Float64 && names.len() == 1 && scale == (1.0, 0.0)
        {
            self.intermediate.add(variable.value_reference, [(from, variable.name.clone())]);
        }
        for (k, name) in names.into_iter().enumerate() {
            let start = scale.0 * start_value(variable, k) + scale.1;
            let described = Variable::input(name, unit.clone()).start(start).nominal(scale.0 * variable.nominal);
            self.variables.push(described);
            self.input_scales.push(scale);
        }
        Ok(())
    }

    fn output(
        &mut self,
        variable: &FmuVariable,
        names: Vec<String>,
        feedthrough: Vec<String>,
        units: &mut Units<'_>,
    ) -> Result<(), FmuError> {
        let from = self.output_scales.len();
        let (unit, scale) = units.of(variable)?;
        let values = names.iter().enumerate().map(|(k, name)| (from + k, name.clone()));
        group(&mut self.outputs, variable.kind).add(variable.value_reference, values.clone());
        if variable.kind == FmuType::Float64 && variable.variability == FmuVariability::Continuous {
            self.differentiable.add(variable.value_reference, values);
        }
        for (k, name) in names.into_iter().enumerate() {
            let start = scale.0 * start_value(variable, k) + scale.1;
            let mut described = Variable::output(name, unit.clone()).start(start).nominal(scale.0 * variable.nominal);
            described.feedthrough.clone_from(&feedthrough);
            self.variables.push(described);
            self.output_scales.push(scale);
        }
        Ok(())
    }

    /// What the FMU is to its partners.
    pub(super) fn description(&self, fmu: &FmuDescription, solved: bool) -> Description {
        let interface = if solved { &fmu.model_exchange } else { &fmu.co_simulation };
        let interface = interface.clone().unwrap_or_default();
        let follows = !self.intermediate.references().is_empty() && interface.provides_intermediate_update;
        let order = match (solved, follows) {
            (true, _) | (false, true) => 2,
            // FMI 2.0 does not tell of which order derivatives of inputs may be: the first is meant by all.
            _ => usize::from(interface.can_interpolate_inputs),
        };
        let capabilities = Capabilities::PLAIN
            .rollback(interface.can_get_and_set_state)
            .input_order(order)
            .output_derivatives(self.has_rates(fmu, solved))
            .fixed_step(!solved && !interface.can_handle_variable_step);
        let solver_step = interface.fixed_internal_step.filter(|_| !solved);
        Description { variables: self.variables.clone(), solver_step, capabilities }
    }

    /// Whether the FMU gives derivatives of outputs.
    pub(super) fn has_rates(&self, fmu: &FmuDescription, solved: bool) -> bool {
        let order = fmu.co_simulation.as_ref().map_or(0, |interface| interface.max_output_derivative_order);
        !solved && order > 0 && !self.differentiable.references().is_empty()
    }

    /// Number of inputs, tunable parameters among them.
    pub(super) fn input_count(&self) -> usize {
        self.variables.iter().filter(|variable| variable.causality == Causality::Input).count()
    }

    /// What inputs were set to before the run, in the units of the FMU: tunable parameters have their start values, all others are still to be set.
    pub(super) fn inputs_before(&self) -> Vec<f64> {
        let inputs = self.variables.iter().filter(|variable| variable.causality == Causality::Input);
        let mut starts: Vec<f64> = inputs.map(|variable| variable.start).collect();
        self.own_inputs(&mut starts);
        let mut before = vec![f64::NAN; starts.len()];
        for place in self.tunable.iter().flat_map(|group| group.places()) {
            before[*place] = starts[*place];
        }
        before
    }

    /// Number of outputs.
    pub(super) fn output_count(&self) -> usize {
        self.output_scales.len().max(self.outputs.iter().map(|group| group.places().len()).sum())
    }

    /// Puts inputs into the units of the FMU.
    #[inline]
    pub(super) fn own_inputs(&self, values: &mut [f64]) {
        for (value, (factor, offset)) in values.iter_mut().zip(&self.input_scales) {
            *value = (*value - offset) / factor;
        }
    }

    /// Whether inputs are put into other units.
    #[inline]
    pub(super) fn scales_inputs(&self) -> bool {
        !self.input_scales.is_empty()
    }

    /// Whether all that passes are real numbers in the units of the FMU, each way in one call that moves nothing.
    pub(super) fn is_direct(&self) -> bool {
        let own_units = self.input_scales.is_empty() && self.output_scales.iter().all(|scale| *scale == (1.0, 0.0));
        let one = |groups: &[Group]| groups.len() <= 1 && groups.iter().all(Group::is_direct);
        own_units && one(&self.continuous) && one(&self.outputs)
    }

    /// Factor of an input's derivatives.
    pub(super) fn input_factor(&self, place: usize) -> f64 {
        self.input_scales.get(place).map_or(1.0, |scale| scale.0)
    }

    /// Puts derivatives of outputs into the units that are exchanged.
    pub(super) fn foreign_rates(&self, rates: &mut [f64]) {
        for (rate, (factor, _)) in rates.iter_mut().zip(&self.output_scales) {
            *rate *= factor;
        }
    }

    /// Puts outputs into the units that are exchanged.
    #[inline]
    pub(super) fn foreign_outputs(&self, values: &mut [f64]) {
        for (value, (factor, offset)) in values.iter_mut().zip(&self.output_scales) {
            *value = *value * factor + offset;
        }
    }
}

/// Whether a parameter may change during a run. One whose start value is not known would be set to one that it does not have.
fn is_tunable(variable: &FmuVariable) -> bool {
    variable.variability == FmuVariability::Tunable && !variable.start.is_empty()
}

/// The group of a type, which is added if there is none.
fn group(groups: &mut Vec<Group>, kind: FmuType) -> &mut Group {
    let place = groups.iter().position(|group| group.kind() == Some(kind)).unwrap_or_else(|| {
        groups.push(Group::new(kind));
        groups.len() - 1
    });
    &mut groups[place]
}

/// The start value of element `k`: one may stand for all (FMI 3.0, section 2.4.7.4).
pub(super) fn start_value(variable: &FmuVariable, k: usize) -> f64 {
    let single = variable.start.first().filter(|_| variable.start.len() == 1);
    single.or_else(|| variable.start.get(k)).copied().unwrap_or(0.0)
}

/// The names of a variable's elements, in the order of the values: the last index runs fastest (FMI 3.0, section 2.2.6.1).
pub(super) fn elements(description: &FmuDescription, variable: &FmuVariable) -> Vec<String> {
    let lengths = description.lengths(variable);
    if lengths.is_empty() {
        return vec![variable.name.clone()];
    }
    let count = lengths.iter().product::<u64>();
    let name = |k: u64| {
        let mut rest = k;
        let mut indices: Vec<String> = Vec::with_capacity(lengths.len());
        for length in lengths.iter().rev() {
            indices.push((rest % length + 1).to_string());
            rest /= length;
        }
        indices.reverse();
        format!("{}[{}]", variable.name, indices.join(","))
    };
    (0..count).map(name).collect()
}

/// Units that the caller has given, and those of the description.
struct Units<'a> {
    fmu: &'a str,
    given: Vec<(&'a str, &'a str, bool)>,
}

impl<'a> Units<'a> {
    fn new(fmu: &'a str, options: &'a FmuOptions) -> Self {
        Self { fmu, given: options.units.iter().map(|(name, unit)| (name.as_str(), unit.as_str(), false)).collect() }
    }

    /// The unit in which a variable is exchanged, and the way to it from its own.
    fn of(&mut self, variable: &FmuVariable) -> Result<(String, (f64, f64)), FmuError> {
        if let Some((_, unit, used)) = self.given.iter_mut().find(|(name, ..)| *name == variable.name) {
            *used = true;
            let unit = *unit;
            return match Unit::parse(unit) {
                Ok(_) => Ok((unit.to_owned(), (1.0, 0.0))),
                Err(unknown) => Err(self.refused(&variable.name, unknown.to_string())),
            };
        }
        Ok(match (Unit::parse(&variable.unit).ok(), variable.measure) {
            (Some(known), Some(measure)) if same(&known, &measure) => (variable.unit.clone(), (1.0, 0.0)),
            (Some(_), None) => (variable.unit.clone(), (1.0, 0.0)),
            (_, Some(measure)) => (coherent(&measure), (measure.factor, measure.offset)),
            // A name that nobody explains: a plain number.
            (None, None) => (String::new(), (1.0, 0.0)),
        })
    }

    fn refused(&self, name: &str, problem: String) -> FmuError {
        let remedy = "name units of its inputs and outputs alone, by their names".to_owned();
        FmuError::Start { fmu: self.fmu.to_owned(), name: format!("unit of {name:?}"), problem, remedy }
    }

    /// Refuses a unit for what is not exchanged.
    fn finish(&self) -> Result<(), FmuError> {
        match self.given.iter().find(|(.., used)| !used) {
            Some((name, ..)) => Err(self.refused(name, "it is neither an input nor an output".to_owned())),
            None => Ok(()),
        }
    }
}

/// Whether two units are one. Many tools leave the angle out of the powers: it is not compared.
fn same(a: &Unit, b: &Unit) -> bool {
    // Factors are decimal numbers that were rounded once or twice.
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    a.dimension[..7] == b.dimension[..7] && close(a.factor, b.factor) && close(a.offset, b.offset)
}

/// The coherent unit of a dimension by name.
fn coherent(unit: &Unit) -> String {
    let names = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];
    let powers = unit.dimension.iter().zip(names).filter(|(power, _)| **power != 0);
    let factors: Vec<String> = powers.map(|(power, name)| format!("{name}^{power}")).collect();
    if factors.is_empty() { "1".to_owned() } else { factors.join("*") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coherent_units_are_known_by_their_names() {
        let unit = Unit { dimension: [1, 2, -3, -1, 0, 0, 0, 1], factor: 4.0, offset: 0.0 };
        let parsed = Unit::parse(&coherent(&unit)).unwrap();
        assert_eq!((parsed.dimension, parsed.factor), (unit.dimension, 1.0));
        let plain = Unit { dimension: [0; 8], factor: 0.01, offset: 0.0 };
        assert_eq!(Unit::parse(&coherent(&plain)).unwrap().factor, 1.0);
    }
}
