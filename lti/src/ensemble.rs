//! Many trajectories of one system at once: a step of all of them is one matrix-matrix product, which reads the transition matrix
//! once for several of them.

use crate::error::{all_finite, length};
use crate::stepper::panels::{self, ROWS, Row};
use crate::stepper::recurrence::{Recurrence, check_startup};
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
    /// Samples known of each trajectory, counted back from the newest.
    filled: usize,
    startup: Option<Startup>,
}

/// The one-step method that fills the histories of a multistep one, with its own storage as above.
#[derive(Debug, Clone)]
struct Startup {
    recurrence: Recurrence,
    z: Vec<f64>,
    samples: Vec<f64>,
    result: Vec<Row>,
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
            filled: 0,
            startup: None,
            recurrence,
            count,
        })
    }

    /// The same with a one-step method that starts a multistep one: [`Ensemble::start_step`] makes steps with it while
    /// [`Ensemble::missing_history`] is not 0.
    ///
    /// # Errors
    /// As [`Stepper::from_discretization`](crate::Stepper::from_discretization).
    pub fn with_startup(
        system: &StateSpace,
        discretization: &Discretization,
        startup: &Discretization,
        count: usize,
    ) -> Result<Self, Error> {
        check_startup(discretization, startup)?;
        let recurrence = Recurrence::new(system, startup)?;
        let startup = Startup {
            z: vec![0.0; recurrence.columns() * count],
            samples: vec![0.0; recurrence.samples() * count],
            result: vec![[0.0; ROWS]; recurrence.result_lines() * count],
            recurrence,
        };
        Ok(Self { startup: Some(startup), ..Self::new(system, discretization, count)? })
    }

    /// Samples of the past of each trajectory that are still missing before [`Ensemble::step`] may be called.
    #[must_use]
    pub fn missing_history(&self) -> usize {
        self.recurrence.retained.len().saturating_sub(self.filled)
    }

    /// The inputs at the present time are `u` (`count` times m values), and what came before is forgotten: at the beginning, and after
    /// a jump. A method that samples no ends of steps has no use for them.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_inputs(&mut self, u: &[f64]) -> Result<(), Error> {
        let m = self.recurrence.inputs;
        length("inputs", u.len(), m * self.count)?;
        all_finite("inputs", u)?;
        self.filled = 0;
        if let Some(end) = self.recurrence.end() {
            let (slot, line) = (self.recurrence.slot(end), self.recurrence.samples());
            for i in 0..self.count {
                self.samples[i * line..][slot.clone()].copy_from_slice(&u[i * m..(i + 1) * m]);
            }
            self.filled = 1;
        }
        Ok(())
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
        self.filled = self.recurrence.retained.len();
        Ok(())
    }

    /// One step of every trajectory: `u` holds the new samples of each as [`Stepper::step`](crate::Stepper::step) takes them, `y`
    /// receives the q outputs of each. Allocates nothing.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::NotFinite`]; [`Error::EmptyHistory`] before the histories are known. [`Error::Overflow`] when a state or output
    /// leaves the range of f64: the states then are those before the step, but not the histories.
    pub fn step(&mut self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        let missing = self.missing_history();
        let Self { recurrence, count, z, samples, result, .. } = self;
        check_step(recurrence, *count, u, y)?;
        if missing > 0 {
            return Err(Error::EmptyHistory { missing });
        }
        let (each, n) = (recurrence.samples_per_step(), recurrence.states);
        let (columns, line) = (recurrence.columns(), recurrence.samples());
        for i in 0..*count {
            let samples = &mut samples[i * line..(i + 1) * line];
            recurrence.advance(samples, &u[i * each..(i + 1) * each]);
            z[i * columns + n..(i + 1) * columns].copy_from_slice(recurrence.active(samples));
        }
        recurrence.apply_many(z, result);
        take_results(recurrence, result, [z, y], columns)?;
        self.filled += recurrence.nodes.len() - recurrence.retained.len();
        Ok(())
    }

    /// One step of every trajectory by the start-up method, while the histories fill; `u` holds the samples of each at the nodes of that
    /// method that are new in a step. A method that samples the ends of its steps needs [`Ensemble::set_inputs`] before the first. Without a
    /// start-up method this is [`Ensemble::step`].
    ///
    /// # Errors
    /// As [`Ensemble::step`].
    pub fn start_step(&mut self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        let Self { recurrence: main, count, z, samples, filled, startup: Some(startup), .. } = self else {
            return self.step(u, y);
        };
        let Startup { recurrence, z: start_z, samples: start_samples, result } = startup;
        check_step(recurrence, *count, u, y)?;
        if !recurrence.retained.is_empty() && *filled == 0 {
            return Err(Error::EmptyHistory { missing: 1 });
        }
        let (each, n) = (recurrence.samples_per_step(), recurrence.states);
        let (columns, line) = (recurrence.columns(), recurrence.samples());
        for i in 0..*count {
            let of_main = &mut samples[i * main.samples()..(i + 1) * main.samples()];
            let own = &mut start_samples[i * line..(i + 1) * line];
            main.start(recurrence, of_main, own, &u[i * each..(i + 1) * each]);
            let (x, inputs) = start_z[i * columns..(i + 1) * columns].split_at_mut(n);
            x.copy_from_slice(&z[i * main.columns()..][..n]);
            inputs.copy_from_slice(recurrence.active(own));
        }
        recurrence.apply_many(start_z, result);
        take_results(recurrence, result, [z, y], main.columns())?;
        *filled += 1;
        Ok(())
    }
}

fn check_step(recurrence: &Recurrence, count: usize, u: &[f64], y: &[f64]) -> Result<(), Error> {
    length("input samples", u.len(), recurrence.samples_per_step() * count)?;
    length("outputs", y.len(), recurrence.outputs * count)?;
    all_finite("input samples", u)
}

/// The states into `z`, `columns` apart, and the outputs into `y`.
fn take_results(recurrence: &Recurrence, result: &[Row], [z, y]: [&mut [f64]; 2], columns: usize) -> Result<(), Error> {
    if !panels::all_finite(result) {
        return Err(Error::Overflow { what: "next state or output of a trajectory" });
    }
    let (n, q) = (recurrence.states, recurrence.outputs);
    for (i, result) in result.chunks_exact(recurrence.result_lines().max(1)).enumerate() {
        z[i * columns..i * columns + n].copy_from_slice(&result.as_flattened()[..n]);
        y[i * q..(i + 1) * q].copy_from_slice(recurrence.outputs_of(result));
    }
    Ok(())
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

    /// Started by Algorithm 1, an ensemble goes the way of single steppers from its first step on.
    #[test]
    fn starts_as_single_steppers_do() {
        let a = nalgebra::dmatrix![-1.0, 4.0; -4.0, -1.0];
        let system = StateSpace::with_state_outputs(a, nalgebra::dmatrix![0.0; 1.0]).unwrap();
        for (method, starts) in
            [(Method::Algorithm2 { order: 3 }, true), (Method::Algorithm2RealTime { order: 2 }, false)]
        {
            let main = Discretization::new(&system, 0.1, method.clone()).unwrap();
            let start = Discretization::new(&system, 0.1, method.startup().unwrap()).unwrap();
            let mut ensemble = Ensemble::with_startup(&system, &main, &start, 2).unwrap();
            let mut single = Stepper::new(&system, 0.1, method).unwrap();
            let input = |t: f64| (3.0 * t).cos();
            if starts {
                ensemble.set_inputs(&[input(0.0); 2]).unwrap();
                single.set_input(&[input(0.0)]).unwrap();
            }
            let (mut y, mut own) = ([0.0; 4], [0.0; 2]);
            for _ in 0..8 {
                assert_eq!(ensemble.missing_history(), single.missing_history());
                let starting = single.missing_history() > 0;
                let offsets = if starting { single.startup_offsets() } else { single.sample_offsets() };
                let u: Vec<f64> = offsets.iter().map(|offset| input(single.time() + offset)).collect();
                let both = [&u[..], &u[..]].concat();
                if starting {
                    ensemble.start_step(&both, &mut y).unwrap();
                    single.start_step(&u, &mut own).unwrap();
                } else {
                    ensemble.step(&both, &mut y).unwrap();
                    single.step(&u, &mut own).unwrap();
                }
                assert!((0..4).all(|i| (y[i] - own[i % 2]).abs() < 1e-15), "{y:?} {own:?}");
            }
        }
    }
}
