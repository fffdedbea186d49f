//! What an interface is asked beside its steps: its state handed out, written down and taken back, and what changes before a run.

use super::call::{Call, RETURNING};
use super::interface::{Interface, Line};
use super::leg::Timebase;
use super::{Causality, Failure, Fault, Handled, Signal, Snapshot};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fourbar_linalg::stored!(struct Signal { value, first, second });

/// What is known of the simulator on this side; its own state is a [`Snapshot`].
impl Stored for Interface {
    fn store(&self, to: &mut Vec<u8>) {
        self.sent.stamp.store(to);
        self.sent.values.store(to);
        self.received.stamp.store(to);
        self.received.values.store(to);
        self.rates.store(to);
        self.position.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.sent.stamp.load(from)?;
        self.sent.values.load(from)?;
        self.received.stamp.load(from)?;
        self.received.values.load(from)?;
        self.rates.load(from)?;
        self.position.load(from)?;
        self.forget_steps();
        Ok(())
    }
}

impl Interface {
    /// Does a request that takes a snapshot along.
    fn carry(&mut self, call: Call, snapshot: &mut Snapshot, base: &Timebase) -> Result<(), Box<Fault>> {
        std::mem::swap(&mut self.buffers.carried.snapshot, snapshot);
        let done = self.ask(call, base, base.time(self.position));
        std::mem::swap(&mut self.buffers.carried.snapshot, snapshot);
        done
    }

    /// Saves the state of the simulator to `snapshot`.
    pub(crate) fn save_to(&mut self, snapshot: &mut Snapshot, base: &Timebase) -> Result<(), Box<Fault>> {
        self.carry(Call::SaveTo, snapshot, base)
    }

    /// Returns the simulator to `snapshot`; what is known of it on this side is read by [`Stored::load`].
    pub(crate) fn return_to(&mut self, snapshot: &mut Snapshot, base: &Timebase) -> Result<(), Box<Fault>> {
        if self.is_waiting() {
            let failure = Failure::new("it has not answered yet");
            return Err(self.failed(RETURNING, base.time(self.position), failure));
        }
        self.carry(Call::ReturnTo, snapshot, base)
    }

    /// Appends the bytes of `snapshot`, behind their number.
    pub(crate) fn store_state(
        &mut self,
        snapshot: &mut Snapshot,
        to: &mut Vec<u8>,
        base: &Timebase,
    ) -> Result<(), Box<Fault>> {
        self.buffers.carried.bytes.clear();
        let done = self.carry(Call::Store, snapshot, base);
        let bytes = std::mem::take(&mut self.buffers.carried.bytes);
        bytes.store(to);
        done
    }

    /// The snapshot whose bytes these are.
    pub(crate) fn load_state(&mut self, bytes: &[u8], base: &Timebase) -> Result<Snapshot, Box<Fault>> {
        self.buffers.carried.bytes = bytes.to_vec();
        let mut snapshot = Snapshot::new();
        let done = self.carry(Call::Load, &mut snapshot, base);
        self.buffers.carried.bytes = Vec::new();
        done.map(|()| snapshot)
    }

    /// Tells the simulator which of its outputs feed others. What it has to say against it the next call tells.
    pub(crate) fn watch(&mut self, places: Vec<usize>, base: &Timebase) {
        self.buffers.carried.places = places;
        let _ = self.ask(Call::Watch, base, base.time(self.position));
    }

    /// Gives the simulator, and whoever waits for it, another flag that ends waiting.
    pub(crate) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>, base: &Timebase) {
        self.buffers.carried.flag = Arc::clone(flag);
        // One that does not answer is told by the next call.
        let _ = self.ask(Call::Interrupt, base, base.time(self.position));
        if let Line::Thread(worker) = &mut self.line {
            worker.interrupt_by(flag);
        }
    }

    /// Tells the simulator that a rehearsal begins, or is over.
    pub(crate) fn rehearse(&mut self, begins: bool, base: &Timebase) {
        // One that does not answer is told by the next call.
        let _ = self.ask(Call::Rehearse(begins), base, base.time(self.position));
    }

    /// Whether the simulator handles faults itself.
    pub(crate) fn tells_faults(&self) -> bool {
        self.description().capabilities.faults
    }

    /// The faults that the simulator has handled itself since it was asked last, under its name here.
    pub(crate) fn handled(&mut self) -> impl Iterator<Item = Handled> {
        let name = self.name().to_owned();
        let told = self.buffers.asked.as_mut().map(|asked| std::mem::take(&mut asked.faults)).unwrap_or_default();
        told.into_iter().map(move |own| Handled { fault: own.fault.within(&name), ..own })
    }

    /// The names of the variables of one causality.
    pub(crate) fn names(&self, causality: Causality) -> impl Iterator<Item = &str> {
        self.description().with(causality).map(|variable| variable.name.as_str())
    }
}
