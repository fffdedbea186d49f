//! The inputs and outputs of an FMU as a partner's: numbers in arrays, by name, in units that fourbar knows.

use super::FmuOptions;
use super::error::FmuError;
use super::foreign::Group;
use super::model::{FmuCausality, FmuDescription, FmuType, FmuVariability, FmuVariable};
use super::start::one;
use crate::function::{Capabilities, Causality, Description, Parameter, Variability, Variable};
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
        Ok(exchanged)
    }

    fn input(&mut self, variable: &FmuVariable, names: Vec<String>, units: &mut Units<'_>) -> Result<(), FmuError> {
        let from = self.count(Causality::Input);
        let (unit, measure) = units.of(variable)?;
        let is_discrete = !variable.kind.is_float() || variable.variability == FmuVariability::Discrete;
        let values = names.iter().enumerate().map(|(k, name)| (from + k, name.clone()));
        let groups = match variable.causality {
            FmuCausality::Parameter => &mut self.tunable,
            _ if is_discrete => &mut self.discrete,
            _ => &mut self.continuous,
        };
        let own = group(groups, variable.kind);
        own.add(variable.value_reference, values);
        own.limit(names.len(), &variable.items);
        if variable.intermediate_update && variable.kind == FmuType::Float64 && names.len() == 1 {
            self.intermediate.add(variable.value_reference, [(from, variable.name.clone())]);
        }
        for (k, name) in names.into_iter().enumerate() {
            let described = Variable::input(name, unit.clone()).start(start_value(variable, k));
            let described = described.changing(variability(variable));
            self.variables.push(Variable { measure, ..described.nominal(variable.nominal) });
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
        let from = self.count(Causality::Output);
        let (unit, measure) = units.of(variable)?;
        let values = names.iter().enumerate().map(|(k, name)| (from + k, name.clone()));
        group(&mut self.outputs, variable.kind).add(variable.value_reference, values.clone());
        if variable.kind == FmuType::Float64 && variable.variability == FmuVariability::Continuous {
            self.differentiable.add(variable.value_reference, values);
        }
        for (k, name) in names.into_iter().enumerate() {
            let described = Variable::output(name, unit.clone()).start(start_value(variable, k));
            let described = described.changing(variability(variable));
            let feedthrough = feedthrough.clone();
            self.variables.push(Variable { measure, feedthrough, ..described.nominal(variable.nominal) });
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
        // One that takes steps of any length rounds them to its own, and says so (`stepped`).
        let internal = interface.fixed_internal_step.filter(|_| !solved);
        let solver_step = internal.filter(|_| !interface.can_handle_variable_step);
        Description { variables: self.variables.clone(), solver_step, capabilities }
    }

    /// Its parameters that are numbers, with their start values. Those that are tunable are inputs.
    pub(super) fn parameters(&self, fmu: &FmuDescription) -> Vec<Parameter> {
        let mut all = Vec::new();
        for variable in fmu.variables.iter().filter(|variable| variable.kind.is_number()) {
            if !matches!(variable.causality, FmuCausality::Parameter | FmuCausality::StructuralParameter) {
                continue;
            }
            for (k, name) in elements(fmu, variable).into_iter().enumerate() {
                let mut inputs = self.variables.iter().filter(|own| own.causality == Causality::Input);
                let input = inputs.find(|own| own.name == name);
                let [lowest, highest] = variable.range;
                let own = Parameter::fixed(name, start_value(variable, k)).within(lowest, highest);
                let unit = input.map_or(&variable.unit, |own| &own.unit);
                all.push(Parameter { is_tunable: input.is_some(), ..own.unit(unit) });
            }
        }
        all
    }

    /// Whether the FMU gives derivatives of outputs.
    pub(super) fn has_rates(&self, fmu: &FmuDescription, solved: bool) -> bool {
        let order = fmu.co_simulation.as_ref().map_or(0, |interface| interface.max_output_derivative_order);
        !solved && order > 0 && !self.differentiable.references().is_empty()
    }

    /// Number of inputs, tunable parameters among them, or of outputs.
    fn count(&self, causality: Causality) -> usize {
        self.variables.iter().filter(|variable| variable.causality == causality).count()
    }

    /// Number of inputs, tunable parameters among them.
    pub(super) fn input_count(&self) -> usize {
        self.count(Causality::Input)
    }

    /// What inputs were set to before the run: tunable parameters have their start values, all others are still to be set.
    pub(super) fn inputs_before(&self) -> Vec<f64> {
        let inputs = self.variables.iter().filter(|variable| variable.causality == Causality::Input);
        let starts: Vec<f64> = inputs.map(|variable| variable.start).collect();
        let mut before = vec![f64::NAN; starts.len()];
        for place in self.tunable.iter().flat_map(|group| group.places()) {
            before[*place] = starts[*place];
        }
        before
    }

    /// Number of outputs.
    pub(super) fn output_count(&self) -> usize {
        self.count(Causality::Output)
    }

    /// Whether all that passes are real numbers, each way in one call that moves nothing.
    pub(super) fn is_direct(&self) -> bool {
        let one = |groups: &[Group]| groups.len() <= 1 && groups.iter().all(Group::is_direct);
        one(&self.continuous) && one(&self.outputs)
    }
}

/// How a variable changes: what is no real number, or not said to be continuous, jumps.
fn variability(variable: &FmuVariable) -> Variability {
    let is_continuous = variable.kind.is_float() && variable.variability == FmuVariability::Continuous;
    if is_continuous { Variability::Continuous } else { Variability::Discrete }
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
    one(&variable.start, k)
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

    /// The unit of a variable by name, and by value where the name alone does not say it.
    fn of(&mut self, variable: &FmuVariable) -> Result<(String, Option<Unit>), FmuError> {
        if let Some((_, unit, used)) = self.given.iter_mut().find(|(name, ..)| *name == variable.name) {
            *used = true;
            let unit = *unit;
            return match Unit::parse(unit) {
                Ok(_) => Ok((unit.to_owned(), None)),
                Err(unknown) => Err(self.refused(&variable.name, unknown.to_string())),
            };
        }
        Ok(match (Unit::parse(&variable.unit).ok(), variable.measure) {
            (Some(known), Some(measure)) if same(&known, &measure) => (variable.unit.clone(), None),
            (_, Some(measure)) => (variable.unit.clone(), Some(measure)),
            (Some(_), None) => (variable.unit.clone(), None),
            // A name that nobody explains: a plain number.
            (None, None) => (String::new(), None),
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
