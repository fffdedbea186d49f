//! Input signals as functions of time with their jumps and kinks.

use super::fault::{at, fault};
use crate::linear::{Input, LinearModel, SampledInput};
use fourbar_multibody::expression::{Binding, Changes, Program, Stack};
use fourbar_multibody::{Location, ModelError, Parameters, check_unit};
use std::f64::consts::TAU;

/// An input signal.
#[derive(Debug, Clone)]
pub(crate) enum Signal {
    /// A program of the time, slot 0.
    Program(Program),
    Step {
        time: f64,
        before: f64,
        after: f64,
    },
    Sine {
        amplitude: f64,
        omega: f64,
        phase: f64,
        offset: f64,
    },
    /// Times, which do not decrease, and values.
    Table(Vec<[f64; 2]>),
    /// The start value of an input from outside.
    Held(f64),
}

/// From which side a time is approached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The limit from below.
    Before,
    /// The value there; steps and tables are continuous from above.
    At,
    /// The limit from above.
    After,
}

impl Signal {
    /// How it changes; an external input as `inputs` says.
    pub(crate) fn changes(&self, inputs: Changes) -> Changes {
        match self {
            Self::Program(program) => program.changes(|_| Changes::Continuously),
            Self::Step { .. } => Changes::Stepwise,
            Self::Sine { .. } => Changes::Continuously,
            Self::Table(points) => {
                let steps = points.windows(2).all(|pair| pair[0][0] == pair[1][0] || pair[0][1] == pair[1][1]);
                if steps { Changes::Stepwise } else { Changes::Continuously }
            }
            Self::Held(_) => inputs,
        }
    }

    pub(crate) fn value(&self, time: f64, side: Side, stack: &mut Stack<f64>) -> f64 {
        match self {
            Self::Program(program) => {
                // An expression is evaluated, not differentiated: its limit is the value at the neighbouring number.
                let time = match side {
                    Side::Before => time.next_down(),
                    Side::At => time,
                    Side::After => time.next_up(),
                };
                program.evaluate(&[time], stack)
            }
            Self::Step { time: jump, before, after } => {
                let still_before = if side == Side::Before { time <= *jump } else { time < *jump };
                if still_before { *before } else { *after }
            }
            Self::Sine { amplitude, omega, phase, offset } => offset + amplitude * (omega * time + phase).sin(),
            Self::Held(value) => *value,
            Self::Table(points) => {
                let passed = |point: &[f64; 2]| if side == Side::Before { point[0] < time } else { point[0] <= time };
                interpolate(points, points.partition_point(passed), time)
            }
        }
    }
}

/// The line through the points on both sides of `time`, of which the first `passed` lie before it.
fn interpolate(points: &[[f64; 2]], passed: usize, time: f64) -> f64 {
    match (passed.checked_sub(1).map(|last| points[last]), points.get(passed).copied()) {
        (Some([t0, v0]), Some([t1, v1])) => v0 + (v1 - v0) * ((time - t0) / (t1 - t0)),
        (Some([_, value]), None) | (None, Some([_, value])) => value,
        (None, None) => f64::NAN,
    }
}

/// Reads the input signals.
pub(super) fn read(model: &LinearModel, parameters: &Parameters<'_>) -> Result<Vec<Signal>, Box<ModelError>> {
    let one = |(index, input): (usize, &Input)| {
        let field = |field: &str| at("input", index, input.name(), field);
        let number = |name: &str, expression| parameters.number(expression, &field(name));
        Ok(match input {
            Input::Expression(input) => {
                let bind = &mut |name: &str| match name {
                    "time" => Some(Binding::Slot(0)),
                    name => parameters.binding(name),
                };
                let program = input.value.bind(bind).map_err(|error| {
                    let error = error.suggest(parameters.names().chain(["time"]));
                    fault(field("value"), error.to_string(), "an input is an expression of `time` and parameters")
                })?;
                Signal::Program(program)
            }
            Input::Step(input) => Signal::Step {
                time: number("time", &input.time)?,
                before: number("before", &input.before)?,
                after: number("after", &input.after)?,
            },
            Input::Sine(input) => Signal::Sine {
                amplitude: number("amplitude", &input.amplitude)?,
                omega: TAU * number("frequency", &input.frequency)?,
                phase: number("phase", &input.phase)?,
                offset: number("offset", &input.offset)?,
            },
            Input::Table(input) => Signal::Table(table(input, parameters, &field)?),
            Input::External(input) => {
                check_unit(&input.unit, || field("unit"))?;
                Signal::Held(number("value", &input.start())?)
            }
        })
    };
    model.inputs.iter().enumerate().map(one).collect()
}

fn table(
    input: &SampledInput,
    parameters: &Parameters<'_>,
    field: &dyn Fn(&str) -> Location,
) -> Result<Vec<[f64; 2]>, Box<ModelError>> {
    if input.points.is_empty() {
        return Err(fault(field("points"), "the table has no points", "write at least one as [time, value]"));
    }
    let mut points: Vec<[f64; 2]> = Vec::with_capacity(input.points.len());
    for (i, [time, value]) in input.points.iter().enumerate() {
        let location = field(&format!("points.{i}.0"));
        let time = parameters.number(time, &location)?;
        if let Some([last, _]) = points.last()
            && time < *last
        {
            let problem = format!("the time {time} s of point {} follows {last} s", i + 1);
            return Err(fault(location, problem, "write the points in the order of time"));
        }
        points.push([time, parameters.number(value, &field(&format!("points.{i}.1")))?]);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(signal: &Signal, time: f64, side: Side) -> f64 {
        signal.value(time, side, &mut Stack::new(8))
    }

    #[test]
    fn jumps_have_two_sides() {
        let step = Signal::Step { time: 0.3, before: -1.0, after: 2.0 };
        let table = Signal::Table(vec![[0.0, 0.0], [0.3, 3.0], [0.3, 5.0], [1.3, 6.0]]);
        let sides = [Side::Before, Side::At, Side::After];
        assert_eq!(sides.map(|side| value(&step, 0.3, side)), [-1.0, 2.0, 2.0]);
        assert_eq!(sides.map(|side| value(&table, 0.3, side)), [3.0, 5.0, 5.0]);
        assert_eq!([-1.0, 0.15, 0.8, 9.0].map(|time| value(&table, time, Side::At)), [0.0, 1.5, 5.5, 6.0]);
        let untils = |signal: &Signal| [0.0, 0.3, 1.3].map(|from| signal.piece(from, 1e-9, 2.0).until);
        assert_eq!(untils(&step), [0.3, f64::INFINITY, f64::INFINITY]);
        assert_eq!(untils(&table), [0.3, 1.3, f64::INFINITY]);
        // Whichever of > and >= a person writes, the limits are the same.
        for text in ["if(time > 1, 7, 4)", "if(time >= 1, 7, 4)"] {
            let expression = fourbar_multibody::expression::Expression::parse(text).unwrap();
            let program = Signal::Program(expression.bind(&mut |_| Some(Binding::Slot(0))).unwrap());
            assert_eq!((value(&program, 1.0, Side::Before), value(&program, 1.0, Side::After)), (4.0, 7.0));
        }
    }

    #[test]
    fn a_sine_begins_with_its_phase() {
        let sine = Signal::Sine { amplitude: 2.0, omega: TAU, phase: TAU / 4.0, offset: 1.0 };
        assert!((value(&sine, 0.0, Side::At) - 3.0).abs() < 1e-15);
        assert!((value(&sine, 0.5, Side::At) + 1.0).abs() < 1e-15);
    }
}
