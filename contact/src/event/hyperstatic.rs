//! Touching contacts of which some slip while others stick: these are held if any forces within the limits of friction do so, however
//! they are shared out where they are not unique, as those of two corners on one edge. What begins to slip does so along its
//! acceleration, which is not that of the force that would hold it where contacts depend on each other.
//!
//! ```text
//! a = b + W (Lambda + D N_s),   Lambda in the cones of what does not slip,   N_s the normal forces of what slips, D = -c_g d
//! ```
//!
//! For given N_s this is the problem of friction in reduced form, whose accelerations are unique where its forces are not. N_s are those that it
//! returns: a fixed point, reached at once where the modes stay as they are, else by the secant method of D. G. Anderson (Iterative
//! procedures for nonlinear integral equations, J. ACM 12 (1965) 547) with one point kept.

use super::groups;
use super::mode::Friction;
use super::rows::{Decision, ROUND_OFF, Rows};
use crate::error::Error;
use crate::friction::{Cone, Coulomb, Method};
use crate::problem::FrictionProblem;
use crate::unilateral::{Surface, Unilateral};
use nalgebra::DVector;
use std::borrow::Cow;

/// Methods for the few contacts of a decision, which must be right to round-off: more rounds than by default, as each costs little.
pub(super) const METHODS: [Method; 5] = [
    Method::Newton { iterations: 4, sweeps: 10 },
    Method::InteriorPoint,
    Method::Newton { iterations: 25, sweeps: 1000 },
    Method::FixedPoint { rounds: 100 },
    Method::Continuation { curves: 12, factorizations: 1200 },
];
/// Residual that these aim at, of numbers of order one: what decides is [`ROUND_OFF`], far above it.
pub(super) const TOLERANCE: f64 = 1e-13;
/// Rounds about the normal forces of what slips.
const ROUNDS: usize = 12;
/// Change of accelerations by the change of these forces that ends the rounds, as part of the largest.
const SETTLED: f64 = 1e-11;
/// Force that reaches its limit, as part of that.
const LIMIT: f64 = 1.0 - 1e-6;

/// Forces of all rows, without friction of what slips, and accelerations over the largest free one; residual of both.
pub(super) struct Shared {
    pub(super) forces: Vec<f64>,
    pub(super) accelerations: Vec<f64>,
    pub(super) residual: f64,
}

/// Forces within the cones of what does not slip, beside the `friction_forces` of what slips.
pub(super) fn solve(
    rows: &Rows,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    friction_forces: &DVector<f64>,
) -> Result<Shared, Error> {
    let slips = |c: usize, g: usize| matches!(friction[c][g], Friction::Slip(_));
    let cone = |(c, contact): (usize, &Unilateral)| {
        let mut surface: Surface = contact.surface;
        let rows = Cone::of(&surface).rows;
        for (g, limit) in [&mut surface.friction, &mut surface.spinning, &mut surface.rolling].into_iter().enumerate() {
            *limit = if slips(c, g) { 0.0 } else { *limit };
        }
        Cone { rows, friction: surface.friction, spinning: surface.spinning, rolling: surface.rolling }
    };
    let cones = touching.iter().enumerate().map(cone).collect();
    // Forces and accelerations of order one, as the solver's residual is one of velocities of order one.
    let w = rows.delassus.matrix();
    let q = DVector::from_column_slice(&rows.free) / rows.scale() + w * friction_forces;
    let problem = FrictionProblem::new(w.clone(), q, cones)?.beside(1.0);
    let solution =
        Coulomb { methods: Cow::Borrowed(&METHODS), tolerance: TOLERANCE, ..Coulomb::default() }.solve(&problem)?;
    Ok(Shared { residual: solution.residual.value(), forces: solution.z, accelerations: solution.w })
}

/// Decides on `touching`, of which some slip, from forces that hold what sticks without a look at limits. `None` without a fixed point.
pub(super) fn decide(
    rows: &Rows,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    start: &[f64],
) -> Result<Option<Decision>, Error> {
    let shared = fixed_point(rows, touching, friction, start)?;
    Ok(shared.map(|shared| modes(rows, touching, friction, &shared.forces, &shared.accelerations)))
}

/// The forces and accelerations of which the normal forces of what slips are those that its friction goes with.
pub(super) fn fixed_point(
    rows: &Rows,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    start: &[f64],
) -> Result<Option<Shared>, Error> {
    let scale = rows.scale();
    let slipping: Vec<usize> =
        (0..touching.len()).filter(|&c| friction[c].iter().any(|f| matches!(f, Friction::Slip(_)))).collect();
    let normals =
        |forces: &[f64]| DVector::from_iterator(slipping.len(), slipping.iter().map(|&c| forces[rows.first(c)]));
    let mut guess = normals(start) / scale;
    let mut before: Option<(DVector<f64>, DVector<f64>)> = None;
    for _ in 0..ROUNDS {
        let mut along = DVector::zeros(start.len());
        for (&c, normal) in slipping.iter().zip(&guess) {
            for (g, f) in friction[c].iter().enumerate() {
                let Friction::Slip(d) = f else { continue };
                for (d, row) in d.iter().zip(groups::rows(g)) {
                    along[rows.first(c) + row] = -groups::coefficient(&touching[c].surface, g) * d * normal;
                }
            }
        }
        let shared = solve(rows, touching, friction, &along)?;
        if !(shared.residual <= ROUND_OFF) {
            return Ok(None);
        }
        let found = normals(&shared.forces);
        let change = &found - &guess;
        // Normal forces that are not unique may change without a change of accelerations: then those that were put in do too.
        let mut pressed = DVector::zeros(start.len());
        slipping.iter().zip(&change).for_each(|(&c, change)| pressed[rows.first(c)] = *change);
        if (rows.delassus.matrix() * pressed).amax() <= SETTLED {
            return Ok(Some(shared));
        }
        let mut next = found.clone();
        if let Some((found_before, change_before)) = &before {
            let turned = &change - change_before;
            let part = change.dot(&turned) / turned.norm_squared();
            if part.is_finite() {
                next -= (&found - found_before) * part;
            }
        }
        guess = next.map(|normal| normal.max(0.0));
        before = Some((found, change));
    }
    Ok(None)
}

/// The modes that forces and accelerations over the largest free one tell; what slips goes on.
pub(super) fn modes(
    rows: &Rows,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    forces: &[f64],
    accelerations: &[f64],
) -> Decision {
    let mut chosen = Vec::new();
    for (c, contact) in touching.iter().enumerate() {
        let (at, normal) = (rows.first(c), forces[rows.first(c)]);
        if normal * rows.delassus.matrix()[(at, at)] <= ROUND_OFF && accelerations[at] > ROUND_OFF {
            continue;
        }
        let friction = std::array::from_fn(|g| {
            let (force, a) = (rows.pair(c, g, forces), rows.pair(c, g, accelerations));
            let size = a[0].hypot(a[1]);
            let limit = groups::coefficient(&contact.surface, g) * normal;
            match friction[c][g] {
                Friction::Stick if size > ROUND_OFF && force[0].hypot(force[1]) >= limit * LIMIT => {
                    Friction::Slip([a[0] / size, a[1] / size])
                }
                other => other,
            }
        });
        chosen.push((c, friction, normal));
    }
    let (closed, whole) = rows.impose(touching, &chosen);
    Decision::Modes(closed, whole)
}
