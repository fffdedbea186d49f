//! The settings of a coupled model as numbers.

use super::CoupledModel;
use super::aliases::Names;
use super::{AdaptiveSettings, AlgorithmName, CoupledSettings};
use crate::Error;
use crate::results::number;
use fourbar_coupling::management::{Pacing, Port};
use fourbar_coupling::{Adaptive, Algorithm, Options, Order};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, ModelError, Parameters};

/// Settings as numbers.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub(crate) end: Option<f64>,
    pub(crate) output_step: Option<f64>,
    /// With an end of infinity where none is given.
    pub(crate) options: Options,
    pub(crate) record: Option<Vec<String>>,
}

pub(super) fn field(name: &str) -> Location {
    Location { section: "simulation", index: 0, name: String::new(), field: name.to_owned() }
}

/// Part of a communication step by which an output may miss a communication point.
pub(crate) const SAME: f64 = 1e-6;

impl Settled {
    /// Refuses outputs between communication points, unless the communication step is adaptive.
    pub(crate) fn check_output_step(&self) -> Result<(), Error> {
        let (Some(output_step), None) = (self.output_step, &self.options.adaptive) else { return Ok(()) };
        let step = self.options.step;
        let every = (output_step / step).round();
        if every < 1.0 || (output_step - every * step).abs() > SAME * step {
            return Err(Error::OutputsBetweenSteps { output_step, step });
        }
        Ok(())
    }

    /// Takes the multiple of the communication step next to the model's output step, where that does not fit; what was done, in words.
    pub(crate) fn fit_output_step(&mut self) -> Option<String> {
        let Err(Error::OutputsBetweenSteps { output_step, step }) = self.check_output_step() else { return None };
        let fitting = (output_step / step).round().max(1.0) * step;
        self.output_step = Some(fitting);
        Some(format!(
            "outputs are {} s apart instead of {} s, so that they fall on communication points; give `output_step` with `step` to choose",
            number(fitting, 6),
            number(output_step, 6)
        ))
    }

    /// Indices among `names`, the first `outputs` of which are outputs, the others inputs, of what `record` asks for: all outputs if it asks
    /// for nothing.
    pub(crate) fn recorded(&self, names: &[String], outputs: usize) -> Result<Vec<usize>, Error> {
        let Some(record) = &self.record else { return Ok((0..outputs).collect()) };
        if record.is_empty() {
            let remedy = format!("remove it to record all outputs, or name some of them: {}", names.join(", "));
            return Err(Error::CoupledModel(ModelError::new(field("record"), "it names nothing", remedy)));
        }
        let mut found = Vec::new();
        for (index, wanted) in record.iter().enumerate() {
            let matches = |k: &usize| match wanted.strip_suffix(".*") {
                Some(simulator) => {
                    *k < outputs && names[*k].strip_prefix(simulator).is_some_and(|rest| rest.starts_with('.'))
                }
                None if wanted == "inputs" => *k >= outputs,
                None => names[*k] == *wanted,
            };
            let before = found.len();
            found.extend((0..names.len()).filter(matches));
            if found.len() == before {
                let (place, known) = (field(&format!("record.{index}")), names.iter().map(String::as_str));
                return Err(Error::CoupledModel(ModelError::unknown("output", wanted, known, &place)));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

impl Settled {
    /// Evaluates the settings of `model`; entries of `overrides` take precedence.
    pub(crate) fn new(model: &CoupledModel, overrides: &CoupledSettings) -> Result<Self, Box<ModelError>> {
        let parameters = Parameters::new(&model.parameters)?;
        let settings = model.simulation.overridden_by(overrides);
        let reader = Reader { parameters: &parameters };
        let start = settings.start_time.as_ref().map(|own| parameters.number(own, &field("start_time")));
        let start = start.transpose()?.unwrap_or(0.0);
        let end = match start == 0.0 {
            true => reader.positive("end", settings.end.as_ref(), "a time above 0 s")?,
            false => {
                let behind = |end: &Expression| {
                    parameters.checked(end, &field("end"), "a time behind `start_time`", |end| end > start)
                };
                settings.end.as_ref().map(behind).transpose()?
            }
        };
        let Some(step) = reader.positive("step", settings.step.as_ref(), "a time above 0 s")? else {
            let remedy = "write `step = 1e-3  # s` in the section [simulation], or give the run one (--step)";
            return Err(ModelError::new(field(""), "the run has no communication step", remedy));
        };
        let algorithm = reader.algorithm(&settings)?;
        let pace = reader.positive("real_time_factor", settings.real_time_factor.as_ref(), "above 0")?;
        let mut names = Names::new(model);
        let ports = model.ports.iter().map(|port| {
            let port = port.port();
            Port { effort: names.own(&port.effort), flow: names.own(&port.flow), ..port }
        });
        let options = Options {
            adaptive: settings.adaptive.as_ref().map(|adaptive| reader.adaptive(adaptive, step)).transpose()?,
            events: settings.events.unwrap_or(false),
            order_reduction: settings.order_reduction.unwrap_or(false),
            solve_loops: settings.solve_loops.unwrap_or(true),
            faults: model.faults.policy()?,
            ports: ports.collect(),
            pacing: pace.map(|real_time_factor| Pacing { real_time_factor }),
            start,
            ..Options::new(end.unwrap_or(f64::INFINITY), step, algorithm)
        };
        let output_step = reader.positive("output_step", settings.output_step.as_ref(), "a time above 0 s")?;
        let record = settings.record.map(|list| list.iter().map(|name| names.own(name)).collect());
        Ok(Self { end, output_step, options, record })
    }
}

struct Reader<'a> {
    parameters: &'a Parameters<'a>,
}

impl Reader<'_> {
    fn positive(
        &self,
        name: &str,
        setting: Option<&Expression>,
        allowed: &str,
    ) -> Result<Option<f64>, Box<ModelError>> {
        let check = |expression| self.parameters.checked(expression, &field(name), allowed, |value| value > 0.0);
        setting.map(check).transpose()
    }

    fn algorithm(&self, settings: &CoupledSettings) -> Result<Algorithm, Box<ModelError>> {
        let name = settings.algorithm.unwrap_or_default();
        // Parabolas are more accurate and bear longer steps, but an iteration that has converged through them is unstable from H omega of about 1
        // (docs/coupling.md, "Default").
        let order = match settings.order {
            Some(0) => Order::Hold,
            Some(1) => Order::Linear,
            None if name == AlgorithmName::Iterated => Order::Linear,
            None | Some(2) => Order::Quadratic,
            Some(order) => {
                let problem = format!("the value is {order}");
                return Err(ModelError::new(field("order"), problem, "it must be an order from 0 to 2"));
            }
        };
        self.refuse_strangers(name, settings)?;
        let sequence = settings.sequence.clone();
        Ok(match name {
            AlgorithmName::JacobiDelayed => Algorithm::JacobiDelayed,
            AlgorithmName::Jacobi => Algorithm::Jacobi { order },
            AlgorithmName::GaussSeidel => Algorithm::GaussSeidel { order, sequence },
            AlgorithmName::Iterated => {
                let tolerance = self.positive("tolerance", settings.tolerance.as_ref(), "above 0")?;
                Algorithm::Iterated {
                    order,
                    sequence,
                    acceleration: settings.acceleration.unwrap_or_default().acceleration(),
                    tolerance: tolerance.unwrap_or(1e-8),
                    max_sweeps: settings.max_sweeps.unwrap_or(20) as usize,
                }
            }
        })
    }

    /// Refuses settings that the algorithm does not have.
    fn refuse_strangers(&self, name: AlgorithmName, settings: &CoupledSettings) -> Result<(), Box<ModelError>> {
        let mut without = settings.clone();
        without.drop_strangers(name);
        let strangers = [
            ("order", settings.order != without.order),
            ("sequence", settings.sequence != without.sequence),
            ("acceleration", settings.acceleration != without.acceleration),
            ("tolerance", settings.tolerance != without.tolerance),
            ("max_sweeps", settings.max_sweeps != without.max_sweeps),
        ];
        match strangers.into_iter().find(|(_, stranger)| *stranger) {
            Some((setting, _)) => {
                let problem = format!("the algorithm `{}` has no `{setting}`", name.name());
                Err(ModelError::new(field(setting), problem, "remove it, or choose another algorithm"))
            }
            None => Ok(()),
        }
    }

    fn adaptive(&self, settings: &AdaptiveSettings, step: f64) -> Result<Adaptive, Box<ModelError>> {
        let time = "a time above 0 s";
        let tolerance = self.positive("adaptive.tolerance", Some(&settings.tolerance), "above 0")?;
        Ok(Adaptive {
            tolerance: tolerance.unwrap_or_default(),
            first: self.positive("adaptive.first", settings.first.as_ref(), time)?.unwrap_or(0.01 * step),
            shortest: self.positive("adaptive.shortest", settings.shortest.as_ref(), time)?.unwrap_or(1e-3 * step),
            rollback: settings.rollback.unwrap_or(true),
        })
    }
}
