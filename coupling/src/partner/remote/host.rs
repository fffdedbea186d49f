//! The other side: listens, looks at the token, builds the simulator that is asked for and serves it until the connection ends.

use std::io::{Error, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fourbar_linalg::Interrupt;

use super::RemoteError;
use super::beat::SILENCE;
use super::places::{Hall, Place, Places, Waiting};
use super::served::{Channel, Served, refuse};
use crate::function::Simulator;
use crate::partner::wire::{GREETING, Patience, Wire, Word, garbled};

/// How often a host that waits for masters looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// Who says nothing for this long after connecting is sent away: far more than a round trip.
const GREET: Duration = Duration::from_secs(5);
/// Longest first request, which comes from anybody \[bytes\]: a token and some hundred parameters.
const FIRST: u64 = 1 << 16;
/// Simulators at a time: each holds a thread. A sweep over all processors of a large computer stays below.
const MOST: usize = 256;
/// Characters of a token that other computers can try: 64 bits in hexadecimal digits.
const SHORTEST: usize = 16;

/// What a master asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Name of the simulator.
    pub simulator: String,
    /// Parameters with other values than the model gives.
    pub parameters: Vec<(String, f64)>,
    /// Of the model that the master has; 0 if nothing is to be compared.
    pub fingerprint: u64,
}

/// What happens at a host, for whoever watches.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum HostEvent {
    /// A master has its simulator.
    Joined {
        /// The master.
        master: SocketAddr,
        /// Name of the simulator.
        simulator: String,
    },
    /// Somebody was sent away.
    Refused {
        /// Who.
        master: SocketAddr,
        /// Why.
        words: String,
    },
    /// A master has gone.
    Left {
        /// The master.
        master: SocketAddr,
        /// How, if not as it should.
        lost: Option<String>,
    },
}

/// Makes the simulator that is asked for, or says in words why not.
pub type Build<'a> = dyn Fn(&Asked) -> Result<Box<dyn Simulator>, String> + Sync + 'a;

/// A place where masters find simulators.
#[derive(Debug)]
pub struct RemoteHost {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    most: usize,
}

impl RemoteHost {
    /// Listens at `address` (`name:port`; port 0 for any that is free). Whoever asks must know `token`. Addresses that other computers reach need
    /// one of at least 16 characters.
    ///
    /// # Errors
    /// [`RemoteError::Listen`].
    pub fn bind(address: &str, token: &str) -> Result<Self, RemoteError> {
        let refused = |reason: String| RemoteError::Listen { address: address.to_owned(), reason };
        let told = |error: Error| refused(error.to_string());
        let places: Vec<SocketAddr> = address.to_socket_addrs().map_err(told)?.collect();
        let length = token.chars().count();
        if length < SHORTEST && places.iter().any(|place| !place.ip().is_loopback()) {
            return Err(refused(format!(
                "other computers reach it, so it needs a token of at least {SHORTEST} characters, and this one has {length}: give a longer one, or \
                 listen at 127.0.0.1"
            )));
        }
        let listener = TcpListener::bind(&*places).map_err(told)?;
        listener.set_nonblocking(true).map_err(told)?;
        let address = listener.local_addr().map_err(told)?;
        Ok(Self { listener, address, token: token.to_owned(), most: MOST })
    }

    /// With room for so many simulators at a time, in place of 256.
    #[must_use]
    pub fn places(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves masters, each on a thread of its own, until `stop` is raised and the requests under way are answered. `build` makes the simulator or
    /// says in words why not; `told` hears what happens.
    ///
    /// # Errors
    /// If nobody can be listened to any more.
    pub fn serve(
        &self,
        build: &Build<'_>,
        told: &(dyn Fn(HostEvent) + Sync),
        stop: &Arc<AtomicBool>,
    ) -> std::io::Result<()> {
        let house = House { token: &self.token, build, told, stop, places: Places::new(self.most) };
        let hall = Hall::default();
        std::thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                let (stream, master) = match self.listener.accept() {
                    Ok(accepted) => accepted,
                    Err(error) if passes(error.kind()) => {
                        std::thread::sleep(LOOK);
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                let house = &house;
                let attended = hall.enter(&stream).and_then(|waiting| {
                    std::thread::Builder::new().spawn_scoped(scope, move || house.attend(stream, master, waiting))
                });
                if let Err(error) = attended {
                    told(HostEvent::Refused { master, words: error.to_string() });
                }
            }
            Ok(())
        })
    }
}

/// Whether listening goes on after this: nobody came, or somebody left before being heard, or there are no descriptors for now.
fn passes(kind: ErrorKind) -> bool {
    !matches!(kind, ErrorKind::InvalidInput | ErrorKind::PermissionDenied | ErrorKind::NotConnected)
}

/// What all masters of a host have in common.
struct House<'a> {
    token: &'a str,
    build: &'a Build<'a>,
    told: &'a (dyn Fn(HostEvent) + Sync),
    stop: &'a Arc<AtomicBool>,
    places: Places,
}

impl House<'_> {
    /// One master from its first request to its end.
    fn attend(&self, stream: TcpStream, master: SocketAddr, waiting: Waiting<'_>) {
        // What a simulator computes ends with the host.
        Interrupt::from(Arc::clone(self.stop)).watch();
        let event = match self.open(stream, waiting) {
            Ok(Opened { name, mut served, mut channel, place: _place }) => {
                (self.told)(HostEvent::Joined { master, simulator: name });
                let lost = served.serve(&mut channel, self.stop).err().map(|error| error.to_string());
                HostEvent::Left { master, lost }
            }
            Err(error) => HostEvent::Refused { master, words: error.to_string() },
        };
        (self.told)(event);
    }

    /// The simulator that is asked for. Who shows the token waits no more, and gets a place.
    fn open(&self, stream: TcpStream, waiting: Waiting<'_>) -> std::io::Result<Opened<'_>> {
        let mut wire = greet(stream, self.stop)?;
        let admitted = first(&mut wire, self.token).and_then(|asked| Ok((asked, self.places.take()?)));
        drop(waiting);
        let (asked, place) = match admitted {
            Ok(admitted) => admitted,
            Err(error) => return Err(turned_away(&mut wire, error)),
        };
        let mut channel = Channel::new(wire)?;
        match channel.work(|| (self.build)(&asked)) {
            Ok(simulator) => Ok(Opened { name: asked.simulator, served: Served::new(simulator), channel, place }),
            Err(words) => Err(turned_away(channel.wire(), Error::other(words))),
        }
    }
}

/// What a master has got.
struct Opened<'a> {
    name: String,
    served: Served,
    channel: Channel,
    place: Place<'a>,
}

/// Says why, to whoever is not gone already.
fn turned_away(wire: &mut Wire<TcpStream>, error: Error) -> Error {
    let _ = refuse(wire, &error.to_string());
    error
}

/// The connection, with its limits.
fn greet(stream: TcpStream, stop: &Arc<AtomicBool>) -> std::io::Result<Wire<TcpStream>> {
    // On some systems it takes after the listener.
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    let patience = Patience { limit: Some(SILENCE), interrupt: Some(Arc::clone(stop)) };
    let mut wire = Wire::impatient(stream, patience, None)?;
    wire.at_most(Some(FIRST));
    wire.until(Instant::now().checked_add(GREET));
    Ok(wire)
}

/// The first request, of one who knows the token.
fn first(wire: &mut Wire<TcpStream>, token: &str) -> std::io::Result<Asked> {
    let (word, mut content) = wire.receive_word()?;
    if word != Word::Join || content.u64()? != GREETING {
        return Err(garbled("another request before the first"));
    }
    let version = content.text()?;
    let known = content.text()?;
    if !same(token.as_bytes(), known.as_bytes()) {
        return Err(Error::other("the token is another one; give both ends the same"));
    }
    if version != env!("CARGO_PKG_VERSION") {
        let own = env!("CARGO_PKG_VERSION");
        return Err(Error::other(format!("the host is of version {own}, the master of {version}; install the same")));
    }
    let asked = Asked { simulator: content.text()?, parameters: content.named()?, fingerprint: content.u64()? };
    wire.at_most(None);
    wire.until(None);
    Ok(asked)
}

/// Compares in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}
