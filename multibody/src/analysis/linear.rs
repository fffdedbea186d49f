//! Linearization: a mechanism near a state as dx/dt = A x + B u, y = C x + D u.
//!
//! x = (z, z', s, c): small ways of independent coordinates and their rates, small changes of the unknowns of the user that have a rate; those with
//! an equation 0 = f follow. Rolling holds velocities alone: behind s, x has how far coordinates are beside where rolling takes them along z.
//! Derivatives are differences of fourth order, (f(-2h) - 8 f(-h) + 8 f(h) - f(2h))/(12 h), of accelerations and measures at states that satisfy
//! the constraints: about eleven digits.
//!
//! The state need not be at rest: then x is the deviation from the motion, frozen at that time. Coordinates are along axes that are those of the bodies
//! at that time, and turn with the motion ([`super::axes`], [`super::steady`]): of a motion that is steady in some axes the matrices
//! are constant. Where the motion is steady in none they change along it, and their eigenvalues are those of the matrix at that time alone.

use super::contact_rows::{ContactRows, NoContacts};
use super::near::{Near, Slopes};
use super::steady::Steadiness;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use nalgebra::DMatrix;

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
    /// The independent coordinates z, 6 b + k: ways of the centre of mass of body b along the axes that it has at the state (k = 0, 1, 2), turns about
    /// these (3, 4, 5); near a motion these axes turn on with [`Linearization::axes`].
    pub coordinates: Vec<usize>,
    /// The unknowns of the user in x, in the order of [`Mechanism::user_states`].
    pub states: Vec<usize>,
    /// The coordinates in x behind these, as in `coordinates`: how far they are beside where rolling takes them. Empty without rolling elements.
    pub rolled: Vec<usize>,
    /// How the coordinates of all bodies follow the independent ones, 6 bodies x f: ways along the global axes, turns about these.
    pub basis: DMatrix<f64>,
    /// Mass matrix of the independent coordinates, N^T M N with N the basis, f x f.
    pub mass: DMatrix<f64>,
    /// Numbers of x and, after these, of the inputs, along which accelerations or measures jump or bend within a thousandth of a length of the
    /// mechanism or rad: their columns are no derivatives.
    /// With the first measure that does so, or none where accelerations do.
    pub rough: Vec<(usize, Option<usize>)>,
    /// Angular velocities of the axes of each body in which its way, and its turn, are taken \[rad/s\].
    pub axes: Vec<[V3; 2]>,
    /// How far A changes along the motion within the time in which it acts, as part of it: 0 at rest, infinite where the states beside cannot be reached.
    pub drift: f64,
    /// Whether the motion is steady: A does not change along it by more than 1e-4 of itself in that time. Else eigenvalues are those of A at that
    /// time, and say neither how fast deviations grow in the long run nor how they are damped.
    pub steady: bool,
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
        let chosen = mechanism.chosen_at(state);
        let mechanism = chosen.as_ref().unwrap_or(mechanism);
        let mut near = Near::new(mechanism, state, inputs, contacts)?;
        let Slopes { tangent, pushed, fed, c, d, rough } = near.slopes(state)?;
        let basis = near.basis().clone();
        let mut own = Self {
            states: near.states.clone(),
            rolled: near.reduced.rolled.clone(),
            coordinates: near.reduced.independent.clone(),
            mass: near.reduced.mass(&basis),
            basis,
            a: DMatrix::zeros(0, 0),
            b: tangent.l.columns(pushed.nrows(), pushed.nrows()) * pushed,
            c,
            d,
            rough,
            axes: Vec::new(),
            drift: 0.0,
            steady: true,
        };
        drop(near);
        own.b.rows_mut(2 * tangent.count, fed.nrows()).copy_from(&fed);
        let steadiness = Steadiness::new(mechanism, state, inputs, contacts, &tangent)?;
        own.a = tangent.rates(&steadiness.axes);
        own.take_rates();
        (own.steady, own.drift, own.axes) = (steadiness.is_steady(), steadiness.drift, steadiness.axes);
        Ok(own)
    }

    /// Takes z' in place of the deviations w of velocities, with z' = G z + w + H c.
    fn take_rates(&mut self) {
        let (f, n) = (self.coordinates.len(), self.a.nrows());
        let mut to = DMatrix::identity(n, n);
        to.rows_mut(f, f).copy_from(&self.a.rows(0, f));
        to.view_mut((f, f), (f, f)).fill_with_identity();
        let mut back = to.clone();
        for column in (0..f).chain(2 * f..n) {
            back.view_mut((f, column), (f, 1)).neg_mut();
        }
        self.a = &to * &self.a * &back;
        self.b = to * &self.b;
        self.c *= back;
        self.a.rows_mut(0, f).fill(0.0);
        self.a.view_mut((0, f), (f, f)).fill_with_identity();
    }

    /// Stiffness matrix K of M z'' + C z' + K z = 0, f x f; in axes that turn it has what these do to the motion.
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
