//! The other side: a process that loads one library and serves it until its connection closes.

use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::parent_id;
use std::path::Path;
use std::time::Duration;

use super::options::options;
use crate::function::{Description, Failure};
use crate::partner::library::{Exchange, Library, LibraryOptions, Line};
use crate::partner::wire::{
    GREETING, Wire, Word, garbled, put_description, put_f64, put_parameters, put_texts, put_u64, put_values,
};

/// Serves one library to the process that started this one, over the connection on standard input, until that closes. A program made to be
/// a host, as `fourbar host-partner` is, calls this first of all and then ends.
///
/// # Errors
/// If standard input is no such connection, or something other than requests arrives on it.
pub fn serve() -> std::io::Result<()> {
    let stream = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    end_with_parent();
    let mut wire = Wire::new(stream);
    let (mut line, description) = match open(&mut wire)? {
        Ok(opened) => opened,
        Err(words) => return refuse(&mut wire, &words),
    };
    let start = 0.0;
    let mut exchange = Exchange::new(&description, start);
    let mut bytes = Vec::new();
    loop {
        let (word, mut content) = match wire.receive() {
            Ok(frame) => frame,
            // The master has gone, or needs the library no more.
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        };
        let answer = match word {
            Word::Exchange => {
                (exchange.time, exchange.step) = (content.f64()?, content.f64()?);
                for values in &mut exchange.inputs {
                    content.values(values)?;
                }
                line.exchange(&mut exchange)
            }
            Word::Save => line.save(&mut bytes),
            Word::Restore => line.restore(&content.0.to_vec()),
            Word::Parameters | Word::Texts => match told(&mut *line, word, wire.begin(Word::Done)) {
                Ok(()) => {
                    wire.send()?;
                    continue;
                }
                Err(failure) => Err(failure),
            },
            _ => return Err(garbled("a word that is no request")),
        };
        respond(&mut wire, word, answer, &exchange, &bytes)?;
    }
}

/// Writes the parameters or the texts.
fn told(line: &mut dyn Line<State = Vec<u8>>, word: Word, to: &mut Vec<u8>) -> Result<(), Failure> {
    match word {
        Word::Parameters => put_parameters(to, &line.parameters()?),
        _ => put_texts(to, &line.texts()?),
    }
    Ok(())
}

/// The first request, and the library it asks for.
fn open(wire: &mut Wire<UnixStream>) -> std::io::Result<Result<Loaded, String>> {
    let (word, mut content) = wire.receive()?;
    if word != Word::Open {
        return Err(garbled("another request before the first"));
    }
    let (path, options) = options(&mut content)?;
    let fmu = content.text()?;
    let opened = match load(Path::new(&path), &options, &fmu) {
        Ok(opened) => opened,
        Err(words) => return Ok(Err(words)),
    };
    let answer = wire.begin(Word::Done);
    put_u64(answer, GREETING);
    put_description(answer, &opened.1);
    wire.send()?;
    Ok(Ok(opened))
}

/// What is hosted, and its description.
type Loaded = (Box<dyn Line<State = Vec<u8>>>, Description);

/// A library, or an FMU where there are options of one; the words of its refusal otherwise.
fn load(path: &Path, options: &LibraryOptions, fmu: &str) -> Result<Loaded, String> {
    if fmu.is_empty() {
        let (line, description) = Library::open_line(path, options).map_err(|error| error.to_string())?;
        return Ok((Box::new(line), description));
    }
    #[cfg(feature = "fmi")]
    {
        let options = serde_json::from_str(fmu).map_err(|error| error.to_string())?;
        let (line, description) =
            crate::partner::fmu::Apart::open(path, &options).map_err(|error| error.to_string())?;
        Ok((Box::new(line), description))
    }
    #[cfg(not(feature = "fmi"))]
    Err("this host reads no FMUs: build it with the feature `fmi`".to_owned())
}

fn refuse(wire: &mut Wire<UnixStream>, words: &str) -> std::io::Result<()> {
    let answer = wire.begin(Word::Refused);
    put_u64(answer, words.len() as u64);
    answer.extend(words.as_bytes());
    wire.send()
}

fn respond(
    wire: &mut Wire<UnixStream>,
    word: Word,
    answer: Result<(), Failure>,
    exchange: &Exchange,
    bytes: &[u8],
) -> std::io::Result<()> {
    if let Err(failure) = answer {
        return refuse(wire, &failure.to_string());
    }
    let to = wire.begin(Word::Done);
    match word {
        Word::Exchange => {
            put_f64(to, exchange.reached);
            put_f64(to, exchange.next_event);
            put_values(to, &exchange.outputs);
            put_values(to, &exchange.rates);
        }
        Word::Save => to.extend(bytes),
        _ => {}
    }
    wire.send()
}

/// A library that hangs must not outlive the master, which can no longer end it.
fn end_with_parent() {
    let parent = parent_id();
    std::thread::spawn(move || {
        while parent_id() == parent {
            std::thread::sleep(Duration::from_millis(500));
        }
        std::process::abort();
    });
}
