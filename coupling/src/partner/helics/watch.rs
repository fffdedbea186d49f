//! Who waits for other federates gives up: after a limit of time, or when the run is to end.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::federates::asked;
use super::foreign::Handles;
use crate::function::Failure;
use crate::partner::beside::Beside;

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(50);

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
    _thread: Beside,
}

impl Watch {
    pub(super) fn start(handles: Handles, name: String, limit: Duration) -> std::io::Result<Self> {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let own = Arc::clone(&shared);
        let thread = Beside::start("federation", LOOK, move || look(&handles, &name, limit, &own))?;
        Ok(Self { shared, _thread: thread })
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

    /// Notes that values of this federate are received.
    pub(super) fn source(&self, federate: &str) {
        let sources = &mut self.lock().sources;
        if !sources.iter().any(|known| known == federate) {
            sources.push(federate.to_owned());
        }
    }

    pub(super) fn interrupt_by(&self, flag: &Arc<AtomicBool>) {
        self.lock().interrupt = Some(Arc::clone(flag));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the waiting if it is to end.
fn look(handles: &Handles, name: &str, limit: Duration, shared: &Mutex<Shared>) -> ControlFlow<()> {
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let (since, interrupted) = {
        let shared = lock();
        let flag = shared.interrupt.as_ref();
        (shared.since, flag.is_some_and(|flag| flag.load(Ordering::Relaxed)))
    };
    let Some(since) = since else { return ControlFlow::Continue(()) };
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
        return ControlFlow::Continue(());
    }
    handles.give_up();
    ControlFlow::Break(())
}

/// The other federates whose time is the earliest, as far as the broker says: who is waited for is one of them.
fn behind(handles: &Handles, own: &str) -> Vec<String> {
    let Some(answer) = asked(handles, |handles| handles.query("root", "global_time")) else { return Vec::new() };
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
