//! Extrema of samples.

/// Minimum of the parabola through three points, if it lies between the outer ones.
pub(super) fn parabola_minimum(t: [f64; 3], v: [f64; 3]) -> Option<(f64, f64)> {
    let (d01, d12) = ((v[1] - v[0]) / (t[1] - t[0]), (v[2] - v[1]) / (t[2] - t[1]));
    let curvature = (d12 - d01) / (t[2] - t[0]);
    if !(curvature > 0.0) {
        return None;
    }
    let at = 0.5 * (t[0] + t[1] - d01 / curvature);
    let inside = at > t[0] && at < t[2];
    inside.then(|| (at, v[0] + (at - t[0]) * (d01 + curvature * (at - t[1]))))
}
