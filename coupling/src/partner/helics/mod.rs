//! A federation of HELICS as a partner: what is connected to its inputs is published, its outputs are what other federates publish.
//!
//! HELICS (Palmintier and others, "Design of the HELICS High-Performance Transmission-Distribution-Communication-Market Co-Simulation Framework",
//! MSCPES 2017) grants times and carries values between simulators of many makers, on one computer or several. A step of the master is one request of time:
//! the values at its end are published first, and reach the others with the time that they are granted. So the federation is to be stepped last
//! ([`GaussSeidel`](crate::Algorithm::GaussSeidel)). With [`Order::Hold`](crate::Order) the federates then exchange values as
//! [`JacobiDelayed`](crate::Algorithm::JacobiDelayed) does in one process; with a higher order each continues what it receives by a polynomial. The C library is loaded at run time. A federation returns to no earlier time.

mod error;
mod federates;
mod foreign;
mod received;
mod watch;

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fourbar_linalg::text::Brief;

use crate::function::{Capabilities, Causality, Description, Failure, Signal, Simulator, Variable};

pub use error::HelicsError;
use foreign::{Helics, Member};
use received::Received;

/// Environment variable with the C library.
pub const HELICS_LIBRARY: &str = "HELICS_LIBRARY";

/// The library where the variable is not set: that of the system.
const LIBRARY: &str = if cfg!(target_os = "macos") {
    "libhelics.dylib"
} else if cfg!(windows) {
    "helics.dll"
} else {
    "libhelics.so"
};

/// HELICS asks for the broker again after this time \[s\], its own default.
const ATTEMPT: f64 = 4.0;

/// How long HELICS looks for the broker, in its words: attempts of one length that fill the time limit. There are two at least, for none but the
/// first is taken for no limit.
fn attempts(limit: Duration) -> String {
    // Beyond a year it does not matter.
    let limit = limit.as_secs_f64().clamp(0.02, 3e7);
    let number = (limit / ATTEMPT).ceil().max(2.0);
    let each = (1000.0 * limit / number).ceil();
    format!(" --networktimeout={each}ms --networkretries={}", number - 1.0)
}

/// How a federation is joined.
#[derive(Debug, Clone, PartialEq)]
pub struct FederateOptions {
    /// Name of the federate; its publications and inputs are NAME/KEY to the others.
    pub name: String,
    /// Kind of connection: `zmq`, `tcp`, `ipc`, ...; that of HELICS if empty.
    pub core: String,
    /// Address of the broker, as `--broker_address` of HELICS takes it; one on this computer if empty.
    pub broker: String,
    /// Communication step \[s\].
    pub step: f64,
    /// Time on the clock within which the others must answer.
    pub time_limit: Duration,
}

/// A variable and the names under which others know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchanged {
    /// The variable: an input is published, an output is received.
    pub variable: Variable,
    /// Of an output: the publication that feeds it, `FEDERATE/KEY`; none if another federate or the broker links it.
    pub target: Option<String>,
}

/// This process in a federation of HELICS.
pub struct Federation {
    member: Member,
    description: Description,
    inputs: Vec<Signal>,
    published: Vec<f64>,
    received: Vec<Received>,
    /// Whether values of the start have been exchanged and time runs.
    runs: bool,
    /// The last time that was granted \[s\]; none once the others are lost.
    granted: Option<f64>,
}

impl Federation {
    /// Connects to the broker. The others are waited for when values are first exchanged.
    ///
    /// # Errors
    /// [`HelicsError`].
    pub fn join(options: &FederateOptions, exchanged: &[Exchanged]) -> Result<Self, HelicsError> {
        let nanoseconds = options.step * 1e9;
        // A double has no more than 53 bits for them: a step of a hundred days and more.
        if !((1.0..9e15).contains(&nanoseconds) && (nanoseconds - nanoseconds.round()).abs() <= 1e-9 * nanoseconds) {
            return Err(HelicsError::Step { step: options.step });
        }
        let told = std::env::var_os(HELICS_LIBRARY).filter(|path| !path.is_empty());
        let helics = Helics::load(&told.unwrap_or_else(|| OsString::from(LIBRARY)))?;
        let refused = |reason: String| HelicsError::Join { federate: options.name.clone(), reason };
        let broker = match options.broker.as_str() {
            "" => String::new(),
            broker => format!(" --broker_address={broker}"),
        };
        let core_init = format!("--federates=1{broker}{}", attempts(options.time_limit));
        let core = if options.core.is_empty() { "default" } else { &options.core };
        let mut member = Member::create(helics, &options.name, core, &core_init, options.step, options.time_limit)
            .map_err(refused)?;
        for Exchanged { variable, target } in exchanged {
            match variable.causality {
                Causality::Input => member.publication(&variable.name, &variable.unit),
                Causality::Output => member.input(&variable.name, target.as_deref()),
            }
            .map_err(refused)?;
        }
        let description = Description {
            variables: exchanged.iter().map(|exchanged| exchanged.variable.clone()).collect(),
            solver_step: None,
            capabilities: Capabilities::PLAIN.input_order(2),
        };
        let published: Vec<f64> = description.with(Causality::Input).map(|variable| variable.start).collect();
        let outputs = exchanged.iter().filter(|own| own.variable.causality == Causality::Output);
        let received = outputs.map(|own| Received::new(&own.variable, own.target.as_deref())).collect();
        let inputs = published.iter().map(|&value| Signal::held(value)).collect();
        Ok(Self { member, description, inputs, published, received, runs: false, granted: None })
    }

    /// Exchanges values of the start, once.
    fn begin(&mut self) -> Result<(), Failure> {
        if !self.runs {
            self.member.initialize()?;
            // What is refused is refused before time runs.
            self.member.read(&mut self.received)?;
            self.member.publish(self.published.iter().copied())?;
            self.member.execute()?;
            self.runs = true;
            return self.member.read(&mut self.received);
        }
        Ok(())
    }
}

impl Simulator for Federation {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.begin()?;
        let time = t + h;
        for (value, signal) in self.published.iter_mut().zip(&self.inputs) {
            *value = signal.at(h);
        }
        self.granted = None;
        self.member.publish(self.published.iter().copied())?;
        let granted = self.member.request(time)?;
        // Times are whole nanoseconds there.
        if (granted - time).abs() > 1e-9 {
            let words =
                format!("{time} s was asked for and {granted} s granted: other federates have ended or are lost");
            return Err(Failure::new(words));
        }
        self.member.read(&mut self.received)?;
        self.granted = Some(granted);
        Ok(time)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.begin()?;
        values.iter_mut().zip(&self.received).for_each(|(value, own)| *value = own.value);
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        let ended = self.granted.map_or(Vec::new(), |granted| self.member.ended(granted));
        let told = |(federate, time): (String, f64)| {
            let time = Brief(time);
            format!(
                "the federate \"{federate}\" has ended: its last values are of t = {time} s, and stay as they are from then on; give all federates the same end"
            )
        };
        ended.into_iter().map(told).collect()
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.member.interrupt_by(flag);
    }
}
