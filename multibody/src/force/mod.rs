//! Forces and torques: what they do to the bodies, and the derivatives of that.
//!
//! A scalar force acts along a [`Line`]: the wrench on I and J is f times the row of a basic constraint (its generalized
//! direction), so the derivative is f times the curvature of that row plus the row times the gradient of f. The sign is that
//! of the row: a positive f drives its value up, pushes two origins apart, turns I ahead of J.

mod elastic;
mod element;
mod entry;
mod friction;
mod loads;
mod watched;

pub(crate) use elastic::{Displacement, ElasticForce, ElasticLaw, Middle, Projected};
pub use element::{Line, ScalarForce, ScalarLaw, VectorForce};
pub use entry::{Entry, Parts};
pub use friction::{FrictionLaw, FrictionLoads, JointFriction, Part, Press, Settled, Slide, settle};
pub(crate) use loads::Solve;
pub use loads::{ElementLoad, Loads};
pub(crate) use watched::Watched;
