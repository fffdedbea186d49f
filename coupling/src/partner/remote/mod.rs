//! A simulator on another computer, by TCP: a [`RemoteHost`] builds it there, [`Remote`] is its partner here.
//!
//! The results are those of the same simulator in this process, bit for bit: numbers travel as their 64 bits, and each call of the trait is made
//! there in the order in which it is made here. Both ends are of the same version, know the same token and, by its fingerprint, the same model.
//! While one end works the other hears from it every second; after ten seconds of silence it is taken for lost. Nothing is encrypted: across a
//! network of others use a tunnel.

mod beat;
mod error;
mod host;
mod line;
mod places;
mod saved;
mod served;
mod session;

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::function::{Causality, Description, Failure, Parameter, Signal, Simulator, Snapshot, Text};
use crate::partner::wire::{Content, Word, put_f64, put_named, put_u64};

pub use error::RemoteError;
pub use host::{Asked, Build, HostEvent, RemoteHost};
use line::Line;
use saved::{Places, Saved};
use session::Session;

/// Which simulator of which host.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteOptions {
    /// The host, `name:port`.
    pub address: String,
    /// What both ends know and nobody else; empty where the host asks for none.
    pub token: String,
    /// Name of the simulator there.
    pub simulator: String,
    /// Parameters with other values than there.
    pub parameters: Vec<(String, f64)>,
    /// Of the model with these parameters; the host compares. 0 if nothing is to be compared.
    pub fingerprint: u64,
    /// Each request must be answered within this time; None to wait as long as the host gives signs of life.
    pub time_limit: Option<Duration>,
}

impl Default for RemoteOptions {
    /// Nothing named, a minute for each request.
    fn default() -> Self {
        Self {
            address: String::new(),
            token: String::new(),
            simulator: String::new(),
            parameters: Vec::new(),
            fingerprint: 0,
            time_limit: Some(Duration::from_secs(60)),
        }
    }
}

/// A simulator on another computer.
///
/// What it reports there it reports here in the same words. A connection that breaks, a host that gives no sign of life and an answer that is late
/// are [`Failure::Lost`]; the simulator is then gone with its saved states, and each further call says the same.
pub struct Remote {
    // Warnings are asked of one that is only looked at.
    line: RefCell<Line>,
    description: Description,
    outputs: Sampled,
    rates: Sampled,
    snapshots: Arc<Mutex<Places>>,
}

/// Values as they were last told, and whether they are those of now.
#[derive(Default)]
struct Sampled {
    values: Vec<f64>,
    fresh: bool,
}

impl Sampled {
    /// Asks for them if they are not those of now.
    fn ask(&mut self, line: &mut Line, word: Word) -> Result<(), Failure> {
        if !self.fresh {
            line.ask(word, |_| {}, |mut content| content.values(&mut self.values))?;
            self.fresh = true;
        }
        Ok(())
    }
}

impl Remote {
    /// Connects to the host, which builds the simulator.
    ///
    /// # Errors
    /// [`RemoteError`] if there is no host, or it refuses.
    pub fn join(options: &RemoteOptions) -> Result<Self, RemoteError> {
        let (session, description) = Session::open(options)?;
        let count = |causality| description.with(causality).count();
        let (inputs, outputs) = (count(Causality::Input), count(Causality::Output));
        let sampled = |count| Sampled { values: vec![f64::NAN; count], fresh: false };
        Ok(Self {
            line: RefCell::new(Line::new(session, inputs)),
            outputs: sampled(outputs),
            rates: sampled(if description.capabilities.output_derivatives { outputs } else { 0 }),
            description,
            snapshots: Arc::default(),
        })
    }

    /// Where the host keeps what was saved.
    fn place(&self, snapshot: &Snapshot) -> Result<u64, Failure> {
        let saved: &Saved = snapshot.content()?;
        let place = saved.place.filter(|_| Arc::ptr_eq(&saved.places, &self.snapshots));
        place.ok_or_else(|| Failure::new("the snapshot was written by another simulator"))
    }

    fn forget(&mut self) {
        self.outputs.fresh = false;
        self.rates.fresh = false;
    }
}

impl Simulator for Remote {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.line.get_mut().set(inputs);
        self.forget();
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.forget();
        let outputs = &mut self.outputs;
        let request = |request: &mut Vec<u8>| [t, h].into_iter().for_each(|number| put_f64(request, number));
        self.line.get_mut().ask(Word::Step, request, |mut content| {
            let reached = content.f64()?;
            // Outputs that cannot be sampled say why when they are asked for.
            if content.u64()? != 0 {
                content.values(&mut outputs.values)?;
                outputs.fresh = true;
            }
            Ok(reached)
        })
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.outputs.ask(self.line.get_mut(), Word::Sample)?;
        values.copy_from_slice(&self.outputs.values);
        Ok(())
    }

    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        if !self.description.capabilities.output_derivatives {
            return Err(Failure::Unsupported("derivatives of outputs"));
        }
        self.rates.ask(self.line.get_mut(), Word::Rates)?;
        derivatives.copy_from_slice(&self.rates.values);
        Ok(())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        if !self.description.capabilities.rollback {
            return Err(Failure::Unsupported("saving its state"));
        }
        let place = snapshot.content_mut::<Saved>().place(&self.snapshots);
        self.line.get_mut().ask(Word::Save, |request| put_u64(request, place), |_| Ok(()))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let place = self.place(snapshot)?;
        self.forget();
        self.line.get_mut().ask(Word::Restore, |request| put_u64(request, place), |_| Ok(()))
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        let place = self.place(snapshot)?;
        let read = |content: Content<'_>| {
            to.extend_from_slice(content.0);
            Ok(())
        };
        self.line.get_mut().ask(Word::Store, |request| put_u64(request, place), read)
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let place = snapshot.content_mut::<Saved>().place(&self.snapshots);
        let request = |request: &mut Vec<u8>| {
            put_u64(request, place);
            request.extend_from_slice(bytes);
        };
        self.line.get_mut().ask(Word::Load, request, |_| Ok(()))
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        self.line.get_mut().ask(Word::Parameters, |_| {}, |mut content| content.parameters())
    }

    fn set_parameters(&mut self, values: &[(String, f64)]) -> Result<(), Failure> {
        self.forget();
        self.line.get_mut().ask(Word::Tune, |request| put_named(request, values), |_| Ok(()))
    }

    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        self.line.get_mut().ask(Word::Texts, |_| {}, |mut content| content.texts())
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        let request = |request: &mut Vec<u8>| {
            put_u64(request, connected.len() as u64);
            connected.iter().for_each(|&place| put_u64(request, place as u64));
        };
        // A connection that breaks here is told by the next call.
        let _ = self.line.get_mut().ask(Word::Watch, request, |_| Ok(()));
    }

    fn warnings(&self) -> Vec<String> {
        let read = |mut content: Content<'_>| content.many(Content::text);
        // One that is lost was reported.
        self.line.borrow_mut().ask(Word::Warnings, |_| {}, read).unwrap_or_default()
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.line.get_mut().interrupt_by(flag);
    }
}
