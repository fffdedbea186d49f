//! A mechanism in motion, whatever follows it: what the partner asks of each method.

use fourbar_contact::event::Event;
use fourbar_dae::integrator::Statistics;
use fourbar_multibody::{Inputs, Mechanism, State};

use crate::function::{Failure, Snapshot};
use crate::partner::Passing;

/// A method at work on a mechanism.
pub(super) trait Motion: Send {
    /// Time reached \[s\].
    fn time(&self) -> f64;

    /// The inputs as polynomials about the present time: value, first and second derivative.
    fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Failure>;

    /// Goes on to the time `to` \[s\], and lets `passing` have all measured scalars on the way, in `values`.
    fn advance(&mut self, to: f64, passing: &mut Passing, values: &mut [f64]) -> Result<(), Failure>;

    /// Places and velocities now.
    fn state(&mut self) -> Result<State, Failure>;

    /// Begins anew at a state of a mechanism with the same bodies and joints, at `time` \[s\] as its partners count, with these inputs.
    fn begin_at(&mut self, state: &State, time: f64, polynomials: &[[f64; 3]]) -> Result<(), Failure>;

    /// All measured scalars now.
    fn sample(&mut self, values: &mut [f64]) -> Result<(), Failure>;

    /// Whether the rates of these measured scalars are known.
    fn knows_rates(&mut self, _chosen: &[usize]) -> bool {
        false
    }

    /// Rates of all measured scalars now, NaN where not known.
    fn sample_rates(&mut self, _rates: &mut [f64]) -> Result<(), Failure> {
        Err(Failure::Unsupported("derivatives of outputs"))
    }

    /// Forces and torques of these constraint sets now, six numbers each.
    fn wrenches(&mut self, _sets: &[(usize, String)], _values: &mut [f64]) -> Result<(), Failure> {
        Err(Failure::Unsupported("reactions as outputs"))
    }

    /// What the integrator spent, if there is one.
    fn statistics(&self) -> Option<&Statistics>;

    /// What contacts did in the last communication step, where it is followed event by event.
    fn events(&self) -> &[Event] {
        &[]
    }

    /// What a reader of the results should know of the motion so far.
    fn warnings(&self) -> Vec<String>;

    /// Saves everything on which the further motion depends.
    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure>;

    /// Appends the bytes of a checkpoint.
    fn store(&self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure>;

    /// Makes a checkpoint of what [`Motion::store`] wrote.
    fn load(&self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure>;

    /// Returns to a checkpoint, exactly.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure>;
}

/// An error of a method in its own words.
pub(super) fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

/// A state of `mechanism` near to this one, which may be that of another one with other masses, under these inputs.
pub(super) fn consistent(mechanism: &Mechanism, state: &State, polynomials: &[[f64; 3]]) -> Result<State, Failure> {
    let mut inputs = Inputs::start(mechanism);
    inputs.set(mechanism, state.time, polynomials.iter().copied()).map_err(failure)?;
    mechanism.consistent(state, &inputs).map_err(failure)
}

/// Lets `passing` have what was sampled at a time within a step. What could not be sampled there is no fault of the run: it is NaN.
pub(super) fn look<E>(sampled: Result<(), E>, time: f64, passing: &mut Passing, values: &mut [f64]) {
    if sampled.is_err() {
        values.fill(f64::NAN);
    }
    passing.note(time, values);
}
