//! Lengths and angles that may be functions of time.

use fourbar_multibody::expression::{Expression, Program, Stack};
use fourbar_multibody::{Location, ModelError, Names};
use num_dual::Dual2_64;

/// f(t) with its derivatives.
#[derive(Debug, Clone)]
pub(super) enum Moving {
    /// The same at all times.
    Fixed(f64),
    /// A program of time.
    Program(Program),
}

impl Moving {
    /// Reads an expression over `time`; what it gives at t = 0 must be `allowed`.
    pub(super) fn read(
        names: &Names<'_>,
        expression: &Expression,
        location: &Location,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<Self, Box<ModelError>> {
        let program = names.program(expression, "time", location)?;
        let moving = program.is_constant().map_or_else(|| Self::Program(program), Self::Fixed);
        let start = moving.at(0.0, &mut Stack::new(0));
        if start.iter().any(|v| !v.is_finite()) {
            let [f, rate, second] = start;
            return Err(ModelError::new(
                location.clone(),
                format!("at t = 0 `{expression}` is {f} with the rates {rate} and {second}"),
                "write an expression with finite value and derivatives",
            ));
        }
        if holds(start[0]) {
            return Ok(moving);
        }
        Err(ModelError::new(
            location.clone(),
            format!("the value at t = 0 is {}", start[0]),
            format!("it must be {allowed}"),
        ))
    }

    /// (f, f', f'') at `t`.
    #[inline]
    pub(super) fn at(&self, t: f64, stack: &mut Stack<Dual2_64>) -> [f64; 3] {
        match self {
            Self::Fixed(value) => [*value, 0.0, 0.0],
            Self::Program(program) => program.time_derivatives(t, stack),
        }
    }

    /// (f, f', f'') at `t`; refuses what its expression gives no value or rate, on which gaps and impacts depend.
    #[inline]
    pub(super) fn defined(&self, what: &str, t: f64, stack: &mut Stack<Dual2_64>) -> Result<[f64; 3], String> {
        let [f, rate, second] = self.at(t, stack);
        if f.is_finite() && rate.is_finite() {
            return Ok([f, rate, second]);
        }
        let remedy = "write an expression that is finite with its rate, or end the motion before";
        Err(format!("its `{what}` is {f} with the rate {rate}; {remedy}"))
    }
}
