//! What accelerations leave of the rows that they are to satisfy.

use crate::mechanism::HeldRows;

/// What is left of a row, relative to its terms, above which a solution is refined, and above which it is refused: the limits of
/// [`fourbar_linalg::CalahanOptions`], the second that for fresh pivots.
pub(super) const REFINE: f64 = 1e-10;
pub(super) const REFUSE: f64 = 1e-8;

pub(super) type Six = [f64; 6];

/// Writes gamma - `Phi_q` u to `missing`; returns 0, or if a row keeps more than `REFINE`, the largest part of its terms that a row keeps.
pub(super) fn missing_of(held: &HeldRows, gamma: &[f64], u: &[Six], missing: &mut [f64]) -> f64 {
    let mut good = true;
    for (k, (missing, gamma)) in missing.iter_mut().zip(gamma).enumerate() {
        let (mut left, mut terms) = (*gamma, gamma.abs());
        for (&body, gradient) in held.terms_of(k).flat_map(|term| term.bodies.iter().zip(&term.gradients)) {
            let Some(u) = u.get(body) else { continue };
            for (g, u) in gradient.iter().zip(u) {
                let product = g * u;
                left -= product;
                terms += product.abs();
            }
        }
        *missing = left;
        // What is lost where numbers underflow is no matter of the matrix.
        good &= left.abs() <= REFINE * terms + f64::MIN_POSITIVE;
    }
    if good { 0.0 } else { worst(held, gamma, u, missing) }
}

/// The same where a row may have nothing but round-off: its terms are then those that the largest accelerations of all bodies would make.
fn worst(held: &HeldRows, gamma: &[f64], u: &[Six], missing: &[f64]) -> f64 {
    let mut largest = [0.0_f64; 2];
    for u in u {
        (0..6).for_each(|k| largest[k / 3] = largest[k / 3].max(u[k].abs()));
    }
    let negligible = (6 * u.len()) as f64 * f64::EPSILON;
    let mut worst = 0.0_f64;
    for (k, (missing, gamma)) in missing.iter().zip(gamma).enumerate() {
        let (mut terms, mut whole) = (gamma.abs(), 0.0);
        for (&body, gradient) in held.terms_of(k).flat_map(|term| term.bodies.iter().zip(&term.gradients)) {
            let Some(u) = u.get(body) else { continue };
            for (a, (g, u)) in gradient.iter().zip(u).enumerate() {
                terms += (g * u).abs();
                whole += g.abs() * largest[a / 3];
            }
        }
        let scale = if terms > negligible * whole { terms } else { terms + whole };
        let ratio = missing.abs() / scale.max(f64::MIN_POSITIVE);
        if ratio.is_nan() {
            return f64::INFINITY;
        }
        worst = worst.max(ratio);
    }
    worst
}
