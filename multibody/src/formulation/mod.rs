//! How a mechanism becomes a system F(t, y, y') = 0.
//!
//! Unknowns of a body b, in this order, three each: x, e, V, omega, H, where x is its centre of mass, e its Euler angles
//! ([`crate::orientation`]), V and omega its velocities and H its angular momentum about the centre of mass, all in global axes.
//! Adams keeps the rates of the Euler angles and the momenta conjugate to them in place of omega and H; global axes leave the
//! equations free of the derivatives of the angle basis, and an exchange of the orientation chart touches e alone. A free body
//! that tumbles has the vector part of a unit quaternion as e.
//!
//! ```text
//! x' - V     + Phi_x^T  mu                      = 0
//! G(e) e' - omega + L^-2 Phi_pi^T mu            = 0
//! m V'       + Phi_x^T  lambda - F              = 0
//! H'         + Phi_pi^T lambda - T              = 0
//! H - A J A^T omega                             = 0
//! Phi(q, t)                                     = 0
//! Phi_q u + Phi_t                               = 0      (SI2 and SI1 only, with its multiplier mu)
//! s' - f = 0, or f = 0                                   (unknowns s of the user)
//! ```
//!
//! L is the length of the mechanism, so that mu moves bodies in the same metric in every unit.
//! [`Formulation::I3`] is the first six rows without mu: index 3, cheapest, velocities not error-tested, its error about a
//! thousand times its tolerance. [`Formulation::Si2`] is the stabilized index-2 system of Gear, Leimkuhler and Gupta (J. Comput.
//! Appl. Math. 12 (1985) 77): positions and velocities both satisfy their constraints; mu is zero in the exact solution.
//! [`Formulation::Si1`] has the same equations with lambda = eta' and mu = xi' (ibid.), of index 1: its unknowns are eta and xi in their places,
//! and the local errors of these are tested. They begin at 0 at each start, since nothing depends on them but by their derivatives.
//!
//! Of a mechanism that moves in one plane [`Equations::fewest`] has the unknowns and rows of the plane alone, seven a body and two a hinge: those
//! across it stay what they are. Runs solve these.

mod bend;
mod breaks;
mod charts;
mod effect;
mod emit;
mod equations;
mod flexible;
mod jacobian;
pub mod kinds;
mod layout;
mod multipliers;
pub mod partitioned;
mod plane;
mod points;
mod residual;
mod sizes;
mod start;
mod state_sizes;
mod states;
mod supplement;
mod time_defect;
mod timed;
mod touched;

pub use equations::Equations;
pub use layout::Formulation;
pub(crate) use layout::Layout;
pub use partitioned::{AlgebraicVariable, Partitioned};
pub use sizes::Sizes;
pub use state_sizes::StateSizes;
pub use supplement::{Level, NoSupplement, Situation, Supplement, SupplementRow, VelocityForm};
