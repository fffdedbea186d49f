//! Hosts one shared library for the process that starts it: for programs other than the `fourbar` command, which hosts by itself.

use std::fmt::Arguments;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(unix)]
    match fourbar_coupling::partner::process::serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("{error}; it is started by a simulation, not by hand"));
            ExitCode::from(5)
        }
    }
    #[cfg(not(unix))]
    {
        say(format_args!("partners run in processes of their own on Unix systems only"));
        ExitCode::from(5)
    }
}

/// A line on standard error; lost where that is closed.
fn say(words: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "fourbar-partner-host: {words}");
}
