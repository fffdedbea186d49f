//! Input signals between the times at which they jump or bend.

use super::Signal;
use fourbar_multibody::expression::{ExponentialSum, Piece};

impl Signal {
    /// The signal just after `from` and the next time at which it jumps or bends. What does so twice within `apart` \[s\] is not seen; conditions of
    /// expressions without a closed form are looked through up to `horizon` \[s\].
    pub(crate) fn piece(&self, from: f64, apart: f64, horizon: f64) -> Piece {
        let at = from + apart;
        match self {
            Self::Program(program) => program.piece(0, from, apart, horizon),
            Self::Step { time, before, after } if at < *time => {
                known(ExponentialSum::constant(*before), *time, *after != *before)
            }
            Self::Step { after, .. } => known(ExponentialSum::constant(*after), f64::INFINITY, true),
            Self::Sine { amplitude, omega, phase, offset } => {
                let law = ExponentialSum::sine(*offset, *amplitude, phase + omega * from, *omega);
                known(law, f64::INFINITY, false)
            }
            Self::Held(value) => known(ExponentialSum::constant(*value), f64::INFINITY, false),
            Self::Table(points) => table(points, from, at),
        }
    }

    /// The time within `apart` \[s\] of the start at which the signal jumps or bends, if it does.
    pub(crate) fn start_break(&self, apart: f64) -> Option<f64> {
        let near = |time: &f64| time.abs() <= apart;
        match self {
            Self::Program(program) => program.piece(0, 0.0, apart, apart).switches.then_some(0.0),
            Self::Step { time, .. } => Some(*time).filter(near),
            Self::Table(points) => points.iter().map(|point| point[0]).rfind(near),
            Self::Sine { .. } | Self::Held(_) => None,
        }
    }
}

fn known(law: ExponentialSum, until: f64, switches: bool) -> Piece {
    Piece { law: Some(law), until, known_to: f64::INFINITY, switches }
}

/// The straight line of a table on which the time `at` lies, counted from `from`.
fn table(points: &[[f64; 2]], from: f64, at: f64) -> Piece {
    let passed = points.partition_point(|point| point[0] <= at);
    let last = passed.checked_sub(1).map(|last| points[last]);
    let (law, until) = match (last, points.get(passed)) {
        (Some([t0, v0]), Some([t1, v1])) => {
            let slope = (v1 - v0) / (t1 - t0);
            (ExponentialSum::ramp(v0 + slope * (from - t0), slope), *t1)
        }
        (None, Some([t1, v1])) => (ExponentialSum::constant(*v1), *t1),
        (last, None) => (ExponentialSum::constant(last.map_or(f64::NAN, |[_, v]| v)), f64::INFINITY),
    };
    known(law, until, true)
}
