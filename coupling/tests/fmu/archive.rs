//! Archives that are damaged or mean harm: nothing is written outside, nothing panics, nothing is left.

use super::build::{Model, description, pack, place, usual};
use crate::library::compile::unique;
use fourbar_coupling::partner::{Fmu, FmuError, FmuOptions};
use proptest::prelude::*;
use std::path::Path;

fn error(path: &Path) -> FmuError {
    Fmu::open(path, &FmuOptions::default()).err().unwrap()
}

#[test]
fn entries_that_would_leave_the_folder_are_refused() {
    let text = description((2, Model::Stair), usual(2));
    for name in
        ["../outside.txt", "/tmp/fourbar-outside.txt", "a/../../outside.txt", "a\\..\\outside.txt", "c:outside.txt"]
    {
        let path = pack(&[("modelDescription.xml", text.as_bytes()), (name, b"harm")]);
        let refused = error(&path);
        assert!(matches!(&refused, FmuError::Archive { .. }), "{name}: {refused}");
        assert!(!Path::new("/tmp/fourbar-outside.txt").exists() && !std::env::temp_dir().join("outside.txt").exists());
    }
}

#[test]
fn links_are_refused() {
    let path = unique("link").with_extension("fmu");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    writer.start_file("modelDescription.xml", options).unwrap();
    std::io::Write::write_all(&mut writer, description((2, Model::Stair), usual(2)).as_bytes()).unwrap();
    writer.add_symlink("resources", "/etc", options).unwrap();
    writer.finish().unwrap();
    let refused = error(&path).to_string();
    assert!(refused.contains("it is a symbolic link"), "{refused}");
}

#[test]
fn what_is_no_archive_is_refused() {
    let missing = error(Path::new("/no/such.fmu")).to_string();
    assert!(missing.contains("correct the path"), "{missing}");
    assert!(error(&std::env::temp_dir()).to_string().contains("name the file itself"));
    let empty = pack(&[]);
    assert!(error(&empty).to_string().contains("modelDescription.xml"));
}

/// Others on the computer cannot look into the folder of a unit, whatever the mask of the process allows.
#[cfg(unix)]
#[test]
fn the_folder_belongs_to_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let path = pack(&[("modelDescription.xml", b"<a/>"), ("resources/table.txt", b"1 2 3")]);
    let unpacked = fourbar_coupling::partner::UnpackedArchive::open(&path).unwrap();
    let mode = std::fs::metadata(unpacked.folder()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "{mode:o}");
    assert_eq!(std::fs::read(unpacked.folder().join("resources/table.txt")).unwrap(), b"1 2 3");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Bytes of an archive, of its description among them, are changed, cut or repeated.
    #[test]
    fn damaged_archives_never_panic(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
        in_description in any::<bool>(),
    ) {
        let mut text = description((3, Model::Feed), usual(3)).into_bytes();
        if in_description {
            places.iter().for_each(|(place, byte)| *place.get_mut(&mut text) = *byte);
        }
        let path = pack(&[("modelDescription.xml", &text), (&place(3), b"no library"), ("resources/y.txt", b"a")]);
        let mut bytes = std::fs::read(&path).unwrap();
        if !in_description {
            places.iter().for_each(|(place, byte)| *place.get_mut(&mut bytes) = *byte);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        std::fs::write(&path, &bytes).unwrap();
        // Its library is none: it is refused at the latest there, in words that name the file.
        let refused = error(&path).to_string();
        prop_assert!(refused.contains(&path.display().to_string()), "{}", refused);
        std::fs::remove_file(&path).unwrap();
    }
}
