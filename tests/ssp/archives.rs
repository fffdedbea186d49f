//! Damaged archives and descriptions: refused without a panic, and without a file outside of the folder that they are unpacked into.

use super::{described, feed, packed, units, zipped};
use fourbar::Error;
use fourbar::file::ModelFile;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fs;

fn right() -> String {
    described(&format!(
        "<ssd:System name=\"top\"><ssd:Elements>{}{}</ssd:Elements><ssd:Connections>\
         <ssd:Connection startElement=\"a\" startConnector=\"y\" endElement=\"b\" endConnector=\"u\"/></ssd:Connections></ssd:System>",
        feed("a", ""),
        feed("b", "")
    ))
}

#[test]
fn archives_that_are_none_or_would_write_elsewhere_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("X.ssp");
    let refused = |words: &str| {
        let error = ModelFile::load(&path).unwrap_err();
        assert!(matches!(error, Error::Read { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("X.ssp") && text.contains(words), "{words}: {text}");
    };
    refused("correct the path");
    fs::write(&path, "no archive").unwrap();
    refused("pack it again");
    zipped(&path, &vec![("other.txt", Vec::new())]);
    refused("has no SystemStructure.ssd at its top");
    for name in ["../outside.txt", "/outside.txt", "a\\..\\outside.txt", "c:outside.txt"] {
        zipped(&path, &vec![("SystemStructure.ssd", right().into_bytes()), (name, b"x".to_vec())]);
        refused("pack it again");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    zipped(&path, &vec![("SystemStructure.ssd", vec![b'<', 0xff])]);
    refused("UTF-8");
    zipped(
        &path,
        &vec![("SystemStructure.ssd", b"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><a/>".to_vec())],
    );
    assert!(ModelFile::load(&path).unwrap_err().to_string().contains("not XML"));
}

/// A structure that holds itself, or many systems, ends with a message.
#[test]
fn endless_structures_end() {
    let circle = "<ssd:System name=\"top\" id=\"me\"><ssd:Elements><ssd:Component name=\"a\" type=\"application/x-ssp-definition\" source=\"SOURCE\"/></ssd:Elements></ssd:System>";
    for source in ["#me", "SystemStructure.ssd"] {
        let Some((_folder, path)) =
            packed(&vec![("SystemStructure.ssd", described(&circle.replace("SOURCE", source)).into_bytes())])
        else {
            return;
        };
        let text = ModelFile::load(&path).unwrap_err().to_string();
        assert!(text.contains("nested more than 32 deep") && text.contains("break the circle"), "{text}");
    }
    for depth in [100, 3000] {
        let (open, close) = ("<ssd:System name=\"s\"><ssd:Elements>", "</ssd:Elements></ssd:System>");
        let text = described(&format!("{}{}", open.repeat(depth), close.repeat(depth)));
        let Some((_folder, path)) = packed(&vec![("SystemStructure.ssd", text.into_bytes())]) else { return };
        assert!(ModelFile::load(&path).is_err());
    }
}

#[test]
fn changed_bytes_and_words_never_panic() {
    let Some([feed_unit, _]) = units() else { return };
    let text = right();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("X.ssp");
    let words = [
        "",
        "\"",
        "<",
        "/>",
        "name",
        "a",
        "u",
        "top",
        "ssc:Real",
        "-1",
        "1e400",
        "#",
        "%",
        "\u{0}",
        "SystemStructure.ssd",
    ];
    let change = (0..text.len(), 0..40usize, 0..words.len());
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() });
    let changed = runner.run(&change, |(at, length, word)| {
        let mut bytes = text.clone().into_bytes();
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, words[word].bytes());
        fs::create_dir_all(folder.path().join("resources")).unwrap();
        fs::write(folder.path().join("resources/feed.fmu"), &feed_unit).unwrap();
        let plain = folder.path().join("X.ssd");
        fs::write(&plain, &bytes).unwrap();
        // Whether it is refused is not the question.
        let _ = ModelFile::load(&plain);
        Ok(())
    });
    changed.unwrap();
    zipped(&path, &vec![("SystemStructure.ssd", text.into_bytes()), ("resources/feed.fmu", feed_unit)]);
    let whole = fs::read(&path).unwrap();
    let places = (0..whole.len(), any::<u8>(), any::<bool>());
    let damaged = runner.run(&places, |(at, byte, cut)| {
        let mut bytes = whole.clone();
        if cut {
            bytes.truncate(at)
        } else {
            bytes[at] = byte
        }
        fs::write(&path, bytes).unwrap();
        let _ = ModelFile::load(&path);
        Ok(())
    });
    damaged.unwrap();
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["X.ssd", "X.ssp", "resources"]);
}
