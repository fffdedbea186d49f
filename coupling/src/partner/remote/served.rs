//! One simulator at a host: every request of its master, answered in turn.

use std::io::{Error, ErrorKind};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::beat::Beat;
use crate::function::{Causality, Failure, Parameter, Signal, Simulator, Snapshot, Text};
use crate::partner::wire::{
    Content, GREETING, Wire, Word, garbled, put_description, put_f64, put_parameters, put_text, put_texts, put_u64,
    put_values,
};

/// Saved states of one simulator: strong coupling keeps two, and nobody keeps a thousand.
const STATES: u64 = 1 << 10;

/// The end of a connection at the host. While it works, the master hears from it.
pub(super) struct Channel {
    wire: Wire<TcpStream>,
    beat: Beat,
}

impl Channel {
    pub(super) fn new(wire: Wire<TcpStream>) -> std::io::Result<Self> {
        let beat = Beat::start(wire.stream())?;
        Ok(Self { wire, beat })
    }

    pub(super) fn wire(&mut self) -> &mut Wire<TcpStream> {
        &mut self.wire
    }

    /// Work between a request and its answer. A panic is told as a failure.
    pub(super) fn work<T>(&self, act: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        self.beat.needed(true);
        let done = catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| Err("the simulator has panicked".to_owned()));
        self.beat.needed(false);
        done
    }
}

/// Says why not.
pub(super) fn refuse(wire: &mut Wire<TcpStream>, words: &str) -> std::io::Result<()> {
    put_text(wire.begin(Word::Refused), words);
    wire.send()
}

/// A simulator and the buffers of its exchanges.
pub(super) struct Served {
    simulator: Box<dyn Simulator>,
    inputs: Vec<Signal>,
    values: Vec<f64>,
    states: Vec<Snapshot>,
}

/// A request as it was read; its inputs are in the buffers.
enum Request {
    Step(f64, f64),
    Sample,
    Rates,
    Save(u64),
    Restore(u64),
    Store(u64),
    Load(u64, Vec<u8>),
    Watch(Vec<usize>),
    Warnings,
    Parameters,
    Tune(Vec<(String, f64)>),
    TellTexts,
}

/// What is answered; values are in the buffers.
enum Answer {
    Nothing,
    /// Time reached, and whether the values are those of the outputs there.
    Reached(f64, bool),
    Values,
    Texts(Vec<String>),
    Bytes(Vec<u8>),
    Parameters(Vec<Parameter>),
    Told(Vec<Text>),
}

impl Served {
    pub(super) fn new(simulator: Box<dyn Simulator>) -> Self {
        Self { simulator, inputs: Vec::new(), values: Vec::new(), states: Vec::new() }
    }

    /// Tells the master what it has got, and serves it until it goes or `stop` is raised, which ends what the simulator computes as well.
    pub(super) fn serve(&mut self, channel: &mut Channel, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
        self.simulator.interrupt_by(stop);
        let description = self.simulator.describe();
        self.inputs = vec![Signal::default(); description.with(Causality::Input).count()];
        self.values = vec![f64::NAN; description.with(Causality::Output).count()];
        let answer = channel.wire.begin(Word::Done);
        put_u64(answer, GREETING);
        put_description(answer, &description);
        channel.wire.send()?;
        loop {
            let request = match channel.wire.receive_word() {
                Ok((word, content)) => self.read(word, content)?,
                // The master needs the simulator no more.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error),
            };
            let done = channel.work(|| self.act(request).map_err(|failure| failure.to_string()));
            // Requests that follow one another leave no pause in which the wire would look.
            if stop.load(Ordering::Relaxed) {
                return Err(Error::new(ErrorKind::ConnectionAborted, "the host has ended"));
            }
            match done {
                Ok(answer) => self.answer(&mut channel.wire, &answer)?,
                Err(words) => refuse(&mut channel.wire, &words)?,
            }
        }
    }

    /// Reads a request; true inputs go to the simulator with the act.
    fn read(&mut self, word: Word, mut content: Content<'_>) -> std::io::Result<(bool, Request)> {
        let set = content.byte()? != 0;
        if set {
            for signal in &mut self.inputs {
                *signal = Signal { value: content.f64()?, first: content.f64()?, second: content.f64()? };
            }
            if !self.inputs.iter().all(Signal::is_finite) {
                return Err(garbled("an input that is no finite number"));
            }
        }
        let request = match word {
            Word::Step => Request::Step(content.f64()?, content.f64()?),
            Word::Sample => Request::Sample,
            Word::Rates => Request::Rates,
            Word::Save => Request::Save(content.u64()?),
            Word::Restore => Request::Restore(content.u64()?),
            Word::Store => Request::Store(content.u64()?),
            Word::Load => Request::Load(content.u64()?, content.0.to_vec()),
            Word::Watch => {
                let places = content.many(Content::u64)?;
                if places.iter().any(|&place| place >= self.values.len() as u64) {
                    return Err(garbled("an output that does not exist"));
                }
                Request::Watch(places.into_iter().map(|place| place as usize).collect())
            }
            Word::Warnings => Request::Warnings,
            Word::Parameters => Request::Parameters,
            Word::Texts => Request::TellTexts,
            Word::Tune => Request::Tune(content.named()?),
            _ => return Err(garbled("a word that is no request")),
        };
        Ok((set, request))
    }

    fn act(&mut self, (set, request): (bool, Request)) -> Result<Answer, Failure> {
        let simulator = &mut self.simulator;
        if set {
            simulator.set_inputs(&self.inputs)?;
        }
        match request {
            Request::Step(t, h) => {
                let reached = simulator.step(t, h)?;
                Ok(Answer::Reached(reached, simulator.outputs(&mut self.values).is_ok()))
            }
            Request::Sample => simulator.outputs(&mut self.values).map(|()| Answer::Values),
            Request::Rates => simulator.output_derivatives(&mut self.values).map(|()| Answer::Values),
            Request::Save(place) => simulator.save(room(&mut self.states, place)?).map(|()| Answer::Nothing),
            Request::Restore(place) => simulator.restore(kept(&self.states, place)?).map(|()| Answer::Nothing),
            Request::Store(place) => {
                let mut bytes = Vec::new();
                simulator.store(kept(&self.states, place)?, &mut bytes)?;
                Ok(Answer::Bytes(bytes))
            }
            Request::Load(place, bytes) => {
                simulator.load(&bytes, room(&mut self.states, place)?).map(|()| Answer::Nothing)
            }
            Request::Watch(places) => {
                simulator.watch_outputs(&places);
                Ok(Answer::Nothing)
            }
            Request::Warnings => Ok(Answer::Texts(simulator.warnings())),
            Request::Parameters => simulator.parameters().map(Answer::Parameters),
            Request::TellTexts => simulator.texts().map(Answer::Told),
            Request::Tune(values) => match values.iter().find(|(_, value)| !value.is_finite()) {
                Some((name, _)) => Err(Failure::new(format!("the parameter \"{name}\" would be no finite number"))),
                None => simulator.set_parameters(&values).map(|()| Answer::Nothing),
            },
        }
    }

    fn answer(&self, wire: &mut Wire<TcpStream>, answer: &Answer) -> std::io::Result<()> {
        let to = wire.begin(Word::Done);
        match answer {
            Answer::Nothing => {}
            Answer::Reached(time, sampled) => {
                put_f64(to, *time);
                put_u64(to, u64::from(*sampled));
                if *sampled {
                    put_values(to, &self.values);
                }
            }
            Answer::Values => put_values(to, &self.values),
            Answer::Told(texts) => put_texts(to, texts),
            Answer::Parameters(parameters) => put_parameters(to, parameters),
            Answer::Bytes(bytes) => to.extend_from_slice(bytes),
            Answer::Texts(texts) => {
                put_u64(to, texts.len() as u64);
                texts.iter().for_each(|text| put_text(to, text));
            }
        }
        wire.send()
    }
}

/// A place for a saved state.
fn room(states: &mut Vec<Snapshot>, place: u64) -> Result<&mut Snapshot, Failure> {
    if place >= STATES {
        return Err(Failure::new(format!("more than {STATES} saved states are not kept")));
    }
    let place = place as usize;
    if states.len() <= place {
        states.resize_with(place + 1, Snapshot::new);
    }
    Ok(&mut states[place])
}

/// A state that was saved.
fn kept(states: &[Snapshot], place: u64) -> Result<&Snapshot, Failure> {
    states.get(place as usize).ok_or_else(|| Failure::new("the state was not saved here"))
}
