//! The saddle-point system [[W, `Phi_q^T`], [`Phi_q`, 0]] of the independent rows, W the mass matrix or the weights of a correction.
//!
//! All analyses of a mechanism solve one of the same pattern. Its pivots are chosen once, when the rows are numbered: to choose them takes as
//! long as a hundred factorizations. Those that do not suit other values are chosen anew, as in any refactorization.

use crate::mechanism::{Mechanism, Rows, System};
use crate::space::Pose;
use fourbar_linalg::{Error, Kkt};
use std::sync::Arc;

/// Chooses the pivots for the rows as they are numbered, at `poses` (ground last). A mechanism whose rows do not allow it has none: its analyses
/// then tell why.
pub(super) fn prepare(mechanism: &mut Mechanism, poses: &[Pose]) {
    let mut system = System::new(mechanism, Rows::Independent);
    system.evaluate_mass(mechanism, poses);
    system.evaluate_phi(mechanism, poses);
    mechanism.saddle = Kkt::new(&system.mass, &system.phi).ok().map(Arc::new);
}

/// The system factored for the values of `system`.
pub(super) fn factored(mechanism: &Mechanism, system: &System) -> Result<Kkt, Error> {
    match &mechanism.saddle {
        Some(known) if known.suits(&system.mass, &system.phi) => {
            let mut kkt = Kkt::clone(known);
            let _ = kkt.refactor(system.mass.values(), system.phi.values())?;
            Ok(kkt)
        }
        _ => Kkt::new(&system.mass, &system.phi),
    }
}
