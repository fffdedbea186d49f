//! Hosts one shared library for the process that starts it: for programs other than the `fourbar` command, which hosts by itself.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(unix)]
    match fourbar_coupling::partner::process::serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fourbar-partner-host: {error}; it is started by a simulation, not by hand");
            ExitCode::from(5)
        }
    }
    #[cfg(not(unix))]
    {
        eprintln!("fourbar-partner-host: partners run in processes of their own on Unix systems only");
        ExitCode::from(5)
    }
}
