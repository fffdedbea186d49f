//! A semi-linear system advanced step by step: state, history of F, start-up. No step allocates; its cost does not depend on the data.

use nalgebra::DMatrix;

use super::method::ExponentialMethod;
use super::tableau::{self, Stage};
use crate::error::{all_finite, fingerprint, length, positive};
use crate::stepper::panels::{Panels, ROWS, Row};
use crate::{Error, GMatrices};

/// Advances dx/dt = A x + F(t, x) by steps of h.
///
/// F is given to each step, so that it may borrow what has just been measured: it writes F(t, x) (n values) into its last argument. Multistep
/// methods begin with the Runge-Kutta method [`ExponentialMethod::startup`]; where its look-ahead is not possible in real time, give past
/// values with [`NonlinearStepper::set_history`]. After a jump of F call [`NonlinearStepper::restart`].
///
/// ```
/// use fourbar_lti::{ExponentialMethod, NonlinearStepper};
/// use nalgebra::dmatrix;
///
/// // A stiff lag that follows the logistic growth beside it: x' = x (1 - x), y' = -1e5 (y - x).
/// let a = dmatrix![1.0, 0.0; 1e5, -1e5];
/// let mut stepper = NonlinearStepper::new(&a, 0.01, ExponentialMethod::Adams { order: 4 })?;
/// stepper.set_state(&[0.1, 0.1])?;
/// for _ in 0..200 {
///     stepper.step(|_, x, f| (f[0], f[1]) = (-x[0] * x[0], 0.0))?;
/// }
/// let exact = 1.0 / (1.0 + 9.0 * (-2f64).exp());
/// assert!((stepper.state()[0] - exact).abs() < 1e-9);
/// assert!((stepper.state()[1] - exact).abs() < 1e-5);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NonlinearStepper {
    method: ExponentialMethod,
    step: f64,
    states: usize,
    /// The Runge-Kutta method, or the start-up of the multistep one.
    stages: Vec<Stage>,
    adams: Option<Adams>,
    state: NonlinearState,
    /// F at the stages of a Runge-Kutta step, one after the other.
    stage_slopes: Vec<f64>,
    /// Stages and the next state.
    result: Vec<Row>,
}

#[derive(Debug, Clone)]
struct Adams {
    order: usize,
    /// Nodes 0, -1, ..., 1-p.
    predictor: Panels,
    /// Nodes 1, 0, ..., 2-p.
    corrector: Option<Panels>,
}

/// Everything that changes as a [`NonlinearStepper`] advances; restoring it is exact.
#[derive(Debug, PartialEq)]
pub struct NonlinearState {
    /// Of the dimension, the step and the method.
    origin: u64,
    /// The first n values are x.
    x: Vec<Row>,
    /// F at theta = 1, 0, -1, ..., 1-p, n values each; between steps those from -1 on are known, counted from the next step.
    slopes: Vec<f64>,
    /// How many of them are known.
    filled: usize,
    /// The time from which the steps count \[s\].
    begin: f64,
    steps: u64,
}

impl Clone for NonlinearState {
    fn clone(&self) -> Self {
        Self { x: self.x.clone(), slopes: self.slopes.clone(), ..*self }
    }

    /// Into storage that is there already: allocates nothing where the dimensions agree.
    fn clone_from(&mut self, source: &Self) {
        self.x.clone_from(&source.x);
        self.slopes.clone_from(&source.slopes);
        let Self { origin, filled, begin, steps, .. } = *source;
        (self.origin, self.filled, self.begin, self.steps) = (origin, filled, begin, steps);
    }
}

impl NonlinearStepper {
    /// At t = 0 in the state 0; `a` n x n \[1/s\], `step` h \[s\].
    ///
    /// # Errors
    /// [`Error::NotPositive`] for the step, [`Error::OrderOutOfRange`], [`Error::Transition`] for a matrix that is not square or finite, or
    /// whose exponential overflows.
    pub fn new(a: &DMatrix<f64>, step: f64, method: ExponentialMethod) -> Result<Self, Error> {
        positive("step", step)?;
        method.check()?;
        let stages = tableau::stages(method.startup().unwrap_or(method), a, step)?;
        let adams = Adams::new(a, step, method)?;
        let (states, order) = (a.nrows(), adams.as_ref().map_or(0, |adams| adams.order));
        let rows = vec![[0.0; ROWS]; states.div_ceil(ROWS)];
        Ok(Self {
            method,
            step,
            states,
            stage_slopes: vec![0.0; stages.len() * states],
            stages,
            adams,
            result: rows.clone(),
            state: NonlinearState {
                origin: fingerprint(&[states], step, &method),
                x: rows,
                slopes: vec![0.0; (order + 1) * states],
                filled: 0,
                begin: 0.0,
                steps: 0,
            },
        })
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> ExponentialMethod {
        self.method
    }

    /// h \[s\].
    #[must_use]
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// The present time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.begin + self.state.steps as f64 * self.step
    }

    /// x, n values.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.state.x.as_flattened()[..self.states]
    }

    /// Puts the system into the state `x` (n values) and forgets the history of F, which belongs to another solution.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_state(&mut self, x: &[f64]) -> Result<(), Error> {
        length("state", x.len(), self.states)?;
        all_finite("state", x)?;
        self.state.x.as_flattened_mut()[..self.states].copy_from_slice(x);
        self.restart();
        Ok(())
    }

    /// Sets the clock to `t` \[s\]; state and history stay.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn set_time(&mut self, t: f64) -> Result<(), Error> {
        all_finite("time", [&t])?;
        (self.state.begin, self.state.steps) = (t, 0);
        Ok(())
    }

    /// Forgets the history of F: the next steps are those of a start.
    pub fn restart(&mut self) {
        self.state.filled = 0;
    }

    /// Past values of F that the method would need and does not have: as many steps will be made by the start-up method.
    #[must_use]
    pub fn missing_history(&self) -> usize {
        self.adams.as_ref().map_or(0, |adams| adams.order - 1 - self.state.filled)
    }

    /// Gives F at t - h, t - 2h, ..., as many as the order less one, n values each, so that no start-up is needed.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_history(&mut self, slopes: &[f64]) -> Result<(), Error> {
        let past = self.adams.as_ref().map_or(0, |adams| adams.order - 1);
        length("history", slopes.len(), past * self.states)?;
        all_finite("history", slopes)?;
        if past > 0 {
            self.state.slopes[2 * self.states..].copy_from_slice(slopes);
        }
        self.state.filled = past;
        Ok(())
    }

    /// A copy of everything that changes.
    #[must_use]
    pub fn save(&self) -> NonlinearState {
        self.state.clone()
    }

    /// The same into a state saved before: allocates nothing.
    ///
    /// # Errors
    /// [`Error::ForeignState`] as [`NonlinearStepper::restore`]: the state is then what it was.
    pub fn save_into(&self, saved: &mut NonlinearState) -> Result<(), Error> {
        self.check_own(saved)?;
        saved.clone_from(&self.state);
        Ok(())
    }

    /// Back to a saved state, exactly.
    ///
    /// # Errors
    /// [`Error::ForeignState`] when it is that of another dimension, step or method.
    pub fn restore(&mut self, saved: &NonlinearState) -> Result<(), Error> {
        self.check_own(saved)?;
        self.state.clone_from(saved);
        Ok(())
    }

    fn check_own(&self, saved: &NonlinearState) -> Result<(), Error> {
        let dimensions = |state: &NonlinearState| (state.x.len(), state.slopes.len());
        if saved.origin != self.state.origin || dimensions(saved) != dimensions(&self.state) {
            return Err(Error::ForeignState { saved: dimensions(saved), own: dimensions(&self.state) });
        }
        Ok(())
    }

    /// One step, F(t, x) written by `f(t, x, out)`.
    ///
    /// # Errors
    /// [`Error::Evaluation`] when F gives a value that is not finite, [`Error::NotFinite`] when the state overflows. The state is then that before
    /// the step.
    pub fn step(&mut self, mut f: impl FnMut(f64, &[f64], &mut [f64])) -> Result<(), Error> {
        let (n, t) = (self.states, self.time());
        if self.adams.is_some() && self.missing_history() == 0 {
            self.multistep(t, &mut f)?;
        } else {
            self.runge_kutta(t, &mut f)?;
            if self.adams.is_some() {
                self.state.slopes[n..2 * n].copy_from_slice(&self.stage_slopes[..n]);
            }
        }
        all_finite("state", &self.result.as_flattened()[..n])?;
        std::mem::swap(&mut self.state.x, &mut self.result);
        if let Some(adams) = &self.adams {
            self.state.slopes.copy_within(n..adams.order * n, 2 * n);
            self.state.filled = (self.state.filled + 1).min(adams.order - 1);
        }
        self.state.steps += 1;
        Ok(())
    }

    fn runge_kutta(&mut self, t: f64, f: &mut impl FnMut(f64, &[f64], &mut [f64])) -> Result<(), Error> {
        let (n, x) = (self.states, &self.state.x.as_flattened()[..self.states]);
        evaluate(f, t, x, &mut self.stage_slopes[..n])?;
        for (i, stage) in self.stages.iter().enumerate() {
            let slopes = n * stage.slopes.start..n * stage.slopes.end;
            stage.product.apply(x, &self.stage_slopes[slopes], &mut self.result);
            if i + 1 < self.stages.len() {
                let slope = &mut self.stage_slopes[(i + 1) * n..(i + 2) * n];
                evaluate(f, t + stage.c * self.step, &self.result.as_flattened()[..n], slope)?;
            }
        }
        Ok(())
    }

    fn multistep(&mut self, t: f64, f: &mut impl FnMut(f64, &[f64], &mut [f64])) -> Result<(), Error> {
        let Some(adams) = &self.adams else { return Ok(()) };
        let (n, order) = (self.states, adams.order);
        let x = &self.state.x.as_flattened()[..n];
        let slopes = &mut self.state.slopes;
        evaluate(f, t, x, &mut slopes[n..2 * n])?;
        adams.predictor.apply(x, &slopes[n..], &mut self.result);
        if let Some(corrector) = &adams.corrector {
            evaluate(f, t + self.step, &self.result.as_flattened()[..n], &mut slopes[..n])?;
            corrector.apply(x, &slopes[..order * n], &mut self.result);
        }
        Ok(())
    }
}

impl Adams {
    fn new(a: &DMatrix<f64>, step: f64, method: ExponentialMethod) -> Result<Option<Self>, Error> {
        let (order, corrected) = match method {
            ExponentialMethod::Adams { order } => (order, true),
            ExponentialMethod::AdamsRealTime { order } => (order, false),
            _ => return Ok(None),
        };
        let g = GMatrices::new(a, step, order - 1)?;
        let corrector = corrected.then(|| tableau::multistep(&g, 1, order));
        Ok(Some(Self { order, predictor: tableau::multistep(&g, 0, order), corrector }))
    }
}

/// F at one point, refused where it is not finite.
fn evaluate(f: &mut impl FnMut(f64, &[f64], &mut [f64]), t: f64, x: &[f64], slope: &mut [f64]) -> Result<(), Error> {
    f(t, x, slope);
    match slope.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(Error::Evaluation { t, index, value: slope[index] }),
        None => Ok(()),
    }
}
