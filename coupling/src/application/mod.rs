//! The application layer's seam (R5, R9 to R14): settings go down as plain data ([`Options`](crate::Options),
//! [`Connection`](crate::Connection)), results and faults come up through an [`Observer`](crate::Observer).

mod recorder;

pub use recorder::{Incident, Recorder};
