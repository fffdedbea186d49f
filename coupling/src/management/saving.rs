//! Checkpoints of a whole run: the state of each partner, and all that the run itself goes on from; in memory, or as bytes.

use super::master::Master;
use super::observer::RunState;
use super::options::Options;
use crate::Error;
use crate::function::{Capabilities, Description, Fault, Snapshot};
use fourbar_linalg::checkpoint::{CheckpointError, Fingerprint, Header, Source, Stored};

/// A checkpoint of a run between two communication points; saving again into the same one need not allocate.
#[derive(Debug, Default)]
pub struct Checkpoint {
    /// What the run itself goes on from, as bytes.
    own: Vec<u8>,
    partners: Vec<Snapshot>,
}

fn stopped(fault: Box<Fault>) -> Error {
    Error::Stopped(fault)
}

impl Master {
    /// Saves everything on which the further run depends.
    ///
    /// # Errors
    /// [`Error::NotSaved`] with the names of partners that cannot be saved; [`Error::Stopped`] where one fails, or the run has.
    pub fn save(&mut self, to: &mut Checkpoint) -> Result<(), Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.check_all("saved", |own| own.rollback)?;
        let base = self.network.clock.base;
        to.partners.resize_with(self.network.interfaces.len(), Snapshot::new);
        for (interface, snapshot) in self.network.interfaces.iter_mut().zip(&mut to.partners) {
            interface.save_to(snapshot, &base).map_err(stopped)?;
        }
        to.own.clear();
        self.store_own(&mut to.own);
        Ok(())
    }

    /// Returns to a checkpoint of this run, also of one that has failed or ended since; what follows is then what followed it, bit for bit. The
    /// checkpoint is lent to the partners and is as it was when this returns.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] for one of another run; [`Error::Stopped`] where a partner fails.
    pub fn restore(&mut self, from: &mut Checkpoint) -> Result<(), Error> {
        if from.partners.len() != self.network.interfaces.len() {
            return Err(CheckpointError::Foreign { what: KIND }.into());
        }
        let base = self.network.clock.base;
        for (interface, snapshot) in self.network.interfaces.iter_mut().zip(&mut from.partners) {
            interface.return_to(snapshot, &base).map_err(stopped)?;
        }
        let mut source = Source::new(&from.own);
        self.load_own(&mut source)?;
        source.finish()?;
        self.failure = None;
        // The wall clock does not go back.
        if let Some(pacer) = &mut self.pacer {
            pacer.rest();
        }
        Ok(())
    }

    /// The bytes of a checkpoint, from which [`Master::checkpoint_from_bytes`] makes it again, in this process or another.
    ///
    /// # Errors
    /// [`Error::NotSaved`] with the names of partners whose states stay in the process; [`Error::Stopped`] where one fails.
    pub fn checkpoint_to_bytes(&mut self, checkpoint: &mut Checkpoint) -> Result<Vec<u8>, Error> {
        self.check_all("written down", |own| own.rollback && own.written)?;
        let mut content = Vec::new();
        self.store_checkpoint(checkpoint, &mut content)?;
        Ok(self.header().write(|to| to.extend_from_slice(&content)))
    }

    /// A checkpoint from bytes that [`Master::checkpoint_to_bytes`] made of a run of the same partners, connections and settings. Its end may be
    /// another one.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] for bytes that are damaged, of another run, or of another version of this library; [`Error::Stopped`] where a
    /// partner refuses its part.
    pub fn checkpoint_from_bytes(&mut self, bytes: &[u8]) -> Result<Checkpoint, Error> {
        let source = self.header().read(bytes)?;
        self.load_checkpoint(source)
    }

    /// Appends the content of a checkpoint.
    pub(crate) fn store_checkpoint(&mut self, checkpoint: &mut Checkpoint, to: &mut Vec<u8>) -> Result<(), Error> {
        if checkpoint.partners.len() != self.network.interfaces.len() {
            return Err(CheckpointError::Foreign { what: KIND }.into());
        }
        let base = self.network.clock.base;
        checkpoint.own.store(to);
        for (interface, snapshot) in self.network.interfaces.iter_mut().zip(&mut checkpoint.partners) {
            interface.store_state(snapshot, to, &base).map_err(stopped)?;
        }
        Ok(())
    }

    /// Reads what [`Master::store_checkpoint`] wrote.
    pub(crate) fn load_checkpoint(&mut self, mut from: Source<'_>) -> Result<Checkpoint, Error> {
        let base = self.network.clock.base;
        let own = bytes(&mut from)?.to_vec();
        let mut partners = Vec::with_capacity(self.network.interfaces.len());
        for interface in &mut self.network.interfaces {
            partners.push(interface.load_state(bytes(&mut from)?, &base).map_err(stopped)?);
        }
        from.finish()?;
        Ok(Checkpoint { own, partners })
    }

    /// Whether all partners can be saved, and whether their states can be written down.
    #[must_use]
    pub fn can_save(&self) -> (bool, bool) {
        let saved = self.check_all("saved", |own| own.rollback).is_ok();
        (saved, saved && self.check_all("written down", |own| own.written).is_ok())
    }

    /// Refuses, by name, partners that cannot do what is asked.
    fn check_all(&self, what: &'static str, can: impl Fn(&Capabilities) -> bool) -> Result<(), Error> {
        let unable = self.network.interfaces.iter().filter(|own| !can(&own.description().capabilities));
        let partners: Vec<String> = unable.map(|interface| interface.name().to_owned()).collect();
        if partners.is_empty() { Ok(()) } else { Err(Error::NotSaved { what, partners }) }
    }

    /// What a checkpoint belongs to. An end may be moved, and pacing changes no result.
    fn header(&self) -> Header {
        let options = Options { end: 0.0, pacing: None, ..(*self.options).clone() };
        let partners: Vec<(&str, &Description)> =
            self.network.interfaces.iter().map(|own| (own.name(), own.description())).collect();
        let fingerprint = Fingerprint::default()
            .data(&options)
            .data(&partners)
            .data(&self.network.interaction.relations())
            .data(&self.network.clock.every)
            .value();
        Header { kind: KIND, fingerprint }
    }

    fn store_own(&self, to: &mut Vec<u8>) {
        self.network.store(to);
        self.network.clock.now.store(to);
        self.stepping.store(to);
        self.feedthrough.store(to);
        self.estimate.store(to);
        self.ports.store(to);
        if let Some(control) = &self.order_control {
            control.store(to);
        }
        if let Some(adaptive) = &self.adaptive {
            adaptive.store(to);
        }
        self.open.store(to);
        self.unsettled.store(to);
        (self.state as u8).store(to);
        fourbar_linalg::checkpoint::store_list(&self.preset, to);
    }

    fn load_own(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.network.load(from)?;
        self.network.clock.now.load(from)?;
        self.stepping.load(from)?;
        self.feedthrough.load(from)?;
        self.estimate.load(from)?;
        self.ports.load(from)?;
        if let Some(control) = &mut self.order_control {
            control.load(from)?;
        }
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.load(from)?;
        }
        self.open.load(from)?;
        self.unsettled.load(from)?;
        self.state = match from.value::<u8>()? {
            0 => RunState::Initialised,
            // A run that has ended goes on where the end lies farther now.
            1 | 4 if !self.network.clock.is_over() => RunState::Running,
            2 => RunState::Paused,
            1 | 4 => RunState::Finished,
            _ => return Err(from.refuse("the state of a run")),
        };
        from.list(&mut self.preset)?;
        if self.preset.iter().any(|&i| i >= self.network.interfaces.len()) {
            return Err(from.refuse("a partner"));
        }
        Ok(())
    }
}

/// What [`Header`] says that it is.
const KIND: &str = "a coupled run";

/// Bytes behind their number.
fn bytes<'a>(from: &mut Source<'a>) -> Result<&'a [u8], CheckpointError> {
    let length = from.value()?;
    from.take(length)
}
