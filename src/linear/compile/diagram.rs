//! Block diagrams: blocks to systems, what enters them to wires.

use super::fault::{at, fault, numerical, unknown};
use super::matrices::{Reader, Written};
use super::outputs::{Taps, no_rod};
use crate::linear::{Block, LinearModel, Root};
use fourbar_lti::{
    BlockId, Diagram, Error as LtiError, InputId, StateSpace, TransferFunction, ZerosPolesGain, integrator, lag,
    summing_junction,
};
use fourbar_multibody::expression::{Binding, Expression, Program, Stack};
use fourbar_multibody::{Location, ModelError, Parameters};
use nalgebra::{Complex, DMatrix};

/// Where a signal comes from.
#[derive(Clone, Copy)]
enum Source {
    Input(InputId),
    Port(BlockId, usize),
}

/// The system that the blocks are, and its start state; `taps` learns what the outputs show.
pub(super) fn read(
    model: &LinearModel,
    parameters: &Parameters<'_>,
    taps: &mut Taps,
) -> Result<(StateSpace, Vec<f64>), Box<ModelError>> {
    let mut diagram = Diagram::new();
    let mut signals: Vec<(String, Source)> = Vec::new();
    for input in &model.inputs {
        signals.push((input.name().to_owned(), Source::Input(diagram.add_input())));
    }
    let mut initial = Vec::new();
    let mut ids = Vec::new();
    for (index, block) in model.blocks.iter().enumerate() {
        let (system, start) = system(index, block, parameters)?;
        let outputs = system.outputs();
        let id = diagram.add(block.name(), system);
        let name =
            |port: usize| if outputs == 1 { block.name().to_owned() } else { format!("{}.{}", block.name(), port + 1) };
        signals.extend((0..outputs).map(|port| (name(port), Source::Port(id, port))));
        initial.extend(start);
        ids.push(id);
    }
    for (index, (block, id)) in model.blocks.iter().zip(ids).enumerate() {
        for (port, expression) in block.inputs().iter().enumerate() {
            let field =
                if matches!(block, Block::StateSpace(_)) { format!("inputs.{port}") } else { "input".to_owned() };
            let location = at("block", index, block.name(), &field);
            let wires = combination(expression, &signals, parameters, &location)?;
            let wired = wires.into_iter().try_for_each(|(source, gain)| match source {
                Source::Input(input) => diagram.feed(input, (id, port), gain),
                Source::Port(from, output) => diagram.connect((from, output), (id, port), gain),
            });
            wired.map_err(|error| numerical(location, &error))?;
        }
    }
    for (index, output) in taps.open(model) {
        let field = |field: &str| at("output", index, &output.name, field);
        if output.at.is_some() {
            return Err(no_rod(field("at")));
        }
        let Some(from) = &output.from else {
            return Err(fault(field(""), "the output has no source", "add `from = \"the name of a block or input\"`"));
        };
        let known: Vec<&str> = signals.iter().map(|(name, _)| name.as_str()).collect();
        let Some((_, Source::Port(id, port))) = signals.iter().find(|(name, _)| name == from) else {
            return Err(unknown("block or input", from, &known, field("from")));
        };
        diagram.add_output((*id, *port)).map_err(|error| numerical(field("from"), &error))?;
        taps.next_row(index);
    }
    let system = diagram.to_state_space().map_err(|error| numerical(of_loop(&error, model), &error))?;
    Ok((system, initial))
}

/// Where the first block of an algebraic loop stands.
fn of_loop(error: &LtiError, model: &LinearModel) -> Location {
    let through = match error {
        LtiError::AlgebraicLoop { through, .. } => through.as_str(),
        _ => "",
    };
    let first = through.split(", ").next().unwrap_or_default();
    let index = model.blocks.iter().position(|block| block.name() == first).unwrap_or(0);
    at("block", index, model.blocks[index].name(), "")
}

/// A block as a system with its start state.
fn system(index: usize, block: &Block, parameters: &Parameters<'_>) -> Result<(StateSpace, Vec<f64>), Box<ModelError>> {
    let place = |field: &str| at("block", index, block.name(), field);
    let reader = Reader { parameters, place };
    let made = match block {
        Block::Gain(b) => StateSpace::gain(DMatrix::from_element(1, 1, reader.number("gain", &b.gain)?)),
        Block::Sum(_) => summing_junction(&[1.0]),
        Block::Integrator(b) => return Ok((integrator(), vec![reader.number("initial", &b.initial)?])),
        Block::Lag(b) => {
            let time_constant =
                parameters
                    .checked(&b.time_constant, &place("time_constant"), "a time above 0 s", |value| value > 0.0)?;
            let system = lag(reader.number("gain", &b.gain)?, time_constant)
                .map_err(|error| numerical(place("time_constant"), &error))?;
            return Ok((system, vec![reader.number("initial", &b.initial)?]));
        }
        Block::TransferFunction(b) => TransferFunction {
            numerator: reader.vector("numerator", &b.numerator)?,
            denominator: reader.vector("denominator", &b.denominator)?,
        }
        .to_state_space(),
        Block::ZerosPolesGain(b) => ZerosPolesGain {
            zeros: roots(&reader, "zeros", &b.zeros)?,
            poles: roots(&reader, "poles", &b.poles)?,
            gain: reader.number("gain", &b.gain)?,
        }
        .to_state_space(),
        Block::StateSpace(b) => {
            let written = Written { a: &b.a, b: &b.b, c: &b.c, d: &b.d, initial: &b.initial };
            return reader.system(&written, b.inputs.len());
        }
    };
    let system = made.map_err(|error| numerical(place(""), &error))?;
    let start = vec![0.0; system.states()];
    Ok((system, start))
}

fn roots<P: Fn(&str) -> Location>(
    reader: &Reader<'_, P>,
    field: &str,
    roots: &[Root],
) -> Result<Vec<Complex<f64>>, Box<ModelError>> {
    let mut all = Vec::new();
    for (i, root) in roots.iter().enumerate() {
        let field = format!("{field}.{i}");
        match root {
            Root::Real(value) => all.push(Complex::new(reader.number(&field, value)?, 0.0)),
            Root::Pair(parts) => {
                let [re, im] = [&parts[0], &parts[1]].map(|part| reader.number(&field, part));
                let root = Complex::new(re?, im?);
                all.extend([root, root.conj()]);
            }
        }
    }
    Ok(all)
}

/// Round-off of a linear combination, relative to the sum of its terms.
const ROUND_OFF: f64 = 1e-12;

/// The signals in a linear combination of them, with their factors.
fn combination(
    expression: &Expression,
    signals: &[(String, Source)],
    parameters: &Parameters<'_>,
    location: &Location,
) -> Result<Vec<(Source, f64)>, Box<ModelError>> {
    let resolve = &mut |name: &str| {
        let signal = signals.iter().position(|(known, _)| known == name);
        signal.map(Binding::Slot).or_else(|| parameters.binding(name))
    };
    let program = expression.bind(resolve).map_err(|error| {
        let known = signals.iter().map(|(name, _)| name.as_str()).chain(parameters.names());
        let remedy = "a block takes in a linear combination of inputs and blocks by name, with parameters";
        fault(location.clone(), error.suggest(known).to_string(), remedy)
    })?;
    let (constant, factors) = linearized(&program, &vec![0.0; signals.len()]);
    if constant != 0.0 {
        let problem = format!("`{expression}` is {constant} where all signals are 0");
        let remedy = "write a linear combination of signals; a constant is an [[input]] with this value";
        return Err(fault(location.clone(), problem, remedy));
    }
    if !is_linear(&program, &factors, signals.len()) {
        let problem = format!("`{expression}` is not a linear combination of signals");
        return Err(fault(location.clone(), problem, "write one, as in \"reference - 2*position\""));
    }
    Ok(program.slots().iter().zip(factors).map(|(slot, factor)| (signals[*slot].1, factor)).collect())
}

/// Value and partial derivatives with respect to the slots of the program.
fn linearized(program: &Program, signals: &[f64]) -> (f64, Vec<f64>) {
    let mut factors = vec![0.0; program.slots().len()];
    let value = program.gradient(signals, &mut factors, &mut Stack::new(program.depth()));
    (value, factors)
}

/// Whether value and derivatives at scattered points are those of the linear combination.
fn is_linear(program: &Program, factors: &[f64], signals: usize) -> bool {
    let golden = 0.618_033_988_75;
    (1..=4).all(|point| {
        let scattered: Vec<f64> =
            (0..signals).map(|i| 2.0 * (((i + 1) * point) as f64 * golden).fract() - 1.0).collect();
        let (value, there) = linearized(program, &scattered);
        let terms = || program.slots().iter().zip(factors).map(|(slot, factor)| scattered[*slot] * factor);
        let (sum, size): (f64, f64) = (terms().sum(), terms().map(f64::abs).sum());
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= ROUND_OFF * b.abs();
        // A NaN is not linear.
        (value - sum).abs() <= ROUND_OFF * size && there.iter().zip(factors).all(same)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combine(text: &str) -> Result<Vec<f64>, String> {
        let mut diagram = Diagram::new();
        let signals: Vec<_> = ["a", "b"].map(|name| (name.to_owned(), Source::Input(diagram.add_input()))).into();
        let defined = [("k".to_owned(), Expression::constant(4.0))].into();
        let parameters = Parameters::new(&defined).unwrap();
        let expression = Expression::parse(text).unwrap();
        combination(&expression, &signals, &parameters, &at("block", 0, "x", "input"))
            .map(|wires| wires.into_iter().map(|(_, factor)| factor).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn combinations_are_linear_or_refused() {
        assert_eq!(combine("a - b").unwrap(), [1.0, -1.0]);
        assert_eq!(combine("-k*(0.5*b - a/2)").unwrap(), [2.0, -2.0]);
        assert!(combine("0").unwrap().is_empty());
        for (text, part) in [
            ("a + 3", "is 3 where"),
            ("a*b", "not a linear"),
            ("max(a, 0)", "not a linear"),
            ("abs(b)", "not a linear"),
            ("sin(a)", "not a linear"),
            ("a/b", "NaN"),
            ("a + c", "unknown name `c`"),
            ("time", "unknown name `time`"),
        ] {
            let message = combine(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
