//! The equations of one component over its own few variables, written once over numbers and dual numbers.
//!
//! A component's variables are, in this order: the pressures at its ports, its states, then what drives it from outside. It answers the
//! flows into its nodes, the volumes it adds to them, the rates of its states, and what can be observed.

mod actuator;
mod conditioning;
mod control;
mod efficiency;
mod pipe;
mod response;
mod source;
mod valve;
mod winch;

pub(crate) use actuator::{Cylinder, Drive, Friction, Motor, Stops};
pub(crate) use conditioning::{Cooler, Filter};
pub(crate) use control::{Counterbalance, FlowControl, PilotCheck};
pub(crate) use efficiency::EfficiencyMap;
pub(crate) use pipe::PipeCell;
pub(crate) use response::{Response, VARIABLES, Wide};
pub(crate) use source::{Accumulator, Adjustment, Pump, RigidLine, WaveLine};
pub(crate) use valve::{Check, Reducing, Relief, Spool};
pub(crate) use winch::Winch;

use crate::fluid::Edge;
use fourbar_expression::Scalar;

/// A compiled component.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    /// Variables: p from, p to, opening.
    Orifice(Edge),
    Check(Check),
    Relief(Relief),
    Reducing(Reducing),
    Counterbalance(Counterbalance),
    PilotCheck(PilotCheck),
    FlowControl(FlowControl),
    Spool(Spool),
    /// Variables: p from, p to, flow.
    FlowSource,
    Pump(Pump),
    Accumulator(Accumulator),
    Line(RigidLine),
    PipeCell(PipeCell),
    WaveLine(WaveLine),
    Cylinder(Cylinder),
    Motor(Motor),
    Winch(Winch),
    Filter(Filter),
    Cooler(Cooler),
}

impl Element {
    /// Evaluates the component at its variables.
    pub(crate) fn respond<T: Scalar>(&self, x: &[T; VARIABLES], out: &mut Response<T>) {
        match self {
            // The opening is a share: nothing opens less than not at all. A NaN passes.
            Self::Orifice(edge) => {
                let opening = if x[2].re() < 0.0 { T::from(0.0) } else { x[2] };
                out.pass(edge.flow(opening, x[0] - x[1]));
            }
            Self::Check(valve) => out.pass(valve.flow(x[0] - x[1])),
            Self::Relief(valve) => out.pass(valve.flow(x[0], x[1])),
            Self::Reducing(valve) => valve.respond(x, out),
            Self::Counterbalance(valve) => out.pass(valve.flow(x[0], x[1], x[2])),
            Self::PilotCheck(valve) => out.pass(valve.flow(x[0], x[1], x[2])),
            Self::FlowControl(valve) => out.pass(valve.flow(x[0] - x[1], x[2])),
            Self::Spool(valve) => valve.respond(x, out),
            Self::FlowSource => out.pass(x[2]),
            Self::Pump(pump) => pump.respond(x, out),
            Self::Accumulator(store) => store.respond(x, out),
            Self::Line(line) => line.respond(x, out),
            Self::PipeCell(cell) => cell.respond(x, out),
            Self::WaveLine(line) => line.respond(x, out),
            Self::Cylinder(cylinder) => cylinder.respond(x, out),
            Self::Motor(motor) => motor.respond(x, out),
            Self::Winch(winch) => winch.respond(x, out),
            Self::Filter(filter) => filter.respond(x, out),
            Self::Cooler(cooler) => cooler.respond(x, out),
        }
    }

    /// Names and units of its observed values.
    pub(crate) fn observed(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Reducing(valve) if valve.drains => &[("flow", "m^3/s"), ("drain_flow", "m^3/s")],
            Self::Spool(_) => &[("flow_a", "m^3/s"), ("flow_b", "m^3/s")],
            Self::Pump(_) => &[("flow", "m^3/s"), ("torque", "N*m")],
            Self::Accumulator(_) => &[("inflow", "m^3/s"), ("pressure", "Pa")],
            // Its flow is an unknown.
            Self::Line(_) => &[],
            Self::PipeCell(_) | Self::WaveLine(_) => &[("flow_from", "m^3/s"), ("flow_to", "m^3/s")],
            Self::Cylinder(_) => &[("force", "N")],
            Self::Motor(_) => &[("torque", "N*m")],
            Self::Winch(_) => &[("tension", "N"), ("speed", "rad/s")],
            Self::Filter(_) => &[("flow", "m^3/s"), ("bypass_flow", "m^3/s")],
            Self::Cooler(_) => &[("flow", "m^3/s"), ("heat", "W")],
            _ => &[("flow", "m^3/s")],
        }
    }

    /// Whether its observed values can depend directly on this variable; what only moves its states does not count.
    pub(crate) fn shows(&self, variable: usize) -> bool {
        match self {
            Self::Spool(_) => variable < 6,
            Self::Pump(pump) => variable < 4 || pump.adjustment.is_none(),
            Self::Cylinder(cylinder) => variable < 4 && (variable != 2 || cylinder.stops.is_some()),
            Self::Motor(_) => variable < 3,
            Self::Winch(winch) => variable < 2 || variable == winch.velocity(),
            _ => true,
        }
    }
}
