//! What a linear system of a model file, or a mechanism near a state, is and answers: poles, responses, frequency response, sampled forms, with
//! the names of the file.

use super::compile::{Equations, SparseSystem, Stepping, Tap, numerical};
use super::{LinearModel, LinearSettings, LinearSystem};
use crate::Error;
use fourbar_lti::{Delays, Error as LtiError, Hold, Response, SampledSystem, StateSpace};
use fourbar_multibody::{Location, ModelError};
use nalgebra::DMatrix;

/// Most states of a sparse system that is made into a dense one.
const DENSE: usize = 1000;

/// A linear system with the names of its inputs and outputs.
///
/// Inputs are all `[[input]]` of the file, whatever their signals are; outputs those `[[output]]` that show the system itself, and neither an input
/// nor a formula.
#[derive(Debug, Clone)]
pub struct LinearAnalysis {
    system: StateSpace,
    initial: Vec<f64>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// Units of the outputs.
    units: Vec<String>,
    /// Values of inputs and outputs from which those of the system are counted.
    offsets: [Vec<f64>; 2],
    /// Poles up to this size are round-off \[1/s\].
    round_off: f64,
    /// Step and end of the simulation in the file.
    times: [Option<f64>; 2],
}

/// Numbers in columns with names and units.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Headings, with the unit in brackets.
    pub columns: Vec<String>,
    /// As many values in each.
    pub rows: Vec<Vec<f64>>,
}

impl LinearAnalysis {
    /// Most samples of a response.
    pub const MOST_SAMPLES: f64 = 1e7;

    /// Compiles the model.
    ///
    /// # Errors
    /// What is wrong with the model; a sparse system of more than 1000 states.
    pub fn new(model: &LinearModel) -> Result<Self, Error> {
        let compiled = LinearSystem::compile(model)?;
        let rows = |tap: &Tap| if let Tap::Row(row) = tap { Some(*row) } else { None };
        let mut named: Vec<(usize, &str, &str)> = compiled
            .taps
            .iter()
            .zip(&compiled.columns)
            .filter_map(|(tap, column)| Some((rows(tap)?, column.name.as_str(), column.unit.as_str())))
            .collect();
        named.sort_unstable();
        let system = match &compiled.equations {
            Equations::Dense(system) => system.clone(),
            Equations::Sparse(sparse) => dense(sparse)?,
        };
        let stepping = Stepping::new(model, &LinearSettings::default())?;
        let inputs: Vec<String> = model.inputs.iter().map(|input| input.name().to_owned()).collect();
        let (outputs, units): (Vec<String>, Vec<String>) =
            named.into_iter().map(|(_, name, unit)| (name.to_owned(), unit.to_owned())).unzip();
        Ok(Self {
            times: [stepping.output_step.or(stepping.step), stepping.end],
            system,
            initial: compiled.initial.clone(),
            round_off: 0.0,
            offsets: [vec![0.0; inputs.len()], vec![0.0; outputs.len()]],
            inputs,
            outputs,
            units,
        })
    }

    /// A system with named inputs and outputs and the units of these, in deviations from `offsets` of these, with the output step and the end \[s\] of its model;
    /// poles up to `round_off` count as 0.
    pub(crate) fn named(
        system: StateSpace,
        [inputs, outputs, units]: [Vec<String>; 3],
        offsets: [Vec<f64>; 2],
        times: [Option<f64>; 2],
        round_off: f64,
    ) -> Self {
        Self { initial: vec![0.0; system.states()], system, inputs, outputs, units, offsets, times, round_off }
    }

    /// Values of the inputs and of the outputs from which those of the system are counted: of a mechanism those at its operating point,
    /// of a linear system 0.
    #[must_use]
    pub fn offsets(&self) -> [&[f64]; 2] {
        self.offsets.each_ref().map(Vec::as_slice)
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &StateSpace {
        &self.system
    }

    /// Names of the inputs, in the order of the columns of B.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// Names of the outputs, in the order of the rows of C.
    #[must_use]
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// Their units, of the answers to steps and impulses of 1 too.
    #[must_use]
    pub fn output_units(&self) -> &[String] {
        &self.units
    }

    /// Output step and end time of the model \[s\], where it gives them; the step else a thousandth of the end.
    #[must_use]
    pub fn times(&self) -> [Option<f64>; 2] {
        let [step, end] = self.times;
        [step.or(end.map(|end| end / 1000.0)), end]
    }

    /// The poles: real and imaginary parts \[1/s\], natural frequency \[Hz\] and damping ratio; 1 or -1 for a real one, without a value for 0.
    ///
    /// # Errors
    /// As [`StateSpace::poles`].
    pub fn poles(&self) -> Result<Table, Error> {
        let poles = self.system.poles().map_err(refused)?;
        let row = |pole: nalgebra::Complex<f64>| {
            let pole = if pole.norm() > self.round_off { pole } else { nalgebra::Complex::new(0.0, 0.0) };
            let size = pole.re.hypot(pole.im);
            // Without damping the quotient is -0, to which 0 gives its sign back.
            vec![pole.re, pole.im, size / std::f64::consts::TAU, -pole.re / size + 0.0]
        };
        let columns = ["re [1/s]", "im [1/s]", "frequency [Hz]", "damping"].map(str::to_owned).to_vec();
        Ok(Table { columns, rows: poles.into_iter().map(row).collect() })
    }

    /// The outputs after a step of each input from 0 to 1, the others being 0, from rest; at 0, `step`, ... and at `end` \[s\], be it a multiple or not.
    ///
    /// # Errors
    /// As [`StateSpace::step_response`]; more than 1e7 samples.
    pub fn step_response(&self, step: f64, end: f64) -> Result<Table, Error> {
        Ok(self.over_time(to_end(step, end, |step, samples| self.system.step_response(step, samples))?))
    }

    /// The outputs after an impulse of each input, as [`StateSpace::impulse_response`] explains; at the times of [`LinearAnalysis::step_response`].
    ///
    /// # Errors
    /// As [`StateSpace::impulse_response`]; more than 1e7 samples.
    pub fn impulse_response(&self, step: f64, end: f64) -> Result<Table, Error> {
        Ok(self.over_time(to_end(step, end, |step, samples| self.system.impulse_response(step, samples))?))
    }

    /// The outputs that the start state of the model leaves without any input; at the times of [`LinearAnalysis::step_response`].
    ///
    /// # Errors
    /// As [`StateSpace::initial_response`]; more than 1e7 samples.
    pub fn initial_response(&self, step: f64, end: f64) -> Result<Table, Error> {
        let rows = to_end(step, end, |step, samples| self.system.initial_response(&self.initial, step, samples))?;
        let columns = std::iter::once("time [s]".to_owned()).chain(self.outputs.iter().cloned()).collect();
        Ok(Table { columns, rows })
    }

    /// Gain and phase \[deg, in (-180, 180\]\] from each input to each output at `points` frequencies from `from` to `to` \[Hz\], their logarithms equally
    /// spaced. At a pole the gain is infinite and the phase has no value.
    ///
    /// # Errors
    /// Frequencies that are not positive, finite and ascending; fewer than 2 points.
    pub fn frequency_response(&self, from: f64, to: f64, points: usize) -> Result<Table, Error> {
        if !(from > 0.0 && from < to && to.is_finite()) || points < 2 {
            let problem = format!("{points} frequencies from {from} Hz to {to} Hz are no grid");
            return Err(problem_with(
                problem,
                "give positive frequencies, the smaller one first, and 2 points or more",
            ));
        }
        let at = |k: usize| if k + 1 == points { to } else { from * (to / from).powf(k as f64 / (points - 1) as f64) };
        let frequencies: Vec<f64> = (0..points).map(at).collect();
        let angular: Vec<f64> = frequencies.iter().map(|f| std::f64::consts::TAU * f).collect();
        let responses = self.system.frequency_grid(&angular).map_err(refused)?;
        let mut columns = vec!["frequency [Hz]".to_owned()];
        for pair in self.pairs() {
            columns.extend([format!("{pair} gain"), format!("{pair} phase [deg]")]);
        }
        let row = |(frequency, response): (&f64, Option<DMatrix<nalgebra::Complex<f64>>>)| {
            let mut row = vec![*frequency];
            match response {
                Some(h) => row.extend(h.iter().flat_map(|h| [h.re.hypot(h.im), h.arg().to_degrees()])),
                None => row.extend(self.pairs().iter().flat_map(|_| [f64::INFINITY, f64::NAN])),
            }
            row
        };
        Ok(Table { columns, rows: frequencies.iter().zip(responses).map(row).collect() })
    }

    /// The sampled system; `delays` \[s\] of inputs and outputs by name, the others having none.
    ///
    /// # Errors
    /// As [`StateSpace::sampled_with_delays`]; a name that no input or output has.
    pub fn sampled(&self, step: f64, hold: Hold, delays: &NamedDelays<'_>) -> Result<SampledSystem, Error> {
        let by_name = |what: &str, names: &[String], given: &[(&str, f64)]| {
            let mut delays = vec![0.0; names.len()];
            for (name, delay) in given {
                let Some(at) = names.iter().position(|own| own == name) else {
                    let remedy = format!("there are: {}", names.join(", "));
                    return Err(problem_with(format!("there is no {what} \"{name}\""), &remedy));
                };
                delays[at] = *delay;
            }
            Ok(delays)
        };
        let inputs = by_name("input", &self.inputs, delays.inputs)?;
        let outputs = by_name("output", &self.outputs, delays.outputs)?;
        self.system.sampled_with_delays(step, hold, &Delays { inputs, outputs }).map_err(refused)
    }

    /// `output/input` for each entry of a matrix, column by column.
    fn pairs(&self) -> Vec<String> {
        let pair = |column: usize, row: usize| format!("{}/{}", self.outputs[row], self.inputs[column]);
        (0..self.inputs.len())
            .flat_map(|i| (0..self.outputs.len()).map(move |q| (i, q)))
            .map(|(i, q)| pair(i, q))
            .collect()
    }

    fn over_time(&self, rows: Vec<Vec<f64>>) -> Table {
        Table { columns: std::iter::once("time [s]".to_owned()).chain(self.pairs()).collect(), rows }
    }
}

/// Delays \[s\] by the names of inputs and outputs.
#[derive(Debug, Clone, Copy, Default)]
pub struct NamedDelays<'a> {
    /// Of inputs.
    pub inputs: &'a [(&'a str, f64)],
    /// Of outputs.
    pub outputs: &'a [(&'a str, f64)],
}

fn rows(response: &Response) -> Vec<Vec<f64>> {
    let row = |(time, value): (&f64, &DMatrix<f64>)| std::iter::once(time).chain(value.iter()).copied().collect();
    response.times().iter().zip(response.values()).map(row).collect()
}

/// The rows of a response at 0, `step`, ... and at `end` \[s\], as a run gives its outputs; a sample that round-off puts just beside the end is the one
/// there.
fn to_end(
    step: f64,
    end: f64,
    response: impl Fn(f64, usize) -> Result<Response, LtiError>,
) -> Result<Vec<Vec<f64>>, Error> {
    let samples = end / step * (1.0 + 4.0 * f64::EPSILON);
    if !(0.0..=LinearAnalysis::MOST_SAMPLES).contains(&samples) {
        return Err(problem_with(
            format!("a response to {end} s in steps of {step} s"),
            "ask for positive times and at most 1e7 steps",
        ));
    }
    let mut all = rows(&response(step, samples as usize).map_err(refused)?);
    if samples - samples.floor() > 8.0 * f64::EPSILON * samples {
        // Exact over any time, and so over the whole of it.
        all.extend(rows(&response(end, 1).map_err(refused)?).pop());
    }
    Ok(all)
}

fn dense(sparse: &SparseSystem) -> Result<StateSpace, Error> {
    let n = sparse.a.nrows();
    if n > DENSE {
        let remedy = format!("take {DENSE} cells or fewer for it");
        return Err(problem_with(format!("the system has {n} states, too many for dense matrices"), &remedy));
    }
    let mut c = DMatrix::zeros(sparse.probes.len(), n);
    for (row, probe) in sparse.probes.iter().enumerate() {
        for (state, weight) in probe {
            c[(row, *state)] += weight;
        }
    }
    let (a, b) = (DMatrix::from(&sparse.a), DMatrix::from(&sparse.b));
    let d = DMatrix::zeros(c.nrows(), b.ncols());
    StateSpace::new(a, b, c, d).map_err(refused)
}

fn refused(error: LtiError) -> Error {
    numerical(nowhere(), &error).into()
}

fn problem_with(problem: String, remedy: &str) -> Error {
    ModelError::new(nowhere(), problem, remedy).into()
}

fn nowhere() -> Location {
    Location { section: "", index: 0, name: String::new(), field: String::new() }
}
