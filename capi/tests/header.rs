//! The header in `include/` is what the crate says: generated here and compared; `UPDATE_HEADER=1` rewrites it.

mod order;

use std::path::PathBuf;

#[test]
fn the_header_is_up_to_date() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_crate(&root).with_config(config).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = order::in_order_of_use(&String::from_utf8(text).unwrap(), &root.join("src"));
    let path = root.join("../include/fourbar.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = present.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(
        present == text,
        "include/fourbar.h is not what the crate says, from line {} on; rewrite it: UPDATE_HEADER=1 cargo test -p fourbar-capi header",
        differing.map_or(0, |line| line + 1)
    );
}

/// What G_i is stands in each face in the same words.
#[test]
fn the_matrices_g_are_defined_once() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    for face in ["include/fourbar.h", "include/fourbar/lti.hpp", "python/fourbar/linear.py"] {
        let text = std::fs::read_to_string(root.join(face)).unwrap();
        let defined: Vec<&str> =
            text.split("G_i(T) = ").skip(1).map(|after| after.split(" for i").next().unwrap()).collect();
        assert_eq!(defined, ["integral from 0 to T of e^{A(T-s)} (s/T)^i ds"], "{face}");
    }
    for face in ["docs/lti.md", "docs/theory/lti.md"] {
        let text = std::fs::read_to_string(root.join(face)).unwrap();
        assert!(text.contains("G_i(T) = \\int_0^T e^{A(T-s)} (s/T)^i ds"), "{face}");
    }
}
