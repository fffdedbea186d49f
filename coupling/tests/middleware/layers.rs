//! R5 to R8: the layers depend downwards alone, and a partner of another kind needs no change above its interface (R50).

use std::path::Path;

fn sources(folder: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let mut text = String::new();
    for entry in std::fs::read_dir(path).unwrap() {
        text += &std::fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    text
}

#[test]
fn no_layer_knows_the_one_above() {
    let function = sources("function");
    for above in ["crate::management", "crate::application", "crate::partner", "crate::Master"] {
        assert!(!function.contains(above), "the function layer names {above}");
    }
    let management = sources("management");
    for above in ["crate::application", "crate::partner"] {
        assert!(!management.contains(above), "the management layer names {above}");
    }
    // The application sees the management layer only.
    assert!(!sources("application").contains("crate::function"));
}

#[test]
fn the_parts_of_a_master_do_not_know_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/management");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let names_it = text.contains("super::master") || text.contains("impl Master");
        // What else is said of the whole has files of its own.
        let is_above = ["master.rs", "answers.rs", "nesting.rs", "parameters.rs", "saving.rs", "mod.rs"]
            .iter()
            .any(|own| path.ends_with(own));
        assert!(is_above || !names_it, "{} names the master", path.display());
    }
}
