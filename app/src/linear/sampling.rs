//! Sampled forms of a linear system as the command line asks for them.

use crate::exit::Failure;
use crate::numbers::positive;
use clap::{Args, ValueEnum};
use fourbar::Error;
use fourbar::linear::{LinearAnalysis, NamedDelays};
use fourbar::lti::{Delays, Hold, SampledSystem};
use std::f64::consts::TAU;

#[derive(Debug, Args)]
pub(super) struct Sampling {
    /// Step T [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    step: f64,

    /// What the input does between samples
    #[arg(long, value_enum, default_value_t = HoldName::Zoh)]
    hold: HoldName,

    /// With tustin: the frequency that stays as it is [Hz], below 1/(2 T)
    #[arg(long, value_name = "HERTZ", value_parser = positive, allow_hyphen_values = true)]
    prewarp: Option<f64>,

    /// Delay of an input [s]; may be given for several
    #[arg(long, value_name = "NAME=SECONDS", value_parser = delay)]
    input_delay: Vec<(String, f64)>,

    /// Delay of an output [s]; may be given for several
    #[arg(long, value_name = "NAME=SECONDS", value_parser = delay)]
    output_delay: Vec<(String, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum HoldName {
    /// Zero-order hold
    Zoh,
    /// First-order hold (triangle)
    Foh,
    /// Impulse invariant
    Impulse,
    /// Bilinear
    Tustin,
}

fn delay(text: &str) -> Result<(String, f64), String> {
    let (name, seconds) = text.split_once('=').ok_or("write it as NAME=SECONDS")?;
    let value: f64 = seconds.trim().parse().map_err(|_| format!("{seconds:?} is no number of seconds"))?;
    if value >= 0.0 && value.is_finite() {
        Ok((name.trim().to_owned(), value))
    } else {
        Err(format!("a delay of {value} s is none; give 0 s or more"))
    }
}

impl Sampling {
    /// The sampled system; refused by the options, or by the system.
    pub(super) fn of(&self, analysis: &LinearAnalysis) -> Result<Result<SampledSystem, Error>, Failure> {
        if self.prewarp.is_some() && self.hold != HoldName::Tustin {
            return Err(Failure::Usage("--prewarp goes with --hold tustin; leave one of them out".to_owned()));
        }
        let below = 0.5 / self.step;
        if let Some(frequency) = self.prewarp.filter(|frequency| !(*frequency < below)) {
            let text = format!(
                "--prewarp {frequency}: with --step {} it lies below {below} Hz, half the sampling rate; choose a lower frequency or a shorter step",
                self.step
            );
            return Err(Failure::Usage(text));
        }
        self.check_delays("input", &self.input_delay, analysis.inputs())?;
        self.check_delays("output", &self.output_delay, analysis.outputs())?;
        let hold = match self.hold {
            HoldName::Zoh => Hold::ZeroOrder,
            HoldName::Foh => Hold::FirstOrder,
            HoldName::Impulse => Hold::Impulse,
            HoldName::Tustin => Hold::Tustin { prewarped_at: self.prewarp.map(|frequency| TAU * frequency) },
        };
        let inputs: Vec<(&str, f64)> = self.input_delay.iter().map(|(name, delay)| (name.as_str(), *delay)).collect();
        let outputs: Vec<(&str, f64)> = self.output_delay.iter().map(|(name, delay)| (name.as_str(), *delay)).collect();
        Ok(analysis.sampled(self.step, hold, &NamedDelays { inputs: &inputs, outputs: &outputs }))
    }

    /// Refuses delays of what is not there, and those that the sampled system cannot have.
    fn check_delays(&self, what: &str, delays: &[(String, f64)], known: &[String]) -> Result<(), Failure> {
        let whole = matches!(self.hold, HoldName::Impulse | HoldName::Tustin);
        for (name, delay) in delays {
            let refused = |problem: String| Err(Failure::Usage(format!("--{what}-delay {name}={delay}: {problem}")));
            let (steps, step) = (delay / self.step, self.step);
            if !known.contains(name) {
                return refused(format!("there is no {what} \"{name}\"; there are: {}", known.join(", ")));
            }
            if !(steps <= Delays::MOST_STEPS as f64) {
                let longest = Delays::MOST_STEPS as f64 * step;
                return refused(format!(
                    "with --step {step} a delay lies from 0 s to {longest} s, {} steps; take a longer step",
                    Delays::MOST_STEPS
                ));
            }
            // Round-off of a quotient makes no part of a step.
            if whole && (steps - steps.round()).abs() > 4.0 * f64::EPSILON * steps.max(1.0) {
                return refused(format!(
                    "with --hold impulse and --hold tustin a delay is a whole number of steps of {step} s; take --hold zoh or foh, or another \
                     --step"
                ));
            }
        }
        Ok(())
    }
}
