//! `Abam`: the formulas of Adams-Bashforth and Adams-Moulton in variable order and step, for y' = f(t, y), after Shampine and Gordon.
//!
//! | symbol | meaning |
//! |---|---|
//! | h, k | step \[s\], order of the predictor |
//! | psi_i | t_n - t_{n-i} \[s\] |
//! | phi_i | modified divided difference psi_1 .. psi_{i-1} f\[t_n, .., t_{n-i+1}\] |
//! | beta_i | takes phi_i from one step to the next: phi*_i = beta_i phi_i |
//! | g_i | integral over the step of what multiplies phi*_i, over h |
//! | sigma_i | how much longer the history of i steps is than one of i steps h, inverse |
//!
//! A step predicts by order k (P), evaluates (E), corrects by order k + 1 (C), settles, and evaluates again (E). D = h (g_k - g_{k+1})
//! (f_p - phi^e_1) is the error of order k; that of k + 1 goes on (local extrapolation). The order goes down where errors estimated at orders
//! k - 1 and k - 2 are smaller, and up after k + 1 equal steps where the error at order k + 1 is smaller. The step doubles where that keeps half the
//! tolerance, else stays, or shrinks to between a half and nine tenths. At the start order and step grow with every step.
//!
//! History is of slopes: those of all coordinates, dependent ones too, so that another partition leaves it as it is. Where a system changes its
//! coordinates it is written anew point by point ([`Ode::rewrite`](crate::ode::Ode::rewrite)).
//!
//! Source: Shampine, Gordon, Computer Solution of Ordinary Differential Equations (1975), chapters 5 to 10.

mod adams;
mod choice;
mod coefficients;
mod history;
mod method;
#[cfg(test)]
mod tests;

pub use adams::AbamStepper;
pub use coefficients::ABAM_ORDER_MAX;
pub use method::Abam;
