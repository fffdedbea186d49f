//! Curves, and what stays on them; constraints by expression.

use super::{Column, MarkerRef, SourceFile};
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A curve through points, fixed to a body: a cubic spline over the length of the chords, natural if open and periodic if closed.
///
/// It may neither cross itself nor turn back.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Curve {
    /// Name, unique among curves.
    pub name: String,
    /// Marker that carries it, whose axes its points are given in; the global frame if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marker: Option<MarkerRef>,
    /// Its points \[m\]: `[x, y]` each of a plane curve, `[x, y, z]` each of one in space. At least two; of a closed curve at least four, the last
    /// being the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Vec<Expression>>,
    /// Whether it ends where it begins.
    pub closed: bool,
    /// File of columns in place of `points`, relative to the folder of the model file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Columns of the file with x and y, or x, y and z, by the names in its first line or by numbers from 1. The first two if absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// The file that the points were read from.
    #[serde(skip)]
    pub source: Option<SourceFile>,
}

impl Curve {
    /// The curve through points of a plane.
    #[must_use]
    pub fn plane(name: &str, marker: &str, points: &[[f64; 2]], closed: bool) -> Self {
        Self::through(name, marker, points, closed)
    }

    /// The curve through points in space.
    #[must_use]
    pub fn space(name: &str, marker: &str, points: &[[f64; 3]], closed: bool) -> Self {
        Self::through(name, marker, points, closed)
    }

    fn through<const N: usize>(name: &str, marker: &str, points: &[[f64; N]], closed: bool) -> Self {
        let points = points.iter().map(|point| point.iter().map(|x| Expression::constant(*x)).collect()).collect();
        Self { name: name.to_owned(), marker: Some(marker.into()), points, closed, ..Self::default() }
    }
}

/// The origin of a marker stays on a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointOnCurve {
    /// Name, unique among these.
    pub name: String,
    /// Marker whose origin stays on the curve. Reactions are reported as acting on its body, about that origin.
    pub i: MarkerRef,
    /// Curve, on another body.
    pub curve: String,
}

/// Two plane curves touch: they have a point and their tangent there in common. Joints keep both in one plane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CurveOnCurve {
    /// Name, unique among these.
    pub name: String,
    /// The two curves, on different bodies. Reactions are reported as acting on the body of the first, about the origin of its marker.
    pub curves: [String; 2],
}

/// An expression of displacements and of the time is zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EquationConstraint {
    /// Name, unique among these.
    pub name: String,
    /// What is to be zero: an expression of measures of positions, distances and angles, of `time`, parameters and splines.
    pub equation: Expression,
    /// Marker on whose body, and about whose origin, reactions are reported; the first marker of the first displacement if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub i: Option<MarkerRef>,
}
