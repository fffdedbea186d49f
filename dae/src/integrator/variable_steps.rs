//! What methods with variable order and step have in common: defaults, checks, the start.

/// What methods with variable order and step have in common: defaults, checks, the start. Each has the fields `order_max`, `tolerance`, `step` and
/// `newton`.
macro_rules! variable_steps {
    ($method:ident, $coefficients:expr) => {
        impl Default for $method {
            fn default() -> Self {
                Self {
                    order_max: 5,
                    tolerance: Tolerance::default(),
                    step: StepLimits::default(),
                    newton: NewtonOptions::default(),
                }
            }
        }

        impl $method {
            /// The method with a relative tolerance, the absolute one left to the system, or the same in typical sizes of the unknowns.
            #[must_use]
            pub fn with_tolerance(relative: f64) -> Self {
                Self { tolerance: Tolerance::uniform(relative), ..Self::default() }
            }

            /// Checks all options for a system of `dimension` unknowns.
            ///
            /// # Errors
            /// [`Error::Option`](crate::integrator::Error::Option) names the option, its value and what is allowed;
            /// [`Error::Length`](crate::integrator::Error::Length).
            pub fn validate(&self, dimension: usize) -> Result<(), $crate::integrator::Error> {
                $crate::integrator::Bdf::from(self).validate(dimension)
            }

            /// Starts on a system at t = `time` with y = `y`, y' = `yp` (n entries each), to run to `end`. The start should satisfy the
            /// equations; y' of unknowns whose derivative does not occur may be 0.
            ///
            /// # Errors
            /// Of [`Error`](crate::integrator::Error): `Option`, `Length`, `NotFinite`, `EndBeforeStart`.
            pub fn start<D: $crate::dae::Dae>(
                &self,
                dae: D,
                time: f64,
                y: &[f64],
                yp: &[f64],
                end: f64,
            ) -> Result<$crate::integrator::BdfStepper<D>, $crate::integrator::Error> {
                $crate::integrator::Bdf::from(self).start(dae, time, y, yp, end)
            }
        }

        impl From<&$method> for $crate::integrator::Bdf {
            fn from(method: &$method) -> Self {
                Self {
                    coefficients: $coefficients,
                    order_max: method.order_max,
                    tolerance: method.tolerance.clone(),
                    step: method.step,
                    newton: method.newton,
                    fixed: None,
                }
            }
        }
    };
}
pub(super) use variable_steps;
