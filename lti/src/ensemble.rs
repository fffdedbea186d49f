//! Many trajectories of one system at once: a step of all of them is one matrix-matrix product, which reads the transition matrix
//! once for several of them.

use crate::error::{all_finite, length};
use crate::stepper::panels::{ROWS, Row};
use crate::stepper::recurrence::Recurrence;
use crate::{Discretization, Error, StateSpace};

/// `count` trajectories of one system, each with its own state and input.
///
/// Arrays over trajectories hold all values of the first one, then all of the second, and so on.
#[derive(Debug, Clone)]
pub struct Ensemble {
    recurrence: Recurrence,
    count: usize,
    /// [x; samples] of each trajectory, as the matrix multiplies them.
    z: Vec<f64>,
    /// The delay line of each trajectory.
    samples: Vec<f64>,
    result: Vec<Row>,
    history_known: bool,
}

impl Ensemble {
    /// `count` trajectories in the state 0 with an empty input history.
    ///
    /// # Errors
    /// [`Error::MatrixShape`] when the discretization is not that of the system.
    pub fn new(system: &StateSpace, discretization: &Discretization, count: usize) -> Result<Self, Error> {
        let recurrence = Recurrence::new(system, discretization)?;
        Ok(Self {
            z: vec![0.0; recurrence.columns() * count],
            samples: vec![0.0; recurrence.samples() * count],
            result: vec![[0.0; ROWS]; recurrence.result_lines() * count],
            history_known: recurrence.retained.is_empty(),
            recurrence,
            count,
        })
    }

    /// Number of trajectories.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The state of trajectory `i`, n values; None beyond the last.
    #[must_use]
    pub fn state(&self, i: usize) -> Option<&[f64]> {
        let z = self.z.chunks_exact(self.recurrence.columns().max(1)).nth(i)?;
        Some(&z[..self.recurrence.states])
    }

    /// Puts the trajectories into the states `x` (`count` times n values).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_states(&mut self, x: &[f64]) -> Result<(), Error> {
        let n = self.recurrence.states;
        length("states", x.len(), n * self.count)?;
        all_finite("states", x)?;
        for i in 0..self.count {
            let at = i * self.recurrence.columns();
            self.z[at..at + n].copy_from_slice(&x[i * n..(i + 1) * n]);
        }
        Ok(())
    }

    /// The samples of the past that the first step needs: of each trajectory, oldest first, m values each (none for the families
    /// that remember no sample, one, u(t_0), for Algorithm 1).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_history(&mut self, samples: &[f64]) -> Result<(), Error> {
        let Self { recurrence, samples: lines, .. } = self;
        let m = recurrence.inputs;
        let each = m * recurrence.retained.len();
        length("input histories", samples.len(), each * self.count)?;
        all_finite("input histories", samples)?;
        for i in 0..self.count {
            let line = &mut lines[i * recurrence.samples()..(i + 1) * recurrence.samples()];
            for (j, &(_, from)) in recurrence.retained.iter().enumerate() {
                let at = i * each + j * m;
                line[recurrence.slot(from)].copy_from_slice(&samples[at..at + m]);
            }
        }
        self.history_known = true;
        Ok(())
    }

    /// One step of every trajectory: `u` holds the new samples of each as [`Stepper::step`](crate::Stepper::step) takes them, `y`
    /// receives the q outputs of each. Allocates nothing.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::NotFinite`]; [`Error::EmptyHistory`] before [`Ensemble::set_history`].
    pub fn step(&mut self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        let Self { recurrence, count, z, samples, result, history_known } = self;
        let each = recurrence.samples_per_step();
        let (n, q) = (recurrence.states, recurrence.outputs);
        length("input samples", u.len(), each * *count)?;
        length("outputs", y.len(), q * *count)?;
        all_finite("input samples", u)?;
        if !*history_known {
            return Err(Error::EmptyHistory { missing: recurrence.retained.len() });
        }
        let (columns, line) = (recurrence.columns(), recurrence.samples());
        for i in 0..*count {
            let samples = &mut samples[i * line..(i + 1) * line];
            recurrence.advance(samples, &u[i * each..(i + 1) * each]);
            z[i * columns + n..(i + 1) * columns].copy_from_slice(recurrence.active(samples));
        }
        recurrence.apply_many(z, result);
        let lines = recurrence.result_lines();
        for i in 0..*count {
            let result = &result[i * lines..(i + 1) * lines];
            z[i * columns..i * columns + n].copy_from_slice(&result.as_flattened()[..n]);
            y[i * q..(i + 1) * q].copy_from_slice(recurrence.outputs_of(result));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;
    use crate::{Method, Stepper};

    #[test]
    fn trajectories_equal_those_of_single_steppers() {
        let a = DMatrix::from_fn(11, 11, |i, j| if i == j { -3.0 } else { ((i * 5 + j * 3) % 7) as f64 / 7.0 - 0.5 });
        let b = DMatrix::from_fn(11, 2, |i, j| (i + j) as f64 / 10.0);
        let c = DMatrix::from_fn(3, 11, |i, j| f64::from(i == j));
        let system = StateSpace::new(a, b, c, DMatrix::from_element(3, 2, 0.5)).unwrap();
        let method = Method::Algorithm2 { order: 2 };
        let discretization = Discretization::new(&system, 0.1, method.clone()).unwrap();
        let count = 8;
        let value = |i: usize, k: usize| ((i * 13 + k * 7) % 10) as f64 - 4.5;
        let mut ensemble = Ensemble::new(&system, &discretization, count).unwrap();
        let history: Vec<f64> = (0..count * 4).map(|k| value(k, 1)).collect();
        assert!(matches!(
            ensemble.step(&vec![0.0; 2 * count], &mut vec![0.0; 3 * count]),
            Err(Error::EmptyHistory { .. })
        ));
        ensemble.set_history(&history).unwrap();
        let states: Vec<f64> = (0..count * 11).map(|k| value(k, 2)).collect();
        ensemble.set_states(&states).unwrap();
        let mut singles: Vec<Stepper> =
            (0..count).map(|_| Stepper::new(&system, 0.1, method.clone()).unwrap()).collect();
        for (i, single) in singles.iter_mut().enumerate() {
            single.set_history(&history[4 * i..4 * i + 4]).unwrap();
            single.set_state(&states[11 * i..11 * i + 11]).unwrap();
        }
        let mut y = vec![0.0; 3 * count];
        for k in 0..5 {
            let u: Vec<f64> = (0..2 * count).map(|i| value(i, k)).collect();
            ensemble.step(&u, &mut y).unwrap();
            for (i, single) in singles.iter_mut().enumerate() {
                let mut own = [0.0; 3];
                single.step(&u[2 * i..2 * i + 2], &mut own).unwrap();
                for (a, b) in own.iter().zip(&y[3 * i..3 * i + 3]) {
                    assert!((a - b).abs() < 1e-13, "{a} {b}");
                }
            }
        }
        assert_eq!(ensemble.count(), count);
        assert!(ensemble.state(count).is_none());
    }
}
