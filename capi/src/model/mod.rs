//! Models of mechanisms, and mechanisms compiled from them.

pub mod block;
pub mod bushing;
mod callback;
pub mod compile;
pub mod contact;
pub mod coupler;
pub mod curve;
pub mod element;
pub(crate) mod failure;
pub mod force;
pub mod friction;
pub mod joint;
pub mod kinematics;
pub mod measure;
pub mod mechanism;
#[expect(clippy::module_inception, reason = "the object that gives the folder its name")]
pub mod model;
pub mod rolling;
pub mod sensor;
pub mod spline;
pub(crate) mod state;
pub mod user_state;
