//! Partners that end a step at an event of their own.
//!
//! Communication points are integers times a tick: the partner goes on from its event to the next of them, less than a tick behind it.

use super::call::Call;
use super::interface::{Interface, Line};
use super::leg::{Leg, Timebase};
use super::{Fault, Signal};

/// Early returns within one step after which the partner is taken to make no way: events come in some tens.
const MOST_PIECES: usize = 10_000;

impl Interface {
    /// Lets the communication step end where this partner returns early.
    pub(crate) fn stop_at_events(&mut self, base: &Timebase) {
        self.about.events.stops = true;
        // One that does not answer is told by the next call.
        let _ = self.ask(Call::EndAtEvents, base, base.start);
    }

    /// Whether a step has ended at an event, before the communication point that was asked for; told once.
    pub(crate) fn stopped_early(&mut self) -> bool {
        std::mem::take(&mut self.about.events.stopped)
    }

    /// Whether its last step ended at an event, as it says: the next is now.
    pub(crate) fn is_at_event(&self, base: &Timebase) -> bool {
        base.leg(self.position, self.position).ends_at(self.next_event())
    }

    /// Time of its next event as it was told last \[s\]; infinite if there is none.
    pub(crate) fn next_event(&self) -> f64 {
        self.buffers.asked.as_ref().map_or(f64::INFINITY, |asked| asked.next_event)
    }

    /// Concludes a step that has not led to the end of `leg`.
    #[cold]
    pub(super) fn end_early(&mut self, leg: &Leg) -> Result<(), Box<Fault>> {
        let mut reached = self.buffers.reached;
        let within = reached >= leg.t && reached < leg.end;
        if !(within && self.description().capabilities.early_return) {
            return Err(self.elsewhere(leg.end));
        }
        let goal =
            if self.about.events.stops { leg.base.at_or_behind(reached).clamp(leg.from + 1, leg.to) } else { leg.to };
        let rest = leg.base.leg(leg.from, goal);
        for _ in 0..MOST_PIECES {
            if rest.ends_at(reached) {
                self.about.events.stopped = goal < leg.to;
                return self.arrive(&rest);
            }
            self.piece(&rest, reached)?;
            // What is behind the point, or has made no way at all, will not get there.
            let moved = self.buffers.reached > reached || rest.ends_at(self.buffers.reached);
            reached = self.buffers.reached;
            if !(moved && (reached < rest.end || rest.ends_at(reached))) {
                break;
            }
        }
        Err(self.elsewhere(rest.end))
    }

    /// Asks the partner to go on from `reached` to the end of `leg`, its inputs on the same polynomials.
    fn piece(&mut self, leg: &Leg, reached: f64) -> Result<(), Box<Fault>> {
        let since = reached - leg.t;
        let mut inputs = std::mem::take(&mut self.about.events.inputs);
        inputs.clear();
        inputs.extend(self.sent.values.iter().map(|signal| -> Signal { signal.after(since) }));
        std::mem::swap(&mut self.sent.values, &mut inputs);
        let call = Call::Advance { t: reached, h: leg.end - reached };
        let done = match &mut self.line {
            Line::Here { simulator, saved } => {
                let done = call.perform(&mut **simulator, saved, &self.sent.values, &mut self.buffers);
                done.map_err(|refusal| self.refused(*refusal, reached))
            }
            Line::Thread(_) => self.request(call, reached).and_then(|()| self.answer(reached)),
        };
        std::mem::swap(&mut self.sent.values, &mut inputs);
        self.about.events.inputs = inputs;
        done
    }
}
