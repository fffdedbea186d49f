//! The input signals while a run lasts.

use crate::Error;
use crate::linear::{Side, Signal};
use fourbar_multibody::expression::{ExponentialSum, Piece, Program, Stack};

/// Two jumps of an input nearer to each other than this many neighbouring numbers are one.
const NEIGHBOURS: f64 = 4.0;

/// The signals, what they are at present, and the first value that was not finite.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    signals: Vec<Signal>,
    names: Vec<String>,
    stack: Stack<f64>,
    /// What each signal is, and since when \[s\].
    pieces: Vec<Option<(f64, Piece)>>,
    /// Counts how often a signal has become something else.
    changes: u64,
    fault: Option<(usize, f64, f64)>,
}

impl Inputs {
    pub(crate) fn new(signals: Vec<Signal>, names: Vec<String>) -> Self {
        let depth = |signal: &Signal| match signal {
            Signal::Program(program) => Program::depth(program),
            _ => 0,
        };
        let stack = Stack::new(signals.iter().map(depth).max().unwrap_or(0));
        Self { pieces: vec![None; signals.len()], signals, names, stack, changes: 0, fault: None }
    }

    /// Number of inputs m.
    pub(crate) fn len(&self) -> usize {
        self.signals.len()
    }

    /// The names of those inputs that are `chosen`.
    pub(crate) fn names(&self, chosen: impl Fn(usize) -> bool) -> Vec<String> {
        (0..self.len()).filter(|i| chosen(*i)).map(|i| self.names[i].clone()).collect()
    }

    /// The latest time within `apart` \[s\] of the start at which a signal jumps or bends.
    pub(crate) fn start_break(&self, apart: f64) -> Option<f64> {
        self.signals.iter().filter_map(|signal| signal.start_break(apart)).max_by(f64::total_cmp)
    }

    /// Makes sure that it is known what every signal is from `time` to `horizon` \[s\], but for what happens within `apart`.
    pub(crate) fn settle(&mut self, time: f64, apart: f64, horizon: f64) {
        let apart = apart.max(NEIGHBOURS * f64::EPSILON * time.abs());
        for (signal, current) in self.signals.iter().zip(&mut self.pieces) {
            let valid = |(_, piece): &(f64, Piece)| piece.until > time + apart && piece.known_to >= horizon;
            if !current.as_ref().is_some_and(valid) {
                *current = Some((time, signal.piece(time, apart, horizon)));
                self.changes += 1;
            }
        }
    }

    /// Forgets what the signals are, so that what follows depends on the present time alone, and what was not finite.
    pub(crate) fn begin(&mut self) {
        self.pieces.fill(None);
        self.forget();
    }

    /// From now on input i is `law`, whose time counts from `origin` \[s\].
    pub(crate) fn give(&mut self, i: usize, law: ExponentialSum, origin: f64) {
        let piece = Piece { law: Some(law), until: f64::INFINITY, known_to: f64::INFINITY, switches: false };
        self.pieces[i] = Some((origin, piece));
        self.changes += 1;
    }

    /// A number that changes when a signal becomes something else.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// The next times at which signals jump or bend, the first and the last of those that are within `apart` \[s\] of the first.
    pub(crate) fn next_breaks(&self, apart: f64) -> Option<(f64, f64)> {
        let untils = || self.pieces.iter().flatten().map(|(_, piece)| piece.until);
        let first = untils().fold(f64::INFINITY, f64::min);
        let last = untils().filter(|until| *until <= first + apart).fold(first, f64::max);
        first.is_finite().then_some((first, last))
    }

    /// Up to where it is known what the signals are \[s\]; infinite if to the end.
    #[cfg(feature = "fmi")]
    pub(crate) fn known_to(&self) -> f64 {
        self.pieces.iter().flatten().map(|(_, piece)| piece.known_to).fold(f64::INFINITY, f64::min)
    }

    /// What a signal is at present, and from when its time counts \[s\]; none if it is no sum of exponentials.
    pub(crate) fn law(&self, i: usize) -> Option<(&ExponentialSum, f64)> {
        let (origin, piece) = self.pieces[i].as_ref()?;
        Some((piece.law.as_ref()?, *origin))
    }

    /// The input i at a time.
    pub(crate) fn value(&mut self, i: usize, time: f64, side: Side) -> f64 {
        let value = self.signals[i].value(time, side, &mut self.stack);
        self.judge(i, value, time);
        value
    }

    /// Notes a value of input i that is not finite.
    pub(crate) fn judge(&mut self, i: usize, value: f64, time: f64) {
        if !value.is_finite() && self.fault.is_none() {
            self.fault = Some((i, value, time));
        }
    }

    /// Writes the m inputs at a time into `u`.
    pub(crate) fn sample(&mut self, time: f64, side: Side, u: &mut [f64]) {
        for (i, u) in u.iter_mut().enumerate().take(self.signals.len()) {
            *u = self.value(i, time, side);
        }
    }

    /// Forgets what was not finite.
    pub(crate) fn forget(&mut self) {
        self.fault = None;
    }

    /// The first value since [`Inputs::forget`] that was not finite, as an error.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.fault {
            Some((i, value, time)) => Err(Error::Input { input: self.names[i].clone(), value, time }),
            None => Ok(()),
        }
    }

    /// Whether anything was not finite since [`Inputs::forget`].
    pub(crate) fn is_faulty(&self) -> bool {
        self.fault.is_some()
    }
}
