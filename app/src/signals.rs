//! What asks the command to end: Ctrl-C, and on Unix SIGTERM and SIGHUP, which a batch system or a closed terminal sends.

use crate::exit::Exit;
use std::io;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Ctrl-C (SIGINT).
    ByHand,
    /// SIGTERM or SIGHUP. They come in pairs where a shell and the system both send them.
    BySystem,
}

/// Calls `asked` at every such signal from now on. A SIGHUP that whoever started the command has it ignore (`nohup`) stays ignored.
///
/// # Errors
/// Those of the operating system.
#[cfg(unix)]
pub(crate) fn on_end(mut asked: impl FnMut(Asked) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hangup = (!ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let wait = move || {
        for signal in signals.forever() {
            asked(if signal == SIGINT { Asked::ByHand } else { Asked::BySystem });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// From now on every such signal ends the process, with the exit code of a run that was stopped: for commands that leave no files.
pub(crate) fn end_at_once() {
    // Without it they end it all the same, with the exit code of the shell.
    let _ = on_end(|_| stopped("nothing was written"));
}

/// Ends the process as stopped, with what is left of its work.
pub(crate) fn stopped(left: &str) -> ! {
    say!("fourbar: stopped; {left}");
    std::process::exit(i32::from(Exit::Interrupted as u8))
}

/// Whether the process ignores `signal`. Where nothing tells it does not.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

#[cfg(not(unix))]
pub(crate) fn on_end(mut asked: impl FnMut(Asked) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || asked(Asked::ByHand)).map_err(io::Error::other)
}
