//! The simulator in front of a foreign instance, wherever that runs: what the trait asks piece by piece is gathered to one exchange.

use crate::function::{
    Capabilities, Causality, Description, Failure, Parameter, Signal, Simulator, Snapshot, SolverCounts, Text,
};
use crate::partner::damaged;
use fourbar_linalg::checkpoint::{Source, Stored};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The arrays of one exchange, sized once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    /// Present time \[s\].
    pub(crate) time: f64,
    /// Length of the step \[s\]; 0 to sample only.
    pub(crate) step: f64,
    /// Values, first and second derivatives of the inputs.
    pub(crate) inputs: [Vec<f64>; 3],
    pub(crate) outputs: Vec<f64>,
    /// Empty if the instance does not know them.
    pub(crate) rates: Vec<f64>,
    /// Time reached \[s\].
    pub(crate) reached: f64,
    /// Time of the next event that is known beforehand \[s\]; infinite if there is none.
    pub(crate) next_event: f64,
}

impl Exchange {
    /// For an instance described so, with its start values at `time` \[s\].
    pub(crate) fn new(description: &Description, time: f64) -> Self {
        let values: Vec<f64> = description.with(Causality::Input).map(|variable| variable.start).collect();
        let zero = vec![0.0; values.len()];
        let outputs = vec![f64::NAN; description.with(Causality::Output).count()];
        let rates = if description.capabilities.output_derivatives { outputs.clone() } else { Vec::new() };
        Self {
            time,
            step: 0.0,
            inputs: [values, zero.clone(), zero],
            outputs,
            rates,
            reached: f64::NAN,
            next_event: f64::INFINITY,
        }
    }

    /// What is not written must not look like an answer.
    pub(crate) fn forget_outputs(&mut self) {
        self.outputs.fill(f64::NAN);
        self.rates.fill(f64::NAN);
        self.reached = f64::NAN;
    }

    /// Copies the outputs.
    #[inline]
    fn tell(&self, values: &mut [f64]) {
        // Mostly few values: a call that copies costs more.
        values.iter_mut().zip(&self.outputs).for_each(|(to, from)| *to = *from);
    }

    /// Moves the polynomials of the inputs to the end of the step.
    #[inline]
    fn follow_inputs(&mut self) {
        let h = self.step;
        let [values, first, second] = &mut self.inputs;
        for ((value, first), second) in values.iter_mut().zip(first).zip(second) {
            let signal = Signal { value: *value, first: *first, second: *second };
            *value = signal.at(h);
            *first += h * *second;
        }
    }
}

/// The way to a foreign instance.
pub(crate) trait Line: Send {
    /// What it saves.
    type State: Default + Send + 'static;
    /// Does one exchange.
    fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure>;
    /// Replaces `state` by its own.
    fn save(&mut self, state: &mut Self::State) -> Result<(), Failure>;
    /// Returns to a state.
    fn restore(&mut self, state: &Self::State) -> Result<(), Failure>;
    /// Appends the bytes of a state.
    fn store(&mut self, state: &Self::State, to: &mut Vec<u8>) -> Result<(), Failure>;
    /// Makes a state of them.
    fn load(&mut self, bytes: &[u8], state: &mut Self::State) -> Result<(), Failure>;
    /// The parameters as they stand.
    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        Ok(Vec::new())
    }
    /// The texts as they stand.
    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        Ok(Vec::new())
    }
    /// Lets steps end at its events.
    fn end_at_events(&mut self) {}
    /// What a reader of the results should know of the run so far.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
    /// What its solver has done so far, if that is on this side.
    fn solver_counts(&self) -> Option<SolverCounts> {
        None
    }
    /// Takes the flag on which it gives up waiting.
    fn interrupt_by(&mut self, _flag: &Arc<AtomicBool>) {}
}

/// A foreign instance as a simulator.
pub(crate) struct Front<L> {
    line: L,
    description: Description,
    exchange: Exchange,
    /// Whether the outputs belong to the present time and inputs.
    fresh: bool,
    /// Whether inputs are held over a step: the derivatives stay 0.
    holds: bool,
}

/// What [`Front`] saves.
#[derive(Default)]
struct Saved<S> {
    time: f64,
    inputs: [Vec<f64>; 3],
    state: S,
}

impl<L: Line> Front<L> {
    pub(crate) fn new(line: L, description: Description, start: f64) -> Self {
        let holds = description.capabilities.input_order == 0;
        Self { exchange: Exchange::new(&description, start), line, description, fresh: false, holds }
    }

    #[cfg(all(unix, feature = "process"))]
    pub(crate) fn line(&self) -> &L {
        &self.line
    }

    fn capabilities(&self) -> Capabilities {
        self.description.capabilities
    }

    /// Steps from `t` by `h` \[s\]; the time reached.
    #[inline(always)]
    fn go(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        (self.exchange.time, self.exchange.step) = (t, h);
        self.fresh = false;
        self.line.exchange(&mut self.exchange)?;
        let reached = self.exchange.reached;
        if self.description.capabilities.early_return && reached < t + h {
            self.exchange.step = reached - t;
        }
        if !self.holds {
            self.exchange.follow_inputs();
        }
        self.exchange.time = t + self.exchange.step;
        self.fresh = true;
        Ok(reached)
    }

    /// Brings the outputs up to date.
    #[inline]
    fn refresh(&mut self) -> Result<(), Failure> {
        if self.fresh { Ok(()) } else { self.sample() }
    }

    fn sample(&mut self) -> Result<(), Failure> {
        self.exchange.step = 0.0;
        self.line.exchange(&mut self.exchange)?;
        self.fresh = true;
        Ok(())
    }
}

impl<L: Line> Simulator for Front<L> {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    #[inline]
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.fresh = false;
        let [values, first, second] = &mut self.exchange.inputs;
        if self.holds {
            values.iter_mut().zip(inputs).for_each(|(value, signal)| *value = signal.value);
            return Ok(());
        }
        for (((value, first), second), signal) in values.iter_mut().zip(first).zip(second).zip(inputs) {
            (*value, *first, *second) = (signal.value, signal.first, signal.second);
        }
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.go(t, h)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.refresh()?;
        self.exchange.tell(values);
        Ok(())
    }

    #[inline]
    fn advance(&mut self, inputs: &[Signal], t: f64, h: f64, values: &mut [f64]) -> Option<Result<f64, Failure>> {
        // Taking inputs cannot fail here, and outputs are there once the step is done.
        let reached = self.set_inputs(inputs).and_then(|()| self.go(t, h));
        if reached.is_ok() {
            self.exchange.tell(values);
        }
        Some(reached)
    }

    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        if !self.capabilities().output_derivatives {
            return Err(Failure::Unsupported("derivatives of outputs"));
        }
        self.refresh()?;
        derivatives.copy_from_slice(&self.exchange.rates);
        Ok(())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        if !self.capabilities().rollback {
            return Err(Failure::Unsupported("saving its state"));
        }
        let saved: &mut Saved<L::State> = snapshot.content_mut();
        saved.time = self.exchange.time;
        for (to, from) in saved.inputs.iter_mut().zip(&self.exchange.inputs) {
            to.clone_from(from);
        }
        self.line.save(&mut saved.state)
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        let saved: &Saved<L::State> = snapshot.content()?;
        saved.time.store(to);
        saved.inputs.store(to);
        self.line.store(&saved.state, to)
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let saved: &mut Saved<L::State> = snapshot.content_mut();
        saved.inputs.clone_from(&self.exchange.inputs);
        saved.time.load(&mut from).and_then(|()| saved.inputs.load(&mut from)).map_err(damaged)?;
        let left = from.left();
        let rest = from.take(left).map_err(damaged)?;
        self.line.load(rest, &mut saved.state)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        if !self.capabilities().rollback {
            return Err(Failure::Unsupported("returning to a saved state"));
        }
        let saved: &Saved<L::State> = snapshot.content()?;
        if saved.inputs[0].len() != self.exchange.inputs[0].len() {
            return Err(Failure::new("the snapshot was written by another library"));
        }
        self.line.restore(&saved.state)?;
        self.exchange.time = saved.time;
        for (to, from) in self.exchange.inputs.iter_mut().zip(&saved.inputs) {
            to.clone_from(from);
        }
        self.fresh = false;
        Ok(())
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        self.line.parameters()
    }

    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        self.line.texts()
    }

    fn next_event(&mut self) -> Option<f64> {
        Some(self.exchange.next_event).filter(|time| time.is_finite())
    }

    fn end_at_events(&mut self) {
        self.line.end_at_events();
    }

    fn warnings(&self) -> Vec<String> {
        self.line.warnings()
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        self.line.solver_counts()
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.line.interrupt_by(flag);
    }
}

/// A partner that is its field `front` and nothing else to the others.
macro_rules! is_its_front {
    ($partner:ty) => {
        const _: () = {
            use $crate::function::{Description, Failure, Parameter, Signal, Simulator, Snapshot, SolverCounts, Text};

            impl Simulator for $partner {
                fn describe(&self) -> Description {
                    self.front.describe()
                }

                fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
                    self.front.set_inputs(inputs)
                }

                fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
                    self.front.step(t, h)
                }

                fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
                    self.front.outputs(values)
                }

                fn advance(
                    &mut self,
                    inputs: &[Signal],
                    t: f64,
                    h: f64,
                    values: &mut [f64],
                ) -> Option<Result<f64, Failure>> {
                    self.front.advance(inputs, t, h, values)
                }

                fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
                    self.front.output_derivatives(derivatives)
                }

                fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
                    self.front.save(snapshot)
                }

                fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
                    self.front.store(snapshot, to)
                }

                fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
                    self.front.load(bytes, snapshot)
                }

                fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
                    self.front.restore(snapshot)
                }

                fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
                    self.front.parameters()
                }

                fn texts(&mut self) -> Result<Vec<Text>, Failure> {
                    self.front.texts()
                }

                fn next_event(&mut self) -> Option<f64> {
                    self.front.next_event()
                }

                fn end_at_events(&mut self) {
                    self.front.end_at_events();
                }

                fn warnings(&self) -> Vec<String> {
                    self.front.warnings()
                }

                fn solver_counts(&self) -> Option<SolverCounts> {
                    self.front.solver_counts()
                }

                fn interrupt_by(&mut self, flag: &std::sync::Arc<std::sync::atomic::AtomicBool>) {
                    self.front.interrupt_by(flag);
                }
            }
        };
    };
}
pub(crate) use is_its_front;
