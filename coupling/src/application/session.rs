//! A run under the hands of an operator: set, started, paused, stepped, stopped, watched (R9 to R14).

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::engine::{Engine, Launch, Order};
use super::file::FileRecorder;
use super::recorder::Recorder;
use super::settings::{Field, Refusal, Settings};
use super::shared_state::{SessionState, SharedState, Status, Subscription};
use super::sidecar::Sidecar;
use crate::management::Catalogue;
use crate::{Causality, Error, Master, Parameter, Partner, Text};

/// Why the partners cannot be made.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;

type Factory = Box<dyn Fn() -> Result<Vec<Partner>, Problem> + Send + Sync>;

/// Why a command was not carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// It makes no sense in this state.
    #[error("there is nothing to {command} while the session is {}", state.name())]
    NotNow {
        /// The command.
        command: &'static str,
        /// The state.
        state: SessionState,
    },
    /// The settings are refused, field by field.
    #[error("the settings are refused: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Settings(Vec<Refusal>),
    /// An input cannot be set.
    #[error("{0}")]
    Input(String),
    /// A parameter cannot be set.
    #[error(transparent)]
    Parameter(Box<Error>),
    /// The results cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// The answer of the operating system.
        reason: String,
    },
    /// A partner is still at its communication step: the command is carried out after it.
    #[error("no answer within {} s: a partner is still at work; the command is carried out when it has answered", .0.as_secs())]
    NoAnswer(Duration),
    /// The thread of the session has ended.
    #[error("the session has ended; open another one")]
    Ended,
}

/// Time within which a command is answered.
const ANSWER: Duration = Duration::from_secs(5);
/// Communication points kept in the shared state unless told otherwise.
const CAPACITY: usize = 20_000;

/// An operator's hold on runs of the same partners, one after the other.
///
/// A thread of its own steps the master; commands take effect between two communication steps. All methods take `&self`: a session may be
/// shared. Dropping it ends the run at the next communication point.
///
/// ```
/// use fourbar_coupling::application::{Session, SessionState, Settings};
/// use fourbar_coupling::partner::Ode;
/// use fourbar_coupling::{Algorithm, Options, Partner, Variable};
/// use std::time::Duration;
///
/// let tank = || Ode::new([0.0], |_, _, u, dx| dx[0] = u[0])
///     .input(Variable::input("inflow", "m^3/s").start(2.0))
///     .output(Variable::output("volume", "m^3"), |_, x, _| x[0]);
/// let settings = Settings { options: Options::new(10.0, 0.1, Algorithm::JacobiDelayed), connections: vec![] };
/// let session = Session::open(move || Ok(vec![Partner::new("tank", tank())]), settings)?;
/// let mut watch = session.subscribe();
/// session.start()?;
/// assert!(session.wait(Duration::from_secs(60), |status| status.state == SessionState::Finished));
/// let seen = watch.look();
/// assert_eq!((seen.names[0].as_str(), seen.units[0].as_str(), seen.now), ("tank.volume", "m^3", 10.0));
/// assert!((seen.present[0] - 20.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
pub struct Session {
    factory: Factory,
    catalogue: Catalogue,
    controls: Mutex<Controls>,
    shared: Arc<SharedState>,
    attention: Arc<AtomicBool>,
    /// Raised to end a run whose partner does not answer.
    halt: Arc<AtomicBool>,
    orders: Mutex<Option<Sender<Order>>>,
    thread: Option<JoinHandle<()>>,
}

/// What the operator has set.
struct Controls {
    settings: Settings,
    /// Settings of the run that was begun last.
    begun: Option<Settings>,
    /// Set up with `settings`, and not started yet.
    prepared: Option<Master>,
    inputs: BTreeMap<String, f64>,
    recording: Option<(PathBuf, u64)>,
    capacity: usize,
}

impl Session {
    /// For partners as `factory` makes them, anew for each run. The settings may still be refused: [`Session::start`] says so.
    ///
    /// # Errors
    /// That of the factory, or of the operating system if it gives no thread.
    pub fn open(
        factory: impl Fn() -> Result<Vec<Partner>, Problem> + Send + Sync + 'static,
        settings: Settings,
    ) -> Result<Self, Problem> {
        let partners = factory()?;
        let catalogue = Catalogue::of(&partners);
        let halt = Arc::default();
        let prepared = Master::interruptible(partners, &settings.connections, &settings.options, &halt).ok();
        let shared = Arc::new(SharedState::new(CAPACITY));
        let attention = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel::<Order>();
        let engine = Engine::new(Arc::clone(&shared), Arc::clone(&attention), Arc::clone(&halt));
        let thread = std::thread::Builder::new().name("session".into()).spawn(move || engine.work(&receiver))?;
        let controls =
            Controls { settings, begun: None, prepared, inputs: BTreeMap::new(), recording: None, capacity: CAPACITY };
        Ok(Self {
            factory: Box::new(factory),
            catalogue,
            controls: Mutex::new(controls),
            shared,
            attention,
            halt,
            orders: Mutex::new(Some(sender)),
            thread: Some(thread),
        })
    }

    /// With room in the shared state for so many communication points; 20,000 otherwise.
    #[must_use]
    pub fn capacity(self, points: usize) -> Self {
        self.controls().capacity = points;
        self
    }

    /// Writes every `every`-th communication point of each run to disk, by a [`FileRecorder`]: the first to `path`, run n to the file with
    /// `-n` behind its stem.
    #[must_use]
    pub fn record_to(self, path: impl Into<PathBuf>, every: u64) -> Self {
        self.controls().recording = Some((path.into(), every));
        self
    }

    fn controls(&self) -> MutexGuard<'_, Controls> {
        // Each of its entries is valid by itself.
        self.controls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the partners exchange.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The settings of the next run.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.controls().settings.clone()
    }

    /// The settings of the run that was begun last; None before the first.
    #[must_use]
    pub fn begun(&self) -> Option<Settings> {
        self.controls().begun.clone()
    }

    /// Values of the inputs set by [`Session::set_input`].
    #[must_use]
    pub fn inputs(&self) -> BTreeMap<String, f64> {
        self.controls().inputs.clone()
    }

    /// Takes the settings for the next run; a run under way keeps its own. Everything is checked by setting up the partners.
    ///
    /// # Errors
    /// [`CommandError::Settings`] with every field that is refused; the settings before stay.
    pub fn configure(&self, settings: Settings) -> Result<(), CommandError> {
        let master = self.prepare(&settings)?;
        let mut controls = self.controls();
        (controls.settings, controls.prepared) = (settings, Some(master));
        Ok(())
    }

    fn prepare(&self, settings: &Settings) -> Result<Master, CommandError> {
        let refusals = settings.check(&self.catalogue);
        if !refusals.is_empty() {
            return Err(CommandError::Settings(refusals));
        }
        let refuse = |refusal| CommandError::Settings(vec![refusal]);
        let partners = (self.factory)().map_err(|problem| refuse(Refusal::new(Field::Partners, problem)))?;
        let master = Master::interruptible(partners, &settings.connections, &settings.options, &self.halt);
        master.map_err(|error| refuse(Refusal::of(&error)))
    }

    /// Begins a run, or goes on with one that is paused.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn start(&self) -> Result<(), CommandError> {
        self.go("start", false)
    }

    /// Makes one communication step, behind those asked for before; where no run is under way, the first of a new one, after its initial exchange.
    ///
    /// # Errors
    /// [`CommandError`]; [`CommandError::NotNow`] while a run goes on by itself.
    pub fn step(&self) -> Result<(), CommandError> {
        // Single steps asked for one behind the other are all made, however long each takes.
        if self.status().state.is_under_way() && self.ask(Engine::step)? {
            return Ok(());
        }
        self.go("step", true)
    }

    fn go(&self, command: &'static str, once: bool) -> Result<(), CommandError> {
        let mut controls = self.controls();
        match self.status().state {
            state @ SessionState::Running => Err(CommandError::NotNow { command, state }),
            SessionState::Paused => self.ask(move |engine| engine.go(once)),
            _ => {
                let launch = self.launch(&mut controls, once)?;
                self.ask(move |engine| engine.begin(launch))
            }
        }
    }

    fn launch(&self, controls: &mut Controls, once: bool) -> Result<Launch, CommandError> {
        let mut master = match controls.prepared.take() {
            Some(master) => master,
            None => self.prepare(&controls.settings)?,
        };
        let fed = |name: &str| controls.settings.connections.iter().any(|connection| connection.to == name);
        for (name, value) in controls.inputs.iter().filter(|(name, _)| !fed(name)) {
            master.set_input(name, *value).map_err(|error| CommandError::Input(error.to_string()))?;
        }
        let file = controls.recording.as_ref().map(|(path, every)| {
            let path = numbered(path, self.status().run + 1);
            let refuse = |error: io::Error| CommandError::Recording { path: path.clone(), reason: error.to_string() };
            FileRecorder::create(&path, *every, &controls.settings).map_err(refuse)
        });
        let file = file.transpose()?;
        controls.begun = Some(controls.settings.clone());
        Ok(Launch { master, file, capacity: controls.capacity, once })
    }

    /// Rests after the communication step under way.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn pause(&self) -> Result<(), CommandError> {
        match self.status().state {
            SessionState::Running => self.ask(Engine::pause),
            state => Err(CommandError::NotNow { command: "pause", state }),
        }
    }

    /// Ends the run after the communication step under way, or within it where a partner on a thread or in a process of its own does not
    /// answer; what was recorded stays.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn stop(&self) -> Result<(), CommandError> {
        match self.status().state {
            state if state.is_under_way() => {
                self.halt.store(true, Ordering::Release);
                self.ask(Engine::stop)
            }
            state => Err(CommandError::NotNow { command: "stop", state }),
        }
    }

    /// Sets an input that no output feeds, "partner.input" \[its unit\]: in the run under way from its next communication step on, and in
    /// all later ones.
    ///
    /// # Errors
    /// [`CommandError::Input`] if there is no such input, if a connection feeds it, or if the value is not finite.
    pub fn set_input(&self, name: &str, value: f64) -> Result<(), CommandError> {
        let mut controls = self.controls();
        let refuse = |text: String| Err(CommandError::Input(text));
        if !self.catalogue.variables(Causality::Input).any(|(known, _)| known == name) {
            return refuse(format!("there is no input \"{name}\""));
        }
        if !value.is_finite() {
            return refuse(format!("input \"{name}\" cannot become {value}: write a finite number"));
        }
        if self.status().state.is_under_way() {
            let input = name.to_owned();
            let set =
                move |engine: &mut Engine| engine.master().map_or(Ok(()), |master| master.set_input(&input, value));
            self.ask(set)?.map_err(|error: Error| CommandError::Input(error.to_string()))?;
        } else if controls.settings.connections.iter().any(|connection| connection.to == name) {
            return refuse(format!("input \"{name}\" is fed by a connection: remove that first"));
        }
        controls.inputs.insert(name.to_owned(), value);
        Ok(())
    }

    /// The parameters of the partners, [`Master::parameters`]: as they stand in the run under way, else as the next run begins with them; of the last run
    /// where nothing is set up for the next.
    ///
    /// # Errors
    /// [`CommandError::NoAnswer`], [`CommandError::Ended`].
    pub fn parameters(&self) -> Result<Vec<Parameter>, CommandError> {
        if !self.status().state.is_under_way()
            && let Some(prepared) = &mut self.controls().prepared
        {
            return Ok(prepared.parameters());
        }
        self.ask(|engine| engine.master().map(Master::parameters).unwrap_or_default())
    }

    /// The texts of the partners in the run begun last, [`Master::texts`]; none before the first.
    ///
    /// # Errors
    /// [`CommandError::NoAnswer`], [`CommandError::Ended`].
    pub fn texts(&self) -> Result<Vec<Text>, CommandError> {
        self.ask(|engine| engine.master().map(Master::texts).unwrap_or_default())
    }

    /// Sets a tunable parameter of a partner, "partner.parameter", in the run under way from its next communication step on. Later runs begin with
    /// what the partners are made with.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] without such a run; [`CommandError::Parameter`] with the reason where it is refused.
    pub fn set_parameter(&self, name: &str, value: f64) -> Result<(), CommandError> {
        let state = self.status().state;
        if !state.is_under_way() {
            return Err(CommandError::NotNow { command: "set a parameter of", state });
        }
        let name = name.to_owned();
        let set =
            move |engine: &mut Engine| engine.master().map_or(Ok(()), |master| master.set_parameter(&name, value));
        self.ask(set)?.map_err(|error| CommandError::Parameter(Box::new(error)))
    }

    /// Looks at the master of the run begun last, between two communication steps; None if there is none.
    ///
    /// # Errors
    /// [`CommandError::NoAnswer`], [`CommandError::Ended`].
    pub fn inspect<R: Send + 'static>(
        &self,
        look: impl FnOnce(&mut Master) -> R + Send + 'static,
    ) -> Result<Option<R>, CommandError> {
        self.ask(move |engine| engine.master().map(look))
    }

    fn ask<R: Send + 'static>(&self, order: impl FnOnce(&mut Engine) -> R + Send + 'static) -> Result<R, CommandError> {
        let (reply, answer) = mpsc::channel();
        let order: Order = Box::new(move |engine| {
            // Whoever asked may have lost patience.
            let _ = reply.send(order(engine));
        });
        {
            let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
            orders.as_ref().ok_or(CommandError::Ended)?.send(order).map_err(|_| CommandError::Ended)?;
        }
        self.attention.store(true, Ordering::Release);
        answer.recv_timeout(ANSWER).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => CommandError::NoAnswer(ANSWER),
            mpsc::RecvTimeoutError::Disconnected => CommandError::Ended,
        })
    }

    /// Where the session stands.
    #[must_use]
    pub fn status(&self) -> Status {
        self.shared.look().status.clone()
    }

    /// A copy of the curves and faults in the shared state, with the run they belong to.
    #[must_use]
    pub fn record(&self) -> (Status, Recorder) {
        let shown = self.shared.look();
        (shown.status.clone(), shown.recorder.clone())
    }

    /// What goes with the table in the shared state as a JSON object, see [`Sidecar`].
    ///
    /// # Errors
    /// As [`Sidecar::to_json`].
    pub fn sidecar(&self) -> serde_json::Result<String> {
        let settings = self.begun().unwrap_or_else(|| self.settings());
        let (status, record) = self.record();
        let columns = (record.names(), record.units());
        let faults = (record.incidents(), record.lost_incidents());
        let size = (record.rows().count() as u64, record.stride());
        Sidecar::new(&status, &settings, columns, size, faults).to_json()
    }

    /// A watcher that has seen nothing yet.
    #[must_use]
    pub fn subscribe(&self) -> Subscription {
        Subscription::new(Arc::clone(&self.shared))
    }

    /// Waits until `holds`, at most for `limit`; whether it does.
    pub fn wait(&self, limit: Duration, holds: impl FnMut(&Status) -> bool) -> bool {
        self.shared.wait(limit, holds)
    }
}

/// The file of run `run`, from 1: later ones have a number in their names.
#[must_use]
pub fn numbered(path: &Path, run: u64) -> PathBuf {
    if run <= 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{run}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

impl Drop for Session {
    fn drop(&mut self) {
        *self.orders.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.halt.store(true, Ordering::Release);
        self.attention.store(true, Ordering::Release);
        let Some(thread) = self.thread.take() else { return };
        let begun = Instant::now();
        while !thread.is_finished() && begun.elapsed() < ANSWER {
            std::thread::sleep(Duration::from_millis(1));
        }
        // A thread whose partner hangs is left to itself.
        if thread.is_finished() {
            // It catches the panics of partners; another one has been printed.
            let _ = thread.join();
        }
    }
}
