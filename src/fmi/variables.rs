//! The variables of a unit. Their place is their value reference: the time, inputs, outputs, parameters, and where there is model exchange unknowns,
//! their derivatives and event indicators, then where there are residuals algebraic variables, these, and what turns them on.

use super::exchange::Unknowns;
use super::motion::Motion;
use super::parameters::Parameter;
use fourbar_coupling::{Variability, Variable};
use fourbar_linalg::unit::Unit;

/// Which way a variable travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Causality {
    /// The time.
    Independent,
    /// Into the model, at each communication point.
    Input,
    /// Out of the model.
    Output,
    /// Set before the simulation begins, and while it runs where it is tunable.
    Parameter,
    /// Follows from parameters.
    CalculatedParameter,
    /// An unknown of the equations.
    State,
    /// The derivative of an unknown.
    Derivative,
    /// An event indicator.
    Indicator,
    /// An algebraic variable for which an importer solves.
    Algebraic,
    /// A residual, zero where the algebraic variables are right.
    Residual,
    /// A structural parameter, true or false: whether the importer solves for the algebraic variables.
    Switch,
}

/// A variable of a unit; all but [`Causality::Switch`] are real numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct FmuVariable {
    /// Name, unique in the unit.
    pub name: String,
    /// Unit, as [`Unit::parse`](fourbar_linalg::unit::Unit::parse) reads it.
    pub unit: String,
    /// The unit as a value, where its name alone does not say it.
    pub measure: Option<Unit>,
    /// Which way it travels.
    pub causality: Causality,
    /// Value at the start, of inputs, parameters and algebraic variables \[unit\].
    pub start: f64,
    /// Typical magnitude \[unit\]; 0 if it is not known.
    pub nominal: f64,
    /// Of an output: whether it jumps and is constant between jumps.
    pub is_discrete: bool,
    /// Of an output or a derivative: value references of the inputs on which it depends without delay.
    pub depends_on: Vec<u32>,
    /// Value references of the inputs and parameters on which it may depend at the end of the initialization; of what the unit computes.
    pub starts_from: Vec<u32>,
    /// Of a parameter: whether a running model can go on with another value.
    pub is_tunable: bool,
    /// Of a derivative: the value reference of what it is the derivative of.
    pub derivative_of: Option<u32>,
    /// Of a parameter: its name in the model.
    pub(super) parameter: Option<String>,
}

/// All variables of a unit; the place of each is its value reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Variables {
    all: Vec<FmuVariable>,
    inputs: usize,
    outputs: usize,
    parameters: usize,
    states: usize,
    indicators: usize,
    algebraic: usize,
}

/// Which of the local variables one is, with its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Local {
    State(usize),
    Derivative(usize),
    Indicator(usize),
    Algebraic(usize),
    Residual(usize),
}

/// Name of what turns residuals on, as the layered standard writes it in its example (FMI-LS-DAE 1.0.0-alpha.1, section 2.3.1).
const SWITCH: &str = "enableDAE";

impl Variables {
    /// Of a model that starts where its inputs are at rest if it is `steady`.
    pub(super) fn new(
        motion: &dyn Motion,
        parameters: &[Parameter],
        unknowns: Option<&Unknowns>,
        steady: bool,
    ) -> Self {
        let (inputs, outputs) = (motion.inputs(), motion.outputs());
        let place = |name: &str| inputs.iter().position(|input| input.name == name).map(|k| k as u32 + 1);
        let of = |own: &Variable, causality| FmuVariable {
            depends_on: own.feedthrough.iter().filter_map(|name| place(name)).collect(),
            ..plain(own, causality)
        };
        let mut all = vec![of(&Variable::output("time", "s"), Causality::Independent)];
        all.extend(inputs.iter().map(|input| of(input, Causality::Input)));
        // In model exchange a discrete variable changes at events alone, which are those of the indicators.
        let steps = |own: &Variable| unknowns.is_none() && own.variability == Variability::Discrete;
        all.extend(
            outputs.iter().map(|output| FmuVariable { is_discrete: steps(output), ..of(output, Causality::Output) }),
        );
        all.extend(parameters.iter().map(|own| {
            let causality = if own.is_free { Causality::Parameter } else { Causality::CalculatedParameter };
            let name = format!("parameters.{}", own.name);
            let variable = of(&Variable::output(name, "").start(own.value), causality);
            let is_tunable = own.is_tunable && motion.tunes(&own.name);
            FmuVariable { is_tunable, parameter: Some(own.name.clone()), ..variable }
        }));
        let first = all.len() as u32;
        all.extend(unknowns.into_iter().flat_map(|unknowns| locals(unknowns, first, inputs.len())));
        let [states, indicators, algebraic] = unknowns
            .map_or([0; 3], |own| [own.states.len(), own.indicators.len(), own.algebraic.as_ref().map_or(0, Vec::len)]);
        let (inputs, outputs, parameters) = (inputs.len(), outputs.len(), parameters.len());
        let mut own = Self { all, inputs, outputs, parameters, states, indicators, algebraic };
        own.tell_apart();
        own.begin(steady);
        own
    }

    /// Says on what each depends at the end of the initialization: on the parameters, on the inputs that it follows at once, and on all of them where
    /// the start is a `steady` state for these.
    fn begin(&mut self, steady: bool) {
        let references = |causality| self.with(causality).map(|(reference, _)| reference).collect::<Vec<u32>>();
        let (inputs, parameters) = (references(Causality::Input), references(Causality::Parameter));
        for own in &mut self.all {
            let follows = match own.causality {
                Causality::CalculatedParameter => &[][..],
                Causality::Output | Causality::State | Causality::Derivative if steady => &inputs,
                Causality::Output | Causality::State | Causality::Derivative => &own.depends_on,
                _ => continue,
            };
            own.starts_from = follows.iter().chain(&parameters).copied().collect();
        }
    }

    /// Names are unique in a unit; in a model an output may have that of an input, which it shows.
    fn tell_apart(&mut self) {
        let mut known = std::collections::HashSet::new();
        for variable in &mut self.all {
            let plain = variable.name.clone();
            let mut count = 1;
            while !known.insert(variable.name.clone()) {
                let suffix = if variable.causality == Causality::Output { "output" } else { "copy" };
                count += 1;
                variable.name =
                    if count == 2 { format!("{plain} ({suffix})") } else { format!("{plain} ({suffix} {count})") };
            }
        }
    }

    /// All, by value reference.
    #[must_use]
    pub fn all(&self) -> &[FmuVariable] {
        &self.all
    }

    /// The variable of a value reference.
    #[must_use]
    pub fn get(&self, reference: u32) -> Option<&FmuVariable> {
        self.all.get(reference as usize)
    }

    /// Those of one causality with their value references.
    pub fn with(&self, causality: Causality) -> impl Iterator<Item = (u32, &FmuVariable)> {
        self.all.iter().zip(0..).filter(move |(own, _)| own.causality == causality).map(|(own, k)| (k, own))
    }

    /// Parameters of both kinds, with their value references.
    pub(super) fn with_parameters(&self) -> impl Iterator<Item = (u32, &FmuVariable)> {
        let first = 1 + self.inputs + self.outputs;
        self.all[first..first + self.parameters].iter().zip(first as u32..).map(|(own, k)| (k, own))
    }

    /// Place of an input among the inputs.
    pub(super) fn input(&self, reference: u32) -> Option<usize> {
        (reference as usize).checked_sub(1).filter(|k| *k < self.inputs)
    }

    /// Place of an output among the outputs.
    pub(super) fn output(&self, reference: u32) -> Option<usize> {
        (reference as usize).checked_sub(1 + self.inputs).filter(|k| *k < self.outputs)
    }

    /// Place of a parameter among the parameters.
    pub(super) fn parameter(&self, reference: u32) -> Option<usize> {
        (reference as usize).checked_sub(1 + self.inputs + self.outputs).filter(|k| *k < self.parameters)
    }

    /// Which local variable a reference is.
    pub(super) fn local(&self, reference: u32) -> Option<Local> {
        let mut k = (reference as usize).checked_sub(1 + self.inputs + self.outputs + self.parameters)?;
        let counts = [self.states, self.states, self.indicators, self.algebraic, self.algebraic];
        let kinds = [Local::State, Local::Derivative, Local::Indicator, Local::Algebraic, Local::Residual];
        for (count, kind) in counts.into_iter().zip(kinds) {
            if k < count {
                return Some(kind(k));
            }
            k -= count;
        }
        None
    }

    /// The reference of what turns residuals on.
    #[must_use]
    pub fn switch(&self) -> Option<u32> {
        self.with(Causality::Switch).map(|(reference, _)| reference).next()
    }

    /// Number of unknowns.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// Number of event indicators.
    #[must_use]
    pub fn indicators(&self) -> usize {
        self.indicators
    }

    /// Start values of the inputs as polynomials.
    pub(super) fn input_starts(&self) -> Vec<[f64; 3]> {
        self.all[1..=self.inputs].iter().map(|input| [input.start, 0.0, 0.0]).collect()
    }
}

/// A variable that depends on nothing at once.
fn plain(own: &Variable, causality: Causality) -> FmuVariable {
    FmuVariable {
        name: own.name.clone(),
        unit: own.unit.clone(),
        measure: own.measure,
        causality,
        start: own.start,
        nominal: own.nominal,
        is_discrete: false,
        depends_on: Vec::new(),
        starts_from: Vec::new(),
        is_tunable: false,
        derivative_of: None,
        parameter: None,
    }
}

/// The local variables; unknowns have the references from `first` on.
fn locals(unknowns: &Unknowns, first: u32, inputs: usize) -> Vec<FmuVariable> {
    let Unknowns { states, driven, indicators, algebraic } = unknowns;
    let inputs: Vec<u32> = (1..=inputs as u32).collect();
    let local =
        |name: String, unit: &str, nominal, causality| plain(&Variable::output(name, unit).nominal(nominal), causality);
    let mut all: Vec<FmuVariable> =
        states.iter().map(|(name, unit, typical)| local(name.clone(), unit, *typical, Causality::State)).collect();
    all.extend((first..).zip(states).zip(driven).map(|((state, (name, unit, _)), driven)| FmuVariable {
        derivative_of: Some(state),
        depends_on: if *driven { inputs.clone() } else { Vec::new() },
        ..local(format!("der({name})"), &rate_unit(unit), 0.0, Causality::Derivative)
    }));
    all.extend(indicators.iter().map(|name| local(format!("indicator of {name}"), "", 0.0, Causality::Indicator)));
    for (own, start) in algebraic.iter().flatten() {
        let variable = local(own.name.clone(), own.unit, own.typical, Causality::Algebraic);
        all.push(FmuVariable { start: *start, ..variable });
    }
    for (own, _) in algebraic.iter().flatten() {
        let name = format!("residual of {}", own.equation);
        all.push(local(name, own.equation_unit, 0.0, Causality::Residual));
    }
    all.extend(algebraic.iter().map(|_| local(SWITCH.to_owned(), "", 0.0, Causality::Switch)));
    all
}

/// The unit of a derivative by the time; none where it would have no name.
fn rate_unit(unit: &str) -> String {
    let rate = match unit.strip_suffix("/s") {
        _ if unit.is_empty() => "1/s".to_owned(),
        Some(other) => format!("{other}/s^2"),
        None => format!("{unit}/s"),
    };
    if Unit::parse(&rate).is_ok() { rate } else { String::new() }
}
