//! Whole signals in, whole trajectories out.

use crate::error::length;
use crate::{Error, Stepper};
use fourbar_linalg::Interrupt;

/// Multiplications from one look at the interrupt of the thread to the next: a millisecond, about.
const LOOK: usize = 1 << 20;

impl Stepper {
    /// Steps through sampled input: `samples` holds the samples of one step after the other as [`Stepper::step`] takes them,
    /// `outputs` receives q values a step. Without inputs the outputs alone say how many steps. Returns the number of steps.
    ///
    /// # Errors
    /// [`Error::Length`] when `samples` is not a whole number of steps or `outputs` does not fit it; [`Error::Interrupted`], between two steps,
    /// once what the thread watches is raised ([`Interrupt::watch`]); else as [`Stepper::step`], at the step that failed.
    pub fn run(&mut self, samples: &[f64], outputs: &mut [f64]) -> Result<usize, Error> {
        let per_step = self.samples_per_step();
        let q = self.system().outputs();
        let steps = samples.len().checked_div(per_step).or(outputs.len().checked_div(q)).unwrap_or(0);
        length("samples", samples.len(), steps * per_step)?;
        length("outputs", outputs.len(), steps * q)?;
        let every = 1 + LOOK / (1 + self.system().states().pow(2));
        for k in 0..steps {
            if k % every == 0 && Interrupt::thread_is_interrupted() {
                return Err(Error::Interrupted);
            }
            let y = &mut outputs[k * q..(k + 1) * q];
            self.step(&samples[k * per_step..(k + 1) * per_step], y)?;
        }
        Ok(steps)
    }
}

/// Steps `stepper` from the present on by `outputs.len() / q` steps under the input `input(t, u)`, which writes the m inputs at the
/// time t \[s\] into u, t being that of [`Stepper::time`]. `outputs` receives the q values of y
/// at the end of each step.
///
/// A history that is still empty is filled as the source does it: the first steps of a multistep method are made by the one-step
/// method of the same order.
///
/// ```
/// use fourbar_lti::{Method, StateSpace, Stepper, simulate};
/// use nalgebra::dmatrix;
///
/// let oscillator = StateSpace::new(dmatrix![0.0, 1.0; -4.0, 0.0], dmatrix![0.0; 1.0], dmatrix![1.0, 0.0], dmatrix![0.0])?;
/// let mut stepper = Stepper::new(&oscillator, 0.01, Method::Algorithm2 { order: 3 })?;
/// let mut y = [0.0; 100];
/// simulate(&mut stepper, |t, u| u[0] = t.sin(), &mut y)?;
/// let exact = 1f64.sin() / 3.0 - 2f64.sin() / 6.0;
/// assert!((y[99] - exact).abs() < 1e-9);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
///
/// # Errors
/// [`Error::Length`] when `outputs` is not a whole number of outputs; [`Error::NotFinite`] when the input is not finite;
/// [`Error::EmptyHistory`] when a method without a start-up method lacks its history.
pub fn simulate(
    stepper: &mut Stepper,
    mut input: impl FnMut(f64, &mut [f64]),
    outputs: &mut [f64],
) -> Result<(), Error> {
    let (m, q) = (stepper.system().inputs(), stepper.system().outputs());
    let steps = outputs.len() / q.max(1);
    length("outputs", outputs.len(), steps * q)?;
    let start = stepper.startup_offsets();
    let regular = stepper.sample_offsets();
    let mut u = vec![0.0; m * start.len().max(regular.len()).max(1)];
    if stepper.missing_history() > 0 && !stepper.knows_input() {
        input(stepper.time(), &mut u[..m]);
        stepper.set_input(&u[..m])?;
    }
    for y in outputs.chunks_exact_mut(q.max(1)) {
        let starting = stepper.missing_history() > 0;
        let offsets = if starting { &start } else { &regular };
        let t = stepper.time();
        for (&offset, u) in offsets.iter().zip(u.chunks_exact_mut(m.max(1))) {
            input(t + offset, u);
        }
        let u = &u[..m * offsets.len()];
        if starting {
            stepper.start_step(u, y)?;
        } else {
            stepper.step(u, y)?;
        }
    }
    Ok(())
}
