//! Semi-linear systems dx/dt = A x + F(t, x): the linear part exact, as everywhere in this crate, the nonlinear part interpolated.
//!
//! Between two times x(t_k + h) = e^{hA} x(t_k) + int_0^h e^{A(h-s)} F(t_k + s, x(t_k + s)) ds. Exponential multistep methods put a
//! polynomial through F at times of the past, as the input holds do with u; exponential Runge-Kutta methods get F inside the step
//! from stages. In both the weights are combinations of the same G_i, so that nothing is divided by A or cancels:
//! 1/2 phi_1(z/2) (e^{z/2} - 1) of Cox and Matthews is phi_1(z) - phi_1(z/2), and (e^z - 1)/z, ... are never formed.

mod method;
mod stepper;
mod tableau;

pub use method::ExponentialMethod;
pub use stepper::{NonlinearState, NonlinearStepper};
