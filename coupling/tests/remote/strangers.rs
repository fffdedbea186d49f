//! Whoever knows not the token, speaks another language or has another model.

use super::{Running, masses};
use fourbar_coupling::partner::remote::{HostEvent, Remote, RemoteError, RemoteHost, RemoteOptions};
use fourbar_coupling::{Signal, Simulator};
use proptest::prelude::*;
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn another_token_is_refused_before_anything_is_built() {
    let host = Running::start("secret", |_| panic!("built for a stranger"));
    for token in ["", "secreT", "secret!", "s"] {
        let error = Remote::join(&RemoteOptions { token: token.into(), ..host.options() }).err().unwrap();
        assert!(matches!(&error, RemoteError::Refused { words, .. } if words.contains("token")), "{error}");
    }
    assert!(host.events().iter().all(|event| matches!(event, HostEvent::Refused { .. })));
}

#[test]
fn what_the_host_does_not_have_is_refused_in_its_words() {
    let host = Running::start("", |asked| {
        if asked.fingerprint != 7 {
            return Err("the model is another one".to_owned());
        }
        masses(asked)
    });
    let error = host.join().err().unwrap();
    assert!(error.to_string().contains("the model is another one"), "{error}");
    let other = RemoteOptions { fingerprint: 7, parameters: vec![("colour".into(), 1.0)], ..host.options() };
    assert!(Remote::join(&other).err().unwrap().to_string().contains("no such parameter"));
    Remote::join(&RemoteOptions { fingerprint: 7, ..host.options() }).unwrap();
}

#[test]
fn without_a_long_token_only_this_computer_is_listened_to() {
    for token in ["", "secret", "fifteen letters"] {
        let error = RemoteHost::bind("0.0.0.0:0", token).unwrap_err().to_string();
        let length = format!("at least 16 characters, and this one has {}", token.len());
        assert!(error.contains("needs a token") && error.contains(&length), "{error}");
    }
    RemoteHost::bind("0.0.0.0:0", "sixteen letters!").unwrap();
    RemoteHost::bind("127.0.0.1:0", "secret").unwrap();
    assert!(matches!(RemoteHost::bind("127.0.0.1:99999", ""), Err(RemoteError::Listen { .. })));
}

#[test]
fn a_first_request_of_any_length_takes_no_memory() {
    let host = Running::start("", masses);
    let mut stream = TcpStream::connect(&host.address).unwrap();
    stream.write_all(&u64::MAX.to_le_bytes()[..]).unwrap();
    stream.write_all(&[7]).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(String::from_utf8_lossy(&answer).contains("too long"), "{answer:?}");
}

/// More connections than there is room for, which say nothing or say something wrong, keep nobody out who knows the token.
#[test]
fn who_has_not_shown_the_token_holds_no_place() {
    let host = RemoteHost::bind("127.0.0.1:0", "secret").unwrap().places(1);
    let host = Running::with(host, masses);
    let known = RemoteOptions { token: "secret".into(), ..host.options() };
    let silent: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(&host.address).unwrap()).collect();
    let mut far = Remote::join(&known).unwrap();
    // Those who come later neither.
    let late: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(&host.address).unwrap()).collect();
    assert!(matches!(host.join(), Err(RemoteError::Refused { words, .. }) if words.contains("token")));
    far.set_inputs(&[Signal::held(1.0)]).unwrap();
    assert_eq!(far.step(0.0, 0.1).unwrap(), 0.1);
    drop((silent, late));
}

#[test]
fn a_run_that_finds_no_place_hears_that_the_host_is_full() {
    let host = Running::with(RemoteHost::bind("127.0.0.1:0", "").unwrap().places(2), masses);
    let (first, _second) = (host.join().unwrap(), host.join().unwrap());
    let error = host.join().err().unwrap();
    let full = |words: &str| words.contains("the host is full, with 2 simulators") && words.contains("start another");
    assert!(matches!(&error, RemoteError::Refused { words, .. } if full(words)), "{error}");
    // Who goes makes room.
    drop(first);
    let again = (0..600).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        host.join().ok()
    });
    assert!(again.is_some());
    assert!(host.events().iter().any(|event| matches!(event, HostEvent::Refused { words, .. } if full(words))));
}

/// What a host announces takes no memory here before it comes.
#[test]
fn an_answer_of_any_length_takes_no_memory() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The answer to the first request, of 16 GiB of which a hundred bytes come.
        stream.read_exact(&mut [0; 9]).unwrap();
        stream.write_all(&(1u64 << 34).to_le_bytes()).unwrap();
        stream.write_all(&[5]).unwrap();
        stream.write_all(&[0; 100]).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let error = Remote::join(&RemoteOptions { address, simulator: "mass".into(), ..RemoteOptions::default() });
    let error = error.err().unwrap();
    assert!(matches!(&error, RemoteError::NoHost { reason, .. } if reason.contains("closed")), "{error}");
    answering.join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_disturb_a_host(bytes in proptest::collection::vec(any::<u8>(), 0..80), word in 0u8..16) {
        let host = Running::start("", masses);
        let mut stream = TcpStream::connect(&host.address).unwrap();
        // A whole frame of nonsense; then the end.
        stream.write_all(&(bytes.len() as u64).to_le_bytes()).unwrap();
        stream.write_all(&[word]).unwrap();
        stream.write_all(&bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        // It is refused or closed; a connection that is reset says the same.
        let _ = stream.read_to_end(&mut answer);
        let mut far = host.join().unwrap();
        far.set_inputs(&[Signal::held(1.0)]).unwrap();
        prop_assert_eq!(far.step(0.0, 0.1).unwrap(), 0.1);
    }
}
