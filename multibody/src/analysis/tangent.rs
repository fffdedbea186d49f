//! How bodies near a motion follow the numbers x = (z, w, s, c) of a linearization, and the rates of x in axes that turn.
//!
//! With p the ways of all bodies beside the motion and u what their velocities are beside its own, six numbers a body each,
//!
//! ```text
//! (p, u) = T x,   (p, u)' = F x,   p' = u + omega x p
//! ```
//!
//! where F holds accelerations of all bodies, and omega x p is for turns alone. In axes that turn with W, (p, u) = R (p, u)~ and R' = W R, the
//! same deviation has the rates (F - W T) x. A motion that is steady in these axes keeps the space of T there, and then
//!
//! ```text
//! x' = L (F - W T) x,   L T = 1.
//! ```
//!
//! No derivative of T along the motion is needed. L is the projection in the metric of the mass matrix, of ways first and then of what velocities
//! have beyond those that belong to these: where the space of T does not rest in any axes, the result still does not depend on which coordinates
//! are the independent ones.

use super::near::Near;
use crate::error::Error;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use fourbar_linalg::SingularValues;
use nalgebra::DMatrix;

/// Angular velocities of the axes of each body [rad/s]: those in which its way is taken, and its turn.
pub(super) type Axes = Vec<[V3; 2]>;

/// See the module.
pub(super) struct Tangent {
    /// T, 12 n x x: ways, then velocities.
    pub t: DMatrix<f64>,
    /// F.
    pub f: DMatrix<f64>,
    /// L, x x 12 n; nothing for unknowns of the user.
    pub l: DMatrix<f64>,
    /// Rates of the unknowns of the user, s x x.
    pub states: DMatrix<f64>,
    /// Sizes of x that are neither small nor large, those of velocities for 1 rad/s.
    pub sizes: Vec<f64>,
    /// Number of independent coordinates.
    pub count: usize,
    /// Place of the first coordinate beside the way of rolling.
    pub first_rolled: usize,
    /// How fast the bodies turn [rad/s].
    turning: Vec<V3>,
}

impl Tangent {
    /// Ways by z and c, and velocities by w; the rest is to be filled.
    pub(super) fn new(near: &mut Near<'_>, state: &State) -> Result<Self, Error> {
        let (n, f, first_rolled) = (near.dimension(), near.reduced.count(), near.first_rolled());
        let beside = near.reduced.rolled_basis()?;
        let basis = near.basis().clone();
        let ways = basis.nrows();
        let mut t = DMatrix::zeros(2 * ways, n);
        t.view_mut((0, 0), (ways, f)).copy_from(&basis);
        t.view_mut((ways, f), (ways, f)).copy_from(&basis);
        t.view_mut((0, first_rolled), (ways, n - first_rolled)).copy_from(&beside);
        let mut ways_of = DMatrix::zeros(ways, f + beside.ncols());
        ways_of.columns_mut(0, f).copy_from(&basis);
        ways_of.columns_mut(f, beside.ncols()).copy_from(&beside);
        // The projections of ways and of velocities, one above the other; [`Tangent::fill`] joins them.
        let mut l = DMatrix::zeros(n, 2 * ways);
        let of_ways = projection(&ways_of, &near.reduced.weighted(&ways_of));
        l.view_mut((0, 0), (f, ways)).copy_from(&of_ways.rows(0, f));
        l.view_mut((first_rolled, 0), (n - first_rolled, ways)).copy_from(&of_ways.rows(f, n - first_rolled));
        l.view_mut((f, ways), (f, ways)).copy_from(&projection(&basis, &near.reduced.weighted(&basis)));
        Ok(Self {
            f: DMatrix::zeros(2 * ways, n),
            states: DMatrix::zeros(0, n),
            sizes: (0..n).map(|k| near.size(k)).collect(),
            turning: state.poses.iter().map(|pose| pose.w).collect(),
            count: f,
            first_rolled,
            t,
            l,
        })
    }

    /// Takes the derivatives of the velocities, accelerations and rates of unknowns of the user by x.
    pub(super) fn fill(&mut self, velocities: &DMatrix<f64>, accelerations: &DMatrix<f64>, states: &DMatrix<f64>) {
        let (ways, f, n) = (velocities.nrows(), self.count, self.t.ncols());
        for column in (0..f).chain(self.first_rolled..n) {
            self.t.view_mut((ways, column), (ways, 1)).copy_from(&velocities.column(column));
        }
        let followed = self.t.rows(ways, ways) * self.l.columns(0, ways);
        let beyond = self.l.view((f, ways), (f, ways)) * followed;
        self.l.view_mut((f, 0), (f, ways)).copy_from(&-beyond);
        let mut rates = self.t.rows(ways, ways).into_owned();
        for (body, w) in self.turning.iter().enumerate() {
            let turned = w.cross_matrix() * self.t.fixed_rows::<3>(6 * body + 3);
            let mut rows = rates.fixed_rows_mut::<3>(6 * body + 3);
            rows += turned;
        }
        self.f.rows_mut(0, ways).copy_from(&rates);
        self.f.rows_mut(ways, ways).copy_from(accelerations);
        self.states = states.clone();
    }

    /// W T.
    pub(super) fn turned(&self, axes: &Axes) -> DMatrix<f64> {
        let mut turned = DMatrix::zeros(self.t.nrows(), self.t.ncols());
        for (k, w) in blocks(axes) {
            turned.fixed_rows_mut::<3>(k).copy_from(&(w.cross_matrix() * self.t.fixed_rows::<3>(k)));
        }
        turned
    }

    /// The rates of x by x in `axes`.
    pub(super) fn rates(&self, axes: &Axes) -> DMatrix<f64> {
        let mut rates = &self.l * (&self.f - self.turned(axes));
        rates.rows_mut(2 * self.count, self.states.nrows()).copy_from(&self.states);
        rates
    }
}

/// The rows of T that each angular velocity turns, ways and velocities, three from the number given on.
pub(super) fn blocks(axes: &Axes) -> impl Iterator<Item = (usize, V3)> + '_ {
    let all = |(k, w): (usize, &V3)| [(3 * k, *w), (6 * axes.len() + 3 * k, *w)];
    axes.iter().flatten().enumerate().flat_map(all)
}

/// (B^T M B)^-1 B^T M of a basis B and M B.
pub(super) fn projection(basis: &DMatrix<f64>, weighted: &DMatrix<f64>) -> DMatrix<f64> {
    let metric = basis.tr_mul(weighted);
    match metric.cholesky() {
        Some(factors) => factors.solve(&weighted.transpose()),
        // Bodies without inertia: what they do is given by others.
        None => SingularValues::new(basis).map_or_else(|| basis.transpose(), |factors| factors.pseudo_inverse(0.0)),
    }
}

/// How fast a state moves: 1 over the least time in which a body goes by a length of the mechanism or by 1 rad \[1/s\].
pub(super) fn rate_of(mechanism: &Mechanism, state: &State) -> f64 {
    let speed = |v: &V3, w: &V3| (v.norm() / mechanism.length).max(w.norm());
    state.poses.iter().fold(0.0, |rate: f64, pose| rate.max(speed(&pose.v, &pose.w)))
}
