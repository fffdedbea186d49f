//! What is no partner is refused before the run, in words that name file, fault and remedy.

use std::time::Duration;

use fourbar_coupling::partner::{HostProgram, Library, LibraryError, LibraryOptions, Process, ProcessOptions};

use crate::library::compile::{hosted, troubled, unique};

fn refusal(path: &std::path::Path) -> LibraryError {
    Library::open(path, &LibraryOptions::default()).err().expect("it must be refused")
}

#[test]
fn files_that_are_no_library_for_this_machine() {
    let missing = unique("missing.so");
    assert!(matches!(refusal(&missing), LibraryError::File { .. }));
    let text = unique("text.so");
    std::fs::write(&text, "#include <stdio.h> and nothing that runs").unwrap();
    assert!(matches!(refusal(&text), LibraryError::Load { .. }), "{:?}", refusal(&text));
    // An ELF header of 64 bits, little-endian, for SPARC version 9 (machine 43).
    let mut header = [0u8; 64];
    header[..6].copy_from_slice(b"\x7fELF\x02\x01");
    (header[16], header[18]) = (3, 43);
    let foreign = unique("foreign.so");
    std::fs::write(&foreign, header).unwrap();
    let LibraryError::Machine { found, expected, .. } = refusal(&foreign) else { panic!("{:?}", refusal(&foreign)) };
    assert_eq!((found.as_str(), expected), ("ELF machine 43 with 64 bits", std::env::consts::ARCH));
}

#[test]
fn libraries_that_break_the_interface() {
    for (flags, text) in [
        (&["-DSTATE=another_name"] as &[&str], "has no function fourbar_partner_state"),
        (&["-DVERSION=2"], "has version 2 of the interface, this program version 1"),
        (&["-DNO_DESCRIPTION"], "fourbar_partner_describe returns NULL"),
        (&["-DSIZE=3"], "its struct_size is 3"),
        (&["-DVARIABLE_SIZE=8"], "the struct_size of its first variable is 8"),
        (&["-DINPUT_NAME=\"\\xff\\xfe\""], "the name of its variable 0 is no UTF-8"),
        (&["-DINPUT_NAME=\"\""], "its variable 0 has no name"),
        (&["-DINPUT_NAME=NULL"], "its variable 0 has no name"),
        (&["-DINPUT_NAME=\"a.b\""], "has a dot"),
        (&["-DCAUSALITY=7"], "the causality of its variable \"u\" is 7"),
        (&["-DFEEDTHROUGH=4"], "names input 4 of 1"),
        (&["-DNO_INSTANCE"], "says it is done and gives NULL"),
    ] {
        let Some(path) = troubled(flags) else { return };
        let error = refusal(&path).to_string();
        assert!(error.contains(text) && error.contains(path.to_str().unwrap()), "{flags:?}: {error}");
        // The same words from a process of its own.
        let hosted = Process::open(&path, &LibraryOptions::default(), &hosted()).err().expect("it must be refused");
        assert_eq!(hosted.to_string(), format!("in a process of its own: {error}"));
    }
}

#[test]
fn options_that_the_library_or_c_cannot_take() {
    let Some(path) = troubled(&[]) else { return };
    let with = |name: &str, parameter: &str| {
        let parameters = vec![(parameter.to_string(), 1.0)];
        let options = LibraryOptions { name: name.into(), parameters, ..LibraryOptions::default() };
        Library::open(&path, &options).err().unwrap().to_string()
    };
    let unknown = with("tank", "volume");
    assert!(unknown.contains("creates no instance \"tank\"") && unknown.contains("there is no parameter \"volume\""));
    assert!(with("tank", "at\0").contains("holds a zero byte") && with("ta\0nk", "at").contains("holds a zero byte"));
}

#[test]
fn processes_that_are_no_host() {
    let Some(path) = troubled(&["-DCRASH_AT_START"]) else { return };
    let open =
        |host: &ProcessOptions| Process::open(&path, &LibraryOptions::default(), host).err().unwrap().to_string();
    let crashed = open(&hosted());
    assert!(crashed.contains("signal: 6 (SIGABRT)"), "{crashed}");
    for (program, text) in
        [("/does/not/exist", "cannot be started"), ("true", "exit status: 0"), ("cat", "did not answer within 200ms")]
    {
        let host = Some(HostProgram::new(program));
        let error = open(&ProcessOptions { host, time_limit: Some(Duration::from_millis(200)) });
        assert!(error.contains(program) && error.contains(text), "{error}");
    }
    // One that answers in another language.
    let host = HostProgram::new("sh").argument("-c").argument("echo good morning everybody >&0; exec sleep 9");
    let error = open(&ProcessOptions { host: Some(host), ..ProcessOptions::default() });
    assert!(error.contains("the connection carries a word that does not exist"), "{error}");
}
