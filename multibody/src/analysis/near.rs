//! Derivatives of accelerations, rates of unknowns of the user and measures near a state, by differences of fourth order along each number of
//! x = (z, w, s, c) and each input, as [`super::linear`] has them.

use super::contact_rows::ContactRows;
use super::reduced::Reduced;
use super::sample::Sampler;
use super::tangent::{Tangent, rate_of};
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// Step of the differences, in lengths of the mechanism, rad, and these per second or per rad of the motion; of unknowns of the user in their values,
/// of 1 where that is 0.
const STEP: f64 = 1e-3;
/// Part of the velocity of transition of friction by which velocities are moved at most: the fourth order leaves 1e-7 of the slope there.
const RESOLVED: f64 = 2e-3;
/// Fourth difference over the first that no smooth function has: of one that varies over a twentieth of a length of the mechanism it is 1e-5.
const ROUGH: f64 = 1e-3;
/// Part of the values that a fourth difference may be off by round-off.
const ROUND_OFF: f64 = 1e-8;
/// The same as part of the largest acceleration or measure, in their units.
const NOISE: f64 = 1e-10;
/// Fourth difference over the second one of x^4; less of the same sign is that of a x^2 + b x^4, as of an energy that stiffens. What bends in the
/// middle has the other sign.
const QUARTIC: f64 = 12.0;
/// Factor and place of each value in a difference of fourth order.
const STENCIL: [(f64, f64); 4] = [(1.0 / 12.0, -2.0), (-8.0 / 12.0, -1.0), (8.0 / 12.0, 1.0), (-1.0 / 12.0, 2.0)];

/// Differences of what [`Near::evaluate`] finds along one number of x or the inputs.
struct Difference {
    /// Derivative.
    slope: DVector<f64>,
    second: DVector<f64>,
    /// What no smooth function leaves.
    fourth: DVector<f64>,
}

/// What the derivatives give.
pub(super) struct Slopes {
    /// How bodies and their rates follow x.
    pub tangent: Tangent,
    /// Accelerations of all bodies by the inputs, six numbers a body.
    pub pushed: DMatrix<f64>,
    /// Rates of the unknowns of the user by the inputs.
    pub fed: DMatrix<f64>,
    /// Measures by x and by the inputs.
    pub c: DMatrix<f64>,
    pub d: DMatrix<f64>,
    /// As [`super::Linearization::rough`].
    pub rough: Vec<(usize, Option<usize>)>,
}

/// A mechanism near a state.
pub(super) struct Near<'a> {
    mechanism: &'a Mechanism,
    pub(super) reduced: Reduced<'a>,
    /// How coordinates that roll follow the independent ones.
    follows: DMatrix<f64>,
    basis: DMatrix<f64>,
    sampler: Sampler,
    inputs: Inputs,
    /// Unknowns of the user that have a rate, and the values of all.
    pub(super) states: Vec<usize>,
    values: Vec<f64>,
    /// How fast the state moves [rad/s, lengths of the mechanism per second].
    pace: f64,
    /// Largest values of accelerations, rates and measures so far.
    sizes: Vec<f64>,
}

impl<'a> Near<'a> {
    /// Chooses coordinates at `state`, which satisfies the constraints.
    pub(super) fn new(
        mechanism: &'a Mechanism,
        state: &State,
        inputs: &Inputs,
        contacts: &'a mut dyn ContactRows,
    ) -> Result<Self, Error> {
        let reduced = Reduced::new(mechanism, state, inputs, contacts);
        let mut reduced = reduced.map_err(|error| mechanism.at_singular(state, error))?;
        let (basis, own) = (reduced.basis()?, reduced.own_basis()?);
        Ok(Self {
            follows: own.select_rows(&reduced.rolled),
            basis,
            reduced,
            sampler: Sampler::new(mechanism, state)?,
            mechanism,
            inputs: inputs.clone(),
            sizes: Vec::new(),
            states: (0..mechanism.user_states().len()).filter(|&k| !mechanism.user_states()[k].implicit).collect(),
            values: mechanism.states_in(&state.drives).to_vec(),
            pace: rate_of(mechanism, state),
        })
    }

    /// The derivatives; `state` is where it was made.
    pub(super) fn slopes(&mut self, state: &State) -> Result<Slopes, Error> {
        let (n, f, inputs) = (self.dimension(), self.reduced.count(), self.mechanism.inputs().len());
        let (ways, states, measures) = (self.basis.nrows(), self.states.len(), self.mechanism.measures().len());
        let mut all = DMatrix::zeros(self.checked() + 2 * ways, n + inputs);
        let mut differences = Vec::new();
        for k in 0..n + inputs {
            let difference = self.difference(k)?;
            all.set_column(k, &difference.slope);
            differences.push(difference);
        }
        let part = |first: usize, rows: usize, of: [usize; 2]| all.view((first, of[0]), (rows, of[1])).into_owned();
        let (x, given, moved) = ([0, n], [n, inputs], self.checked());
        let mut tangent = Tangent::new(self, state)?;
        tangent.fill(&part(moved, ways, x), &part(moved + ways, ways, x), &part(f, states, x));
        Ok(Slopes {
            tangent,
            pushed: part(moved + ways, ways, given),
            fed: part(f, states, given),
            c: part(f + states, measures, x),
            d: part(f + states, measures, given),
            rough: self.rough(&differences),
        })
    }

    /// How the coordinates of all bodies follow the independent ones.
    pub(super) fn basis(&self) -> &DMatrix<f64> {
        &self.basis
    }

    /// Numbers in x.
    pub(super) fn dimension(&self) -> usize {
        self.first_rolled() + self.reduced.rolled.len()
    }

    /// Place of the first coordinate beside the way of rolling in x.
    pub(super) fn first_rolled(&self) -> usize {
        2 * self.reduced.count() + self.states.len()
    }

    /// Numbers looked at for jumps and bends: accelerations of the independent coordinates, rates of unknowns of the user, measures.
    fn checked(&self) -> usize {
        self.reduced.count() + self.states.len() + self.mechanism.measures().len()
    }

    /// A change of number `k` of x that is neither small nor large, velocities per rad of the motion or per second.
    pub(super) fn size(&self, k: usize) -> f64 {
        let (f, first_rolled) = (self.reduced.count(), self.first_rolled());
        match k {
            _ if k < f => self.reduced.scale(k),
            _ if k < 2 * f => self.reduced.scale(k - f),
            _ if k >= first_rolled => {
                if self.reduced.rolled[k - first_rolled] % 6 < 3 {
                    self.mechanism.length
                } else {
                    1.0
                }
            }
            _ => Some(self.values[self.states[k - 2 * f]].abs()).filter(|size| *size > 0.0).unwrap_or(1.0),
        }
    }

    fn step(&self, k: usize) -> f64 {
        let (f, n) = (self.reduced.count(), self.dimension());
        let way = |k| self.reduced.way(k, &self.basis);
        STEP * match k {
            // A turn moves surfaces by less than the length of the mechanism.
            _ if (f..2 * f).contains(&k) => {
                let transition = self.mechanism.slowest_transition() * RESOLVED / (STEP * self.mechanism.length);
                way(k - f) * transition.min(self.pace.max(1.0))
            }
            _ if k < f => way(k),
            _ if k < n => self.size(k),
            _ => self.input(k - n).abs().max(1.0),
        }
    }

    /// Derivative of what is found by number `k` of x and the inputs, and what no smooth function leaves: the fourth difference, and of the odd part,
    /// which a jump in the middle halves from step to step, what it is short of twice its value.
    fn difference(&mut self, k: usize) -> Result<Difference, Error> {
        let step = self.step(k);
        let middle = self.evaluate(k, 0.0)?;
        let (mut slope, mut fourth) = (DVector::zeros(middle.len()), 6.0 * &middle);
        let mut second = -2.0 * &middle;
        let mut odd = [DVector::zeros(middle.len()), DVector::zeros(middle.len())];
        self.sizes.resize(middle.len(), 0.0);
        for (factor, place) in STENCIL {
            let value = self.evaluate(k, place * step)?;
            slope.axpy(factor / step, &value, 1.0);
            second.axpy(if place.abs() > 1.0 { 0.0 } else { 1.0 }, &value, 1.0);
            fourth.axpy(if place.abs() > 1.0 { 1.0 } else { -4.0 }, &value, 1.0);
            odd[usize::from(place.abs() > 1.0)].axpy(0.5 * place.signum(), &value, 1.0);
            self.sizes.iter_mut().zip(&value).for_each(|(size, value)| *size = size.max(value.abs()));
        }
        for (row, fourth) in fourth.iter_mut().enumerate() {
            let [once, twice] = [0, 1].map(|k| odd[k][row]);
            let short = twice - 2.0 * once;
            let stiffens = *fourth * second[row] > 0.0 && fourth.abs() <= QUARTIC * second[row].abs();
            let even = if stiffens { 0.0 } else { fourth.abs() };
            *fourth = even.max(if short * once < 0.0 { short.abs() } else { 0.0 });
        }
        Ok(Difference { slope, second, fourth })
    }

    /// Numbers along which accelerations or measures jump or bend: by their derivatives, second and fourth differences. A smooth
    /// function leaves little of either in the fourth, as a quadratic energy about its lowest value, where it has no slope.
    fn rough(&self, columns: &[Difference]) -> Vec<(usize, Option<usize>)> {
        let (f, checked) = (self.reduced.count(), self.checked());
        let rates = f + self.states.len();
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        // Accelerations in lengths of the mechanism or rad, so that no unit decides.
        let unit = |row: usize| if row < f { self.reduced.scale(row) } else { 1.0 };
        let accelerations = largest(&mut (0..f).map(|row| self.sizes[row] / unit(row)));
        // Measures that are zero but for the round-off of others.
        let noise = NOISE * largest(&mut self.sizes.iter().take(checked).copied());
        let first_rough = |(k, Difference { slope: slopes, second, fourth }): (usize, &Difference)| {
            let step = self.step(k);
            let slope = largest(&mut (0..f).map(|row| slopes[row].abs() / unit(row)));
            let found = (0..checked).find(|&row| {
                let whole = if row < f { (slope, accelerations) } else { (slopes[row].abs(), self.sizes[row]) };
                let (slope, size) = (whole.0 * unit(row), whole.1 * unit(row));
                fourth[row].abs() > ROUGH * (slope * step + second[row].abs()) + ROUND_OFF * size + noise
            });
            found.map(|row| (k, row.checked_sub(rates)))
        };
        columns.iter().enumerate().filter_map(first_rough).collect()
    }

    fn input(&self, k: usize) -> f64 {
        self.inputs.value(k, self.reduced.time())
    }

    /// Accelerations of the independent coordinates, rates of unknowns of the user, and measures with number `k` changed by `way`; behind these
    /// the velocities and the accelerations of all bodies.
    fn evaluate(&mut self, k: usize, way: f64) -> Result<DVector<f64>, Error> {
        let (f, states) = (self.reduced.count(), self.states.len());
        let mut state = self.state_at(k, way)?;
        self.reduced.accelerate(&mut state, false)?;
        let (checked, ways) = (self.checked(), self.basis.nrows());
        let mut found = DVector::zeros(checked + 2 * ways);
        found.rows_mut(0, f).copy_from(&self.reduced.taken(&state));
        for (k, &of) in self.states.iter().enumerate() {
            found[f + k] = self.reduced.accelerations.loads_mut().rate(self.mechanism, of);
        }
        for (body, (pose, [v, w])) in state.poses.iter().zip(&state.accelerations).enumerate() {
            for (k, part) in [pose.v, pose.w, *v, *w].iter().enumerate() {
                found.fixed_rows_mut::<3>(checked + k / 2 * ways + 6 * body + k % 2 * 3).copy_from(part);
            }
        }
        let inputs = self.reduced.accelerations.inputs_mut().clone();
        self.sampler.set_inputs(&inputs);
        let measures = &mut found.as_mut_slice()[f + states..checked];
        self.sampler.sample_loaded(self.mechanism, &mut state, &self.reduced.loads, measures)?;
        Ok(found)
    }

    /// The state with number `k` of x changed by `way`; of the inputs, they are set for it.
    fn state_at(&mut self, k: usize, way: f64) -> Result<State, Error> {
        let (f, n, first_rolled) = (self.reduced.count(), self.dimension(), self.first_rolled());
        let (mut z, mut w) = (vec![0.0; f], self.reduced.velocities.clone());
        let mut rolled = DVector::zeros(self.reduced.rolled.len());
        let (mut inputs, mut values) = (self.inputs.clone(), self.values.clone());
        if k < f {
            z[k] = way;
        } else if k < 2 * f {
            w[k - f] += way;
        } else if (first_rolled..n).contains(&k) {
            rolled[k - first_rolled] = way;
        } else if k < n {
            values[self.states[k - 2 * f]] += way;
        } else {
            let time = self.reduced.time();
            let changed = (0..inputs.len()).map(|i| {
                let value = self.inputs.value(i, time) + if i == k - n { way } else { 0.0 };
                [value, self.inputs.rate(i, time), 0.0]
            });
            inputs.set(self.mechanism, time, changed)?;
        }
        rolled += &self.follows * DVector::from_column_slice(&z);
        let mut state = self.reduced.state_beside(&z, rolled.as_slice(), &w)?;
        self.mechanism.states_in_mut(&mut state.drives).copy_from_slice(&values);
        self.reduced.accelerations.inputs_mut().clone_from(&inputs);
        Ok(state)
    }
}
