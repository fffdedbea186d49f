//! `Rkf45`: the Runge-Kutta method of Fehlberg of order 5 with an error estimate of order 4, for y' = f(t, y).
//!
//! | symbol | meaning |
//! |---|---|
//! | h | step \[s\] |
//! | k_1 .. k_6 | f at the stages; k_7 = f at the end of the step, which is k_1 of the next |
//! | w_i | weight of unknown i: `relative` max(abs(y_n), abs(y_{n+1})) + a_i |
//! | D | largest of abs(h sum_j (b_j - b^_j) k_ij)/w_i: local error in units of the tolerance |
//!
//! A step with D <= 1 is accepted; the solution of order 5 goes on (local extrapolation), or, without it, that of order 4. The next step is
//! h 0.9 D_n^-0.14 D_{n-1}^0.08 (a PI controller: Gustafsson, ACM Trans. Math. Softw. 17 (1991) 533; Hairer, Wanner II, IV.2), a fifth to five
//! times the last. A restart takes one evaluation and keeps the step. The method is for equations that are not stiff, or stiff through a few
//! fast unknowns that they name ([`Ode::fast`](crate::ode::Ode::fast)): where these would decide on the step it is one of the Radau IIA method of order 9.

mod fehlberg;
mod implicit;
mod implicit_step;
mod method;
mod radau;
mod slopes;
mod stiff;
mod tableau;

pub use fehlberg::Rkf45Stepper;
pub use method::Rkf45;
