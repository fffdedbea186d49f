//! Linearization: a mechanism near a state as dx/dt = A x + B u, y = C x + D u.
//!
//! x = (z, w, s): small ways of independent coordinates, small changes of their velocities, and of the unknowns of the user that have a rate; those with
//! an equation 0 = f follow. Derivatives are differences of fourth order,
//! (f(-2h) - 8 f(-h) + 8 f(h) - f(2h))/(12 h), of accelerations and measures at states that satisfy the constraints: about eleven digits.
//! Rolling holds velocities alone: behind s, x has how far coordinates are beside where rolling takes them along z.
//! The state need not be at rest: then x is the deviation from the motion, frozen at that time.

use super::contact_rows::{ContactRows, NoContacts};
use super::reduced::Reduced;
use super::sample::Sampler;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use nalgebra::{DMatrix, DVector, RowDVector};

/// Step of the differences, in lengths of the mechanism, rad, and these per second; of unknowns of the user in their values, of 1 where that is 0.
const STEP: f64 = 1e-3;
/// Part of the velocity of transition of friction by which velocities are moved at most: the fourth order leaves 1e-7 of the slope there.
const RESOLVED: f64 = 2e-3;
/// Fourth difference over the first that no smooth function has: of one that varies over a twentieth of a length of the mechanism it is 1e-5.
const ROUGH: f64 = 1e-3;
/// Part of the values that a fourth difference may be off by round-off.
const ROUND_OFF: f64 = 1e-8;
/// The same as part of the largest acceleration or measure, in their units.
const NOISE: f64 = 1e-12;
/// Fourth difference over the second one of x^4; less of the same sign is that of a x^2 + b x^4, as of an energy that stiffens. What bends in the
/// middle has the other sign.
const QUARTIC: f64 = 12.0;
/// Factor and place of each value in a difference of fourth order.
const STENCIL: [(f64, f64); 4] = [(1.0 / 12.0, -2.0), (-8.0 / 12.0, -1.0), (8.0 / 12.0, 1.0), (-1.0 / 12.0, 2.0)];

/// A linearized mechanism with f independent coordinates, and m unknowns of the user that have a rate and coordinates beside the way of rolling.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearization {
    /// (2 f + m) x (2 f + m).
    pub a: DMatrix<f64>,
    /// (2 f + m) x inputs, in the order of [`Mechanism::inputs`].
    pub b: DMatrix<f64>,
    /// Measures x (2 f + m), in the order of [`Mechanism::measures`].
    pub c: DMatrix<f64>,
    /// Measures x inputs.
    pub d: DMatrix<f64>,
    /// The independent coordinates z, 6 b + k: x, y, z of the centre of mass of body b (k = 0, 1, 2), turns about the global axes (3, 4, 5).
    pub coordinates: Vec<usize>,
    /// The unknowns of the user in x, in the order of [`Mechanism::user_states`].
    pub states: Vec<usize>,
    /// The coordinates in x behind these, as in `coordinates`: how far they are beside where rolling takes them. Empty without rolling elements.
    pub rolled: Vec<usize>,
    /// How the coordinates of all bodies follow the independent ones, 6 bodies x f, rows as in `coordinates`.
    pub basis: DMatrix<f64>,
    /// Mass matrix of the independent coordinates, N^T M N with N the basis, f x f.
    pub mass: DMatrix<f64>,
    /// Numbers of x and, after these, of the inputs, along which accelerations or measures jump or bend within a thousandth of a length of the
    /// mechanism or rad: their columns are no derivatives.
    /// With the first measure that does so, or none where accelerations do.
    pub rough: Vec<(usize, Option<usize>)>,
}

impl Linearization {
    /// Linearizes at `state`, which satisfies the constraints, with `inputs`.
    ///
    /// # Errors
    /// [`Error::Singular`] at a singular position; [`Error::Evaluation`] if a force cannot be evaluated there or nearby.
    pub fn new(mechanism: &Mechanism, state: &State, inputs: &Inputs) -> Result<Self, Error> {
        Self::with(mechanism, state, inputs, &mut NoContacts)
    }

    /// As [`Linearization::new`] with `contacts` held closed as they are.
    ///
    /// # Errors
    /// As [`Linearization::new`]; [`Error::Contacts`] if a gap cannot be evaluated.
    pub fn with(
        mechanism: &Mechanism,
        state: &State,
        inputs: &Inputs,
        contacts: &mut dyn ContactRows,
    ) -> Result<Self, Error> {
        let mut reduced = Reduced::new(mechanism, state, inputs, contacts)?;
        let (basis, beside) = (reduced.basis()?, reduced.rolled_basis()?);
        let mut near = Near {
            follows: basis.select_rows(&reduced.rolled),
            reduced,
            sampler: Sampler::new(mechanism, state)?,
            mechanism,
            inputs: inputs.clone(),
            sizes: Vec::new(),
            states: (0..mechanism.user_states().len()).filter(|&k| !mechanism.user_states()[k].implicit).collect(),
            values: mechanism.states_in(&state.drives).to_vec(),
        };
        let (f, inputs, measures) = (near.reduced.count(), mechanism.inputs().len(), mechanism.measures().len());
        let n = near.dimension();
        let mut own = Self {
            a: DMatrix::zeros(n, n),
            b: DMatrix::zeros(n, inputs),
            c: DMatrix::zeros(measures, n),
            d: DMatrix::zeros(measures, inputs),
            states: near.states.clone(),
            rolled: near.reduced.rolled.clone(),
            coordinates: near.reduced.independent.clone(),
            basis,
            mass: DMatrix::zeros(f, f),
            rough: Vec::new(),
        };
        own.mass = near.reduced.mass(&own.basis);
        let mut differences = Vec::new();
        for k in 0..n + inputs {
            let difference = near.difference(k)?;
            let column = difference.slope.clone();
            differences.push((k, difference));
            let (rates, measured) = (column.rows(0, n - f), column.rows(n - f, measures));
            let (upper, lower, column) =
                if k < n { (&mut own.a, &mut own.c, k) } else { (&mut own.b, &mut own.d, k - n) };
            upper.view_mut((f, column), (n - f, 1)).copy_from(&rates);
            lower.column_mut(column).copy_from(&measured);
        }
        near.kinematics(state, &mut own, &beside);
        own.rough = near.rough(&differences);
        Ok(own)
    }

    /// Stiffness matrix K of M z'' + C z' + K z = 0 near a state at rest, f x f.
    #[must_use]
    pub fn stiffness(&self) -> DMatrix<f64> {
        let f = self.coordinates.len();
        -&self.mass * self.a.view((f, 0), (f, f))
    }

    /// Damping matrix C of the same, f x f; gyroscopic terms are in it.
    #[must_use]
    pub fn damping(&self) -> DMatrix<f64> {
        let f = self.coordinates.len();
        -&self.mass * self.a.view((f, f), (f, f))
    }
}

/// Differences of accelerations, rates of unknowns of the user and measures along one number of x or the inputs.
struct Difference {
    /// Derivative.
    slope: DVector<f64>,
    second: DVector<f64>,
    /// What no smooth function leaves.
    fourth: DVector<f64>,
}

struct Near<'a> {
    mechanism: &'a Mechanism,
    reduced: Reduced<'a>,
    /// How coordinates that roll follow the independent ones.
    follows: DMatrix<f64>,
    sampler: Sampler,
    inputs: Inputs,
    /// Unknowns of the user that have a rate, and the values of all.
    states: Vec<usize>,
    values: Vec<f64>,
    /// Largest values of accelerations, rates and measures so far.
    sizes: Vec<f64>,
}

impl Near<'_> {
    /// Numbers in x.
    fn dimension(&self) -> usize {
        2 * self.reduced.count() + self.states.len() + self.reduced.rolled.len()
    }

    /// Place of the first coordinate beside the way of rolling in x.
    fn first_rolled(&self) -> usize {
        2 * self.reduced.count() + self.states.len()
    }

    fn step(&self, k: usize) -> f64 {
        let (f, n) = (self.reduced.count(), self.dimension());
        STEP * match k {
            _ if k < f => self.reduced.scale(k),
            // A turn moves surfaces by less than the length of the mechanism.
            _ if k < 2 * f => {
                let transition = self.mechanism.slowest_transition() * RESOLVED / (STEP * self.mechanism.length);
                self.reduced.scale(k - f) * transition.min(1.0)
            }
            _ if k < n && k >= self.first_rolled() => {
                let coordinate = self.reduced.rolled[k - self.first_rolled()];
                if coordinate % 6 < 3 { self.mechanism.length } else { 1.0 }
            }
            _ if k < n => Some(self.values[self.states[k - 2 * f]].abs()).filter(|size| *size > 0.0).unwrap_or(1.0),
            _ => self.input(k - n).abs().max(1.0),
        }
    }

    /// Derivative of accelerations, rates of unknowns of the user and measures by number `k` of x and the inputs, and what no smooth function
    /// leaves: the fourth difference, and of the odd part, which a jump in the middle halves from step to step, what it is short of twice its value.
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
    fn rough(&self, columns: &[(usize, Difference)]) -> Vec<(usize, Option<usize>)> {
        let (f, n) = (self.reduced.count(), self.dimension());
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let accelerations = largest(&mut self.sizes.iter().take(f).copied());
        // Measures that are zero but for the round-off of others.
        let noise = NOISE * largest(&mut self.sizes.iter().copied());
        let first_rough = |(k, Difference { slope: slopes, second, fourth }): &(usize, Difference)| {
            let step = self.step(*k);
            let slope = largest(&mut slopes.iter().take(f).map(|slope| slope.abs()));
            let found = (0..fourth.len()).find(|&row| {
                let (slope, size) = if row < f { (slope, accelerations) } else { (slopes[row].abs(), self.sizes[row]) };
                fourth[row].abs() > ROUGH * (slope * step + second[row].abs()) + ROUND_OFF * size + noise
            });
            found.map(|row| (*k, row.checked_sub(n - f)))
        };
        columns.iter().filter_map(first_rough).collect()
    }

    fn input(&self, k: usize) -> f64 {
        self.inputs.value(k, self.time())
    }

    fn time(&self) -> f64 {
        self.reduced.time()
    }

    /// Accelerations of the independent coordinates, rates of unknowns of the user, and measures with number `k` changed by `way`.
    fn evaluate(&mut self, k: usize, way: f64) -> Result<DVector<f64>, Error> {
        let (f, n) = (self.reduced.count(), self.dimension());
        let (mut z, mut w) = (vec![0.0; f], self.reduced.velocities.clone());
        let (first_rolled, mut rolled) = (self.first_rolled(), DVector::zeros(self.reduced.rolled.len()));
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
            let time = self.time();
            let changed = (0..inputs.len()).map(|i| {
                let value = self.inputs.value(i, time) + if i == k - n { way } else { 0.0 };
                [value, self.inputs.rate(i, time), 0.0]
            });
            inputs.set(self.mechanism, time, changed)?;
        }
        rolled += &self.follows * DVector::from_column_slice(&z);
        let mut state = self.reduced.state_beside(&z, rolled.as_slice(), &w)?;
        let moving = self.beside_rates(&state);
        self.reduced.accelerations.inputs_mut().clone_from(&inputs);
        self.mechanism.states_in_mut(&mut state.drives).copy_from_slice(&values);
        self.reduced.accelerate(&mut state, false)?;
        let mut found = DVector::zeros(n - f + self.mechanism.measures().len());
        found.rows_mut(0, f).copy_from(&self.reduced.taken(&state));
        for (k, &of) in self.states.iter().enumerate() {
            found[f + k] = self.reduced.accelerations.loads_mut().rate(self.mechanism, of);
        }
        found.rows_mut(first_rolled - f, moving.len()).copy_from(&moving);
        self.sampler.set_inputs(&inputs);
        let measures = &mut found.as_mut_slice()[n - f..];
        self.sampler.sample_loaded(self.mechanism, &mut state, &self.reduced.loads, measures)?;
        Ok(found)
    }

    /// Rates of the coordinates beside the way of rolling, but for what turns of the motion itself add.
    fn beside_rates(&self, state: &State) -> DVector<f64> {
        let rate = |&coordinate: &usize| {
            let pose = &state.poses[coordinate / 6];
            if coordinate % 6 < 3 { pose.v[coordinate % 3] } else { pose.w[coordinate % 3] }
        };
        let [of, independent] = [&self.reduced.rolled, &self.reduced.independent]
            .map(|coordinates| DVector::from_iterator(coordinates.len(), coordinates.iter().map(rate)));
        of - &self.follows * independent
    }

    /// dz/dt = w, and of turns p away from a motion that turns itself with omega, A = exp(p) A_0(t): dp/dt = w + omega x p.
    /// Coordinates beside the way of rolling have of this what exceeds that of the way.
    fn kinematics(&self, state: &State, own: &mut Linearization, beside: &DMatrix<f64>) {
        let (f, first_rolled) = (self.reduced.count(), self.first_rolled());
        let Linearization { a, basis, .. } = own;
        // (omega x p) of a coordinate by z and by the coordinates beside.
        let turned = |coordinate: usize, basis: &DMatrix<f64>| {
            let (body, axis) = (coordinate / 6, coordinate % 6);
            RowDVector::from_fn(basis.ncols(), |_, column| match axis.checked_sub(3) {
                Some(axis) => {
                    let turn = V3::from_fn(|k, _| basis[(6 * body + 3 + k, column)]);
                    state.poses[body].w.cross(&turn)[axis]
                }
                None => 0.0,
            })
        };
        let rows = |coordinates: &[usize], basis: &DMatrix<f64>| {
            let mut rows = DMatrix::zeros(coordinates.len(), basis.ncols());
            for (row, &coordinate) in coordinates.iter().enumerate() {
                rows.set_row(row, &turned(coordinate, basis));
            }
            rows
        };
        for (basis, first) in [(&*basis, 0), (beside, first_rolled)] {
            let own = rows(&self.reduced.independent, basis);
            let rolled = rows(&self.reduced.rolled, basis) - &self.follows * &own;
            a.view_mut((0, first), own.shape()).copy_from(&own);
            let mut rates = a.view_mut((first_rolled, first), rolled.shape());
            rates += rolled;
        }
        for row in 0..f {
            a[(row, f + row)] = 1.0;
        }
    }
}
