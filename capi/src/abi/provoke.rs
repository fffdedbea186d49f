//! A panic on demand, so that programs in C can meet a real one. Only in builds with debug assertions: it is not in the header, and no
//! release exports it.

use std::cell::Cell;

use fourbar::coupling::{Description, Failure, Parameter, Signal, Simulator, Snapshot, Text};

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// The next call on this thread panics inside; from a function of the host, the call that called it, once the function says that it failed.
#[unsafe(no_mangle)]
pub extern "C" fn fourbar_provoke_panic() {
    ARMED.set(true);
}

pub(super) fn panic_if_armed() {
    assert!(!ARMED.take(), "provoked by a test");
}

/// A partner whose thread panics once its functions armed it.
#[derive(Debug)]
pub(crate) struct Provocable<S>(pub(crate) S);

impl<S: Simulator> Simulator for Provocable<S> {
    fn describe(&self) -> Description {
        self.0.describe()
    }
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.0.set_inputs(inputs)
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let reached = self.0.step(t, h);
        panic_if_armed();
        reached
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let written = self.0.outputs(values);
        panic_if_armed();
        written
    }
    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        self.0.output_derivatives(derivatives)
    }
    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        self.0.save(snapshot)
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.0.restore(snapshot)
    }
    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        self.0.store(snapshot, to)
    }
    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        self.0.load(bytes, snapshot)
    }
    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        self.0.parameters()
    }
    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        self.0.texts()
    }
    fn set_parameters(&mut self, values: &[(String, f64)]) -> Result<(), Failure> {
        self.0.set_parameters(values)
    }
    fn end_at_events(&mut self) {
        self.0.end_at_events();
    }
    fn next_event(&mut self) -> Option<f64> {
        self.0.next_event()
    }
    fn watch_outputs(&mut self, connected: &[usize]) {
        self.0.watch_outputs(connected);
    }
    fn warnings(&self) -> Vec<String> {
        self.0.warnings()
    }
}
