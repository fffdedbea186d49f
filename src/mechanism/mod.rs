//! Mechanisms as a model file describes them: bodies and joints, and what may touch.
//!
//! A [`MechanismModel`] is plain data: the [`Model`](fourbar_multibody::Model) of multibody, the shapes and contacts of the contact crate, how these are followed
//! in time ([`ContactSettings`]) and what of them is measured ([`ContactMeasure`]). [`Copies`] multiply bodies with their
//! shapes, [`Include`] takes in whole mechanisms, and [`Display`] says what bodies look like.

mod copies;
mod display;
mod following;
mod include;
mod measure;
mod model;
mod parameters;
mod settings;
mod solids;
mod unheld;
mod walk;

pub use copies::Copies;
pub use display::{Display, DisplayForm, DisplayKind, DisplayMesh};
pub(crate) use following::{Following, FollowingOverrides};
pub use include::Include;
pub use measure::{ContactMeasure, ContactQuantity};
pub use model::MechanismModel;
pub use settings::{ContactMethod, ContactSettings, Impacts, ProjectionSettings};
