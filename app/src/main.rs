//! The `fourbar` command: arguments, progress and exit codes over the root package, which does the work.

#![warn(clippy::print_stderr, clippy::print_stdout)]

/// Writes a line to standard error. A line that cannot be written, to a closed pipe or a full disk, is dropped; `eprintln!` would panic.
macro_rules! say {
    ($($words:tt)*) => { $crate::text::say(format_args!($($words)*)) };
}

mod accuracy;
mod args;
mod check;
mod columns;
mod draw;
mod exit;
mod export_fmu;
mod export_ssp;
mod federate;
mod files;
mod host;
mod info;
mod kinematics;
mod linear;
mod new;
mod numbers;
mod page;
mod progress;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod signals;
mod sinks;
mod statics;
mod sweep;
mod table;
mod text;
mod variant;
mod view;
mod watch;

use args::{Arguments, Verb};
use exit::{Exit, Failure};
use fourbar::file::ModelFile;
use fourbar::mechanism::MechanismModel;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::of_process();
    ExitCode::from(guarded(|| match arguments.verb {
        Verb::Run(arguments) => run::run(&arguments),
        #[cfg(feature = "serve")]
        Verb::Serve(arguments) => serve::serve(&arguments),
        Verb::New(arguments) => new::new(&arguments),
        Verb::View(arguments) => view::view(&arguments),
        Verb::Check(arguments) => check::check(&arguments),
        Verb::Draw(arguments) => draw::draw(&arguments),
        Verb::Kinematics(arguments) => kinematics::kinematics(&arguments),
        Verb::Statics(arguments) => statics::statics(&arguments),
        Verb::Linear(arguments) => linear::linear(&arguments),
        Verb::Sweep(arguments) => sweep::sweep(&arguments),
        Verb::Accuracy(arguments) => accuracy::accuracy(&arguments),
        Verb::Federate(arguments) => run::federate(&arguments),
        Verb::Host(arguments) => host::host(&arguments),
        Verb::ExportFmu(arguments) => export_fmu::export_fmu(&arguments),
        Verb::ExportSsp(arguments) => export_ssp::export_ssp(&arguments),
        Verb::Info(arguments) => info::info(&arguments),
        Verb::HostPartner => host::host_partner(),
    }) as u8)
}

/// The mechanism of `file`, for `verb`.
fn mechanism_of<'a>(file: &'a ModelFile, verb: &str) -> Result<&'a MechanismModel, Failure> {
    file.document().mechanism().ok_or_else(|| {
        let kind = file.document().kind();
        Failure::Usage(format!("{} is a model of the kind \"{kind}\"; `fourbar {verb}` takes a mechanism", file.name()))
    })
}

/// Runs `verb`, prints its error, and turns a panic, which is always a fault of fourbar, into [`Exit::Internal`].
fn guarded(verb: impl FnOnce() -> Result<Exit, Failure>) -> Exit {
    match catch_unwind(AssertUnwindSafe(verb)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            let exit = failure.exit();
            if exit != Exit::Done {
                say!("fourbar: {}", failure.shown());
            }
            exit
        }
        Err(_) => {
            let version = env!("CARGO_PKG_VERSION");
            say!("fourbar {version}: internal error. Please report it with the text above and the model file.");
            Exit::Internal
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(guarded(|| panic!("on purpose, to test the guard")), Exit::Internal);
    }

    #[test]
    fn a_reader_that_stops_reading_is_no_error() {
        let broken = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        assert_eq!(guarded(|| Err(Failure::Output(broken))), Exit::Done);
    }
}
