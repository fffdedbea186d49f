//! Settings of a linear simulation as numbers.

use super::{at, fault};
use crate::linear::{LinearModel, LinearSettings, MethodName};
use fourbar_lti::Method;
use fourbar_multibody::{ModelError, Parameters};

/// Order of a method for which none is given: exact for cubic inputs, and as accurate for stiff systems as for others.
const ORDER: usize = 3;
/// Relative error of a step of a sparse system for which none is given.
const TOLERANCE: f64 = 1e-12;

/// How a linear model is stepped: its settings as numbers, checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stepping {
    pub(crate) end: Option<f64>,
    pub(crate) output_step: Option<f64>,
    pub(crate) step: Option<f64>,
    pub(crate) name: MethodName,
    pub(crate) method: Method,
    pub(crate) tolerance: f64,
    pub(crate) stop_times: Vec<f64>,
}

impl Stepping {
    /// Evaluates the settings of `model` over its parameters. Entries of `overrides` take precedence.
    pub(crate) fn new(model: &LinearModel, overrides: &LinearSettings) -> Result<Self, Box<ModelError>> {
        let parameters = Parameters::new(&model.parameters)?;
        let settings = model.simulation.overridden_by(overrides);
        let field = |name: &str| at("simulation", 0, "", name);
        let positive = |name: &str, setting: &Option<_>| {
            let check =
                |expression| parameters.checked(expression, &field(name), "a time above 0 s", |value| value > 0.0);
            setting.as_ref().map(check).transpose()
        };
        let tolerance = settings.tolerance.as_ref().map(|expression| {
            let allowed = "a number from 1e-14 to 0.1";
            parameters.checked(expression, &field("tolerance"), allowed, |value| (1e-14..=0.1).contains(&value))
        });
        let name = settings.method.unwrap_or_default();
        let mut stop_times: Vec<f64> = Vec::with_capacity(settings.stop_times.len());
        for (index, expression) in settings.stop_times.iter().enumerate() {
            let previous = stop_times.last().copied().unwrap_or(0.0);
            let allowed = format!("larger than {previous}: stop times are above 0 s and increase");
            let location = field(&format!("stop_times.{index}"));
            stop_times.push(parameters.checked(expression, &location, &allowed, |value| value > previous)?);
        }
        Ok(Self {
            end: positive("end", &settings.end)?,
            output_step: positive("output_step", &settings.output_step)?,
            step: positive("step", &settings.step)?,
            name,
            method: method(name, settings.order)?,
            tolerance: tolerance.transpose()?.unwrap_or(TOLERANCE),
            stop_times,
        })
    }
}

fn method(name: MethodName, order: Option<u8>) -> Result<Method, Box<ModelError>> {
    let location = at("simulation", 0, "", "order");
    if let (Some(order), false) = (order, name.has_order()) {
        let problem = format!("the order is {order}, but the method `{}` has an order of its own", name.name());
        return Err(fault(location, problem, "remove `order`, or choose algorithm_1 or algorithm_2"));
    }
    let order = order.map_or(ORDER, usize::from);
    let smallest = usize::from(name == MethodName::Algorithm1RealTime);
    if !(smallest..=Method::MAX_ORDER).contains(&order) {
        let remedy = format!("it must be an order from {smallest} to {}", Method::MAX_ORDER);
        return Err(fault(location, format!("the value is {order}"), remedy));
    }
    Ok(match name {
        MethodName::Algorithm1 => Method::Algorithm1 { order },
        MethodName::Algorithm2 => Method::Algorithm2 { order },
        MethodName::Algorithm1RealTime => Method::Algorithm1RealTime { order },
        MethodName::Algorithm2RealTime => Method::Algorithm2RealTime { order },
        MethodName::ZeroOrderHold => Method::ZERO_ORDER_HOLD,
        MethodName::FirstOrderHold => Method::FIRST_ORDER_HOLD,
        MethodName::Mtm4 => Method::Mtm4,
        MethodName::Qam4 => Method::Qam4,
    })
}
