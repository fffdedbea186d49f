//! `fourbar host`: simulators of a coupled model for runs on other computers. `fourbar host-partner`: the process in which a run keeps a shared library
//! (hidden from the help, since only runs start it).

use crate::args::HostArguments;
use crate::exit::{Exit, Failure};
use crate::signals;
use fourbar::Error;
use fourbar::coupled::{TOKEN, token};
use fourbar::coupling::partner::remote::{Asked, HostEvent, RemoteHost};
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
            true => format!("the token is what the environment variable {TOKEN} holds, on both computers"),
            false => "write it as ADDRESS:PORT, with an address of this computer and a port below 65536 that is free"
                .to_owned(),
        };
        Failure::Usage(format!("{error}; {remedy}"))
    })?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    signals::on_end(move |_| asked.store(true, Ordering::Relaxed)).map_err(Failure::Host)?;
    let names: Vec<&str> = model.simulators.iter().map(|simulator| simulator.name.as_str()).collect();
    eprintln!("fourbar: serving {} of {} at {}; Ctrl-C ends it", names.join(", "), file.name(), host.address());
    let build = |asked: &Asked| model.hosted(asked).map_err(|error| in_words(&file, error));
    host.serve(&build, &tell, &stop).map_err(Failure::Host)?;
    eprintln!("fourbar: stopped");
    Ok(Exit::Done)
}

/// What is wrong with the model here, with its place.
fn in_words(file: &ModelFile, error: Error) -> String {
    file.explain_start(error).to_string()
}

fn tell(event: HostEvent) {
    match event {
        HostEvent::Joined { master, simulator } => eprintln!("fourbar: {master} runs {}", printable(&simulator)),
        HostEvent::Refused { master, words } => eprintln!("fourbar: {master} is refused: {}", printable(&words)),
        HostEvent::Left { master, lost: None } => eprintln!("fourbar: {master} is done"),
        HostEvent::Left { master, lost: Some(words) } => eprintln!("fourbar: {master} is lost: {}", printable(&words)),
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
