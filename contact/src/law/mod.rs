//! Laws of impact on plain data: W, the velocities before, and the surfaces; out come impulses, velocities after and the energy lost.
//!
//! | law | what a coefficient e means |
//! |---|---|
//! | [`Restitution::Newton`] | u_N+ = -e u_N- where there is an impulse |
//! | [`Restitution::Poisson`] | the impulse of expansion is e times that of compression |
//! | [`Restitution::Energetic`] | the work of expansion is -e^2 times that of compression (Stronge) |
//!
//! They agree for one contact without friction. One contact with friction follows [`routh`]; several at once are solved together
//! ([`Sequence::Simultaneous`]) or one after the other ([`Sequence::Pairwise`]); a Newton's cradle does the latter. The energy
//! account of every impact is T+ - T- = S^T (u+ + u-)/2 over all rows. That sum alone decides: a law by which it is positive beyond
//! [`ImpactLaw::energy_tolerance`], or whose problem has no solution, is replaced by one that creates none, and [`Outcome::applied`] says
//! so. Newton's law is the one that can (T. R. Kane, D. A. Levinson, Dynamics, 1985).

mod check;
mod collision;
pub(crate) mod cone;
mod expansion;
mod pairwise;
mod restitution;
mod rounds;
pub mod routh;
mod simultaneous;
mod solve;

pub use collision::{Applied, Impact, Outcome};
pub use restitution::Restitution;
pub use solve::{ImpactLaw, Sequence};
