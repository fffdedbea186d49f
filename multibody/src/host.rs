//! Functions of the program around a mechanism, which compute forces and motions in place of the expressions of the model.
//!
//! ```
//! use fourbar_multibody::host::{ForceFunction, HostForce, HostFunctions, Refusal};
//! use std::sync::Arc;
//!
//! /// A bumper: f = c max(0, -x)^2, of the measure `x`.
//! #[derive(Debug)]
//! struct Bumper(f64);
//!
//! impl ForceFunction for Bumper {
//!     fn value(&self, _time: f64, arguments: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
//!         value[0] = self.0 * arguments[0].min(0.0).powi(2);
//!         Ok(())
//!     }
//! }
//!
//! let mut functions = HostFunctions::default();
//! let bumper = HostForce { arguments: vec!["x".into()], function: Arc::new(Bumper(1e6)) };
//! functions.forces.insert("bumper".into(), bumper);
//! // Mechanism::compile_with(&model, &functions)? takes it for the force "bumper" of the model.
//! ```

use crate::dae::EvalError;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// Why a function gives no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The point lies outside of its domain; a smaller step may avoid it.
    Recoverable(String),
    /// The run must stop.
    Fatal(String),
}

impl Refusal {
    /// The refusal with who refused and when.
    #[must_use]
    pub fn of(self, element: String, time: f64) -> EvalError {
        match self {
            Self::Recoverable(reason) => EvalError::Recoverable { element, time, reason },
            Self::Fatal(reason) => EvalError::Fatal { element, time, reason },
        }
    }
}

/// A force or torque of time and of measures and inputs of the model. Threads that share a mechanism call it at the same time.
pub trait ForceFunction: Debug + Send + Sync {
    /// Writes the force at `time` \[s\] to `value`: one number for a line force or an axial torque, six for a gforce (the force,
    /// then the torque), else three [N, N m]. `arguments` are those of [`HostForce::arguments`].
    ///
    /// # Errors
    /// [`Refusal`]; a value that is not finite counts as a recoverable one.
    fn value(&self, time: f64, arguments: &[f64], value: &mut [f64]) -> Result<(), Refusal>;

    /// Writes the partial derivatives by the arguments, the components of the force running fastest, and returns true; or returns
    /// false where it has none: they are differenced then, which costs two values an argument and half of the digits.
    ///
    /// # Errors
    /// As [`ForceFunction::value`].
    fn partials(&self, _time: f64, _arguments: &[f64], _partials: &mut [f64]) -> Result<bool, Refusal> {
        Ok(false)
    }
}

/// A motion of time. Threads that share a mechanism call it at the same time.
pub trait MotionFunction: Debug + Send + Sync {
    /// What the motion prescribes at `time` \[s\] (displacement, velocity or acceleration, as the model says) and its first and second
    /// derivative with respect to time.
    ///
    /// # Errors
    /// [`Refusal`]; what is not finite counts as a recoverable one. Runs end where no smaller step avoids it.
    fn value(&self, time: f64) -> Result<[f64; 3], Refusal>;
}

/// The function of a force, and what it depends on.
#[derive(Debug, Clone)]
pub struct HostForce {
    /// Names of measured scalars and inputs of the model, as expressions use them.
    pub arguments: Vec<String>,
    /// The function.
    pub function: Arc<dyn ForceFunction>,
}

/// Functions by the names of the forces (line forces, axial torques, forces and torques with three components) and motions of a model
/// that they compute; the expressions of these are not used.
#[derive(Debug, Clone, Default)]
pub struct HostFunctions {
    /// Of forces.
    pub forces: BTreeMap<String, HostForce>,
    /// Of motions.
    pub motions: BTreeMap<String, Arc<dyn MotionFunction>>,
}

/// A compiled host force: `count` values from `first` on among those of the programs, of the numbers in `slots`.
#[derive(Debug, Clone)]
pub(crate) struct HostElement {
    pub owner: String,
    pub first: usize,
    pub count: usize,
    pub slots: Vec<usize>,
    pub function: Arc<dyn ForceFunction>,
}

impl HostElement {
    /// The force where its arguments are `arguments`, into `value`.
    pub(crate) fn evaluate(&self, time: f64, arguments: &[f64], value: &mut [f64]) -> Result<(), EvalError> {
        self.checked(time, self.function.value(time, arguments, value).map(|()| &*value))
    }

    /// Its partial derivatives, the components running fastest; central differences where the function gives none.
    pub(crate) fn linearize(&self, time: f64, arguments: &mut [f64], partials: &mut [f64]) -> Result<(), EvalError> {
        match self.function.partials(time, arguments, partials) {
            Ok(true) => return self.checked(time, Ok(partials)),
            Ok(false) => {}
            Err(refusal) => return self.checked(time, Err(refusal)),
        }
        // A force, or a force and a torque.
        let mut after = [0.0; 6];
        for (k, partials) in partials.chunks_exact_mut(self.count).enumerate() {
            let at = arguments[k];
            let step = f64::EPSILON.cbrt() * at.abs().max(SMALL);
            let (left, right) = (at - step, at + step);
            arguments[k] = right;
            self.evaluate(time, arguments, &mut after[..self.count])?;
            arguments[k] = left;
            let before = self.evaluate(time, arguments, partials);
            arguments[k] = at;
            before?;
            for (partial, after) in partials.iter_mut().zip(after) {
                *partial = (after - *partial) / (right - left);
            }
        }
        Ok(())
    }

    fn checked(&self, time: f64, values: Result<&[f64], Refusal>) -> Result<(), EvalError> {
        let refusal = match values {
            Ok(values) => match values.iter().find(|value| !value.is_finite()) {
                None => return Ok(()),
                Some(value) => Refusal::Recoverable(format!("its function gives {value}")),
            },
            Err(refusal) => refusal,
        };
        Err(refusal.of(format!("force \"{}\"", self.owner), time))
    }
}

/// Size up to which an argument is small for differences [m, m/s, rad, ..].
const SMALL: f64 = 1e-3;
