//! What happens where forces on accelerations are not found: a step of an instant, in impulses.
//!
//! ```text
//! u+ = u + W S + b dt,   0 <= S_N _|_ u_N+ >= 0,   |S_g| <= c_g S_N, against u_g+ at the limit
//! ```
//!
//! with dt so short that velocities do not change by forces. Unlike that of accelerations this problem always has a solution, as friction
//! may stop the slip (D. E. Stewart, Rigid-body dynamics with friction and impact, SIAM Review 42, 2000). Impulses that shrink with dt
//! are those of forces and tell what sticks; ones that do not are the impact without collision that ends the slip (Painlevé shock; Painleve's paradox).

use super::groups;
use super::hyperstatic::{METHODS, TOLERANCE};
use super::mode::Friction;
use super::rows::{Decision, Rows};
use crate::error::Error;
use crate::friction::{Cone, Coulomb};
use crate::problem::FrictionProblem;
use crate::unilateral::Unilateral;
use nalgebra::DVector;
use std::borrow::Cow;

/// Change of velocity by the free accelerations in the instant, as part of the slip.
const INSTANT: f64 = 1e-9;
/// The same at a pole. There impulses are the free change of velocity over the determinant. That is known to be small only: to 1e-9
/// where a root function finds the pole, to 1e-7 where steps become too short. There an instant as short as that would end the shock part of
/// the way, again and again.
const AT_A_POLE: f64 = 1e-5;
/// Change of velocity by an impulse from which on it is one that forces do not explain, as part of the slip.
const SHOCK: f64 = 1e-4;
/// Residual of the impulses that passes, and up to which forces and velocities are none, as part of the slip.
const RESIDUAL: f64 = 1e-12;
/// Part of its limit below which friction sticks.
const INSIDE: f64 = 1.0 - 1e-3;

/// Decides on `touching`, of which some slip; `pole`: where their forces have one.
pub(super) fn decide(
    rows: &Rows,
    touching: &[Unilateral],
    friction: &[[Friction; 3]],
    pole: bool,
) -> Result<Decision, Error> {
    let (q, slip) = velocities(rows, friction, if pole { AT_A_POLE } else { INSTANT });
    let cones = touching.iter().map(|c| Cone::of(&c.surface)).collect();
    let problem = FrictionProblem::new(rows.delassus.matrix().clone(), q, cones)?.beside(1.0);
    let solution =
        Coulomb { methods: Cow::Borrowed(&METHODS), tolerance: TOLERANCE, goal: TOLERANCE }.solve(&problem)?;
    if !(solution.residual.value() <= RESIDUAL) {
        return Err(Error::Undecided { contacts: touching.len() });
    }
    let moved = |c: usize| {
        let at = rows.first(c);
        solution.z[at] * rows.delassus.matrix()[(at, at)]
    };
    let worst = (0..touching.len()).max_by(|a, b| moved(*a).total_cmp(&moved(*b)));
    if let Some(worst) = worst.filter(|c| moved(*c) > SHOCK) {
        return Ok(Decision::Shock(touching[worst].id, solution.z.iter().map(|s| s * slip).collect()));
    }
    let mut chosen = Vec::new();
    for (c, contact) in touching.iter().enumerate() {
        let (at, normal) = (rows.first(c), solution.z[rows.first(c)]);
        if moved(c) <= RESIDUAL && solution.w[at] > RESIDUAL {
            continue;
        }
        let modes = std::array::from_fn(|g| {
            let (force, v) = (rows.pair(c, g, &solution.z), rows.pair(c, g, &solution.w));
            let speed = v[0].hypot(v[1]);
            let inside = force[0].hypot(force[1]) < INSIDE * groups::coefficient(&contact.surface, g) * normal;
            match friction[c][g] {
                Friction::Stick if speed > RESIDUAL && !inside => Friction::Slip([v[0] / speed, v[1] / speed]),
                other => other,
            }
        });
        chosen.push((c, modes, normal));
    }
    let (closed, whole) = rows.impose(touching, &chosen);
    Ok(Decision::Modes(closed, whole))
}

/// u + b dt over the fastest slip, and that [m/s, rad/s], b dt being `instant` of it. Touching contacts have no normal velocity, sticking ones no other.
fn velocities(rows: &Rows, friction: &[[Friction; 3]], instant: f64) -> (DVector<f64>, f64) {
    let mut q = DVector::zeros(rows.free.len());
    for (c, groups) in friction.iter().enumerate() {
        for (g, _) in groups.iter().enumerate().filter(|(_, f)| matches!(f, Friction::Slip(_))) {
            for row in groups::rows(g).map(|row| rows.first(c) + row) {
                q[row] = rows.rates[row];
            }
        }
    }
    let slip = q.amax().max(f64::MIN_POSITIVE);
    q /= slip;
    for (q, free) in q.iter_mut().zip(&rows.free) {
        *q += instant * free / rows.scale();
    }
    (q, slip)
}
