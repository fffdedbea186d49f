//! Measured efficiencies of pumps and motors.

use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// Efficiencies over speed and pressure difference, as a data sheet gives them: linear between the points of the table, as at its edge beyond.
///
/// A pump delivers eta_v D n and takes the torque D dp/eta_m, a motor takes D n/eta_v and gives eta_m D dp (Ivantysyn and Ivantysynova, *Hydrostatic Pumps and
/// Motors*, 2001). The same losses, of flow from the high to the low pressure and of torque against the speed, act in the other three quadrants, where speed or
/// pressure difference are reversed; below 1/1000 of the last speed and pressure they turn to the other sign by a cubic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Efficiency {
    /// Speeds of the rows [rad/s], at least 0 and increasing.
    pub speed: Vec<Expression>,
    /// Pressure differences of the columns \[Pa\], at least 0 and increasing.
    pub pressure: Vec<Expression>,
    /// Volumetric efficiency eta_v, above 0 and at most 1: one row per speed, one column per pressure. 1 if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumetric: Vec<Vec<Expression>>,
    /// Mechanical (hydromechanical) efficiency eta_m, in the same way. 1 if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mechanical: Vec<Vec<Expression>>,
}
