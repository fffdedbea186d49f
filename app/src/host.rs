//! `fourbar host-partner`: the process in which a run keeps a shared library (hidden from the help, since only runs start it).

use crate::exit::{Exit, Failure};

#[cfg(unix)]
pub(crate) fn host() -> Result<Exit, Failure> {
    let by_hand = |error| Failure::Usage(format!("{error}; `host-partner` is started by a run, not by hand"));
    fourbar::coupling::partner::process::serve().map_err(by_hand)?;
    Ok(Exit::Done)
}

#[cfg(not(unix))]
pub(crate) fn host() -> Result<Exit, Failure> {
    Err(Failure::Usage("libraries have processes of their own on Unix systems only".to_owned()))
}
