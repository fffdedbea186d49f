//! Time stepping: fixed steps in which contacts open, close, stick and slide, any number of them, without events.
//!
//! Three schemes share everything but the order of their few moves:
//!
//! | scheme | contact law of a step | positions |
//! |---|---|---|
//! | [`Scheme::GapLcp`] | 0 <= S_N _|_ g_N/h + u_N+ >= 0, (4)-(7); restitution after the step | q + h u+ |
//! | [`Scheme::MoreauJean`] | 0 <= S_N _|_ u_N+ + e min(u_N-, 0) >= 0 where g_N(q + h u/2) <= 0 | q + h (theta u+ + (1 - theta) u) |
//! | [`Scheme::Ggl`] | positions and velocities both satisfied (Gear, Gupta, Leimkuhler; Bruls, Acary, Cardona 2014) | projected |
//!
//! Friction holds on the velocities after the step, |S_T| <= mu S_N, with rolling and spinning rows where surfaces have them. Joint
//! constraints hold on velocities; positions, then velocities are projected ([`crate::projection`]) with the contacts taking part.
//! All schemes are of first order where contacts close, and pass accumulation points without noticing.

mod account;
mod body_space;
mod gap_lcp;
mod ggl;
mod gyroscopic;
mod gyroscopic_impulse;
mod impact;
mod impulses;
mod joints;
mod moreau;
mod motion;
mod nearby;
mod options;
mod rate_jumps;
mod record;
mod rubbing;
mod shares;
mod stepper;
mod workspace;

pub use options::{Backend, Scheme, TimeStepping};
pub use record::{ContactRecord, StepRecord};
pub use stepper::TimeStepper;
