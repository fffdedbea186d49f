//! `fourbar host`: simulators of a coupled model for runs on other computers. `fourbar host-partner`: the process in which a run keeps a shared library
//! (hidden from the help, since only runs start it).

use crate::args::HostArguments;
use crate::exit::{Exit, Failure};
use crate::signals::{self, Asked};
use fourbar::Error;
use fourbar::coupled::{TOKEN, token};
use fourbar::coupling::partner::remote::{Asked as Simulator, HostEvent, RemoteHost};
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long simulators at work may take to end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves the simulators of the model until Ctrl-C.
pub(crate) fn host(arguments: &HostArguments) -> Result<Exit, Failure> {
    let file = ModelFile::load(&arguments.model).map_err(Failure::Model)?;
    let Some(model) = file.document().coupled() else {
        let kind = file.document().kind();
        let told = format!(
            "{} is a model of the kind \"{kind}\"; `fourbar host` serves the simulators of a coupled one",
            file.name()
        );
        return Err(Failure::Usage(told));
    };
    let host = RemoteHost::bind(&arguments.listen, &token()).map_err(|error| {
        // What is missing is told there; what is no address is not.
        let remedy = match error.to_string().contains("token") {
            true => format!(
                "the token is what the environment variable {TOKEN} holds, on both computers; `openssl rand -hex 16` makes one"
            ),
            false => "write it as ADDRESS:PORT, with an address of this computer and a port below 65536 that is free"
                .to_owned(),
        };
        Failure::Usage(format!("{error}; {remedy}"))
    })?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    signals::on_end(move |by| end(&asked, by)).map_err(Failure::Host)?;
    let names: Vec<&str> = model.simulators.iter().map(|simulator| simulator.name.as_str()).collect();
    say!("fourbar: serving {} of {} at {}; Ctrl-C ends it", names.join(", "), file.name(), host.address());
    let build = |asked: &Simulator| model.hosted(asked).map_err(|error| in_words(&file, error));
    host.serve(&build, &tell, &stop).map_err(Failure::Host)?;
    say!("fourbar: stopped");
    Ok(Exit::Done)
}

/// Raises the flag that ends the host. Simulators that do not heed it, in libraries of others say, are waited for no longer than their last words take;
/// a second Ctrl-C waits for nothing.
fn end(stop: &AtomicBool, by: Asked) {
    if stop.swap(true, Ordering::Relaxed) {
        if by == Asked::ByHand {
            leave();
        }
        return;
    }
    let waited = std::thread::Builder::new().spawn(|| {
        std::thread::sleep(LAST_WORDS);
        leave();
    });
    // Without a thread for it nothing is waited for.
    if waited.is_err() {
        leave();
    }
}

fn leave() -> ! {
    say!("fourbar: stopped; simulators were at work");
    std::process::exit(i32::from(Exit::Done as u8));
}

/// What is wrong with the model here, with its place.
fn in_words(file: &ModelFile, error: Error) -> String {
    file.explain_start(error).to_string()
}

fn tell(event: HostEvent) {
    match event {
        HostEvent::Joined { master, simulator } => say!("fourbar: {master} runs {}", printable(&simulator)),
        HostEvent::Refused { master, words } => say!("fourbar: {master} is refused: {}", printable(&words)),
        HostEvent::Left { master, lost: None } => say!("fourbar: {master} is done"),
        HostEvent::Left { master, lost: Some(words) } => say!("fourbar: {master} is lost: {}", printable(&words)),
        _ => {}
    }
}

#[cfg(unix)]
pub(crate) fn host_partner() -> Result<Exit, Failure> {
    let by_hand = |error| Failure::Usage(format!("{error}; `host-partner` is started by a run, not by hand"));
    fourbar::coupling::partner::process::serve().map_err(by_hand)?;
    Ok(Exit::Done)
}

#[cfg(not(unix))]
pub(crate) fn host_partner() -> Result<Exit, Failure> {
    Err(Failure::Usage("libraries have processes of their own on Unix systems only".to_owned()))
}
