//! A simulator on a thread of its own: requests and answers travel as one letter back and forth, and nobody waits for ever.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::call::{Buffers, Call, Refusal, Saved};
use super::waiting::{Silence, Terms};
use super::{Signal, Simulator};

thread_local! {
    static OWN: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is a thread that a run started for one of its partners. A panic there is caught and becomes [`Fault::Lost`](super::Fault::Lost)
/// with what it said: a panic hook need not print it.
#[must_use]
pub fn is_partner_thread() -> bool {
    OWN.try_with(Cell::get).unwrap_or(false)
}

struct Letter {
    call: Call,
    signals: Vec<Signal>,
    buffers: Buffers,
    result: Result<(), Refusal>,
}

/// How often whoever waits looks at the flag that ends it.
const LOOK: Duration = Duration::from_millis(50);

/// The caller's end.
pub(crate) struct Worker {
    to: Option<SyncSender<Box<Letter>>>,
    from: Receiver<Box<Letter>>,
    /// Here when the thread is idle.
    letter: Option<Box<Letter>>,
    terms: Terms,
    /// Raised, it ends the waiting for an answer.
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// What the panic said with which the thread ended.
    words: Arc<OnceLock<String>>,
}

impl Worker {
    pub(crate) fn spawn(
        name: &str,
        mut simulator: Box<dyn Simulator>,
        signals: Vec<Signal>,
        buffers: Buffers,
        terms: Terms,
        interrupt: &Arc<AtomicBool>,
    ) -> std::io::Result<Self> {
        let (to, inbox) = sync_channel::<Box<Letter>>(1);
        let (outbox, from) = sync_channel::<Box<Letter>>(1);
        let words = Arc::new(OnceLock::new());
        let last = Arc::clone(&words);
        let serve = move || {
            OWN.set(true);
            let mut saved = Saved::default();
            while let Ok(mut letter) = inbox.recv() {
                // What is left half changed is dropped with the thread.
                let perform = || letter.call.perform(&mut *simulator, &mut saved, &letter.signals, &mut letter.buffers);
                match catch_unwind(AssertUnwindSafe(perform)) {
                    Ok(result) => letter.result = result,
                    Err(payload) => {
                        let _ = last.set(said(&*payload));
                        break;
                    }
                }
                if outbox.send(letter).is_err() {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new().name(name.into()).spawn(serve)?;
        let letter = Some(Box::new(Letter { call: Call::Sample, signals, buffers, result: Ok(()) }));
        let interrupt = Arc::clone(interrupt);
        Ok(Self { to: Some(to), from, letter, terms, interrupt, thread: Some(thread), words })
    }

    /// Takes another flag that ends waiting.
    pub(crate) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.interrupt = Arc::clone(flag);
    }

    /// What the panic said with which the thread ended, if it did.
    pub(crate) fn last_words(&self) -> Option<String> {
        self.words.get().cloned()
    }

    /// Sends a request with these inputs; `buffers` goes with it. The answer to the last one must have been collected.
    pub(crate) fn post(&mut self, call: Call, signals: &[Signal], buffers: &mut Buffers) -> Result<(), Silence> {
        let mut letter = self.letter.take().ok_or(Silence::Ended)?;
        letter.call = call;
        letter.signals.copy_from_slice(signals);
        std::mem::swap(&mut letter.buffers, buffers);
        let sender = self.to.as_ref().ok_or(Silence::Ended)?;
        sender.send(letter).map_err(|_| Silence::Ended)
    }

    /// Whether a request is under way.
    pub(crate) fn busy(&self) -> bool {
        self.letter.is_none()
    }

    /// Waits for the answer to the last request and puts it into `buffers`.
    pub(crate) fn answer(&mut self, buffers: &mut Buffers) -> Result<Result<(), Refusal>, Silence> {
        let letter = self.receive()?;
        Ok(self.open(letter, buffers).1)
    }

    /// The answer to a request that was not answered in time, with what was asked. Nothing is waited for.
    pub(crate) fn late_answer(&mut self, buffers: &mut Buffers) -> Result<(Call, Result<(), Refusal>), Silence> {
        match (self.from.try_recv(), self.terms.limit) {
            (Ok(letter), _) => Ok(self.open(letter, buffers)),
            (Err(TryRecvError::Empty), Some(limit)) => Err(Silence::Late(limit)),
            // Without a limit every answer was waited for, but for the one that was under way when the run was interrupted.
            (Err(TryRecvError::Empty), None) => Err(Silence::Interrupted),
            (Err(TryRecvError::Disconnected), _) => Err(Silence::Ended),
        }
    }

    fn open(&mut self, mut letter: Box<Letter>, buffers: &mut Buffers) -> (Call, Result<(), Refusal>) {
        std::mem::swap(&mut letter.buffers, buffers);
        let answer = (letter.call, std::mem::replace(&mut letter.result, Ok(())));
        self.letter = Some(letter);
        answer
    }

    fn receive(&mut self) -> Result<Box<Letter>, Silence> {
        let begun = Instant::now();
        loop {
            let left = self.terms.limit.map(|limit| (limit, limit.saturating_sub(begun.elapsed())));
            match self.from.recv_timeout(left.map_or(LOOK, |(_, left)| left.min(LOOK))) {
                Ok(letter) => return Ok(letter),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Silence::Interrupted);
            }
            if let Some((limit, _)) = left.filter(|(limit, _)| begun.elapsed() >= *limit) {
                return Err(Silence::Late(limit));
            }
        }
    }
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without words").to_owned()
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without a sender the thread ends after its request; one that hangs is left to itself, unless what it runs in belongs to the caller.
        self.to = None;
        if (self.letter.is_some() || self.terms.joined)
            && let Some(thread) = self.thread.take()
        {
            // A panic of the partner was reported as its loss already.
            let _ = thread.join();
        }
    }
}
