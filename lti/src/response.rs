//! Responses over time at equal distances: to a step, an impulse and a start state, exact at their samples.

use nalgebra::DMatrix;

use crate::error::{all_finite, length, positive};
use crate::{Error, GMatrices, StateSpace};

/// Outputs at the times 0, T, 2 T, ....
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    times: Vec<f64>,
    values: Vec<DMatrix<f64>>,
}

impl Response {
    /// The times \[s\].
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The outputs at each time: q rows; a column for each input, or one for a start state.
    #[must_use]
    pub fn values(&self) -> &[DMatrix<f64>] {
        &self.values
    }
}

impl StateSpace {
    /// The outputs after a step of each input from 0 to 1 at t = 0, the state being 0 there: C G_0(t) B + D at the times 0, T, ..., `samples` T with
    /// T = `step` \[s\]; q x m each.
    ///
    /// ```
    /// use fourbar_lti::lag;
    ///
    /// let response = lag(1.0, 0.5)?.step_response(0.1, 20)?;
    /// assert!((response.values()[5][0] - (1.0 - (-1f64).exp())).abs() < 1e-15);
    /// # Ok::<(), fourbar_lti::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotPositive`] for the step; [`Error::Transition`] and [`Error::Overflow`] where the response leaves the range of f64.
    pub fn step_response(&self, step: f64, samples: usize) -> Result<Response, Error> {
        let g = self.over(step)?;
        let input = g.g(0) * self.b();
        let start = DMatrix::zeros(self.states(), self.inputs());
        self.at_samples(step, samples, start, |x| g.exp() * x + &input, Some(self.d()))
    }

    /// What follows an impulse of each input, delta(t) \[1/s\]: C e^{At} B at the times 0, T, ..., `samples` T; q x m each. The first value is the limit
    /// from the right; the part D delta(t) is no number and left out.
    ///
    /// # Errors
    /// As [`StateSpace::step_response`].
    pub fn impulse_response(&self, step: f64, samples: usize) -> Result<Response, Error> {
        let g = self.over(step)?;
        self.at_samples(step, samples, self.b().clone(), |x| g.exp() * x, None)
    }

    /// The outputs that a start state `x` (n values) leaves without input: C e^{At} x at the times 0, T, ..., `samples` T; q x 1 each.
    ///
    /// # Errors
    /// As [`StateSpace::step_response`]; [`Error::Length`] and [`Error::NotFinite`] for the state.
    pub fn initial_response(&self, x: &[f64], step: f64, samples: usize) -> Result<Response, Error> {
        length("start state", x.len(), self.states())?;
        all_finite("start state", x)?;
        let g = self.over(step)?;
        self.at_samples(step, samples, DMatrix::from_column_slice(x.len(), 1, x), |x| g.exp() * x, None)
    }

    fn over(&self, step: f64) -> Result<GMatrices, Error> {
        positive("step", step)?;
        Ok(GMatrices::new(self.a(), step, 0)?)
    }

    /// C x + D, x going from one time to the next by `advance`.
    fn at_samples(
        &self,
        step: f64,
        samples: usize,
        mut x: DMatrix<f64>,
        advance: impl Fn(&DMatrix<f64>) -> DMatrix<f64>,
        d: Option<&DMatrix<f64>>,
    ) -> Result<Response, Error> {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for k in 0..=samples {
            if k > 0 {
                x = advance(&x);
            }
            let mut y = self.c() * &x;
            if let Some(d) = d {
                y += d;
            }
            if !y.iter().chain(&x).all(|value| value.is_finite()) {
                return Err(Error::Overflow { what: "response" });
            }
            times.push(k as f64 * step);
            values.push(y);
        }
        Ok(Response { times, values })
    }
}
