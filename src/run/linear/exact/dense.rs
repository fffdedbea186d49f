//! Steps of a system of dense matrices with generated inputs.

use super::super::forcing::Layout;
use super::super::rows::Rows;
use super::parts::{Length, MOST_PARTS_KNOWN};
use fourbar_lti::{Discretization, Error, StateSpace, Stepper};
use nalgebra::DMatrix;

/// Sets of matrices kept for inputs that change their shape to and fro.
const MOST_SETS: usize = 8;

/// The state, its estimated error, and the matrices of the steps taken so far.
#[derive(Debug, Clone)]
pub(super) struct Dense {
    system: StateSpace,
    x: Vec<f64>,
    error: Vec<f64>,
    /// The latest used last.
    sets: Vec<Set>,
}

/// Steppers for one layout of the inputs.
#[derive(Debug, Clone)]
struct Set {
    layout: Layout,
    /// Of equal steps, by halvings.
    whole: Vec<Option<Stepper>>,
    /// Of parts of equal steps, the latest used last: the length of the part \[s\], and its steppers by halvings.
    parts: Vec<(f64, Vec<Option<Stepper>>)>,
}

impl Dense {
    pub(super) fn new(system: &StateSpace, initial: &[f64]) -> Self {
        Self { system: system.clone(), x: initial.to_vec(), error: vec![0.0; initial.len()], sets: Vec::new() }
    }

    pub(super) fn rows(&self) -> usize {
        self.system.outputs()
    }

    /// Makes the matrices of a step.
    pub(super) fn prepare(&mut self, length: Length, layout: &Layout) -> Result<(), Error> {
        stepper(&mut self.sets, &self.system, length, layout).map(drop)
    }

    /// x <- e^{Ah} x + Gamma v, and the same for the estimated error.
    pub(super) fn step(
        &mut self,
        length: Length,
        layout: &Layout,
        v: &[f64],
        error: Option<&[f64]>,
    ) -> Result<(), Error> {
        let Self { system, x, error: state_error, sets } = self;
        let stepper = stepper(sets, system, length, layout)?;
        stepper.set_state(x)?;
        stepper.step(v, &mut [])?;
        x.copy_from_slice(stepper.state());
        if let Some(error) = error {
            stepper.set_state(state_error)?;
            stepper.step(error, &mut [])?;
            state_error.copy_from_slice(stepper.state());
        }
        Ok(())
    }

    /// The state and its estimated error.
    pub(super) fn states(&mut self) -> [&mut Vec<f64>; 2] {
        [&mut self.x, &mut self.error]
    }

    pub(super) fn outputs(&self, u: &[f64], rows: &mut Rows) {
        let (c, d) = (self.system.c(), self.system.d());
        for i in 0..self.rows() {
            let dot =
                |row: &DMatrix<f64>, vector: &[f64]| row.row(i).iter().zip(vector).map(|(c, x)| c * x).sum::<f64>();
            let size = |row: &DMatrix<f64>, vector: &[f64]| {
                row.row(i).iter().zip(vector).map(|(c, x)| (c * x).abs()).sum::<f64>()
            };
            rows.values[i] = dot(c, &self.x) + dot(d, u);
            rows.errors[i] = dot(c, &self.error);
            rows.terms[i] = size(c, &self.x) + size(d, u);
        }
    }
}

/// The stepper for a layout and a length, made where it is new.
fn stepper<'a>(
    sets: &'a mut Vec<Set>,
    system: &StateSpace,
    length: Length,
    layout: &Layout,
) -> Result<&'a mut Stepper, Error> {
    let set = match sets.iter().position(|set| set.layout == *layout) {
        Some(index) => sets.remove(index),
        None => {
            if sets.len() == MOST_SETS {
                sets.remove(0);
            }
            Set { layout: layout.clone(), whole: Vec::new(), parts: Vec::new() }
        }
    };
    sets.push(set);
    let last = sets.len() - 1;
    let set = &mut sets[last];
    let index = length.halvings as usize;
    let steppers = if length.whole { &mut set.whole } else { part(&mut set.parts, length) };
    if steppers.len() <= index {
        steppers.resize(index + 1, None);
    }
    let slot = &mut steppers[index];
    if slot.is_none() {
        *slot = Some(make(system, length.seconds, layout)?);
    }
    slot.as_mut().ok_or(Error::EmptyHistory { missing: 0 })
}

/// The steppers for parts of a length.
fn part(parts: &mut Vec<(f64, Vec<Option<Stepper>>)>, length: Length) -> &mut Vec<Option<Stepper>> {
    let seconds = length.seconds * f64::from(1u32 << length.halvings);
    let found = match parts.iter().position(|(known, _)| *known == seconds) {
        Some(index) => parts.remove(index),
        None => {
            if parts.len() == MOST_PARTS_KNOWN {
                parts.remove(0);
            }
            (seconds, Vec::new())
        }
    };
    parts.push(found);
    let last = parts.len() - 1;
    &mut parts[last].1
}

fn make(system: &StateSpace, step: f64, layout: &Layout) -> Result<Stepper, Error> {
    let discretization = Discretization::generated(system, &layout.generators, step)?;
    let (n, r) = discretization.input_matrix(0).shape();
    let alone = StateSpace::new(system.a().clone(), DMatrix::zeros(n, r), DMatrix::zeros(0, n), DMatrix::zeros(0, r))?;
    Stepper::from_discretization(&alone, &discretization, None)
}
