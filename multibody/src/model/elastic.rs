//! Bushings and beams.

use super::MarkerRef;
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// Six numbers: along and about x, y, z of J.
pub type Six = [Expression; 6];

/// How a bushing, beam or field measures the displacement of its marker I against J.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ElasticAngles {
    /// By the rotation vector of I against J, in axes half way between those of J and I: right to half a turn about any axis and for any number of
    /// turns about one axis of J, symmetric in I and J, and conservative where C is zero and K symmetric (Simo and Vu-Quoc 1986, Computer
    /// Methods in Applied Mechanics and Engineering 58, equation 3.12, for the torque that works on the rotation vector).
    #[default]
    RotationVector,
    /// By projected angles in the axes of J (measure `axis_angles`), as Adams does: for small angles about two of the axes. A shaft that
    /// spins about the third has the same stiffness across at all its angles.
    Projected,
}

/// Force and torque preload - K q - C q' on I in the axes of J, the opposite on the body of J at the origin of I. q is the way from
/// the origin of J to that of I \[m\] and three angles \[rad\]; q' is the velocity of I as seen from J [m/s] and the angular velocity
/// of I against J [rad/s]. [`ElasticAngles`] has what they are where angles are not small.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bushing {
    /// Name, unique among forces.
    pub name: String,
    /// Marker on one body, at whose origin force and torque act.
    pub i: MarkerRef,
    /// Marker on the other; its axes are those of the components.
    pub j: MarkerRef,
    /// Diagonal of K [N/m, N m/rad].
    #[serde(default = "zeros")]
    pub stiffness: Six,
    /// Diagonal of C [N s/m, N m s/rad].
    #[serde(default = "zeros")]
    pub damping: Six,
    /// Rows of a matrix that is added to K [N/m, N/rad, N m/m, N m/rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_matrix: Option<[Six; 6]>,
    /// Rows of a matrix that is added to C, in the units of K times s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_matrix: Option<[Six; 6]>,
    /// Force and torque at q = 0 and q' = 0 [N, N m].
    #[serde(default = "zeros")]
    pub preload: Six,
    /// How the displacement is measured.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angles: ElasticAngles,
}

/// Force and torque preload - K (q - free) - C q' on I, by full matrices, with the q of a [`Bushing`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Name, unique among forces.
    pub name: String,
    /// Marker on one body, at whose origin force and torque act.
    pub i: MarkerRef,
    /// Marker on the other; its axes are those of the components.
    pub j: MarkerRef,
    /// Rows of K [N/m, N/rad, N m/m, N m/rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_matrix: Option<[Six; 6]>,
    /// Rows of C, in the units of K times s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_matrix: Option<[Six; 6]>,
    /// q at which the stiffness gives nothing [m, rad].
    #[serde(default = "zeros")]
    pub free: Six,
    /// Force and torque there at rest [N, N m].
    #[serde(default = "zeros")]
    pub preload: Six,
    /// How the displacement is measured.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angles: ElasticAngles,
}

/// A straight beam without mass along x of J, from the origin of J to that of I, by the stiffness of Timoshenko's beam
/// (Przemieniecki, Theory of Matrix Structural Analysis, 1968, section 5.6). Force and torque act as those of a [`Bushing`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Beam {
    /// Name, unique among forces.
    pub name: String,
    /// Far end.
    pub i: MarkerRef,
    /// Near end; its x axis is that of the beam.
    pub j: MarkerRef,
    /// Length without force \[m\].
    pub length: Expression,
    /// Area of the section [m^2].
    pub area: Expression,
    /// Second moment of area about y [m^4].
    pub iyy: Expression,
    /// Second moment of area about z [m^4].
    pub izz: Expression,
    /// Torsion constant of the section [m^4].
    pub ixx: Expression,
    /// Shear area ratio along y: area over the area that carries shear; 0 without deformation by shear.
    #[serde(default = "zero")]
    pub asy: Expression,
    /// The same along z.
    #[serde(default = "zero")]
    pub asz: Expression,
    /// Young's modulus \[Pa\].
    pub youngs_modulus: Expression,
    /// Shear modulus \[Pa\].
    pub shear_modulus: Expression,
    /// Damping matrix over stiffness matrix \[s\].
    #[serde(default = "zero")]
    pub damping_ratio: Expression,
    /// Rows of a matrix that is added to that [N s/m, N s/rad, N m s/m, N m s/rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_matrix: Option<[Six; 6]>,
    /// How the displacement is measured.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angles: ElasticAngles,
}

fn is_default(angles: &ElasticAngles) -> bool {
    *angles == ElasticAngles::default()
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

fn zeros() -> Six {
    std::array::from_fn(|_| zero())
}
