//! `fourbar federate`: what the command line says of a federation of HELICS.

use crate::args::RunArguments;
use crate::numbers::positive;
use clap::Args;
use fourbar::coupled::Federate;

/// All outputs are published as NAME/SIMULATOR.OUTPUT. A model that is not coupled is a simulator named after its kind: mechanism, circuit or
/// linear.
#[derive(Debug, Args)]
#[command(after_help = LIBRARY)]
pub(crate) struct FederateArguments {
    #[command(flatten)]
    pub(crate) run: RunArguments,

    /// Name of the federate, which no other one has
    #[arg(long, value_parser = name)]
    name: String,

    /// Address of the broker; one on this computer if absent
    #[arg(long, value_name = "ADDRESS", default_value = "")]
    broker: String,

    /// Kind of connection: zmq, tcp, ipc, udp; that of HELICS if absent
    #[arg(long, value_name = "NAME", default_value = "")]
    core: String,

    /// An input of the model and the publication that feeds it; without one the broker links it, as NAME/SIMULATOR.INPUT. May be given for several
    #[arg(long = "link", value_name = "SIMULATOR.INPUT[=FEDERATE/KEY]", value_parser = link)]
    links: Vec<(String, Option<String>)>,

    /// Time on the clock within which the others must answer
    #[arg(long, value_name = "SECONDS", value_parser = positive, default_value = "60")]
    time_limit: f64,
}

const LIBRARY: &str = "The C library of HELICS 3 is loaded at run time: libhelics.so of the system, or the file that the environment variable
HELICS_LIBRARY names. A broker is started by `helics_broker -f COUNT`.";

fn name(text: &str) -> Result<String, String> {
    match text {
        "" => Err("give the federate a name".to_owned()),
        // What follows a slash is the key of a publication.
        text if text.contains('/') => Err("a name has no slash".to_owned()),
        text => Ok(text.to_owned()),
    }
}

fn link(text: &str) -> Result<(String, Option<String>), String> {
    match text.split_once('=') {
        None if text.contains('.') => Ok((text.to_owned(), None)),
        Some((input, key)) if input.contains('.') && !key.is_empty() => Ok((input.to_owned(), Some(key.to_owned()))),
        _ => Err("write it as SIMULATOR.INPUT=FEDERATE/KEY".to_owned()),
    }
}

impl FederateArguments {
    pub(crate) fn federate(&self) -> Federate {
        Federate {
            name: self.name.clone(),
            core: self.core.clone(),
            broker: self.broker.clone(),
            links: self.links.clone(),
            time_limit: self.time_limit,
        }
    }
}
