//! What a person describes: bodies, markers, joints, motions, forces and measures, by name.
//!
//! Plain data with serde, no numerics: a [`Model`] can be written by hand, read from a file or built in code, and says the
//! same thing in each. Numbers are [`Expression`]s: a plain number, or text such as `"30 deg"` or `"2*length"` over the
//! model's parameters. SI units, angles in radians unless written with `deg`.
//! [`Mechanism::compile`](crate::mechanism::Mechanism::compile) checks a model and turns it into equations.

mod actuator;
mod block;
mod body;
mod coupler;
mod curve;
mod dimension;
mod elastic;
mod flexible;
mod force;
mod friction;
mod input;
mod joint;
mod measure;
mod rolling;
mod sensor;
mod solid;
mod units;
mod user_state;
mod vector;
mod walk;

pub use actuator::{Actuator, ActuatorKind};
pub use block::{Pid, StateSpaceBlock, TransferFunction};
pub use body::{Body, Exact, Frame, Marker, MarkerRef, Orientation, Place};
pub use coupler::{CoupledJoint, Coupler, Gear, RackAndPinion};
pub use curve::{Curve, CurveOnCurve, EquationConstraint, PointOnCurve};
pub use dimension::Dimension;
pub use elastic::{Beam, Bushing, ElasticAngles, Field, Six};
pub use flexible::{Flexible, FlexibleBeam, FlexibleNode, ModalData};
pub use force::{
    AxialTorque, Force, GeneralForce, GyroscopicCouple, LineForce, SpringDamper, TorsionSpringDamper, Vector,
    VectorForce,
};
pub use friction::Friction;
pub use input::Input;
pub use joint::{Direction, InitialConditions, Joint, JointKind, Motion, MotionDirection};
pub use measure::{
    Component, EnergyMeasure, ExpressionMeasure, Measure, MeasureKind, MomentumMeasure, PairMeasure, Quantity,
    ReactionMeasure, VectorMeasure,
};
pub use rolling::{Rolling, RollingShape};
pub use sensor::{Activity, CrossingDirection, ElementKind, Sensor};
pub use solid::{Solid, SolidKind};
pub use units::Units;
pub use user_state::UserState;
pub use vector::{Vector3, vector, zero};
pub use walk::{Placed, Walk, coordinate};

pub use fourbar_expression::model::{Column, Ordinates, SourceFile, Spline};

use crate::expression::Expression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Integrators by their names in files and on the command line.
pub const INTEGRATORS: [&str; 7] = ["gstiff", "wstiff", "dstiff", "constant_bdf", "hht", "rkf45", "abam"];

/// Name of the fixed body every model has without saying so; its frame is the global frame.
pub const GROUND: &str = "ground";

/// A mechanism as a person describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Model {
    /// Title.
    pub name: String,
    /// What the model shows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Units in which the numbers of the model are written; SI units if empty.
    #[serde(skip_serializing_if = "Units::is_empty")]
    pub units: Units,
    /// Units in which results are shown, as `"mm, deg, bar"`; those of `units` if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub result_units: String,
    /// Gravitational acceleration in the global frame [m/s^2].
    pub gravity: Vector3,
    /// Named constants that every expression may use; they may refer to each other.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Expression>,
    /// Curves through points, for expressions.
    #[serde(rename = "spline", skip_serializing_if = "Vec::is_empty")]
    pub splines: Vec<Spline>,
    /// How the model is to be run unless the caller says otherwise.
    pub simulation: Settings,
    /// Rigid bodies, without the ground.
    #[serde(rename = "body")]
    pub bodies: Vec<Body>,
    /// Flexible bodies.
    #[serde(rename = "flexible", skip_serializing_if = "Vec::is_empty")]
    pub flexible: Vec<Flexible>,
    /// Named frames fixed to bodies.
    #[serde(rename = "marker", skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<Marker>,
    /// Joints and joint primitives.
    #[serde(rename = "joint", skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Joint>,
    /// Spheres and discs that roll without sliding.
    #[serde(rename = "rolling", skip_serializing_if = "Vec::is_empty")]
    pub rolling: Vec<Rolling>,
    /// Prescribed motions of joints.
    #[serde(rename = "motion", skip_serializing_if = "Vec::is_empty")]
    pub motions: Vec<Motion>,
    /// Linear relations of joint coordinates.
    #[serde(rename = "coupler", skip_serializing_if = "Vec::is_empty")]
    pub couplers: Vec<Coupler>,
    /// Pairs of gears.
    #[serde(rename = "gear", skip_serializing_if = "Vec::is_empty")]
    pub gears: Vec<Gear>,
    /// Pinions on racks.
    #[serde(rename = "rack_and_pinion", skip_serializing_if = "Vec::is_empty")]
    pub racks: Vec<RackAndPinion>,
    /// Curves through points, fixed to bodies.
    #[serde(rename = "curve", skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
    /// Origins of markers that stay on curves.
    #[serde(rename = "point_on_curve", skip_serializing_if = "Vec::is_empty")]
    pub points_on_curves: Vec<PointOnCurve>,
    /// Pairs of plane curves that touch.
    #[serde(rename = "curve_on_curve", skip_serializing_if = "Vec::is_empty")]
    pub curves_on_curves: Vec<CurveOnCurve>,
    /// Constraints by expression.
    #[serde(rename = "constraint", skip_serializing_if = "Vec::is_empty")]
    pub equations: Vec<EquationConstraint>,
    /// Drives whose size comes from outside while the mechanism runs.
    #[serde(rename = "actuator", skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<Actuator>,
    /// Numbers that come from outside while the mechanism runs.
    #[serde(rename = "input", skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Unknowns of the user.
    #[serde(rename = "state", skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<UserState>,
    /// Quotients of polynomials of s.
    #[serde(rename = "transfer_function", skip_serializing_if = "Vec::is_empty")]
    pub transfer_functions: Vec<TransferFunction>,
    /// Linear systems by their matrices.
    #[serde(rename = "state_space", skip_serializing_if = "Vec::is_empty")]
    pub state_spaces: Vec<StateSpaceBlock>,
    /// Controllers.
    #[serde(rename = "pid", skip_serializing_if = "Vec::is_empty")]
    pub pids: Vec<Pid>,
    /// Forces and torques other than gravity.
    #[serde(rename = "force", skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<Force>,
    /// Friction at joints.
    #[serde(rename = "friction", skip_serializing_if = "Vec::is_empty")]
    pub frictions: Vec<Friction>,
    /// What is watched while the mechanism runs, and what happens then.
    #[serde(rename = "sensor", skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<Sensor>,
    /// When joints, motions and forces act that do not act all the time.
    #[serde(rename = "activity", skip_serializing_if = "Vec::is_empty")]
    pub activities: Vec<Activity>,
    /// Results by name.
    #[serde(rename = "measure", skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            units: Units::default(),
            result_units: String::new(),
            gravity: zero(),
            parameters: BTreeMap::new(),
            splines: Vec::new(),
            simulation: Settings::default(),
            bodies: Vec::new(),
            flexible: Vec::new(),
            markers: Vec::new(),
            joints: Vec::new(),
            rolling: Vec::new(),
            motions: Vec::new(),
            couplers: Vec::new(),
            gears: Vec::new(),
            racks: Vec::new(),
            curves: Vec::new(),
            points_on_curves: Vec::new(),
            curves_on_curves: Vec::new(),
            equations: Vec::new(),
            actuators: Vec::new(),
            inputs: Vec::new(),
            states: Vec::new(),
            transfer_functions: Vec::new(),
            state_spaces: Vec::new(),
            pids: Vec::new(),
            forces: Vec::new(),
            frictions: Vec::new(),
            sensors: Vec::new(),
            activities: Vec::new(),
            measures: Vec::new(),
        }
    }
}

impl Model {
    /// Motions that are in force: those that no actuator replaces.
    pub fn motions_in_force(&self) -> impl Iterator<Item = &Motion> {
        self.motions.iter().filter(|motion| {
            self.actuators.iter().all(|actuator| actuator.replaces.as_deref() != Some(motion.name.as_str()))
        })
    }
}

/// How a model is run unless the caller says otherwise. Absent entries take the defaults of the integrator.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// End time \[s\]; runs start at t = 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Expression>,
    /// Time between outputs \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_step: Option<Expression>,
    /// Integrator by name (`gstiff`, `wstiff`, `dstiff`, `constant_bdf`, `hht`, `rkf45`, `abam`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// Formulation by name (`si2`, `si1`, `i3`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulation: Option<String>,
    /// Relative tolerance of the local error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Expression>,
    /// Absolute tolerances of the local error.
    #[serde(skip_serializing_if = "AbsoluteTolerances::is_empty")]
    pub absolute: AbsoluteTolerances,
    /// First step \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_step: Option<Expression>,
    /// Smallest step \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_step: Option<Expression>,
    /// Largest step \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Expression>,
    /// Largest order, 1 to 6; of `abam` 1 to 12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_order: Option<u8>,
    /// Numerical damping of `hht` as HHT-alpha, from -1/3 (most) to 0 (none); -0.3 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Expression>,
    /// Numerical damping of `hht` as generalized-alpha: the spectral radius at infinity, from 0 (most) to 1 (none); in place of `alpha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rho_infinity: Option<Expression>,
    /// Most steps a run may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// Times at which a step must end exactly \[s\].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_times: Vec<Expression>,
}

impl Settings {
    /// These settings with every entry that `other` gives taken from there.
    #[must_use]
    pub fn overridden_by(&self, other: &Self) -> Self {
        let (mut one, two) = (self.clone(), other.clone());
        // Formulation, order and damping are those of an integrator: another one comes with its own.
        let name = |settings: &Self| settings.integrator.as_deref().unwrap_or(INTEGRATORS[0]).to_ascii_lowercase();
        if two.integrator.is_some() && name(&one) != name(&two) {
            (one.formulation, one.max_order) = (None, None);
        }
        // Each says all of the damping.
        if two.integrator.is_some() && name(&one) != name(&two) || two.alpha.is_some() || two.rho_infinity.is_some() {
            (one.alpha, one.rho_infinity) = (None, None);
        }
        Self {
            end: two.end.or(one.end),
            output_step: two.output_step.or(one.output_step),
            integrator: two.integrator.or(one.integrator),
            formulation: two.formulation.or(one.formulation),
            tolerance: two.tolerance.or(one.tolerance),
            absolute: one.absolute.overridden_by(two.absolute),
            first_step: two.first_step.or(one.first_step),
            min_step: two.min_step.or(one.min_step),
            max_step: two.max_step.or(one.max_step),
            max_order: two.max_order.or(one.max_order),
            alpha: two.alpha.or(one.alpha),
            rho_infinity: two.rho_infinity.or(one.rho_infinity),
            max_steps: two.max_steps.or(one.max_steps),
            stop_times: if two.stop_times.is_empty() { one.stop_times } else { two.stop_times },
        }
    }
}

/// Absolute tolerances of the local error by the kind of unknown, added to what the relative one allows of the mechanism's own motion.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AbsoluteTolerances {
    /// Of positions \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Expression>,
    /// Of orientations \[rad\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Expression>,
    /// Of velocities [m/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Expression>,
    /// Of angular velocities [rad/s]; of angular momenta times the moment of inertia.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Expression>,
}

impl AbsoluteTolerances {
    /// Whether none is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn overridden_by(self, other: Self) -> Self {
        Self {
            position: other.position.or(self.position),
            orientation: other.orientation.or(self.orientation),
            velocity: other.velocity.or(self.velocity),
            angular_velocity: other.angular_velocity.or(self.angular_velocity),
        }
    }
}
