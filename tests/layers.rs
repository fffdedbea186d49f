//! Data flows down: what models are and what results are knows nothing of how they are run.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| sources(entry, found));
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_path_buf());
    }
}

#[test]
fn models_and_results_know_nothing_of_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, stranger) in [
        ("observer.rs", "crate::"),
        ("results", "crate::run"),
        ("results", "crate::simulation"),
        ("linear", "crate::run"),
        ("mechanism", "crate::run"),
        ("circuit.rs", "crate::run"),
        ("run", "crate::simulation"),
        ("run", "crate::file"),
    ] {
        let mut files = Vec::new();
        sources(&root.join(room), &mut files);
        assert!(!files.is_empty(), "{room}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap());
            let named = code.into_iter().any(|line| line.contains(stranger));
            assert!(!named, "{} names {stranger}", file.display());
        }
    }
}
