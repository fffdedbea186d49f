//! The command as a person or a script meets it: run as a child process.

mod accuracy;
mod analyses;
mod bad_models;
mod check;
mod contact;
mod coupled;
mod draw;
mod export_fmu;
mod export_ssp;
mod faults;
mod host;
#[cfg(unix)]
mod interrupts;
mod library;
mod linear;
mod new;
mod run;
mod run_warnings;
mod sweep;
mod view;
mod watch;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The checkout.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The command, in the checkout.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourbar"));
    command.args(arguments).current_dir(root());
    command
}

/// Exit code, standard output and standard error.
fn fourbar(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().expect("ended by itself"), text(stdout), text(stderr))
}
