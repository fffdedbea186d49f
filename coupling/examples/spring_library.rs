//! A simulator in Rust as a shared library, for coupled models (`library = "libspring_library"`) and for units of FMI around them: a mass on a spring,
//! stepped exactly where its force stays.
//!
//! cargo build --release -p fourbar-coupling --example spring_library

use fourbar_coupling::partner::LibraryOptions;
use fourbar_coupling::partner::exported::LibrarySimulator;
use fourbar_coupling::{Capabilities, Description, Failure, Signal, Simulator, Variable};

/// m x'' = F - k x, with m = 1 kg.
struct Spring {
    stiffness: f64,
    force: f64,
    /// x [m] and x' [m/s].
    state: [f64; 2],
}

impl Simulator for Spring {
    fn describe(&self) -> Description {
        Description {
            variables: vec![
                Variable::input("force", "N"),
                Variable::output("position", "m").start(self.state[0]),
                Variable::output("velocity", "m/s"),
            ],
            solver_step: None,
            capabilities: Capabilities::PLAIN.rollback(true),
        }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.force = inputs[0].value;
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let (omega, rest) = (self.stiffness.sqrt(), self.force / self.stiffness);
        let ([x, v], (sine, cosine)) = (self.state, (omega * h).sin_cos());
        let from_rest = x - rest;
        self.state = [rest + from_rest * cosine + v / omega * sine, v * cosine - from_rest * omega * sine];
        Ok(t + h)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        values.copy_from_slice(&self.state);
        Ok(())
    }
}

impl LibrarySimulator for Spring {
    fn to_bytes(&mut self) -> Result<Vec<u8>, Failure> {
        Ok(self.state.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let number = |k: usize| bytes.get(8 * k..8 * k + 8)?.try_into().ok().map(f64::from_le_bytes);
        let (Some(x), Some(v)) = (number(0), number(1)) else { return Err(Failure::new("a state has 16 bytes")) };
        self.state = [x, v];
        Ok(())
    }
}

fn make(options: &LibraryOptions) -> Result<Box<dyn LibrarySimulator>, Failure> {
    let mut spring = Spring { stiffness: 100.0, force: 0.0, state: [0.01, 0.0] };
    for (name, value) in &options.parameters {
        match name.as_str() {
            "stiffness" if *value > 0.0 => spring.stiffness = *value,
            "stiffness" => return Err(Failure::new(format!("the stiffness is {value} N/m; it must be above 0"))),
            _ => return Err(Failure::new(format!("there is no parameter \"{name}\"; \"stiffness\" is one"))),
        }
    }
    Ok(Box::new(spring))
}

fourbar_coupling::partner_library!(make);
