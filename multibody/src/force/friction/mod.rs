//! Friction at joints: forces and torques that follow from the reactions of the joints, that is, from their multipliers.
//!
//! The surfaces of a joint slide with the velocities v_k, the rates r_k of its directions times their arms a_k: 1 of a guide, the radius of a pin or
//! ball. They are pressed by N, a sum of norms of parts of the reaction. With v the norm of the v_k,
//!
//! ```text
//! f_k = -a_k (N mu(v)/v + c) v_k                                                       (law: [`FrictionLaw`])
//! ```
//!
//! acts along each direction. At rest there is none: what holds a load creeps, with the velocity at which mu(v) N is the load.
//! F = -sum lambda g and T = -sum lambda (g_i - s x g), s the arm of I, are the reaction, so that
//! dN/dlambda = -(p.g + t.g_i), where t is dN/dT and p = dN/dF + s x t: what the row would do with these as velocities.

mod element;
mod law;
mod loads;
mod settle;

pub use element::{JointFriction, Part, Press, Slide};
pub use law::FrictionLaw;
pub use loads::FrictionLoads;
pub use settle::{Settled, settle};
