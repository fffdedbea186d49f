//! Steps that are exact for inputs that are sums of exponentials, whatever their rates are; the other inputs are interpolated, and what that
//! leaves out is carried along as an estimated error of the state.

mod dense;
mod interpolation;
mod partition;
mod parts;
mod sparse;

use super::forcing::{Layout, Sampling};
use super::grid::Grid;
use super::inputs::Inputs;
use super::rows::Rows;
use crate::linear::{Equations, Stepping};
use crate::run::schedule::Interval;
use dense::Dense;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_lti::{Error, KrylovEffort, Method};
use interpolation::{FURTHER, Interpolation};
use partition::Partition;
use parts::{Length, Parts};
use sparse::Sparse;

/// The state and its estimated error, and what carries them.
#[derive(Debug, Clone)]
pub(crate) struct Exact {
    carrier: Carrier,
    /// The state and its estimated error before the last step.
    before: [Vec<f64>; 2],
    interpolation: Interpolation,
    /// Whether steps are halved until the interpolation is within its tolerance.
    adaptive: bool,
    partition: Partition,
    /// Halvings with which the next step begins.
    halvings: u32,
    /// Whether there is an estimated error to be carried.
    erring: bool,
    parts: Parts,
    /// What the inputs are, and since which change of theirs and for which length of step \[s\] that holds.
    layout: Layout,
    layout_of: Option<(u64, f64)>,
    /// What a step takes, and what its estimated error takes.
    coefficients: [Vec<f64>; 2],
    pub(super) steps: u64,
    /// Of the parts of equal steps, the shortest \[s\].
    pub(super) shortest: f64,
}

#[derive(Debug, Clone)]
enum Carrier {
    Dense(Box<Dense>),
    Sparse(Box<Sparse>),
}

impl Carrier {
    fn states(&mut self) -> [&mut Vec<f64>; 2] {
        match self {
            Self::Dense(dense) => dense.states(),
            Self::Sparse(sparse) => sparse.states(),
        }
    }

    fn save(&mut self, states: &mut [Vec<f64>; 2]) {
        states.iter_mut().zip(self.states()).for_each(|(to, from)| to.clone_from(from));
    }

    fn restore(&mut self, states: &[Vec<f64>; 2]) {
        self.states().into_iter().zip(states).for_each(|(to, from)| to.clone_from(from));
    }
}

/// What [`Exact::save`] keeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExactPoint {
    states: [Vec<f64>; 2],
    erring: bool,
    halvings: u32,
    interpolation: (u64, Vec<f64>),
    parts: Parts,
}

#[cfg(feature = "fmi")]
impl ExactPoint {
    /// The state of the system.
    pub(crate) fn state(&self) -> &[f64] {
        &self.states[0]
    }
}

impl Stored for ExactPoint {
    fn store(&self, to: &mut Vec<u8>) {
        self.states.store(to);
        self.erring.store(to);
        self.halvings.store(to);
        self.interpolation.0.store(to);
        store_list(&self.interpolation.1, to);
        self.parts.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.states.load(from)?;
        self.erring.load(from)?;
        self.halvings.load(from)?;
        self.interpolation.0.load(from)?;
        // There are none before the first input was interpolated.
        from.list(&mut self.interpolation.1)?;
        self.parts.load(from)
    }
}

impl Exact {
    /// In the state `initial`; steps are adapted to the tolerance of the interpolation if there is one.
    pub(crate) fn new(
        equations: &Equations,
        initial: &[f64],
        grid: Grid,
        adapt_to: Option<f64>,
        stepping: &Stepping,
    ) -> Result<Self, Error> {
        let carrier = match equations {
            Equations::Dense(system) => Carrier::Dense(Box::new(Dense::new(system, initial))),
            Equations::Sparse(system) => Carrier::Sparse(Box::new(Sparse::new(system, initial, grid, stepping)?)),
        };
        // Krylov projections take polynomials up to a degree, and what the interpolation leaves out is of higher ones.
        let beyond = if matches!(carrier, Carrier::Sparse(_)) { FURTHER[1] } else { 0 };
        let highest = Method::MAX_ORDER - beyond;
        Ok(Self::of_carrier(carrier, stepping.interpolation_order().min(highest), adapt_to))
    }

    fn of_carrier(carrier: Carrier, order: usize, adapt_to: Option<f64>) -> Self {
        Self {
            carrier,
            before: [Vec::new(), Vec::new()],
            interpolation: Interpolation::new(order, adapt_to.unwrap_or(f64::INFINITY)),
            adaptive: adapt_to.is_some(),
            partition: Partition::default(),
            halvings: 0,
            erring: false,
            parts: Parts::default(),
            layout: Layout::default(),
            layout_of: None,
            coefficients: [Vec::new(), Vec::new()],
            steps: 0,
            shortest: f64::INFINITY,
        }
    }

    /// Keeps everything that a step depends on, but for the inputs.
    pub(crate) fn save(&mut self, point: &mut ExactPoint) {
        self.carrier.save(&mut point.states);
        (point.erring, point.halvings) = (self.erring, self.halvings);
        self.interpolation.save(&mut point.interpolation);
        point.parts.clone_from(&self.parts);
    }

    /// Back to what was kept.
    pub(crate) fn restore(&mut self, point: &ExactPoint) {
        self.carrier.restore(&point.states);
        (self.erring, self.halvings) = (point.erring, point.halvings);
        self.interpolation.restore(&point.interpolation);
        self.parts.clone_from(&point.parts);
    }

    /// Which inputs were interpolated, and by how much relative to the largest value of each the interpolation missed it.
    pub(super) fn interpolated(&self) -> &[Option<f64>] {
        self.interpolation.worst()
    }

    /// Whether input i was interpolated.
    pub(crate) fn interpolates(&self, i: usize) -> bool {
        self.interpolated().get(i).is_some_and(Option::is_some)
    }

    /// Carries the state over the interval. After an error it is where it was.
    pub(crate) fn advance(&mut self, interval: &Interval, inputs: &mut Inputs) -> Result<KrylovEffort, Error> {
        let mut before = std::mem::take(&mut self.before);
        self.carrier.save(&mut before);
        let advanced = self.advance_in_parts(interval, inputs);
        if advanced.is_err() {
            self.carrier.restore(&before);
        }
        self.before = before;
        advanced
    }

    /// Takes back the last step.
    pub(super) fn back(&mut self) {
        self.carrier.restore(&self.before);
    }

    fn advance_in_parts(&mut self, interval: &Interval, inputs: &mut Inputs) -> Result<KrylovEffort, Error> {
        let interval = &Interval { length: self.parts.length(interval), ..*interval };
        self.settle_layout(interval.length, inputs);
        self.judge_end(interval, inputs);
        let layout = std::mem::take(&mut self.layout);
        let advanced = if layout.interpolates() {
            self.erring = true;
            self.advance_interpolated(interval, &layout, inputs)
        } else {
            let length = Length { seconds: interval.length, whole: interval.whole, halvings: 0 };
            self.take(interval, 0.0, length, &layout, inputs)
        };
        self.layout = layout;
        advanced
    }

    /// Makes the matrices of an equal step under the inputs as they begin: a system that leaves all numbers in a step is refused before the run.
    pub(super) fn prepare(&mut self, step: f64, inputs: &Inputs) -> Result<(), Error> {
        self.settle_layout(step, inputs);
        self.layout_of = None;
        match &mut self.carrier {
            Carrier::Dense(dense) => dense.prepare(Length { seconds: step, whole: true, halvings: 0 }, &self.layout),
            Carrier::Sparse(_) => Ok(()),
        }
    }

    /// Brings the layout up to date.
    fn settle_layout(&mut self, length: f64, inputs: &Inputs) {
        let of = Some((inputs.changes(), length));
        if self.layout_of == of {
            return;
        }
        let (nodes, further) = (self.interpolation.nodes(), self.interpolation.further());
        let sampling = Sampling { nodes, further };
        self.layout = match &mut self.carrier {
            Carrier::Dense(_) => Layout::new(inputs, length, sampling, |_, _| false),
            Carrier::Sparse(sparse) => Layout::new(inputs, length, sampling, |i, law| sparse.refuses(i, law, length)),
        };
        self.layout_of = of;
    }

    /// In parts that are halves of halves of the interval.
    fn advance_interpolated(
        &mut self,
        interval: &Interval,
        layout: &Layout,
        inputs: &mut Inputs,
    ) -> Result<KrylovEffort, Error> {
        let mut partition = std::mem::take(&mut self.partition);
        let halvings = if self.adaptive { self.halvings } else { 0 };
        let divided = partition.divide((interval, halvings, self.adaptive), layout, inputs, &mut self.interpolation);
        let taken = divided.and_then(|()| self.take_parts(interval, &partition, layout, inputs));
        self.halvings = partition.next_halvings();
        self.partition = partition;
        taken
    }

    fn take_parts(
        &mut self,
        interval: &Interval,
        partition: &Partition,
        layout: &Layout,
        inputs: &Inputs,
    ) -> Result<KrylovEffort, Error> {
        let mut effort = KrylovEffort::default();
        for part in partition.parts() {
            let [begin, seconds] = part.place().map(|share| interval.length * share);
            let length = Length { seconds, whole: interval.whole, halvings: part.halvings };
            partition.take_up(part, &mut self.interpolation);
            self.interpolation.accept(layout);
            add(&mut effort, &self.take(interval, begin, length, layout, inputs)?);
        }
        Ok(effort)
    }

    /// One step, of the state and of its estimated error.
    fn take(
        &mut self,
        interval: &Interval,
        begin: f64,
        length: Length,
        layout: &Layout,
        inputs: &Inputs,
    ) -> Result<KrylovEffort, Error> {
        let [v, error] = &mut self.coefficients;
        layout.coefficients(inputs, &interval.from, begin, self.interpolation.samples(), v);
        layout.remainders(self.interpolation.remainders(), error);
        let error = self.erring.then_some(error.as_slice());
        let effort = match &mut self.carrier {
            Carrier::Dense(dense) => dense.step(length, layout, v, error).map(|()| KrylovEffort::default()),
            Carrier::Sparse(sparse) => sparse.step(length.seconds, layout, v, error),
        }?;
        self.steps += 1;
        if length.whole {
            self.shortest = self.shortest.min(length.seconds);
        }
        Ok(effort)
    }

    /// Inputs that grow beyond all numbers within the interval are named.
    fn judge_end(&self, interval: &Interval, inputs: &mut Inputs) {
        for i in 0..inputs.len() {
            let end = interval.to.time;
            if let Some(value) = inputs.law(i).map(|(law, origin)| law.value(end - origin)) {
                inputs.judge(i, value, end);
            }
        }
    }

    /// The outputs where the inputs are `u`.
    pub(crate) fn outputs(&self, u: &[f64], rows: &mut Rows) {
        match &self.carrier {
            Carrier::Dense(dense) => dense.outputs(u, rows),
            Carrier::Sparse(sparse) => sparse.outputs(rows),
        }
    }

    /// Number of outputs.
    pub(crate) fn rows(&self) -> usize {
        match &self.carrier {
            Carrier::Dense(dense) => dense.rows(),
            Carrier::Sparse(sparse) => sparse.rows(),
        }
    }
}

/// What two steps took together.
fn add(sum: &mut KrylovEffort, other: &KrylovEffort) {
    sum.substeps += other.substeps;
    sum.dimension = sum.dimension.max(other.dimension);
    sum.applications += other.applications;
    sum.factorizations += other.factorizations;
    sum.error += other.error;
}
