//! The classical methods of order 4, which interpolate F(t) = e^{A(t_{k+1}-t)} B u(t) as a whole. For comparison: where A is stiff,
//! F is no polynomial over a step, and the order is lost.

use fourbar_linalg::phi::exponential;
use nalgebra::DMatrix;

use crate::{Error, Method, StateSpace};

/// With E = e^{AT}:
///
/// ```text
/// MTM-4: x(k+1) = E x(k) + (T/6)  [ E B u(k) + 4 e^{AT/2} B u(k+1/2) + B u(k+1) ]
/// QAM-4: x(k+1) = E x(k) + (T/24) [ 9 B u(k+1) + 19 E B u(k) - 5 E^2 B u(k-1) + E^3 B u(k-2) ]
/// ```
///
/// (Jiang and Chai 1995, section 2).
pub(crate) fn matrices(
    system: &StateSpace,
    step: f64,
    method: &Method,
) -> Result<(DMatrix<f64>, Vec<DMatrix<f64>>), Error> {
    let b = system.b();
    let e = exponential(system.a(), step)?;
    let inputs: Vec<DMatrix<f64>> = if *method == Method::Mtm4 {
        let half = exponential(system.a(), step / 2.0)?;
        vec![&e * b * (step / 6.0), half * b * (4.0 * step / 6.0), b * (step / 6.0)]
    } else {
        let eb = &e * b;
        let eeb = &e * &eb;
        let weights = [1.0, -5.0, 19.0, 9.0].map(|w| w * step / 24.0);
        vec![&e * &eeb * weights[0], eeb * weights[1], eb * weights[2], b * weights[3]]
    };
    Ok((e, inputs))
}
