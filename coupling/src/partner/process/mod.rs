//! A shared library in a process of its own: a crash, an endless loop or a call of `exit` is a fault of this partner and of nothing else.

mod child;
mod host;
mod options;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::library::{Exchange, Front, LibraryError, LibraryOptions, Line, is_its_front};
use crate::function::{Description, Failure, Parameter, Text};

use crate::partner::wire::{GREETING, Patience, Word, garbled, put_f64, put_text, put_values};
use child::Host;
pub use child::HostProgram;
pub use host::serve;
use options::put_options;

/// How the process is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessOptions {
    /// The program that hosts the library; [`HostProgram::this_program`] if None.
    pub host: Option<HostProgram>,
    /// Each request must be answered within this time, else the process is ended; None to wait for ever.
    pub time_limit: Option<Duration>,
}

impl Default for ProcessOptions {
    /// This program as host, a minute for each request.
    fn default() -> Self {
        Self { host: None, time_limit: Some(Duration::from_secs(60)) }
    }
}

/// A simulator in a shared library in a child process, with the results of [`Library`](super::Library) to the bit.
///
/// A process that ends is reported with its signal or exit code ([`Failure::Ended`]), one that does not answer in time is ended
/// ([`Failure::Late`]). Returning to a saved state starts a new process, so that the levels `retry` and `hold` carry a run over a crash if
/// the library can save its state. Dropping the partner ends and reaps the process. On Unix systems. A program that is not in Rust must
/// ignore SIGPIPE, as Rust programs do.
pub struct Process {
    front: Front<Remote>,
}

impl Process {
    /// Starts the process, loads the library there and creates an instance.
    ///
    /// # Errors
    /// [`LibraryError::Process`] if the program cannot be started or ends, [`LibraryError::Refused`] with the words of the host for
    /// everything that [`Library::open`](super::Library::open) refuses.
    pub fn open(
        path: impl AsRef<Path>,
        options: &LibraryOptions,
        process: &ProcessOptions,
    ) -> Result<Self, LibraryError> {
        Self::start(path.as_ref(), options.clone(), String::new(), process)
    }

    /// The same of an FMU. It returns to saved states if the FMU can write them.
    ///
    /// # Errors
    /// As [`Process::open`], with the words of what [`Fmu::open`](super::Fmu::open) refuses.
    #[cfg(feature = "fmi")]
    pub fn open_fmu(
        path: impl AsRef<Path>,
        options: &super::FmuOptions,
        process: &ProcessOptions,
    ) -> Result<Self, LibraryError> {
        let path = path.as_ref();
        let named = LibraryOptions { name: options.name.clone(), start: options.start, parameters: Vec::new() };
        let told = serde_json::to_string(options).map_err(|error| LibraryError::Process {
            library: path.display().to_string(),
            program: "its host".to_owned(),
            reason: format!("its options cannot be sent: {error}"),
        })?;
        Self::start(path, named, told, process)
    }

    /// Starts the process; `fmu` has the options of an FMU, none of a library.
    fn start(
        path: &Path,
        options: LibraryOptions,
        fmu: String,
        process: &ProcessOptions,
    ) -> Result<Self, LibraryError> {
        let refused = |program: String, reason: String| LibraryError::Process {
            library: path.display().to_string(),
            program,
            reason,
        };
        let program = match &process.host {
            Some(program) => program.clone(),
            None => HostProgram::this_program().map_err(|error| refused("this program".into(), error.to_string()))?,
        };
        let patience = Patience { limit: process.time_limit, interrupt: None };
        let start = options.start;
        let mut recipe = Recipe { path: path.to_owned(), options, fmu, program, patience };
        let (host, description) = recipe.start(None).map_err(|unable| match unable {
            Unable::Refused(words) => LibraryError::Refused(words),
            Unable::Lost(reason) => refused(recipe.program.program.display().to_string(), reason),
        })?;
        // A host that is started again must find the same file.
        recipe.path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let remote = Remote { recipe, host: Ok(host), asked: false, description: description.clone() };
        Ok(Self { front: Front::new(remote, description, start) })
    }

    /// Number of the process at present; None if it has ended.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.front.line().host.as_ref().ok().map(Host::id)
    }
}

/// What a host is started with.
struct Recipe {
    path: PathBuf,
    options: LibraryOptions,
    /// Options of an FMU as JSON; empty of a library.
    fmu: String,
    program: HostProgram,
    patience: Patience,
}

/// Why there is no host.
enum Unable {
    Refused(String),
    Lost(String),
}

impl Recipe {
    /// Starts a host; with a known description, the library must still have it.
    fn start(&self, known: Option<&Description>) -> Result<(Host, Description), Unable> {
        let lost = |reason: String| Unable::Lost(reason);
        let path = self.path.to_str().ok_or_else(|| lost("its path is no UTF-8".into()))?;
        let mut host = Host::start(&self.program, &self.patience).map_err(|error| lost(error.to_string()))?;
        let request = host.wire().begin(Word::Open);
        put_options(request, path, &self.options);
        put_text(request, &self.fmu);
        let answer = host.ask(|mut content| {
            if content.u64()? != GREETING {
                return Err(garbled("no greeting of a host"));
            }
            content.description()
        });
        let description =
            answer.map_err(
                |(refused, failure)| {
                    if refused { Unable::Refused(failure.to_string()) } else { lost(failure.to_string()) }
                },
            )?;
        match known {
            Some(known) if *known != description => Err(lost("the library has changed".into())),
            _ => Ok((host, description)),
        }
    }
}

/// The instance in its process, and how to get another one.
struct Remote {
    recipe: Recipe,
    /// Why it has ended, if it has.
    host: Result<Host, Failure>,
    /// Whether anything was asked of it: until then a new process is in the same state.
    asked: bool,
    description: Description,
}

impl Remote {
    /// Takes note of a process that has ended.
    fn settle<T>(&mut self, result: Result<T, (bool, Failure)>) -> Result<T, Failure> {
        match result {
            Err((false, failure)) => {
                self.host = Err(failure.clone());
                Err(failure)
            }
            result => {
                self.asked = true;
                result.map_err(|(_, failure)| failure)
            }
        }
    }

    fn host(&mut self) -> Result<&mut Host, Failure> {
        if self.host.is_err() && !self.asked {
            self.start_again();
        }
        self.host.as_mut().map_err(|failure| failure.clone())
    }

    /// Starts another process in place of one that has ended.
    fn start_again(&mut self) {
        self.host = match self.recipe.start(Some(&self.description)) {
            Ok((host, _)) => Ok(host),
            Err(Unable::Refused(words) | Unable::Lost(words)) => {
                Err(Failure::new(format!("its process cannot be started again: {words}")))
            }
        };
    }
}

impl Line for Remote {
    type State = Vec<u8>;

    fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        let host = self.host()?;
        let request = host.wire().begin(Word::Exchange);
        put_f64(request, exchange.time);
        put_f64(request, exchange.step);
        exchange.inputs.iter().for_each(|values| put_values(request, values));
        let answer = host.ask(|mut content| {
            exchange.reached = content.f64()?;
            exchange.next_event = content.f64()?;
            content.values(&mut exchange.outputs)?;
            content.values(&mut exchange.rates)
        });
        self.settle(answer)
    }

    fn save(&mut self, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        let host = self.host()?;
        host.wire().begin(Word::Save);
        let answer = host.ask(|content| {
            bytes.clear();
            bytes.extend_from_slice(content.0);
            Ok(())
        });
        self.settle(answer)
    }

    fn store(&mut self, state: &Vec<u8>, to: &mut Vec<u8>) -> Result<(), Failure> {
        to.extend_from_slice(state);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], state: &mut Vec<u8>) -> Result<(), Failure> {
        state.clear();
        state.extend_from_slice(bytes);
        Ok(())
    }

    fn restore(&mut self, bytes: &Vec<u8>) -> Result<(), Failure> {
        if self.host.is_err() {
            self.start_again();
        }
        let host = self.host()?;
        host.wire().begin(Word::Restore).extend_from_slice(bytes);
        let answer = host.ask(|_| Ok(()));
        self.settle(answer)
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        let host = self.host()?;
        host.wire().begin(Word::Parameters);
        let answer = host.ask(|mut content| content.parameters());
        self.settle(answer)
    }

    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        let host = self.host()?;
        host.wire().begin(Word::Texts);
        let answer = host.ask(|mut content| content.texts());
        self.settle(answer)
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.recipe.patience.interrupt = Some(Arc::clone(flag));
        if let Ok(host) = &mut self.host {
            host.wire().interrupt_by(flag);
        }
    }
}

is_its_front!(Process);
