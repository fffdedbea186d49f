//! Flexible bodies by modes, in a floating frame of reference (Shabana, Dynamics of Multibody Systems, 4th ed. 2013, chapter 5).
//!
//! A node of the body, at s in the frame, is at r = x + A (s + Phi q): x and A are the place and the axes of the floating frame, Phi the displacements of
//! the node in the modes, q the modal coordinates. Its turn in the frame has the vector sin(angle) axis = Psi q. Modes are free of rigid-body motion; x
//! is where the centre of mass of the undeformed body is.
//!
//! The kinetic energy depends on [`Invariants`] alone, sums over the mass of the body, which are known before the run. Elastic
//! energy is q^T K q/2, linear in the displacements: that a beam grows stiffer under tension, as one that spins, is not in it.
//!
//! In the mechanism such a body is several: the frame itself, whose mass and inertia are those of the undeformed body; *carriers*, whose
//! places (x, y, z) are three modal coordinates each, and which do not turn; and one body for each node, to which joints and forces are
//! attached as to any other. Six rows tie a node to frame and carriers, linear in the modal coordinates. A node has part of the mass
//! of the body, which is taken from the frame, so that every body has mass and the whole stays what it is. `FlexibleBody` adds what the inertia of
//! the whole is beyond that of these bodies by themselves, and the elastic forces.

mod beam;
mod body;
mod derivatives;
mod invariants;
mod reduction;
mod shape;

pub use beam::{BeamElements, Section};
pub(crate) use body::FlexibleBody;
pub use invariants::{Invariants, Lump};
pub use reduction::{CraigBampton, Modes, ReductionError};
pub use shape::{Shape, ShapeNode};
