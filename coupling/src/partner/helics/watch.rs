//! Who waits for other federates gives up: after a limit of time, or when the run is to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::foreign::Handles;
use crate::function::Failure;

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(50);

/// How long the broker may take to say which federates are behind.
const ANSWER: Duration = Duration::from_secs(1);

/// What a waiting federate and its watch share.
#[derive(Default)]
struct Shared {
    /// Since when is waited.
    since: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    /// Federates from which values are received.
    sources: Vec<String>,
    /// Why the waiting was ended.
    verdict: Option<Failure>,
}

/// A thread beside the federate.
pub(super) struct Watch {
    shared: Arc<Mutex<Shared>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(handles: Handles, name: String, limit: Duration) -> std::io::Result<Self> {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (end, ended) = channel();
        let own = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("federation".into())
            .spawn(move || watch(&handles, &name, limit, &own, &ended))?;
        Ok(Self { shared, end: Some(end), thread: Some(thread) })
    }

    /// Waits in `act`; the reason if the watch had to end that.
    pub(super) fn over<T>(&self, act: impl FnOnce() -> T) -> Result<T, Failure> {
        self.lock().since = Some(Instant::now());
        let done = act();
        let mut shared = self.lock();
        shared.since = None;
        match &shared.verdict {
            Some(verdict) => Err(verdict.clone()),
            None => Ok(done),
        }
    }

    /// Notes that values of the publication `key` are received.
    pub(super) fn source(&self, key: &str) {
        let federate = key.split('/').next().unwrap_or(key).to_owned();
        let sources = &mut self.lock().sources;
        if !sources.contains(&federate) {
            sources.push(federate);
        }
    }

    pub(super) fn interrupt_by(&self, flag: &Arc<AtomicBool>) {
        self.lock().interrupt = Some(Arc::clone(flag));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // It does not panic, and if it did there is nobody to tell.
            let _ = thread.join();
        }
    }
}

fn watch(handles: &Handles, name: &str, limit: Duration, shared: &Mutex<Shared>, ended: &Receiver<()>) {
    while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, interrupted) = {
            let shared = lock();
            let flag = shared.interrupt.as_ref();
            (shared.since, flag.is_some_and(|flag| flag.load(Ordering::Relaxed)))
        };
        let Some(since) = since else { continue };
        if interrupted {
            lock().verdict = Some(Failure::Interrupted);
        } else if since.elapsed() >= limit {
            let words = match behind(handles, name) {
                // A broker that waits for a lost federate says nothing.
                names if names.is_empty() => match lock().sources.join(", ") {
                    sources if sources.is_empty() => "the broker does not say who is waited for".to_owned(),
                    sources => format!("it receives values from {sources}"),
                },
                names => format!("it waits for {}", names.join(", ")),
            };
            lock().verdict = Some(Failure::new(format!("no time was granted within {limit:?}: {words}")));
        } else {
            continue;
        }
        handles.give_up();
        return;
    }
}

/// The other federates whose time is the earliest, as far as the broker says: who is waited for is one of them.
fn behind(handles: &Handles, own: &str) -> Vec<String> {
    let (sender, receiver) = channel();
    let asking = handles.clone();
    let spawned = std::thread::Builder::new().spawn(move || {
        // Nobody listens any more if it took too long.
        let _ = sender.send(asking.global_time());
    });
    if spawned.is_err() {
        return Vec::new();
    }
    let Ok(Some(answer)) = receiver.recv_timeout(ANSWER) else { return Vec::new() };
    let mut federates = Vec::new();
    collect(&answer, &mut federates);
    federates.retain(|(name, _)| name != own);
    let earliest = federates.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    federates.into_iter().filter(|(_, time)| *time == earliest).map(|(name, _)| name).collect()
}

/// Names and times of all federates in an answer of the broker.
fn collect(value: &serde_json::Value, federates: &mut Vec<(String, f64)>) {
    match value {
        serde_json::Value::Object(object) => {
            let name =
                object.get("attributes").and_then(|attributes| attributes.get("name")).and_then(|name| name.as_str());
            if let (Some(name), Some(time)) = (name, object.get("granted_time").and_then(serde_json::Value::as_f64)) {
                federates.push((name.to_owned(), time));
            }
            object.values().for_each(|value| collect(value, federates));
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, federates)),
        _ => {}
    }
}
