//! Curves through points, in a plane or in space, which points and other curves stay on.
//!
//! Each coordinate is a cubic spline over the length s of the chords: natural for open curves, periodic for closed ones (C. de Boor, A Practical Guide
//! to Splines, chapter IV). Second derivatives are continuous; third ones jump at the points. Beyond its ends an open curve goes on along its
//! tangents, so that Newton iterations may look there.

mod contact;
mod fit;
mod point;
mod search;

pub use fit::CurveError;

use crate::space::V3;
use search::Samples;

/// A curve through points, in the axes of the frame that carries it.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Length of the chords up to each point \[m\].
    knots: Vec<f64>,
    /// Coefficients of the cubic of each segment, by powers of s less its knot.
    cubics: Vec<[V3; 4]>,
    closed: bool,
    plane: bool,
    /// A direction that no tangent has: of a plane curve the normal of its plane.
    reference: V3,
    samples: Samples,
}

/// A place on a curve with its derivatives by s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Where it is \[m\].
    pub position: V3,
    /// First derivative: the tangent, nearly of length 1.
    pub first: V3,
    /// Second derivative [1/m].
    pub second: V3,
    /// Third derivative [1/m^2].
    pub third: V3,
}

/// Value, gradient and symmetric second derivatives of a function of `N` coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expansion<const N: usize> {
    /// Value.
    pub value: f64,
    /// First derivatives.
    pub gradient: [f64; N],
    /// Second derivatives.
    pub hessian: [[f64; N]; N],
}

impl Curve {
    /// Length of all chords \[m\].
    #[must_use]
    pub fn length(&self) -> f64 {
        self.knots[self.knots.len() - 1]
    }

    /// Whether it ends where it begins.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether it lies in the x-y plane of its frame.
    #[must_use]
    pub fn is_plane(&self) -> bool {
        self.plane
    }

    /// The place at `s` \[m\]. Closed curves begin anew after each length; open ones go on straight.
    #[must_use]
    pub fn at(&self, s: f64) -> Place {
        let s = if self.closed { s.rem_euclid(self.length()) } else { s };
        let last = self.cubics.len() - 1;
        let k = self.knots.partition_point(|knot| *knot <= s).saturating_sub(1).min(last);
        let length = self.length();
        // Second derivatives vanish at the ends of open curves.
        let inside = if self.closed { s } else { s.clamp(0.0, length) };
        let [a, b, c, d] = &self.cubics[k];
        let t = inside - self.knots[k];
        let place = Place {
            position: a + (b + (c + d * t) * t) * t,
            first: b + (c * 2.0 + d * (3.0 * t)) * t,
            second: c * 2.0 + d * (6.0 * t),
            third: d * 6.0,
        };
        if inside == s {
            return place;
        }
        let position = place.position + place.first * (s - inside);
        Place { position, second: V3::zeros(), third: V3::zeros(), ..place }
    }

    /// How far `s` lies beyond the ends of an open curve \[m\]; 0 on it, and of closed curves.
    #[must_use]
    pub fn beyond(&self, s: f64) -> f64 {
        if self.closed { 0.0 } else { (-s).max(s - self.length()).max(0.0) }
    }
}

#[cfg(test)]
mod tests;
