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
fn without_a_token_only_this_computer_is_listened_to() {
    let error = RemoteHost::bind("0.0.0.0:0", "").unwrap_err();
    assert!(error.to_string().contains("needs a token"), "{error}");
    RemoteHost::bind("0.0.0.0:0", "secret").unwrap();
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
